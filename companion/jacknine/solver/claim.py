"""Claims: the points or tricks that a side can force with the last cards, and those still possible."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import ClassVar

from .endgame import Endgame, list_cards
from .facts import Effort
from .race import Race


class Certainties:
    """Bounds on the points and tricks of a side that hold however the others play.

    `side` are its seats. If `at_will`, every seat plays freely, for either side's good; otherwise each plays
    as well as it can for the side or for the others.
    """

    def __init__(self, ending: Endgame, side: Collection[int], at_will: bool) -> None:
        self.ending, self.at_will = ending, at_will
        seats = range(len(ending.hands))
        self.is_ours = tuple(seat in side for seat in seats)
        self.ours = tuple(seat for seat in seats if seat in side)
        self.theirs = tuple(seat for seat in seats if seat not in side)
        self.plain = tuple(suit for suit in dict.fromkeys(ending.suits) if suit != ending.trumps)
        self.count_points = cache(ending.count_points)
        self.find_uncaught = cache(self._find_uncaught)
        self.find_running = cache(self._find_running)
        self.sum_least = cache(self._sum_least)

    def bound_points(self, left: int, leader: int) -> tuple[int, int]:
        """Find the least and the most points the side can get of the cards left, last trick included."""
        trumps = left & self.ending.trumps
        rest = self.ending.last + self.count_points(trumps)
        for suit in self.plain:
            rest += self.count_points(left & suit)
        points, tricks = self.find_run(left, leader)
        if tricks == (left & self.ending.hands[leader]).bit_count():
            return (rest, rest) if self.is_ours[leader] else (0, 0)
        won, tricks_won, lost, tricks_lost = self.find_uncaught(trumps)
        won += self.count_given(left, self.theirs, tricks_won)
        lost += self.count_given(left, self.ours, tricks_lost)
        if not self.at_will:
            if self.is_ours[leader]:
                won = max(won, points + self.count_given(left, self.theirs, tricks))
            else:
                lost = max(lost, points + self.count_given(left, self.ours, tricks))
        return won, rest - lost

    def bound_row(self, left: int, leader: int) -> tuple[int, int]:
        """Find the least and the most tricks in a row, from the next on, that the side will take."""
        _points, tricks = self.find_run(left, leader)
        if tricks and not self.is_ours[leader]:
            return 0, 0
        _won, _tricks_won, _lost, tricks_lost = self.find_uncaught(left & self.ending.trumps)
        return tricks, (left & self.ending.hands[leader]).bit_count() - tricks_lost

    def find_run(self, left: int, leader: int) -> tuple[int, int]:
        """Find the leader's cards that take trick after trick, trumps first: their points and number."""
        points, tricks, drawn = self.find_running(left & self.ending.trumps, leader)
        if drawn:
            for suit in self.plain:
                more, further, _drawn = self.find_running(left & suit, leader)
                points += more
                tricks += further
        return points, tricks

    def _find_running(self, suit: int, leader: int) -> tuple[int, int, bool]:
        """Find the cards of a suit with which the leader takes tricks while nobody ruffs.

        Return their points, their number, and whether nobody else has a card of the suit after them.
        """
        mine = suit & self.ending.hands[leader]
        others = suit & ~mine
        top = mine >> others.bit_length() << others.bit_length()
        drawn = not others
        if not self.at_will:
            drawn = all((others & hand).bit_count() <= top.bit_count() for hand in self.ending.hands)
        running = mine if drawn else top
        return self.ending.count_points(running), running.bit_count(), drawn

    def _find_uncaught(self, trumps: int) -> tuple[int, int, int, int]:
        """Count the certain gains of the trumps left: points and tricks of the side, then of the others.

        A higher trump of an opponent catches one card of a hand at most. As many cards of the hand can be
        caught as pair with higher ones, the dearest first; the others each take a trick, or fall into one
        that the partner takes.
        """
        found = []
        for side, against in ((self.ours, self.theirs), (self.theirs, self.ours)):
            catchers = [card for seat in against for card in list_cards(trumps & self.ending.hands[seat])]
            uncaught = [self._leave_uncaught(trumps & self.ending.hands[seat], catchers) for seat in side]
            found += [sum(points for points, _count in uncaught), max(count for _points, count in uncaught)]
        return found[0], found[1], found[2], found[3]

    def _leave_uncaught(self, trumps: int, catchers: Iterable[int]) -> tuple[int, int]:
        """Count the points and the number of a hand's trumps that are left when the dearest are caught."""
        caught: dict[int, int] = {}

        def catch(card: int, tried: set[int]) -> bool:
            for catcher in catchers:
                if catcher > card and catcher not in tried:
                    tried.add(catcher)
                    if catcher not in caught or catch(caught[catcher], tried):
                        caught[catcher] = card
                        return True
            return False

        points = self.ending.points
        dearest = sorted(list_cards(trumps), key=lambda card: -points[card])
        left = [card for card in dearest if not catch(card, set())]
        return sum(points[card] for card in left), len(left)

    def count_given(self, left: int, seats: Iterable[int], tricks: int) -> int:
        """Count the least points that these seats play to so many tricks of the others, the last included."""
        if not tricks:
            return 0
        given = 0
        for seat in seats:
            least = self.sum_least(left & self.ending.hands[seat])
            given += least[tricks]
        return given + (self.ending.last if tricks == len(least) - 1 else 0)

    def _sum_least(self, hand: int) -> tuple[int, ...]:
        """Add up the least points of no card of a hand, of one, of two and so on."""
        points = sorted(self.ending.points[card] for card in list_cards(hand))
        return tuple(accumulate(points, initial=0))


