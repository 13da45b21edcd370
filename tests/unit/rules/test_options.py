"""What a family says of its games' files: when something is needed, and which ranks an order may have."""

from collections.abc import Sequence
from typing import Any

import pytest

from companion.rules.cards import RANKS
from companion.rules.errors import Unreadable
from companion.rules.options import (
    NOWHERE,
    ORDER,
    RANK,
    Option,
    OptionScope,
    always,
    check_ranks,
    listed,
    may,
    never,
)
from companion.rules.rulebook import Rulebook
from companion.rules.schema import Boolean

BOOK = Rulebook("x", "X", "", "1", {}, {}, {}, {})
SCOPE = OptionScope(
    BOOK,
    {"bela": frozenset({False, True}), "halves": frozenset({"", "up", "down"}), "rost": frozenset({False})},
    [],
)


@pytest.mark.parametrize(
    ("option", "values", "possible"),
    [
        ("bela", (), True),
        ("bela", (True,), True),
        ("bela", ("up",), False),
        ("halves", ("up",), True),
        ("halves", ("none", "down"), True),
        ("halves", ("none",), False),
        ("rost", (), False),
        ("rost", (False,), True),
        ("unheard", (), False),
        ("unheard", (True,), False),
    ],
)
def test_what_an_option_may_be(option: str, values: Sequence[Any], possible: bool) -> None:
    """One of these values; without values, anything but false and nothing."""
    assert SCOPE.may(option, *values) is possible
    assert may(option, *values)(SCOPE) is possible


def test_what_is_always_needed_and_what_never() -> None:
    assert always(SCOPE) is True
    assert never(SCOPE) is False
    assert Option(Boolean()).needed(SCOPE) is True
    assert Option(Boolean(), never).needed(SCOPE) is False


def test_an_order_has_any_ranks_from_none_to_all() -> None:
    assert ORDER.read([], "order", NOWHERE) == ()
    assert ORDER.read(list(RANKS), "order", NOWHERE) == RANKS
    with pytest.raises(Unreadable, match=r"^order: must be a list of 0 to 13 items"):
        ORDER.read([*RANKS, "A"], "order", NOWHERE)
    with pytest.raises(
        Unreadable, match=r"^order: must be one of A, K, Q, J, 10, 9, 8, 7, 6, 5, 4, 3, 2, not"
    ):
        RANK.read("1", "order", NOWHERE)


def test_words_are_listed_with_commas() -> None:
    assert listed(["A", 10]) == "A, 10"
    assert listed([]) == ""


def test_nothing_in_a_game_file_depends_on_the_table() -> None:
    assert (NOWHERE.ring.seats, NOWHERE.pack, NOWHERE.no_trumps) == (("A", "B"), frozenset(), False)


@pytest.mark.parametrize(
    ("ranks", "whole"), [(("A", "K", "7"), False), (("7",), False), ((), False), (("7", "A", "K"), True)]
)
def test_ranks_of_the_pack_each_once(ranks: Sequence[str], whole: bool) -> None:
    """In any order; some are enough, where not all are asked for."""
    check_ranks(ranks, "order", ("A", "K", "7"), whole=whole)


@pytest.mark.parametrize(
    ("ranks", "whole", "sentence"),
    [
        (("A", "Q"), False, 'order[1]: must be a rank of the pack: A, K, 7, not "Q"'),
        (("A", "K", "A"), False, 'order[2]: must be another rank, as each stands once, not "A"'),
        (("A", "K", "7", "7"), True, 'order[3]: must be another rank, as each stands once, not "7"'),
        (("A",), True, 'order: must be all ranks of the pack, K, 7 too, not "A"'),
        (("7", "K"), True, 'order: must be all ranks of the pack, A too, not "7 K"'),
    ],
)
def test_ranks_that_make_no_order(ranks: Sequence[str], whole: bool, sentence: str) -> None:
    with pytest.raises(Unreadable) as refused:
        check_ranks(ranks, "order", ("A", "K", "7"), whole=whole)
    assert str(refused.value) == sentence
