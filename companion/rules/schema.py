"""Schemas of JSON documents, each declared once.

A dataclass whose fields are made with `field` is a schema: `parse` makes it from JSON and refuses whatever
does not fit, with the path and what the value must be; `to_json` turns it back into the same JSON. Web forms
are made from the same fields.

>>> from companion.rules.cards import pack
>>> @dataclass(frozen=True)
... class Trick:
...     leader: str = field(SeatOf())
...     cards: tuple[Card, ...] = field(ListOf(CardOf(), 1, 4))
...     note: str | None = field(Text(), None)
>>> table = Table(Ring(4), frozenset(pack(("A", "K"))))
>>> trick = parse(Trick, {"leader": "B", "cards": ["AS", "K♥"]}, "tricks[0]", table)
>>> [str(card) for card in trick.cards]
['AS', 'KH']
>>> to_json(trick)
{'leader': 'B', 'cards': ['AS', 'KH']}
>>> parse(Trick, {"leader": "E", "cards": ["AS"]}, "tricks[0]", table)
Traceback (most recent call last):
    ...
companion.rules.errors.Unreadable: tricks[0].leader: must be one of A, B, C, D, not "E"
>>> parse(Trick, {"leader": "B"}, "tricks[0]", table)
Traceback (most recent call last):
    ...
companion.rules.errors.Missing: tricks[0].cards: required
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from functools import cache
from itertools import count
from typing import Any, Protocol, TypeVar, cast

from .cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit, parse_card, parse_suit
from .errors import Missing, UnknownKey, Unreadable
from .message import Message
from .seats import Ring

T = TypeVar("T")


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_SUIT = {
    "enum": [*Suit],
    "description": "A suit; a small letter and the sign on the card, such as ♠, are taken too.",
}
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSHOWN = r"\u0000-\u001f\u007f-\u009f\u2028\u2029"
_CONTROL = {False: re.compile(f"[{_UNSHOWN}]"), True: re.compile(rf"(?![\r\n\t])[{_UNSHOWN}]")}
"""Characters that are not shown, and the same without line breaks."""
_SHOWN, _WITH_LINES = f"[^{_UNSHOWN}]", rf"(?:[^{_UNSHOWN}]|[\r\n\t])"


@dataclass(frozen=True, slots=True)
class Table:
    """The names that values may use: the table's seats, the cards of its pack, the possible trumps."""

    ring: Ring
    pack: frozenset[Card]
    no_trumps: bool = False
    all_trumps: bool = False

    @property
    def further_trumps(self) -> tuple[str, ...]:
        """The trumps beside the suits: none of them, and all."""
        return (*[NO_TRUMPS] * self.no_trumps, *[ALL_TRUMPS] * self.all_trumps)


class Kind(Protocol):
    """One kind of value."""

    def read(self, value: Any, path: str, table: Table) -> Any:
        """Check and return a value; `path` locates it.

        :raises Unreadable: when it does not fit.
        """


class DescribedKind(Kind, Protocol):
    """A kind of value that may stand in a record or in a question."""

    def describe(self, table: Table) -> dict[str, Any]:
        """Its JSON Schema (2020-12): `read` may refuse more, such as facts that contradict each other."""


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number from `least` to `most`; `1.0` and `true` are refused."""

    least: int = 0
    most: int = 99_999

    def read(self, value: Any, path: str, table: Table) -> int:
        if type(value) is not int or not self.least <= value <= self.most:
            expected = Message("a whole number from {least} to {most}", least=self.least, most=self.most)
            raise Unreadable(path, expected, value)
        return value

    def describe(self, table: Table) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false."""

    def read(self, value: Any, path: str, table: Table) -> bool:
        if type(value) is not bool:
            raise Unreadable(path, Message("true or false"), value)
        return value

    def describe(self, table: Table) -> dict[str, Any]:
        return {"type": "boolean"}


MAX_ID = 64
"""Characters of an id, as databases store it."""


def is_storable(*ids: str) -> bool:
    """True if these ids, or keys of forms, can be stored in every database."""
    return all(len(id) <= MAX_ID for id in ids) and is_storable_text("".join(ids))


def is_storable_text(text: str) -> bool:
    """True if this text, of any length, can be stored in every database."""
    return _UNSTORABLE.search(text) is None


def check_text(value: Any, path: str, least: int, most: int, lines: bool = False) -> str:
    """Check a text that is to be stored and shown: valid Unicode, line breaks only if `lines` are allowed.

    :raises Unreadable: for anything else, and when it is shorter than `least` (spaces around it not counted)
        or longer than `most` characters.
    """
    if not isinstance(value, str) or len(value) > most or len(value.strip()) < least:
        raise Unreadable(
            path, Message("a text of {least} to {most} characters", least=least, most=most), value
        )
    if _SURROGATE.search(value):
        raise Unreadable(path, Message("a text of valid Unicode characters"), value)
    if _CONTROL[lines].search(value):
        raise Unreadable(path, Message("a text without control characters"), value)
    return value


