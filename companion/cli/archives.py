"""Taking matches along: `companion export | import | backup | restore`."""

import argparse
import os
import re
import secrets
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from companion import archives
from companion.matches import Match, Matches, NoSuchMatch

from .instance import Instance, ShownProgress, find_instance, open_matches
from .reading import Refused

BAD_INPUT = 2
ENDINGS = (".json", ".zip", ".csv")
_ADDRESS = re.compile(r".*/m/([^/?#]+).*")
_LIKE_OPTION = re.compile(r"-[\w-]{21}")
"""One id in 64 begins so."""


def add_commands(commands: Any) -> None:
    """Add these commands to a parser."""
    export = commands.add_parser("export", help="write matches into a file, with their whole history")
    export.add_argument("ids", nargs="*", metavar="ID", help="id of a match, or its address")
    export.add_argument("--all", action="store_true", help="all matches of the instance")
    export.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="file to write: .json (one match), .zip or .csv"
    )
    export.add_argument("--sheets", action="store_true", help="put the sheets as PDF into the .zip too")
    export.add_argument("--paper", choices=("a4", "a5", "letter"), default="a4", help="of --sheets")
    export.add_argument("--lang", default="en", help="language of --sheets, such as pl (default: en)")
    export.set_defaults(run=_export)

    take = commands.add_parser("import", help="take records and archives; nothing is taken twice")
    take.add_argument("files", nargs="+", metavar="FILE", help="record (.json) or archive (.zip)")
    take.add_argument(
        "--owner",
        metavar="ID",
        help="whose they become: the owner of the match with this id; or new, somebody who has none yet"
        " (default: the list of the command line)",
    )
    take.add_argument("--look", action="store_true", help="only say what is in them, and take nothing")
    take.set_defaults(run=_import)

    backup = commands.add_parser("backup", help="copy the whole instance, also while it serves")
    backup.add_argument("-o", "--output", required=True, metavar="FILE", help="file to write")
    backup.add_argument(
        "--without-key", action="store_true", help="leave out the key by which browsers are known"
    )
    backup.set_defaults(run=_back_up)

    restore = commands.add_parser("restore", help="put such a copy into an empty instance")
    restore.add_argument("file", metavar="FILE", help="a copy that backup made")
    restore.set_defaults(run=_restore)


def protect_id(word: str) -> str:
    """The word so that it is taken for no option, if it is an id; `_read_id` reads it."""
    return f" {word}" if _LIKE_OPTION.fullmatch(word) else word


def _read_id(word: str) -> str:
    """The id of a match, of itself or of an address."""
    return _ADDRESS.sub(r"\1", word.strip())


# --- export ---------------------------------------------------------------------------------------


def _export(arguments: argparse.Namespace) -> int:
    file = Path(arguments.output)
    ids = [_read_id(id) for id in arguments.ids]
    _check_export(arguments, file)
    with open_matches(find_instance()) as matches:
        wanted = matches.store.list_ids() if arguments.all else ids
        opened = {id: _open(matches, id) for id in ids}
        if file.suffix == ".json":
            document = archives.write_match(matches, opened[ids[0]])
            with _written(file) as out:
                out.write(archives.format_json(document))
            return 0
        with _written(file) as out, ShownProgress("exporting") as progress:
            if file.suffix == ".csv":
                return _tell_left_out(_write_table(matches, wanted, out, progress))
            print_sheet = _make_printer(arguments) if arguments.sheets else None
            left_out = archives.write_archive(matches, None, wanted, out, progress, print_sheet)
        return _tell_left_out(left_out)


def _check_export(arguments: argparse.Namespace, file: Path) -> None:
    many = len(arguments.ids)
    for wrong, why in (
        (bool(many) == arguments.all, "ID: required, or --all in place of them"),
        (file.suffix not in ENDINGS, f"-o: must end in {', '.join(ENDINGS)}, not {file.name}"),
        (
            file.suffix == ".json" and many != 1,
            "-o: must end in .zip or .csv for more than one match; .json holds one",
        ),
        (arguments.sheets and file.suffix != ".zip", "--sheets: must be left out unless -o ends in .zip"),
    ):
        if wrong:
            raise Refused(why)


def _open(matches: Matches, id: str) -> Match:
    try:
        return matches.open(id)
    except NoSuchMatch:
        raise Refused(f"{id}: no match has this id") from None


