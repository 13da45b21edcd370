"""What a side can force of the last cards against best play, and what may still come of them.

Every play by the rules is searched. A search asks a position for yes or no: does the side reach what it
needs? What was found of a position is remembered.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .endgame import Endgame, Position, build_duty_finder, find_start, play_card, to_bits

EFFORT = 1_000_000
"""How many tricks are tried for one answer; a few seconds."""


class SearchLimit(Exception):
    """The cards left can be played in more ways than are tried."""


class TrickEffort:
    """How many tricks may still be tried."""

    def __init__(self, tricks: int = EFFORT) -> None:
        self.left = tricks

    def spend(self) -> None:
        """One more is tried. :raises TooMany: where none may be."""
        self.left -= 1
        if self.left < 0:
            raise SearchLimit


class PlayedTrick(NamedTuple):
    """One trick of a line: its cards, who took it, and what it brought."""

    cards: tuple[int, ...]
    taker: int
    worth: int


class PointRace:
    """How many points of what is left a side can reach: `need` is points.

    `choosing` are the seats that play for it; all others play against it.
    """

    halving = True
    """Whether the most is closed in on by halves, or step by step from below."""

    def __init__(
        self, ending: Endgame, side: Collection[int], choosing: Collection[int], effort: TrickEffort
    ) -> None:
        self.ending, self.side, self.choosing, self.effort = ending, side, choosing, effort
        self.begin = find_start(ending)
        self.hands = tuple(map(to_bits, ending.hands))
        self.owned = sum(self.hands[seat] for seat in side)
        self.known: dict[Any, Any] = {}
        self.reach = _player(ending, choosing, self.kinds(), self.after)

    def kinds(self) -> tuple[int, ...]:
        """By card what sets it apart from its neighbours in a hand: of those alike one is tried for all."""
        ending = self.ending
        return tuple(2 * points + (ending.keeper >> card & 1) for card, points in enumerate(ending.points))

    def top(self) -> int:
        """The most that could be reached."""
        return self.ending.total

    def most(self) -> int:
        """The most that is reached from the beginning."""
        low, high = 0, self.top()
        while low < high:
            need = (low + high + 1) // 2 if self.halving else low + 1
            low, high = (need, high) if self.reach(*self.begin, need) else (low, need - 1)
        return low

    def still(self, need: Any, winner: int, worth: int, left: int) -> Any:
        """What is needed yet after a trick."""
        return need - worth - (0 if left else self.ending.last) if winner in self.side else need

    def bounds(self, left: int, leader: int) -> tuple[int, int]:
        """The least and the most that the cards left can bring the side, however they are played.

        A leader whose cards nobody can beat takes everything. Else the trumps of a side that none of the
        others' beats are its own at least.
        """
        rest = self.ending.worth(left) + self.ending.last
        if self.ending.unbeatable(left & self.hands[leader], left & ~self.hands[leader]):
            return (rest, rest) if leader in self.side else (0, 0)
        trumps = left & self.ending.trumps
        ours, theirs = trumps & self.owned, trumps & ~self.owned
        sure = ours >> theirs.bit_length() << theirs.bit_length()
        lost = theirs >> ours.bit_length() << ours.bit_length()
        return self.ending.worth(sure), rest - self.ending.worth(lost)

    def after(self, left: int, winner: int, worth: int, need: Any) -> bool:
        """Whether the side gets there after a trick that `winner` took; `need` as before the trick."""
        self.effort.spend()
        need = self.still(need, winner, worth, left)
        if not left:
            return bool(need <= 0)
        key = left * len(self.ending.hands) + winner
        low, high = self.known.get(key) or self.bounds(left, winner)
        if need <= low or need > high:
            return bool(need <= low)
        found = self.reach(left, left, winner, 0, 0, -1, winner, 0, need)
        self.known[key] = (need, high) if found else (low, need - 1)
        return found

    def holds(self, at: Position, need: Any) -> bool:
        """Whether the side gets there from a position."""
        if at.lying == len(self.ending.hands):
            return self.after(at.left, at.winner, at.worth, need)
        return self.reach(*at, need)

    def opening(self, need: Any) -> int | None:
        """The first card told with which the side gets there, where one of its seats is to play."""
        ending, at = self.ending, self.begin
        if at.seat not in self.choosing:
            return None
        may = build_duty_finder(ending)(self.hands[at.seat], at.led, at.best)
        legal = (card for card in ending.hands[at.seat] if may >> card & 1)
        return next(card for card in legal if self.holds(play_card(ending, at, card), need))

    def line(self, lost: Any) -> Iterator[PlayedTrick]:
        """Complete tricks of a play in which the side just fails to reach `lost`, the others at their best.

        Each plays the first card told that does no harm; where everything does, the first.
        """
        ending, at, need = self.ending, self.begin, lost
        legal, down = build_duty_finder(ending), list(ending.table)
        while at.left:
            hand = [card for card in ending.hands[at.seat] if at.left >> card & 1]
            may = legal(to_bits(hand), at.led, at.best)
            following = [(card, play_card(ending, at, card)) for card in hand if may >> card & 1]
            fine = (one for one in following if self.fine(at.seat, one[1], need))
            card, at = next(fine, following[0])
            down.append(card)
            if at.lying == len(ending.hands):
                yield PlayedTrick(tuple(down), at.winner, at.worth + (0 if at.left else ending.last))
                need, down = self.still(need, at.winner, at.worth, at.left), []
                at = Position(at.left, at.left, at.winner)

    def fine(self, seat: int, after: Position, lost: Any) -> bool:
        """Whether a card that led there was well played, where the side just fails to reach `lost`."""
        if seat in self.choosing:
            return bool(lost == 1 or self.holds(after, lost - 1))
        return not self.holds(after, lost)


class TrickRace(PointRace):
    """How many tricks a side can take in a row, from the next on: `need` is tricks."""

    halving = False

    def kinds(self) -> tuple[int, ...]:
        return tuple(self.ending.keeper >> card & 1 for card in range(len(self.ending.points)))

    def top(self) -> int:
        return self.ending.tricks

    def still(self, need: Any, winner: int, worth: int, left: int) -> Any:
        return need - 1 if winner in self.side else self.top() + 1

    def bounds(self, left: int, leader: int) -> tuple[int, int]:
        return 0, left.bit_count() // len(self.ending.hands)

    def after(self, left: int, winner: int, worth: int, need: Any) -> bool:
        return winner in self.side and (need == 1 or super().after(left, winner, worth, need))


@dataclass(frozen=True, slots=True)
class ClaimedContract:
    """What makes the contract: by side what it has so far, and how the deal must end for the claimer.

    `makes`: the declarer's side must have more than each other; otherwise one of the others must have as
    much, or more where `more`.
    """

    declarer: int
    so_far: tuple[int, ...]
    makes: bool
    more: bool

    def kept(self, made: Sequence[int]) -> bool:
        """Whether it ended as was claimed."""
        best = max(points for side, points in enumerate(made) if side != self.declarer)
        ahead = made[self.declarer] - best
        return ahead > 0 if self.makes else ahead < 0 if self.more else ahead <= 0


class ContractRace(PointRace):
    """Whether a side can bring a contract to its end: `need` is what each side has so far."""

    def __init__(
        self, ending: Endgame, side: Collection[int], contract: ClaimedContract, effort: TrickEffort
    ) -> None:
        super().__init__(ending, side, side, effort)
        self.contract = contract

    def still(self, need: Any, winner: int, worth: int, left: int) -> Any:
        more = worth + (0 if left else self.ending.last)
        its = self.ending.sides[winner]
        return tuple(points + (more if side == its else 0) for side, points in enumerate(need))

    def after(self, left: int, winner: int, worth: int, need: Any) -> bool:
        self.effort.spend()
        need = self.still(need, winner, worth, left)
        settled = self.settled(need, left)
        if settled is not None:
            return settled
        key = (left, winner, need)
        if key not in self.known:
            self.known[key] = self.reach(left, left, winner, 0, 0, -1, winner, 0, need)
        return bool(self.known[key])

    def settled(self, made: Sequence[int], left: int) -> bool | None:
        """How it ends for certain, even if one side takes all that is left; None where that is open."""
        rest = self.ending.worth(left) + self.ending.last if left else 0
        ends = {
            self.contract.kept([points + rest * (side == one) for side, points in enumerate(made)])
            for one in range(len(made))
        }
        return ends.pop() if len(ends) == 1 else None

    def lost(self) -> Iterator[PlayedTrick]:
        """The tricks of a line up to the one that settles it."""
        made, left = self.contract.so_far, self.begin.start
        tricks = self.line(made)
        while self.settled(made, left) is None:
            trick = next(tricks)
            yield trick
            left &= ~to_bits(trick.cards)
            its = self.ending.sides[trick.taker]
            made = tuple(points + trick.worth * (side == its) for side, points in enumerate(made))

    def fine(self, seat: int, after: Position, lost: Any) -> bool:
        return seat not in self.choosing and not self.holds(after, lost)


def _player(
    ending: Endgame,
    choosing: Collection[int],
    kinds: Sequence[int],
    after: Callable[[int, int, int, Any], bool],
) -> Callable[..., bool]:
    """The search through one trick, from the facts of a `Position` and what is needed to yes or no."""
    legal, size = build_duty_finder(ending), len(ending.hands)
    owners = tuple(map(to_bits, ending.hands))
    suits, above, points, trumps = ending.suits, ending.above, ending.points, ending.trumps
    ours = tuple(seat in choosing for seat in range(size))

    def reach(
        left: int, start: int, seat: int, lying: int, led: int, best: int, winner: int, worth: int, need: Any
    ) -> bool:
        hand = left & owners[seat]
        others = start & ~hand
        cards = []
        rest, before, alike = legal(hand, led, best), 0, None
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
        mine, whole, following = ours[seat], lying == size - 1, (seat + 1) % size
        for card in cards:
            bit = 1 << card
            if best < 0 or bit & above[best] or (bit & trumps and not trumps >> best & 1):
                now, takes = card, seat
            else:
                now, takes = best, winner
            brought = worth + points[card]
            if whole:
                found = after(left ^ bit, takes, brought, need)
            else:
                found = reach(
                    left ^ bit, start, following, lying + 1, led or suits[card], now, takes, brought, need
                )
            if found is mine:
                return mine
        return not mine

    return reach
