"""One field for each kind of fact: how it is read from an address, what it may be set to, how it is told.

A kind finds its field by its name, so that families may bring kinds of their own; one that nobody knows
is typed. The field's `widget` names the macro that draws it (templates/ask/fields.html).
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from flask_babel import gettext as _

from companion.rules.schema import Field
from companion.web.rulings.wording import CHOICES
from companion.web.support.text import phrase, word

if TYPE_CHECKING:
    from companion.web.rulings.form import QuestionForm

ABSENT: Any = object()
"""Nothing stands in the field: the request leaves it out."""

OF_SIDES = ("SideOf", "Trickless")
"""The kinds that are a side; any other person of a deal is a seat."""

NOBODY = "none"
"""What stands for null in an address."""


class FactField:
    """A fact that is typed as text."""

    widget = "line"

    def __init__(self, form: "QuestionForm", place: Field, name: str, kind: Any = None) -> None:
        self.form = form
        self.place = place
        self.name = name
        self.key = place.key
        self.kind: Any = kind or place.kind
        self.needed = place.needed
        self.aside = place.aside
        self.errors: list[str] = []
        self.label = phrase(place.label, form.book) if place.label else word(form.book, place.key)
        self.title = self.label

    @property
    def id(self) -> str:
        """The id of the field on the page."""
        return self.name.replace(".", "-")

    @property
    def typed(self) -> list[str]:
        """What stands in the address for it."""
        return [one.strip() for one in self.form.typed.getlist(self.name) if one.strip()]

    @property
    def first(self) -> str:
        """The first of what stands there."""
        return self.typed[0] if self.typed else ""

    def value(self) -> Any:
        """The fact as JSON, or ABSENT."""
        return self.first or ABSENT

    def blank(self) -> bool:
        """Whether nothing stands in it."""
        return self.value() is ABSENT

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it to be read."""
        return not self.told()

    def lacking(self) -> list["FactField"]:
        """What has to be filled in yet: itself, or fields within it."""
        return [self] if self.needed and self.blank() else []

    def within(self) -> Iterator["FactField"]:
        """This field and all fields in it."""
        yield self

    @property
    def wrong(self) -> bool:
        """Whether something is wrong in it."""
        return any(one.errors for one in self.within())

    def whereabouts(self, path: str) -> str:
        """Where in it a path leads, as the beginning of a sentence."""
        return ""

    def told(self) -> list[tuple[str, Any]]:
        """What it says, to be read: pieces of kind `text`, `cards` or `suit`."""
        return [("text", self.first)] if self.first else []


class Number(FactField):
    """A whole number."""

    widget = "number"

    def value(self) -> Any:
        return ABSENT if not self.first else number(self.first)


class Numbers(FactField):
    """Some whole numbers in one line."""

    widget = "numbers"

    def value(self) -> Any:
        parts = [part for one in self.typed for part in re.split(r"[\s,;+]+", one) if part]
        return [number(part) for part in parts] or ABSENT


class Few(Number):
    """A number that is one of a few, as nothing counts beyond the last of them."""

    widget = "few"

    def options(self) -> list[tuple[str, str, str]]:
        """The numbers, each to be chosen; the last stands for all beyond it."""
        few, told = self.place.few or 0, number(self.first)
        least = str(told) if isinstance(told, int) and told > few else str(few)
        found = [(str(n), str(n), "") for n in range(self.kind.least, few)]
        return [*found, (least, _("%(number)s or more", number=least), "")]


class Check(FactField):
    """Yes, or nothing."""

    widget = "check"

    def value(self) -> Any:
        return {"": ABSENT, "no": ABSENT, "yes": True}.get(self.first, self.first)

    def told(self) -> list[tuple[str, Any]]:
        return [] if self.blank() else [("text", _("yes"))]


class Options(FactField):
    """One of a few."""

    widget = "options"

    def __init__(self, form: "QuestionForm", place: Field, name: str, kind: Any = None) -> None:
        super().__init__(form, place, name, kind)
        only = self.options() if self.needed and not self.first else []
        if len(only) == 1:
            form.typed.add(name, only[0][0])

    def options(self) -> list[tuple[str, str, str]]:
        """What may be chosen: the value, the text, and a hint."""
        fixed = getattr(self.kind, "choices", None)
        values = fixed(self.form.ruleset) if fixed else getattr(self.kind, "values", ())
        return self.unknown() + [(str(one), *self._name(one)) for one in values]

    def unknown(self) -> list[tuple[str, str, str]]:
        """The choice of telling nothing, where that is allowed."""
        return [] if self.needed or self.place.where else [("", _("not told"), "")]

    def _name(self, value: Any) -> tuple[str, str]:
        if isinstance(value, int):
            return str(value), self.form.book.words.get(f"run{value}", "")
        return phrase(CHOICES[value], self.form.book) if value in CHOICES else str(value), ""

    def told(self) -> list[tuple[str, Any]]:
        names = {value: f"{text} ({hint})" if hint else text for value, text, hint in self.options()}
        return [] if self.blank() else [("text", names.get(self.first, self.first))]


