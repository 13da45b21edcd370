"""Melds: runs and fours of a kind; which is higher, whose stand, and what to say about them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import NO_TRUMPS, Card, Suit
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.seats import Seat, Side


@dataclass(frozen=True, slots=True)
class Run:
    """A declared run: `length` cards from `top` down; the suit where it is known."""

    seat: Seat
    length: int
    top: str
    suit: str | None = None

    def cards(self, ruleset: JackNineRuleset) -> tuple[Card, ...]:
        """The cards of the run; empty while its suit is unknown."""
        if self.suit is None:
            return ()
        start = ruleset.run_order.index(self.top)
        return tuple(Card(rank, Suit(self.suit)) for rank in ruleset.run_order[start : start + self.length])


@dataclass(frozen=True, slots=True)
class Four:
    """Four of a kind."""

    seat: Seat
    rank: str

    def cards(self, ruleset: JackNineRuleset) -> tuple[Card, ...]:
        """The four cards."""
        return tuple(Card(self.rank, suit) for suit in Suit)


Meld = Run | Four


@dataclass(frozen=True, slots=True)
class MeldPiece:
    """What is scored and compared: a four, or a run no longer than the longest that has a value."""

    meld: Meld
    points: int
    length: int
    top: str

    @property
    def word(self) -> str:
        """The key of the game's word for it."""
        return "four" if isinstance(self.meld, Four) else f"run{self.length}"


def read_run(ruleset: JackNineRuleset, seat: Seat, cards: Sequence[Card]) -> Run | None:
    """The run these cards make, in whatever order they were named; None when they make none."""
    ranks = sorted((card.rank for card in cards), key=ruleset.run_order.index)
    if not cards or len({card.suit for card in cards}) > 1 or len(set(ranks)) < len(ranks):
        return None
    run = Run(seat, len(ranks), ranks[0], cards[0].suit)
    whole = tuple(card.rank for card in run.cards(ruleset)) == tuple(ranks)
    return run if whole and is_possible_run(ruleset, run.length, run.top) else None


def is_possible_run(ruleset: JackNineRuleset, length: int, top: str) -> bool:
    """Whether a run of this length can start at this rank."""
    room = len(ruleset.run_order) - ruleset.run_order.index(top)
    return min(ruleset.run_points) <= length <= min(room, ruleset.hand)


def split_meld(ruleset: JackNineRuleset, meld: Meld) -> tuple[MeldPiece, ...]:
    """What a meld is worth, highest piece first.

    Longer runs than the game names are split by the option `run_split`. Rule keys: `run.disjoint`,
    `run.values`, `fours.values`.
    """
    if isinstance(meld, Four):
        return (MeldPiece(meld, ruleset.fours[meld.rank], len(Suit), meld.rank),)
    start, found = ruleset.run_order.index(meld.top), []
    for length in _split_length(ruleset, meld.length):
        found.append(MeldPiece(meld, ruleset.run_points[length], length, ruleset.run_order[start]))
        start += length
    return tuple(found)


def _split_length(ruleset: JackNineRuleset, length: int) -> list[int]:
    longest, shortest = max(ruleset.run_points), min(ruleset.run_points)
    match ruleset["run_split"]:
        case "best":
            lengths = []
            while length >= shortest:
                lengths.append(min(length, longest))
                length -= lengths[-1]
            return lengths
        case "top-four-only" | "pieces":
            return [min(length, longest)]
        case other:
            raise UnknownOption(other)


def value_meld(ruleset: JackNineRuleset, meld: Meld) -> int:
    """The points of a meld that stands."""
    return sum(piece.points for piece in split_meld(ruleset, meld))


def find_melds(ruleset: JackNineRuleset, seat: Seat, hand: Sequence[Card]) -> tuple[Meld, ...]:
    """The melds of a hand as its holder would declare them, highest first.

    A long run is one declaration, or several where the game has its pieces declared apart.
    """
    found: list[Meld] = [
        Four(seat, rank) for rank in ruleset.fours if all(Card(rank, s) in hand for s in Suit)
    ]
    apart = ruleset["run_split"] == "pieces"
    for suit in Suit:
        held = [rank for rank in ruleset.run_order if Card(rank, suit) in hand]
        for group in _split_into_sequences(ruleset, held):
            while len(group) >= min(ruleset.run_points):
                length = min(len(group), max(ruleset.run_points)) if apart else len(group)
                found.append(Run(seat, length, group[0], suit))
                group = group[length:]
    return tuple(
        sorted(found, key=lambda meld: rank_piece(ruleset, split_meld(ruleset, meld)[0]), reverse=True)
    )


