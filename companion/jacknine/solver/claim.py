"""What a side can force of the last cards against best play, and what may still come of them.

Every play by the rules is searched. A search asks a position for yes or no: does the side reach what it
needs? What was found of a position is remembered.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from .effort import Effort
from .endgame import Endgame, Position, build_duty_finder, find_start, play_card, to_bits

MOST_TRICKS = 1_000_000
"""How many tricks are tried for one answer; a few seconds."""

Need = TypeVar("Need")
"""What a side still needs, as the kind of race has it."""


class PlayedTrick(NamedTuple):
    """One trick of a line: its cards, the seat that took it, and the points it brought."""

    cards: tuple[int, ...]
    taker: int
    worth: int


class Race(ABC, Generic[Need]):
    """Whether a side gets what it needs of the cards left.

    `side` are its seats; `choosing` are the seats that play for it, all others play against it. The
    `effort` counts tricks, and may be shared with other races.
    """

    def __init__(
        self, ending: Endgame, side: Collection[int], choosing: Collection[int], effort: Effort
    ) -> None:
        self.ending, self.side, self.choosing, self.effort = ending, side, choosing, effort
        self.begin = find_start(ending)
        self.hands = tuple(map(to_bits, ending.hands))
        self.owned = sum(self.hands[seat] for seat in side)
        self.reach = _build_trick_search(ending, choosing, self.classify_cards(), self.reach_after)

    @abstractmethod
    def reach_after(self, left: int, winner: int, worth: int, need: Need) -> bool:
        """Whether the side gets there after a trick that `winner` took; `need` as before the trick.

        :raises SearchLimit: when the effort is spent.
        """

    @abstractmethod
    def reduce_need(self, need: Need, winner: int, worth: int, left: int) -> Need:
        """What is needed yet after a trick."""

    @abstractmethod
    def is_well_played(self, seat: int, after: Position, lost: Need) -> bool:
        """Whether a card that led there was well played, where the side just fails to reach `lost`."""

    def classify_cards(self) -> tuple[int, ...]:
        """By card what sets it apart from its neighbours in a hand: of those alike one is tried for all."""
        ending = self.ending
        return tuple(2 * points + (ending.keeper >> card & 1) for card, points in enumerate(ending.points))

    def reach_from(self, at: Position, need: Need) -> bool:
        """Whether the side gets there from a position."""
        if at.lying == len(self.ending.hands):
            return self.reach_after(at.left, at.winner, at.worth, need)
        return self.reach(*at, need)

    def find_opening(self, need: Need) -> int | None:
        """The first card of the hand with which the side gets there, where one of its seats is to play."""
        ending, at = self.ending, self.begin
        if at.seat not in self.choosing:
            return None
        may = build_duty_finder(ending)(self.hands[at.seat], at.led, at.best)
        legal = (card for card in ending.hands[at.seat] if may >> card & 1)
        return next(card for card in legal if self.reach_from(play_card(ending, at, card), need))

    def play_line(self, lost: Need) -> Iterator[PlayedTrick]:
        """Complete tricks of a play in which the side just fails to reach `lost`, the others at their best.

        Each plays the first card of the hand that does no harm; where every card does, the first.
        """
        ending, at, need = self.ending, self.begin, lost
        find_legal, trick = build_duty_finder(ending), list(ending.table)
        while at.left:
            hand = [card for card in ending.hands[at.seat] if at.left >> card & 1]
            may = find_legal(to_bits(hand), at.led, at.best)
            options = [(card, play_card(ending, at, card)) for card in hand if may >> card & 1]
            good = (option for option in options if self.is_well_played(at.seat, option[1], need))
            card, at = next(good, options[0])
            trick.append(card)
            if at.lying == len(ending.hands):
                yield PlayedTrick(tuple(trick), at.winner, at.worth + (0 if at.left else ending.last))
                need, trick = self.reduce_need(need, at.winner, at.worth, at.left), []
                at = Position(at.left, at.left, at.winner)


class PointRace(Race[int]):
    """How many points of what is left a side can reach: `need` is points."""

    halving = True
    """Whether the most is closed in on by halves, or step by step from below."""

    def __init__(
        self, ending: Endgame, side: Collection[int], choosing: Collection[int], effort: Effort
    ) -> None:
        super().__init__(ending, side, choosing, effort)
        self.known: dict[int, tuple[int, int]] = {}

    @property
    def top(self) -> int:
        """The most that could be reached."""
        return self.ending.total

    def find_most(self) -> int:
        """The most that is reached from the beginning."""
        low, high = 0, self.top
        while low < high:
            need = (low + high + 1) // 2 if self.halving else low + 1
            low, high = (need, high) if self.reach(*self.begin, need) else (low, need - 1)
        return low

    def reduce_need(self, need: int, winner: int, worth: int, left: int) -> int:
        return need - worth - (0 if left else self.ending.last) if winner in self.side else need

    def find_bounds(self, left: int, leader: int) -> tuple[int, int]:
        """The least and the most that the cards left can bring the side, however they are played.

        A leader whose cards nobody can beat takes everything. Else the trumps of a side that none of the
        others' beats are its own at least.
        """
        rest = self.ending.count_points(left) + self.ending.last
        if self.ending.is_unbeatable(left & self.hands[leader], left & ~self.hands[leader]):
            return (rest, rest) if leader in self.side else (0, 0)
        trumps = left & self.ending.trumps
        ours, theirs = trumps & self.owned, trumps & ~self.owned
        sure = ours >> theirs.bit_length() << theirs.bit_length()
        lost = theirs >> ours.bit_length() << ours.bit_length()
        return self.ending.count_points(sure), rest - self.ending.count_points(lost)

    def reach_after(self, left: int, winner: int, worth: int, need: int) -> bool:
        self.effort.spend()
        need = self.reduce_need(need, winner, worth, left)
        if not left:
            return need <= 0
        key = left * len(self.ending.hands) + winner
        low, high = self.known.get(key) or self.find_bounds(left, winner)
        if need <= low or need > high:
            return need <= low
        reached = self.reach(left, left, winner, 0, 0, -1, winner, 0, need)
        self.known[key] = (need, high) if reached else (low, need - 1)
        return reached

    def is_well_played(self, seat: int, after: Position, lost: int) -> bool:
        if seat in self.choosing:
            return lost == 1 or self.reach_from(after, lost - 1)
        return not self.reach_from(after, lost)


class TrickRace(PointRace):
    """How many tricks a side can take in a row, from the next on: `need` is tricks."""

    halving = False

    def classify_cards(self) -> tuple[int, ...]:
        return tuple(self.ending.keeper >> card & 1 for card in range(len(self.ending.points)))

    @property
    def top(self) -> int:
        return self.ending.tricks

    def reduce_need(self, need: int, winner: int, worth: int, left: int) -> int:
        return need - 1 if winner in self.side else self.top + 1

    def find_bounds(self, left: int, leader: int) -> tuple[int, int]:
        return 0, left.bit_count() // len(self.ending.hands)

    def reach_after(self, left: int, winner: int, worth: int, need: int) -> bool:
        return winner in self.side and (need == 1 or super().reach_after(left, winner, worth, need))


Made = tuple[int, ...]
"""What each side has made so far, in points."""


@dataclass(frozen=True, slots=True)
class ClaimedContract:
    """What makes the contract: by side what it has so far, and how the deal must end for the claimer.

    `makes`: the declarer's side must have more than each other; otherwise one of the others must have as
    much, or more where `more`.
    """

    declarer: int
    so_far: Made
    makes: bool
    more: bool

    def is_met(self, made: Sequence[int]) -> bool:
        """Whether a deal that ended so, ended as was claimed."""
        best = max(points for side, points in enumerate(made) if side != self.declarer)
        ahead = made[self.declarer] - best
        return ahead > 0 if self.makes else ahead < 0 if self.more else ahead <= 0


class ContractRace(Race[Made]):
    """Whether a side can bring a contract to its end: `need` is what each side has so far."""

    def __init__(
        self, ending: Endgame, side: Collection[int], contract: ClaimedContract, effort: Effort
    ) -> None:
        super().__init__(ending, side, side, effort)
        self.contract = contract
        self.known: dict[tuple[int, int, Made], bool] = {}

    def reduce_need(self, need: Made, winner: int, worth: int, left: int) -> Made:
        more = worth + (0 if left else self.ending.last)
        its = self.ending.sides[winner]
        return tuple(points + (more if side == its else 0) for side, points in enumerate(need))

    def reach_after(self, left: int, winner: int, worth: int, need: Made) -> bool:
        self.effort.spend()
        need = self.reduce_need(need, winner, worth, left)
        settled = self.find_outcome(need, left)
        if settled is not None:
            return settled
        key = (left, winner, need)
        if key not in self.known:
            self.known[key] = self.reach(left, left, winner, 0, 0, -1, winner, 0, need)
        return self.known[key]

    def find_outcome(self, made: Made, left: int) -> bool | None:
        """How it ends for certain, even if one side takes all that is left; None where that is open."""
        rest = self.ending.count_points(left) + self.ending.last if left else 0
        ends = {
            self.contract.is_met([points + rest * (side == taker) for side, points in enumerate(made)])
            for taker in range(len(made))
        }
        return ends.pop() if len(ends) == 1 else None

    def play_losing_line(self) -> Iterator[PlayedTrick]:
        """The tricks of a line up to the one that settles it."""
        made, left = self.contract.so_far, self.begin.start
        tricks = self.play_line(made)
        while self.find_outcome(made, left) is None:
            trick = next(tricks)
            yield trick
            left &= ~to_bits(trick.cards)
            its = self.ending.sides[trick.taker]
            made = tuple(points + trick.worth * (side == its) for side, points in enumerate(made))

    def is_well_played(self, seat: int, after: Position, lost: Made) -> bool:
        return seat not in self.choosing and not self.reach_from(after, lost)


def _build_trick_search(
    ending: Endgame,
    choosing: Collection[int],
    kinds: Sequence[int],
    reach_after: Callable[[int, int, int, Need], bool],
) -> Callable[[int, int, int, int, int, int, int, int, Need], bool]:
    """The search through one trick, from the facts of a `Position` and what is needed to yes or no."""
    find_legal, size = build_duty_finder(ending), len(ending.hands)
    owners = tuple(map(to_bits, ending.hands))
    suits, above, points, trumps = ending.suits, ending.above, ending.points, ending.trumps
    ours = tuple(seat in choosing for seat in range(size))

    def reach(
        left: int, start: int, seat: int, lying: int, led: int, best: int, winner: int, worth: int, need: Need
    ) -> bool:
        hand = left & owners[seat]
        others = start & ~hand
        cards = []
        rest, before, alike = find_legal(hand, led, best), 0, None
        while rest:
            bit = rest & -rest
            rest ^= bit
            card = bit.bit_length() - 1
            kind = (kinds[card], suits[card])
            if kind != alike or others & (bit - 2 * before):  # the bits between two cards
                cards.append(card)
            before, alike = bit, kind
        if not lying:
            cards.reverse()
        mine, completes, following = ours[seat], lying == size - 1, (seat + 1) % size
        for card in cards:
            bit = 1 << card
            if best < 0 or bit & above[best] or (bit & trumps and not trumps >> best & 1):
                now, takes = card, seat
            else:
                now, takes = best, winner
            brought = worth + points[card]
            if completes:
                reached = reach_after(left ^ bit, takes, brought, need)
            else:
                reached = reach(
                    left ^ bit, start, following, lying + 1, led or suits[card], now, takes, brought, need
                )
            if reached is mine:
                return mine
        return not mine

    return reach
