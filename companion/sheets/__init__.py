"""Sheets of paper: the match as it was played, and the empty page to pencil one on.

Pages are plain models built from a record and its state; `html` writes them by the templates in
`templates/sheets`, `pdf` prints the result. The same page is shown in the browser and printed.
"""

from collections.abc import Callable, Sequence

from companion.figures import CountedMatch
from companion.record.record import FoldedRecord, OpenedT

from . import html, pdf
from .common import LOCAL as LOCAL
from .common import Correction, PlayedPart, RulingNote
from .evening import EveningWriter as EveningWriter
from .html import Page
from .lettering import Unprintable as Unprintable
from .pdf import CannotPrint
from .printer import EveningOrder as EveningOrder
from .printer import FiguresOrder as FiguresOrder
from .printer import SheetOrder, find_unprintable_of

PAPERS = tuple(html.PAPERS)
"""The supported sizes of paper."""


def compose_evening_page(
    played: Sequence[FoldedRecord[OpenedT]], *, language: str = "en", zone: str = ""
) -> Page:
    """Compose the sheet of an evening: its matches in this order, standings, payments, signatures.

    Players of one name are one player. Each of a side wins or pays what the side does; amounts of each
    currency are settled by themselves.
    """
    orders = [
        SheetOrder("match", folded.game, folded.record, language=language, zone=zone) for folded in played
    ]
    matches = [CountedMatch.of(folded) for folded in played]
    return EveningOrder(tuple(orders), tuple(matches), language=language, zone=zone).compose_for_print()


def print_sheets(
    pages: Sequence[Page],
    *,
    paper: str = "a4",
    language: str = "en",
    report: Callable[[Unprintable], None] | None = None,
) -> bytes:
    """Print sheets here and now to one PDF, each beginning on a page of its own, on one of `PAPERS`.

    `report` is called with the words that cannot be printed, if any.

    :raises KeyError: if there is no such paper.
    :raises CannotPrint: if a library of the system is missing.
    """
    document = html.write_document(pages[0], language, paper, *pages[1:])
    if report is not None and (unprintable := find_unprintable_of(pages, document)):
        report(unprintable)
    return pdf.render_pdf(document, paper)
