"""Matches as files: `companion export | import`."""

import argparse
import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, Any

from companion import archives, i18n, library
from companion.matches import Match, Matches, NoSuchMatch
from companion.rules.errors import explain_system
from companion.rules.message import CountMessage, Message

from .instance import find_instance, open_matches, show_progress
from .language import read_zone, refuse_language, render, spoken
from .language import say as _
from .reading import BAD_INPUT, refuse, report_error
from .sheet import report_unprintable

ENDINGS = (".json", ".zip", ".csv")
_ADDRESS = re.compile(r".*/m/([^/?#]+).*")
_LIKE_OPTION = re.compile(r"-[\w-]{21}")
"""An id that looks like an option: one in 64 does."""


def add_commands(commands: Any) -> None:
    """Add these commands to a parser."""
    export = commands.add_parser("export", help=_("write matches into a file, with their whole history"))
    export.add_argument("ids", nargs="*", metavar="ID", help=_("id of a match, or its address"))
    export.add_argument("--all", action="store_true", help=_("all matches of the instance"))
    export.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help=_("file to write: .json (one match), .zip or .csv"),
    )
    export.add_argument("--sheets", action="store_true", help=_("put the sheets as PDF into the .zip too"))
    export.add_argument("--paper", choices=("a4", "a5", "letter"), default="a4", help=_("of --sheets"))
    export.add_argument("--lang", help=_("language of --sheets, such as pl (default: the one spoken here)"))
    export.add_argument(
        "--timezone",
        type=read_zone,
        metavar="ZONE",
        help=_("time zone of days in names of files (default: UTC) and on --sheets (default: the record’s)"),
    )
    export.set_defaults(run=_export)

    take = commands.add_parser("import", help=_("import records and archives; nothing is imported twice"))
    take.add_argument("files", nargs="+", metavar="FILE", help=_("record (.json) or archive (.zip)"))
    take.add_argument(
        "--owner",
        metavar="ID",
        help=_(
            "whose list they join: that of the owner of the match with this id; or new, that of a new owner"
            " (default: the list of the command line)"
        ),
    )
    take.add_argument("--look", action="store_true", help=_("only show what is in them, and import nothing"))
    take.set_defaults(run=_import)


def protect_id(word: str) -> str:
    """Mark an id so that it is not read as an option; `read_id` undoes that."""
    return f" {word}" if _LIKE_OPTION.fullmatch(word) else word


def read_id(word: str) -> str:
    """Read the id of a match, from itself or an address."""
    return _ADDRESS.sub(r"\1", word.strip())


# --- export ---------------------------------------------------------------------------------------


def _export(arguments: argparse.Namespace) -> int:
    file = Path(arguments.output)
    ids = [read_id(id) for id in arguments.ids]
    _check_export(arguments, file)
    with open_matches(find_instance()) as matches:
        wanted = matches.store.list_ids() if arguments.all else ids
        opened = {id: _open(matches, id) for id in ids}
        if file.suffix == ".json":
            document = archives.write_match(matches, opened[ids[0]])
            with _written(file) as out:
                out.write(archives.format_json(document))
            return 0
        with _written(file) as out, show_progress(Message("exporting {percent} %")) as progress:
            if file.suffix == ".csv":
                return _report_left_out(_write_table(matches, wanted, out, progress))
            print_sheet = _make_printer(arguments) if arguments.sheets else None
            zone = arguments.timezone or UTC
            left_out = archives.write_archive(matches, None, wanted, out, progress, print_sheet, zone)
        return _report_left_out(left_out)


def _check_export(arguments: argparse.Namespace, file: Path) -> None:
    many = len(arguments.ids)
    if bool(many) == arguments.all:
        raise refuse("ID", Message("required, or --all in place of them"))
    if file.suffix not in ENDINGS:
        ending = Message("must end in {values}, not {value}", values=list(ENDINGS), value=file.name)
        raise refuse("-o", ending)
    if file.suffix == ".json" and many != 1:
        raise refuse("-o", Message("must end in .zip or .csv for more than one match; .json holds one"))
    for option, is_given in (("--sheets", arguments.sheets), ("--timezone", arguments.timezone)):
        if is_given and file.suffix != ".zip":
            raise refuse(option, Message("must be left out unless -o ends in .zip"))


def _open(matches: Matches, id: str) -> Match:
    try:
        return matches.open(id)
    except NoSuchMatch:
        raise refuse(id, Message("no match has this id")) from None


def _write_table(
    matches: Matches, ids: Sequence[str], out: IO[bytes], progress: archives.Progress
) -> list[str]:
    """Write a table of matches; return the ids of those that cannot be read."""
    import io

    left_out: list[str] = []

    def readable() -> Iterator[Match]:
        for done, id in enumerate(ids):
            progress(done, len(ids))
            match = matches.open_if_readable(id)
            if match is None:
                left_out.append(id)
            else:
                yield match

    text = io.TextIOWrapper(out, encoding="utf-8", newline="", errors="replace")
    archives.write_csv(readable(), text)
    text.flush()
    text.detach()
    return left_out