def _split_into_sequences(ruleset: JackNineRuleset, ranks: Sequence[str]) -> list[list[str]]:
    groups: list[list[str]] = []
    for rank in ranks:
        if groups and ruleset.run_height(groups[-1][-1]) - ruleset.run_height(rank) == 1:
            groups[-1].append(rank)
        else:
            groups.append([rank])
    return groups


def find_overlap(ruleset: JackNineRuleset, melds: Sequence[Meld]) -> tuple[Meld, Meld, Card] | None:
    """Two melds that cannot both be: runs that share a card, or any two of different hands that do."""
    for one, other in combinations(melds, 2):
        free = one.seat == other.seat and isinstance(one, Four) != isinstance(other, Four)
        shared = set(one.cards(ruleset)) & set(other.cards(ruleset))
        if shared and not free:
            return one, other, min(shared, key=str)
    return None


def rank_piece(ruleset: JackNineRuleset, piece: MeldPiece) -> tuple[int, ...]:
    """How high a piece stands before trumps and elder hand are asked."""
    four = isinstance(piece.meld, Four)
    top = (
        len(ruleset.fours_order) - ruleset.fours_order.index(piece.top)
        if four
        else ruleset.run_height(piece.top)
    )
    match ruleset["meld_rank"]:
        case "length":
            return piece.length, top
        case "points":
            return piece.points, int(four), 0 if four else piece.length, top
        case other:
            raise UnknownOption(other)


@dataclass(frozen=True, slots=True)
class Contest:
    """Whose melds stand: a side, `both`, or None for nobody's; points by side; the rules it went by.

    `halved`: several sides have half of their best meld each, and nothing else.
    `needs` names what alone can decide and is not known: `elder`, or `suit` of the best runs.
    """

    side: Side | None
    points: Mapping[Side, int]
    why: Message
    keys: tuple[str, ...]
    needs: str | None = None
    halved: bool = False


def compare_melds(
    ruleset: JackNineRuleset,
    melds: Sequence[Meld],
    elder: Seat | None,
    trump: str = NO_TRUMPS,
    trickless: Collection[Side] = (),
) -> Contest:
    """Compare all declared melds. The side of the best one scores all of its own, the others nothing.

    Rule keys: `run.rank`, `run.all`, `run.disjoint`, `run.tie`, `fours.rank`, `meld.trickless`.
    """
    points = ruleset.zeros()
    if not melds:
        return Contest(None, points, Message("No run was declared."), ("run.all",))
    best = dict(_find_best_pieces(ruleset, melds))
    top = max(rank_piece(ruleset, piece) for piece in best.values())
    tied = {seat: piece for seat, piece in best.items() if rank_piece(ruleset, piece) == top}
    keys = ["run.rank", "run.all"]
    if ruleset["meld_rank"] == "points":
        keys.append("fours.rank")
    elif _needs_top_cards(ruleset, best):
        keys.append("cards.run-order")
    needs, winners, why = _decide_winner(ruleset, best, tied, elder, trump)
    if needs is not None:
        return Contest(None, points, why, ("run.rank",), needs)
    if len(winners) != 1:
        keys.append("run.tie")
        if winners:
            for seat in winners:
                points[ruleset.ring.side(seat)] = tied[seat].points // 2
        standing: Side | None = "both" if winners else None
    else:
        standing = ruleset.ring.side(winners[0])
        own = [one for one in melds if ruleset.ring.side(one.seat) == standing]
        points[standing] = sum(value_meld(ruleset, one) for one in own)
        keys += ruleset.known("run.rest") if len(own) > 1 else ()
    runs = [one for one in melds if isinstance(one, Run)]
    in_suits = {(one.seat, one.suit) for one in runs}
    if len(in_suits) < len(runs) or any(one.length > max(ruleset.run_points) for one in runs):
        keys.append("run.disjoint")
    keys += _cite_values(ruleset, melds)
    lost = [side for side in ruleset.ring.sides if side in trickless and points[side]]
    if lost and loses_melds_without_trick(ruleset):
        keys.append("meld.trickless")
        points = {side: 0 if side in lost else one for side, one in points.items()}
        why = Message("{side} took no trick, so the runs count for nobody.", side=SideName(lost[0]))
        standing = next((side for side, one in points.items() if one), None)
    return Contest(standing, points, why, tuple(keys), halved=len(winners) > 1)


