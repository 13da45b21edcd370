"""What a JSON document may look like, said once.

A dataclass whose fields are made with `given` is a shape: `read` makes it from JSON and refuses whatever
does not fit with the path and what was expected; `plain` turns it back into the JSON it was read from.
Web forms are made from the same fields.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from functools import cache
from typing import Any, Protocol, TypeVar, cast

from .cards import NO_TRUMPS, Card, parse_card, parse_suit
from .message import Message
from .seats import Ring

T = TypeVar("T")


class Unreadable(ValueError):
    """Input that is not what the place holds: the JSON path, what was expected, what stood there."""

    def __init__(self, path: str, expected: Message | str, got: object = MISSING) -> None:
        self.path = path
        self.expected = expected if isinstance(expected, Message) else Message("{what}", what=expected)
        self.got = got
        found = "" if got is MISSING else f", not {_short(got)}"
        super().__init__(f"{path or 'document'}: expected {self.expected}{found}")


class MissingFact(Unreadable):
    """A fact that the ruling depends on and that was left out."""

    def __init__(self, path: str) -> None:
        super().__init__(path, Message("this to be given, for the answer depends on it"))


_CONTROL = frozenset(map(chr, (*range(32), *range(127, 160), 0x2028, 0x2029)))


def _short(value: object) -> str:
    text = "null" if value is None else str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


@dataclass(frozen=True, slots=True)
class Table:
    """What names mean at this table: its seats, the cards of its pack, the trumps it may have."""

    ring: Ring
    pack: frozenset[Card]
    no_trumps: bool = False


class Kind(Protocol):
    """One kind of value."""

    def read(self, value: Any, path: str, table: Table) -> Any:
        """The value, checked. :raises Unreadable: if it does not fit."""


@dataclass(frozen=True, slots=True)
class Integer:
    """A whole number."""

    least: int = 0
    most: int = 99_999

    def read(self, value: Any, path: str, table: Table) -> int:
        if type(value) is not int or not self.least <= value <= self.most:
            expected = Message("a whole number from {least} to {most}", least=self.least, most=self.most)
            raise Unreadable(path, expected, value)
        return value


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false."""

    def read(self, value: Any, path: str, table: Table) -> bool:
        if type(value) is not bool:
            raise Unreadable(path, Message("true or false"), value)
        return value


def check_text(value: Any, path: str, least: int, most: int, lines: bool = False) -> str:
    """A text that can be stored and shown: no half of a character in it, and line breaks only in `lines`.

    :raises Unreadable: for anything else, and for one that is too short or too long.
    """
    if not isinstance(value, str) or len(value) > most or len(value.strip()) < least:
        raise Unreadable(
            path, Message("a text of {least} to {most} characters", least=least, most=most), value
        )
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise Unreadable(path, Message("a text of whole characters"), value)
    if any(char in _CONTROL and not (lines and char in "\r\n\t") for char in value):
        raise Unreadable(path, Message("a text without control characters"), value)
    return value


@dataclass(frozen=True, slots=True)
class Text:
    """A text of at most so many characters."""

    most: int = 500
    least: int = 0
    lines: bool = False

    def read(self, value: Any, path: str, table: Table) -> str:
        return check_text(value, path, self.least, self.most, self.lines)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words."""

    values: tuple[str, ...]

    def read(self, value: Any, path: str, table: Table) -> str:
        if value not in self.values or not isinstance(value, str):
            raise Unreadable(path, Message("one of {values}", values=list(self.values)), value)
        return value


@dataclass(frozen=True, slots=True)
class CardOf:
    """A card of the pack."""

    def read(self, value: Any, path: str, table: Table) -> Card:
        try:
            card = parse_card(value) if isinstance(value, str) else None
        except ValueError:
            card = None
        if card is None or card not in table.pack:
            raise Unreadable(path, Message("a card of this game's pack, such as AS or 10H"), value)
        return card


@dataclass(frozen=True, slots=True)
class TrumpOf:
    """A suit, or `NT` where the game has no-trumps."""

    def read(self, value: Any, path: str, table: Table) -> str:
        if value == NO_TRUMPS and table.no_trumps:
            return NO_TRUMPS
        try:
            if isinstance(value, str):
                return parse_suit(value)
        except ValueError:
            pass
        suits = "S, H, D, C" + (", NT" if table.no_trumps else "")
        raise Unreadable(path, Message("one of {values}", values=suits), value)


@dataclass(frozen=True, slots=True)
class TurnUp:
    """The turned-up card, or its suit alone."""

    def read(self, value: Any, path: str, table: Table) -> Card | str:
        try:
            return parse_suit(value if isinstance(value, str) else "")
        except ValueError:
            return CardOf().read(value, path, table)


@dataclass(frozen=True, slots=True)
class SeatOf:
    """A seat of the table."""

    def read(self, value: Any, path: str, table: Table) -> str:
        return Choice(table.ring.seats).read(value, path, table)


@dataclass(frozen=True, slots=True)
class SideOf:
    """A side of the table."""

    def read(self, value: Any, path: str, table: Table) -> str:
        return Choice(table.ring.sides).read(value, path, table)


@dataclass(frozen=True, slots=True)
class Nullable:
    """Something, or null."""

    kind: Kind

    def read(self, value: Any, path: str, table: Table) -> Any:
        return None if value is None else self.kind.read(value, path, table)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list."""

    kind: Kind
    least: int = 0
    most: int = 99

    def read(self, value: Any, path: str, table: Table) -> tuple[Any, ...]:
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            expected = Message("a list of {least} to {most}", least=self.least, most=self.most)
            raise Unreadable(path, expected, value)
        return tuple(self.kind.read(one, f"{path}[{i}]", table) for i, one in enumerate(value))


