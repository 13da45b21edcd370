"""Fields made of fields: an object within the request, a field for each side, a growing list."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING

from flask_babel import gettext as _

from companion.library import kinds
from companion.rules import schema
from companion.web.forms.values import ABSENT, Absence, Fact

from .base import (
    Address,
    CheckField,
    FactField,
    NumberField,
    NumbersField,
    Piece,
    QuestionContext,
    find_rows,
    join_lines,
    label_place,
)
from .bout import StepsField, TableCardsField, TransfersField
from .calls import CallsField
from .cards import CardField, CardOrCardsField, CardsField, DealField, HeldCardsField, SuitField
from .choices import (
    BelaField,
    BidField,
    ChoiceField,
    FewField,
    MomentField,
    PeopleField,
    PersonField,
    RanksField,
)


class GroupField(FactField):
    """Facts that belong together: the fields of an object."""

    macro = "group"

    def read(self, address: Address) -> None:
        self.fields = self.make_fields(address)

    def make_fields(self, address: Address) -> list[FactField]:
        """Make the fields that have a label, in order; a form does not ask for other facts."""
        kind = self.place.kind
        assert isinstance(kind, schema.Nested)
        return [
            make_field(self.context, place, f"{self.name}.{place.key}", address)
            for place in schema.fields_of(kind.shape)
            if place.label is not None
        ]

    def find_field(self, key: str) -> FactField | None:
        """The field with this key, or None."""
        return next((field for field in self.fields if field.key == key), None)

    @property
    def fact(self) -> Fact | Absence:
        return collect_facts(self.fields) or ABSENT

    def missing_fields(self) -> list[FactField]:
        if self.is_blank and not self.place.needed:
            return []
        return [missing for field in self.fields for missing in field.missing_fields()]

    def iter_fields(self) -> Iterator[FactField]:
        yield self
        for field in self.fields:
            yield from field.iter_fields()

    def describe(self) -> list[Piece]:
        """Describe the filled fields, one a line, each with its label."""
        return join_lines(
            [
                ("label", field.label),
                *(("comma", "") if kind == "line" else (kind, value) for kind, value in field.describe()),
            ]
            for field in self.fields
            if not field.is_empty
        )


class ByNameField(GroupField):
    """The same fact for each side, or each seat, labelled with its players' names."""

    macro = "by_name"

    def make_fields(self, address: Address) -> list[FactField]:
        kind = self.place.kind
        assert isinstance(kind, schema.MappingOf)
        letters, ring = kind.names(self.context.table), self.context.ring
        of_sides = letters == ring.sides and ring.partnerships
        fields = []
        for letter in letters:
            place = schema.Field(letter, letter, kind.kind, None, MISSING if kind.whole else ABSENT)
            label = self.context.name_of(letter, side=of_sides)
            title = f"{label_place(self.context, self.place)}: {label}"
            fields.append(make_field(self.context, place, f"{self.name}.{letter}", address, label, title))
        return fields

    @property
    def is_counted(self) -> bool:
        """True if the facts are numbers, as far as the first field shows."""
        return self.fields[0].macro == "number"


class RowField(GroupField):
    """One item of a list of objects.

    If the items have no order of their own, new ones belong to the players in turn; else the player is one of
    their facts.
    """

    macro = "row"

    def __init__(self, rows: FactField, index: int, address: Address) -> None:
        kind = rows.place.kind
        assert isinstance(kind, schema.ListOf)
        self.index, self.in_turn = index, not rows.place.ordered
        place = schema.Field("row", "row", kind.kind, None, None)
        label = _("No. %(number)s", number=index + 1)
        super().__init__(rows.context, place, f"{rows.name}.{index}", address, label)

    def read(self, address: Address) -> None:
        super().read(address)
        seats = self.context.ring.seats
        for field in self.fields:
            if self.in_turn and isinstance(field, PersonField) and field.name not in address:
                field.assume(seats[self.index % len(seats)])

    @property
    def is_blank(self) -> bool:
        """True if it has no facts; a player filled in by turn does not count."""
        return all(
            field.is_blank for field in self.fields if not (self.in_turn and isinstance(field, PersonField))
        )