Bounds = tuple[int, int]
"""The least and the most that a position is known to bring."""


class PointRace(Race[int]):
    """A search for the points that a side can force with the cards left: `made` are its points."""

    at_will: ClassVar[bool] = False
    """True if everybody plays for the side, False if its own seats only."""

    def __init__(self, ending: Endgame, side: frozenset[int], effort: Effort) -> None:
        choosing = frozenset(range(len(ending.hands))) if self.at_will else side
        super().__init__(ending, side, choosing, self.weigh_cards(ending), effort)
        self.certain = Certainties(ending, side, self.at_will)
        self.known: dict[tuple[int, int], Bounds] = {}
        self.low, self.high = 0, ending.total
        if not self.begin.lying:
            self.low, self.high = self.find_bounds(self.begin.left, self.begin.seat)

    def weigh_cards(self, ending: Endgame) -> tuple[int, ...]:
        """Give each card the weight by which it differs from a neighbour."""
        return ending.points

    def can_force(self, need: int) -> bool:
        """True if the needed points are reached from the beginning.

        :raises SearchLimit: if the effort is spent.
        """
        if self.low < need <= self.high:
            self.need = need
            value = self.search(*self.begin, 0)
            if value >= need:
                self.low = value
            else:
                self.high = value
        return need <= self.low

    def can_force_of(self, left: int, leader: int, need: int) -> bool:
        """True if the needed points are reached with these cards."""
        self.need = need
        return need <= 0 or self.value_of(left, leader, 0) >= need

    @property
    def most(self) -> int:
        """The most that is reached from the beginning.

        :raises SearchLimit: if the effort is spent.
        """
        while self.low < self.high:
            self.can_force(self.pick_need(self.low, self.high))
        return self.low

    def pick_need(self, low: int, high: int) -> int:
        """Choose the next number to test, the most being from `low` to `high`."""
        return (low + high + 1) // 2

    def add_trick(self, made: int, winner: int, worth: int, left: int) -> int:
        return made + worth + (0 if left else self.ending.last) if winner in self.side else made

    def find_bounds(self, left: int, leader: int) -> Bounds:
        """Bound what the side can make of the cards left."""
        return self.certain.bound_points(left, leader)

    def value_after(self, left: int, winner: int, worth: int, made: int) -> int:
        made = self.add_trick(made, winner, worth, left)
        return made + self.value_of(left, winner, made) if left else made

    def value_of(self, left: int, leader: int, made: int) -> int:
        """Find the value of the cards left with `made` so far: at least the need, or else never surpassed."""
        key, need = (left, leader), self.need - made
        low, high = self.known.get(key) or self.find_bounds(left, leader)
        if low >= need:
            return low
        if high < need:
            return high
        value = self.search(left, left, leader, 0, 0, -1, leader, 0, made) - made
        self.known[key] = (max(low, value), high) if value >= need else (low, min(high, value))
        return value


