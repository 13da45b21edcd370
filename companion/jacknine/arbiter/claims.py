"""The ruling on a claim: whether what a player says of the remaining cards can be forced."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from companion.jacknine.phases import play
from companion.jacknine.ruleset import JackNineRuleset, UnknownOption, write_cards
from companion.jacknine.solver.claim import (
    MOST_TRICKS,
    ClaimedContract,
    ContractRace,
    PlayedTrick,
    PointRace,
    TrickRace,
)
from companion.jacknine.solver.effort import Effort, SearchLimit
from companion.jacknine.solver.endgame import Endgame, encode_endgame
from companion.rules.cards import NO_TRUMPS, Card
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message, SeatName
from companion.rules.question import Judgement, check_distinct

from . import questions


@dataclass(frozen=True, slots=True)
class Prospects:
    """Points of what is left, by side: what it can force, and the least and the most that may still come.

    None where that is more than is searched.
    """

    forced: tuple[int, ...] | None
    spans: tuple[tuple[int, int], ...] | None


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim, judged: whether it can be forced; the `first` card of its line, or the tricks that break it.

    `most` are the points that can be forced, where points were claimed.
    """

    good: bool
    first: int | None = None
    line: tuple[PlayedTrick, ...] | None = None
    most: int | None = None


@lru_cache(maxsize=64)
def judge_claim(ending: Endgame, side: int, goal: int | ClaimedContract | None) -> JudgedClaim:
    """Whether the side can force its goal: points, the end of a contract, or every trick (None).

    :raises SearchLimit: where that is more than is searched.
    """
    seats, effort = ending.seats(side), Effort(MOST_TRICKS)
    match goal:
        case None:
            tricks = TrickRace(ending, seats, seats, effort)
            won = tricks.find_most()
            if won == ending.tricks:
                return JudgedClaim(True, tricks.find_opening(won))
            return JudgedClaim(False, line=tuple(islice(tricks.play_line(won + 1), won + 1)))
        case int():
            points = PointRace(ending, seats, seats, effort)
            most = points.find_most()
            if most >= goal:
                return JudgedClaim(True, points.find_opening(goal), most=most)
            line = _cut_when_lost(ending, seats, points.play_line(most + 1), goal)
            return JudgedClaim(False, line=tuple(line), most=most)
        case ClaimedContract():
            contract = ContractRace(ending, seats, goal, effort)
            settled = contract.find_outcome(goal.so_far, contract.begin.start)
            if settled or (settled is None and contract.reach_from(contract.begin, goal.so_far)):
                return JudgedClaim(True, None if settled else contract.find_opening(goal.so_far))
            return JudgedClaim(False, line=tuple(contract.play_losing_line()))


def _cut_when_lost(
    ending: Endgame, seats: frozenset[int], tricks: Iterator[PlayedTrick], goal: int
) -> Iterator[PlayedTrick]:
    """The tricks up to the one after which the points are out of reach."""
    most = ending.total
    for trick in tricks:
        yield trick
        most -= 0 if trick.taker in seats else trick.worth
        if most < goal:
            return


@lru_cache(maxsize=64)
def find_prospects(ending: Endgame) -> Prospects:
    """What every side can force and what may come, as far as that can be searched.

    Of two sides the other has all that the one has not.
    """
    effort, total = Effort(MOST_TRICKS), ending.total
    everybody = frozenset(range(len(ending.hands)))
    sides = [ending.seats(side) for side in sorted(set(ending.sides))]
    searched = sides[:1] if len(sides) == 2 else sides
    forced: tuple[int, ...] | None = None
    spans: tuple[tuple[int, int], ...] | None = None
    try:
        forced = tuple(PointRace(ending, seats, seats, effort).find_most() for seats in searched)
        forced += tuple(total - points for points in forced if searched != sides)
        spans = tuple(
            (
                PointRace(ending, seats, (), effort).find_most(),
                PointRace(ending, seats, everybody, effort).find_most(),
            )
            for seats in searched
        )
        spans += tuple((total - most, total - least) for least, most in spans if searched != sides)
    except SearchLimit:
        pass
    return Prospects(forced, spans)


