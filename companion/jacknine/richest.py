"""The richest deal there is: the most points that cards, last trick, melds and bela can come to together.

Only one side's melds stand, those of its hands beside each other, while bela may lie anywhere and cards count
for whoever takes them. Suits differ in nothing but trumps, so each suit is tried by itself and the
four are put together by how many cards they take.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

SUITS = 4
Shape = tuple[int, ...]
"""The cards that some suits take: in each hand of the side whose melds stand, and in play at all."""
Ranks = frozenset[str]


@dataclass(frozen=True, slots=True)
class DealValues:
    """The facts that decide the points of a deal.

    `hands` are the hands of one side, of `hand` cards each; `in_play` the cards of all hands. `suits` are the
    points of every rank of each suit with the words of jass and nine in them; in the first `pairs` of them
    there can be bela. `runs` and `fours` are what a run by its length, and four of a rank, are worth.
    """

    hands: int
    hand: int
    in_play: int
    suits: tuple[tuple[tuple[str, int], ...], ...]
    run_order: tuple[str, ...]
    runs: tuple[tuple[int, int], ...]
    fours: tuple[tuple[str, int], ...]
    bela: tuple[str, ...]
    pairs: int
    bela_points: int
    last: int


@lru_cache(maxsize=64)
def most_points(values: DealValues) -> int:
    """The most that all sides can make in one deal, words and all.

    The ways to hold fours with the highest bound are tried first.
    """
    cards = sorted((points for suit in values.suits for _, points in suit), reverse=True)
    bound = sum(cards[: values.in_play]) + values.bela_points * values.pairs
    worth = dict(values.fours)
    alone = {
        ranks: sum(worth[rank] for rank in ranks) + _best_runs(values, ranks) for ranks in _fours(values)
    }
    ways = [
        held for held in product(alone, repeat=values.hands) if len(frozenset().union(*held)) == _size(held)
    ]
    most = 0
    for held in sorted(ways, key=lambda held: -sum(alone[ranks] for ranks in held)):
        if bound + sum(alone[ranks] for ranks in held) <= most:
            break
        tables = [_one_suit(values, suit, held, n < values.pairs) for n, suit in enumerate(values.suits)]
        fours = sum(worth[rank] for ranks in held for rank in ranks)
        most = max(most, fours + _together(values, tables))
    return most + values.last


def _size(held: Sequence[Ranks]) -> int:
    return sum(map(len, held))


def _fours(values: DealValues) -> Iterator[Ranks]:
    """The sets of ranks of which one hand can hold all four cards."""
    ranks = [rank for rank, points in values.fours if points]
    for count in range(values.hand // SUITS + 1):
        yield from map(frozenset, combinations(ranks, count))


def _best_runs(values: DealValues, fours: Ranks) -> int:
    """The most points in runs of one hand that holds these fours, whatever the other hands are."""
    best = {len(fours) * SUITS: _run_points(values, fours) * SUITS}
    for _ in range(SUITS):
        for size, points in list(best.items()):
            for run in _run_sets(values):
                more = size + len(run - fours)
                gain = points + _run_points(values, run | fours) - _run_points(values, fours)
                if more <= values.hand:
                    best[more] = max(best.get(more, 0), gain)
    return max(best.values(), default=0)


def _one_suit(
    values: DealValues, suit: Sequence[tuple[str, int]], fours: Sequence[Ranks], trump: bool
) -> dict[Shape, int]:
    """The most points of one suit by the numbers of its cards: cards in play, runs, and bela."""
    points, found = dict(suit), dict[Shape, int]()
    bela = frozenset(values.bela)
    whole = values.in_play == SUITS * len(suit)

    def take(hands: Sequence[Ranks], inside: Ranks, extra: int) -> None:
        held = frozenset().union(*hands)
        if len(held) < _size(hands) or any(len(hand) > values.hand for hand in hands):
            return
        worth = extra + sum(_run_points(values, hand) for hand in hands)
        shape = tuple(map(len, hands))
        inside |= held
        rest = sorted((points[rank] for rank in points if rank not in inside), reverse=True)
        counted = worth + sum(points[rank] for rank in inside)
        for more in range(len(rest) if whole else 0, len(rest) + 1):
            key = (*shape, len(inside) + more)
            found[key] = max(found.get(key, 0), counted + sum(rest[:more]))

    for runs in product(_run_sets(values), repeat=values.hands):
        hands = [run | held for run, held in zip(runs, fours, strict=True)]
        take(hands, frozenset(), 0)
        if not trump:
            continue
        for place in range(values.hands):
            take(
                [hand | bela if n == place else hand for n, hand in enumerate(hands)],
                bela,
                values.bela_points,
            )
        if not bela & frozenset().union(*hands):
            take(hands, bela, values.bela_points)
    return found


def _together(values: DealValues, tables: Sequence[Mapping[Shape, int]]) -> int:
    """The most points of all suits that fit into the hands and into the cards in play."""
    room = (*[values.hand] * values.hands, values.in_play)
    first, second = (_joined(tables[n], tables[n + 1], room) for n in (0, 2))
    return max(_joined(first, second, room).values(), default=0)


def _joined(one: Mapping[Shape, int], other: Mapping[Shape, int], room: Shape) -> dict[Shape, int]:
    """Put two groups of suits beside each other, as far as there is room."""
    found: dict[Shape, int] = {}
    for shape, points in one.items():
        for more, gain in other.items():
            both = tuple(map(sum, zip(shape, more, strict=True)))
            if points + gain > found.get(both, -1) and all(a <= b for a, b in zip(both, room, strict=True)):
                found[both] = points + gain
    return found


@lru_cache(maxsize=8)
def _run_sets(values: DealValues) -> tuple[Ranks, ...]:
    """The sets of ranks of one suit that consist of runs alone, the empty one too."""
    order = values.run_order
    shortest = min((length for length, _ in values.runs), default=len(order) + 1)
    sets = [frozenset[str]()]
    for start in range(len(order)):
        for end in range(start + shortest, min(len(order), start + values.hand) + 1):
            run = frozenset(order[start:end])
            sets += [run | other for other in list(sets) if not other & frozenset(order[max(start - 1, 0) :])]
    return tuple(dict.fromkeys(sets))


@lru_cache(maxsize=4096)
def _run_points(values: DealValues, ranks: Ranks) -> int:
    """Value ranks of one suit as runs, cut up in the best way."""
    total = length = 0
    for rank in (*values.run_order, ""):
        if rank in ranks:
            length += 1
        else:
            total, length = total + _cut(values.runs, length), 0
    return total


@lru_cache(maxsize=512)
def _cut(runs: tuple[tuple[int, int], ...], length: int) -> int:
    """The most that so many cards in a row are worth."""
    return max((points + _cut(runs, length - long) for long, points in runs if long <= length), default=0)
