"""Sheets of paper: the match as it was played, and the empty page to pencil one on.

Pages are plain models made from a record and its state; `html` writes them by the templates in
`templates/sheets`, `pdf` prints what was written. The same page is shown in the browser and printed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.i18n import translator

from . import blank, card, html, match, pdf, session
from .common import Correction, Noted
from .pdf import CannotPrint

__all__ = ["KINDS", "PAPERS", "WRITINGS", "CannotPrint", "Correction", "Noted", "page", "print_sheet"]

KINDS = ("match", "blank", "rules")
"""The sheets there are."""
WRITINGS: Mapping[str, tuple[Callable[..., html.Page], Callable[..., html.Page]]] = {
    "tally": (match.page, blank.page),
    "table": (match.page, blank.page),
    "matches": (session.page, session.blank),
}
"""How a score can be pencilled: in strokes, as running totals, or as a matchstick for every loss. What writes
the sheet of a match, and the empty one."""
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
    rulings: Sequence[Noted] = (),
    writing: str | None = None,
) -> html.Page:
    """The sheet of a match, an empty one of its game, or the table card of its rules, in a language.

    `address` is where the match can be looked at, if anywhere; `corrections` what was changed afterwards;
    `rulings` the disputes that were settled; `writing` how the score is pencilled where that is not as the
    game usually is.
    """
    if kind == "rules":
        return card.page(game, translator(language), language)
    usual, translate = game.book.writing, translator(language)
    written, empty = WRITINGS[usual]
    chosen = writing if writing and WRITINGS[writing] == WRITINGS[usual] else usual
    if kind == "blank" or record is None:
        return empty(game, translate, language, chosen)
    return written(
        record,
        game,
        translate,
        language,
        address=address,
        corrections=corrections,
        rulings=rulings,
        writing=chosen,
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
