"""The ruling on a claim: whether a player can force what is claimed of the remaining cards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import TypeVar

from companion.jacknine.phases import play
from companion.jacknine.phases.bidding import Bid
from companion.jacknine.phases.settle_bid import find_needed
from companion.jacknine.ruleset import JackNineRuleset, write_cards
from companion.jacknine.solver.claim import ClaimedContract, ContractRace, MaxRace, PointRace, TrickRace
from companion.jacknine.solver.endgame import Endgame, EndgameNames, encode_endgame, to_bits
from companion.jacknine.solver.facts import Effort, SearchLimit
from companion.jacknine.solver.race import PlayedTrick
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message, SeatName
from companion.rules.question import Judgement, check_distinct
from companion.rules.seats import Ring, Side

from . import questions

Found = TypeVar("Found")

MAX_PLAYS = 8_000_000
"""The most plays tried for a verdict: several times as many as any was seen to take."""

MAX_FORCED_PLAYS = 400_000
MAX_SPAN_PLAYS = 400_000
"""The most plays tried for the points that can be forced, and for those possible: under a second each."""

_FEW_CARDS = 8
"""The most cards, of all hands together, that are searched in no time."""


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A judged claim: whether it is `good`, the `first` card of its line, or the tricks that break it.

    `forced` are the points of the rest that each side can force, `spans` the least and the most that may
    still come to it; None if that is more than is searched.
    """

    good: bool
    first: int | None
    line: tuple[PlayedTrick, ...] | None
    forced: tuple[int, ...] | None
    spans: tuple[tuple[int, int], ...] | None


@lru_cache(maxsize=64)
def judge_claim(ending: Endgame, side: int, goal: int | ClaimedContract | None) -> JudgedClaim:
    """Judge whether the side can force its goal: points, the end of a contract, or every trick (None).

    :raises SearchLimit: if that is more than is searched.
    """
    seats = [ending.seats(each) for each in sorted(set(ending.sides))]
    races = [PointRace(ending, each, Effort(MAX_PLAYS)) for each in seats]
    own = races[side]
    if isinstance(goal, ClaimedContract) and len(seats) == 2:
        goal = goal.count_needed(ending.total)
    first: int | None = None
    line: tuple[PlayedTrick, ...] | None = None
    match goal:
        case None:
            tricks = TrickRace(ending, seats[side], Effort(MAX_PLAYS))
            if tricks.can_force(ending.tricks):
                first = tricks.find_opening(0, ending.tricks)
            else:
                line = tuple(islice(tricks.play_line(0, tricks.most, tricks.most), tricks.most + 1))
            forced = _find_forced(races, side)
        case int():
            good = own.can_force(goal)
            forced = _find_forced(races, side)
            own.effort = Effort(MAX_PLAYS)
            if not good:
                line = tuple(_cut_points(own, goal))
            elif goal > 0:
                first = own.find_opening(0, goal)
        case ClaimedContract():
            contract = ContractRace(own, goal, Effort(MAX_PLAYS))
            if not contract.can_end():
                line = tuple(_cut_contract(contract))
            elif contract.find_settled(goal.so_far, contract.begin.start) is None:
                first = contract.find_opening(goal.so_far, 1)
            forced = _find_forced(races, side)
    return JudgedClaim(line is None, first, line, forced, _find_spans(ending, seats))


def _cut_points(race: PointRace, goal: int) -> Iterator[PlayedTrick]:
    """The tricks of a line up to the one that puts the points out of reach."""
    reachable = race.ending.total
    tricks = race.play_line(0, race.low, race.high)
    while reachable >= goal:
        trick = next(tricks)
        yield trick
        reachable -= 0 if trick.taker in race.side else trick.worth


def _cut_contract(race: ContractRace) -> Iterator[PlayedTrick]:
    """The tricks of a line up to the one that settles the contract."""
    made, left = race.contract.so_far, race.begin.start
    tricks = race.play_line(made, 0, 0)
    while race.find_settled(made, left) is None:
        trick = next(tricks)
        yield trick
        left &= ~to_bits(trick.cards)
        made = race.add_trick(made, trick.taker, trick.worth, 1)


