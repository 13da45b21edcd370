"""Endings on file: in how many ways the last five cards of both hands can be played by the rules."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion import library
from companion.jacknine import play
from companion.rules.cards import Card, parse_card

RULES = library.open_game("derda").family.ruleset
ENDINGS = tomllib.loads((Path(__file__).parent / "endings.toml").read_text("utf-8"))["ending"]


def ways(hands: Mapping[str, tuple[Card, ...]], leader: str, trump: str) -> int:
    """How many different plays there are from here to the last card."""
    if not hands[leader]:
        return 1
    other, found = RULES.ring.left(leader), 0
    for led in play.duty(RULES, hands[leader], [], trump).legal:
        for answer in play.duty(RULES, hands[other], [led], trump).legal:
            left = {
                leader: tuple(card for card in hands[leader] if card != led),
                other: tuple(card for card in hands[other] if card != answer),
            }
            taker = (leader, other)[play.winning(RULES, [led, answer], trump)]
            found += ways(left, taker, trump)
    return found


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending["name"])
def test_ending(ending: Mapping[str, str]) -> None:
    """Each ending has as many plays as are on file."""
    hands = {seat: tuple(map(parse_card, ending[seat].split())) for seat in RULES.ring.seats}
    assert ways(hands, ending["leader"], ending["trump"]) == ending["ways"]
