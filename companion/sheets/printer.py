"""Orders for sheets: composed here, or printed by a worker."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from html import escape
from typing import Any

from companion.figures import CountedMatch
from companion.i18n import translator
from companion.people.evenings import NOTHING, Evening
from companion.people.money import Payment
from companion.record.record import Record, write_record
from companion.rules.example import Example
from companion.rules.game import PlayedGame

from . import card, html, match, pdf, rulebook, session
from .common import Correction, PlayedPart, RulingNote, WordList
from .evening import EveningWriter
from .lettering import Unprintable, find_missing, find_unprintable, respell, spell_names
from .match import MatchWriter
from .model import EveningPage, FiguresPage, MatchPage, PlayedPage, SeasonPage, SessionPage
from .session import SessionWriter
from .writer import Writer

WRITINGS: Mapping[str, tuple[type[Writer], Callable[..., html.Page]]] = {
    "tally": (MatchWriter, match.compose_blank),
    "tally-negative": (MatchWriter, match.compose_blank),
    "table": (MatchWriter, match.compose_blank),
    "matchsticks": (SessionWriter, session.compose_blank_session),
}
"""The ways of scoring, in strokes (8 and 9 units perhaps as the next ten less 2 or 1), totals or matchsticks.

Each has its writer of sheets, and of empty ones.
"""


@dataclass(frozen=True, slots=True)
class SheetOrder:
    """The sheet of a match, an empty one of its game, or its rules as table card or booklet, in a language.

    `kind` is ``match``, ``blank``, ``rules`` or ``rulebook``; without a record a match's sheet is an empty
    one. `address` is the address of the match, if it has one; `corrections` the later changes; `rulings` the
    disputes that were settled; `writing`, one of `WRITINGS`, the way of scoring if not the usual one of the
    game; `words` the glossary of the game, for its rules; `examples` those for its booklet; `zone` the time
    zone of its times, if not that of the record: a name such as ``Europe/Warsaw``, or `LOCAL`; `paper` the
    size of paper.
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
    examples: Sequence[Example] = ()
    paper: str = field(default="a4", kw_only=True)
    zone: str = field(default="", kw_only=True)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, in the order of their seats."""
        return () if self.record is None else tuple(self.record.head["players"])

    def compose(
        self, played: PlayedPart | None = None, spelled: Mapping[str, str] | None = None
    ) -> html.Page:
        """Compose the sheet; `played` are the states of the record, if known, and the number left out.

        `spelled` maps names to their printed form, if that differs.
        """
        game, language, translate = self.game, self.language, translator(self.language)
        if self.kind == "rules":
            return card.compose_card(game, translate, language, self.words)
        if self.kind == "rulebook":
            return rulebook.compose_booklet(game, translate, language, self.words, self.examples)
        usual, chosen = game.book.writing, self.writing
        write, compose_empty = WRITINGS[usual]
        writing = chosen if chosen and WRITINGS[chosen] == WRITINGS[usual] else usual
        if self.kind == "blank" or self.record is None:
            return compose_empty(game, translate, language, writing)
        writer = write(
            self.record, game, translate, language, self.corrections, self.rulings, played, self.zone, spelled
        )
        return writer.compose_page(self.address, writing)

    def compose_for_print(self) -> html.Page:
        """Compose the sheet with the names as they can be printed."""
        return self.compose(spelled=spell_names(self.names))

    def compute_key(self, edition: str) -> str:
        """Compute the key of its print: a hash of all that is on it, and of all that decides its look.

        `edition` stands for the code, style and fonts that compose it.
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
        notes = repr((list(self.corrections), list(self.rulings), self.words, self.examples))
        return _compute_key("sheet", edition, json.dumps(facts, ensure_ascii=False), notes)

    def to_arguments(self) -> tuple["SheetOrder"]:
        """Return the arguments of `print_order` for a worker, without those that it can compute itself."""
        record = None if self.record is None else replace(self.record, parsed=None)
        return (replace(self, record=record),)


