"""Whose melds stand: comparing what was declared, and what to say about it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import NO_TRUMPS, Suit
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.seats import Seat, Side

from .melds import Four, Meld, MeldPiece, Run, rank_piece, split_meld, value_meld


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
    """Whose melds stand: the side of the best one scores all of its own, the others nothing.

    `elder` is elder hand where that is known, `trickless` are the sides that took no trick. Rule keys:
    `run.rank`, `run.all`, `run.disjoint`, `run.tie`, `fours.rank`, `meld.trickless`.

    >>> from companion import library
    >>> ruleset = library.open_game("derda").family.ruleset
    >>> contest = compare_melds(ruleset, [Run("A", 3, "K"), Run("B", 4, "10")], elder="A")
    >>> contest.side, contest.points, str(contest.why)
    ('B', {'A': 0, 'B': 50}, 'B’s 50 from 10 is higher than the derda from K.')
    >>> compare_melds(ruleset, [Run("A", 3, "K"), Run("B", 3, "K")], elder=None).needs
    'elder'
    """
    points = ruleset.zeros()
    if not melds:
        return Contest(None, points, Message("No run was declared."), ("run.all",))
    best = dict(_find_best_pieces(ruleset, melds, trump))
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
        for seat in winners:
            points[ruleset.ring.side(seat)] = tied[seat].points // 2
        standing: Side | None = "both" if winners else None
    else:
        standing = ruleset.ring.side(winners[0])
        own = [meld for meld in melds if ruleset.ring.side(meld.seat) == standing]
        points[standing] = sum(value_meld(ruleset, meld) for meld in own)
        keys += ruleset.known_keys("run.rest") if len(own) > 1 else ()
    runs = [meld for meld in melds if isinstance(meld, Run)]
    in_suits = {(run.seat, run.suit) for run in runs}
    if len(in_suits) < len(runs) or any(run.length > max(ruleset.run_points) for run in runs):
        keys.append("run.disjoint")
    keys += _cite_values(ruleset, melds)
    losers = [side for side in ruleset.ring.sides if side in trickless and points[side]]
    if losers and loses_melds_without_trick(ruleset):
        keys.append("meld.trickless")
        points = {side: 0 if side in losers else brought for side, brought in points.items()}
        why = Message("{side} took no trick, so the runs count for nobody.", side=SideName(losers[0]))
        standing = next((side for side, brought in points.items() if brought), None)
    return Contest(standing, points, why, tuple(keys), halved=len(winners) > 1)


def _needs_top_cards(ruleset: JackNineRuleset, best: Mapping[Seat, MeldPiece]) -> bool:
    """Whether several sides have the best kind, so that the top cards have to be looked at."""
    most = max(piece.points for piece in best.values())
    return len({ruleset.ring.side(seat) for seat, piece in best.items() if piece.points == most}) > 1


def _cite_values(ruleset: JackNineRuleset, melds: Sequence[Meld]) -> Iterator[str]:
    """The keys of the rules that say what these melds are worth."""
    lengths = [piece.length for meld in melds if isinstance(meld, Run) for piece in split_meld(ruleset, meld)]
    if lengths:
        yield "run.values"
    if max(lengths, default=0) > len(Suit):
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
        case unknown:
            raise UnknownOption(unknown)


def _find_best_pieces(
    ruleset: JackNineRuleset, melds: Sequence[Meld], trump: str
) -> Iterator[tuple[Seat, MeldPiece]]:
    """The best piece of each seat that declared something: of equal ones that in trumps, or that may be."""
    for seat in dict.fromkeys(meld.seat for meld in melds):
        own = (piece for meld in melds if meld.seat == seat for piece in split_meld(ruleset, meld))
        yield (
            seat,
            max(
                own,
                key=lambda piece: (
                    rank_piece(ruleset, piece),
                    _suit_of(piece) == trump,
                    _suit_of(piece) is None,
                ),
            ),
        )


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
    facts = {"kind": _name_piece(ruleset, first), "top": first.top}
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
            **facts,
        )
        return None, seats[:1], why
    if ruleset["trump_runs"] and trump != NO_TRUMPS:
        owner = next((seat for seat, piece in tied.items() if _suit_of(piece) == trump), None)
        if owner is not None:
            why = Message(
                "Both have a {kind} from {top}, and {seat}’s is in trumps.", seat=SeatName(owner), **facts
            )
            return None, (owner,), why
        unknown = [seat for seat, piece in tied.items() if _suit_of(piece) is None]
        if unknown and not _wins_in_any_suit(ruleset, seats, unknown, elder):
            return "suit", (), Message("Both runs are equally high, and one may be in trumps.")
    return _break_tie(ruleset, seats, elder, facts)


def _name_piece(ruleset: JackNineRuleset, piece: MeldPiece) -> Word:
    """What a meld is called at the table; its points where the game has no word for it."""
    return Word(ruleset.book.words.get(piece.word, str(piece.points)))


def _suit_of(piece: MeldPiece) -> str | None:
    """The suit of a run; None where it is not known, and for fours."""
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
    ruleset: JackNineRuleset, seats: Sequence[Seat], elder: Seat | None, facts: Mapping[str, object]
) -> tuple[str | None, tuple[Seat, ...], Message]:
    """Of equally high melds: what is needed to decide, the seats that win, and why."""
    match ruleset["run_tie"]:
        case "elder" | "trump-then-elder":
            if elder is None:
                return "elder", (), Message("Both runs are equally high.")
            seat = next(seat for seat in ruleset.ring.around(elder) if seat in seats)
            why = Message(
                "Both have a {kind} from {top}, and elder hand’s is better: {seat}.",
                seat=SeatName(seat),
                **facts,
            )
            return None, (seat,), why
        case "none":
            return None, (), Message("Both have a {kind} from {top}, so neither counts.", **facts)
        case "split":
            by_side = {ruleset.ring.side(seat): seat for seat in reversed(seats)}
            why = Message("Both have a {kind} from {top}, so each has half of it.", **facts)
            return None, tuple(by_side.values()), why
        case unknown:
            raise UnknownOption(unknown)


# --- what to say ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MeldLine:
    """What one player should say about runs."""

    seat: Seat
    say: str


def find_best_piece(
    ruleset: JackNineRuleset, melds: Sequence[Meld], seat: Seat, trump: str
) -> MeldPiece | None:
    """The highest piece that a seat declared, of equal ones that in trumps; None where it declared none."""
    return dict(_find_best_pieces(ruleset, melds, trump)).get(seat)


def is_certain_to_win(ruleset: JackNineRuleset, piece: MeldPiece, against: int, trump: str) -> bool:
    """Whether a run wins against any of so many points: of a higher kind, or with nothing above it."""
    if piece.points != against:
        return piece.points > against
    in_trumps = ruleset["trump_runs"] and _suit_of(piece) == trump
    return bool(in_trumps) and piece.top == ruleset.run_order[0]


def suggest_dialogue(
    ruleset: JackNineRuleset, runs: Sequence[Run], elder: Seat, trump: str
) -> tuple[MeldLine, ...]:
    """What two players should say about their runs, elder hand first. Rule key: `run.answers`."""
    other = ruleset.ring.left(elder)
    mine, theirs = (find_best_piece(ruleset, runs, seat, trump) for seat in (elder, other))
    if mine is None:
        return () if theirs is None else (MeldLine(other, str(theirs.points)),)
    lines = [MeldLine(elder, str(mine.points))]
    if theirs is None or theirs.points < mine.points:
        return (*lines, MeldLine(other, "good"))
    if is_certain_to_win(ruleset, theirs, mine.points, trump):
        return (*lines, MeldLine(other, "not-good"))
    lines += [
        MeldLine(other, "rost" if ruleset["rost"] == "strict" else "how-high"),
        MeldLine(elder, mine.top),
    ]
    if theirs.top != mine.top:
        higher = rank_piece(ruleset, theirs) > rank_piece(ruleset, mine)
        return (*lines, MeldLine(other, "not-good" if higher else "good"))
    if ruleset["trump_runs"] and _suit_of(theirs) == trump:
        return (*lines, MeldLine(other, "not-good"))
    if ruleset["run_tie"] not in ("none", "split"):
        return (*lines, MeldLine(other, "good"))
    in_trumps = _suit_of(mine) == trump
    if ruleset["trump_runs"]:
        lines += [MeldLine(other, "in-trumps"), MeldLine(elder, "yes" if in_trumps else "no")]
    return (*lines, MeldLine(other, "good" if in_trumps and ruleset["trump_runs"] else "not-good"))
