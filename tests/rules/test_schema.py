"""Reading JSON into shapes, and what is said of input that does not fit."""

from dataclasses import dataclass
from typing import Any

import pytest

from companion.rules.cards import pack
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
    Unreadable,
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
    """A shape within a shape."""

    name: str = field(Text(5, 1))


@dataclass(frozen=True, slots=True)
class Outer:
    """A shape with one field of every kind."""

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
    ("change", "path", "expected"),
    [
        ({"n": 0}, "n", "a whole number from 1 to 9, not 0"),
        ({"n": True}, "n", "a whole number from 1 to 9, not true"),
        ({"n": 2.0}, "n", "a whole number from 1 to 9, not 2.0"),
        ({"n": None}, "n", "a whole number from 1 to 9, not null"),
        ({"flag": 1}, "flag", "true or false, not 1"),
        ({"word": "z"}, "word", "one of x, y, not 'z'"),
        ({"word": ["x"]}, "word", "one of x, y, not ['x']"),
        ({"card": "6H"}, "card", "a card of this game's pack"),
        ({"card": "H10"}, "card", "a card of this game's pack"),
        ({"card": ""}, "card", "a card of this game's pack"),
        ({"trump": "NT"}, "trump", "one of S, H, D, C, not 'NT'"),
        ({"turned": "NT"}, "turned", "a card of this game's pack"),
        ({"sides": {"A": 1}}, "sides.B", "this to be given"),
        ({"sides": {"A": 1, "B": 2, "C": 3}}, "sides.C", "only the keys A, B"),
        ({"sides": []}, "sides", "an object with the keys A, B, not []"),
        ({"seats": {"A": "AS"}}, "seats.A", "a list of 0 to 99"),
        ({"seats": {"A": ["AS", "?"]}}, "seats.A[1]", "a card of this game's pack"),
        ({"inner": [{}]}, "inner[0].name", "this to be given"),
        ({"inner": [{"name": " "}]}, "inner[0].name", "a text of 1 to 5 characters"),
        ({"inner": [{"name": "a\0"}]}, "inner[0].name", "a text without control characters"),
        ({"inner": [{"name": "a\nb"}]}, "inner[0].name", "a text without control characters"),
        ({"a\nb": 1}, r"'a\nb'", "only the keys"),
        ({"inner": [{"name": "\ud83d"}]}, "inner[0].name", "a text of whole characters"),
        ({"inner": [{"name": "Ewunia"}]}, "inner[0].name", "a text of 1 to 5 characters"),
        ({"inner": [{"name": "a"}] * 3}, "inner", "a list of 0 to 2"),
        ({"inner": [{"name": "a", "age": 3}]}, "inner[0].age", "only the keys name"),
        ({"with_": "x"}, "with_", "only the keys"),
    ],
)
def test_what_does_not_fit(change: dict[str, Any], path: str, expected: str) -> None:
    """Input that does not fit is refused with its path and what was expected."""
    with pytest.raises(Unreadable) as refused:
        parse(Outer, WHOLE | change, "", TABLE)
    assert refused.value.path == path
    assert str(refused.value).startswith(f"{path}: expected {expected}")


def test_line_breaks_only_where_lines_are_written() -> None:
    """A text of lines may break, but holds no other control character."""
    assert Text(9, lines=True).read("a\nb", "note", TABLE) == "a\nb"
    with pytest.raises(Unreadable, match="control characters"):
        Text(9, lines=True).read("a\0b", "note", TABLE)


def test_the_document_itself() -> None:
    """What is no object is refused by what stands there."""
    with pytest.raises(Unreadable, match=r"^document: expected an object, not \[\]$"):
        parse(Outer, [], "", TABLE)


def test_long_input_is_cut_short() -> None:
    """A sentence about input does not repeat all of it."""
    with pytest.raises(Unreadable) as refused:
        parse(Outer, {"n": "x" * 1000}, "", TABLE)
    assert len(str(refused.value)) < 120
