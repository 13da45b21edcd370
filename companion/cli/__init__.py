"""The command line: `companion score | rule | sheet | games | serve | export | import | backup | restore`.

Every command reads files or standard input (`-`). Bad input ends with code 2 and one line on standard
error that begins `error:` and names the place and, where one applies, the rule.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from companion import library
from companion.archives import NoBackup
from companion.record.chain import RecordChain, list_in_order
from companion.record.record import Record, read_record
from companion.rules.errors import Unreadable
from companion.rules.rulebook import json_word
from companion.store import CannotStart, StoreUnavailable
from companion.store.sharding import list_statements

from . import archives
from .reading import Refused, answer_lines, print_json, read_document
from .score import Scorer, first_problem, list_score_lines

__all__ = ["Scorer", "main"]

BAD_INPUT = 2


class Parser(argparse.ArgumentParser):
    """A parser that reports wrong arguments as one line, like every other error."""

    def error(self, message: str) -> NoReturn:
        """Report wrong arguments. :raises Refused: always."""
        raise Refused(f"{message} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, of `argv` or of the command line.

    :returns: the exit code: 0; 2 for input that cannot be used or a record with problems; 1 when whoever
        reads the output stops reading.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        words = sys.argv[1:] if argv is None else argv
        arguments = _parser().parse_args([archives.protect_id(word) for word in words])
        return int(arguments.run(arguments))
    except (Refused, Unreadable, library.GameFileError, CannotStart, NoBackup, StoreUnavailable) as refusal:
        print(f"error: {refusal}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="companion", description="Keep score at the table, settle the argument, print the sheet."
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND", parser_class=Parser)

    score = commands.add_parser("score", help="show the scores of match records")
    score.add_argument("files", nargs="*", metavar="FILE", help="match record (- for standard input)")
    score.add_argument("--json", action="store_true", help="print one JSON object per record")
    score.add_argument(
        "--lines", action="store_true", help="read one record per line, print one JSON object per line"
    )
    score.set_defaults(run=_score)

    rule = commands.add_parser("rule", help="answer a ruling request")
    rule.add_argument("file", nargs="?", metavar="FILE", help="ruling request (- for standard input)")
    rule.add_argument("--json", action="store_true", help="print the ruling as JSON")
    rule.add_argument(
        "--lines", action="store_true", help="read one request per line, print one JSON object per line"
    )
    rule.set_defaults(run=_rule)

    sheet = commands.add_parser("sheet", help="write match sheets, a blank sheet or a rules card as PDF")
    sheet.add_argument("files", nargs="*", metavar="FILE", help="match record (- for standard input)")
    sheet.add_argument("-o", "--output", required=True, metavar="OUT.pdf", help="file to write")
    sheet.add_argument(
        "--kind",
        choices=("match", "evening", "blank", "rules"),
        default="match",
        help="default: match, a sheet for every record; evening, one for all of them",
    )
    sheet.add_argument("--paper", choices=("a4", "a5", "letter"), default="a4", help="default: a4")
    sheet.add_argument("--lang", default="en", help="language of the sheet, such as pl (default: en)")
    sheet.add_argument(
        "--tally", action="store_true", help="write the score in tally strokes, whatever the game"
    )
    sheet.add_argument("--game", help="game of a blank sheet or a rules card without a record")
    sheet.add_argument("--preset", help="preset of --game")
    sheet.add_argument("--players", type=int, help="number of players of --game, where it is not fixed")
    sheet.set_defaults(run=_sheet)

    games = commands.add_parser("games", help="list games, presets and conventions")
    games.add_argument("--json", action="store_true")
    games.add_argument(
        "--flat", metavar="GAME", help="one game’s whole file, and where each of its values comes from"
    )
    games.set_defaults(run=_games)

    serve = commands.add_parser("serve", help="serve the app on this machine")
    serve.add_argument(
        "--host", default="0.0.0.0", help="address to listen on (default: all of this machine's)"
    )
    serve.add_argument("--port", type=int, default=5000, help="port to listen on (default: 5000)")
    serve.add_argument(
        "--metrics-port", type=int, help="port for Prometheus to ask for figures on (default: none)"
    )
    serve.set_defaults(run=_serve)
    archives.add_commands(commands)
    shard = commands.add_parser("shard", help="print what spreads a PostgreSQL database over machines")
    shard.set_defaults(run=_shard)
    return parser


# --- score -----------------------------------------------------------------------------------------


def _score(arguments: argparse.Namespace) -> int:
    if arguments.lines:
        scorer = Scorer()

        def answer(document: Any) -> dict[str, Any]:
            shown = scorer.score(document)
            return shown | ({"error": first_problem(shown)} if shown["problems"] else {})

        return answer_lines(answer)
    if not arguments.files:
        raise Refused("FILE: required; a match record, or - for standard input")
    documents = [read_document(name) for name in arguments.files]
    scorer, code = Scorer(documents), 0
    for document in documents:
        shown = scorer.score(document)
        if arguments.json:
            print_json(shown)
        else:
            print("\n".join(list_score_lines(shown)))
        if shown["problems"]:
            print(f"error: {first_problem(shown)}", file=sys.stderr)
            code = BAD_INPUT
    return code


# --- rule -----------------------------------------------------------------------------------------


def _rule(arguments: argparse.Namespace) -> int:
    if arguments.lines:
        return answer_lines(lambda request: library.rule(request).plain())
    if not arguments.file:
        raise Refused("FILE: required; a ruling request, or - for standard input")
    ruling = library.rule(read_document(arguments.file))
    if arguments.json:
        print_json(ruling.plain())
        return 0
    print(f"{ruling.question}: {ruling.verdict}")
    print(ruling.why)
    for name, value in ruling.plain()["answer"].items():
        print(f"  {name}: {json.dumps(value, ensure_ascii=False)}")
    for rule in ruling.rules:
        print(f"  [{rule.id}] {rule.text}")
    return 0


# --- sheet ----------------------------------------------------------------------------------------


def _sheet(arguments: argparse.Namespace) -> int:
    from companion import i18n, sheets

    kind, language, files = arguments.kind, arguments.lang, arguments.files
    if language not in i18n.LANGUAGES:
        raise Refused(f"--lang: must be one of {', '.join(i18n.LANGUAGES)}, not {language}")
    _check_sheet_arguments(arguments)
    shown: list[tuple[library.Game, Record | None]]
    if arguments.game:
        shown = [(library.open_game(arguments.game, arguments.preset, players=arguments.players), None)]
    elif kind in ("blank", "rules"):
        shown = [(read_record(read_document(files[0]), library.open_game)[1], None)]
    else:
        documents = [read_document(name) for name in files]
        chain = RecordChain(library.open_game, documents)
        folded = [chain.fold(document) for document in documents]
        shown = [(one.game, one.record) for one in folded]
    if kind == "evening":
        pages = [sheets.compose_evening_page(list_in_order(folded), language=language)]
    else:
        writing = "tally" if arguments.tally else None
        pages = [
            sheets.compose_page(
                kind, *one, language=language, writing=writing, words=library.glossary(one[0].book.game)
            )
            for one in shown
        ]
    try:
        pdf = sheets.print_sheets(pages, paper=arguments.paper, language=language)
    except sheets.CannotPrint as fault:
        raise Refused(str(fault)) from None
    try:
        Path(arguments.output).write_bytes(pdf)
    except OSError as fault:
        raise Refused(f"{arguments.output}: {(fault.strerror or 'cannot be written').lower()}") from None
    return 0


def _check_sheet_arguments(arguments: argparse.Namespace) -> None:
    """Refuse what would change nothing in the sheets that are asked for, and too little to make any."""
    kind, named, records = arguments.kind, arguments.game, len(arguments.files)
    needs_record = kind in ("match", "evening")
    for wrong, why in (
        (not records and not named, "FILE: required, unless --kind is blank or rules and --game is given"),
        (named and (records or needs_record), "--game: must be left out beside records, which name theirs"),
        (not named and (arguments.preset or arguments.players), "--preset and --players: need --game"),
        (records > 1 and not needs_record, f"FILE: must be one record with --kind {kind}, not {records}"),
        (arguments.tally and kind in ("evening", "rules"), f"--tally: must be left out with --kind {kind}"),
    ):
        if wrong:
            raise Refused(why)


# --- games ----------------------------------------------------------------------------------------


def _shard(_arguments: argparse.Namespace) -> int:
    for statement in list_statements():
        print(f"{statement};")
    return 0


def _games(arguments: argparse.Namespace) -> int:
    if arguments.flat is not None:
        print(library.flat(arguments.flat), end="")
        return 0
    shelf = [_describe_game(name) for name in library.names()]
    if arguments.json:
        print_json(shelf)
        return 0
    for game in shelf:
        print(f"{game['game']}: {game['title']}. {game['summary']}")
        for preset in game["presets"]:
            print(f"  preset {preset['name']}: {preset['text']}")
        for convention in game["conventions"]:
            values = " | ".join(_value(convention, value) for value in convention["values"])
            values = values or ("a text" if isinstance(convention["default"], str) else "a number")
            usual = [json.dumps(convention["default"])]
            usual += [f"{json.dumps(v)} ({when})" for when, v in convention.get("default_when", {}).items()]
            print(f"  {convention['name']} ({convention['rule']}): {values}, usually {', '.join(usual)}")
    return 0


def _value(convention: Mapping[str, Any], value: Any) -> str:
    """A value of a convention, with the numbers of players that it is for, if not for all."""
    shown = json.dumps(value)
    for_ = convention.get("players", {}).get(json_word(value))
    return f"{shown} ({' or '.join(map(str, for_))} players)" if for_ else shown


def _describe_game(name: str) -> dict[str, Any]:
    book = library.shelf(name)
    return {
        "game": name,
        "title": book.title,
        "summary": book.summary,
        "version": book.version,
        "dated": book.dated,
        "presets": [
            {"name": one.name, "text": one.text, "conventions": book.resolve(one.name, {}, "")}
            for one in book.presets.values()
        ],
        "conventions": [
            {"name": one.name, "rule": one.rule, "default": one.default, "values": list(one.values)}
            | ({} if one.values else {"least": one.least, "most": one.most})
            | ({"players": {json_word(value): n for value, n in one.sizes.items()}} if one.sizes else {})
            | ({"default_when": dict(one.default_when)} if one.default_when else {})
            | ({"needs": dict(one.needs)} if one.needs else {})
            | ({"only_when": list(one.only_when)} if one.only_when else {})
            for one in book.conventions.values()
        ],
        "questions": list(library.open_game(name).family.questions),
    }


# --- serve ----------------------------------------------------------------------------------------


def _serve(arguments: argparse.Namespace) -> int:
    if not 1 <= arguments.port <= 65535:
        raise Refused(f"--port: must be a whole number from 1 to 65535, not {arguments.port}")
    from companion.serve import serve

    return int(serve(arguments.host, arguments.port, arguments.metrics_port) or 0)
