"""Endings on file: in how many ways the last five cards of every hand can be played by the rules.

Each is counted twice, by the core's duties and by a second, naive reading of them.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from dealing import TRICK_GAMES, open_jacknine
from naive import WAYS, allowed, taker

from companion import library
from companion.jacknine.phases import play
from companion.rules.cards import Card, parse_card

ENDINGS = tomllib.loads((Path(__file__).parent / "perft.toml").read_text("utf-8"))["ending"]
QUICK = [ending for ending in ENDINGS if ending["ways"] < 5000]
LONG = [pytest.param(ending, marks=pytest.mark.nightly) for ending in ENDINGS if ending not in QUICK]
Cards = tuple[Card, ...]


def plays(
    hands: Mapping[str, Cards],
    leader: str,
    legal: Callable[[Cards, Cards], Sequence[Card]],
    takes: Callable[[Cards], int],
) -> int:
    """How many different plays there are from here to the last card."""
    seats = tuple(hands)

    @cache
    def ways(held: tuple[Cards, ...], leader: int, trick: Cards) -> int:
        if len(trick) == len(seats):
            return ways(held, (leader + takes(trick)) % len(seats), ())
        turn = (leader + len(trick)) % len(seats)
        if not held[turn]:
            return 1
        found = 0
        for card in legal(held[turn], trick):
            left = tuple(other for other in held[turn] if other != card)
            found += ways((*held[:turn], left, *held[turn + 1 :]), leader, (*trick, card))
        return found

    return ways(tuple(hands.values()), seats.index(leader), ())


@pytest.mark.parametrize("ending", QUICK + LONG, ids=lambda ending: f"{ending['game']}: {ending['name']}")
def test_ending(ending: Mapping[str, Any]) -> None:
    """Each ending has as many plays as are on file, by the core and by the naive rules."""
    rules = open_jacknine(ending["game"], conventions=ending.get("conventions")).ruleset
    hands = {seat: tuple(map(parse_card, ending[seat].split())) for seat in rules.ring.seats}
    assert {len(hand) for hand in hands.values()} == {5}
    trump, way = ending["trump"], WAYS[ending["game"]]
    bare = rules["bare_jass"] == "on"
    by_core = plays(
        hands,
        ending["leader"],
        lambda hand, trick: play.find_duty(rules, hand, trick, trump).legal,
        lambda trick: play.find_winning_place(rules, trick, trump),
    )
    naively = plays(
        hands,
        ending["leader"],
        lambda hand, trick: allowed(way, hand, trick, trump, bare=bare),
        lambda trick: taker(way, trick, trump),
    )
    assert (by_core, naively) == (ending["ways"], ending["ways"])


def test_every_way_of_playing_has_an_ending() -> None:
    """Every trick game has endings, and every one that knows the bare jass one with it and one without."""
    on_file = {(ending["game"], ending.get("conventions", {}).get("bare_jass")) for ending in ENDINGS}
    assert {game for game, _ in on_file} == set(TRICK_GAMES)
    known = {game for game in TRICK_GAMES if "bare_jass" in library.read_rulebook(game).conventions}
    assert {(game, "on") for game in known} <= on_file
    assert "NT" in {ending["trump"] for ending in ENDINGS}
