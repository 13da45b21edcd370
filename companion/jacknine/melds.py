"""Runs: what a hand holds, which run is higher, whose runs stand, and what to say about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..rules.cards import Card, Suit
from ..rules.message import Message, SeatName, Word
from ..rules.seats import Seat, Side
from .ruleset import Ruleset, UnknownOption


@dataclass(frozen=True, slots=True)
class Run:
    """A declared run: `length` cards from `top` down; suit and cards where they are known."""

    seat: Seat
    length: int
    top: str
    suit: str | None = None

    def cards(self, ruleset: Ruleset) -> tuple[Card, ...]:
        """The cards of the run; empty while its suit is unknown."""
        if self.suit is None:
            return ()
        start = ruleset.run_order.index(self.top)
        return tuple(Card(rank, Suit(self.suit)) for rank in ruleset.run_order[start : start + self.length])


@dataclass(frozen=True, slots=True)
class Piece:
    """What is scored and compared: a part of a run, no longer than the longest run the game names."""

    run: Run
    length: int
    top: str
    points: int


def read_run(ruleset: Ruleset, seat: Seat, cards: Sequence[Card]) -> Run | None:
    """The run these cards make, in whatever order they were named; None when they make none."""
    ranks = sorted((card.rank for card in cards), key=ruleset.run_order.index)
    if not cards or len({card.suit for card in cards}) > 1 or len(set(ranks)) < len(ranks):
        return None
    run = Run(seat, len(ranks), ranks[0], cards[0].suit)
    whole = tuple(card.rank for card in run.cards(ruleset)) == tuple(ranks)
    return run if whole and fits(ruleset, run.length, run.top) else None


def fits(ruleset: Ruleset, length: int, top: str) -> bool:
    """Whether a run of this length can start at this rank."""
    room = len(ruleset.run_order) - ruleset.run_order.index(top)
    return min(ruleset.run_points) <= length <= min(room, ruleset.hand)


def pieces(ruleset: Ruleset, run: Run) -> tuple[Piece, ...]:
    """What a run is worth, highest piece first.

    Longer runs than the game names are split by the option `run_split`. Rule key: `run.disjoint`.
    """
    longest, shortest = max(ruleset.run_points), min(ruleset.run_points)
    match ruleset["run_split"]:
        case "best":
            lengths, left = [], run.length
            while left >= shortest:
                lengths.append(min(left, longest))
                left -= lengths[-1]
        case "top-four-only":
            lengths = [min(run.length, longest)]
        case other:
            raise UnknownOption(other)
    start, found = ruleset.run_order.index(run.top), []
    for length in lengths:
        found.append(Piece(run, length, ruleset.run_order[start], ruleset.run_points[length]))
        start += length
    return tuple(found)


def worth(ruleset: Ruleset, run: Run) -> int:
    """The points of a run that stands."""
    return sum(piece.points for piece in pieces(ruleset, run))


def in_hand(ruleset: Ruleset, seat: Seat, hand: Sequence[Card]) -> tuple[Run, ...]:
    """The runs of a hand, each as long as it goes, highest first."""
    found = []
    for suit in Suit:
        held = [rank for rank in ruleset.run_order if Card(rank, suit) in hand]
        for group in _unbroken(ruleset, held):
            if len(group) >= min(ruleset.run_points):
                found.append(Run(seat, len(group), group[0], suit))
    return tuple(sorted(found, key=lambda run: _rank(ruleset, pieces(ruleset, run)[0]), reverse=True))


def _unbroken(ruleset: Ruleset, ranks: Sequence[str]) -> list[list[str]]:
    groups: list[list[str]] = []
    for rank in ranks:
        if groups and ruleset.run_height(groups[-1][-1]) - ruleset.run_height(rank) == 1:
            groups[-1].append(rank)
        else:
            groups.append([rank])
    return groups


def overlapping(ruleset: Ruleset, runs: Sequence[Run]) -> tuple[Run, Run, Card] | None:
    """Two runs that share a card, if any do."""
    for one, other in combinations(runs, 2):
        shared = set(one.cards(ruleset)) & set(other.cards(ruleset))
        if shared:
            return one, other, min(shared, key=str)
    return None


def _rank(ruleset: Ruleset, piece: Piece) -> tuple[int, int]:
    return piece.length, ruleset.run_height(piece.top)


@dataclass(frozen=True, slots=True)
class Contest:
    """Whose runs stand: the side (None: nobody's), points by side, and the rules it went by.

    `needs_elder`: only elder hand's precedence can decide, and elder hand is not known.
    """

    side: Side | None
    points: Mapping[Side, int]
    why: Message
    keys: tuple[str, ...]
    needs_elder: bool = False


def contest(ruleset: Ruleset, runs: Sequence[Run], elder: Seat | None) -> Contest:
    """Compare all declared runs. The side of the best one scores all of its own, the others nothing.

    Rule keys: `run.rank`, `run.all`, `run.disjoint`.
    """
    points = ruleset.zeros()
    if not runs:
        return Contest(None, points, Message("No run was declared."), ("run.all",))
    best = {
        seat: max(_rank(ruleset, p) for run in runs if run.seat == seat for p in pieces(ruleset, run))
        for seat in dict.fromkeys(run.seat for run in runs)
    }
    top = max(best.values())
    tied = [seat for seat, rank in best.items() if rank == top]
    keys, why = ["run.rank", "run.all"], Message("{seat} has the only run.", seat=SeatName(tied[0]))
    if len({(length, ruleset.ring.side(seat)) for seat, (length, _) in best.items() if length == top[0]}) > 1:
        keys.append("cards.run-order")
    if len({ruleset.ring.side(seat) for seat in tied}) > 1:
        if elder is None:
            return Contest(
                None, points, Message("Both runs are equally high."), ("run.rank",), needs_elder=True
            )
        seat = _first_of(ruleset, tied, elder)
        why = Message(
            "Both have a {kind} from {top}, and elder hand’s is better: {seat}.",
            kind=_called(ruleset, top[0]),
            top=_rank_at(ruleset, top[1]),
            seat=SeatName(seat),
        )
    else:
        seat = tied[0]
        beaten = [rank for other, rank in best.items() if ruleset.ring.side(other) != ruleset.ring.side(seat)]
        if beaten:
            lower = max(beaten)
            why = Message(
                "{seat}’s {kind} from {top} is higher than the {other} from {low}.",
                seat=SeatName(seat),
                kind=_called(ruleset, top[0]),
                top=_rank_at(ruleset, top[1]),
                other=_called(ruleset, lower[0]),
                low=_rank_at(ruleset, lower[1]),
            )
    side = ruleset.ring.side(seat)
    points[side] = sum(worth(ruleset, run) for run in runs if ruleset.ring.side(run.seat) == side)
    if any(run.length > max(ruleset.run_points) for run in runs):
        keys.append("run.disjoint")
    keys.append("run.values")
    return Contest(side, points, why, tuple(keys))


def _first_of(ruleset: Ruleset, tied: Sequence[Seat], elder: Seat) -> Seat:
    match ruleset["run_tie"]:
        case "elder":
            return next(seat for seat in ruleset.ring.around(elder) if seat in tied)
        case other:
            raise UnknownOption(other)


def _called(ruleset: Ruleset, length: int) -> Word:
    """What a run of this length is called at the table; its points where the game has no word for it."""
    return Word(ruleset.book.words.get(f"run{length}", str(ruleset.run_points[length])))


def _rank_at(ruleset: Ruleset, height: int) -> str:
    return ruleset.run_order[len(ruleset.run_order) - height]


@dataclass(frozen=True, slots=True)
class Line:
    """What one player should say about runs."""

    seat: Seat
    say: str


def dialogue(ruleset: Ruleset, runs: Sequence[Run], elder: Seat) -> tuple[Line, ...]:
    """What two players should say about their runs, elder hand first. Rule key: `run.answers`."""
    best = {
        seat: max(
            (p for run in runs if run.seat == seat for p in pieces(ruleset, run)),
            key=lambda piece: _rank(ruleset, piece),
            default=None,
        )
        for seat in ruleset.ring.around(elder)
    }
    other = ruleset.ring.left(elder)
    mine, theirs = best[elder], best[other]
    if mine is None:
        return () if theirs is None else (Line(other, str(theirs.points)),)
    said = [Line(elder, str(mine.points))]
    if theirs is None or theirs.length < mine.length:
        return (*said, Line(other, "good"))
    if theirs.length > mine.length:
        return (*said, Line(other, "not-good"))
    answer = "not-good" if _rank(ruleset, theirs) > _rank(ruleset, mine) else "good"
    return (*said, Line(other, "how-high"), Line(elder, mine.top), Line(other, answer))