Sweep = tuple[int, int | None]
"""The points of a side, and the side that took every trick: None before the first, -1 if no side did."""


class CapotRace(Race[Sweep]):
    """A search for the points that a side can force of a whole deal, with `gain` for every trick.

    The side that takes every trick gets `gain` from the other. Once both sides have a trick, it is a race for
    points.
    """

    def __init__(self, ending: Endgame, side: frozenset[int], effort: Effort, gain: int) -> None:
        super().__init__(ending, side, side, ending.points, effort)
        self.points, self.gain = PointRace(ending, side, effort), gain
        self.known: dict[tuple[int, int, int], Bounds] = {}

    def add_trick(self, made: Sweep, winner: int, worth: int, left: int) -> Sweep:
        points, every = made
        its = self.ending.sides[winner]
        every = its if every in (None, its) else -1
        if not left:
            worth += self.ending.last
            points += 0 if every < 0 else self.gain if winner in self.side else -self.gain
        return points + (worth if winner in self.side else 0), every

    def value_after(self, left: int, winner: int, worth: int, made: Sweep) -> int:
        made = self.add_trick(made, winner, worth, left)
        return made[0] + self.value_of(left, winner, made) if left else made[0]

    def value_of(self, left: int, leader: int, made: Sweep) -> int:
        """Find the value of the cards left with `made` so far: at least the need, or else never surpassed."""
        points, every = made
        need = self.need - points
        if every == -1:
            self.points.need = need
            return self.points.value_of(left, leader, 0)
        assert every is not None
        low, high = self.points.find_bounds(left, leader)
        if every == self.ending.sides[min(self.side)]:
            high += self.gain
        else:
            low -= self.gain
        low, high = self.known.get((left, leader, every), (low, high))
        if low >= need:
            return low
        if high < need:
            return high
        value = self.search(left, left, leader, 0, 0, -1, leader, 0, made) - points
        self.known[left, leader, every] = (
            (max(low, value), high) if value >= need else (low, min(high, value))
        )
        return value


class MaxRace(PointRace):
    """A search for the most points that a side can get if everybody plays for it."""

    at_will = True

    def pick_need(self, low: int, high: int) -> int:
        return high


class TrickRace(PointRace):
    """A search for the tricks that a side can take in a row, from the next on: `made` are tricks."""

    def weigh_cards(self, ending: Endgame) -> tuple[int, ...]:
        return (0,) * len(ending.points)

    def add_trick(self, made: int, winner: int, worth: int, left: int) -> int:
        return made + (winner in self.side)

    def find_bounds(self, left: int, leader: int) -> Bounds:
        return self.certain.bound_row(left, leader)

    def value_after(self, left: int, winner: int, worth: int, made: int) -> int:
        return super().value_after(left, winner, worth, made) if winner in self.side else made


Made = tuple[int, ...]
"""The points of each side so far."""


