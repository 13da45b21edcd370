"""The field for each kind of fact; a kind that is not listed is typed as text."""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING

from wtforms.fields.core import UnboundField

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

from .base import ABSENT, CheckField, FactField, NumberField, NumbersField, QuestionContext, label_place
from .bout import StepsField, TableCardsField
from .calls import CallsField
from .cards import CardField, CardOrCardsField, CardsField, HeldCardsField, PileField, SuitField, TrumpField
from .choices import (
    ChoiceField,
    FewField,
    LengthField,
    MomentField,
    PersonField,
    RanksField,
    SeatsField,
    SidesField,
    TopRankField,
    YesNoField,
)
from .deal import DealField
from .groups import ByNameField, GroupField, RowField, RowsField
from .transfers import TransfersField

SINGLE: Mapping[type[Kind], type[FactField]] = {
    Boolean: YesNoField,
    CardOf: CardField,
    Choice: ChoiceField,
    CountOrCards: HeldCardsField,
    DealOf: DealField,
    FourOf: RanksField,
    Integer: NumberField,
    LengthOf: LengthField,
    Nullable: PersonField,
    OffenceOf: ChoiceField,
    OneOrMany: CardOrCardsField,
    RankOf: TopRankField,
    SaidAt: MomentField,
    SeatOf: PersonField,
    SideOf: PersonField,
    Trickless: SidesField,
    TrumpOf: TrumpField,
    TurnUp: CardField,
}
"""The field of each kind of fact."""

LISTS: Mapping[type[Kind], type[FactField]] = {
    CallOf: CallsField,
    CardOf: CardsField,
    Integer: NumbersField,
    ListOf: TableCardsField,
    SeatOf: SeatsField,
}
"""The field of a list, by the kind of what is in it."""

ORDERED: Mapping[type[Kind], type[FactField]] = {CardOf: PileField}
"""The field of a list whose order means something, where that is another one."""

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
            ordered = ORDERED.get(type(kind)) if place.ordered else None
            return ordered or LISTS.get(type(kind), FactField)
        case Boolean() if place.absent is False:
            return CheckField
        case Integer() if place.few is not None and place.key not in context.game.family.exact:
            return FewField
        case TurnUp() if not context.turns_card:
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
