"""Fields that choose among a few: words, ranks, numbers, seats and sides; when something was said."""

from typing import Any

from flask_babel import gettext as _
from wtforms import RadioField
from wtforms.fields.choices import Choice as WidgetChoice
from wtforms.fields.choices import SelectChoice

from companion.library.kinds import FourOf, LengthOf, OffenceOf, RankOf, Trickless
from companion.rules.schema import Boolean, Choice, Integer, Nullable, SideOf
from companion.web.shell.text import phrase, translate
from companion.wording.rulings import CHOICES

from .base import ABSENT, NOBODY, Absence, Fact, FactField, MacroWidget, Piece, parse_number


class ChoiceField(FactField, RadioField):
    """One of a few choices; a required field with a single choice takes that."""

    widget = MacroWidget("options")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, validate_choice=False, **kwargs)
        self.choices = [
            SelectChoice(value, text, {"hint": hint}) for value, text, hint in self.list_choices()
        ]

    def process_formdata(self, valuelist: list[str]) -> None:
        super().process_formdata(valuelist)
        if self.needed and not self.text and len(self.choices) == 1:
            self.assume(self.choices[0].value)

    def list_choices(self) -> list[tuple[str, str, str]]:
        """What may be chosen: the value in an address, its words, and a hint."""
        rules: Any = self.context.ruleset  # a family's own kinds of facts ask its own rule set
        match self.place.kind:
            case Boolean():
                return [*self.no_answer(), ("yes", _("yes"), ""), ("no", _("no"), "")]
            case Choice(values=values):
                return self.no_answer() + [(value, self._phrase_word(value), "") for value in values]
            case OffenceOf() | RankOf() | FourOf() as kind:
                words = kind.choices(rules)
                return self.no_answer() + [(word, self._phrase_word(word), "") for word in words]
            case LengthOf() as kind:
                runs = self.context.book.words
                lengths = kind.choices(rules)
                return self.no_answer() + [(str(n), str(n), runs.get(f"run{n}", "")) for n in lengths]
            case _:
                return self.no_answer()

    def no_answer(self) -> list[tuple[str, str, str]]:
        """The choice of saying nothing, where that is allowed."""
        return [] if self.needed or self.place.where else [("", _("not stated"), "")]

    def _phrase_word(self, value: str) -> str:
        return phrase(CHOICES[value], self.context.book) if value in CHOICES else translate(value)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The values that are chosen."""
        return (self.text,)

    def iter_choices(self) -> list[WidgetChoice]:
        """The choices, each with whether it is chosen."""
        return [
            WidgetChoice(choice.value, choice.label, choice.value in self.chosen, choice.render_kw)
            for choice in self.choices
        ]

    def describe(self) -> list[Piece]:
        if self.is_blank:
            return []
        for choice in self.choices:
            if choice.value == self.text:
                hint = choice.render_kw["hint"]
                return [("text", f"{choice.label} ({translate(hint)})" if hint else choice.label)]
        return [("text", self.text)]


class YesNoField(ChoiceField):
    """Yes, no, or not stated."""

    def to_fact(self) -> Fact | Absence:
        facts: dict[str, Fact | Absence] = {"": ABSENT, "yes": True, "no": False}
        return facts.get(self.text, self.text)


class FewField(ChoiceField):
    """A number that is one of a few, as nothing counts beyond the last of them."""

    widget = MacroWidget("few")

    def to_fact(self) -> Fact | Absence:
        return parse_number(self.text) if self.text else ABSENT

    def process_formdata(self, valuelist: list[str]) -> None:
        """Take what stands in the address; a number beyond the last choice takes that one's place."""
        super().process_formdata(valuelist)
        few = self.place.few or 0
        if isinstance(self.data, int) and self.data > few:
            self.choices[-1:] = [self._last_choice(self.data)]

    def list_choices(self) -> list[tuple[str, str, str]]:
        """The numbers, each to be chosen; the last stands for all beyond it."""
        few, kind = self.place.few or 0, self.place.kind
        least = kind.least if isinstance(kind, Integer) else 0
        last = self._last_choice(few)
        return [*((str(n), str(n), "") for n in range(least, few)), (last.value, last.label, "")]

    def describe(self) -> list[Piece]:
        return FactField.describe(self)

    def _last_choice(self, number: int) -> SelectChoice:
        return SelectChoice(str(number), _("%(number)s or more", number=self.place.few), {"hint": ""})


