"""Whatever is put to the core, it answers or says what it cannot read: nothing else is ever raised."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import library
from companion.record import record as records
from companion.rules.shapes import Unreadable

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
sides = st.fixed_dictionaries({}, optional={"A": st.integers(-1, 300), "B": st.integers(-1, 300), "C": junk})
seat = st.sampled_from(["A", "B"])
cards = st.lists(st.sampled_from(CARDS[:10]), max_size=5)
run = st.fixed_dictionaries(
    {"seat": seat},
    optional={
        "cards": cards,
        "length": st.integers(2, 9),
        "top": st.sampled_from("AKQJT987"),
        "suit": st.sampled_from(SUITS),
    },
)
contract = st.fixed_dictionaries(
    {"declarer": seat, "trump": st.sampled_from(SUITS[:4])}, optional={"turned": st.booleans()}
)
calls = st.lists(
    st.sampled_from(
        [
            "pass",
            "play",
            "play H",
            "play S",
            "ask",
            "once",
            "twice",
            "offer 20",
            "offer +1",
            "counter 5",
            "accept",
            "refuse",
            "x",
        ]
    ),
    max_size=6,
)
FACTS: Mapping[str, st.SearchStrategy[Any]] = {
    "auction": calls,
    "contract": contract,
    "redeal": st.just("misdeal"),
    "thrown_in": st.booleans(),
    "offer": st.fixed_dictionaries({}, optional={"points": st.integers(-1, 40), "deals": st.integers(0, 3)}),
    "totals": sides,
    "count": st.fixed_dictionaries(
        {"cards": sides}, optional={"jass": seat | st.none(), "nine": seat, "last": seat}
    ),
    "tricks": st.lists(st.lists(st.sampled_from(CARDS[:10]), max_size=3), max_size=10),
    "runs": st.lists(run, max_size=3),
    "bela": seat,
    "exchanged": seat,
    "last": seat,
    "trickless": seat,
    "call": st.fixed_dictionaries({"seat": seat, "after_trick": st.integers(0, 11)}),
    "penalty": st.fixed_dictionaries({"side": seat, "offence": st.sampled_from(["revoke", "rost"])}),
    "turn_up": st.sampled_from(CARDS),
    "shown": st.sampled_from(CARDS),
    "dealer": seat,
    "note": st.text(max_size=4),
}
bid_and_made = st.tuples(
    st.sampled_from(["auction", "contract", "contract", "redeal", "offer"]),
    st.sampled_from(["totals", "count", "tricks"]),
)
deals = bid_and_made.flatmap(
    lambda names: st.fixed_dictionaries(
        {"type": st.just("deal")} | {name: FACTS[name] for name in names},
        optional={name: one | junk for name, one in list(FACTS.items())[8:]},
    )
)
entries = st.one_of(
    deals,
    deals,
    st.fixed_dictionaries(
        {"type": st.just("opening"), "totals": sides}, optional={"held": junk, "dealer": seat}
    ),
    st.fixed_dictionaries(
        {"type": st.just("adjust"), "side": seat, "points": st.integers(-9, 600), "reason": st.just("x")}
    ),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["concede", "abandon", "deal", "dive"])}, optional={"side": seat, "by": junk}
    ),
    junk,
)
conventions = st.dictionaries(
    st.sampled_from([*GAME.conventions]),
    st.sampled_from([v for c in GAME.book.conventions.values() for v in c.values] + [300]),
    max_size=2,
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


ASKED = {
    **FACTS,
    "trump": st.sampled_from(SUITS),
    "hand": cards,
    "trick": cards,
    "card": st.sampled_from(CARDS),
    "leader": seat,
    "declared": FACTS["runs"],
    "elder": seat,
    "hands": st.dictionaries(seat, cards, max_size=2),
    "asked_rost": st.lists(seat, max_size=2),
    "seat": seat,
    "played": cards,
    "said_at": st.sampled_from([None, "run", 1, 2, 3, 9, [1, 2], [2, 9], 0]),
    "cards_played": st.integers(0, 3),
    "with": st.sampled_from(CARDS),
    "turned": st.booleans(),
    "calls": calls,
    "declarer": seat,
    "made": sides,
    "held": st.lists(st.integers(0, 90), max_size=2),
    "caller": seat,
    "at": st.sampled_from(["play", "result"]),
    "after_trick": st.integers(0, 10),
    "took_trick": st.booleans(),
    "next_card": st.booleans(),
    "cards": st.integers(0, 120),
    "jass": st.booleans(),
    "by": seat,
    "offence": st.just("revoke"),
    "points": st.fixed_dictionaries(
        {"cards": st.integers(0, 158)}, optional={"runs": st.integers(0, 100), "bela": junk}
    ),
    "taken_back": st.booleans(),
    "out": cards,
}


@settings(max_examples=60)
@pytest.mark.parametrize("question", GAME.family.questions.values(), ids=list(GAME.family.questions))
@given(data=st.data())
def test_any_request_is_unreadable_or_ruled_on(question: Any, data: st.DataObject) -> None:
    """Whatever is asked is refused with its path, or ruled on with at least one rule."""
    keys = [one.metadata["name"] or one.name for one in question.shape.__dataclass_fields__.values()]
    facts = data.draw(st.fixed_dictionaries({}, optional={key: ASKED.get(key, junk) for key in keys}))
    spoiled = data.draw(st.dictionaries(st.sampled_from(keys), junk, max_size=1))
    if data.draw(st.booleans()):
        facts |= spoiled
    chosen = data.draw(conventions)
    try:
        ruling = library.rule({"game": "derda", "conventions": chosen, "question": question.name, **facts})
    except Unreadable as error:
        assert str(error)
    else:
        assert ruling.rules
        assert str(ruling.why)
        json.dumps(ruling.plain())
