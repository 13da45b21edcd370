"""Sheets as they are ordered: composed here, or printed by a worker."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from companion.figures import CountedMatch
from companion.i18n import translator
from companion.people.evenings import NOTHING, Evening
from companion.people.money import Payment
from companion.record.record import Record, write_record
from companion.rules.game import PlayedGame

from . import card, html, match, pdf, session
from .common import Correction, PlayedPart, RulingNote, WordList
from .evening import EveningWriter
from .match import MatchWriter
from .model import FiguresPage, MatchPage, SeasonPage, SessionPage
from .session import SessionWriter
from .writer import Writer

WRITINGS: Mapping[str, tuple[type[Writer], Callable[..., html.Page]]] = {
    "tally": (MatchWriter, match.compose_blank),
    "table": (MatchWriter, match.compose_blank),
    "matchsticks": (SessionWriter, session.compose_blank_session),
}
"""How a score can be pencilled: in strokes, as running totals, or as a matchstick for every loss; and what
writes the sheet of a match, and the empty one."""


@dataclass(frozen=True, slots=True)
class SheetOrder:
    """The sheet of a match, an empty one of its game, or the table card of its rules, in a language.

    `kind` is ``match``, ``blank`` or ``rules``; without a record a match's sheet is an empty one. `address`
    is where the match can be looked at, if anywhere; `corrections` what was changed afterwards; `rulings` the
    disputes that were settled; `writing`, one of `WRITINGS`, how the score is pencilled if not as is usual
    in the game; `words` the glossary of the game, for its table card; `zone` the time zone of its times, if
    not that of the record: a name such as ``Europe/Warsaw``, or `LOCAL`; `paper` what it is printed on.
    """

    kind: str
    game: PlayedGame
    record: Record | None = None
    language: str = "en"
    address: str = ""
    corrections: Sequence[Correction] = ()
    rulings: Sequence[RulingNote] = ()
    writing: str | None = None
    words: WordList | None = None
    paper: str = field(default="a4", kw_only=True)
    zone: str = field(default="", kw_only=True)

    def compose(self, played: PlayedPart | None = None) -> html.Page:
        """The sheet; `played` is what the record comes to, where that is known, and how much is left out."""
        game, language, translate = self.game, self.language, translator(self.language)
        if self.kind == "rules":
            return card.compose_card(game, translate, language, self.words)
        usual, chosen = game.book.writing, self.writing
        write, compose_empty = WRITINGS[usual]
        writing = chosen if chosen and WRITINGS[chosen] == WRITINGS[usual] else usual
        if self.kind == "blank" or self.record is None:
            return compose_empty(game, translate, language, writing)
        writer = write(
            self.record, game, translate, language, self.corrections, self.rulings, played, self.zone
        )
        return writer.compose_page(self.address, writing)

    def compute_key(self, edition: str) -> str:
        """The key of its print: a hash of all that is on it, and of all that decides how it looks.

        `edition` stands for what composes it.
        """
        record = None if self.record is None else write_record(self.record)
        game = self.game.agreed
        begun = None if self.record is None else self.record.rulebook
        facts = [
            self.kind,
            game,
            record,
            begun,
            self.language,
            self.address,
            self.writing,
            self.paper,
            self.zone,
        ]
        notes = repr((list(self.corrections), list(self.rulings), self.words))
        parts = ("sheet", edition, pdf.compute_edition(), json.dumps(facts), notes)
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]

    def to_arguments(self) -> tuple["SheetOrder"]:
        """What `print_order` is called with by a worker: without what it can read again."""
        record = None if self.record is None else replace(self.record, parsed=None)
        return (replace(self, record=record),)


@dataclass(frozen=True, slots=True)
class EveningOrder:
    """The sheet of an evening: the `orders` of its matches, what is counted of each, and what was written.

    `carried` are payments that were carried to it; the other fields are as those of a `SheetOrder`.
    """

    orders: tuple[SheetOrder, ...]
    matches: tuple[CountedMatch, ...]
    written: Evening = NOTHING
    carried: tuple[Payment, ...] = ()
    language: str = "en"
    paper: str = "a4"
    zone: str = ""

    def compose(self) -> html.Page:
        """The sheet."""
        pages = [order.compose() for order in self.orders]
        writer = EveningWriter(
            self.matches, translator(self.language), self.language, self.written, self.carried, self.zone
        )
        return writer.compose_page([page for page in pages if isinstance(page, MatchPage | SessionPage)])

    def compute_key(self, edition: str) -> str:
        """The key of its print: a hash of all that is on it, and of all that decides how it looks."""
        parts = [order.compute_key(edition) for order in self.orders]
        parts += [repr((self.matches, self.written, self.carried)), self.language, self.paper, self.zone]
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]

    def to_arguments(self) -> tuple["EveningOrder"]:
        """What `print_order` is called with by a worker."""
        return (replace(self, orders=tuple(order.to_arguments()[0] for order in self.orders)),)


@dataclass(frozen=True, slots=True)
class FiguresOrder:
    """The sheet of a player's figures, or of a season."""

    page: FiguresPage | SeasonPage
    language: str = "en"
    paper: str = "a4"

    def compose(self) -> html.Page:
        """The sheet."""
        return self.page

    def compute_key(self, edition: str) -> str:
        """The key of its print: a hash of all that is on it, and of all that decides how it looks."""
        parts = ("figures", edition, pdf.compute_edition(), repr(self))
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]

    def to_arguments(self) -> tuple["FiguresOrder"]:
        """What `print_order` is called with by a worker."""
        return (self,)


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A printed sheet: its title, for the name of a file, and the PDF."""

    title: str
    pdf: bytes

    @classmethod
    def read(cls, result: bytes) -> "PrintedSheet":
        """The sheet that a worker has printed."""
        title, _newline, printed = result.partition(b"\n")
        return cls(title.decode(), printed)


def print_order(order: SheetOrder | EveningOrder | FiguresOrder) -> bytes:
    """Print a sheet, here and now; in a worker.

    :raises CannotPrint: where a library of the system is missing.
    """
    page = order.compose()
    printed = pdf.render_pdf(html.write_document(page, order.language, order.paper), order.paper)
    return " ".join(page.title.split()).encode() + b"\n" + printed


def get_ready() -> bytes:
    """Load what is loaded once, so that the first sheet of a worker takes no longer than any other."""
    pdf.warm_up()
    return b""
