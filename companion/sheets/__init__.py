"""Sheets of paper: the match as it was played, and the empty page to pencil one on.

Pages are plain models made from a record and its state; `html` writes them by the templates in
`templates/sheets`, `pdf` prints what was written. The same page is shown in the browser and printed.
"""

from collections.abc import Callable, Mapping, Sequence

from companion.i18n import translator
from companion.record.record import Record
from companion.rules.game import PlayedGame

from . import blank, card, html, match, pdf, session
from .common import Correction, RulingNote
from .pdf import CannotPrint

__all__ = [
    "PAPERS",
    "WRITINGS",
    "CannotPrint",
    "Correction",
    "RulingNote",
    "compose_page",
    "print_sheet",
]

WRITINGS: Mapping[str, tuple[Callable[..., html.Page], Callable[..., html.Page]]] = {
    "tally": (match.compose_match, blank.compose_blank),
    "table": (match.compose_match, blank.compose_blank),
    "matchsticks": (session.compose_session, session.compose_blank_session),
}
"""How a score can be pencilled: in strokes, as running totals, or as a matchstick for every loss. What writes
the sheet of a match, and the empty one."""
PAPERS = tuple(html.PAPERS)
"""The sizes of paper there are."""


def compose_page(
    kind: str,
    game: PlayedGame,
    record: Record | None = None,
    *,
    language: str = "en",
    address: str = "",
    corrections: Sequence[Correction] = (),
    rulings: Sequence[RulingNote] = (),
    writing: str | None = None,
) -> html.Page:
    """The sheet of a match, an empty one of its game, or the table card of its rules, in a language.

    `kind` is ``match``, ``blank`` or ``rules``; without a record a match's sheet is an empty one. `address`
    is where the match can be looked at, if anywhere; `corrections` what was changed afterwards; `rulings` the
    disputes that were settled; `writing`, one of `WRITINGS`, how the score is pencilled if not as is usual
    in the game.
    """
    if kind == "rules":
        return card.compose_card(game, translator(language), language)
    usual, translate = game.book.writing, translator(language)
    compose, compose_empty = WRITINGS[usual]
    chosen = writing if writing and WRITINGS[writing] == WRITINGS[usual] else usual
    if kind == "blank" or record is None:
        return compose_empty(game, translate, language, chosen)
    return compose(
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
    game: PlayedGame,
    record: Record | None = None,
    *,
    paper: str = "a4",
    language: str = "en",
    address: str = "",
    writing: str | None = None,
) -> bytes:
    """The PDF of a sheet, printed here and now on one of `PAPERS`; the rest as for `compose_page`.

    :raises KeyError: when there is no such paper.
    :raises CannotPrint: where a library of the system is missing.
    """
    page = compose_page(kind, game, record, language=language, address=address, writing=writing)
    return pdf.render_pdf(html.write_document(page, language, paper), paper)
