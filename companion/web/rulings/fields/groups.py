"""Facts made of facts: an object within the request, one for each side, a growing list."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING
from functools import partial
from typing import Any

from flask_babel import gettext as _
from wtforms import FieldList, FormField
from wtforms.fields.core import UnboundField
from wtforms.form import BaseForm
from wtforms.utils import unset_value

from companion.library.kinds import (
    BoutStep,
    CallOf,
    CountOrCards,
    DealOf,
    FourOf,
    LengthOf,
    OffenceOf,
    OneOrMany,
    RankOf,
    SaidAt,
    Transfer,
    Trickless,
)
from companion.rules.schema import (
    Boolean,
    CardOf,
    Choice,
    Field,
    Integer,
    Kind,
    ListOf,
    MappingOf,
    Nested,
    Nullable,
    SeatOf,
    SideOf,
    TrumpOf,
    TurnUp,
    fields_of,
)

from .base import (
    ABSENT,
    Absence,
    Address,
    CheckField,
    Fact,
    FactField,
    MacroWidget,
    NumberField,
    NumbersField,
    Piece,
    QuestionContext,
    join_lines,
    label_place,
)
from .bout import StepsField, TableCardsField, TransfersField
from .calls import CallsField
from .cards import CardField, CardOrCardsField, CardsField, DealField, HeldCardsField, SuitField
from .choices import ChoiceField, FewField, MomentField, PeopleField, PersonField, RanksField, YesNoField


class FactForm(BaseForm):
    """The form of facts that stand in one object; its fields are those that are handed in."""

    def __init__(
        self,
        fields: Mapping[str, UnboundField],
        formdata: Address,
        obj: None = None,
        prefix: str = "",
        meta: None = None,
    ) -> None:
        super().__init__(fields, prefix=prefix)
        self.process(formdata)


class GroupField(FactField, FormField):
    """Facts that belong together.

    :param fields: the fields of the object, unbound, by key.
    """

    widget = MacroWidget("group")

    def __init__(self, *args: Any, fields: Mapping[str, UnboundField], **kwargs: Any) -> None:
        super().__init__(*args, form_class=partial(FactForm, fields), separator=".", **kwargs)

    @property
    def fields(self) -> list[FactField]:
        """The fields within, in order."""
        return list(self.form)

    def find_field(self, key: str) -> FactField | None:
        """The field of one key."""
        return next((field for field in self.fields if field.key == key), None)

    @property
    def data(self) -> Fact | Absence:
        values = {field.key: field.data for field in self.fields}
        facts = {key: value for key, value in values.items() if value is not ABSENT}
        return facts or ABSENT

    def missing_fields(self) -> list[FactField]:
        if self.is_blank and not self.needed:
            return []
        return [missing for field in self.fields for missing in field.missing_fields()]

    def iter_fields(self) -> Iterator[FactField]:
        yield self
        for field in self.fields:
            yield from field.iter_fields()

    def describe(self) -> list[Piece]:
        """The fields that say anything, one a line, each with its label."""
        return join_lines(
            [
                ("label", field.label.text),
                *(("comma", "") if kind == "line" else (kind, value) for kind, value in field.describe()),
            ]
            for field in self.fields
            if not field.is_empty
        )


class ByNameField(GroupField):
    """The same fact for each side, or each seat."""

    widget = MacroWidget("by_name")

    @property
    def is_counted(self) -> bool:
        """Whether what stands for each of them is a number, as far as the first says."""
        return self.fields[0].widget.macro == "number"


class RowField(GroupField):
    """One of a list of things of the same shape.

    :param in_turn: whether the players take turns at owning what is new; else who did it is part of it.
    """

    widget = MacroWidget("row")
    index = 0
    """Its place in the list as it is shown."""

    def __init__(self, *args: Any, in_turn: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.in_turn = in_turn

    def process(self, formdata: Address, *args: Any, **kwargs: Any) -> None:
        """Take what stands in the address; what is new is the next player's, if it goes by turns."""
        super().process(formdata, *args, **kwargs)
        self.title = self.label.text = _("No. %(number)s", number=self.index + 1)
        seats = self.context.ring.seats
        for field in self.fields:
            if self.in_turn and isinstance(field, PersonField) and field.name not in formdata:
                field.assume(seats[self.index % len(seats)])

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it; whose it would be says nothing yet, if it goes by turns."""
        return all(
            field.is_blank for field in self.fields if not (self.in_turn and isinstance(field, PersonField))
        )


class RowsField(FactField, FieldList):
    """A list of things of the same shape, as many as are wanted.

    :param row: the unbound field of one of them.
    :param most: how many there can be.
    """

    widget = MacroWidget("rows")

    def __init__(self, *args: Any, row: UnboundField, least: int, most: int, **kwargs: Any) -> None:
        self.least, self.most = least, most
        super().__init__(*args, unbound_field=row, separator=".", **kwargs)

    def process(self, formdata: Address, data: object = unset_value, extra_filters: None = None) -> None:
        """Make as many rows as the address fills, or as are wanted."""
        places = (re.match(rf"{re.escape(self.name)}\.(\d{{1,2}})\.", key) for key in formdata)
        filled = max((int(place[1]) + 1 for place in places if place), default=0)
        wanted = formdata.get(f"rows.{self.name}", "")
        shown = int(wanted) if re.fullmatch(r"\d{1,2}", wanted) else self.context.ring.size
        self.entries: list[RowField] = []
        self.last_index = -1
        for _n in range(min(max(filled, shown, 1), self.most)):
            self._add_entry(formdata)

    @property
    def has_room(self) -> bool:
        """Whether there may be one more."""
        return len(self.entries) < self.most

    @property
    def filled_rows(self) -> list[RowField]:
        """The rows in which something stands, in order: the list of the request."""
        return [row for row in self.entries if not row.is_blank]

    def find_field(self, key: str) -> FactField | None:
        """The row of one place in the request's list."""
        rows = self.filled_rows
        return next((row for place, row in enumerate(rows) if str(place) == key), None)

    @property
    def data(self) -> Fact | Absence:
        facts: list[Fact] = [row.data for row in self.filled_rows if row.data is not ABSENT]
        return facts if facts or (self.needed and not self.least) else ABSENT

    def missing_fields(self) -> list[FactField]:
        return [field for row in self.filled_rows for field in row.missing_fields()]

    def iter_fields(self) -> Iterator[FactField]:
        yield self
        for row in self.entries:
            yield from row.iter_fields()

    def describe(self) -> list[Piece]:
        return join_lines(
            [
                piece
                for field in row.fields
                for piece in (
                    *([("text", field.lead_in)] if field.lead_in and not field.is_blank else []),
                    *field.describe(),
                )
            ]
            for row in self.filled_rows
        )