class Ranks(Options):
    """One of a row of ranks."""

    widget = "ranks"


class Lengths(Ranks):
    """One of a row of numbers."""

    def value(self) -> Any:
        return number(self.first) if self.first else ABSENT


class YesNo(Options):
    """Yes, no, or not told."""

    def options(self) -> list[tuple[str, str, str]]:
        return [*self.unknown(), ("yes", _("yes"), ""), ("no", _("no"), "")]

    def value(self) -> Any:
        return {"": ABSENT, "yes": True, "no": False}.get(self.first, self.first)


class Who(Options):
    """A seat or a side, by its players' names; or nobody, where that can be."""

    widget = "who"

    def options(self) -> list[tuple[str, str, str]]:
        kind = getattr(self.kind, "kind", self.kind)  # inside a Maybe
        of_sides = type(kind).__name__ in OF_SIDES
        letters = self.form.ring.sides if of_sides else self.form.ring.seats
        found = [(one, self.form.called(one, side=of_sides), "") for one in letters]
        if not self.may_be_nobody:
            return self.unknown() + found
        nobody = [(NOBODY, _("nobody"), "")]
        return (nobody if self.place.absent is None else [*self.unknown(), *nobody]) + found

    @property
    def may_be_nobody(self) -> bool:
        """Whether there need not be anybody."""
        return type(self.kind).__name__ == "Nullable"

    @property
    def chosen(self) -> str:
        """What is chosen: nobody, where nothing means the same."""
        is_nobody = self.may_be_nobody and self.place.absent is None
        return self.first or (NOBODY if is_nobody else "")

    def value(self) -> Any:
        if self.first == NOBODY and self.may_be_nobody:
            return ABSENT if self.place.absent is None else None
        return self.first or ABSENT


class Whos(Who):
    """Some seats."""

    widget = "checks"

    def __init__(self, form: "QuestionForm", place: Field, name: str, kind: Any = None) -> None:
        super().__init__(form, place, name, kind)
        self.kind = self.kind.kind
        self.needed = True  # no choice of telling nothing: none is nobody

    def value(self) -> Any:
        return self.typed or ABSENT

    def lacking(self) -> list[FactField]:
        return []

    def told(self) -> list[tuple[str, Any]]:
        return [("text", ", ".join(self.form.called(one) for one in self.typed))] if self.typed else []


class SomeSides(Who):
    """A side, or several where there are more than two."""

    @property
    def widget(self) -> str:  # type: ignore[override]  # derived here
        """One of two is chosen; of more, some are ticked."""
        return "checks" if self.several else "who"

    @property
    def several(self) -> bool:
        """Whether more than one side can be meant."""
        return len(self.form.ring.sides) > 2

    def unknown(self) -> list[tuple[str, str, str]]:
        return [] if self.several else super().unknown()

    def value(self) -> Any:
        return self.typed if len(self.typed) > 1 else super().value()

    def told(self) -> list[tuple[str, Any]]:
        named = (self.form.called(one, side=True) for one in self.typed)
        return [("text", ", ".join(named))] if self.typed else []


class Moment(FactField):
    """When something was said: never, when showing a run, or with the card of a number (or two)."""

    widget = "moment"

    def value(self) -> Any:
        words = [one for one in self.typed if one in (NOBODY, "run")]
        numbers = [number(one) for one in self.typed if one not in (NOBODY, "run", "card")]
        if words:
            return None if words[0] == NOBODY else words[0]
        return ABSENT if not numbers else numbers[0] if len(numbers) == 1 else numbers

    @property
    def chosen(self) -> str:
        """Which of the three ways is chosen."""
        return {NOBODY: NOBODY, "run": "run", "": ""}.get(self.first, "card")

    @property
    def twice(self) -> bool:
        """Whether it is said with each of its two cards, and with nothing else."""
        return bool(self.form.ruleset["bela"] == "said-twice")

    @property
    def most(self) -> int:
        """How many cards there are to play."""
        return int(self.form.ruleset.hand)

    def told(self) -> list[tuple[str, Any]]:
        value = self.value()
        if value is ABSENT:
            return []
        if value is None:
            return [("text", _("never"))]
        if value == "run":
            return [("text", _("when showing a run"))]
        told = value if isinstance(value, list) else [value]
        return [("text", _("with card no. %(number)s", number=", ".join(str(one) for one in told)))]


def number(text: str) -> int | str:
    """A whole number as typed; anything else stays as it is, for the core to refuse."""
    text = text.replace("−", "-")
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else text
