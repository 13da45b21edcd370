"""The command line: `companion score | rule | sheet | games | serve | export | import | backup | restore`.

Every command reads files or standard input (`-`). Bad input ends with code 2 and one line on standard
error that begins `error:` and names the place and, where one applies, the rule.

People are spoken to in the language of `--lang`, else of the environment. What scripts look for is the same
in each: `error:`, ids of rules, names of places, and all JSON, which is English.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from companion import i18n, library
from companion.record.chain import RecordChain, list_in_order
from companion.record.record import Record, read_record
from companion.rules.errors import Explained, Unreadable, explain_system
from companion.rules.message import Message
from companion.store import StoreUnavailable
from companion.store.sharding import list_statements

from . import archives, backups
from .games import describe_game, list_game_lines
from .language import OWN_LANGUAGE, choose_language, refuse_language, render, speak, spoken, take_language
from .language import say as _
from .reading import Refused, answer_lines, print_json, read_document, refuse
from .rule import list_ruling_lines
from .score import Scorer, describe_problem, first_problem, list_score_lines, show_folded

__all__ = ["Scorer", "main"]

BAD_INPUT = 2
_PORTS = {"least": 1, "most": 65535}
_UNAVAILABLE = {
    "away": Message("the database does not answer ({told}); try again later"),
    "busy": Message("the database is busy ({told}); try again later"),
    "full": Message("the disk of the database is full ({told}); make room"),
}


class Parser(argparse.ArgumentParser):
    """A parser that reports wrong arguments as one line, like every other error."""

    def error(self, message: str) -> NoReturn:
        """Report wrong arguments. :raises Refused: always."""
        raise Refused(Message("{problem} (see {command} --help)", problem=message, command=self.prog))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, of `argv` or of the command line.

    :returns: the exit code: 0; 2 for input that cannot be used or a record with problems; 1 when whoever
        reads the output stops reading.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    words = [archives.protect_id(word) for word in (sys.argv[1:] if argv is None else argv)]
    try:
        speak(choose_language(words, os.environ))
        arguments = _parser().parse_args(words)
        return int(arguments.run(arguments))
    except (Explained, Unreadable) as refusal:
        return _tell(render(refusal.sentence))
    except library.GameFileError as fault:
        return _tell(str(fault))  # for whoever writes the file, in the language of its keys
    except StoreUnavailable as fault:
        return _tell(render(Message(_UNAVAILABLE[fault.reason].template, told=fault.told)))
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _tell(problem: str) -> int:
    """Say what is wrong; the exit code."""
    print(f"error: {problem}", file=sys.stderr)
    return BAD_INPUT


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="companion", description=_("Keep score at the table, settle the argument, print the sheet.")
    )
    commands = parser.add_subparsers(
        title=_("commands"), required=True, metavar="COMMAND", parser_class=Parser
    )

    score = commands.add_parser("score", help=_("show the scores of match records"))
    score.add_argument("files", nargs="*", metavar="FILE", help=_("match record (- for standard input)"))
    score.add_argument("--json", action="store_true", help=_("print one JSON object per record"))
    score.add_argument(
        "--lines", action="store_true", help=_("read one record per line, print one JSON object per line")
    )
    score.set_defaults(run=_score)

    rule = commands.add_parser("rule", help=_("answer a ruling request"))
    rule.add_argument("file", nargs="?", metavar="FILE", help=_("ruling request (- for standard input)"))
    rule.add_argument("--json", action="store_true", help=_("print the ruling as JSON"))
    rule.add_argument(
        "--lines", action="store_true", help=_("read one request per line, print one JSON object per line")
    )
    rule.set_defaults(run=_rule)

    sheet = commands.add_parser("sheet", help=_("write match sheets, a blank sheet or a rules card as PDF"))
    sheet.add_argument("files", nargs="*", metavar="FILE", help=_("match record (- for standard input)"))
    sheet.add_argument("-o", "--output", required=True, metavar="OUT.pdf", help=_("file to write"))
    sheet.add_argument(
        "--kind",
        choices=("match", "evening", "blank", "rules"),
        default="match",
        help=_("default: match, a sheet for every record; evening, one for all of them"),
    )
    sheet.add_argument("--paper", choices=("a4", "a5", "letter"), default="a4", help=_("default: a4"))
    sheet.add_argument("--lang", help=_("language of the sheet, such as pl (default: the one spoken here)"))
    sheet.add_argument(
        "--tally", action="store_true", help=_("write the score in tally strokes, whatever the game")
    )
    sheet.add_argument("--game", help=_("game of a blank sheet or a rules card without a record"))
    sheet.add_argument("--preset", help=_("preset of --game"))
    sheet.add_argument(
        "--players", type=_read_whole, help=_("number of players of --game, where it is not fixed")
    )
    sheet.set_defaults(run=_sheet)

    games = commands.add_parser("games", help=_("list games, presets and conventions"))
    games.add_argument("--json", action="store_true", help=_("print them as JSON"))
    games.add_argument(
        "--flat", metavar="GAME", help=_("one game’s whole file, and where each of its values comes from")
    )
    games.set_defaults(run=_games)

    serve = commands.add_parser("serve", help=_("serve the app on this machine"))
    serve.add_argument(
        "--host", default="0.0.0.0", help=_("address to listen on (default: all of this machine’s)")
    )
    serve.add_argument("--port", type=_read_whole, default=5000, help=_("port to listen on (default: 5000)"))
    serve.add_argument(
        "--metrics-port",
        type=_read_whole,
        help=_("port for Prometheus to ask for figures on (default: none)"),
    )
    serve.set_defaults(run=_serve)
    archives.add_commands(commands)
    backups.add_commands(commands)
    shard = commands.add_parser("shard", help=_("print what spreads a PostgreSQL database over machines"))
    shard.set_defaults(run=_shard)
    for one in (parser, *(choice for name, choice in commands.choices.items() if name not in OWN_LANGUAGE)):
        one.add_argument(
            "--lang",
            metavar="LANG",
            type=take_language,
            dest="spoken",
            default=argparse.SUPPRESS,
            help=_("language to speak: {languages} (default: that of the environment)").format(
                languages=", ".join(i18n.LANGUAGES)
            ),
        )
    return parser


def _read_whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        told = Message("must be a whole number, not {value}", value=text)
        raise argparse.ArgumentTypeError(render(told)) from None


# --- score -----------------------------------------------------------------------------------------


def _score(arguments: argparse.Namespace) -> int:
    if arguments.lines:
        scorer = Scorer()

        def answer(document: Any) -> dict[str, Any]:
            shown = scorer.score(document)
            return shown | ({"error": first_problem(shown)} if shown["problems"] else {})

        return answer_lines(answer)
    if not arguments.files:
        raise refuse("FILE", Message("required; a match record (- for standard input)"))
    documents = [read_document(name) for name in arguments.files]
    chain, code = Scorer(documents).chain, 0
    for document in documents:
        folded = chain.fold(document)
        if arguments.json:
            print_json(show_folded(folded))
        else:
            print("\n".join(list_score_lines(folded)))
        if folded.state.problems:
            code = _tell(describe_problem(folded.state.problems[0]))
    return code


# --- rule -----------------------------------------------------------------------------------------


def _rule(arguments: argparse.Namespace) -> int:
    if arguments.lines:
        return answer_lines(lambda request: library.rule(request).plain())
    if not arguments.file:
        raise refuse("FILE", Message("required; a ruling request (- for standard input)"))
    game, asked = library.open_request(read_document(arguments.file))
    ruling = game.family.rule(asked)
    if arguments.json:
        print_json(ruling.plain())
    else:
        print("\n".join(list_ruling_lines(game, asked, ruling)))
    return 0


# --- sheet ----------------------------------------------------------------------------------------


def _sheet(arguments: argparse.Namespace) -> int:
    from companion import sheets

    kind, language, files = arguments.kind, arguments.lang or spoken(), arguments.files
    if language not in i18n.LANGUAGES:
        raise refuse_language(language)
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
    pdf = sheets.print_sheets(pages, paper=arguments.paper, language=language)
    try:
        Path(arguments.output).write_bytes(pdf)
    except OSError as fault:
        raise refuse(arguments.output, explain_system(fault)) from None
    return 0


def _check_sheet_arguments(arguments: argparse.Namespace) -> None:
    """Refuse what would change nothing in the sheets that are asked for, and too little to make any."""
    kind, named, records = arguments.kind, arguments.game, len(arguments.files)
    needs_record = kind in ("match", "evening")
    for wrong, place, why in (
        (
            not records and not named,
            "FILE",
            Message("required, unless --kind is blank or rules and --game is given"),
        ),
        (
            named and (records or needs_record),
            "--game",
            Message("must be left out beside records, which name theirs"),
        ),
        (
            not named and (arguments.preset or arguments.players),
            "--preset, --players",
            Message("useless without --game"),
        ),
        (
            records > 1 and not needs_record,
            "FILE",
            Message("must be one record with --kind {kind}, not {count}", kind=kind, count=records),
        ),
        (
            arguments.tally and kind in ("evening", "rules"),
            "--tally",
            Message("must be left out with --kind {kind}", kind=kind),
        ),
    ):
        if wrong:
            raise refuse(place, why)


# --- games ----------------------------------------------------------------------------------------


def _games(arguments: argparse.Namespace) -> int:
    if arguments.flat is not None:
        print(library.flat(arguments.flat), end="")
        return 0
    shelf = [describe_game(name) for name in library.names()]
    if arguments.json:
        print_json(shelf)
    else:
        print("\n".join(line for game in shelf for line in list_game_lines(game)))
    return 0


# --- serve ----------------------------------------------------------------------------------------


def _serve(arguments: argparse.Namespace) -> int:
    if not 1 <= arguments.port <= 65535:
        told = Message(
            "must be a whole number from {least} to {most}, not {value}", **_PORTS, value=arguments.port
        )
        raise refuse("--port", told)
    from companion.operate.server import serve

    return int(serve(arguments.host, arguments.port, arguments.metrics_port, render) or 0)


# --- shard ----------------------------------------------------------------------------------------


def _shard(_arguments: argparse.Namespace) -> int:
    for statement in list_statements():
        print(f"{statement};")
    return 0
