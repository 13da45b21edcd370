"""Fields that choose among a few: words, ranks, numbers, seats and sides, and moments."""

from functools import cached_property
from typing import NamedTuple

from flask_babel import gettext as _

from companion.library.kinds import (
    CAPOT,
    GENERALE,
    FourOf,
    LengthOf,
    OffenceOf,
    RankOf,
    Trickless,
    list_usual_bids,
)
from companion.rules.schema import Boolean, Choice, Integer, Nullable, SideOf
from companion.web.forms.values import ABSENT, Absence, Fact, parse_number
from companion.web.shell.text import phrase, translate
from companion.wording.rulings import CHOICES

from .base import NOBODY, Address, FactField, Piece


class FieldOption(NamedTuple):
    """A choice: its value in an address, its words, and a hint."""

    value: str
    text: str
    hint: str = ""


class ChoiceField(FactField):
    """One of a few choices; a required field with a single choice takes that."""

    macro = "options"

    def read(self, address: Address) -> None:
        if self.place.needed and not self.text and len(self.choices) == 1:
            self.assume(self.choices[0].value)

    @cached_property
    def choices(self) -> list[FieldOption]:
        """All choices, with that of saying nothing."""
        return [*self.no_answer(), *self.list_choices()]

    def list_choices(self) -> list[FieldOption]:
        """The choices besides saying nothing."""
        rules = self.context.family_rules
        match self.place.kind:
            case Boolean():
                return [FieldOption("yes", _("yes")), FieldOption("no", _("no"))]
            case Choice(values=values):
                return [self._word_option(value) for value in values]
            case OffenceOf() | RankOf() | FourOf() as kind:
                return [self._word_option(value) for value in kind.choices(rules)]
            case LengthOf() as kind:
                runs = self.context.book.words
                return [FieldOption(str(n), str(n), runs.get(f"run{n}", "")) for n in kind.choices(rules)]
            case _:
                return []

    def no_answer(self) -> list[FieldOption]:
        """The choice of saying nothing, if that is allowed."""
        return [] if self.place.needed or self.place.where else [FieldOption("", _("not stated"))]

    def _word_option(self, value: str) -> FieldOption:
        text = phrase(CHOICES[value], self.context.book) if value in CHOICES else translate(value)
        return FieldOption(value, text)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The chosen values."""
        return (self.text,)

    def describe(self) -> list[Piece]:
        if self.is_blank:
            return []
        for value, text, hint in self.choices:
            if value == self.text:
                return [("text", f"{text} ({translate(hint)})" if hint else text)]
        return [("text", self.text)]


class RanksField(ChoiceField):
    """One of a row of ranks, or of a row of lengths."""

    macro = "ranks"


class BidField(ChoiceField):
    """A bid: one of the usual numbers, another one given in the address, or capot."""

    macro = "few"

    def list_choices(self) -> list[FieldOption]:
        """The numbers in order, and those of every trick."""
        numbers = [str(number) for number in list_usual_bids(self.context.family_rules)]
        words = [CAPOT, *[GENERALE] * self.context.ruleset.has_option("generale", "on")]
        unusual = [] if self.text in (*numbers, "", *words) else [self.text]
        return [*(FieldOption(text, text) for text in (*numbers, *unusual)), *map(self._word_option, words)]


class FewField(ChoiceField):
    """A number that is one of a few, as nothing beyond the last makes a difference."""

    macro = "few"

    def no_answer(self) -> list[FieldOption]:
        return []

    def list_choices(self) -> list[FieldOption]:
        """The numbers; the last stands for all beyond it, and is the given one if that is greater."""
        few, kind, number = self.place.few or 0, self.place.kind, parse_number(self.text)
        least = kind.least if isinstance(kind, Integer) else 0
        last = max(few, number) if isinstance(number, int) else few
        beyond = FieldOption(str(last), _("%(number)s or more", number=self.place.few))
        return [*(FieldOption(str(n), str(n)) for n in range(least, few)), beyond]

    def describe(self) -> list[Piece]:
        return FactField.describe(self)


class PersonField(ChoiceField):
    """A seat or a side, by its players' names; or nobody, if that is allowed."""

    macro = "who"

    @property
    def is_of_sides(self) -> bool:
        """True if it is a side, False if it is a seat."""
        kind = self.place.kind
        return isinstance(kind.kind if isinstance(kind, Nullable) else kind, SideOf | Trickless)

    @property
    def may_be_nobody(self) -> bool:
        """True if nobody is a possible answer."""
        kind = self.place.kind
        if isinstance(kind, Trickless):
            return bool(self.context.family_rules.asks_trickless)
        return isinstance(kind, Nullable)

    @property
    def is_nobody_usual(self) -> bool:
        """True if the answer nobody is the same as saying nothing."""
        return self.may_be_nobody and self.place.absent is None

    def no_answer(self) -> list[FieldOption]:
        return [] if self.is_nobody_usual else super().no_answer()

    def list_choices(self) -> list[FieldOption]:
        ring, of_sides = self.context.ring, self.is_of_sides
        letters = ring.sides if of_sides else ring.seats
        people = [FieldOption(letter, self.context.name_of(letter, side=of_sides)) for letter in letters]
        return [*([FieldOption(NOBODY, _("nobody"))] if self.may_be_nobody else []), *people]

    @property
    def chosen(self) -> tuple[str, ...]:
        return (self.text or (NOBODY if self.is_nobody_usual else ""),)

    @property
    def fact(self) -> Fact | Absence:
        if self.text == NOBODY and self.may_be_nobody:
            return ABSENT if self.is_nobody_usual else None
        return self.text or ABSENT


