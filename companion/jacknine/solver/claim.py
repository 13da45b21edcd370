"""What a side can force of the last cards against best play, and what may still come of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from .certain import Certainties
from .endgame import Endgame
from .facts import Effort
from .race import Race

Bounds = tuple[int, int]
"""The least and the most that a position is known to bring."""


class PointRace(Race[int]):
    """How many points of what is left a side can force: `made` are its points."""

    at_will: ClassVar[bool] = False
    """Whether everybody plays for the side, or its own seats only."""

    def __init__(self, ending: Endgame, side: frozenset[int], effort: Effort) -> None:
        choosing = frozenset(range(len(ending.hands))) if self.at_will else side
        super().__init__(ending, side, choosing, self.weigh_cards(ending), effort)
        self.certain = Certainties(ending, side, self.at_will)
        self.known: dict[tuple[int, int], Bounds] = {}
        self.low, self.high = 0, ending.total
        if not self.begin.lying:
            self.low, self.high = self.find_bounds(self.begin.left, self.begin.seat)

    def weigh_cards(self, ending: Endgame) -> tuple[int, ...]:
        """By card what sets it apart from a neighbour."""
        return ending.points

    def can_force(self, need: int) -> bool:
        """Whether so many are reached from the beginning.

        :raises SearchLimit: when the effort is spent.
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
        """Whether so many are reached of these cards."""
        self.need = need
        return need <= 0 or self.value_of(left, leader, 0) >= need

    @property
    def most(self) -> int:
        """The most that is reached from the beginning.

        :raises SearchLimit: when the effort is spent.
        """
        while self.low < self.high:
            self.can_force(self.pick_need(self.low, self.high))
        return self.low

    def pick_need(self, low: int, high: int) -> int:
        """What is asked next where the most is one of these."""
        return (low + high + 1) // 2

    def add_trick(self, made: int, winner: int, worth: int, left: int) -> int:
        return made + worth + (0 if left else self.ending.last) if winner in self.side else made

    def find_bounds(self, left: int, leader: int) -> Bounds:
        """What the cards left can bring the side, as far as that is certain."""
        return self.certain.bound_points(left, leader)

    def value_after(self, left: int, winner: int, worth: int, made: int) -> int:
        made = self.add_trick(made, winner, worth, left)
        return made + self.value_of(left, winner, made) if left else made

    def value_of(self, left: int, leader: int, made: int) -> int:
        """What the cards left bring from here, where so much has been made."""
        key, need = (left, leader), self.need - made
        low, high = self.known.get(key) or self.find_bounds(left, leader)
        if low >= need:
            return low
        if high < need:
            return high
        value = self.search(left, left, leader, 0, 0, -1, leader, 0, made) - made
        self.known[key] = (max(low, value), high) if value >= need else (low, min(high, value))
        return value


class MaxRace(PointRace):
    """How many points may come to a side at most, when everybody plays for it."""

    at_will = True

    def pick_need(self, low: int, high: int) -> int:
        return high


class TrickRace(PointRace):
    """How many tricks a side can take in a row, from the next on: `made` are tricks."""

    def weigh_cards(self, ending: Endgame) -> tuple[int, ...]:
        return (0,) * len(ending.points)

    def add_trick(self, made: int, winner: int, worth: int, left: int) -> int:
        return made + (winner in self.side)

    def find_bounds(self, left: int, leader: int) -> Bounds:
        return self.certain.bound_row(left, leader)

    def value_after(self, left: int, winner: int, worth: int, made: int) -> int:
        return super().value_after(left, winner, worth, made) if winner in self.side else made


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

    def count_needed(self, rest: int) -> int:
        """Between two sides: the points of what is left that end the deal as was claimed."""
        its, other = self.so_far[self.declarer], self.so_far[1 - self.declarer]
        return (other + rest - its) // 2 + 1 if self.makes else (its + rest - other + self.more + 1) // 2

    def bound_needed(self, side: int, made: Sequence[int], rest: int) -> tuple[int, int]:
        """Points of what is left with which a side surely ends the deal as it claims, and the least it needs.

        Of what the others get of it, one may get all, or it may be shared so that they come out even.
        """
        others = [points for other, points in enumerate(made) if other != side]
        if self.makes:
            evened = len(others) * (made[side] - 1) - sum(others)
            return (max(others) + rest - made[side]) // 2 + 1, -((evened - rest) // len(made))
        return (made[self.declarer] + rest - made[side] + self.more + 1) // 2, 0

    def find_outcome(self, made: Sequence[int], rest: int) -> bool | None:
        """How it ends for certain, even if one side takes all that is left; None where that is open."""
        ends = {
            self.is_met([points + rest * (side == taker) for side, points in enumerate(made)])
            for taker in range(len(made))
        }
        return ends.pop() if len(ends) == 1 else None


class ContractRace(Race[Made]):
    """Whether a side can bring a contract to its end: `made` is what each side has, the value 1 or 0.

    `points` is the race of the same side for points: often what it can force of them settles the contract.
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
        """Whether the side gets there with the cards left."""
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
        """Whether the contract can be brought to its end from the beginning."""
        settled = self.find_settled(self.contract.so_far, self.begin.start)
        return self.reaches(self.begin, self.contract.so_far, 1) if settled is None else settled

    def find_settled(self, made: Made, left: int) -> bool | None:
        """How it ends for certain where these cards are left; None where that is open."""
        return self.contract.find_outcome(made, self.count_rest(left))

    def count_rest(self, left: int) -> int:
        """The points of the cards left and of the last trick, if it is to come."""
        return self.ending.count_points(left) + self.ending.last if left else 0
