"""Sheets of paper: the match as it was played, and the empty page to pencil one on.

Pages are plain models made from a record and its state; `html` writes them by the templates in
`templates/sheets`, `pdf` prints what was written. The same page is shown in the browser and printed.
"""

from collections.abc import Sequence
from typing import Any

from companion.i18n import translator

from . import blank, html, match, pdf
from .match import Correction
from .pdf import CannotPrint

__all__ = ["KINDS", "PAPERS", "WRITINGS", "CannotPrint", "Correction", "page", "print_sheet"]

KINDS = ("match", "blank")
"""The sheets there are."""
WRITINGS = ("tally", "table")
"""How a score can be pencilled: in strokes, or as running totals."""
PAPERS = tuple(html.PAPERS)
"""The sizes of paper there are."""


def page(
    kind: str,
    game: Any,
    record: Any = None,
    *,
    language: str = "en",
    address: str = "",
    corrections: Sequence[Correction] = (),
    writing: str | None = None,
) -> html.Page:
    """The sheet of a match, or an empty one of its game, in a language.

    `address` is where the match can be looked at, if anywhere; `corrections` what was changed afterwards;
    `writing` how the score is pencilled where that is not as the game usually is.
    """
    translate, writing = translator(language), writing or game.book.writing
    if kind == "blank" or record is None:
        return blank.page(game, translate, language, writing)
    return match.page(
        record, game, translate, language, address=address, corrections=corrections, writing=writing
    )


def print_sheet(
    kind: str,
    game: Any,
    record: Any = None,
    *,
    paper: str = "a4",
    language: str = "en",
    address: str = "",
    writing: str | None = None,
) -> bytes:
    """The PDF of a sheet, printed here and now.

    :raises CannotPrint: where a library of the system is missing.
    """
    made = page(kind, game, record, language=language, address=address, writing=writing)
    return pdf.render(html.document(made, language, paper), paper)