SINGLE: Mapping[type[Kind], type[FactField]] = {
    Boolean: YesNoField,
    CardOf: CardField,
    Choice: ChoiceField,
    CountOrCards: HeldCardsField,
    DealOf: DealField,
    FourOf: RanksField,
    Integer: NumberField,
    LengthOf: RanksField,
    Nullable: PersonField,
    OffenceOf: ChoiceField,
    OneOrMany: CardOrCardsField,
    RankOf: RanksField,
    SaidAt: MomentField,
    SeatOf: PersonField,
    SideOf: PersonField,
    Trickless: PeopleField,
    TrumpOf: SuitField,
    TurnUp: CardField,
}
"""The field of each kind of fact."""

LISTS: Mapping[type[Kind], type[FactField]] = {
    CallOf: CallsField,
    CardOf: CardsField,
    Integer: NumbersField,
    ListOf: TableCardsField,
    SeatOf: PeopleField,
}
"""The field of a list, by the kind of what is in it."""

SEQUENCES: Mapping[type, type[FactField]] = {BoutStep: StepsField, Transfer: TransfersField}
"""The field of what was done one after another, by the shape of one action."""


def make_fields(context: QuestionContext, places: Iterable[Field]) -> dict[str, UnboundField]:
    """The fields for the places of a schema, by key, to be bound to a form."""
    return {place.key: make_field(context, place) for place in places}


def make_field(context: QuestionContext, place: Field, label: str = "", title: str = "") -> UnboundField:
    """The field for one place of a schema; `label` and `title` as FactField takes them."""
    kind = place.kind
    if isinstance(kind, Nested):
        return GroupField(context, place, label, title, fields=make_fields(context, fields_of(kind.shape)))
    if isinstance(kind, MappingOf):
        return ByNameField(context, place, label, title, fields=_fields_by_name(context, place, kind))
    if isinstance(kind, ListOf) and isinstance(kind.kind, Nested):
        sequence = SEQUENCES.get(kind.kind.shape)
        if sequence is not None:
            return sequence(context, place, label, title)
        inner = make_fields(context, fields_of(kind.kind.shape))
        whole = Field("row", "row", kind.kind, None, None)
        row = RowField(context, whole, fields=inner, in_turn=not place.ordered)
        return RowsField(context, place, label, title, row=row, least=kind.least, most=kind.most)
    return _single_field(context, place)(context, place, label, title)


def _single_field(context: QuestionContext, place: Field) -> type[FactField]:
    match place.kind:
        case ListOf(kind=kind):
            return LISTS.get(type(kind), FactField)
        case Boolean() if place.absent is False:
            return CheckField
        case Integer() if place.few is not None and place.key not in context.game.family.exact:
            return FewField
        case TurnUp() if context.family_rules.turned_card == "none":
            return SuitField
        case kind:
            return SINGLE.get(type(kind), FactField)


def _fields_by_name(context: QuestionContext, place: Field, kind: MappingOf) -> dict[str, UnboundField]:
    """The same fact for each of the names, called as the players are."""
    letters, ring = kind.names(context.table), context.ring
    of_sides = letters == ring.sides and ring.partnerships
    absent = MISSING if kind.whole else ABSENT
    fields = {}
    for letter in letters:
        name = context.name_of(letter, side=of_sides)
        title = f"{label_place(context, place)}: {name}"
        fields[letter] = make_field(context, Field(letter, letter, kind.kind, None, absent), name, title)
    return fields