def _make_printer(arguments: argparse.Namespace) -> archives.PrintSheet:
    from companion import sheets

    language = arguments.lang or spoken()
    if language not in i18n.LANGUAGES:
        raise refuse_language(language)
    zone = arguments.timezone.key if arguments.timezone else ""

    def print_sheet(match: Match) -> bytes:
        order = sheets.SheetOrder("match", match.game, match.to_record(), language=language, zone=zone)
        report = partial(report_unprintable, match.id)
        pages = [order.compose_for_print()]
        return sheets.print_sheets(pages, paper=arguments.paper, language=language, report=report)

    return print_sheet


def _report_left_out(ids: Sequence[str]) -> int:
    for id in ids:
        problem = render(Message("this version cannot read this match, so it was left out"))
        report_error(f"{id}: {problem}")
    return BAD_INPUT if ids else 0


@contextmanager
def _written(file: Path) -> Iterator[IO[bytes]]:
    """Open a file that gets its name once it is complete. :raises Refused: if it cannot be written."""
    half = file.with_name(f"{file.name}.part")
    try:
        with half.open("wb") as out:
            yield out
        os.replace(half, file)
    except OSError as fault:
        raise refuse(file, explain_system(fault)) from None
    finally:
        half.unlink(missing_ok=True)


# --- import ---------------------------------------------------------------------------------------


def _import(arguments: argparse.Namespace) -> int:
    for name in arguments.files:
        if not Path(name).is_file():
            raise refuse(name, Message("no such file"))
    with open_matches(find_instance()) as matches:
        owner = _find_owner(matches, arguments.owner)
        refused, imported = 0, 0
        for name in arguments.files:
            with show_progress(Message("checking {name} {percent} %", name=name)) as progress:
                found = archives.look_through(matches, owner, Path(name), name, progress)
            if arguments.look:
                done = [archives.Imported(each, each.plan, each.id, each.problem) for each in found]
            else:
                with show_progress(Message("importing {name} {percent} %", name=name)) as progress:
                    done = archives.import_found(matches, owner, found, progress)
            for taken in done:
                _report_imported(name, taken, _WOULD if arguments.look else _BECAME)
            refused += sum(taken.plan == "refused" for taken in done)
            imported += sum(taken.plan in ("new", "continued", "copy") for taken in done)
        if imported and not arguments.look:
            _show_words(matches, owner, bool(arguments.owner) and arguments.owner != "new")
        return BAD_INPUT if refused else 0


def _find_owner(matches: Matches, wanted: str | None) -> str:
    """The token of the future owner of the matches; it is never printed."""
    if wanted is None:
        token, *former = matches.ids.make("command line", "owner")
        return next((old for old in former if matches.moves.has_anything(old)), token)
    if wanted == "new":
        return secrets.token_urlsafe(16)
    return _open(matches, read_id(wanted)).owner


_BECAME = {
    "new": Message("imported"),
    "continued": Message("continued"),
    "skipped": Message("here already, skipped"),
    "copy": Message("kept as a copy beside the match of that id"),
}
_WOULD = {
    "new": Message("not here yet"),
    "continued": Message("longer than the one that is here"),
    "skipped": Message("here already"),
    "copy": Message("would be kept as a copy beside the match of that id"),
}


def _report_imported(name: str, taken: archives.Imported, words: Mapping[str, Message]) -> None:
    found = taken.found
    where = name if found.name in ("", name, Path(name).name) else f"{name}: {found.name}"
    if taken.problem is not None or taken.plan == "refused":
        problem = render(taken.problem.sentence) if taken.problem is not None else ""
        report_error(f"{where}: {problem}")
        return
    content: list[object] = [Message("a saved ruling")]
    if found.game:
        deals = CountMessage("{count} deal", "{count} deals", found.deals)
        if library.open_game(found.game).family.counted_entry == "hand":
            deals = CountMessage("{count} hand", "{count} hands", found.deals)
        content = [_(found.title), *found.players, deals]
    if found.flagged:
        content.append(
            CountMessage(
                "{count} entry contradicts the rules", "{count} entries contradict the rules", found.flagged
            )
        )
    line = Message("{content}: {became} ({id})", content=content, became=words[taken.plan], id=taken.id)
    print(f"{where}: {render(line)}")


def _show_words(matches: Matches, owner: str, has_phone: bool) -> None:
    """Print the words by which a phone becomes the owner of the matches."""
    if has_phone:
        return
    since = matches.moves.words_since(owner)
    if since is not None:
        line = Message(
            "They are in the list of the earlier ones: the words that were shown on {day} still work.",
            day=datetime.fromisoformat(since).astimezone().date().isoformat(),
        )
        print(render(line))
        return
    newest = matches.identities.generations([owner])[owner]
    words = " ".join(matches.moves.make_words(owner, newest))
    print(
        _(
            "No phone has these matches yet. The one on which these words are typed, under\n"
            "“Move to another phone”, has them from then on; they are shown only now:"
        )
    )
    print(f"  {words}")