def _write_table(
    matches: Matches, ids: Sequence[str], out: IO[bytes], progress: archives.Progress
) -> list[str]:
    """Write a table of matches; the ids of those that cannot be read."""
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
    from companion import i18n, sheets

    if arguments.lang not in i18n.LANGUAGES:
        raise Refused(f"--lang: must be one of {', '.join(i18n.LANGUAGES)}, not {arguments.lang}")

    def print_sheet(match: Match) -> bytes:
        page = sheets.compose_page("match", match.game, match.to_record(), language=arguments.lang)
        try:
            return sheets.print_sheets([page], paper=arguments.paper, language=arguments.lang)
        except sheets.CannotPrint as fault:
            raise Refused(str(fault)) from None

    return print_sheet


def _tell_left_out(ids: Sequence[str]) -> int:
    for id in ids:
        print(f"error: {id}: this version cannot read this match, so it was left out", file=sys.stderr)
    return BAD_INPUT if ids else 0


@contextmanager
def _written(file: Path) -> Iterator[IO[bytes]]:
    """A file that takes its name when all of it is there. :raises Refused: when it cannot be written."""
    half = file.with_name(f"{file.name}.part")
    try:
        with half.open("wb") as out:
            yield out
        os.replace(half, file)
    except OSError as fault:
        raise Refused(f"{file}: {(fault.strerror or 'cannot be written').lower()}") from None
    finally:
        half.unlink(missing_ok=True)


# --- import ---------------------------------------------------------------------------------------


def _import(arguments: argparse.Namespace) -> int:
    for name in arguments.files:
        if not Path(name).is_file():
            raise Refused(f"{name}: no such file")
    with open_matches(find_instance()) as matches:
        owner = _find_owner(matches, arguments.owner)
        refused, taken = 0, 0
        for name in arguments.files:
            with ShownProgress(f"looking through {name}") as progress:
                found = archives.look_through(matches, owner, Path(name), name, progress)
            if arguments.look:
                done = [archives.Taken(one, one.plan, one.id, one.problem) for one in found]
            else:
                with ShownProgress(f"taking {name}") as progress:
                    done = archives.take(matches, owner, found, progress)
            for one in done:
                _tell_taken(name, one, _WOULD if arguments.look else _BECAME)
            refused += sum(one.plan == "refused" for one in done)
            taken += sum(one.plan in ("new", "continued", "copy") for one in done)
        if taken and not arguments.look:
            _tell_words(matches, owner, bool(arguments.owner) and arguments.owner != "new")
        return BAD_INPUT if refused else 0


def _find_owner(matches: Matches, wanted: str | None) -> str:
    """Whose the matches become; nobody's token is ever said."""
    if wanted is None:
        token, *former = matches.ids.make("command line", "owner")
        return next((one for one in former if matches.moves.has_anything(one)), token)
    if wanted == "new":
        return secrets.token_urlsafe(16)
    return _open(matches, _read_id(wanted)).owner


_BECAME = {
    "new": "taken",
    "continued": "continued",
    "skipped": "here already, skipped",
    "copy": "kept as a copy beside the match of that id",
}
_WOULD = {
    "new": "new",
    "continued": "longer than the one that is here",
    "skipped": "here already",
    "copy": "would be kept as a copy beside the match of that id",
}


def _tell_taken(name: str, one: archives.Taken, words: Mapping[str, str]) -> None:
    found = one.found
    where = name if found.name in ("", name, Path(name).name) else f"{name}: {found.name}"
    if one.problem is not None or one.plan == "refused":
        print(f"error: {where}: {one.problem}", file=sys.stderr)
        return
    what = (
        f"{found.title}, {', '.join(found.players)}, {found.deals} deals" if found.game else "a saved ruling"
    )
    flagged = f", {found.flagged} entries contradict the rules" if found.flagged else ""
    print(f"{where}: {what}{flagged}: {words[one.plan]} ({one.id})")


def _tell_words(matches: Matches, owner: str, has_phone: bool) -> None:
    """Say how a phone gets them: by words that make it their owner."""
    if has_phone:
        return
    since = matches.moves.words_since(owner)
    if since is not None:
        print(f"They are with those of before: the words that were shown on {since[:10]} still hold.")
        return
    words = " ".join(matches.moves.make_words(owner))
    print("No phone has these matches yet. The one on which these words are typed, under")
    print("“Move to another phone”, has them from then on; they are shown only now:")
    print(f"  {words}")


# --- backup and restore ---------------------------------------------------------------------------