@dataclass(frozen=True, slots=True)
class MappingOf:
    """An object keyed by `names(table)`; where it is `whole`, with every key present."""

    kind: Kind
    names: Callable[[Table], tuple[str, ...]]
    whole: bool = True

    def read(self, value: Any, path: str, table: Table) -> dict[str, Any]:
        names = self.names(table)
        if not isinstance(value, dict):
            raise Unreadable(path, Message("an object with the keys {keys}", keys=list(names)), value)
        for key in value:
            if key not in names:
                raise Unreadable(join_path(path, str(key)), Message("only the keys {keys}", keys=list(names)))
        if self.whole and len(value) < len(names):
            absent = next(name for name in names if name not in value)
            raise Unreadable(f"{path}.{absent}", Message("this to be given"))
        return {n: self.kind.read(value[n], f"{path}.{n}", table) for n in names if n in value}


def by_side(kind: Kind, whole: bool = True) -> MappingOf:
    """Something for each side."""
    return MappingOf(kind, lambda table: table.ring.sides, whole)


def by_seat(kind: Kind, whole: bool = False) -> MappingOf:
    """Something for some seats, or for each."""
    return MappingOf(kind, lambda table: table.ring.seats, whole)


@dataclass(frozen=True, slots=True)
class Nested:
    """A document of another shape."""

    shape: type

    def read(self, value: Any, path: str, table: Table) -> Any:
        return parse(self.shape, value, path, table)


def field(
    kind: Kind,
    absent: Any = MISSING,
    label: Message | None = None,
    name: str = "",
    *,
    aside: bool = False,
    ordered: bool = False,
    among: str = "",
    heap: str = "",
    few: int | None = None,
    where: str = "",
) -> Any:
    """A field of a shape: its kind, and its value when it is left out (none: it must be given).

    `label` is what a form says at the field; `name` the JSON key where it is not the field's own name.
    The rest helps forms, and changes nothing in what is read: a field that matters now and then stands
    `aside`; in an `ordered` list of cards their order tells something; a card `among` those of another field;
    no card lies twice in fields of one `heap`; of a number nothing counts beyond `few`; a field that means
    something only `where` another is one of these (`result=first,draw`).
    """
    hints = {"aside": aside, "ordered": ordered, "among": among, "heap": heap, "few": few, "where": where}
    return dataclass_field(default=absent, metadata={"kind": kind, "label": label, "name": name, **hints})


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a shape: the attribute, the JSON key, its kind, its label, its value when left out."""

    attribute: str
    key: str
    kind: Kind
    label: Message | None
    absent: Any
    aside: bool = False
    ordered: bool = False
    among: str = ""
    heap: str = ""
    few: int | None = None
    where: str = ""

    @property
    def needed(self) -> bool:
        """Whether it may not be left out."""
        return self.absent is MISSING


@cache
def fields_of(shape: Any) -> tuple[Field, ...]:
    """The fields of a shape, in order."""
    return tuple(
        Field(
            one.name,
            told["name"] or one.name,
            told["kind"],
            told["label"],
            one.default,
            told["aside"],
            told["ordered"],
            told["among"],
            told["heap"],
            told["few"],
            told["where"],
        )
        for one in fields(shape)
        if (told := one.metadata)
    )


def parse(shape: type[T], value: Any, path: str, table: Table) -> T:
    """The document as a shape.

    :raises Unreadable: at the first thing that does not fit.
    """
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an object"), value)
    known = {place.key: place for place in fields_of(cast(Any, shape))}
    for key in value:
        if key not in known:
            raise Unreadable(join_path(path, str(key)), Message("only the keys {keys}", keys=list(known)))
    found = {}
    for key, place in known.items():
        if key in value:
            found[place.attribute] = place.kind.read(value[key], join_path(path, key), table)
        elif place.needed:
            raise Unreadable(join_path(path, key), Message("this to be given"))
    return shape(**found)


def join_path(path: str, name: str) -> str:
    """The path of a field inside a document, on one line whatever the field is called."""
    shown = name if name.isprintable() else repr(name)
    return f"{path}.{shown}" if path else shown


def to_json(value: Any) -> Any:
    """The JSON of a shape, a card, or anything made of them; what was left out stays left out."""
    if is_dataclass(value) and not isinstance(value, Card):
        told = ((place, getattr(value, place.attribute)) for place in fields_of(cast(Any, type(value))))
        return {place.key: to_json(one) for place, one in told if one is not place.absent}
    match value:
        case Card() | StrEnum():
            return str(value)
        case Mapping():
            return {key: to_json(one) for key, one in value.items()}
        case list() | tuple():
            return [to_json(one) for one in value]
        case _:
            return value