@dataclass(frozen=True, slots=True)
class Text:
    """A text of `least` to `most` characters; line breaks only with `lines`."""

    most: int = 500
    least: int = 0
    lines: bool = False

    def read(self, value: Any, path: str, table: Table) -> str:
        return check_text(value, path, self.least, self.most, self.lines)

    def describe(self, table: Table) -> dict[str, Any]:
        return describe_text(self.least, self.most, self.lines)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the words `values`."""

    values: tuple[str, ...]

    def read(self, value: Any, path: str, table: Table) -> str:
        if value not in self.values or not isinstance(value, str):
            raise Unreadable(path, Message("one of {values}", values=list(self.values)), value)
        return value

    def describe(self, table: Table) -> dict[str, Any]:
        return {"enum": list(self.values)} if len(self.values) > 1 else {"const": self.values[0]}


@dataclass(frozen=True, slots=True)
class CardOf:
    """A card of the pack; with `suited`, no joker, for a joker that is turned up is put back."""

    suited: bool = False

    def read(self, value: Any, path: str, table: Table) -> Card:
        try:
            card = parse_card(value) if isinstance(value, str) else None
        except ValueError:
            card = None
        if card is None or card not in table.pack:
            fault = Unreadable(path, Message("a card of this game’s pack, such as AS or 10H"), value)
            fault.contradicts = card is not None  # some tables have it
            raise fault
        if card.is_joker and self.suited:
            expected = Message("a card with a suit: a joker that is turned up goes back into the talon")
            raise Unreadable(path, expected, value)
        return card

    def describe(self, table: Table) -> dict[str, Any]:
        ranks = "|".join(sorted({card.rank for card in table.pack if not card.is_joker}))
        pattern = f"(?:{ranks})[{''.join(Suit)}]"
        if any(card.is_joker for card in table.pack) and not self.suited:
            pattern = rf"(?:{pattern}|\*[BR])"
        about = "A card of the pack; small letters, T for 10 and signs of suits, such as t♥, are taken too."
        return name_schema("Card", {"type": "string", "pattern": f"^{pattern}$", "description": about})


@dataclass(frozen=True, slots=True)
class TrumpOf:
    """A suit, `NT` if the game has no-trumps, or `AT` if it has all trumps."""

    def read(self, value: Any, path: str, table: Table) -> str:
        if isinstance(value, str) and value in table.further_trumps:
            return value
        try:
            if isinstance(value, str):
                return parse_suit(value)
        except ValueError:
            pass
        suits = ", ".join(("S, H, D, C", *table.further_trumps))
        fault = Unreadable(path, Message("one of {values}", values=suits), value)
        fault.contradicts = value in (NO_TRUMPS, ALL_TRUMPS)  # some tables have them
        raise fault

    def describe(self, table: Table) -> dict[str, Any]:
        if not table.further_trumps:
            return name_schema("Suit", _SUIT)
        return name_schema("Trump", {**_SUIT, "enum": [*Suit, *table.further_trumps]})


@dataclass(frozen=True, slots=True)
class TurnUp:
    """The turn-up, or its suit alone."""

    def read(self, value: Any, path: str, table: Table) -> Card | str:
        try:
            return parse_suit(value if isinstance(value, str) else "")
        except ValueError:
            return CardOf().read(value, path, table)

    def describe(self, table: Table) -> dict[str, Any]:
        return {"anyOf": [name_schema("Suit", _SUIT), CardOf().describe(table)]}


@dataclass(frozen=True, slots=True)
class SeatOf:
    """A seat of the table."""

    def read(self, value: Any, path: str, table: Table) -> str:
        return Choice(table.ring.seats).read(value, path, table)

    def describe(self, table: Table) -> dict[str, Any]:
        return name_schema("Seat", {"enum": list(table.ring.seats)})


@dataclass(frozen=True, slots=True)
class SideOf:
    """A side of the table."""

    def read(self, value: Any, path: str, table: Table) -> str:
        return Choice(table.ring.sides).read(value, path, table)

    def describe(self, table: Table) -> dict[str, Any]:
        return name_schema("Side", {"enum": list(table.ring.sides)})


@dataclass(frozen=True, slots=True)
class Nullable:
    """A value of the kind, or null."""

    kind: Kind

    def read(self, value: Any, path: str, table: Table) -> Any:
        return None if value is None else self.kind.read(value, path, table)

    def describe(self, table: Table) -> dict[str, Any]:
        return {"anyOf": [describe_kind(self.kind, table), {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of one kind, from `least` to `most` items long; read as a tuple."""

    kind: Kind
    least: int = 0
    most: int = 99

    def read(self, value: Any, path: str, table: Table) -> tuple[Any, ...]:
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            expected = Message("a list of {least} to {most} items", least=self.least, most=self.most)
            raise Unreadable(path, expected, value)
        return tuple(self.kind.read(item, f"{path}[{i}]", table) for i, item in enumerate(value))

    def describe(self, table: Table) -> dict[str, Any]:
        item = describe_kind(self.kind, table)
        size = {**({"minItems": self.least} if self.least else {}), "maxItems": self.most}
        listed = {"type": "array", "items": item, **size}
        named = item.get("$ref", {}).get("title")
        return name_schema(f"{named}-list", listed) if named else listed