def _find_forced(races: Sequence[PointRace], side: int) -> tuple[int, ...] | None:
    """The points that each side can force; of two sides the other has the rest."""
    effort = Effort(MAX_FORCED_PLAYS)
    for race in races:
        race.effort = effort
    try:
        if len(races) > 2:
            return tuple(race.most for race in races)
        most = races[side].most
        return tuple(most if race is races[side] else race.ending.total - most for race in races)
    except SearchLimit:
        return None


def _find_spans(ending: Endgame, seats: Sequence[frozenset[int]]) -> tuple[tuple[int, int], ...] | None:
    """The least and the most that may come to each side: the least if the others together get the most."""
    everybody, effort = frozenset(range(len(ending.hands))), Effort(MAX_SPAN_PLAYS)

    @cache
    def find_max(side: frozenset[int]) -> int:
        return MaxRace(ending, side, effort).most

    try:
        return tuple((ending.total - find_max(everybody - each), find_max(each)) for each in seats)
    except SearchLimit:
        return None


def is_heavy(facts: questions.ClaimFacts) -> bool:
    """True if judging these facts may take long, because many cards are left."""
    return sum(map(len, facts.hands.values())) > _FEW_CARDS


def rule_on_claim(ruleset: JackNineRuleset, facts: questions.ClaimFacts) -> Judgement:
    """Rule on whether the claimer's side can force the claim, against the best play of all others.

    Rule keys: `play.claim`, `play.trick`, and those of the duties and points that decide.

    :raises Unreadable: also if the hands can be played in more ways than are searched.
    """
    _check_hands(ruleset, facts)
    ring = ruleset.ring
    ending, names = encode_endgame(ruleset, facts.hands, facts.trick, facts.leader, facts.trump)
    goal = _find_goal(ruleset, facts, ending, names)
    side = names.sides.index(ring.side(facts.claimer))
    try:
        claim = judge_claim(ending, side, goal)
    except SearchLimit:
        raise Unreadable(
            "hands", Message("fewer cards: these can be played in too many ways"), ending.tricks
        ) from None
    line = None if claim.line is None else [[names.cards[n] for n in trick.cards] for trick in claim.line]
    forced = None if claim.forced is None else _name_sides(ring, names, claim.forced)
    spans = None if claim.spans is None else _name_sides(ring, names, claim.spans)
    answer = {
        "line": None if line is None else [write_cards(trick) for trick in line],
        "takers": None if claim.line is None else [names.seats[trick.taker] for trick in claim.line],
        "forced": forced,
        "range": None
        if spans is None
        else {each: {"min": least, "max": most} for each, (least, most) in spans.items()},
    }
    first = None if claim.first is None else names.cards[claim.first]
    why = _explain_claim(ruleset, facts, goal, claim, ending.total, first, line or (), forced)
    keys = ("play.claim", "play.trick", *_cite_line(ruleset, facts, goal, line or ()))
    return Judgement("good" if claim.good else "bad", answer, why, tuple(dict.fromkeys(keys)))


def _name_sides(ring: Ring, names: EndgameNames, found: Sequence[Found]) -> dict[Side, Found]:
    """The findings by side, in the order of the table."""
    return {each: found[names.sides.index(each)] for each in ring.sides}


