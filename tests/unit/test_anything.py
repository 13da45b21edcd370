"""Whatever is put to the core, it answers or says what it cannot read: nothing else is ever raised."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from anything import CARDS, SUITS, any_conventions, junk, mostly, record_head, some
from bouts import TABLES as BEATING
from bouts import BeatingTable
from dealing import TRICK_GAMES, open_jacknine
from hypothesis import given
from hypothesis import strategies as st
from tiers import FOUR_GAMES, few_examples

from companion import library
from companion.record import record as records
from companion.rules.errors import Unreadable
from companion.rules.schema import fields_of

card = st.sampled_from(CARDS[:-3])
cards = st.lists(card, min_size=1, max_size=5)
calls = st.lists(
    st.sampled_from(["pass", "pass", "pass", "play", "play H", "play S", "play NT", "ask", "once", "x"])
    | st.sampled_from(["offer 20", "offer +1", "counter 5", "accept", "refuse", "twice"])
    | st.sampled_from(["schmeiss", "force", "throw"])
    | st.sampled_from(["bid 80 H", "bid 110 S", "bid capot D", "double", "double B", "redouble"]),
    max_size=9,
)
auction = st.sampled_from(
    [
        ["play"],
        ["pass"] * 4,
        ["pass"] * 6,
        ["pass"] * 8,
        ["schmeiss", "force"],
        ["schmeiss", "throw"],
        ["pass", "ask", "once"],
        ["pass", "pass", "play S"],
        ["pass", "pass", "pass", "pass", "play NT"],
        ["pass", "pass", "offer 9", "accept"],
        ["bid 80 H", "pass", "pass", "pass"],
        ["pass", "bid 90 S", "double", "redouble"],
    ]
)
SETTLED = few_examples(10, 120)


def one_of(choices: Mapping[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.sampled_from([*choices]).flatmap(lambda name: st.fixed_dictionaries({name: choices[name]}))


class TrickTable:
    """What may stand in the records of one trick game, mostly rightly."""

    def __init__(self, game: str) -> None:
        self.game, self.name = library.open_game(game), game
        self.rules = rules = open_jacknine(game).ruleset
        size = rules.ring.size
        self.seat, self.side = st.sampled_from(rules.ring.seats), st.sampled_from(rules.ring.sides)
        self.sides = st.fixed_dictionaries({side: st.integers(0, 140) for side in rules.ring.sides})
        self.suit = st.sampled_from([*SUITS[:4], "NT"] if rules.no_trumps else SUITS[:4])
        length = {"seat": self.seat, "length": st.integers(3, 6), "top": st.sampled_from("AKQJT9")}
        named = [["KS", "QS", "JS"], ["KH", "QH", "JH"], ["AH", "KH", "QH", "JH", "10H"]]
        self.run = st.fixed_dictionaries(length) | st.fixed_dictionaries(
            {"seat": self.seat, "cards": st.sampled_from(named)}
        )
        bid: dict[str, Any] = {"declarer": self.seat, "trump": self.suit}
        more: dict[str, Any] = {"turned": st.booleans()}
        if rules.bids_points:
            bid["points"], more = st.sampled_from([80, 100, 160, "capot"]), {"double": st.integers(1, 4)}
        self.contract = st.fixed_dictionaries(bid, optional=more)
        owner = self.side | st.none()
        self.count = st.fixed_dictionaries(
            {"cards": self.sides, "last": owner}, optional={"jass": owner, "nine": self.side}
        )
        some_sides = st.dictionaries(self.side, st.integers(0, 252))
        self.in_part = st.fixed_dictionaries({"points": some_sides}) | st.fixed_dictionaries(
            {"cards": some_sides}, optional={"jass": owner, "nine": owner, "last": owner}
        )
        whole = st.permutations([*rules.pack]).map(
            lambda pack: [
                [str(card) for card in pack[at : at + size]] for at in range(0, rules.in_play, size)
            ]
        )
        self.ways: dict[str, st.SearchStrategy[Any]] = {
            "auction": calls | auction,
            "contract": self.contract,
            "redeal": st.sampled_from(["misdeal", "four-sevens"]),
            "thrown_in": st.booleans(),
            "offer": st.fixed_dictionaries(
                {}, optional={"points": st.integers(0, 600), "deals": st.integers(0, 3)}
            ),
        }
        self.made: dict[str, st.SearchStrategy[Any]] = {
            "totals": self.sides,
            "count": self.count | self.in_part,
            "tricks": whole | st.integers(1, 9).flatmap(lambda n: whole.map(lambda tricks: tricks[:n])),
        }
        four = st.fixed_dictionaries(
            {"seat": self.seat, "rank": st.sampled_from(["J", "9", "A", "10", "T", "K", "Q"])}
        )
        offences = [*rules["offences"], "revoke"]
        self.facts: dict[str, st.SearchStrategy[Any]] = {
            "runs": st.lists(self.run, max_size=3),
            "bela": self.seat,
            "exchanged": self.seat,
            "last": self.side,
            "trickless": self.side | st.none() | st.lists(self.side, min_size=1, max_size=2),
            "call": st.fixed_dictionaries({"seat": self.seat, "after_trick": st.integers(1, 10)}),
            "penalty": st.fixed_dictionaries({"side": self.side, "offence": st.sampled_from(offences)}),
            **({} if rules.bids_points else {"turn_up": card | self.suit}),
            "shown": card,
            "dealer": self.seat,
            "note": st.text(max_size=4),
        }
        if rules.fours:
            self.facts["fours"] = st.lists(four, max_size=2)
        if rules["rost"] == "strict":
            self.facts["forfeits"] = st.lists(self.seat, max_size=2)
        self.others: dict[str, dict[str, st.SearchStrategy[Any]]] = {
            "opening": {
                "totals": self.sides.map(
                    lambda totals: {side: 3 * points for side, points in totals.items()}
                ),
                "held": st.lists(st.integers(1, 90), max_size=2),
                "dealer": self.seat,
            },
            "adjust": {"side": self.side, "points": st.integers(-9, 600), "reason": st.just("x")},
            "concede": {"side": self.side},
            "abandon": {},
            "finish": {"side": self.side},
            "dive": {"by": self.side, "accepted": st.booleans()},
            "pencil": {
                "by": self.side,
                "deal": st.integers(1, 3),
                "wrote": st.integers(0, 200),
                "should": st.integers(0, 200),
            },
        }

    def __str__(self) -> str:
        return self.name

    def head(self, conventions: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        size = self.rules.ring.size
        return record_head(self.name, size, conventions=conventions, **more)

    def request(self, question: str, conventions: Mapping[str, Any], facts: Mapping[str, Any]) -> Any:
        return {"game": self.name, "conventions": conventions, "question": question, **facts}

    def deals(self, ways: Mapping[str, Any], made: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
        parts = st.tuples(one_of(ways), one_of(made), some(self.facts, 3))
        turned = {} if self.rules.bids_points else {"turn_up": "9H"}
        return parts.map(lambda three: {"type": "deal", **turned} | three[0] | three[1] | three[2])

    @property
    def entries(self) -> st.SearchStrategy[Any]:
        bidding = {"contract": self.contract, "auction": auction}
        return st.one_of(
            self.deals(bidding, self.made),
            self.deals({"contract": self.contract}, {"count": self.count | self.in_part}),
            self.deals(self.ways, {"note": st.just("not played")}),
            st.sampled_from([*self.others]).flatmap(
                lambda kind: st.fixed_dictionaries(
                    {"type": st.just(kind)} | {n: mostly(v) for n, v in self.others[kind].items()}
                )
            ),
            junk,
        )

    @property
    def conventions(self) -> st.SearchStrategy[dict[str, Any]]:
        return any_conventions(self.game.book, "offer_deals_max")

    @property
    def request_facts(self) -> Mapping[str, st.SearchStrategy[Any]]:
        seat, side = self.seat, self.side
        played = self.deals({"contract": self.contract, "auction": auction}, {"tricks": self.made["tricks"]})
        bid = st.sampled_from([80, 110, "capot"])
        bids = {"points_bid": bid, "double": st.integers(1, 4)} if self.rules.bids_points else {}
        stock = st.fixed_dictionaries({"cards": st.integers(0, 158)}, optional={"runs": st.integers(0, 100)})
        return {
            **self.facts,
            **self.made,
            "deal": played.map(lambda deal: {"dealer": "A"} | deal),
            "trump": self.suit,
            "hand": cards,
            "trick": st.lists(card, max_size=self.rules.ring.size),
            "card": card,
            "leader": seat,
            "declared": st.lists(self.run, max_size=3),
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
            "made": self.sides,
            "held": st.lists(st.integers(1, 90), max_size=2),
            "caller": seat,
            "at": st.sampled_from(["play", "result"]),
            "after_trick": st.integers(0, 9),
            "took_trick": st.booleans(),
            "next_card": st.booleans(),
            "cards": st.integers(0, 120),
            "jass": st.booleans(),
            "nine": st.booleans(),
            "by": side,
            "offence": st.sampled_from([*self.rules["offences"], *self.rules["offences_runs"]]),
            "points": stock | bid if self.rules.bids_points else stock,
            **bids,
            "taken_back": st.booleans(),
            "out": cards,
            "taken": st.dictionaries(side, cards),
            "totals": self.sides.map(lambda totals: {side: 4 * points for side, points in totals.items()}),
            "wrote": st.integers(0, 200),
            "should": st.integers(0, 200),
            "cut": st.booleans(),
            "stake": st.integers(1, 8),
            "doubled_last": side,
        }


HEAD = [*record_head("derda", 2), "remarks", "preset", "stake", "id", "conventions", "x"]
TABLES: list[TrickTable | BeatingTable] = [*map(TrickTable, TRICK_GAMES), *BEATING]


@SETTLED
@pytest.mark.parametrize("table", TABLES, ids=str)
@given(data=st.data())
def test_any_entry_is_unreadable_or_folded(table: TrickTable | BeatingTable, data: st.DataObject) -> None:
    """Whatever stands in a record is refused with its path, or the fold comes to a state."""
    entries, chosen = data.draw(st.lists(table.entries, max_size=4)), data.draw(table.conventions)
    try:
        record, opened = records.read_record(table.head(chosen, entries=entries), library.open_game)
    except Unreadable as error:
        assert str(error)
        return
    state = records.fold_record(record, opened.family)
    assert len(state.rows) == len(record.entries)
    shown = json.loads(json.dumps(opened.family.show(state)))
    assert sum(shown["stakes"].values()) == 0
    assert all(problem.plain()["reason"] for problem in state.problems)
    assert records.read_record(records.write_record(record), library.open_game)[0] == record


@few_examples(50, 200)
@given(junk, st.sampled_from(HEAD), st.sampled_from([("derda", 2), ("durak", 4)]))
def test_any_head_is_unreadable_or_read(value: Any, key: str, game: tuple[str, int]) -> None:
    try:
        records.read_record(record_head(*game) | {key: value}, library.open_game)
    except Unreadable as error:
        assert str(error)


@few_examples(25)
@given(junk)
def test_any_document_is_unreadable_or_read(value: Any) -> None:
    """Whatever is given for a record or for a ruling request is refused with its path, or read."""
    for reading in (lambda: records.read_record(value, library.open_game), lambda: library.rule(value)):
        try:
            reading()
        except Unreadable as error:
            assert str(error)


def requests(table: TrickTable | BeatingTable, question: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Requests with nearly all facts that a question needs, and some of those it can do without."""
    facts = {place.key: table.request_facts.get(place.key, junk) for place in fields_of(question.shape)}
    needed = {place.key: mostly(facts[place.key]) for place in fields_of(question.shape) if place.needed}
    further = {key: fact for key, fact in facts.items() if key not in needed}
    parts = st.tuples(st.fixed_dictionaries(needed), some(further, 4) if further else st.just({}))
    return parts.map(lambda two: {**two[0], **two[1]})


REQUESTS = [
    pytest.param(table, name, marks=[] if table.game.book.game in FOUR_GAMES else pytest.mark.nightly)
    for table in TABLES
    for name in table.game.family.questions
]


@few_examples(3, 20)
@pytest.mark.parametrize(("table", "name"), REQUESTS, ids=str)
@given(data=st.data())
def test_any_request_is_refused_or_ruled(
    table: TrickTable | BeatingTable, name: str, data: st.DataObject
) -> None:
    """Whatever is asked is refused with its path, or ruled on with at least one rule."""
    facts = data.draw(requests(table, table.game.family.questions[name]))
    chosen = data.draw(table.conventions)
    try:
        ruling = library.rule(table.request(name, chosen, facts))
    except Unreadable as error:
        assert str(error)
    else:
        assert ruling.rules
        assert str(ruling.why)
        json.dumps(ruling.plain())