@dataclass(frozen=True, slots=True)
class MappingOf:
    """An object with the keys `names(table)`; with `whole`, every one of them must be given."""

    kind: Kind
    names: Callable[[Table], tuple[str, ...]]
    whole: bool

    def read(self, value: Any, path: str, table: Table) -> dict[str, Any]:
        names = self.names(table)
        if not isinstance(value, dict):
            raise Unreadable(path, Message("an object with the keys {keys}", keys=list(names)), value)
        for key in value:
            if key not in names:
                raise UnknownKey(join_path(path, str(key)), names)
        if self.whole and len(value) < len(names):
            raise Missing(f"{path}.{next(name for name in names if name not in value)}")
        return {n: self.kind.read(value[n], f"{path}.{n}", table) for n in names if n in value}

    def describe(self, table: Table) -> dict[str, Any]:
        names, item = self.names(table), describe_kind(self.kind, table)
        described = describe_object(dict.fromkeys(names, item), names if self.whole else ())
        by = "Side" if names == table.ring.sides else "Seat"
        return name_schema(f"By-{by}", described)


def by_side(kind: Kind, whole: bool = True) -> MappingOf:
    """An object with a value for each side; with `whole`, none may be left out."""
    return MappingOf(kind, lambda table: table.ring.sides, whole)


def by_seat(kind: Kind, whole: bool = False) -> MappingOf:
    """An object with a value for each seat; with `whole`, none may be left out."""
    return MappingOf(kind, lambda table: table.ring.seats, whole)


@dataclass(frozen=True, slots=True)
class Nested:
    """An object of another schema."""

    shape: type

    def read(self, value: Any, path: str, table: Table) -> Any:
        return parse(self.shape, value, path, table)

    def describe(self, table: Table) -> dict[str, Any]:
        return name_schema(self.shape.__name__, describe_shape(self.shape, table))


def field(
    kind: Kind,
    absent: Any = MISSING,
    label: Message | None = None,
    name: str = "",
    *,
    folded: bool = False,
    ordered: bool = False,
    among: str = "",
    heap: str = "",
    few: int | None = None,
    where: str = "",
    waiting: bool = False,
) -> Any:
    """Declare one field of a schema.

    :param kind: the kind of its values.
    :param absent: its value if the JSON leaves it out; without one it must be given.
    :param label: the label in a form.
    :param name: its JSON key, if not the attribute's own name (`with`, `card`).

    The rest are hints for forms, and do not affect parsing:

    :param folded: it matters only now and then, so a form folds it away.
    :param ordered: the order of its cards means something, so a form keeps it.
    :param among: the name of the field that contains this card.
    :param heap: fields with the same heap share cards that exist once: none is in two of them.
    :param few: up to this number each value makes a difference, beyond it none does.
    :param where: `key=value,value`: it has a meaning only if that other field has one of the values.
    :param waiting: for cards on a table: the attacking ones are probably not beaten yet.
    """
    hints = {"folded": folded, "ordered": ordered, "among": among, "heap": heap, "few": few, "where": where}
    hints["waiting"] = waiting
    return dataclass_field(
        default=absent, metadata={"kind": kind, "label": label, "name": name, "hints": hints}
    )


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a schema, as `field` declares it: `attribute` of the dataclass, `key` in the JSON."""

    attribute: str
    key: str
    kind: Kind
    label: Message | None
    absent: Any
    folded: bool = False
    ordered: bool = False
    among: str = ""
    heap: str = ""
    few: int | None = None
    where: str = ""
    waiting: bool = False

    @property
    def needed(self) -> bool:
        """True if it must be given."""
        return self.absent is MISSING


@cache
def fields_of(schema: Any) -> tuple[Field, ...]:
    """The fields of a schema, in order."""
    return tuple(
        Field(
            member.name,
            member.metadata["name"] or member.name,
            member.metadata["kind"],
            member.metadata["label"],
            member.default,
            **member.metadata["hints"],
        )
        for member in fields(schema)
    )


def parse(schema: type[T], value: Any, path: str, table: Table) -> T:
    """Parse a JSON object by a schema; `path` locates it in the document (empty: it is the document).

    :raises Unreadable: at the first thing that does not fit; `Missing` and `UnknownKey` for its keys.
    """
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an object"), value)
    known = {member.key: member for member in fields_of(cast(Any, schema))}
    for key in value:
        if key not in known:
            raise UnknownKey(join_path(path, str(key)), known)
    values = {}
    for key, member in known.items():
        if key in value:
            values[member.attribute] = member.kind.read(value[key], join_path(path, key), table)
        elif member.needed:
            raise Missing(join_path(path, key))
    return schema(**values)


def join_path(path: str, name: str) -> str:
    """Join the path of a field inside a document, on one line whatever the field is called."""
    step = name if name.isprintable() else repr(name)
    return f"{path}.{step}" if path else step


def describe_kind(kind: Kind, table: Table) -> dict[str, Any]:
    """The JSON Schema of a kind that may stand in a record or in a question."""
    return cast(DescribedKind, kind).describe(table)


def name_schema(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Make a reference that contains its schema under this name, for `share_schemas` to move out."""
    return {"$ref": {"title": name, **schema}}


