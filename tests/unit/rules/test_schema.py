"""The kinds of values that a schema knows, at the edges of what they take."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from enum import StrEnum
from typing import Any

import pytest

from companion.rules.cards import pack, parse_card
from companion.rules.errors import Missing, UnknownKey, Unreadable, quote_json
from companion.rules.message import Message
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
    Table,
    Text,
    TrumpOf,
    TurnUp,
    by_seat,
    by_side,
    check_text,
    field,
    fields_of,
    join_path,
    parse,
    to_json,
)
from companion.rules.seats import Ring

TABLE = Table(Ring(4, partnerships=True), frozenset(pack(["A", "10"])))
WITHOUT_TRUMPS = Table(Ring(2), frozenset(), no_trumps=True)


HINTS: dict[str, Any] = {"folded": True, "ordered": True, "among": "hand", "heap": "pack", "few": 3}


@dataclass(frozen=True)
class Deal:
    dealer: str = field(SeatOf())
    with_: Any = field(CardOf(), None, Message("With"), "with", where="kind=run", **HINTS)


@pytest.mark.parametrize(
    ("kind", "value", "result"),
    [
        (Integer(), 0, 0),
        (Integer(), 99_999, 99_999),
        (Integer(-3, -1), -3, -3),
        (Text(), "", ""),
        (Text(), "x" * 500, "x" * 500),
        (Text(3, 3), "abc", "abc"),
        (Text(3, 1), " a ", " a "),
        (ListOf(Boolean()), [], ()),
        (ListOf(Boolean()), [True] * 99, (True,) * 99),
        (ListOf(Boolean(), 2, 2), [True, False], (True, False)),
        (Nullable(Integer()), None, None),
        (Nullable(Integer()), 0, 0),
        (Choice(("x", "y")), "x", "x"),
        (SeatOf(), "D", "D"),
        (SideOf(), "B", "B"),
        (CardOf(), " t♥ ", parse_card("10H")),
        (TurnUp(), "AS", parse_card("AS")),
        (TurnUp(), "♠", "S"),
        (TrumpOf(), "c", "C"),
        (by_side(Integer()), {"B": 2, "A": 1}, {"A": 1, "B": 2}),
        (by_side(Integer(), whole=False), {"B": 2}, {"B": 2}),
        (by_seat(Integer()), {"C": 3}, {"C": 3}),
        (by_seat(Integer(), whole=True), dict.fromkeys("ABCD", 1), dict.fromkeys("ABCD", 1)),
        (MappingOf(Integer(), lambda table: ("x", "y"), True), {"y": 1, "x": 0}, {"x": 0, "y": 1}),
        (Nested(Deal), {"dealer": "C"}, Deal("C", None)),
    ],
)
def test_what_fits(kind: Kind, value: Any, result: Any) -> None:
    assert kind.read(value, "path", TABLE) == result


@pytest.mark.parametrize(
    ("kind", "value", "sentence"),
    [
        (Integer(), -1, "path: must be a whole number from 0 to 99999, not -1"),
        (Integer(), 100_000, "path: must be a whole number from 0 to 99999, not 100000"),
        (Integer(), 2.0, "path: must be a whole number from 0 to 99999, not 2.0"),
        (Integer(), None, "path: must be a whole number from 0 to 99999, not null"),
        (Text(), "x" * 501, "path: must be a text of 0 to 500 characters, not "),
        (Text(3, 2), " a ", 'path: must be a text of 2 to 3 characters, not " a "'),
        (Text(), 5, "path: must be a text of 0 to 500 characters, not 5"),
        (Text(), "a\nb", r'path: must be a text without control characters, not "a\nb"'),
        (ListOf(Boolean()), [True] * 100, "path: must be a list of 0 to 99 items, not "),
        (ListOf(Boolean(), 2, 3), [True], "path: must be a list of 2 to 3 items, not [true]"),
        (ListOf(Boolean(), 0, 3), {}, "path: must be a list of 0 to 3 items, not {}"),
        (ListOf(Boolean()), [True, 1], "path[1]: must be true or false, not 1"),
        (Nullable(Integer()), "x", 'path: must be a whole number from 0 to 99999, not "x"'),
        (Choice(("x", "y")), "xy", 'path: must be one of x, y, not "xy"'),
        (Choice(("x", "y")), ["x"], 'path: must be one of x, y, not ["x"]'),
        (SeatOf(), "E", 'path: must be one of A, B, C, D, not "E"'),
        (SideOf(), "C", 'path: must be one of A, B, not "C"'),
        (CardOf(), 7, "path: must be a card of this game’s pack, such as AS or 10H, not 7"),
        (CardOf(), "KS", 'path: must be a card of this game’s pack, such as AS or 10H, not "KS"'),
        (CardOf(), "", 'path: must be a card of this game’s pack, such as AS or 10H, not ""'),
        (TurnUp(), 7, "path: must be a card of this game’s pack, such as AS or 10H, not 7"),
        (TurnUp(), "NT", 'path: must be a card of this game’s pack, such as AS or 10H, not "NT"'),
        (TrumpOf(), 7, "path: must be one of S, H, D, C, not 7"),
        (TrumpOf(), "X", 'path: must be one of S, H, D, C, not "X"'),
        (by_side(Integer()), {"B": 1}, "path.A: required"),
        (by_side(Integer()), {"A": 1}, "path.B: required"),
        (by_side(Integer(), whole=False), {"C": 1}, "path.C: unknown key; known keys are A, B"),
        (by_seat(Integer()), {"A\n": 1}, r"path.'A\n': unknown key; known keys are A, B, C, D"),
        (by_seat(Integer()), [], "path: must be an object with the keys A, B, C, D, not []"),
        (by_seat(Integer()), {"B": -1}, "path.B: must be a whole number from 0 to 99999, not -1"),
        (by_seat(Integer(), whole=True), {"A": 1, "B": 1, "D": 1}, "path.C: required"),
        (MappingOf(Integer(), lambda table: ("x", "y"), True), {"y": 1}, "path.x: required"),
        (Nested(Deal), [], "path: must be an object, not []"),
        (Nested(Deal), {}, "path.dealer: required"),
        (Nested(Deal), {"dealer": 1}, "path.dealer: must be one of A, B, C, D, not 1"),
        (Nested(Deal), {"dealer": "A", "x": 1}, "path.x: unknown key; known keys are dealer, with"),
        (
            Nested(Deal),
            {"dealer": "A", "with_": "AS"},
            "path.with_: unknown key; known keys are dealer, with",
        ),
        (ListOf(Nested(Deal)), [{"dealer": "A", "x": 1}], "path[0].x: unknown key; known keys are dealer, "),
        (by_seat(ListOf(CardOf())), {"A": ["AS", "?"]}, "path.A[1]: must be a card of this game’s pack"),
    ],
)
def test_what_does_not_fit(kind: Kind, value: Any, sentence: str) -> None:
    with pytest.raises(Unreadable) as refused:
        kind.read(value, "path", TABLE)
    assert str(refused.value).startswith(sentence)


def test_keys_that_are_missing_or_unknown_are_errors_of_their_own() -> None:
    with pytest.raises(Missing):
        by_side(Integer()).read({}, "path", TABLE)
    with pytest.raises(UnknownKey):
        by_side(Integer()).read({"X": 1}, "path", TABLE)


def test_no_trumps_only_where_the_game_has_them() -> None:
    assert TrumpOf().read("NT", "trump", WITHOUT_TRUMPS) == "NT"
    assert TrumpOf().read("H", "trump", WITHOUT_TRUMPS) == "H"
    with pytest.raises(Unreadable) as refused:
        TrumpOf().read("X", "trump", WITHOUT_TRUMPS)
    assert str(refused.value) == 'trump: must be one of S, H, D, C, NT, not "X"'
    with pytest.raises(Unreadable):
        TrumpOf().read("NT", "trump", TABLE)


@pytest.mark.parametrize("code", [32, 126, 160, 0x2027, 0x202A, 0xD7FF, 0xE000])
def test_characters_that_can_be_shown_may_be_written(code: int) -> None:
    assert check_text(f"a{chr(code)}", "text", 1, 9) == f"a{chr(code)}"


CONTROL, NO_TEXT = "without control characters", "of valid Unicode characters"
REFUSED = [(code, CONTROL) for code in (0, 9, 10, 31, 127, 128, 159, 0x2028, 0x2029)]


@pytest.mark.parametrize(("code", "expected"), [*REFUSED, (0xD800, NO_TEXT), (0xDFFF, NO_TEXT)])
def test_control_characters_and_halves_of_characters_are_refused(code: int, expected: str) -> None:
    text = f"a{chr(code)}"
    with pytest.raises(Unreadable) as refused:
        check_text(text, "text", 1, 9)
    assert str(refused.value) == f"text: must be a text {expected}, not {quote_json(text)}"


def test_lines_may_break() -> None:
    """Where a text has lines: by any ends of line, and with tabs; by no other control character."""
    assert check_text("a\r\nb\tc", "text", 1, 9, lines=True) == "a\r\nb\tc"
    assert Text(lines=True).read("a\nb", "text", TABLE) == "a\nb"
    for char in "\v\x7f\u2028":
        with pytest.raises(Unreadable):
            check_text(f"a{char}", "text", 1, 9, lines=True)


def test_what_a_field_says_of_itself() -> None:
    dealer, card = fields_of(Deal)
    assert dealer == Field("dealer", "dealer", SeatOf(), None, MISSING, False, False, "", "", None, "")
    assert dealer == Field("dealer", "dealer", SeatOf(), None, MISSING)
    assert card == Field(
        "with_", "with", CardOf(), Message("With"), None, True, True, "hand", "pack", 3, "kind=run"
    )
    assert (dealer.needed, card.needed) == (True, False)


def test_paths_of_fields() -> None:
    assert join_path("", "count") == "count"
    assert join_path("entries[2]", "count") == "entries[2].count"
    assert join_path("", "a\tb") == r"'a\tb'"
    assert parse(Deal, {"dealer": "A", "with": "AS"}, "", TABLE) == Deal("A", parse_card("AS"))


class Colour(StrEnum):
    RED = "red"


class Pairs(Mapping[str, int]):
    def __getitem__(self, key: str) -> int:
        return {"x": 1}[key]

    def __iter__(self) -> Any:
        return iter(("x",))

    def __len__(self) -> int:
        return 1


def test_values_as_json() -> None:
    """Cards and words become text, tuples lists, mappings objects; the rest is JSON already."""
    value = {"cards": (parse_card("AS"), [Colour.RED]), "x": Pairs(), "deal": Deal("A", parse_card("10H"))}
    result = to_json(value)
    assert result == {"cards": ["AS", ["red"]], "x": {"x": 1}, "deal": {"dealer": "A", "with": "10H"}}
    assert type(result["cards"][1][0]) is str
    assert type(result["x"]) is dict
    assert [to_json(value) for value in (None, True, 5, "x")] == [None, True, 5, "x"]


@dataclass(frozen=True, slots=True)
class Outer:
    """A schema in which each field may be left out but the first."""

    n: int = field(Integer(1, 9))
    flag: bool = field(Boolean(), False)
    trump: Any = field(TrumpOf(), None)
    turned: Any = field(TurnUp(), None)
    sides: Any = field(by_side(Integer()), None)
    seats: Any = field(by_seat(ListOf(CardOf())), None)
    maybe: Any = field(Nullable(Integer()), 5)
    inner: Any = field(ListOf(Nested(Deal)), ())


def test_what_was_read_is_written_back() -> None:
    """Reading and writing gives the same JSON, and what was left out stays left out."""
    marks = {"n": 3, "flag": True, "trump": "S", "turned": "H", "maybe": None}
    whole = marks | {"sides": {"A": 1, "B": 2}, "seats": {"B": ["AS"]}}
    whole["inner"] = [{"dealer": "A", "with": "10H"}]
    for document in (whole, {"n": 3}):
        assert to_json(parse(Outer, document, "", TABLE)) == document


def test_the_document_itself() -> None:
    with pytest.raises(Unreadable, match=r"^document: must be an object, not \[\]$"):
        parse(Outer, [], "", TABLE)