class PeopleField(PersonField):
    """Some seats, none ticked meaning nobody; or a side, of more than two sides several."""

    def read(self, address: Address) -> None:
        super().read(address)
        if self.may_be_several:
            self.macro = "checks"

    @property
    def may_be_several(self) -> bool:
        """True if more than one can be chosen."""
        return not self.is_of_sides or len(self.context.ring.sides) > 2

    def no_answer(self) -> list[FieldOption]:
        """The choice of saying nothing; among several, nothing is ticked then."""
        return [] if self.may_be_several else super().no_answer()

    @property
    def chosen(self) -> tuple[str, ...]:
        return tuple(self.texts) if self.may_be_several else super().chosen

    @property
    def fact(self) -> Fact | Absence:
        """The list of seats or sides; a single side by itself."""
        if self.is_of_sides and len(self.texts) < 2:
            return super().fact
        return list[Fact](self.texts) or ABSENT

    def missing_fields(self) -> list[FactField]:
        return super().missing_fields() if self.is_of_sides else []

    def describe(self) -> list[Piece]:
        if self.texts == [NOBODY]:
            return super().describe()
        names = (self.context.name_of(text, side=self.is_of_sides) for text in self.texts)
        return [("text", ", ".join(names))] if self.texts else []


class BelaField(PersonField):
    """The seat that declared bela; with all trumps several may have, and one seat several."""

    def read(self, address: Address) -> None:
        super().read(address)
        self.texts = " ".join(self.texts).split()
        if self.context.table.all_trumps:
            self.macro = "belas"

    @property
    def numbers(self) -> list[FieldOption]:
        """For each seat its letter as often as it declared one, its player's name, and its letter."""
        said = {seat: " ".join([seat] * self.texts.count(seat)) for seat in self.context.ring.seats}
        return [FieldOption(text, self.context.name_of(seat), seat) for seat, text in said.items()]

    @property
    def fact(self) -> Fact | Absence:
        """The seat, or a list with one for each pair."""
        return list[Fact](self.texts) if len(self.texts) > 1 else super().fact

    def describe(self) -> list[Piece]:
        names = (self.context.name_of(text) for text in self.texts)
        return [("text", ", ".join(names))] if len(self.texts) > 1 else super().describe()


class MomentField(FactField):
    """The moment of an announcement: never, with a run shown, or with the card of a number (or two)."""

    macro = "moment"

    @property
    def fact(self) -> Fact | Absence:
        """Null, `run`, a number or a list of them."""
        words = [text for text in self.texts if text in (NOBODY, "run")]
        if words:
            return None if words[0] == NOBODY else words[0]
        numbers: list[Fact] = [parse_number(text) for text in self.texts if text != "card"]
        return ABSENT if not numbers else numbers[0] if len(numbers) == 1 else numbers

    @property
    def chosen(self) -> str:
        """The chosen way of the three."""
        return self.text if self.text in ("", NOBODY, "run") else "card"

    @property
    def is_said_twice(self) -> bool:
        """True if it is said with each of its two cards, and with nothing else."""
        return self.context.ruleset.has_option("bela", "said-twice")

    @property
    def most(self) -> int:
        """The number of cards to play."""
        return self.context.ruleset.hand

    def describe(self) -> list[Piece]:
        match self.fact:
            case Absence.ABSENT:
                return []
            case None:
                return [("text", _("never"))]
            case "run":
                return [("text", _("when showing a run"))]
            case fact:
                numbers = fact if isinstance(fact, list) else [fact]
                return [("text", _("with card no. %(number)s", number=", ".join(map(str, numbers))))]