def share_schemas(schema: Any, address: str, shared: dict[str, Any]) -> Any:
    """Move a schema's named parts into `shared`, each different one once, and refer to them there.

    :param address: the prefix of names in a reference: `#/$defs/`.
    :param shared: schemas by their names; different ones of one name become `Seat`, `Seat-2`, `Seat-3`.

    >>> shared = {}
    >>> pair = [SeatOf().describe(Table(Ring(size), frozenset())) for size in (2, 2, 3)]
    >>> [seat["$ref"] for seat in share_schemas(pair, "#/$defs/", shared)]
    ['#/$defs/Seat', '#/$defs/Seat', '#/$defs/Seat-2']
    >>> shared["Seat-2"]
    {'enum': ['A', 'B', 'C']}
    """
    if isinstance(schema, list):
        return [share_schemas(part, address, shared) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    parts = {key: share_schemas(part, address, shared) for key, part in schema.items()}
    held = parts.get("$ref")
    if isinstance(held, dict):
        title = held.pop("title")
        names = (title if n == 1 else f"{title}-{n}" for n in count(1))
        name = next(name for name in names if shared.get(name, held) == held)
        shared[name] = held
        parts["$ref"] = address + name
    return parts


def describe_text(least: int, most: int, lines: bool = False) -> dict[str, Any]:
    """The JSON Schema of a text, as `check_text` reads it; if it needs characters, a blank one is refused."""
    shown = _WITH_LINES if lines else _SHOWN
    pattern = f"^{shown}*[^\\s{_UNSHOWN}]{shown}*$" if least else f"^{shown}*$"
    size = {"maxLength": most, **({"minLength": least} if least else {})}
    return name_schema("Lines" if lines else "Text", {"type": "string", **size, "pattern": pattern})


def describe_object(properties: Mapping[str, Any], required: Iterable[str] = ()) -> dict[str, Any]:
    """The JSON Schema of an object with no other keys than these."""
    needed = {"required": found} if (found := list(required)) else {}
    return {"type": "object", "properties": dict(properties), **needed, "additionalProperties": False}


def describe_shape(schema: Any, table: Table) -> dict[str, Any]:
    """The JSON Schema of the objects that `parse` reads at this table; labels of fields describe them."""
    members = fields_of(schema)
    properties = {
        member.key: describe_kind(member.kind, table)
        | ({"description": str(member.label)} if member.label else {})
        for member in members
    }
    return describe_object(properties, (member.key for member in members if member.needed))


def to_json(value: Any) -> Any:
    """Convert a schema's object, a card, or anything made of them to JSON; omitted fields stay omitted."""
    if is_dataclass(value) and not isinstance(value, Card):
        members = fields_of(cast(Any, type(value)))
        content = ((member, getattr(value, member.attribute)) for member in members)
        return {member.key: to_json(item) for member, item in content if item is not member.absent}
    match value:
        case Card() | StrEnum():
            return str(value)
        case Mapping():
            return {key: to_json(item) for key, item in value.items()}
        case list() | tuple():
            return [to_json(item) for item in value]
        case _:
            return value
