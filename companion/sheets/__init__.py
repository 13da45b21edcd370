"""Sheets of paper: the match as it was played, and the empty page to pencil one on.

Pages are plain models made from a record and its state; `html` writes them by the templates in
`templates/sheets`, `pdf` prints what was written. The same page is shown in the browser and printed.
"""

from collections.abc import Callable, Mapping, Sequence

from companion.i18n import translator
from companion.record.record import FoldedRecord, OpenedT, Record
from companion.rules.game import PlayedGame

from . import card, html, match, pdf, session
from .common import LOCAL as LOCAL
from .common import Correction, PlayedPart, RulingNote, WordList
from .evening import PlayedMatch, compose_evening
from .html import Page
from .match import MatchWriter
from .model import MatchPage, SessionPage
from .pdf import CannotPrint
from .session import SessionWriter
from .writer import Writer

WRITINGS: Mapping[str, tuple[type[Writer], Callable[..., html.Page]]] = {
    "tally": (MatchWriter, match.compose_blank),
    "table": (MatchWriter, match.compose_blank),
    "matchsticks": (SessionWriter, session.compose_blank_session),
}
"""How a score can be pencilled: in strokes, as running totals, or as a matchstick for every loss; and what
writes the sheet of a match, and the empty one."""
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
    played: PlayedPart | None = None,
    words: WordList | None = None,
    zone: str = "",
) -> html.Page:
    """The sheet of a match, an empty one of its game, or the table card of its rules, in a language.

    `kind` is ``match``, ``blank`` or ``rules``; without a record a match's sheet is an empty one. `address`
    is where the match can be looked at, if anywhere; `corrections` what was changed afterwards; `rulings` the
    disputes that were settled; `writing`, one of `WRITINGS`, how the score is pencilled if not as is usual
    in the game; `played` what the record comes to, where that is known, and how much of it is left out;
    `words` the glossary of the game, for its table card; `zone` the time zone of its times, if not that of
    the record: a name such as ``Europe/Warsaw``, or `LOCAL`.
    """
    if kind == "rules":
        return card.compose_card(game, translator(language), language, words)
    usual, translate = game.book.writing, translator(language)
    writer, compose_empty = WRITINGS[usual]
    chosen = writing if writing and WRITINGS[writing] == WRITINGS[usual] else usual
    if kind == "blank" or record is None:
        return compose_empty(game, translate, language, chosen)
    match = writer(record, game, translate, language, corrections, rulings, played, zone)
    return match.compose_page(address, chosen)


def compose_evening_page(
    played: Sequence[FoldedRecord[OpenedT]], *, language: str = "en", zone: str = ""
) -> Page:
    """The sheet of an evening, in a language: its matches in this order, standings, payments, signatures."""
    translate, matches = translator(language), []
    for folded in played:
        page = compose_page("match", folded.game, folded.record, language=language, zone=zone)
        assert isinstance(page, MatchPage | SessionPage)
        matches.append(PlayedMatch(folded.record, folded.state, page))
    return compose_evening(matches, translate, language)


def print_sheets(pages: Sequence[Page], *, paper: str = "a4", language: str = "en") -> bytes:
    """The PDF of sheets, each beginning on a page of its own, printed here and now on one of `PAPERS`.

    :raises KeyError: when there is no such paper.
    :raises CannotPrint: where a library of the system is missing.
    """
    return pdf.render_pdf(html.write_document(pages[0], language, paper, *pages[1:]), paper)


def print_sheet(
    kind: str,
    game: PlayedGame,
    record: Record | None = None,
    *,
    paper: str = "a4",
    language: str = "en",
    address: str = "",
    writing: str | None = None,
    words: WordList | None = None,
) -> bytes:
    """The PDF of one sheet; like `compose_page` and `print_sheets`."""
    page = compose_page(kind, game, record, language=language, address=address, writing=writing, words=words)
    return print_sheets([page], paper=paper, language=language)
