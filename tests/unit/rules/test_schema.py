"""Reading JSON by schemas, and what is said of input that does not fit."""

from dataclasses import dataclass
from typing import Any

import pytest

from companion.rules.cards import pack
from companion.rules.errors import Unreadable
from companion.rules.schema import (
    Boolean,
    CardOf,
    Choice,
    Integer,
    ListOf,
    Nested,
    Nullable,
    Table,
    Text,
    TrumpOf,
    TurnUp,
    by_seat,
    by_side,
    field,
    parse,
    to_json,
)
from companion.rules.seats import Ring

TABLE = Table(Ring(2), frozenset(pack(["A", "10", "7"])))


@dataclass(frozen=True, slots=True)
class Inner:
    """A schema within a schema."""

    name: str = field(Text(5, 1))


@dataclass(frozen=True, slots=True)
class Outer:
    """A schema with one field of every kind."""

    n: int = field(Integer(1, 9))
    flag: bool = field(Boolean(), False)
    word: str | None = field(Choice(("x", "y")), None)
    card: Any = field(CardOf(), None)
    trump: Any = field(TrumpOf(), None)
    turned: Any = field(TurnUp(), None)
    sides: Any = field(by_side(Integer()), None)
    seats: Any = field(by_seat(ListOf(CardOf())), None)
    maybe: Any = field(Nullable(Integer()), 5)
    inner: Any = field(ListOf(Nested(Inner), 0, 2), ())
    with_: Any = field(Text(), "", name="with")


WHOLE = {
    "n": 3,
    "flag": True,
    "word": "x",
    "card": "10H",
    "trump": "S",
    "turned": "H",
    "sides": {"A": 1, "B": 2},
    "seats": {"B": ["AS"]},
    "maybe": None,
    "inner": [{"name": "Ewa"}],
    "with": "x",
}


def test_what_was_read_is_written_back() -> None:
    """Reading and writing gives the same JSON, and what was left out stays left out."""
    assert to_json(parse(Outer, WHOLE, "", TABLE)) == WHOLE
    assert to_json(parse(Outer, {"n": 3}, "", TABLE)) == {"n": 3}


def test_other_ways_of_writing_cards() -> None:
    """T is read as 10, signs as letters, small letters as large, and written plainly."""
    found = parse(Outer, {"n": 1, "card": "t♥", "trump": "♠", "turned": "♦"}, "", TABLE)
    assert to_json(found) == {"n": 1, "card": "10H", "trump": "S", "turned": "D"}


@pytest.mark.parametrize(
    ("change", "path", "requirement"),
    [
        ({"n": 2.0}, "n", "must be a whole number from 1 to 9, not 2.0"),
        ({"n": None}, "n", "must be a whole number from 1 to 9, not null"),
        ({"flag": 1}, "flag", "must be true or false, not 1"),
        ({"word": "z"}, "word", 'must be one of x, y, not "z"'),
        ({"word": ["x"]}, "word", 'must be one of x, y, not ["x"]'),
        ({"card": ""}, "card", "must be a card of this game’s pack"),
        ({"turned": "NT"}, "turned", "must be a card of this game’s pack"),
        ({"seats": {"A": ["AS", "?"]}}, "seats.A[1]", "must be a card of this game’s pack"),
        ({"a\nb": 1}, r"'a\nb'", "unknown key; known keys are"),
        ({"inner": [{"name": "a", "age": 3}]}, "inner[0].age", "unknown key; known keys are name"),
        ({"with_": "x"}, "with_", "unknown key; known keys are"),
    ],
)
def test_what_does_not_fit(change: dict[str, Any], path: str, requirement: str) -> None:
    """Input that does not fit is refused with its path and what must stand there."""
    with pytest.raises(Unreadable) as refused:
        parse(Outer, WHOLE | change, "", TABLE)
    assert refused.value.path == path
    assert str(refused.value).startswith(f"{path}: {requirement}")


def test_the_document_itself() -> None:
    """What is no object is refused by what stands there."""
    with pytest.raises(Unreadable, match=r"^document: must be an object, not \[\]$"):
        parse(Outer, [], "", TABLE)
