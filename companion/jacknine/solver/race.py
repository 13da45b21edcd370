"""The search through every legal play: whether a side reaches a goal against the best play of the others.

A search tests whether a position comes to the need. The answer is a value that is at least the need, or else
one that cannot be surpassed. Results for positions between two tricks are remembered.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from typing import Generic, NamedTuple, TypeVar

from .endgame import (
    Endgame,
    Position,
    build_duty_finder,
    build_taking_finder,
    find_start,
    list_cards,
    play_card,
)
from .facts import Effort

Made = TypeVar("Made")
"""The points or tricks made so far, as the kind of race counts them."""

Neighbours = tuple[tuple[int, int], ...]
"""Cards that follow each other in one hand while nobody else has one between: each with its weight."""

Ranked = tuple[bool, int, Neighbours]
"""Neighbours with their rank in the order in which plays are tried."""

BEYOND = 1 << 20
"""A value above that of any play."""


class PlayedTrick(NamedTuple):
    """One trick of a line: its cards, the seat that took it, and the points it brought."""

    cards: tuple[int, ...]
    taker: int
    worth: int


class Race(ABC, Generic[Made]):
    """A search whether a side gets what it needs of the cards left.

    `side` are its seats; `choosing` are the seats that play for it, all others play against it. `weights` are
    by card: which of two neighbours in a hand is played first matters at most by the difference of their
    weights. The `effort` counts the plays tried.
    """

    def __init__(
        self,
        ending: Endgame,
        side: Collection[int],
        choosing: Collection[int],
        weights: Sequence[int],
        effort: Effort,
    ) -> None:
        self.ending, self.side, self.choosing, self.effort = ending, side, choosing, effort
        self.begin = find_start(ending)
        self.need = 0
        self.search = _build_search(self, weights)

    @abstractmethod
    def add_trick(self, made: Made, winner: int, worth: int, left: int) -> Made:
        """Add a trick to what has been made."""

    @abstractmethod
    def value_after(self, left: int, winner: int, worth: int, made: Made) -> int:
        """Find the value after a trick that `winner` took; `made` as before the trick.

        :raises SearchLimit: if the effort is spent.
        """

    def reaches(self, at: Position, made: Made, need: int) -> bool:
        """True if the side comes to the need from a position."""
        if need <= 0:
            return True
        self.need = need
        if at.lying == len(self.ending.hands):
            return self.value_after(at.left, at.winner, at.worth, made) >= need
        return self.search(*at, made) >= need

    def find_opening(self, made: Made, need: int) -> int | None:
        """Find the first stated card with which the side gets there; None unless one of its seats plays."""
        if self.begin.seat not in self.choosing:
            return None
        options = self._list_options(self.begin)
        return next(card for card, after in options if self.reaches(after, made, need))

    def play_line(self, made: Made, floor: int, ceiling: int) -> Iterator[PlayedTrick]:
        """List the complete tricks of a play in which nobody does harm.

        The side always keeps to positions that reach `floor`, the others to those that do not surpass
        `ceiling`; each plays the first stated card of its hand that does so.
        """
        ending, at, trick = self.ending, self.begin, list(self.ending.table)
        while at.left:
            options = self._list_options(at)
            if at.seat in self.choosing:
                good = (option for option in options if self.reaches(option[1], made, floor))
            else:
                good = (option for option in options if not self.reaches(option[1], made, ceiling + 1))
            card, at = next(good)
            trick.append(card)
            if at.lying == len(ending.hands):
                yield PlayedTrick(tuple(trick), at.winner, at.worth + (0 if at.left else ending.last))
                made, trick = self.add_trick(made, at.winner, at.worth, at.left), []
                at = Position(at.left, at.left, at.winner)

    def _list_options(self, at: Position) -> list[tuple[int, Position]]:
        """List the plays, in the order stated, each with the position after it."""
        ending = self.ending
        hand = at.left & ending.hands[at.seat]
        may = build_duty_finder(ending)(
            hand, at.led, at.best, ending.sides[at.seat] == ending.sides[at.winner], at.start & ~at.left
        )
        options = (card for card in ending.stated if may >> card & 1)
        return [(card, play_card(ending, at, card)) for card in options]


Grouping = Callable[[int, int], tuple[Neighbours, ...]]
"""A function that groups the cards of a hand in one suit, by the cards that others have of it."""


def _build_grouping(ending: Endgame, weights: Sequence[int]) -> Grouping:
    """Build a function that groups the cards of a hand in one suit by neighbours, the lowest first.

    Of cards that are alike it keeps one.
    """

    @cache
    def group_neighbours(mine: int, others: int) -> tuple[Neighbours, ...]:
        groups: list[dict[int, int]] = []
        before = 0
        for card in list_cards(mine):
            bit = 1 << card
            if not before or others & (bit - 2 * before) or (bit | before) & ending.keeper:
                groups.append({})
            groups[-1].setdefault(weights[card], card)
            before = bit
        return tuple(tuple((card, weight) for weight, card in group.items()) for group in groups)

    return group_neighbours


def _build_lead_order(
    ending: Endgame, ours: Sequence[bool], group_neighbours: Grouping
) -> Callable[[int, int], Sequence[Ranked]]:
    """Build the order of leads: first those with fewest replies, and cards that no opponent beats."""
    hands, above, trumps = ending.hands, ending.above, ending.trumps
    seats = range(len(hands))
    whole_suits = tuple(dict.fromkeys(ending.suits))
    others_of = tuple(tuple(other for other in seats if other != seat) for seat in seats)
    foes = tuple(tuple(other for other in seats if ours[other] != ours[seat]) for seat in seats)
    their_cards = tuple(sum(hands[foe] for foe in foes[seat]) for seat in seats)

    def may_be_ruffed(left: int, seat: int, suit: int) -> bool:
        if suit != trumps:
            for foe in foes[seat]:
                its = left & hands[foe]
                if its & trumps and not its & suit:
                    return True
        return False

    def order_leads(left: int, seat: int) -> Sequence[Ranked]:
        hand, against = left & hands[seat], left & their_cards[seat]
        others = left & ~hand
        ranked: list[Ranked] = []
        for suit in whole_suits:
            if not hand & suit:
                continue
            replies = 1
            for other in others_of[seat]:
                its = left & hands[other]
                replies *= (its & suit or its & trumps or its).bit_count()
            ruffed = may_be_ruffed(left, seat, suit)
            for group in group_neighbours(hand & suit, others & suit):
                card, weight = group[0]
                if ruffed or against & above[card]:
                    ranked.append((True, 3 * replies + weight, group))
                else:
                    ranked.append((True, replies, group[::-1]))
        return sorted(ranked)

    return order_leads


def _build_reply_order(
    suits: Sequence[int], group_neighbours: Grouping
) -> Callable[[int, int, int, bool], Sequence[Ranked]]:
    """Build the order of replies to a trick: first those that take it; dear cards to friends."""
    whole_suits = tuple(dict.fromkeys(suits))

    @cache
    def rank_replies(may: int, others: int, taking: int, befriended: bool) -> Sequence[Ranked]:
        """Rank the cards of one suit."""
        ranked: list[Ranked] = []
        for group in group_neighbours(may, others):
            card, weight = group[0]
            takes = bool(taking >> card & 1)
            if takes or befriended:
                ranked.append((takes and befriended, -group[-1][1], group[::-1]))
            else:
                ranked.append((True, weight, group))
        return sorted(ranked)

    def order_replies(may: int, others: int, taking: int, befriended: bool) -> Sequence[Ranked]:
        suit = suits[may.bit_length() - 1]
        if not may & ~suit:
            return rank_replies(may, others & suit, taking & may, befriended)
        ranked: list[Ranked] = []
        for suit in whole_suits:
            if may & suit:
                ranked += rank_replies(may & suit, others & suit, taking & may & suit, befriended)
        return sorted(ranked)

    return order_replies


def _build_search(
    race: Race[Made], weights: Sequence[int]
) -> Callable[[int, int, int, int, int, int, int, int, Made], int]:
    """Build the search through one trick, from the fields of a `Position` and the points made to a value."""
    ending, size, sides = race.ending, len(race.ending.hands), race.ending.sides
    hands, suits, points = ending.hands, ending.suits, ending.points
    find_legal, find_taking, value_after = (
        build_duty_finder(ending),
        build_taking_finder(ending),
        race.value_after,
    )
    chooses = tuple(seat in race.choosing for seat in range(size))
    ours = tuple(seat in race.side for seat in range(size))
    following = tuple((seat + 1) % size for seat in range(size))
    group_neighbours = _build_grouping(ending, weights)
    order_leads = _build_lead_order(ending, ours, group_neighbours)
    order_replies = _build_reply_order(suits, group_neighbours)

    def search(
        left: int, start: int, seat: int, lying: int, led: int, best: int, winner: int, worth: int, made: Made
    ) -> int:
        while lying < size:
            hand = left & hands[seat]
            may = find_legal(hand, led, best, sides[winner] == sides[seat], start & ~left)
            taking = find_taking(best)
            if may & (may - 1):
                break
            card = may.bit_length() - 1  # there is no choice
            if may & taking:
                best, winner, led = card, seat, led or suits[card]
            left, worth, lying = left ^ may, worth + points[card], lying + 1
            seat = following[seat]
        else:
            return value_after(left, winner, worth, made)
        groups = (
            order_replies(may, start & ~hand, taking, ours[winner] == ours[seat])
            if lying
            else order_leads(left, seat)
        )
        race.effort.spend(len(groups))
        need, maximal = race.need, chooses[seat]
        value = -BEYOND if maximal else BEYOND
        completes, after = lying == size - 1, following[seat]
        for _later, _rank, group in groups:
            first, its_weight = None, 0
            for card, weight in group:
                if first is not None:  # a neighbour is worth as much but for the difference of the two
                    nearest = first + abs(weight - its_weight) * (1 if maximal else -1)
                    if (nearest >= need) is not maximal:
                        value = max(value, nearest) if maximal else min(value, nearest)
                        continue
                bit = 1 << card
                now, taker = (card, seat) if bit & taking else (best, winner)
                if completes:
                    found = value_after(left ^ bit, taker, worth + points[card], made)
                else:
                    found = search(
                        left ^ bit,
                        start,
                        after,
                        lying + 1,
                        led or suits[card],
                        now,
                        taker,
                        worth + points[card],
                        made,
                    )
                if maximal:
                    if found > value:
                        value = found
                        if found >= need:
                            return found
                elif found < value:
                    value = found
                    if found < need:
                        return found
                if first is None:
                    first, its_weight = found, weight
        return value

    return search
