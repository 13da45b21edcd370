"""The same facts under other names: the names of plain suits and seats do not matter to a deal.

Facts are searched under names that follow from the facts alone, so that an answer cannot depend on the names
of suits and seats.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit
from companion.rules.seats import Seat, Side

from .facts import DealFacts

Marks = tuple[int, ...]
"""The facts about each card of a suit, in the order of ranks."""
FURTHER = {NO_TRUMPS: 1, ALL_TRUMPS: 2}
"""The trumps beside the suits, in the order of forms."""
Form = tuple[Any, ...]
"""The facts without names; forms of one game can be sorted."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """A renaming of facts for the search: suits, and seats by steps left."""

    ruleset: JackNineRuleset
    suits: tuple[Suit, ...]
    steps: int

    def rename_card(self, card: Card) -> Card:
        """Give the card its new name; `suits` in their new order."""
        return Card(card.rank, [*Suit][self.suits.index(card.suit)])

    def restore_card(self, card: Card) -> Card:
        """Give the card its own name again."""
        return Card(card.rank, self.suits[[*Suit].index(card.suit)])

    def rename_seat(self, seat: Seat) -> Seat:
        """Give the seat its new name."""
        return self.ruleset.ring.left(seat, -self.steps)

    def restore_seat(self, seat: Seat) -> Seat:
        """Give the seat its own name again."""
        return self.ruleset.ring.left(seat, self.steps)

    def rename_side(self, side: Side) -> Side:
        """Give the side its new name."""
        return self.ruleset.ring.side(self.rename_seat(side))

    def rename_facts(self, facts: DealFacts) -> DealFacts:
        """Give the facts their new names."""
        sides = self.ruleset.ring.sides
        own = [sides.index(self.ruleset.ring.side(self.restore_seat(side))) for side in sides]
        return replace(
            facts,
            trump=facts.trump if facts.trump in FURTHER else str(Suit.SPADES),
            last=self.rename_side(facts.last),
            points=None if facts.points is None else tuple(facts.points[n] for n in own),
            tricks=None if facts.tricks is None else tuple(facts.tricks[n] for n in own),
            out=frozenset(self.rename_card(card) for card in facts.out),
            pinned=frozenset((self.rename_card(card), self.rename_side(side)) for card, side in facts.pinned),
            hands=frozenset((self.rename_card(card), self.rename_seat(seat)) for card, seat in facts.hands),
            takers=frozenset(self.rename_side(side) for side in facts.takers),
        )


def rename_facts(ruleset: JackNineRuleset, facts: DealFacts) -> tuple[Form, DealFacts, Renaming]:
    """Rename facts for the search: the form without names, the facts renamed, and the renaming."""
    form, renaming = min(_list_forms(ruleset, facts), key=lambda pair: pair[0])
    return form, renaming.rename_facts(facts), renaming


def _list_forms(ruleset: JackNineRuleset, facts: DealFacts) -> Iterator[tuple[Form, Renaming]]:
    """List the facts as seen from each seat, plain suits in the order of the facts known of them."""
    ring, sides = ruleset.ring, ruleset.ring.sides
    pinned, dealt = dict(facts.pinned), dict(facts.hands)
    tricks = facts.tricks or (None,) * len(sides)
    points = facts.points or (-1,) * len(sides)
    for steps in range(ring.size):
        seats = {ring.left(seat, steps): n for n, seat in enumerate(ring.seats)}
        seen = {ring.left(side, steps): n for n, side in enumerate(sides)}
        numbers = {ring.side(seat): n for seat, n in seen.items()}
        order = sorted(sides, key=numbers.__getitem__)

        def mark(card: Card, seats: dict[Seat, int] = seats, numbers: dict[Side, int] = numbers) -> int:
            if card in facts.out:
                return 1
            by_seat = 10 * (seats[dealt[card]] + 1) if card in dealt else 0
            return by_seat + (numbers[pinned[card]] + 2 if card in pinned else 0)

        marks = {suit: tuple(mark(Card(rank, suit)) for rank in ruleset.ranks) for suit in Suit}
        suits = tuple(sorted(Suit, key=lambda suit: (suit != facts.trump, marks[suit])))
        stated = [tricks[sides.index(side)] for side in order]
        form: Form = (
            facts.melds,
            FURTHER.get(facts.trump, 0),
            len(dealt) + len(pinned) + len(facts.out),
            tuple(points[sides.index(side)] for side in order),
            tuple(-1 if number is None else number for number in stated),
            numbers[facts.last],
            tuple(sorted(numbers[side] for side in facts.takers)),
            *(marks[suit] for suit in suits),
        )
        yield form, Renaming(ruleset, suits, steps)