class RowsField(FactField):
    """A list of objects: as many rows as the address fills, or asks for."""

    macro = "rows"

    def read(self, address: Address) -> None:
        kind = self.place.kind
        assert isinstance(kind, schema.ListOf)
        self.least, self.most = kind.least, kind.most
        filled = max(find_rows(address, self.name), default=-1) + 1
        wanted = address.get(f"rows.{self.name}", "")
        shown = int(wanted) if re.fullmatch(r"\d{1,2}", wanted) else self.context.ring.size
        self.entries = [RowField(self, n, address) for n in range(min(max(filled, shown, 1), self.most))]

    @property
    def has_room(self) -> bool:
        """True if there may be one more."""
        return len(self.entries) < self.most

    @property
    def filled_rows(self) -> list[RowField]:
        """The rows with facts, in order: the list of the request."""
        return [row for row in self.entries if not row.is_blank]

    def find_field(self, key: str) -> FactField | None:
        """The row with this index in the request's list, or None."""
        rows = self.filled_rows
        return next((row for place, row in enumerate(rows) if str(place) == key), None)

    @property
    def fact(self) -> Fact | Absence:
        facts: list[Fact] = [fact for row in self.filled_rows if (fact := row.fact) is not ABSENT]
        return facts if facts or (self.place.needed and not self.least) else ABSENT

    def missing_fields(self) -> list[FactField]:
        return [field for row in self.filled_rows for field in row.missing_fields()]

    def iter_fields(self) -> Iterator[FactField]:
        yield self
        for row in self.entries:
            yield from row.iter_fields()

    def describe(self) -> list[Piece]:
        lines = []
        for row in self.filled_rows:
            line: list[Piece] = []
            for field in row.fields:
                if isinstance(field.place.kind, kinds.RankOf) and not field.is_blank:
                    line.append(("text", _("from the top card")))  # the rank alone says nothing
                line += field.describe()
            lines.append(line)
        return join_lines(lines)


SINGLE: Mapping[type[schema.Kind], type[FactField]] = {
    kinds.Belas: BelaField,
    kinds.BidPoints: BidField,
    schema.Boolean: ChoiceField,
    schema.CardOf: CardField,
    schema.Choice: ChoiceField,
    kinds.CountOrCards: HeldCardsField,
    kinds.DealOf: DealField,
    kinds.FourOf: RanksField,
    schema.Integer: NumberField,
    kinds.LengthOf: RanksField,
    schema.MappingOf: ByNameField,
    schema.Nested: GroupField,
    schema.Nullable: PersonField,
    kinds.OffenceOf: ChoiceField,
    kinds.OneOrMany: CardOrCardsField,
    kinds.RankOf: RanksField,
    kinds.SaidAt: MomentField,
    schema.SeatOf: PersonField,
    schema.SideOf: PersonField,
    kinds.Trickless: PeopleField,
    schema.TrumpOf: SuitField,
    schema.TurnUp: CardField,
}
"""The field of each kind of fact."""

LISTS: Mapping[type[schema.Kind], type[FactField]] = {
    kinds.CallOf: CallsField,
    schema.CardOf: CardsField,
    schema.Integer: NumbersField,
    schema.ListOf: TableCardsField,
    schema.SeatOf: PeopleField,
}
"""The field of a list, by the kind of its items."""

SEQUENCES: Mapping[type, type[FactField]] = {kinds.BoutStep: StepsField, kinds.Transfer: TransfersField}
"""The field of a sequence of actions, by the shape of one; other objects are rows."""


def make_field(
    context: QuestionContext,
    place: schema.Field,
    name: str,
    address: Address,
    label: str = "",
    title: str = "",
) -> FactField:
    """Make the field for a field of a schema, filled from an address; the rest is as in FactField."""
    return _find_class(context, place)(context, place, name, address, label, title)


def _find_class(context: QuestionContext, place: schema.Field) -> type[FactField]:
    match place.kind:
        case schema.ListOf(kind=schema.Nested(shape=shape)):
            return SEQUENCES.get(shape, RowsField)
        case schema.ListOf(kind=kind):
            return LISTS.get(type(kind), FactField)
        case schema.Nullable(kind=kinds.Belas()):
            return BelaField
        case schema.Boolean() if place.absent is False:
            return CheckField
        case schema.Integer() if place.few is not None and place.key not in context.game.family.exact:
            return FewField
        case schema.TurnUp() if context.family_rules.turned_card == "none":
            return SuitField
        case kind:
            return SINGLE.get(type(kind), FactField)


def collect_facts(fields: Iterable[FactField]) -> dict[str, Fact]:
    """The facts of some fields as JSON, by key, without blank ones."""
    facts = ((field.key, field.fact) for field in fields)
    return {key: fact for key, fact in facts if fact is not ABSENT}
