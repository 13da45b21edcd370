"""`companion sheet`: match sheets, an empty sheet, a rules card or a whole rulebook as PDF."""

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import i18n, library
from companion.library.examples import find_examples
from companion.record.record import Record, RecordChain, list_in_order, read_record
from companion.rules.errors import explain_system
from companion.rules.message import Message

from .language import read_whole, read_zone, refuse_language, render, spoken
from .language import say as _
from .reading import read_document, refuse

if TYPE_CHECKING:
    from companion.sheets import Unprintable


_WITHOUT_SCORE = ("blank", "rules", "rulebook")
"""The kinds that need no record."""


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    sheet = commands.add_parser(
        "sheet", help=_("write match sheets, a blank sheet, a rules card or a rulebook as PDF")
    )
    sheet.add_argument("files", nargs="*", metavar="FILE", help=_("match record (- for standard input)"))
    sheet.add_argument("-o", "--output", required=True, metavar="OUT.pdf", help=_("file to write"))
    sheet.add_argument(
        "--kind",
        choices=("match", "evening", "blank", "rules", "rulebook"),
        default="match",
        help=_("default: match, a sheet for every record; evening, one for all of them; rulebook, a booklet"),
    )
    sheet.add_argument("--paper", choices=("a4", "a5", "letter"), help=_("default: a4; of a rulebook: a5"))
    sheet.add_argument("--lang", help=_("language of the sheet, such as pl (default: the one spoken here)"))
    sheet.add_argument(
        "--timezone",
        type=read_zone,
        metavar="ZONE",
        help=_("time zone of its dates, such as Europe/Warsaw (default: the record’s)"),
    )
    sheet.add_argument(
        "--tally", action="store_true", help=_("write the score in tally strokes, whatever the game")
    )
    sheet.add_argument(
        "--negative-units", action="store_true", help=_("the same, with 18 as 20 less 2, and 19 as 20 less 1")
    )
    sheet.add_argument("--game", help=_("game of a blank sheet or of rules without a record"))
    sheet.add_argument("--preset", help=_("preset of --game"))
    sheet.add_argument(
        "--players", type=read_whole, help=_("number of players of --game, where it is not fixed")
    )
    sheet.set_defaults(run=_sheet)


def _sheet(arguments: argparse.Namespace) -> int:
    from companion import sheets

    kind, language, files = arguments.kind, arguments.lang or spoken(), arguments.files
    if language not in i18n.LANGUAGES:
        raise refuse_language(language)
    _check_sheet_arguments(arguments)
    zone = arguments.timezone.key if arguments.timezone else ""
    shown: list[tuple[library.Game, Record | None]]
    if arguments.game:
        shown = [(library.open_game(arguments.game, arguments.preset, players=arguments.players), None)]
    elif kind in _WITHOUT_SCORE:
        shown = [(read_record(read_document(files[0]), library.open_game)[1], None)]
    else:
        documents = [read_document(name) for name in files]
        chain = RecordChain(library.open_game, documents)
        folded = [chain.fold(document) for document in documents]
        shown = [(match.game, match.record) for match in folded]
    if kind == "evening":
        pages = [sheets.compose_evening_page(list_in_order(folded), language=language, zone=zone)]
    else:
        writing = "tally" if arguments.tally else None
        writing = "tally-negative" if arguments.negative_units else writing
        pages = [
            sheets.SheetOrder(
                kind,
                game,
                record,
                language=language,
                writing=writing,
                words=library.glossary(game.book.game),
                examples=find_examples(game) if kind == "rulebook" else (),
                zone=zone,
            ).compose_for_print()
            for game, record in shown
        ]
    report = partial(report_unprintable, arguments.output)
    paper = arguments.paper or ("a5" if kind == "rulebook" else "a4")
    pdf = sheets.print_sheets(pages, paper=paper, language=language, report=report)
    try:
        Path(arguments.output).write_bytes(pdf)
    except OSError as fault:
        raise refuse(arguments.output, explain_system(fault)) from None
    return 0


def report_unprintable(where: str, unprintable: "Unprintable") -> None:
    """Report on standard error what a sheet could not print as it was written."""
    print(f"{where}: {render(unprintable.describe())}", file=sys.stderr)


def _check_sheet_arguments(arguments: argparse.Namespace) -> None:
    """Refuse arguments without effect on the requested sheets, and too few to make any."""
    kind, named, records = arguments.kind, arguments.game, len(arguments.files)
    needs_record = kind not in _WITHOUT_SCORE
    if not records and not named:
        raise refuse(
            "FILE",
            Message(
                "required, unless --kind is {kinds} and --game is given", kinds=", ".join(_WITHOUT_SCORE)
            ),
        )
    if named and (records or needs_record):
        raise refuse("--game", Message("must be left out beside records, which name theirs"))
    if not named and (arguments.preset or arguments.players):
        raise refuse("--preset, --players", Message("useless without --game"))
    if records > 1 and not needs_record:
        one = Message("must be one record with --kind {kind}, not {count}", kind=kind, count=records)
        raise refuse("FILE", one)
    needless = Message("must be left out with --kind {kind}", kind=kind)
    if arguments.tally and kind not in ("match", "blank"):
        raise refuse("--tally", needless)
    if arguments.negative_units and kind != "match":
        raise refuse("--negative-units", needless)
    if arguments.timezone and not needs_record:
        raise refuse("--timezone", needless)
