"""Whatever is put to the core, it answers or says what it cannot read: nothing else is ever raised."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import library
from companion.record import record as records
from companion.rules.shapes import Unreadable, places

GAME = library.open_game("derda")


def head(**more: Any) -> dict[str, Any]:
    """A record without an entry."""
    told = {"format": "companion-match", "version": 1, "game": "derda", "players": ["Ewa", "Jan"]}
    return told | {"first_dealer": "A", "entries": []} | more


SUITS = ["S", "H", "D", "C", "NT", "♥", "x"]
CARDS = ["AS", "7H", "JH", "9H", "KH", "QH", "10D", "TD", "9♥", "KS", "QS", "JS", "6H", "A", ""]
WORDS = [
    *SUITS,
    *CARDS,
    *"ABC",
    "play",
    "pass",
    "offer 20",
    "revoke",
    "misdeal",
    "deal",
    "500",
    "\ud800",
    "\0",
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
    "A",
    "B",
    "C",
    "cards",
    "seat",
    "side",
    "type",
    "length",
    "top",
    "declarer",
    "trump",
    "points",
    "last",
    "jass",
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


def some(told: Mapping[str, st.SearchStrategy[Any]], most: int) -> st.SearchStrategy[dict[str, Any]]:
    """A few of these, each mostly with what belongs there."""
    names = st.lists(st.sampled_from([*told]), max_size=most, unique=True)
    return names.flatmap(lambda chosen: st.fixed_dictionaries({name: mostly(told[name]) for name in chosen}))


sides = st.fixed_dictionaries({"A": st.integers(0, 140), "B": st.integers(0, 140)})
seat = st.sampled_from(["A", "B"])
suit = st.sampled_from(SUITS[:4])
card = st.sampled_from(CARDS[:-3])
cards = st.lists(card, min_size=1, max_size=5)
run = st.fixed_dictionaries({"seat": seat, "length": st.integers(3, 6), "top": st.sampled_from("AKQJT9")}) | (
    st.fixed_dictionaries({"seat": seat, "cards": st.sampled_from([["KS", "QS", "JS"], ["KH", "QH", "JH"]])})
)
contract = st.fixed_dictionaries({"declarer": seat, "trump": suit}, optional={"turned": st.booleans()})
calls = st.lists(
    st.sampled_from(["pass", "pass", "play", "play H", "play S", "ask", "once", "twice", "x"])
    | st.sampled_from(["offer 20", "offer +1", "counter 5", "accept", "refuse"]),
    max_size=6,
)
auction = st.sampled_from(
    [
        ["play"],
        ["pass"] * 4,
        ["pass", "ask", "once"],
        ["pass", "pass", "play S"],
        ["pass", "pass", "offer 9", "accept"],
    ]
)
count = st.fixed_dictionaries(
    {"cards": sides, "last": seat | st.none()}, optional={"jass": seat | st.none(), "nine": seat}
)
whole = st.permutations([*GAME.family.ruleset.pack]).map(
    lambda pack: [[str(one) for one in pack[at : at + 2]] for at in range(0, 18, 2)]
)
WAYS: Mapping[str, st.SearchStrategy[Any]] = {
    "auction": calls | auction,
    "contract": contract,
    "redeal": st.just("misdeal"),
    "thrown_in": st.booleans(),
    "offer": st.fixed_dictionaries({}, optional={"points": st.integers(0, 600), "deals": st.integers(0, 3)}),
}
MADE: Mapping[str, st.SearchStrategy[Any]] = {
    "totals": sides,
    "count": count,
    "tricks": whole | st.integers(1, 9).flatmap(lambda n: whole.map(lambda told: told[:n])),
}
FACTS: Mapping[str, st.SearchStrategy[Any]] = {
    "runs": st.lists(run, max_size=3),
    "bela": seat,
    "exchanged": seat,
    "last": seat,
    "trickless": seat,
    "call": st.fixed_dictionaries({"seat": seat, "after_trick": st.integers(1, 10)}),
    "penalty": st.fixed_dictionaries({"side": seat, "offence": st.just("revoke")}),
    "turn_up": card,
    "shown": card,
    "dealer": seat,
    "note": st.text(max_size=4),
}


def deals(ways: Mapping[str, st.SearchStrategy[Any]], made: Mapping[str, st.SearchStrategy[Any]]) -> Any:
    """Deals that are bid in one of these ways and made in one of those."""
    parts = st.tuples(
        *(
            st.sampled_from([*told]).flatmap(lambda n, t=told: st.fixed_dictionaries({n: t[n]}))
            for told in (ways, made)
        ),
        some(FACTS, 3),
    )
    return parts.map(lambda three: {"type": "deal", "turn_up": "9H"} | three[0] | three[1] | three[2])


OTHERS = {
    "opening": {"totals": sides, "held": st.lists(st.integers(1, 90), max_size=2), "dealer": seat},
    "adjust": {"side": seat, "points": st.integers(-9, 600), "reason": st.just("x")},
    "concede": {"side": seat},
    "abandon": {},
    "dive": {"by": seat},
}
entries = st.one_of(
    deals({"contract": contract, "auction": auction}, MADE),
    deals({"contract": contract, "auction": auction}, MADE),
    deals({"contract": contract}, {"count": count}),
    deals(WAYS, {"note": st.just("not played")}),
    st.sampled_from([*OTHERS]).flatmap(
        lambda kind: st.fixed_dictionaries(
            {"type": st.just(kind)} | {n: mostly(v) for n, v in OTHERS[kind].items()}
        )
    ),
    junk,
)
conventions = some(
    {
        name: st.sampled_from(list(one.values)) if one.values else st.integers(one.least, one.least + 400)
        for name, one in GAME.book.conventions.items()
        if name != "offer_deals_max"
    },
    2,
)


@settings(max_examples=400)
@given(st.lists(entries, max_size=4), conventions)
def test_any_entry_is_unreadable_or_folded(told: list[Any], chosen: dict[str, Any]) -> None:
    """Whatever stands in a record is refused with its path, or the fold comes to a state."""
    try:
        record, game = records.read(head(entries=told, conventions=chosen), library.open_game)
    except Unreadable as error:
        assert str(error)
        return
    state = records.fold(record, game.family)
    assert len(state.rows) == len(record.entries)
    json.dumps(game.family.show(state))
    assert all(problem.plain()["reason"] for problem in state.problems)
    assert records.read(records.write(record), library.open_game)[0] == record


@settings(max_examples=200)
@given(junk, st.sampled_from([*head(), "preset", "stake", "id", "follows", "conventions", "x"]))
def test_any_head_is_unreadable_or_read(value: Any, key: str) -> None:
    """Whatever stands in the head of a record is refused with its path, or read."""
    try:
        records.read(head(**{key: value}), library.open_game)
    except Unreadable as error:
        assert str(error)


@settings(max_examples=100)
@given(junk)
def test_any_document_is_unreadable_or_read(value: Any) -> None:
    """Whatever is given for a record or for a ruling request is refused with its path, or read."""
    for reading in (lambda: records.read(value, library.open_game), lambda: library.rule(value)):
        try:
            reading()
        except Unreadable as error:
            assert str(error)


ASKED: Mapping[str, st.SearchStrategy[Any]] = {
    **FACTS,
    **MADE,
    "trump": suit,
    "hand": cards,
    "trick": st.lists(card, max_size=2),
    "card": card,
    "leader": seat,
    "declared": st.lists(run, max_size=3),
    "elder": seat,
    "hands": st.dictionaries(seat, cards, max_size=2),
    "asked_rost": st.lists(seat, max_size=2),
    "seat": seat,
    "played": cards,
    "said_at": st.sampled_from([None, "run", 1, 2, 3, 9, [1, 2], [2, 9], 0]),
    "cards_played": st.integers(0, 3),
    "with": card,
    "turned": st.booleans(),
    "calls": calls | auction,
    "declarer": seat,
    "made": sides,
    "held": st.lists(st.integers(1, 90), max_size=2),
    "caller": seat,
    "at": st.sampled_from(["play", "result"]),
    "after_trick": st.integers(0, 9),
    "took_trick": st.booleans(),
    "next_card": st.booleans(),
    "cards": st.integers(0, 120),
    "jass": st.booleans(),
    "nine": st.booleans(),
    "by": seat,
    "offence": st.just("revoke"),
    "points": st.fixed_dictionaries({"cards": st.integers(0, 158)}, optional={"runs": st.integers(0, 100)}),
    "taken_back": st.booleans(),
    "out": cards,
}


def requests(question: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Requests with nearly all that a question needs, and some of what it may be told."""
    told = {place.key: ASKED.get(place.key, junk) for place in places(question.shape)}
    needed = {place.key: mostly(told[place.key]) for place in places(question.shape) if place.needed}
    further = {key: one for key, one in told.items() if key not in needed}
    parts = st.tuples(st.fixed_dictionaries(needed), some(further, 4) if further else st.just({}))
    return parts.map(lambda two: {**two[0], **two[1]})


@settings(max_examples=100)
@pytest.mark.parametrize("question", GAME.family.questions.values(), ids=list(GAME.family.questions))
@given(data=st.data())
def test_any_request_is_unreadable_or_ruled_on(question: Any, data: st.DataObject) -> None:
    """Whatever is asked is refused with its path, or ruled on with at least one rule."""
    facts, chosen = data.draw(requests(question)), data.draw(conventions)
    try:
        ruling = library.rule({"game": "derda", "conventions": chosen, "question": question.name, **facts})
    except Unreadable as error:
        assert str(error)
    else:
        assert ruling.rules
        assert str(ruling.why)
        json.dumps(ruling.plain())
