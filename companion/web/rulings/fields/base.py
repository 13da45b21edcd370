"""The base of a question's fields: a field reads one fact from an address, and draws itself.

A field's `fact` is JSON, or ABSENT; its `texts` are its values in the address. The core says what is wrong
with them (companion/rules/schema.py).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from flask import get_template_attribute
from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from companion import library
from companion.rules.errors import Unreadable
from companion.rules.game import GameRules
from companion.rules.message import join_names
from companion.rules.question import Question
from companion.rules.rulebook import Rulebook
from companion.rules.schema import Field as Place
from companion.rules.schema import Table
from companion.rules.seats import Ring
from companion.web.forms.values import ABSENT, Absence, Fact, read_value
from companion.web.shell.text import phrase, word

Address = MultiDict[str, str]
"""The pairs of a query string."""

NOBODY = "none"
"""The value for null in an address."""

Piece = tuple[str, str | list[str]]
"""A piece of a field's description: its kind (`text`, `cards`, `suit`, `label`, `line`, `comma`) and content.
"""


class QuestionContext:
    """The setting of a question: the game by the rules of a table, and the players' names by seat."""

    def __init__(self, game: library.Game, question: Question, names: Mapping[str, str]) -> None:
        self.game, self.question, self.names = game, question, names
        self.book: Rulebook = game.book
        self.ruleset: GameRules = game.family.ruleset
        self.family_rules: Any = self.ruleset
        """The same rule set, for facts that only games of its family ask for."""
        self.table: Table = self.ruleset.table
        """The meaning of seats, cards and suits here."""
        self.ring: Ring = self.table.ring
        self.cards = frozenset(map(str, self.table.pack))
        """Every card of the pack, as it is written."""
        self.ranks = tuple(self.ruleset.orders.plain)
        """The ranks of the pack, in the order of a card pad."""
        self.jokers = tuple(sorted(str(card) for card in self.table.pack if card.is_joker))
        """The jokers of the pack: the black one first."""

    def name_of(self, letter: str, *, side: bool = False) -> str:
        """The names of a seat's, or a side's, players."""
        if not side:
            return self.names.get(letter, letter)
        return join_names([self.names[seat] for seat in self.ring.seats if self.ring.side(seat) == letter])


class FactField:
    """A fact that is typed as text.

    :param context: the setting of the question.
    :param place: the fact's field in the schema of the question.
    :param name: its name in the address.
    :param label: the label beside it, if not that of the schema; `title` names it on its own.
    """

    macro = "line"
    """The macro of templates/rulings/fields.html that draws it."""
    is_pad = False
    """True if cards are picked in it."""

    def __init__(
        self,
        context: QuestionContext,
        place: Place,
        name: str,
        address: Address,
        label: str = "",
        title: str = "",
    ) -> None:
        self.context, self.place, self.name = context, place, name
        self.key, self.id = place.key, name.replace(".", "-")
        self.label = label or label_place(context, place)
        self.title = title or self.label
        self.errors: list[str] = []
        self.assumed = ""
        """The value that it filled in where the address leaves it out."""
        self.texts = [text.strip() for text in address.getlist(name) if text.strip()]
        """Its values in the address."""
        self.read(address)

    def __call__(self, trump: str | None = None, open: bool = False) -> Markup:
        """Draw the field: `trump` marks a suit on pads of cards, `open` shows the pad at once."""
        return Markup(get_template_attribute("rulings/fields.html", self.macro)(self, trump, open))

    # --- reading -------------------------------------------------------------------------

    def read(self, address: Address) -> None:
        """Read what the address has under other names than the field's own."""

    def assume(self, text: str) -> None:
        """Fill in a value that the address leaves out."""
        self.assumed = text
        self.texts = [text]

    @property
    def text(self) -> str:
        """The first value in the address, or an empty text."""
        return self.texts[0] if self.texts else ""

    @property
    def fact(self) -> Fact | Absence:
        """The fact in the texts, as JSON; what cannot be read is left for the core to refuse."""
        return read_value(self.place.kind, self.texts)

    def connect(self, facts: Mapping[str, Fact]) -> None:
        """Use the facts of all fields of the question, once they are read."""

    # --- checking ------------------------------------------------------------------------

    def check_fact(self) -> None:
        """Read the fact by itself.

        :raises Unreadable: if it does not fit.
        """
        fact = self.fact
        if fact is not ABSENT:
            self.place.kind.read(fact, self.key, self.context.table)

    def locate_fault(self, fault: Unreadable) -> str:
        """The position of an error within the field, as the beginning of a sentence."""
        return ""

    @property
    def is_blank(self) -> bool:
        """True if it has no fact."""
        return self.fact is ABSENT

    def missing_fields(self) -> list["FactField"]:
        """The fields still to be filled in: itself, or fields within it."""
        return [self] if self.place.needed and self.is_blank else []

    def iter_fields(self) -> Iterator["FactField"]:
        """This field and all fields in it."""
        yield self

    @property
    def has_errors(self) -> bool:
        """True if there is an error in it."""
        return any(field.errors for field in self.iter_fields())

    # --- showing -------------------------------------------------------------------------

    @property
    def note(self) -> str:
        """A hint to read before filling it in."""
        note = self.context.game.family.find_notes(self.context.question.name).get(self.key)
        return phrase(note, self.context.book) if note else ""

    def describe(self) -> list[Piece]:
        """Describe its content for reading."""
        return [("text", self.text)] if self.text else []

    @property
    def is_empty(self) -> bool:
        """True if its description is empty."""
        return not self.describe()


class NumberField(FactField):
    """A whole number."""

    macro = "number"


class NumbersField(FactField):
    """Some whole numbers in one line."""

    macro = "numbers"


class CheckField(FactField):
    """Yes, or nothing."""

    macro = "check"

    @property
    def fact(self) -> Fact | Absence:
        facts: dict[str, Fact | Absence] = {"": ABSENT, "no": ABSENT, "yes": True}
        return facts.get(self.text, self.text)

    def describe(self) -> list[Piece]:
        return [] if self.is_blank else [("text", _("yes"))]


def label_place(context: QuestionContext, place: Place) -> str:
    """The label of a fact, in the game's words."""
    return phrase(place.label, context.book) if place.label else word(context.book, place.key)


def find_rows(address: Address, name: str) -> dict[int, dict[str, str]]:
    """The rows of a field in an address (`transfers.0.by`) by number, in order: each part's key by name."""
    rows: dict[int, dict[str, str]] = {}
    for key in address:
        at = re.fullmatch(rf"{re.escape(name)}\.(\d{{1,2}})\.(.+)", key)
        if at:
            rows.setdefault(int(at[1]), {})[at[2]] = key
    return dict(sorted(rows.items()))


def join_lines(lines: Iterable[list[Piece]]) -> list[Piece]:
    """Join lines of pieces into one list, with a piece between them."""
    return [piece for line in lines for piece in (("line", ""), *line)][1:]