@dataclass(frozen=True, slots=True)
class ClaimedContract:
    """The claim on a contract: the declarer, the points by side so far, and the claimed end.

    `makes`: the declarer's side must have more than each other; otherwise one of the others must have as
    much, or more if `more`; with `together` all others count as one. `ahead` is the lead that makes it: 1, or
    0 if equal points do.
    """

    declarer: int
    so_far: Made
    makes: bool
    more: bool
    ahead: int = 1
    together: bool = False

    def _rate_others(self, made: Sequence[int]) -> int:
        """The points that the declarer has to surpass: of the best of the others, or of all of them."""
        others = [points for side, points in enumerate(made) if side != self.declarer]
        return sum(others) if self.together else max(others)

    def is_met(self, made: Sequence[int]) -> bool:
        """True if a deal with these points ended as claimed."""
        ahead = made[self.declarer] - self._rate_others(made)
        return ahead >= self.ahead if self.makes else ahead < 0 if self.more else ahead <= 0

    def count_needed(self, rest: int) -> int:
        """Count the points of the rest that the claimer needs, between two sides."""
        its, other = self.so_far[self.declarer], self.so_far[1 - self.declarer]
        if self.makes:
            return (other + rest - its + self.ahead + 1) // 2
        return (its + rest - other + self.more + 1) // 2

    def bound_needed(self, side: int, made: Sequence[int], rest: int) -> tuple[int, int]:
        """Find the points of the rest that are surely enough for the claim of a side, and the least it needs.

        The others' part of it may all go to one of them, or be shared so that they come out even.
        """
        others = [points for other, points in enumerate(made) if other != side]
        if self.together:
            its, theirs = made[self.declarer], self._rate_others(made)
            if self.makes:
                needed = (theirs + rest - its + self.ahead + 1) // 2
                return needed, needed
            return (its + rest - theirs + self.more + 1) // 2, 0
        if self.makes:
            evened = len(others) * (made[side] - self.ahead) - sum(others)
            return (max(others) + rest - made[side] + self.ahead + 1) // 2, -((evened - rest) // len(made))
        return (made[self.declarer] + rest - made[side] + self.more + 1) // 2, 0

    def find_outcome(self, made: Sequence[int], rest: int) -> bool | None:
        """Find the certain end, even if one side takes all that is left; None if it is open."""
        ends = {
            self.is_met([points + rest * (side == taker) for side, points in enumerate(made)])
            for taker in range(len(made))
        }
        return ends.pop() if len(ends) == 1 else None


class ContractRace(Race[Made]):
    """A search for a way to bring a contract to its end: `made` are points by side, the value 1 or 0.

    `points` is the race of the same side for points: often the points it can force settle the contract.
    """

    def __init__(self, points: PointRace, contract: ClaimedContract, effort: Effort) -> None:
        super().__init__(points.ending, points.side, points.choosing, points.ending.points, effort)
        self.contract, self.points = contract, points
        self.known: dict[tuple[int, int, Made], int] = {}

    def add_trick(self, made: Made, winner: int, worth: int, left: int) -> Made:
        more = worth + (0 if left else self.ending.last)
        its = self.ending.sides[winner]
        return tuple(points + (more if side == its else 0) for side, points in enumerate(made))

    def value_after(self, left: int, winner: int, worth: int, made: Made) -> int:
        made = self.add_trick(made, winner, worth, left)
        key = (left, winner, made)
        if key not in self.known:
            self.known[key] = self.find_value(left, winner, made)
        return self.known[key]

    def find_value(self, left: int, leader: int, made: Made) -> int:
        """Find whether the side gets there with the cards left: 1 or 0."""
        settled = self.find_settled(made, left)
        if settled is not None:
            return int(settled)
        rest = self.count_rest(left)
        side = self.ending.sides[min(self.side)]
        enough, least = self.contract.bound_needed(side, made, rest)
        if self.points.can_force_of(left, leader, enough):
            return 1
        if not self.points.can_force_of(left, leader, least):
            return 0
        return self.search(left, left, leader, 0, 0, -1, leader, 0, made)

    def can_end(self) -> bool:
        """True if the contract can be brought to its end from the beginning."""
        settled = self.find_settled(self.contract.so_far, self.begin.start)
        return self.reaches(self.begin, self.contract.so_far, 1) if settled is None else settled

    def find_settled(self, made: Made, left: int) -> bool | None:
        """Find the certain end with these cards left; None if it is open."""
        return self.contract.find_outcome(made, self.count_rest(left))

    def count_rest(self, left: int) -> int:
        """Count the points of the cards left and of the last trick, if it is to come."""
        return self.ending.count_points(left) + self.ending.last if left else 0