def _needs_top_cards(ruleset: JackNineRuleset, best: Mapping[Seat, MeldPiece]) -> bool:
    """Whether several sides have the best kind, so that the height has to be looked at."""
    most = max(piece.points for piece in best.values())
    return len({ruleset.ring.side(seat) for seat, piece in best.items() if piece.points == most}) > 1


def _cite_values(ruleset: JackNineRuleset, melds: Sequence[Meld]) -> Iterator[str]:
    """The keys of the rules that say what these melds are worth."""
    longest = [piece.length for meld in melds if isinstance(meld, Run) for piece in split_meld(ruleset, meld)]
    if longest:
        yield "run.values"
    if max(longest, default=0) > len(Suit):
        yield "run.values-long"
    if any(isinstance(meld, Four) for meld in melds):
        yield "fours.values"


def loses_melds_without_trick(ruleset: JackNineRuleset) -> bool:
    """Whether a side that took no trick loses its melds. Rule key: `meld.trickless`."""
    match ruleset["trickless"]:
        case "runs-lost":
            return True
        case "runs-count":
            return False
        case "no-win":
            return bool(ruleset["words_need_trick"])
        case other:
            raise UnknownOption(other)


def _find_best_pieces(ruleset: JackNineRuleset, melds: Sequence[Meld]) -> Iterator[tuple[Seat, MeldPiece]]:
    for seat in dict.fromkeys(meld.seat for meld in melds):
        own = (piece for meld in melds if meld.seat == seat for piece in split_meld(ruleset, meld))
        yield seat, max(own, key=lambda piece: rank_piece(ruleset, piece))


def _decide_winner(
    ruleset: JackNineRuleset,
    best: Mapping[Seat, MeldPiece],
    tied: Mapping[Seat, MeldPiece],
    elder: Seat | None,
    trump: str,
) -> tuple[str | None, tuple[Seat, ...], Message]:
    """What is still needed to decide; the seats whose best meld wins, several or none at a tie; and why."""
    side = ruleset.ring.side
    seats = tuple(tied)
    first = tied[seats[0]]
    told = {"kind": _name_piece(ruleset, first), "top": first.top}
    if len({side(seat) for seat in seats}) == 1:
        beaten = [piece for seat, piece in best.items() if side(seat) != side(seats[0])]
        if not beaten:
            return None, seats[:1], Message("{seat} has the only run.", seat=SeatName(seats[0]))
        lower = max(beaten, key=lambda piece: rank_piece(ruleset, piece))
        why = Message(
            "{seat}’s {kind} from {top} is higher than the {other} from {low}.",
            seat=SeatName(seats[0]),
            other=_name_piece(ruleset, lower),
            low=lower.top,
            **told,
        )
        return None, seats[:1], why
    if ruleset["trump_runs"] and trump != NO_TRUMPS:
        owner = next((seat for seat, piece in tied.items() if _suit_of(piece) == trump), None)
        if owner is not None:
            why = Message(
                "Both have a {kind} from {top}, and {seat}’s is in trumps.", seat=SeatName(owner), **told
            )
            return None, (owner,), why
        unknown = [seat for seat, piece in tied.items() if _suit_of(piece) is None]
        if unknown and not _wins_in_any_suit(ruleset, seats, unknown, elder):
            return "suit", (), Message("Both runs are equally high, and one may be in trumps.")
    return _break_tie(ruleset, seats, elder, told)


def _name_piece(ruleset: JackNineRuleset, piece: MeldPiece) -> Word:
    """What a meld is called at the table; its points where the game has no word for it."""
    return Word(ruleset.book.words.get(piece.word, str(piece.points)))


