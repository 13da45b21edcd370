"""The contest of melds: their comparison, and the words each player should say."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.seats import Seat, Side

from .melds import (
    Four,
    Meld,
    MeldPiece,
    Run,
    drop_forfeited_melds,
    find_melds,
    find_overlap,
    is_belot,
    loses_melds_without_trick,
    rank_meld,
    rank_piece,
    split_meld,
    value_meld,
)
from .play import Hands


@dataclass(frozen=True, slots=True)
class Contest:
    """The side whose melds stand, `both`, or None for nobody's; points by side; the rules applied.

    `halved`: several sides have half of their best meld each, and nothing else. `needs` names the one unknown
    fact that decides: `elder`, `declarer`, or `suit` of the best runs.
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
    declarer: Seat | None = None,
) -> Contest:
    """Compare the melds: the side of the best one scores all of its own, the others nothing.

    If the declarer plays against the rest, each of them writes their own melds when one of them has the best.
    `elder` is elder hand where that is known, and so is `declarer`; `trickless` are the sides that took no
    trick. Rule keys: `run.rank`, `run.all`, `run.disjoint`, `run.tie`, `fours.rank`, `meld.trickless`,
    `meld.belot`.

    >>> from companion import library
    >>> ruleset = library.open_game("derda").family.ruleset
    >>> contest = compare_melds(ruleset, [Run("A", 3, "K"), Run("B", 4, "10")], elder="A")
    >>> contest.side, contest.points, str(contest.why)
    ('B', {'A': 0, 'B': 50}, 'B’s 50 from 10 is higher than the derda from K.')
    >>> compare_melds(ruleset, [Run("A", 3, "K"), Run("B", 3, "K")], elder=None).needs
    'elder'
    """
    points = ruleset.zeros()
    if melds and not ruleset.run_points:
        return Contest(None, points, Message("Melds count nothing at this table."), ("meld.table",))
    if not melds:
        key = "run.all" if ruleset.run_points else "meld.table"
        return Contest(None, points, Message("No run was declared."), (key,))
    belots = {meld.seat: is_belot(ruleset, meld, trump) for meld in melds}
    belot = next((seat for seat, wins in belots.items() if wins is not False), None)
    if belot is not None:
        why = Message("{seat} holds all cards of a suit and wins the match.", seat=SeatName(belot))
        needs = None if belots[belot] else "suit"
        return Contest(ruleset.ring.side(belot), points, why, ("meld.belot",), needs)
    best = _find_best_pieces(ruleset, melds, trump)
    top = max(rank_piece(ruleset, piece) for piece in best.values())
    tied = {seat: piece for seat, piece in best.items() if rank_piece(ruleset, piece) == top}
    keys = ["run.rank", "run.all", *ruleset.known_keys("meld.table")]
    if ruleset["meld_rank"] == "points":
        keys.append("fours.rank")
    elif _needs_top_cards(ruleset, best):
        keys.append("cards.run-order")
    needs, winners, why = _decide_winner(ruleset, best, tied, elder, trump)
    needs = needs or _find_missing_declarer(ruleset, best, declarer)
    if needs is not None:
        return Contest(None, points, why, ("run.rank",), needs)
    if len(winners) != 1:
        keys.append("run.tie")
        for seat in winners:
            points[ruleset.ring.side(seat)] = tied[seat].points // 2
        standing: Side | None = "both" if winners else None
    else:
        standing = ruleset.ring.side(winners[0])
        partners = ruleset.list_partners(winners[0], declarer)
        own = [meld for meld in melds if ruleset.ring.side(meld.seat) in partners]
        points = _add_up(ruleset, own)
        keys += ruleset.known_keys("run.rest") if len(own) > 1 else ()
    runs = [meld for meld in melds if isinstance(meld, Run)]
    in_suits = {(run.seat, run.suit) for run in runs}
    if len(in_suits) < len(runs) or any(run.length > max(ruleset.run_points) for run in runs):
        keys.append("run.disjoint")
    if any(run.length > max(ruleset.run_points) for run in runs):
        keys += ruleset.known_keys("run.long")
    keys += _cite_values(ruleset, melds)
    losers = [side for side in ruleset.ring.sides if side in trickless and points[side]]
    if losers and loses_melds_without_trick(ruleset):
        keys.append("meld.trickless")
        points = {side: 0 if side in losers else brought for side, brought in points.items()}
        why = Message("{side} took no trick, so the runs count for nobody.", side=SideName(losers[0]))
        standing = next((side for side, brought in points.items() if brought), None)
    return Contest(standing, points, why, tuple(keys), halved=len(winners) > 1)