def rule_on_claim(ruleset: JackNineRuleset, facts: questions.ClaimFacts) -> Judgement:
    """Whether the claimer's side can force what is claimed, against the best play of all others.

    Rule keys: `play.claim`, `play.trick`, and those of the duties and points that decide.

    :raises Unreadable: also where the hands can be played in more ways than are searched.
    """
    _check_hands(ruleset, facts)
    ring = ruleset.ring
    hands = [facts.hands[seat] for seat in ring.seats]
    ending, cards = encode_endgame(ruleset, hands, facts.trick, ring.seats.index(facts.leader), facts.trump)
    goal = _find_goal(ruleset, facts, ending)
    try:
        claim = judge_claim(ending, ring.sides.index(ring.side(facts.claimer)), goal)
    except SearchLimit:
        raise Unreadable(
            "hands", Message("fewer cards: these can be played in too many ways"), ending.tricks
        ) from None
    prospects = find_prospects(ending)
    line = None if claim.line is None else [[cards[n] for n in trick.cards] for trick in claim.line]
    answer = {
        "line": None if line is None else [write_cards(trick) for trick in line],
        "takers": None if claim.line is None else [ring.seats[trick.taker] for trick in claim.line],
        "forced": None if prospects.forced is None else dict(zip(ring.sides, prospects.forced, strict=True)),
        "range": None
        if prospects.spans is None
        else {
            side: {"min": least, "max": most}
            for side, (least, most) in zip(ring.sides, prospects.spans, strict=True)
        },
    }
    first = None if claim.first is None else cards[claim.first]
    why = _explain_claim(ruleset, facts, goal, claim, ending.total, first, line or (), prospects.forced)
    keys = ("play.claim", "play.trick", *_cite_line(ruleset, facts, goal, line or ()))
    return Judgement("good" if claim.good else "bad", answer, why, tuple(dict.fromkeys(keys)))


def _check_hands(ruleset: JackNineRuleset, facts: questions.ClaimFacts) -> None:
    """Refuse a card named twice, hands of unequal length, and a trick that could not be played so."""
    ring = ruleset.ring
    if len(facts.trick) >= ring.size:
        raise Unreadable("trick", Message("a trick that is not complete"), len(facts.trick))
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
    ruleset: JackNineRuleset, facts: questions.ClaimFacts, ending: Endgame
) -> int | ClaimedContract | None:
    """What is claimed, for the search."""
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
    match ruleset["tie"]:
        case "hang" | "carry":
            more = True
        case "declarer-loses" | "defender-wins":
            more = False
        case unknown:
            raise UnknownOption(unknown)
    declarer = ring.side(facts.declarer)
    return ClaimedContract(
        declarer=ring.sides.index(declarer),
        so_far=tuple(facts.made[side] for side in ring.sides),
        makes=ring.side(facts.claimer) == declarer,
        more=more,
    )


def _cite_line(
    ruleset: JackNineRuleset,
    facts: questions.ClaimFacts,
    goal: int | ClaimedContract | None,
    line: Sequence[Sequence[Card]],
) -> Iterator[str]:
    """The keys of what decides: how the tricks of the line had to be played, and what the points rest on."""
    played: set[Card] = set()
    for trick in play.resolve_tricks(ruleset, line, facts.leader, facts.trump):
        for place, (seat, card) in enumerate(trick.by_seat(ruleset).items()):
            held = [own for own in dict.fromkeys([*facts.hands[seat], card]) if own not in played]
            if place and len(held) > 1:
                yield from play.find_duty(ruleset, held, trick.cards[:place], facts.trump).keys
        played.update(trick.cards)
    if line:
        best = line[-1][play.find_winning_place(ruleset, line[-1], facts.trump)]
        yield "cards.trump-order" if best.suit == facts.trump else "cards.plain-order"
    if facts.trump == NO_TRUMPS:
        yield "cards.no-trumps"
    if goal is not None:
        yield from ("cards.values", "words.values")
    if isinstance(goal, ClaimedContract):
        yield from ("score.made", "score.tie")


def _explain_claim(
    ruleset: JackNineRuleset,
    facts: questions.ClaimFacts,
    goal: int | ClaimedContract | None,
    claim: JudgedClaim,
    left: int,
    first: Card | None,
    line: Sequence[Sequence[Card]],
    forced: tuple[int, ...] | None,
) -> Message:
    """The reason in a sentence; `left` are all points left, `first` the card that begins a good claim."""
    begins = SeatName(ruleset.ring.left(facts.leader, len(facts.trick)))
    names: dict[str, object] = {
        "claimer": SeatName(facts.claimer),
        "seat": begins,
        "card": first,
        "left": left,
        "most": claim.most,
    }
    match goal:
        case None if not claim.good:
            return _explain_loss(ruleset, facts, line)
        case None if first is None:
            return Message("Whatever {seat} plays, {claimer} can take every trick.", **names)
        case None:
            return Message("{seat} plays {card}, and {claimer} can take every trick.", **names)
        case int():
            return Message("{claimer} can force {most} of the {left} points that are left, no more.", **names)
        case ClaimedContract() if claim.line == ():
            return Message("Even all the points that are left would not be enough.")
        case ClaimedContract() if forced is None or len(forced) > 2:
            if claim.good:
                return Message("The others cannot prevent it together, whatever they play.")
            return Message("The others can prevent it together.")
        case ClaimedContract():
            own, against = (made + more for made, more in zip(goal.so_far, forced, strict=True))
            if goal.declarer:
                own, against = against, own
            declarer = SeatName(facts.declarer or "")
            return Message(
                "With best play on both sides {declarer} comes to {own} against {against}.",
                declarer=declarer,
                own=own,
                against=against,
            )


def _explain_loss(
    ruleset: JackNineRuleset, facts: questions.ClaimFacts, line: Sequence[Sequence[Card]]
) -> Message:
    """How the first trick is lost, the last of the line."""
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