def _suit_of(piece: MeldPiece) -> str | None:
    return piece.meld.suit if isinstance(piece.meld, Run) else None


def _wins_in_any_suit(
    ruleset: JackNineRuleset, seats: Sequence[Seat], unknown: Sequence[Seat], elder: Seat | None
) -> bool:
    """Whether a run of unknown suit decides nothing: were it in trumps or not, its seat would win by age."""
    if elder is None or ruleset["run_tie"] not in ("elder", "trump-then-elder"):
        return False
    oldest = next(seat for seat in ruleset.ring.around(elder) if seat in seats)
    return list(unknown) == [oldest]


def _break_tie(
    ruleset: JackNineRuleset, seats: Sequence[Seat], elder: Seat | None, told: Mapping[str, object]
) -> tuple[str | None, tuple[Seat, ...], Message]:
    match ruleset["run_tie"]:
        case "elder" | "trump-then-elder":
            if elder is None:
                return "elder", (), Message("Both runs are equally high.")
            seat = next(seat for seat in ruleset.ring.around(elder) if seat in seats)
            why = Message(
                "Both have a {kind} from {top}, and elder hand’s is better: {seat}.",
                seat=SeatName(seat),
                **told,
            )
            return None, (seat,), why
        case "none":
            return None, (), Message("Both have a {kind} from {top}, so neither counts.", **told)
        case "split":
            by_side = {ruleset.ring.side(seat): seat for seat in reversed(seats)}
            why = Message("Both have a {kind} from {top}, so each has half of it.", **told)
            return None, tuple(by_side.values()), why
        case other:
            raise UnknownOption(other)


@dataclass(frozen=True, slots=True)
class MeldLine:
    """What one player should say about runs."""

    seat: Seat
    say: str


def find_best_piece(ruleset: JackNineRuleset, melds: Sequence[Meld], seat: Seat) -> MeldPiece | None:
    """The highest piece of a seat, or None."""
    return dict(_find_best_pieces(ruleset, melds)).get(seat)


def is_certain_to_win(ruleset: JackNineRuleset, mine: MeldPiece, against: int, trump: str) -> bool:
    """Whether a run wins against any of so many points: of a higher kind, or with nothing above it."""
    if mine.points != against:
        return mine.points > against
    in_trumps = ruleset["trump_runs"] and _suit_of(mine) == trump
    return bool(in_trumps) and mine.top == ruleset.run_order[0]


def suggest_dialogue(
    ruleset: JackNineRuleset, runs: Sequence[Run], elder: Seat, trump: str
) -> tuple[MeldLine, ...]:
    """What two players should say about their runs, elder hand first. Rule key: `run.answers`."""
    other = ruleset.ring.left(elder)
    mine, theirs = find_best_piece(ruleset, runs, elder), find_best_piece(ruleset, runs, other)
    if mine is None:
        return () if theirs is None else (MeldLine(other, str(theirs.points)),)
    said = [MeldLine(elder, str(mine.points))]
    if theirs is None or theirs.points < mine.points:
        return (*said, MeldLine(other, "good"))
    if is_certain_to_win(ruleset, theirs, mine.points, trump):
        return (*said, MeldLine(other, "not-good"))
    said += [
        MeldLine(other, "rost" if ruleset["rost"] == "strict" else "how-high"),
        MeldLine(elder, mine.top),
    ]
    if theirs.top != mine.top:
        higher = rank_piece(ruleset, theirs) > rank_piece(ruleset, mine)
        return (*said, MeldLine(other, "not-good" if higher else "good"))
    if ruleset["trump_runs"] and _suit_of(theirs) == trump:
        return (*said, MeldLine(other, "not-good"))
    if ruleset["trump_runs"] and ruleset["run_tie"] in ("none", "split"):
        said += [MeldLine(other, "in-trumps"), MeldLine(elder, "yes" if _suit_of(mine) == trump else "no")]
    return (*said, MeldLine(other, "good"))


def drop_forfeited_melds(melds: Sequence[Meld], seats: Collection[Seat]) -> tuple[Meld, ...]:
    """The melds that are left when these seats forfeit theirs."""
    return tuple(meld for meld in melds if meld.seat not in seats)
