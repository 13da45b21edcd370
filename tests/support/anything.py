"""Anything at all that may be put to the core, and what mostly belongs there."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from companion.rules.errors import Unreadable
from companion.rules.rulebook import Rulebook

SUITS = ["S", "H", "D", "C", "NT", "♥", "x"]
CARDS = ["AS", "7H", "JH", "9H", "KH", "QH", "10D", "TD", "9♥", "KS", "QS", "JS", "6H", "A", ""]
WORDS = [
    *(*SUITS, *CARDS, *"ABC", "play", "pass", "offer 20", "schmeiss", "revoke", "misdeal", "deal", "hand"),
    *("beaten-off", "500", "\ud800", "\0"),
]
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 300),
    st.integers(),
    st.floats(),
    st.sampled_from(WORDS),
    st.text(max_size=5),
)
KEYS = [
    *("A", "B", "C", "cards", "seat", "side", "type", "length", "top", "declarer", "trump", "points"),
    *("last", "jass", "loser", "bouts"),
]
junk = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=8,
)


def mostly(kind: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """What belongs there, and now and then anything at all."""
    return st.integers(0, 30).flatmap(lambda n: junk if n == 0 else kind)


def some(values: Mapping[str, st.SearchStrategy[Any]], most: int) -> st.SearchStrategy[dict[str, Any]]:
    """A few of these, each mostly with what belongs there."""
    names = st.lists(st.sampled_from([*values]), max_size=most, unique=True)
    return names.flatmap(
        lambda chosen: st.fixed_dictionaries({name: mostly(values[name]) for name in chosen})
    )


def without_irrelevant(
    book: Rulebook, chosen: Mapping[str, Any], preset: str | None = None, players: int | None = None
) -> dict[str, Any]:
    """The choices without those that change nothing or cannot be beside the others; unreadable ones stay."""
    try:
        values = book.resolve(preset, chosen, "", players, strict=False)
    except Unreadable:
        return dict(chosen)
    idle = book.irrelevant_facts(values, players)
    possible = {name: value for name, value in chosen.items() if name not in idle}
    for name in chosen:
        needs = book.conventions[name].value_needs.get(values[name], {})
        if any(values[other] != needed for other, needed in needs.items()):
            possible.pop(name, None)
    return possible


def any_conventions(book: Rulebook, *without: str) -> st.SearchStrategy[dict[str, Any]]:
    """Some conventions of a game, chosen at random."""
    values: dict[str, st.SearchStrategy[Any]] = {}
    for name, convention in book.conventions.items():
        if convention.values:
            values[name] = st.sampled_from(list(convention.values))
        elif convention.is_text:
            values[name] = st.text(max_size=5)
        else:
            values[name] = st.integers(convention.least, min(convention.most, convention.least + 400))
    chosen = some({name: value for name, value in values.items() if name not in without}, 4)
    return chosen.map(lambda picked: without_irrelevant(book, picked))


def record_head(game: str, players: int, **more: Any) -> dict[str, Any]:
    """A record without an entry."""
    names = [f"Player {n}" for n in range(1, players + 1)]
    head = {"format": "companion-match", "version": 1, "game": game, "players": names}
    return head | {"first_dealer": "A", "entries": []} | more
