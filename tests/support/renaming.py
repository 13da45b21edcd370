"""Questions and answers with other names for suits and seats."""

import re
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from companion.rules.cards import Suit
from companion.rules.seats import Ring

CARD = re.compile(r"(10|[AKQJ6-9])([SHDC])")
SUITS = ("trump", "suit", "turn_up")
CALL = re.compile(r"(play|bid \w+) ([SHDC])")
DOUBLE = re.compile(r"double ([A-D])")
SEATS = ("leader", "claimer", "declarer", "dealer", "next_dealer", "seat", "takers", "bela", "exchanged")
SIDES = ("side", "by", "last", "jass", "nine", "trickless", "winner")


class Renaming:
    """Other names for a question or its answer: which suit becomes which, who moves how far to the left."""

    def __init__(self, ring: Ring, suits: str, steps: int) -> None:
        self.ring, self.steps = ring, steps
        self.suits = dict(zip(map(str, Suit), suits, strict=True))

    def seat(self, name: str) -> str:
        """The seat that becomes of one."""
        return self.ring.left(name, self.steps) if name in self.ring.seats else name

    def side(self, name: str) -> str:
        """The side that becomes of one."""
        return self.ring.side(self.seat(name)) if name in self.ring.sides else name

    def rename(self, stated: Any, key: str = "") -> Any:
        """The same with the other names; `key` is where it stands."""
        match stated:
            case str():
                if card := CARD.fullmatch(stated):
                    return card[1] + self.suits[card[2]]
                if call := CALL.fullmatch(stated):
                    return f"{call[1]} {self.suits[call[2]]}"
                if call := DOUBLE.fullmatch(stated):
                    return f"double {self.seat(call[1])}"
                if key in SUITS:
                    return self.suits.get(stated, stated)
                return self.seat(stated) if key in SEATS else self.side(stated) if key in SIDES else stated
            case list() | tuple():
                return [self.rename(each, key) for each in stated]
            case dict():
                named = {
                    frozenset(self.ring.sides): self.side,
                    frozenset(self.ring.seats): self.seat,
                }.get(frozenset(stated), str)
                return {named(name): self.rename(each, name) for name, each in stated.items()}
            case _:
                return stated


def list_renamings(ring: Ring) -> Iterator[Renaming]:
    """Every order of the suits, and with each the seats turned by another step."""
    for number, suits in enumerate(permutations("SHDC")):
        yield Renaming(ring, "".join(suits), number % ring.size)