class RanksField(ChoiceField):
    """One of a row of ranks, or of a row of lengths."""

    widget = MacroWidget("ranks")

    def to_fact(self) -> Fact | Absence:
        if isinstance(self.place.kind, LengthOf) and self.text:
            return parse_number(self.text)
        return super().to_fact()

    @property
    def lead_in(self) -> str:
        """That the rank is the one of the top card, which says nothing by itself."""
        return _("from the top card") if isinstance(self.place.kind, RankOf) else ""


class PersonField(ChoiceField):
    """A seat or a side, by its players' names; or nobody, where that can be."""

    widget = MacroWidget("who")

    @property
    def is_of_sides(self) -> bool:
        """Whether it is a side; else it is a seat."""
        kind = self.place.kind
        return isinstance(kind.kind if isinstance(kind, Nullable) else kind, SideOf | Trickless)

    @property
    def may_be_nobody(self) -> bool:
        """Whether there need not be anybody."""
        return isinstance(self.place.kind, Nullable)

    def list_choices(self) -> list[tuple[str, str, str]]:
        ring, of_sides = self.context.ring, self.is_of_sides
        letters = ring.sides if of_sides else ring.seats
        people = [(letter, self.context.name_of(letter, side=of_sides), "") for letter in letters]
        if not self.may_be_nobody:
            return self.no_answer() + people
        nobody = [(NOBODY, _("nobody"), "")]
        return (nobody if self.place.absent is None else [*self.no_answer(), *nobody]) + people

    @property
    def chosen(self) -> tuple[str, ...]:
        """Who is chosen: nobody, where nothing means the same."""
        is_nobody = self.may_be_nobody and self.place.absent is None
        return (self.text or (NOBODY if is_nobody else ""),)

    def to_fact(self) -> Fact | Absence:
        if self.text == NOBODY and self.may_be_nobody:
            return ABSENT if self.place.absent is None else None
        return self.text or ABSENT


class PeopleField(PersonField):
    """Some seats, none of them ticked being nobody; or a side, several where there are more than two."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.may_be_several:
            self.widget = MacroWidget("checks")

    @property
    def may_be_several(self) -> bool:
        """Whether more than one can be meant."""
        return not self.is_of_sides or len(self.context.ring.sides) > 2

    def no_answer(self) -> list[tuple[str, str, str]]:
        """Of several, nothing is ticked then."""
        return [] if self.may_be_several else super().no_answer()

    @property
    def chosen(self) -> tuple[str, ...]:
        return tuple(self.texts) if self.may_be_several else super().chosen

    def to_fact(self) -> Fact | Absence:
        """The list of them; a side alone by itself."""
        if self.is_of_sides and len(self.texts) < 2:
            return super().to_fact()
        return list[Fact](self.texts) or ABSENT

    def missing_fields(self) -> list[FactField]:
        return super().missing_fields() if self.is_of_sides else []

    def describe(self) -> list[Piece]:
        names = (self.context.name_of(text, side=self.is_of_sides) for text in self.texts)
        return [("text", ", ".join(names))] if self.texts else []


class MomentField(FactField):
    """When something was said: never, when showing a run, or with the card of a number (or two)."""

    widget = MacroWidget("moment")

    def to_fact(self) -> Fact | Absence:
        """Null, `run`, a number or a list of them."""
        words = [text for text in self.texts if text in (NOBODY, "run")]
        numbers: list[Fact] = [
            parse_number(text) for text in self.texts if text not in (NOBODY, "run", "card")
        ]
        if words:
            return None if words[0] == NOBODY else words[0]
        return ABSENT if not numbers else numbers[0] if len(numbers) == 1 else numbers

    @property
    def chosen(self) -> str:
        """The chosen one of the three ways."""
        return {NOBODY: NOBODY, "run": "run", "": ""}.get(self.text, "card")

    @property
    def is_said_twice(self) -> bool:
        """Whether it is said with each of its two cards, and with nothing else."""
        return self.context.ruleset.has_option("bela", "said-twice")

    @property
    def most(self) -> int:
        """How many cards there are to play."""
        return self.context.ruleset.hand

    def describe(self) -> list[Piece]:
        match self.data:
            case Absence.ABSENT:
                return []
            case None:
                return [("text", _("never"))]
            case "run":
                return [("text", _("when showing a run"))]
            case list() as numbers:
                return [("text", _("with card no. %(number)s", number=", ".join(map(str, numbers))))]
            case number:
                return [("text", _("with card no. %(number)s", number=number))]
