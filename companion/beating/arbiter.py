"""The arbiter: one function per question, each from a situation to verdict, why, and rules."""

from collections.abc import Mapping
from typing import Any

from companion.rules.cards import Card
from companion.rules.message import Message, SeatName, SideName
from companion.rules.question import Judgement, Question, check_distinct
from companion.rules.schema import MissingFact, Unreadable
from companion.rules.seats import Seat

from . import bout, questions, talon, turn
from .bout import OnTable, Roles, StepTaken
from .ruleset import BeatingRuleset


def does_it_beat(ruleset: BeatingRuleset, q: questions.BeatFacts) -> Judgement:
    """Whether one card beats another."""
    check_distinct([q.attack, q.card], "with")
    refusal = bout.why_not_beaten(ruleset, q.attack, q.card, q.trump)
    if refusal is not None:
        return Judgement("does-not-beat", {}, refusal.why, (refusal.key,))
    facts = {"card": q.card, "attack": q.attack}
    if q.attack.suit == q.trump:
        return Judgement(
            "beats", {}, Message("{card} is a higher trump than {attack}.", **facts), ("beat.trump", "deck")
        )
    if q.card.suit == q.trump:
        return Judgement(
            "beats", {}, Message("{card} is a trump and {attack} is none.", **facts), ("beat.plain",)
        )
    return Judgement(
        "beats", {}, Message("{card} is higher than {attack} in its suit.", **facts), ("beat.plain", "deck")
    )


def may_throw_in(ruleset: BeatingRuleset, q: questions.ThrowInFacts) -> Judgement:
    """Whether cards may be thrown in by a player, and how many more may come."""
    roles = _roles(ruleset, q.attacker, q.defender, q.out, q.defender_cards, q.first_bout)
    check_distinct([*(card for pair in q.table for card in pair), *q.cards], "card")
    table = OnTable(tuple((pair[0], pair[1] if pair[1:] else None) for pair in q.table), q.picking_up)
    if q.picking_up and not table.pairs:
        raise Unreadable("picking_up", Message("false while nothing lies on the table"))
    for n, (attack, card) in enumerate(table.pairs):
        if card is not None and q.trump is not None and not ruleset.beats(card, attack, q.trump):
            raise Unreadable(
                f"table[{n}][1]", Message("a card that beats {attack}", attack=attack), str(card)
            )
    beaten = sum(card is not None for _attack, card in table.pairs)
    if beaten > q.defender_cards:
        raise Unreadable(
            "defender_cards",
            Message("at least {count}, as so many attack cards are beaten", count=beaten),
            q.defender_cards,
        )
    most = bout.limit(ruleset, roles)
    answer = {"limit": most, "more": max(0, most - len(table.pairs))}
    refusal = bout.may_throw(ruleset, roles, table, q.by, q.cards, q.stopped)
    if refusal is not None:
        return Judgement("not-allowed", answer, refusal.why, (refusal.key,))
    by, cards = SeatName(q.by), list(q.cards)
    if not table.pairs:
        why = Message("{by} opens the bout, and any card will do.", by=by)
        if q.cards[1:]:
            why = Message("{by} opens the bout with {cards}, all of one rank.", by=by, cards=cards)
        return Judgement(
            "allowed", answer, why, ("throw.several" if q.cards[1:] else "throw.who", "throw.limit")
        )
    ranks = list(dict.fromkeys(card.rank for card in q.cards))
    why = Message("{ranks} lies on the table, and {by} may attack.", ranks=ranks, by=by)
    keys = ("throw.rank", "throw.who", "throw.limit", *(["throw.several"] if q.cards[1:] else []))
    return Judgement("allowed", answer, why, keys)


