"""A deal played by the rules, played again with one card that was not due."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from dealing import Table
from naive import allowed, taker

from companion.rules.cards import Card, parse_card


@dataclass(frozen=True)
class Revoke:
    """The deal as it then fell, who revoked with what in which trick (from 1), and what was due."""

    told: Mapping[str, Any]
    seat: str
    trick: int
    card: Card
    due: frozenset[Card]


def revoked(table: Table, told: Mapping[str, Any], elder: str, trump: str, random: Random) -> Revoke | None:
    """The same hands, played at random by the rules but for one card; None where none can be wrong."""
    ring, hands = table.rules.ring, hands_of(table, told, elder, trump)
    bare = table.rules["bare_jass"] == "on"
    wrong: tuple[str, int, Card, frozenset[Card]] | None = None
    tricks, leader, size = [], elder, table.rules.hand
    begun = random.randrange(size)
    for number in range(size):
        trick: list[Card] = []
        for seat in ring.around(leader):
            due = allowed(table.way, hands[seat], trick, trump, bare=bare)
            others = [card for card in hands[seat] if card not in due]
            if others and wrong is None and number >= begun:
                card = random.choice(others)
                wrong = seat, number + 1, card, frozenset(due)
            else:
                card = random.choice(due)
            hands[seat].remove(card)
            trick.append(card)
        leader = ring.around(leader)[taker(table.way, trick, trump)]
        tricks.append([str(card) for card in trick])
    return None if wrong is None else Revoke({**told, "tricks": tricks}, *wrong)


def hands_of(table: Table, told: Mapping[str, Any], elder: str, trump: str) -> dict[str, list[Card]]:
    """The hands that were played."""
    ring = table.rules.ring
    hands: dict[str, list[Card]] = {seat: [] for seat in ring.seats}
    leader = elder
    for named in told["tricks"]:
        trick = [parse_card(card) for card in named]
        for seat, card in zip(ring.around(leader), trick, strict=True):
            hands[seat].append(card)
        leader = ring.around(leader)[taker(table.way, trick, trump)]
    return hands