@dataclass(frozen=True, slots=True)
class EveningOrder:
    """The sheet of an evening: the `orders` of its matches, the counts of each, and the written remarks.

    `carried` are payments that were carried to it; the other fields are as those of a `SheetOrder`.
    """

    orders: tuple[SheetOrder, ...]
    matches: tuple[CountedMatch, ...]
    written: Evening = NOTHING
    carried: tuple[Payment, ...] = ()
    language: str = "en"
    paper: str = "a4"
    zone: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, in the order in which they sat down; then as in records and payments."""
        names = [name for match in self.matches for name in match.players]
        names += [name for order in self.orders for name in order.names]
        payments = [*self.carried, *(paid for settled in self.written.settled for paid in settled.payments)]
        names += [name for payment in payments for name in (payment.payer, payment.payee)]
        return tuple(dict.fromkeys(names))

    def compose(self, spelled: Mapping[str, str] | None = None) -> html.Page:
        """Compose the sheet; `spelled` maps names to their printed form, if that differs."""
        pages = [order.compose(spelled=spelled) for order in self.orders]
        writer = EveningWriter(
            self.matches,
            translator(self.language),
            self.language,
            self.written,
            self.carried,
            self.zone,
            spelled,
        )
        return writer.compose_page([page for page in pages if isinstance(page, MatchPage | SessionPage)])

    def compose_for_print(self) -> html.Page:
        """Compose the sheet with the names as they can be printed."""
        return self.compose(spell_names(self.names))

    def compute_key(self, edition: str) -> str:
        """Compute the key of its print: a hash of all that is on it, and of all that decides its look."""
        parts = [order.compute_key(edition) for order in self.orders]
        parts += [repr((self.matches, self.written, self.carried)), self.language, self.paper, self.zone]
        return _compute_key(*parts)

    def to_arguments(self) -> tuple["EveningOrder"]:
        """Return the arguments of `print_order` for a worker."""
        return (replace(self, orders=tuple(order.to_arguments()[0] for order in self.orders)),)


@dataclass(frozen=True, slots=True)
class FiguresOrder:
    """The sheet of a player's figures, or of a season."""

    page: FiguresPage | SeasonPage
    language: str = "en"
    paper: str = "a4"

    def compose(self) -> html.Page:
        """Return the sheet as it was composed."""
        return self.page

    def compose_for_print(self) -> html.Page:
        """Compose the sheet with the names as they can be printed."""
        page, spelled = self.page, spell_names(self.page.players)
        written = {escape(name): escape(printed) for name, printed in spelled.items()}
        changed: dict[str, Any] = {
            "title": respell(page.title, spelled),
            "facts": tuple(respell(fact, spelled) for fact in page.facts),
            "respelled": tuple(spelled),
        }
        if isinstance(page, SeasonPage):
            return replace(page, players=tuple(respell(name, spelled) for name in page.players), **changed)
        charts = tuple((label, respell(drawing, written)) for label, drawing in page.charts)
        return replace(page, name=respell(page.name, spelled), charts=charts, **changed)

    def compute_key(self, edition: str) -> str:
        """Compute the key of its print: a hash of all that is on it, and of all that decides its look."""
        return _compute_key("figures", edition, repr(self))

    def to_arguments(self) -> tuple["FiguresOrder"]:
        """Return the arguments of `print_order` for a worker."""
        return (self,)


def _compute_key(*parts: str) -> str:
    """Compute a hash of parts, of the printer, and of the letters that its fonts lack for them."""
    whole = "\0".join((*parts, pdf.compute_edition()))
    return sha256(f"{whole}\0{find_missing(whole)}".encode("utf-8", "surrogatepass")).hexdigest()[:40]


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A printed sheet: its title, for the name of a file, the PDF, and words that cannot be printed."""

    title: str
    pdf: bytes
    unprintable: Unprintable = Unprintable()

    @classmethod
    def read(cls, result: bytes) -> "PrintedSheet":
        """Read the sheet that a worker has printed."""
        head, _newline, printed = result.partition(b"\n")
        title, words, packages = json.loads(head)
        return cls(title, printed, Unprintable(tuple(words), tuple(packages)))


def print_order(order: SheetOrder | EveningOrder | FiguresOrder) -> bytes:
    """Print a sheet here and now; in a worker.

    :raises CannotPrint: if a library of the system is missing.
    """
    page = order.compose_for_print()
    document = html.write_document(page, order.language, order.paper)
    printed = pdf.render_pdf(document, order.paper)
    unprintable = find_unprintable_of([page], document)
    head = [" ".join(page.title.split()), unprintable.words, unprintable.packages]
    return json.dumps(head).encode() + b"\n" + printed


def find_unprintable_of(pages: Sequence[html.Page], document: str) -> Unprintable:
    """Find the words of pages, and of their document, that cannot be printed."""
    named = [page for page in pages if isinstance(page, PlayedPage | EveningPage | FiguresPage | SeasonPage)]
    return find_unprintable((name for page in named for name in (*page.respelled, *page.players)), document)


def get_ready() -> bytes:
    """Load everything needed once, so that the first sheet of a worker takes no longer than any other."""
    pdf.warm_up()
    return b""