def _find_missing_declarer(
    ruleset: JackNineRuleset, best: Mapping[Seat, MeldPiece], declarer: Seat | None
) -> str | None:
    """Name the declarer as the missing fact if that decides whose melds stand; None if it does not."""
    return "declarer" if ruleset.faces_rest and declarer is None and len(best) > 1 else None


def _add_up(ruleset: JackNineRuleset, melds: Sequence[Meld]) -> dict[Side, int]:
    """Add up the points of melds by side."""
    points = ruleset.zeros()
    for meld in melds:
        points[ruleset.ring.side(meld.seat)] += value_meld(ruleset, meld)
    return points


def pass_melds(ruleset: JackNineRuleset, contest: Contest, trickless: Collection[Side]) -> Contest:
    """Pass the melds of a side without a trick to the others, if the game does so.

    Rule key: `meld.trickless`.
    """
    if contest.side not in trickless or ruleset["trickless"] != "runs-pass":
        return contest
    (heir,) = ruleset.ring.others(contest.side or "")
    points = {**contest.points, contest.side or "": 0, heir: contest.points[contest.side or ""]}
    facts = {"side": SideName(contest.side or ""), "heir": SideName(heir)}
    why = Message("{side} took no trick, so {heir} {heir:writes|write} the melds.", **facts)
    return replace(contest, side=heir, points=points, why=why, keys=(*contest.keys, "meld.trickless"))


def pass_meld_points(
    ruleset: JackNineRuleset, made: Mapping[Side, int], bela: Sequence[Side], trickless: Collection[Side]
) -> dict[Side, int]:
    """Pass the melds of a side without a trick to the others where the game does so.

    `bela` has the side of each bela, which may keep it. Rule keys: `meld.trickless`, `bela.kept`.
    """
    passed = dict(made)
    for side in trickless if ruleset["trickless"] == "runs-pass" else ():
        own = ruleset.retained_bela(side, bela)
        if passed[side] > own:
            (heir,) = ruleset.ring.others(side)
            passed[side], passed[heir] = own, passed[heir] + passed[side] - own
    return passed


def _needs_top_cards(ruleset: JackNineRuleset, best: Mapping[Seat, MeldPiece]) -> bool:
    """True if several sides have the best kind, so that the top cards have to be looked at."""
    most = max(piece.points for piece in best.values())
    return len({ruleset.ring.side(seat) for seat, piece in best.items() if piece.points == most}) > 1


def _cite_values(ruleset: JackNineRuleset, melds: Sequence[Meld]) -> Iterator[str]:
    """List the keys of the rules on the value of these melds."""
    lengths = [piece.length for meld in melds if isinstance(meld, Run) for piece in split_meld(ruleset, meld)]
    if lengths:
        yield "run.values"
    if max(lengths, default=0) > len(Suit):
        yield "run.values-long"
    if any(isinstance(meld, Four) for meld in melds):
        yield "fours.values"


def _find_best_pieces(ruleset: JackNineRuleset, melds: Sequence[Meld], trump: str) -> dict[Seat, MeldPiece]:
    """Find the best piece of each seat that declared; of equal ones that in trumps, or possibly in trumps."""

    def rank(piece: MeldPiece) -> tuple[tuple[int, ...], bool, bool]:
        suit = _suit_of(piece)
        return rank_piece(ruleset, piece), suit == trump, suit is None

    pieces: dict[Seat, list[MeldPiece]] = {}
    for meld in melds:
        pieces.setdefault(meld.seat, []).extend(split_meld(ruleset, meld))
    return {seat: max(own, key=rank) for seat, own in pieces.items()}


def _decide_winner(
    ruleset: JackNineRuleset,
    best: Mapping[Seat, MeldPiece],
    tied: Mapping[Seat, MeldPiece],
    elder: Seat | None,
    trump: str,
) -> tuple[str | None, tuple[Seat, ...], Message]:
    """Decide among tied melds: the fact still needed, the winning seats (several or none), and why."""
    side = ruleset.ring.side
    seats = tuple(tied)
    first = tied[seats[0]]
    facts = {"kind": _name_piece(ruleset, first), "top": Word(first.top)}
    if len({side(seat) for seat in seats}) == 1:
        beaten = [piece for seat, piece in best.items() if side(seat) != side(seats[0])]
        if not beaten:
            why = Message("{seat} has the only run.", seat=SeatName(seats[0]))
            if isinstance(first.meld, Four):
                why = Message("{seat} has the only meld.", seat=SeatName(seats[0]))
            return None, seats[:1], why
        lower = max(beaten, key=lambda piece: rank_piece(ruleset, piece))
        why = Message(
            "{seat}’s {kind} from {top} is higher than the {other} from {low}.",
            seat=SeatName(seats[0]),
            other=_name_piece(ruleset, lower),
            low=Word(lower.top),
            **facts,
        )
        return None, seats[:1], why
    if ruleset["trump_runs"] and trump not in (NO_TRUMPS, ALL_TRUMPS):
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
    """Name a meld as at the table; by its points if the game has no word for it."""
    return Word(ruleset.book.words.get(piece.word, str(piece.points)))


