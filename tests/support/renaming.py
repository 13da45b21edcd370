"""A question, or its answer, with other names: suits exchanged, everybody moved to another seat."""

import re
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from companion.rules.cards import Suit
from companion.rules.seats import Ring

CARD = re.compile(r"(10|[AKQJ6-9])([SHDC])")
SUITS = ("trump", "suit")
SEATS = ("leader", "claimer", "declarer", "dealer", "seat", "takers", "said")
SIDES = ("side", "by", "last", "jass", "nine", "trickless", "winner")


class Renaming:
    """Which suit becomes which, and how many places to the left everybody moves."""

    def __init__(self, ring: Ring, suits: str, steps: int) -> None:
        self.ring, self.steps = ring, steps
        self.suits = dict(zip(map(str, Suit), suits, strict=True))

    def seat(self, name: str) -> str:
        """The seat that becomes of one."""
        return self.ring.left(name, self.steps) if name in self.ring.seats else name

    def side(self, name: str) -> str:
        """The side that becomes of one."""
        return self.ring.side(self.seat(name)) if name in self.ring.sides else name

    def rename(self, told: Any, key: str = "") -> Any:
        """The same with the other names; `key` is where it stands."""
        match told:
            case str():
                if card := CARD.fullmatch(told):
                    return card[1] + self.suits[card[2]]
                if key in SUITS:
                    return self.suits.get(told, told)
                return self.seat(told) if key in SEATS else self.side(told) if key in SIDES else told
            case list() | tuple():
                return [self.rename(each, key) for each in told]
            case dict():
                named = {
                    frozenset(self.ring.sides): self.side,
                    frozenset(self.ring.seats): self.seat,
                }.get(frozenset(told), str)
                return {named(name): self.rename(each, name) for name, each in told.items()}
            case _:
                return told


def list_renamings(ring: Ring) -> Iterator[Renaming]:
    """Every order of the suits, and with each the seats turned by another step."""
    for number, suits in enumerate(permutations("SHDC")):
        yield Renaming(ring, "".join(suits), number % ring.size)
