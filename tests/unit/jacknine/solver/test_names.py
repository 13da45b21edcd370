"""The law of names: an answer never hangs on what suits are called, or on who sits where."""

from collections.abc import Iterator
from functools import partial
from json import dumps
from random import Random
from typing import Any

import pytest
from dealing import TRICK_GAMES, Played, Table, open_jacknine
from renaming import list_renamings
from tiers import FOUR_GAMES, is_nightly, mostly_at_night

from companion import library
from companion.jacknine.arbiter import claims
from companion.jacknine.arbiter.claims import judge_claim
from companion.rules.cards import NO_TRUMPS, Suit
from companion.rules.errors import Unreadable
from companion.rules.schema import to_json

each_game = mostly_at_night("game", TRICK_GAMES, FOUR_GAMES)


def make_claims(game: str, random: Random, size: int, count: int) -> Iterator[dict[str, Any]]:
    """Claims at random to hands of so many cards: to every trick, to points, to a contract."""
    rules = open_jacknine(game).ruleset
    seats, sides = rules.ring.seats, rules.ring.sides
    for number in range(count):
        pack = list(rules.pack)
        random.shuffle(pack)
        request = {
            "game": game,
            "question": "claim",
            "hands": {seat: list(map(str, pack[n * size : n * size + size])) for n, seat in enumerate(seats)},
            "leader": random.choice(seats),
            "claimer": random.choice(seats),
            "trump": random.choice([*map(str, Suit), *[NO_TRUMPS] * rules.no_trumps]),
        }
        contract: dict[str, Any] = {"declarer": random.choice(seats)}
        contract["made"] = {side: random.randrange(40) for side in sides}
        if rules.bids_points:
            contract["points"] = random.choice([80, 110, 160])
        yield request | ({}, {"wants": random.randint(5, 50)}, contract)[number % 3]


def ask(request: dict[str, Any]) -> dict[str, Any]:
    """What is answered or refused, but for the sentence; nothing is remembered from before."""
    judge_claim.cache_clear()
    try:
        ruling = library.rule(request)
    except Unreadable as refused:
        return {"path": refused.path, "refused": str(refused.requirement)}
    answer: dict[str, Any] = to_json(ruling.answer)
    return {"verdict": ruling.verdict, "rules": [rule.id for rule in ruling.rules], **answer}


@each_game
def test_a_claim_with_other_names_has_the_same_answer(game: str) -> None:
    """The same verdict, the same points, and the same line with its cards and seats renamed."""
    ring = open_jacknine(game).ruleset.ring
    for request in make_claims(game, Random(1), 3, 6 if is_nightly() else 3):
        found = ask(request)
        for renaming in list_renamings(ring):
            assert ask(renaming.rename(request)) == renaming.rename(found), request


@each_game
def test_names_do_not_decide_what_is_too_long(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = open_jacknine(game).ruleset
    refused = dict.fromkeys((10, 100, 1000) if is_nightly() else (10, 100), 0)
    for most in refused:
        for limit in ("MAX_PLAYS", "MAX_FORCED_PLAYS", "MAX_SPAN_PLAYS"):
            monkeypatch.setattr(claims, limit, most)
        for request in make_claims(game, Random(2), rules.hand - 1, 3):
            found = ask(request)
            refused[most] += "refused" in found
            for renaming in list(list_renamings(rules.ring))[::5]:
                assert ask(renaming.rename(request)) == renaming.rename(found), request
    assert refused[10]


@each_game
def test_the_order_of_a_hand_decides_no_verdict(game: str) -> None:
    """Hands told suit by suit, as they are picked on a page, come to the same, by a line as long."""
    for request in make_claims(game, Random(3), 4, 6):
        found = ask(request)
        hands = {seat: sorted(hand, key=sort_card) for seat, hand in request["hands"].items()}
        again = ask(request | {"hands": hands})
        for part in ("verdict", "forced", "range"):
            assert again[part] == found[part]
        if "declarer" not in request and "wants" not in request:
            assert len(again["line"] or ()) == len(found["line"] or ())


def sort_card(card: str) -> str:
    return card[-1] + card


@pytest.mark.nightly
def test_whole_hands_are_decided_whatever_their_suits_are_called() -> None:
    (request,) = make_claims("darda", Random(4), 8, 1)
    found = ask(request | {"wants": 60})
    assert found["verdict"] in ("good", "bad")
    for renaming in list(list_renamings(open_jacknine("darda").ruleset.ring))[1::8]:
        assert ask(renaming.rename(request | {"wants": 60})) == renaming.rename(found)


def sort_faults(answer: dict[str, Any]) -> dict[str, Any]:
    """An audit's answer without its sentences, what was wrong in one order for all tables.

    A four of a kind lists its cards by suit, so that other names list them in another order.
    """
    faults = [
        {key: sorted(each) if key == "cards" else each for key, each in fault.items() if key != "why"}
        for fault in answer["irregularities"]
    ]
    return answer | {"irregularities": sorted(faults, key=partial(dumps, sort_keys=True))}


@each_game
def test_an_audit_with_other_names_finds_the_same(game: str) -> None:
    """A deal with a card that was not due and counts that are not right, and all of it renamed."""
    table, random, audited = Table(game), Random(6), 0
    ring = table.rules.ring
    while audited < 4:
        dealer = random.choice(ring.seats)
        found = table.deal(random, dealer)
        if not isinstance(found, Played):
            continue
        stated = {**found.stated, "dealer": dealer}
        first, second = stated["tricks"][2:4]
        stated["tricks"] = [*stated["tricks"][:2], second, first, *stated["tricks"][4:]]
        made = {side: random.randrange(90) for side in ring.sides}
        request = {"question": "audit", "deal": stated, "made": made}
        try:
            answer = sort_faults(to_json(table.family.rule(request).answer))
        except Unreadable:  # now another player would have the turned card
            continue
        audited += bool(answer["irregularities"])
        for renaming in list(list_renamings(ring))[1::6]:
            again = table.family.rule(renaming.rename(request))
            assert sort_faults(to_json(again.answer)) == sort_faults(renaming.rename(answer))