def how_the_bout_stands(ruleset: BeatingRuleset, q: questions.BoutFacts) -> Judgement:
    """Whether a bout is beaten off or picked up; the first step that was wrong; who draws how many."""
    held = _held(ruleset, q)
    out = tuple(seat for seat, cards in held.items() if not cards)
    roles = _roles(ruleset, q.attacker, q.defender, out, held[q.defender], q.first_bout)
    steps = _steps(q, held)
    course = bout.follow(ruleset, roles, q.trump, held, steps)
    answer: dict[str, Any] = {
        "step": course.wrong_step,
        "remedy": None,
        "draws": [],
        "talon": q.talon,
        "out": [],
    }
    if course.refusal is not None:
        answer["remedy"] = ruleset["wrong_card"]
        return Judgement("illegal", answer, course.refusal.why, (course.refusal.key, "bout.wrong-card"))
    if course.verdict == "open":
        return Judgement("open", answer, _still_open(course.table, roles), ("bout.beaten-off", "beat.free"))
    order = talon.order(ruleset.ring, q.attacker, q.defender, course.joined)
    drawn = talon.draw(ruleset, [seat for seat in order if seat in held], course.left, q.talon)
    answer |= {
        "draws": [{"seat": seat, "cards": cards} for seat, cards in drawn.draws],
        "talon": drawn.talon,
        "out": list(drawn.out),
    }
    defender = SeatName(q.defender)
    keys = [f"bout.{course.verdict}", "draw.order", *(["turn.out"] if drawn.out else [])]
    if course.verdict == turn.PICKED_UP:
        cards = list(course.table.cards)
        return Judgement(
            turn.PICKED_UP,
            answer,
            Message("{defender} picks up {cards}.", defender=defender, cards=cards),
            tuple(keys),
        )
    why = Message("{defender} has beaten every card.", defender=defender)
    return Judgement(turn.BEATEN_OFF, answer, why, tuple(keys))


def who_is_next(ruleset: BeatingRuleset, q: questions.TurnFacts) -> Judgement:
    """Who attacks whom after a bout, or how the hand ended."""
    questions.refuse_same_team(ruleset, q.attacker, q.defender)
    if len(set(q.out)) < len(q.out):
        raise Unreadable("out", Message("different seats"), list(q.out))
    if q.result == turn.PICKED_UP and q.defender in q.out:
        raise Unreadable("out", Message("players without cards, and the defender picked some up"), q.defender)
    _refuse_skipped(ruleset, q)
    found = turn.after(ruleset.ring, q.attacker, q.defender, q.result, q.out)
    answer = {"attacker": found.attacker, "defender": found.defender, "loser": found.loser}
    if found.verdict == "draw":
        why = Message("Nobody has a card left.")
    elif found.loser is not None:
        why = Message("All others are out: {loser} lost.", loser=SideName(found.loser))
    else:
        why = _turn_told(q, found)
    return Judgement(found.verdict, answer, why, found.keys)


def may_six_be_swapped(ruleset: BeatingRuleset, q: questions.SixFacts) -> Judgement:
    """Whether the lowest trump may be swapped for the face-up one."""
    six = ruleset.six(q.turn_up.suit)
    if q.turn_up == six:
        raise Unreadable(
            "turn_up", Message("a card other than the lowest trump, which a player got"), str(six)
        )
    players = ruleset.ring.size if ruleset.seated else min(ruleset.sizes)
    most = len(ruleset.pack) - ruleset.hand * players
    if q.talon > most:
        raise Unreadable("talon", Message("at most {most}, as the hands hold the rest", most=most), q.talon)
    if q.exhausting_round and q.talon:
        raise Unreadable("exhausting_round", Message("false while the talon has cards"), True)
    claim = talon.SwapClaim(q.got, q.turn_up, q.talon, q.exhausting_round, q.next_bout_begun)
    refusal = talon.may_swap(ruleset, claim)
    if refusal is not None:
        return Judgement("not-allowed", {"take": None}, refusal.why, (refusal.key,))
    why = Message("{six} was dealt or drawn, and may be swapped for {card}.", six=six, card=q.turn_up)
    keys = ("six.exchange", *(["severnyi.deal"] if ruleset["severnyi"] else []))
    return Judgement("allowed", {"take": str(q.turn_up)}, why, keys)


