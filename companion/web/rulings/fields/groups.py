"""Facts that are made of facts: a document within a request, one for each side, a list that grows."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from flask_babel import gettext as _

from companion.rules.schema import Field, fields_of

from .base import (
    ABSENT,
    Check,
    FactField,
    Few,
    Lengths,
    Moment,
    Number,
    Numbers,
    Options,
    Ranks,
    SomeSides,
    Who,
    Whos,
    YesNo,
)
from .bout import CardOrCards, Held, Laid, Steps
from .calls import Calls
from .cards import BareSuit, Cards, OneCard, TrumpSuit
from .deal import WholeDeal

if TYPE_CHECKING:
    from companion.web.rulings.form import QuestionForm


class Group(FactField):
    """Facts that belong together."""

    widget = "group"

    def __init__(self, form: "QuestionForm", place: Field, name: str, kind: Any = None) -> None:
        super().__init__(form, place, name, kind)
        self.fields: list[FactField] = [
            make(form, one, f"{name}.{one.key}") for one in fields_of(self.kind.shape)
        ]

    def child(self, key: str) -> FactField | None:
        """The field of one key."""
        return next((one for one in self.fields if one.key == key), None)

    def value(self) -> Any:
        found = {one.key: one.value() for one in self.fields}
        return {key: value for key, value in found.items() if value is not ABSENT} or ABSENT

    def lacking(self) -> list[FactField]:
        if self.blank() and not self.needed:
            return []
        return [one for each in self.fields for one in each.lacking()]

    def within(self) -> Iterator[FactField]:
        yield self
        for one in self.fields:
            yield from one.within()

    def told(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        for one in self.fields:
            pieces = [("comma", "") if piece[0] == "line" else piece for piece in one.told()]
            if pieces:
                found += [("line", "")] if found else []
                found += [("label", one.label), *pieces]
        return found


class ByName(Group):
    """The same fact for each side, or each seat."""

    widget = "by_name"

    def __init__(self, form: "QuestionForm", place: Field, name: str, kind: Any = None) -> None:
        FactField.__init__(self, form, place, name, kind)
        letters = self.kind.names(form.ruleset.table)
        of_sides = letters == form.ring.sides and form.ring.partnerships
        self.fields = []
        for letter in letters:
            one = Field(letter, letter, self.kind.kind, None, ABSENT if not self.kind.whole else place.absent)
            made = make(form, one, f"{name}.{letter}")
            made.label = form.called(letter, side=of_sides)
            made.title = f"{self.label}: {made.label}"
            made.needed = self.kind.whole
            self.fields.append(made)


class RunGroup(Group):
    """One of a list of things of the same shape."""

    widget = "row"

    def blank(self) -> bool:
        """Whose it would be says nothing yet."""
        return all(one.blank() for one in self.fields if not isinstance(one, Who))


class Rows(FactField):
    """A list of things of the same shape, as many as are wanted."""

    widget = "rows"

    def __init__(self, form: "QuestionForm", place: Field, name: str, kind: Any = None) -> None:
        super().__init__(form, place, name, kind)
        inner = self.kind.kind
        found = [re.match(rf"{re.escape(name)}\.(\d{{1,2}})\.", key) for key in form.typed]
        told = max((int(one[1]) + 1 for one in found if one), default=0)
        wanted = form.typed.get(f"rows.{name}", "")
        least = int(wanted) if re.fullmatch(r"\d{1,2}", wanted) else form.ring.size
        self.rows: list[RunGroup] = []
        for i in range(min(max(told, least, 1), self.kind.most)):
            one = Field(str(i), str(i), inner, None, None)
            row = RunGroup(form, one, f"{name}.{i}", inner)
            row.label = _("No. %(number)s", number=i + 1)
            for field in row.fields:
                if isinstance(field, Who) and field.name not in form.typed:
                    form.typed.add(field.name, form.ring.seats[i % form.ring.size])
            self.rows.append(row)

    @property
    def room(self) -> bool:
        """Whether there may be one more."""
        return len(self.rows) < int(self.kind.most)

    @property
    def kept(self) -> list[RunGroup]:
        """The rows in which something stands, in order: the list of the request."""
        return [row for row in self.rows if not row.blank()]

    def child(self, key: str) -> FactField | None:
        """The row of one place in the request's list."""
        kept = self.kept
        return kept[int(key)] if key.isdigit() and int(key) < len(kept) else None

    def value(self) -> Any:
        found = [row.value() for row in self.kept]
        return found if found or (self.needed and not self.kind.least) else ABSENT

    def lacking(self) -> list[FactField]:
        return [one for row in self.kept for one in row.lacking()]

    def within(self) -> Iterator[FactField]:
        yield self
        for row in self.rows:
            yield from row.within()

    def told(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        for row in self.kept:
            found += [("line", "")] if found else []
            for one in row.fields:
                found += [("text", one.label.lower())] * (
                    type(one.kind).__name__ == "RankOf" and not one.blank()
                )
                found += one.told()
        return found


KINDS: dict[str, type[FactField]] = {
    "Integer": Number,
    "Choice": Options,
    "OffenceOf": Options,
    "LengthOf": Lengths,
    "RankOf": Ranks,
    "FourOf": Ranks,
    "CardOf": OneCard,
    "TurnUp": OneCard,
    "TrumpOf": TrumpSuit,
    "SeatOf": Who,
    "SideOf": Who,
    "Trickless": SomeSides,
    "Nullable": Who,
    "MappingOf": ByName,
    "Nested": Group,
    "SaidAt": Moment,
    "DealOf": WholeDeal,
    "ListOf CardOf": Cards,
    "ListOf SeatOf": Whos,
    "ListOf Integer": Numbers,
    "ListOf Nested": Rows,
    "ListOf CallOf": Calls,
    "OneOrMany": CardOrCards,
    "CountOrCards": Held,
    "ListOf ListOf": Laid,
    "ListOf Nested, ordered": Steps,
    "Integer, few": Few,
}
"""The field of each kind of fact, by the kind's name; one that is not here is typed as text."""


def make(form: "QuestionForm", place: Field, name: str) -> FactField:
    """The field for a place of a shape."""
    called = type(place.kind).__name__
    if called == "ListOf":
        called = f"ListOf {type(place.kind.kind).__name__}"  # type: ignore[attr-defined]  # a list has
        called += ", ordered" * (place.ordered and called == "ListOf Nested")
    if place.few is not None:
        called += ", few"
    if called == "TurnUp" and form.ruleset.turned_card == "none":
        return BareSuit(form, place, name)
    if called == "Boolean":
        return (Check if place.absent is False else YesNo)(form, place, name)
    return KINDS.get(called, FactField)(form, place, name)