def _check_hands(ruleset: JackNineRuleset, facts: questions.ClaimFacts) -> None:
    """Refuse a card named twice, hands of unequal length, and a trick that could not be played so."""
    ring = ruleset.ring
    if len(facts.trick) >= ring.size:
        raise Unreadable("trick", Message("an incomplete trick"), len(facts.trick))
    check_distinct(facts.trick, "trick")
    seen = list(facts.trick)
    for seat in ring.seats:
        check_distinct([*seen, *facts.hands[seat]], f"hands.{seat}")
        seen += facts.hands[seat]
    around = ring.around(facts.leader)
    most = max(len(facts.hands[seat]) for seat in around[len(facts.trick) :])
    if not 1 <= most <= ruleset.hand:
        waiting = around[len(facts.trick)]
        raise Unreadable(
            f"hands.{waiting}", Message("one to {most} cards", most=ruleset.hand), len(facts.hands[waiting])
        )
    for place, seat in enumerate(around):
        due = most - (place < len(facts.trick))
        if len(facts.hands[seat]) != due:
            raise Unreadable(
                f"hands.{seat}",
                Message("as many cards as the others hold: {count}", count=due),
                len(facts.hands[seat]),
            )
    for place, card in enumerate(facts.trick):
        duty = play.find_duty(ruleset, [*facts.hands[around[place]], card], facts.trick[:place], facts.trump)
        if card not in duty.legal:
            raise Unreadable(
                f"trick[{place}]", Message("a card that may be played: {why}", why=duty.why), str(card)
            )


def _find_goal(
    ruleset: JackNineRuleset, facts: questions.ClaimFacts, ending: Endgame, names: EndgameNames
) -> int | ClaimedContract | None:
    """Turn a claim into the goal of a search."""
    if facts.declarer is None:
        if facts.made is not None:
            raise MissingFact("declarer")
        if facts.wants is not None and facts.wants > ending.total:
            raise Unreadable(
                "wants",
                Message("at most {points}, as no more points are left", points=ending.total),
                facts.wants,
            )
        return facts.wants
    if facts.wants is not None:
        raise Unreadable("wants", Message("left out, where the contract is claimed"), facts.wants)
    if facts.made is None:
        raise MissingFact("made")
    ring = ruleset.ring
    declarer = ring.side(facts.declarer)
    if ruleset["needs"] == "points":
        lacking = int(ruleset["needs_points"]) - facts.made[declarer]
        return lacking if ring.side(facts.claimer) == declarer else ending.total - lacking + 1
    if ruleset.bids_points:
        return _find_points_for_bid(ruleset, facts, ending.total)
    return ClaimedContract(
        declarer=names.sides.index(declarer),
        so_far=tuple(facts.made[side] for side in names.sides),
        makes=ring.side(facts.claimer) == declarer,
        more=ruleset["tie"] in ("hang", "carry", "made"),
        ahead=0 if ruleset["tie"] == "made" else 1,
        together=ruleset.faces_rest,
    )


def _find_points_for_bid(ruleset: JackNineRuleset, facts: questions.ClaimFacts, rest: int) -> int:
    """The points of the rest with which a bid is made, or brought down.

    :raises Unreadable: if the points made so far do not say what still has to be taken.
    """
    assert facts.made is not None and facts.declarer is not None
    if ruleset["helps_bid"] != "all":
        why = Message(
            "left out, as it is not said what helps to reach the bid; points of the rest can be claimed"
        )
        raise Unreadable("declarer", why, facts.declarer)
    if ruleset.scales(facts.trump):
        why = Message(
            "left out, as points are brought to {whole} only at the end; points of the rest can be claimed",
            whole=ruleset.sum_deal(False, facts.trump),
        )
        raise Unreadable("declarer", why, facts.declarer)
    if facts.points is None:
        raise MissingFact("points")
    side, (own, other) = ruleset.ring.side(facts.claimer), ruleset.ring.sides
    declarer = ruleset.ring.side(facts.declarer)
    sums = {own: facts.made[own] + rest, other: facts.made[other]}
    needed = find_needed(ruleset, sums, Bid(facts.points, facts.double))
    if needed is None:
        raise Unreadable("points", Message("a number; for capot the tricks are claimed"), facts.points)
    if side == declarer:
        return needed - facts.made[declarer]
    return facts.made[declarer] + rest - needed + 1


