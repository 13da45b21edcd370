"""Capot by counts: whether the side without points took a trick, and the extra points for every trick.

Counting the cards gives 162 and not 252, so a side may have every point and the other a worthless trick. Rule
key: `score.capot`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Suit
from companion.rules.message import Message, SideName, Word
from companion.rules.seats import Side

from .bidding import EVERY_TRICK
from .count import KnownMelds, find_meld_sums


@dataclass(frozen=True, slots=True)
class Sweep:
    """A side that may have all points that are counted, by whole counts of a deal.

    `as_capot`: the last trick may be counted as at a capot; `as_cards`: it may be counted as usual. `shared`:
    the others may have card points after all, and melds the rest. `missing` is what the count leaves out, or
    has too much, if it is a capot.
    """

    side: Side
    others: frozenset[Side]
    as_capot: bool
    as_cards: bool
    shared: bool
    missing: int

    @property
    def is_capot(self) -> bool:
        """True if the counts mean every trick and nothing else."""
        return self.as_capot and not self.as_cards and not self.shared


def find_sweep(
    ruleset: JackNineRuleset,
    made: Mapping[Side, int],
    known: KnownMelds,
    trump: str = Suit.HEARTS,
    takers: Collection[Side] = (),
) -> Sweep | None:
    """Find the side that may have all points by whole counts, melds included.

    None if no side can, or if not all cards are dealt, so that sums prove nothing. `takers` are known to have
    taken a trick. Unknown melds may be any, all of one side. Every trick may also be counted as at most
    tables; then the points are this table's.
    """
    if not ruleset.all_dealt:
        return None
    melds = (0,) if known.runs else find_meld_sums(ruleset)
    left = list(_take_off_melds(ruleset, made, known, trump))
    plain, whole = ruleset.sum_deal(False, trump), ruleset.sum_deal(True, trump)
    choice = ruleset.book.conventions.get("capot_points")
    usual = whole + (int(choice.default) - int(ruleset["capot_points"]) if choice else 0)
    for side in ruleset.ring.sides:
        if not set(takers) <= {side}:
            continue
        counted = (whole, usual, plain)
        sums = [points for points in counted if any(_has_all(side, points, cards, melds) for cards in left)]
        if sums:
            others, shared = frozenset(ruleset.ring.others(side)), _can_be_shared(plain, left, melds)
            return Sweep(side, others, sums[0] != plain, plain in sums, shared, whole - sums[0])
    return None


def _take_off_melds(
    ruleset: JackNineRuleset, made: Mapping[Side, int], known: KnownMelds, trump: str
) -> Iterator[dict[Side, int]]:
    """Whole counts less the known melds, for each way in which sides may have bela."""
    sides, pairs = ruleset.ring.sides, 0 if known.bela else len(ruleset.pairs(trump))
    for number in range(pairs + 1):
        for belas in combinations_with_replacement(sides, number):
            yield {
                side: made[side] - known.points[side] - ruleset.bela_points * belas.count(side)
                for side in sides
            }


def _has_all(side: Side, points: int, left: Mapping[Side, int], melds: Collection[int]) -> bool:
    """True if one side can have all card points; melds belong to one side."""
    theirs = [left[other] for other in left if other != side and left[other]]
    if theirs:
        return len(theirs) == 1 and theirs[0] in melds and left[side] == points
    return left[side] - points in melds


def _can_be_shared(points: int, left: Sequence[Mapping[Side, int]], melds: Collection[int]) -> bool:
    """True if several sides can share the card points; melds belong to one side."""
    for rest in left:
        for side in rest:
            cards = {**rest, side: rest[side] - sum(rest.values()) + points}
            more = rest[side] - cards[side]
            if more in melds and min(cards.values()) >= 0 and sum(map(bool, cards.values())) > 1:
                return True
    return False


def hangs_on_tricks(
    ruleset: JackNineRuleset,
    sweep: Sweep,
    made: Mapping[Side, int],
    points: int | str | None,
    bela: Sequence[Side],
) -> bool:
    """True if the score depends on a trick of the side without points; `points` is the bid.

    `bela` has a side for each pair. If only the bid is written, it does after a bid of every trick, and if
    melds would pass over.
    """
    if not ruleset.has_option("written", "bid") or points in EVERY_TRICK:
        return True
    return any(made[side] > ruleset.bela_points * bela.count(side) for side in sweep.others)


def explain_sweep(ruleset: JackNineRuleset, sweep: Sweep, trump: str = Suit.HEARTS) -> Message:
    """Explain why the other side's tricks matter, and the points without one; no full stop."""
    facts: dict[str, object] = {
        "side": SideName(sweep.side),
        "others": [SideName(side) for side in ruleset.ring.sides if side in sweep.others],
        "capot": Word(ruleset.book.words["capot"]),
        "points": ruleset.sum_deal(True, trump),
    }
    if sweep.shared:
        return Message(
            "{side} may have everything that is counted: whether {others} took no trick ({capot}, {points})"
            " is missing",
            **facts,
        )
    return Message(
        "{side} {side:has|have} everything that is counted: {others} took no trick ({capot}, {points}),"
        " or only tricks worth nothing",
        **facts,
    )


def explain_unknown_tricks(ruleset: JackNineRuleset, sides: Sequence[Side]) -> Message:
    """Explain why the tricks of sides without points from cards matter; no full stop."""
    facts = {"sides": [SideName(side) for side in sides], "capot": Word(ruleset.book.words["capot"])}
    return Message("{sides} took no trick ({capot}), or only tricks worth nothing", **facts)


def fit_last_trick(
    ruleset: JackNineRuleset, made: Mapping[Side, int], known: KnownMelds, trump: str = Suit.HEARTS
) -> tuple[bool, bool]:
    """Find whether whole counts can hold the last trick as usual, and whether as with every trick."""
    total = sum(made.values()) - sum(known.points.values())
    melds = (0,) if known.runs else find_meld_sums(ruleset)
    pairs = 0 if known.bela else len(ruleset.pairs(trump))
    belas = [ruleset.bela_points * number for number in range(pairs + 1)]
    plain, every = (
        any(total - ruleset.sum_deal(capot, trump) - bela in melds for bela in belas)
        for capot in (False, True)
    )
    return plain, every


def add_last_of_all(made: Mapping[Side, int], side: Side, missing: int) -> dict[Side, int]:
    """Add what every trick counts more for a side to points in which the last one was counted otherwise."""
    return {**made, side: made[side] + missing}