def _back_up(arguments: argparse.Namespace) -> int:
    instance, file = find_instance(), Path(arguments.output)
    if instance.is_postgres:
        raise Refused(_say_postgres(instance, f"pg_dump --format=custom --file={shlex.quote(str(file))}"))
    key = None
    if not arguments.without_key and not os.environ.get("COMPANION_SECRET_KEY"):
        key = instance.key_file.read_text(encoding="ascii") if instance.key_file.is_file() else None
    with ShownProgress("copying") as progress:
        counted = archives.back_up(instance.database, file, key, progress)
    print(
        f"{file}: {counted.matches} matches, {counted.events} events, {counted.rulings} rulings; looked over."
    )
    if key is not None:
        print("The key by which browsers are known is in it: keep it where nobody else can read it.")
    else:
        print("The key by which browsers are known is not in it: keep a copy of that too.")
    return 0


def _say_postgres(instance: Instance, command: str) -> str:
    """The command of PostgreSQL's own that does it; it asks for the password, which nobody is told."""
    from sqlalchemy import make_url

    address = make_url(str(instance.address))._replace(drivername="postgresql", password=None)
    told = f"{command} --dbname={shlex.quote(address.render_as_string())}"
    return (
        "COMPANION_DATABASE: the matches are in PostgreSQL, whose own program does this while it serves:"
        f" {told} (it asks for the password); keep {instance.key_file} as well"
    )


def _restore(arguments: argparse.Namespace) -> int:
    instance, file = find_instance(), Path(arguments.file)
    if instance.is_postgres:
        if not archives.is_file_backup(file):
            raise Refused(_say_postgres(instance, f"pg_restore {shlex.quote(str(file))}"))
        return _transfer(instance, file)
    counted, key = archives.look_into(file)
    database = instance.database
    there = archives.count_there(database)
    if not there.is_empty:
        raise Refused(
            f"{database}: must be empty, and holds {there.matches} matches;"
            " name the folder of a new instance with COMPANION_INSTANCE"
        )
    instance.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with archives.unpacked(file, database) as half:
        verified = _verify(half)
        archives.put_in_place(half, database)
    print(
        f"{database}: {counted.matches} matches, {counted.events} events, {counted.rulings} rulings restored."
    )
    _restore_key(instance, key)
    return _tell_verified(verified)


def _transfer(instance: Instance, file: Path) -> int:
    """Put a copy of a file into PostgreSQL."""
    _counted, key = archives.look_into(file)
    with (
        tempfile.TemporaryDirectory(prefix="companion-") as aside,
        archives.unpacked(file, Path(aside) / "companion.sqlite") as half,
    ):
        _verify(half)  # brings it up to date, too
        with open_matches(instance) as matches:
            with ShownProgress("writing") as progress:
                counted = archives.transfer(half, progress)
            with ShownProgress("folding") as progress:
                verified = archives.verify(matches, progress)
    print(f"{counted.matches} matches, {counted.events} events, {counted.rulings} rulings are in PostgreSQL.")
    _restore_key(instance, key)
    return _tell_verified(verified)


def _tell_verified(verified: archives.Verified) -> int:
    print(f"{verified.matches} matches folded, {verified.compared} compared with the totals last shown.")
    for id in verified.unreadable:
        print(f"error: {id}: this version cannot read this match", file=sys.stderr)
    for id in verified.different:
        print(f"error: {id}: comes to other totals than were last shown", file=sys.stderr)
    return 0 if verified.is_true else BAD_INPUT


def _verify(half: Path) -> archives.Verified:
    """Bring a restored database up to date, and fold every match in it."""
    with tempfile.TemporaryDirectory(prefix="companion-") as aside:
        settings = {
            "DATABASE": f"sqlite:///{half}",
            "INSTANCE": aside,
            "SECRET_KEY": secrets.token_hex(32),
        }
        with (
            open_matches(Instance(Path(aside), None), settings) as matches,
            ShownProgress("folding") as progress,
        ):
            return archives.verify(matches, progress)


def _restore_key(instance: Instance, key: str | None) -> None:
    """Put the key back, by which browsers are known; those of an empty instance have nothing to lose."""
    if os.environ.get("COMPANION_SECRET_KEY"):
        print("Browsers are known by COMPANION_SECRET_KEY: it must be that of the instance that was copied.")
    elif key is None:
        print(f"The copy holds no key: put that of the instance that was copied into {instance.key_file},")
        print("or browsers are not recognised.")
    else:
        half = instance.key_file.with_name("secret-key.restoring")
        half.unlink(missing_ok=True)
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(key)
        os.replace(half, instance.key_file)
