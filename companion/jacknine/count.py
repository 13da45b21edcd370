"""Counting: what tricks bring, and which counts the cards of a deal can carry at all."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..rules.cards import Card, Suit
from ..rules.message import Message, SeatName
from ..rules.seats import Side
from .play import Taken
from .ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted at the table: card points by side, and the sides that hold jass, nine and last trick."""

    cards: Mapping[Side, int]
    jass: Side | None = None
    nine: Side | None = None
    last: Side | None = None

    def words(self, ruleset: Ruleset) -> tuple[tuple[str, Side | None, int], ...]:
        """Jass, nine and last trick: the word, its side, its points."""
        return (
            ("jass", self.jass, ruleset.jass_points),
            ("nine", self.nine, ruleset.nine_points),
            ("last", self.last, ruleset.last_points),
        )

    def made(self, ruleset: Ruleset) -> dict[Side, int]:
        """Points by side, without runs and bela."""
        made = {side: self.cards.get(side, 0) for side in ruleset.ring.sides}
        for _, side, points in self.words(ruleset):
            if side is not None:
                made[side] += points
        return made


def tally(ruleset: Ruleset, taken: Sequence[Taken], trump: str) -> Tally:
    """What tricks bring; `last` only where all tricks of the deal are there. Rule keys: `cards.values`, `words.taken`."""
    cards = ruleset.zeros()
    jass = nine = None
    for trick in taken:
        side = ruleset.ring.side(trick.taker)
        for card in trick.cards:
            cards[side] += ruleset.card_points(card, trump)
            jass = side if ruleset.is_jass(card, trump) else jass
            nine = side if ruleset.is_nine(card, trump) else nine
    last = ruleset.ring.side(taken[-1].taker) if len(taken) == ruleset.hand else None
    return Tally(cards, jass, nine, last)


@dataclass(frozen=True, slots=True)
class Bound:
    """A count that cannot be: of what (`sum` or a side), its least and most, and the nearest that can."""

    what: str
    least: int
    most: int
    nearest: int
    found: int

    @property
    def reason(self) -> Message:
        """The bound in words."""
        if self.what == "sum":
            if self.least <= self.found <= self.most:
                return Message(
                    "{found} together cannot be made from these cards; {nearest} could.",
                    found=self.found,
                    nearest=self.nearest,
                )
            return Message(
                "{found} together cannot be: the cards in play carry {least} to {most}.",
                found=self.found,
                least=self.least,
                most=self.most,
            )
        return Message(
            "{found} for {side} cannot be; {nearest} could.",
            found=self.found,
            side=SeatName(self.what),
            nearest=self.nearest,
        )


def sums(
    ruleset: Ruleset, inside: Collection[Card] = (), out: Collection[Card] = (), trump: str = Suit.HEARTS
) -> frozenset[int]:
    """Every total that cards, honours and last trick of one deal can come to.

    `inside` are cards known to be in play, `out` cards known to be out of it. Which suit is trumps
    does not matter while only trumps are named.
    """
    return (
        _sums(_Values.of(ruleset, trump, frozenset(inside), frozenset(out)), ruleset.in_play) or frozenset()
    )


@dataclass(frozen=True, slots=True)
class _Values:
    """The pack as numbers: what is surely in play, what may be, and the last trick."""

    sure: tuple[int, ...]
    free: tuple[int, ...]
    last: int

    @classmethod
    def of(cls, ruleset: Ruleset, trump: str, inside: frozenset[Card], out: frozenset[Card]) -> "_Values":
        sure = tuple(sorted(ruleset.full_points(card, trump) for card in inside))
        rest = (card for card in ruleset.pack if card not in inside and card not in out)
        return cls(
            sure, tuple(sorted(ruleset.full_points(card, trump) for card in rest)), ruleset.last_points
        )