def _cite_line(
    ruleset: JackNineRuleset,
    facts: questions.ClaimFacts,
    goal: int | ClaimedContract | None,
    line: Sequence[Sequence[Card]],
) -> Iterator[str]:
    """The keys of the rules that decide: those of the plays of the line, and those of the points."""
    played: set[Card] = set()
    for trick in play.resolve_tricks(ruleset, line, facts.leader, facts.trump):
        for place, (seat, card) in enumerate(trick.by_seat(ruleset).items()):
            held = [own for own in dict.fromkeys([*facts.hands[seat], card]) if own not in played]
            if place and len(held) > 1:
                yield from play.find_duty(ruleset, held, trick.cards[:place], facts.trump).keys
        played.update(trick.cards)
    if facts.trump == ALL_TRUMPS:
        yield "cards.all-trumps"
    elif line:
        best = line[-1][play.find_winning_place(ruleset, line[-1], facts.trump)]
        yield "cards.trump-order" if best.suit == facts.trump else "cards.plain-order"
    if facts.trump == NO_TRUMPS:
        yield "cards.no-trumps"
    if goal is not None:
        yield from ("cards.values", "words.values")
    if isinstance(goal, ClaimedContract):
        yield from ("score.made", "score.tie")
    elif facts.declarer is not None:
        yield "score.needs"


def _explain_claim(
    ruleset: JackNineRuleset,
    facts: questions.ClaimFacts,
    goal: int | ClaimedContract | None,
    claim: JudgedClaim,
    left: int,
    first: Card | None,
    line: Sequence[Sequence[Card]],
    forced: Mapping[Side, int] | None,
) -> Message:
    """The reason in a sentence; `left` are all points left, `first` the card that begins a good claim."""
    begins = SeatName(ruleset.ring.left(facts.leader, len(facts.trick)))
    names: dict[str, object] = {
        "claimer": SeatName(facts.claimer),
        "seat": begins,
        "card": first,
        "left": left,
        "most": None if forced is None else forced[ruleset.ring.side(facts.claimer)],
        "wants": facts.wants,
    }
    match goal:
        case None if not claim.good:
            return _explain_loss(ruleset, facts, line)
        case None if first is None:
            return Message("Whatever {seat} plays, {claimer} can take every trick.", **names)
        case None:
            return Message("{seat} plays {card}, and {claimer} can take every trick.", **names)
        case int() if forced is None and claim.good:
            return Message("{claimer} can force {wants} of the {left} points that are left.", **names)
        case int() if forced is None:
            return Message("{claimer} cannot force {wants} of the {left} points that are left.", **names)
        case int():
            return Message("{claimer} can force {most} of the {left} points that are left, no more.", **names)
        case ClaimedContract() if claim.line == ():
            return Message("Even all the points that are left would not be enough.")
        case ClaimedContract() if forced is None or len(forced) > 2:
            if claim.good:
                return Message("The others cannot prevent it together, whatever they play.")
            return Message("The others can prevent it together.")
        case ClaimedContract():
            declarer = SeatName(facts.declarer or "")
            ends = {each: points + forced[each] for each, points in (facts.made or {}).items()}
            own = ends.pop(ruleset.ring.side(declarer.seat))
            (against,) = ends.values()
            return Message(
                "With best play on both sides {declarer} comes to {own} against {against}.",
                declarer=declarer,
                own=own,
                against=against,
            )


def _explain_loss(
    ruleset: JackNineRuleset, facts: questions.ClaimFacts, line: Sequence[Sequence[Card]]
) -> Message:
    """Show how the first trick is lost, the last of the line."""
    last = play.resolve_tricks(ruleset, line, facts.leader, facts.trump)[-1]
    names: dict[str, object] = {
        "number": len(line),
        "leader": SeatName(last.leader),
        "led": last.cards[0],
        "taker": SeatName(last.taker),
        "card": last.by_seat(ruleset)[last.taker],
    }
    if last.taker == last.leader:
        return Message("In trick {number} {leader} leads {led}, and nobody beats it.", **names)
    return Message("In trick {number} {leader} leads {led}, and {taker} takes it with {card}.", **names)