def who_deals(ruleset: BeatingRuleset, q: questions.NextHandFacts) -> Judgement:
    """Who deals the next hand, and who attacks whom in it."""
    ring = ruleset.ring
    if q.deals is not None and (q.result != "loss" or not ring.partnerships):
        raise Unreadable("deals", Message("left out: only a team that lost names who deals"), q.deals)
    if q.loser is not None and q.result != "loss":
        raise Unreadable("loser", Message("left out: nobody has lost"), q.loser)
    match q.result:
        case "loss":
            start = turn.later(ruleset, _losing_dealer(ruleset, q), "deal.loser")
        case _ if q.dealer is None:
            raise MissingFact("dealer")
        case "draw":
            start = turn.later(ruleset, q.dealer, "deal.draw")
        case _:
            if q.lowest_trump == questions.UNKNOWN and ruleset["first_hand"] == "lowest-trump":
                raise MissingFact("lowest_trump")
            holder = None if q.lowest_trump == questions.UNKNOWN else q.lowest_trump
            start = turn.first(ruleset, q.dealer, holder)
    seats = {"dealer": start.dealer, "attacker": start.attacker, "defender": start.defender}
    return Judgement("next", seats, _start_told(ruleset, q, start), start.keys)


def _start_told(ruleset: BeatingRuleset, q: questions.NextHandFacts, start: turn.Start) -> Message:
    told: dict[str, object] = {"dealer": SeatName(start.dealer), "attacker": SeatName(start.attacker or "")}
    if q.result == "first":
        if start.attacker == q.lowest_trump and "start.lowest-trump" in start.keys:
            return Message("{attacker} holds the lowest trump and attacks first.", **told)
        if "start.lowest-trump" in start.keys:
            return Message("Nobody holds a trump: {attacker}, on the dealer's left, attacks first.", **told)
        return Message("{attacker} sits on the dealer's left and attacks first.", **told)
    on_the_left = start.attacker == ruleset.ring.left(start.dealer)
    told["where"] = Message("on the left") if on_the_left else Message("on the right")
    if q.result == "draw":
        return Message("After a draw {dealer} deals again; {attacker}, {where}, attacks.", **told)
    if ruleset.ring.partnerships:
        return Message("{dealer} deals for the team that lost; {attacker}, {where}, attacks.", **told)
    return Message("{dealer} lost and deals; {attacker}, {where}, attacks.", **told)


def _losing_dealer(ruleset: BeatingRuleset, q: questions.NextHandFacts) -> Seat:
    if q.loser is None:
        raise MissingFact("loser")
    if not ruleset.ring.partnerships:
        return q.loser
    if q.deals is None:
        raise MissingFact("deals")
    if ruleset.ring.side(q.deals) != q.loser:
        raise Unreadable("deals", Message("a player of the losing team"), q.deals)
    return q.deals


def _roles(
    ruleset: BeatingRuleset,
    attacker: Seat,
    defender: Seat,
    out: tuple[Seat, ...],
    held: int,
    first_bout: bool,
) -> Roles:
    questions.refuse_same_team(ruleset, attacker, defender)
    for who in (attacker, defender):
        if who in out:
            raise Unreadable("out", Message("players other than the attacker and the defender"), who)
    return Roles(attacker, defender, frozenset(out), held, first_bout)


def _held(ruleset: BeatingRuleset, q: questions.BoutFacts) -> dict[Seat, int]:
    """How many cards everyone held; what the facts say of them twice is refused.

    Whoever took no part and is not out neither draws nor goes out, and how much they hold need not be told.
    """
    held = dict[Seat, int]()
    shown = list[Card]()
    part = {q.attacker, q.defender, *(step.seat for step in q.steps)}
    for seat in ruleset.ring.seats:
        told = q.cards.get(seat, 0 if seat in q.out else None)
        if told is None and seat not in part:
            continue
        if told is None:
            raise MissingFact(f"cards.{seat}")
        held[seat] = told if isinstance(told, int) else len(told)
        shown += [] if isinstance(told, int) else told
        if held[seat] and seat in q.out:
            raise Unreadable(f"cards.{seat}", Message("no cards, as this player is out"), held[seat])
        if not held[seat] and seat in (q.attacker, q.defender):
            raise Unreadable(f"cards.{seat}", Message("at least one card"), 0)
    check_distinct(shown, "cards")
    if sum(held.values()) + q.talon > len(ruleset.pack):
        most = len(ruleset.pack) - sum(held.values())
        raise Unreadable(
            "talon", Message("at most {most}, as the hands hold the rest", most=max(0, most)), q.talon
        )
    return held