@lru_cache(maxsize=256)
def _sums(values: _Values, in_play: int) -> frozenset[int]:
    # Bit n of reach[k] says that k of the cards so far can come to n.
    wanted = in_play - len(values.sure)
    reach = [1] + [0] * max(wanted, 0)
    for value in values.free:
        for chosen in range(wanted, 0, -1):
            reach[chosen] |= reach[chosen - 1] << value
    base = sum(values.sure) + values.last
    bits = reach[wanted] if wanted >= 0 else 0
    return frozenset(base + n for n in range(bits.bit_length()) if bits >> n & 1)


def side_sums(ruleset: Ruleset, last: bool | None) -> frozenset[int]:
    """Every total that one side alone can have from cards and honours, with or without the last trick."""
    reach = 1
    for card in ruleset.pack:
        reach |= reach << ruleset.full_points(card, Suit.HEARTS)
    cards = {n for n in range(reach.bit_length()) if reach >> n & 1}
    found: set[int] = set()
    if last is not True:
        found |= cards
    if last is not False:
        found |= {n + ruleset.last_points for n in cards}
    return frozenset(found)


def nearest(can: Collection[int], found: int) -> int:
    """The number that can be which stands nearest; of two as near, the higher one."""
    return min(can, key=lambda n: (abs(n - found), -n))


def check_sum(can: Collection[int], found: int) -> Bound | None:
    """What is wrong with a total of both sides, if it cannot be made."""
    if found in can or not can:
        return None
    return Bound("sum", min(can), max(can), nearest(can, found), found)


def check_tally(
    ruleset: Ruleset, counted: Tally, out: Collection[Card] = (), trump: str = Suit.HEARTS
) -> Bound | None:
    """What is wrong with an itemised count of a whole deal: first the sum, then each side's cards.

    Rule key: `score.doubtful-count`.
    """
    top = {"jass": Card(ruleset.jass_rank, Suit(trump)), "nine": Card(ruleset.nine_rank, Suit(trump))}
    inside = {top[word] for word, side, _ in counted.words(ruleset) if side is not None and word in top}
    gone = set(out) | {top[word] for word, side, _ in counted.words(ruleset) if side is None and word in top}
    made = counted.made(ruleset)
    found = check_sum(sums(ruleset, inside - set(out), gone, trump), sum(made.values()))
    if found:
        return found
    for side in ruleset.ring.sides:
        can = side_sums(ruleset, counted.last == side if counted.last else None)
        if made[side] not in can:
            return _side_bound(side, can, made[side])
    return None


def check_made(
    ruleset: Ruleset,
    made: Mapping[Side, int],
    runs: int | None,
    bela: int | None,
    last: Side | None,
    out: Collection[Card] = (),
    trump: str = Suit.HEARTS,
) -> Bound | None:
    """What is wrong with whole counts, words and all, of which runs and bela may be known in all.

    None: unknown, then they may be anything that a deal can hold. Rule key: `score.doubtful-count`.
    """
    can = sums(ruleset, (), out, trump)
    known = (runs or 0) + (bela or 0)
    total = sum(made.values())
    if runs is not None and bela is not None:
        found = check_sum(can, total - known)
        if found:
            return found
    else:
        most = ruleset.all_told_most - (0 if bela is None else ruleset.bela_points - bela)
        if runs is not None:
            most = min(most, max(can) + runs + ruleset.bela_points)
        least = min(can) + known
        if not least <= total <= most:
            return Bound("sum", least, most, least if total < least else most, total)
    for side in ruleset.ring.sides:
        lowest = ruleset.last_points if last == side else 0
        words = made[side] == lowest + 1  # no card is worth one point, and words come in tens
        if made[side] < lowest or words:
            return _side_bound(side, side_sums(ruleset, last == side if last else None), made[side])
    return None


def _side_bound(side: Side, can: Collection[int], found: int) -> Bound:
    close = nearest(can, found)
    least = min((n for n in can if n >= found), default=max(can))
    return Bound(side, least, max(can), close, found)
