"""What every field of a question is: it reads one fact from an address, and draws itself.

A field's `fact` is JSON, or ABSENT; its `texts` are what stands in the address. What is wrong is said by the
core (companion/rules/schema.py).
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
"""What stands in a query string."""

NOBODY = "none"
"""What stands for null in an address."""

Piece = tuple[str, str | list[str]]
"""A piece of what a field says, to be read: its kind (`text`, `cards`, `suit`, `label`, `line`, `comma`)."""


class QuestionContext:
    """Where a question is asked: the game by the rules of a table, and the players' names by seat."""

    def __init__(self, game: library.Game, question: Question, names: Mapping[str, str]) -> None:
        self.game, self.question, self.names = game, question, names
        self.book: Rulebook = game.book
        self.ruleset: GameRules = game.family.ruleset
        self.family_rules: Any = self.ruleset
        """The same rule set, for facts that only games of its family ask for."""
        self.table: Table = self.ruleset.table
        """What seats, cards and suits mean here."""
        self.ring: Ring = self.table.ring
        self.cards = frozenset(map(str, self.table.pack))
        """Every card of the pack, as it is written."""
        self.ranks = tuple(self.ruleset.orders.plain)
        """The ranks of the pack, in the order of a card pad."""
        self.jokers = tuple(sorted(str(card) for card in self.table.pack if card.is_joker))
        """The jokers of the pack: the black one first."""

    def name_of(self, letter: str, *, side: bool = False) -> str:
        """A seat, or a side, by its players' names."""
        if not side:
            return self.names.get(letter, letter)
        return join_names([self.names[seat] for seat in self.ring.seats if self.ring.side(seat) == letter])


class FactField:
    """A fact that is typed as text.

    :param context: where the question is asked.
    :param place: the fact's place in the description of the question.
    :param name: what it is called in the address.
    :param label: what stands beside it, if not what the description says; `title` names it on its own.
    """

    macro = "line"
    """The macro of templates/rulings/fields.html that draws it."""
    is_pad = False
    """Whether cards are picked in it."""

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
        """What it filled in where the address leaves it out."""
        self.texts = [text.strip() for text in address.getlist(name) if text.strip()]
        """What stands in the address."""
        self.read(address)

    def __call__(self, trump: str | None = None, open: bool = False) -> Markup:
        """The field drawn: `trump` marks a suit on pads of cards, `open` shows the pad at once."""
        return Markup(get_template_attribute("rulings/fields.html", self.macro)(self, trump, open))

    # --- reading -------------------------------------------------------------------------

    def read(self, address: Address) -> None:
        """Take from the address what stands there under other names than its own."""

    def assume(self, text: str) -> None:
        """Fill it in where the address leaves it out."""
        self.assumed = text
        self.texts = [text]

    @property
    def text(self) -> str:
        """The first of what stands in the address; empty for nothing."""
        return self.texts[0] if self.texts else ""

    @property
    def fact(self) -> Fact | Absence:
        """The fact that the texts come to, as JSON; what cannot be read is left for the core to refuse."""
        return read_value(self.place.kind, self.texts)

    def connect(self, facts: Mapping[str, Fact]) -> None:
        """Use the facts of all fields of the question, once they are read."""

    # --- checking ------------------------------------------------------------------------

    def check_fact(self) -> None:
        """Read the fact by itself. :raises Unreadable: where it does not fit."""
        fact = self.fact
        if fact is not ABSENT:
            self.place.kind.read(fact, self.key, self.context.table)

    def locate_fault(self, fault: Unreadable) -> str:
        """The place of an error within the field, as the beginning of a sentence."""
        return ""

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it."""
        return self.fact is ABSENT

    def missing_fields(self) -> list["FactField"]:
        """The fields still to be filled in: itself, or fields within it."""
        return [self] if self.place.needed and self.is_blank else []

    def iter_fields(self) -> Iterator["FactField"]:
        """This field and all fields in it."""
        yield self

    @property
    def has_errors(self) -> bool:
        """Whether something is wrong in it."""
        return any(field.errors for field in self.iter_fields())

    # --- showing -------------------------------------------------------------------------

    @property
    def note(self) -> str:
        """A hint to be read before it is filled in."""
        note = self.context.game.family.find_notes(self.context.question.name).get(self.key)
        return phrase(note, self.context.book) if note else ""

    def describe(self) -> list[Piece]:
        """Its content, described for reading."""
        return [("text", self.text)] if self.text else []

    @property
    def is_empty(self) -> bool:
        """Whether its description is empty."""
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
    """What stands beside a fact, in the game's words."""
    return phrase(place.label, context.book) if place.label else word(context.book, place.key)


def find_rows(address: Address, name: str) -> dict[int, dict[str, str]]:
    """The rows of a field that stand in an address (`transfers.0.by`), by their numbers, in order: the key of
    each part, by its name.
    """
    rows: dict[int, dict[str, str]] = {}
    for key in address:
        at = re.fullmatch(rf"{re.escape(name)}\.(\d{{1,2}})\.(.+)", key)
        if at:
            rows.setdefault(int(at[1]), {})[at[2]] = key
    return dict(sorted(rows.items()))


def join_lines(lines: Iterable[list[Piece]]) -> list[Piece]:
    """Pieces to be read, one line after another."""
    return [piece for line in lines for piece in (("line", ""), *line)][1:]