def _suit_of(piece: MeldPiece) -> str | None:
    """The suit of a run; None if it is not known, and for fours."""
    return piece.meld.suit if isinstance(piece.meld, Run) else None


def _wins_in_any_suit(
    ruleset: JackNineRuleset, seats: Sequence[Seat], unknown: Sequence[Seat], elder: Seat | None
) -> bool:
    """True if the seat with a run of unknown suit wins by age, whether the run is in trumps or not."""
    if elder is None or ruleset["run_tie"] not in ("elder", "trump-then-elder"):
        return False
    oldest = next(seat for seat in ruleset.ring.around(elder) if seat in seats)
    return list(unknown) == [oldest]


def _break_tie(
    ruleset: JackNineRuleset, seats: Sequence[Seat], elder: Seat | None, facts: Mapping[str, object]
) -> tuple[str | None, tuple[Seat, ...], Message]:
    """Break a tie of melds: the fact still needed, the seats that win, and why."""
    match ruleset["run_tie"]:
        case "elder" | "trump-then-elder":
            if elder is None:
                return "elder", (), Message("Both runs are equally high.")
            seat = next(seat for seat in ruleset.ring.around(elder) if seat in seats)
            names = {"seat": SeatName(seat), **facts}
            why = Message("Both have a {kind} from {top}, and elder hand’s is better: {seat}.", **names)
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
    """The words of one player about runs."""

    seat: Seat
    say: str


def find_best_piece(
    ruleset: JackNineRuleset, melds: Sequence[Meld], seat: Seat, trump: str
) -> MeldPiece | None:
    """Find the highest piece that a seat declared, of equal ones that in trumps; None if it declared none."""
    return _find_best_pieces(ruleset, melds, trump).get(seat)


def is_certain_to_win(ruleset: JackNineRuleset, piece: MeldPiece, against: int, trump: str) -> bool:
    """True if a run wins against any of so many points: of a higher kind, or with nothing above it."""
    if piece.points != against:
        return piece.points > against
    may_be_longer = ruleset["meld_rank"] == "whole-length" and piece.length == max(ruleset.run_points)
    in_trumps = ruleset["trump_runs"] and _suit_of(piece) == trump
    return bool(in_trumps) and piece.top == ruleset.run_order[0] and not may_be_longer


def suggest_dialogue(
    ruleset: JackNineRuleset, runs: Sequence[Run], elder: Seat, trump: str
) -> tuple[MeldLine, ...]:
    """List what two players should say about their runs, elder hand first. Rule key: `run.answers`."""
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
    ranks = rank_piece(ruleset, theirs), rank_piece(ruleset, mine)
    if ranks[0] != ranks[1]:
        return (*lines, MeldLine(other, "not-good" if ranks[0] > ranks[1] else "good"))
    if ruleset["trump_runs"] and _suit_of(theirs) == trump:
        return (*lines, MeldLine(other, "not-good"))
    if ruleset["run_tie"] not in ("none", "split"):
        return (*lines, MeldLine(other, "good"))
    in_trumps = _suit_of(mine) == trump
    if ruleset["trump_runs"]:
        lines += [MeldLine(other, "in-trumps"), MeldLine(elder, "yes" if in_trumps else "no")]
    return (*lines, MeldLine(other, "good" if in_trumps and ruleset["trump_runs"] else "not-good"))


def find_card_not_held(cards: Sequence[Card], seat: Seat, hands: Hands, whole: bool) -> Card | None:
    """Find the first card that the seat cannot have held; None if it may have held all of them.

    Another seat had it, or it is not in the seat's own hand, which is known `whole`.
    """
    others = {card for holder, hand in hands.items() if holder != seat for card in hand}
    return next((card for card in cards if card in others or (whole and card not in hands[seat])), None)


def explain_false_meld(ruleset: JackNineRuleset, meld: Meld, hands: Hands, whole: bool) -> Message | None:
    """Explain why a seat cannot have held the meld; None if it can. Rule key: `penalty.false-claim`."""
    seat = SeatName(meld.seat)
    absent = [
        find_card_not_held(option.cards(ruleset), meld.seat, hands, whole) for option in list_in_suits(meld)
    ]
    if None in absent:
        return None
    if len(absent) > 1:
        return Message("{seat} did not hold such a run.", seat=seat)
    return Message("{seat} did not hold {card}.", seat=seat, card=absent[0])


