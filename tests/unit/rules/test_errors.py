"""What is said of input that cannot be read: where, what must stand there, what stood there."""

import pickle
from dataclasses import MISSING

import pytest

from companion.rules.errors import Missing, MissingFact, UnknownKey, Unreadable, quote_json
from companion.rules.message import Message


def test_an_unreadable_value_says_what_must_stand_there() -> None:
    error = Unreadable("target", Message("a whole number from {least}", least=1), "x")
    assert (error.path, error.got) == ("target", "x")
    assert error.expected == Message("a whole number from {least}", least=1)
    assert error.requirement == Message("must be {what}", what=error.expected)
    assert str(error) == 'target: must be a whole number from 1, not "x"'


def test_what_is_expected_may_be_plain_words() -> None:
    error = Unreadable("", "a rank {x}")
    assert error.expected == Message("{what}", what="a rank {x}")
    assert error.got is MISSING
    assert str(error) == "document: must be a rank {x}"


def test_a_missing_value_is_required() -> None:
    error = Missing("players")
    assert (error.path, error.got, str(error)) == ("players", MISSING, "players: required")
    assert error.expected == error.requirement == Message("required")
    assert str(Missing("dealer", Message("required in a first deal"))) == "dealer: required in a first deal"


def test_a_missing_fact_says_why_it_is_asked() -> None:
    error = MissingFact("led")
    assert (error.path, str(error)) == ("led", "led: required, as the answer depends on it")


def test_an_unknown_key_is_answered_with_those_there_are() -> None:
    error = UnknownKey("winner", (key for key in ("game", "players")))
    assert (error.path, error.got) == ("winner", MISSING)
    assert error.requirement.facts == {"keys": ["game", "players"]}
    assert str(error) == "winner: unknown key; known keys are game, players"


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("Łódź", '"Łódź"'),
        ("x" * 58, f'"{"x" * 58}"'),
        ("x" * 59, f'"{"x" * 58}…'),
        ({1}, '"{1}"'),
        ("a\nb\u2028c\ud83d", '"a\\nb\\u2028c\\ud83d"'),
        ({"Ł": [None, True]}, '{"Ł": [null, true]}'),
        pytest.param(10**5_000, "…", id="too many digits"),
        ("a\u00a0b\u0007", '"a\\xa0b\\u0007"'),
    ],
)
def test_a_value_is_quoted_up_to_sixty_characters(value: object, quoted: str) -> None:
    assert quote_json(value) == quoted


def test_a_value_that_is_too_deep_is_not_quoted() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert quote_json(deep) == "…"


@pytest.mark.parametrize(
    "fault",
    [
        Unreadable("target", Message("a whole number from {least}", least=1), "x"),
        Unreadable("target", "a rank"),
        Unreadable("target", "a rank", None),
        Missing("players"),
        MissingFact("made"),
        UnknownKey("winner", ["game"]),
    ],
    ids=str,
)
def test_what_was_wrong_can_be_told_to_another_process(fault: Unreadable) -> None:
    copy = pickle.loads(pickle.dumps(fault))
    assert (type(copy), str(copy), copy.path) == (type(fault), str(fault), fault.path)
    assert (copy.requirement, copy.expected, copy.got) == (fault.requirement, fault.expected, fault.got)
