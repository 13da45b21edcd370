"""Play as many bouts as one likes, and compare each with the core: `python -m tests.support.played 100000 7`.

The numbers are how many bouts at least, and the seed of the first hand; a seed that fails is named.
"""

import sys
from random import Random

from .asking import check_hand
from .hand import PlayedHand
from .rules import random_rules


def main(bouts: int = 1000, seed: int = 1) -> None:
    """Compare at least so many bouts, hand by hand, each at a table of its own."""
    compared = transferred = hands = 0
    while compared < bouts:
        random = Random(seed + hands)
        rules = random_rules(random)
        hand = PlayedHand(rules, random, random.randrange(rules.players), random.random() < 0.5)
        try:
            compared += check_hand(rules, hand)
        except AssertionError as error:
            raise SystemExit(f"seed {seed + hands}: {error}") from error
        hands += 1
        transferred += sum(len(bout.transfers) for bout in hand.bouts)
    print(f"{compared} bouts of {hands} hands, {transferred} transfers in them: as they were played")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