def list_in_suits(meld: Meld) -> tuple[Meld, ...]:
    """List the meld in each suit it may be in."""
    if isinstance(meld, Run) and meld.suit is None:
        return tuple(replace(meld, suit=suit) for suit in Suit)
    return (meld,)


def find_held_melds(
    ruleset: JackNineRuleset, declared: Sequence[Meld], hands: Hands, trump: str
) -> tuple[Meld | None, ...]:
    """Find each declared meld as it was held, in its suit; None for one that was not. Hands are whole.

    A run declared without its suit counts as a run of trumps if there is one.
    """
    held: list[Meld | None] = []
    for meld in declared:
        options = [
            option
            for option in list_in_suits(meld)
            if explain_false_meld(ruleset, option, hands, True) is None
        ]
        if len(list_in_suits(meld)) > 1:
            before = [other for other in held if other is not None]
            free = [option for option in options if find_overlap(ruleset, [*before, option]) is None]
            options = free or (options if ruleset.judges_overlaps else [])
            options.sort(key=lambda option: not isinstance(option, Run) or option.suit != trump)
        held.append(options[0] if options else None)
    return tuple(held)


def find_undeclared_melds(
    ruleset: JackNineRuleset,
    declared: Sequence[Meld],
    hands: Hands,
    elder: Seat,
    trump: str,
    trickless: Collection[Side],
    forfeits: Collection[Seat] = (),
    declarer: Seat | None = None,
) -> tuple[Meld, ...]:
    """Find the melds of whole hands that nobody declared and that would have stood, had all been declared.

    `forfeits` are seats that lose their melds anyway. Rule keys: `run.declare`, `run.all`.
    """
    held = tuple(meld for seat, hand in hands.items() for meld in find_melds(ruleset, seat, hand))
    held = drop_forfeited_melds(held, forfeits)
    contest = compare_melds(ruleset, held, elder, trump, trickless, declarer)
    standing = [meld for meld in held if contest.points[ruleset.ring.side(meld.seat)]]
    if contest.halved:
        highest = max(rank_meld(ruleset, meld) for meld in held)
        standing = [meld for meld in standing if rank_meld(ruleset, meld) == highest]
    return tuple(meld for meld in standing if not _is_declared(ruleset, meld, held, declared))


def _is_declared(
    ruleset: JackNineRuleset, meld: Meld, held: Sequence[Meld], declared: Sequence[Meld]
) -> bool:
    """True if a meld was declared whole or, if it is a long run, in other pieces of the same worth."""
    if isinstance(meld, Four):
        return meld in declared

    def value_runs(runs: Sequence[Run]) -> int:
        return sum(value_meld(ruleset, run) for run in runs)

    def of_same_suit(melds: Sequence[Meld]) -> list[Run]:
        runs = (other for other in melds if isinstance(other, Run))
        return [run for run in runs if (run.seat, run.suit) == (meld.seat, meld.suit)]

    named = of_same_suit(declared)
    if value_runs(named) >= value_runs(of_same_suit(held)):
        return True
    within = [run for run in named if set(run.cards(ruleset)) <= set(meld.cards(ruleset))]
    return value_runs(within) >= value_meld(ruleset, meld)


def cite_false_run(seat: Seat, asked: Collection[Seat]) -> str:
    """The key of the rule broken by a false kind of run, in games with a price on a needless question.

    `asked` are the seats that asked how high: a false answer to that breaks a rule of its own. Rule keys:
    `run.rost-false`, `penalty.false-declaration`.
    """
    return "run.rost-false" if any(other != seat for other in asked) else "penalty.false-declaration"


def judge_rost(
    ruleset: JackNineRuleset, held: Sequence[Meld], declared: Sequence[Meld], seat: Seat, trump: str
) -> tuple[str, str] | None:
    """Find the cost of asking how high the other's run is; None if it is free.

    `held` are the melds that were declared and held, `declared` also those not held, as the question was
    about the other's words. Return the loss, `runs` or `bait-on-cards`, and the rule key. Rule keys:
    `run.rost-needless`, `run.rost-false`.
    """
    side = ruleset.ring.side
    others = [meld for meld in declared if side(meld.seat) != side(seat)]
    best = _find_best_pieces(ruleset, others, trump).values()
    theirs = max(best, key=lambda piece: rank_piece(ruleset, piece), default=None)
    mine = find_best_piece(ruleset, held, seat, trump)
    if mine is None or theirs is None or mine.points < theirs.points:
        return "bait-on-cards", "run.rost-false"
    if is_certain_to_win(ruleset, mine, theirs.points, trump):
        return "runs", "run.rost-needless"
    return None