def _steps(q: questions.BoutFacts, held: Mapping[Seat, int]) -> list[StepTaken]:
    """The steps, each of a card that its player can have held."""
    hands: dict[Seat, set[Card]] = {
        seat: set(told) for seat, told in q.cards.items() if not isinstance(told, int)
    }
    played: dict[Seat, int] = dict.fromkeys(held, 0)
    cards: list[Card] = []
    for n, step in enumerate(q.steps):
        if step.pick_up == (step.card is not None) or (step.card is None and step.beats is not None):
            raise Unreadable(f"steps[{n}]", Message("either a card or pick_up"))
        if step.card is not None:
            elsewhere = any(step.card in hand for seat, hand in hands.items() if seat != step.seat)
            if elsewhere or step.card not in hands.get(step.seat, {step.card}):
                raise Unreadable(f"steps[{n}].card", Message("a card from the player's hand"), str(step.card))
            played[step.seat] += 1
            if played[step.seat] > held[step.seat]:
                raise Unreadable(
                    f"steps[{n}].card",
                    Message("left out: the player held only {count} cards", count=held[step.seat]),
                    str(step.card),
                )
            cards.append(step.card)
            check_distinct(cards, f"steps[{n}].card")
    return [StepTaken(step.seat, step.card, step.beats) for step in q.steps]


def _still_open(table: OnTable, roles: Roles) -> Message:
    waiting = [attack for attack, by in table.pairs if by is None]
    if not waiting:
        return Message("{attacker} has not attacked yet.", attacker=SeatName(roles.attacker))
    facts = {"defender": SeatName(roles.defender), "cards": waiting}
    return Message("{defender} has still to beat {cards}, or to pick up.", **facts)


def _refuse_skipped(ruleset: BeatingRuleset, q: questions.TurnFacts) -> None:
    """Refuse a defender to whose right somebody with cards was passed over, where each plays alone."""
    ring = ruleset.ring
    if ring.partnerships:
        return
    due = ring.next_active(q.attacker, [seat for seat in q.out if seat != q.defender])
    if due != q.defender:
        raise Unreadable(
            "defender", Message("{seat}, the next player with cards after the attacker", seat=due), q.defender
        )


def _turn_told(q: questions.TurnFacts, found: turn.Turn) -> Message:
    facts = {
        "attacker": SeatName(found.attacker or ""),
        "defender": SeatName(found.defender or ""),
        "before": SeatName(q.defender),
    }
    if q.result == turn.PICKED_UP:
        return Message("{before} picked up and loses the turn: {attacker} attacks {defender}.", **facts)
    if found.attacker == q.defender:
        return Message("{before} beat off the attack: {attacker} attacks {defender}.", **facts)
    return Message("{before} beat off the attack and is out: {attacker} attacks {defender}.", **facts)


UNSEATED = {"beat", "six"}
"""The questions that can be answered without knowing how many play."""

QUESTIONS: Mapping[str, Question] = {
    one.name: one
    for one in (
        Question("turn", Message("Who attacks now?"), questions.TurnFacts, who_is_next),
        Question("throw-in", Message("May this be thrown in?"), questions.ThrowInFacts, may_throw_in),
        Question("beat", Message("Does this beat that?"), questions.BeatFacts, does_it_beat),
        Question("bout", Message("Is it beaten off?"), questions.BoutFacts, how_the_bout_stands),
        Question("six", Message("May the lowest trump be swapped?"), questions.SixFacts, may_six_be_swapped),
        Question("next-hand", Message("Who deals and who starts?"), questions.NextHandFacts, who_deals),
    )
}
