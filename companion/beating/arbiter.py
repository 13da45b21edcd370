"""The arbiter: `rule_on_<question>`, a function for each question from its facts to a judgement."""

from collections.abc import Mapping
from typing import Any

from companion.rules.cards import Card
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message, SeatName, SideName
from companion.rules.question import Judgement, Question, check_distinct
from companion.rules.seats import Seat

from . import bout, questions, talon, turn
from .bout import BoutTable, PlayedStep, Roles
from .ruleset import BeatingRuleset


def rule_on_beat(ruleset: BeatingRuleset, q: questions.BeatFacts) -> Judgement:
    """Does one card beat another? Verdict `beats` or `does-not-beat`.

    Rule keys: beat.plain, beat.trump, deck.
    """
    check_distinct([q.attack, q.card], "with")
    refusal = bout.beat_refusal(ruleset, q.attack, q.card, q.trump)
    if refusal is not None:
        return Judgement("does-not-beat", {}, refusal.why, (refusal.key,))
    facts = {"card": q.card, "attack": q.attack}
    if q.attack.suit == q.trump:
        return Judgement(
            "beats", {}, Message("{card} is a higher trump than {attack}.", **facts), ("beat.trump", "deck")
        )
    if q.card.suit == q.trump:
        return Judgement(
            "beats", {}, Message("{card} is a trump and {attack} is not.", **facts), ("beat.plain",)
        )
    return Judgement(
        "beats", {}, Message("{card} is higher than {attack} in its suit.", **facts), ("beat.plain", "deck")
    )


def rule_on_throw_in(ruleset: BeatingRuleset, q: questions.ThrowInFacts) -> Judgement:
    """May a player attack with these cards? Verdict `allowed` or `not-allowed`.

    The answer has `limit`, the most attack cards of the bout, and `more`, how many may still come.
    Rule keys: throw.who, throw.priority, throw.rank, throw.several, throw.limit.
    """
    roles = _roles(ruleset, q.attacker, q.defender, q.out, q.defender_cards, q.first_bout)
    check_distinct([*(card for pair in q.table for card in pair), *q.cards], "card")
    table = BoutTable(tuple((pair[0], pair[1] if pair[1:] else None) for pair in q.table), q.picking_up)
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
    most = bout.attack_limit(ruleset, roles)
    answer = {"limit": most, "more": max(0, most - len(table.pairs))}
    refusal = bout.throw_refusal(ruleset, roles, table, q.by, q.cards, q.stopped)
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
    if ranks[1:]:
        why = Message("{ranks} lie on the table, and {by} may attack.", ranks=ranks, by=by)
    keys = ("throw.rank", "throw.who", "throw.limit", *(["throw.several"] if q.cards[1:] else []))
    return Judgement("allowed", answer, why, keys)


def rule_on_bout(ruleset: BeatingRuleset, q: questions.BoutFacts) -> Judgement:
    """How does a bout stand? Verdict `beaten-off`, `picked-up`, `open` or `illegal`.

    The answer has the wrong `step` (counted from 1) with the `remedy`, or else who `draws` how many cards,
    what is left of the `talon`, and who has gone `out`. Rule keys: bout.beaten-off, bout.picked-up,
    bout.wrong-card, beat.free, draw.order, turn.out, and those by which a step is illegal.
    """
    held = _held(ruleset, q)
    out = tuple(seat for seat, cards in held.items() if not cards)
    roles = _roles(ruleset, q.attacker, q.defender, out, held[q.defender], q.first_bout)
    steps = _steps(q, held)
    course = bout.follow_steps(ruleset, roles, q.trump, held, steps)
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
    order = talon.draw_order(ruleset.ring, q.attacker, q.defender, course.joined)
    drawn = talon.draw_cards(ruleset, [seat for seat in order if seat in held], course.held, q.talon)
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


def rule_on_turn(ruleset: BeatingRuleset, q: questions.TurnFacts) -> Judgement:
    """Who attacks whom after a bout? Verdict `next`, `loser` or `draw`.

    The answer has `attacker` and `defender`, or the `loser`. Rule keys: those of `turn.next_turn`.
    """
    questions.check_opponents(ruleset, q.attacker, q.defender)
    if len(set(q.out)) < len(q.out):
        raise Unreadable("out", Message("different seats"), list(q.out))
    if q.result == turn.PICKED_UP and q.defender in q.out:
        raise Unreadable("out", Message("players without cards, and the defender picked some up"), q.defender)
    _check_nobody_skipped(ruleset, q)
    following = turn.next_turn(ruleset.ring, q.attacker, q.defender, q.result, q.out)
    answer = {"attacker": following.attacker, "defender": following.defender, "loser": following.loser}
    if following.verdict == "draw":
        why = Message("Nobody has a card left.")
    elif following.loser is not None:
        why = Message("All others are out: {loser} lost.", loser=SideName(following.loser))
    else:
        why = _describe_turn(q, following)
    return Judgement(following.verdict, answer, why, following.keys)


def rule_on_six(ruleset: BeatingRuleset, q: questions.SixFacts) -> Judgement:
    """May the lowest trump be swapped for the turn-up? Verdict `allowed` or `not-allowed`.

    The answer has the card to `take`. Rule keys: six.exchange, severnyi.change, severnyi.deal.
    """
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
    refusal = talon.swap_refusal(ruleset, claim)
    if refusal is not None:
        return Judgement("not-allowed", {"take": None}, refusal.why, (refusal.key,))
    why = Message("{six} was dealt or drawn, and may be swapped for {card}.", six=six, card=q.turn_up)
    keys = ("six.exchange", *(["severnyi.deal"] if ruleset["severnyi"] else []))
    return Judgement("allowed", {"take": str(q.turn_up)}, why, keys)


def rule_on_next_hand(ruleset: BeatingRuleset, q: questions.NextHandFacts) -> Judgement:
    """Who deals the next hand, and who attacks whom in it? Verdict `next`.

    The answer has `dealer`, `attacker` and `defender`. Rule keys: deal.first, deal.loser, deal.draw,
    start.next, start.lowest-trump.
    """
    ring = ruleset.ring
    if q.deals is not None and (q.result != "loss" or not ring.partnerships):
        raise Unreadable("deals", Message("left out: only a team that lost names who deals"), q.deals)
    if q.loser is not None and q.result != "loss":
        raise Unreadable("loser", Message("left out: nobody has lost"), q.loser)
    match q.result:
        case "loss":
            start = turn.later_hand_start(ruleset, _losing_dealer(ruleset, q), "deal.loser")
        case _ if q.dealer is None:
            raise MissingFact("dealer")
        case "draw":
            start = turn.later_hand_start(ruleset, q.dealer, "deal.draw")
        case _:
            if q.lowest_trump == questions.UNKNOWN and ruleset["first_hand"] == "lowest-trump":
                raise MissingFact("lowest_trump")
            holder = None if q.lowest_trump == questions.UNKNOWN else q.lowest_trump
            start = turn.first_hand_start(ruleset, q.dealer, holder)
    seats = {"dealer": start.dealer, "attacker": start.attacker, "defender": start.defender}
    return Judgement("next", seats, _describe_start(ruleset, q, start), start.keys)


def _describe_start(ruleset: BeatingRuleset, q: questions.NextHandFacts, start: turn.HandStart) -> Message:
    facts: dict[str, object] = {"dealer": SeatName(start.dealer), "attacker": SeatName(start.attacker or "")}
    if q.result == "first":
        if start.attacker == q.lowest_trump and "start.lowest-trump" in start.keys:
            return Message("{attacker} holds the lowest trump and attacks first.", **facts)
        if "start.lowest-trump" in start.keys:
            return Message("Nobody holds a trump: {attacker}, on the dealer's left, attacks first.", **facts)
        return Message("{attacker} sits on the dealer's left and attacks first.", **facts)
    on_the_left = start.attacker == ruleset.ring.left(start.dealer)
    facts["where"] = Message("on the left") if on_the_left else Message("on the right")
    if q.result == "draw":
        return Message("After a draw {dealer} deals again; {attacker}, {where}, attacks.", **facts)
    if ruleset.ring.partnerships:
        return Message("{dealer} deals for the team that lost; {attacker}, {where}, attacks.", **facts)
    return Message("{dealer} lost and deals; {attacker}, {where}, attacks.", **facts)


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
    questions.check_opponents(ruleset, attacker, defender)
    for who in (attacker, defender):
        if who in out:
            raise Unreadable("out", Message("players other than the attacker and the defender"), who)
    return Roles(attacker, defender, frozenset(out), held, first_bout)


def _held(ruleset: BeatingRuleset, q: questions.BoutFacts) -> dict[Seat, int]:
    """How many cards every player held when the bout began.

    A player who took no part and is not out may be left out: such a player neither draws nor goes out.

    :raises Unreadable: when the cards contradict each other, the talon, or who is out.
    :raises MissingFact: for the cards of a player who took part.
    """
    held = dict[Seat, int]()
    named = list[Card]()
    participants = {q.attacker, q.defender, *(step.seat for step in q.steps)}
    for seat in ruleset.ring.seats:
        cards = q.cards.get(seat, 0 if seat in q.out else None)
        if cards is None and seat not in participants:
            continue
        if cards is None:
            raise MissingFact(f"cards.{seat}")
        held[seat] = cards if isinstance(cards, int) else len(cards)
        named += [] if isinstance(cards, int) else cards
        if held[seat] and seat in q.out:
            raise Unreadable(f"cards.{seat}", Message("no cards, as this player is out"), held[seat])
        if not held[seat] and seat in (q.attacker, q.defender):
            raise Unreadable(f"cards.{seat}", Message("at least one card"), 0)
    check_distinct(named, "cards")
    if sum(held.values()) + q.talon > len(ruleset.pack):
        most = len(ruleset.pack) - sum(held.values())
        raise Unreadable(
            "talon", Message("at most {most}, as the hands hold the rest", most=max(0, most)), q.talon
        )
    return held


def _steps(q: questions.BoutFacts, held: Mapping[Seat, int]) -> list[PlayedStep]:
    """The steps. :raises Unreadable: for one without sense, or of a card that its player cannot have held."""
    hands: dict[Seat, set[Card]] = {
        seat: set(cards) for seat, cards in q.cards.items() if not isinstance(cards, int)
    }
    played: dict[Seat, int] = dict.fromkeys(held, 0)
    played_cards: list[Card] = []
    for n, step in enumerate(q.steps):
        if step.pick_up == (step.card is not None) or (step.card is None and step.beats is not None):
            raise Unreadable(f"steps[{n}]", Message("either a card or pick_up"))
        if step.card is not None:
            elsewhere = any(step.card in hand for seat, hand in hands.items() if seat != step.seat)
            if elsewhere or step.card not in hands.get(step.seat, {step.card}):
                raise Unreadable(f"steps[{n}].card", Message("a card from the player's hand"), str(step.card))
            played[step.seat] += 1
            if played[step.seat] > held[step.seat]:
                most = bout.describe_count(held[step.seat])
                expected = Message("left out: the player held only {held}", held=most)
                raise Unreadable(f"steps[{n}].card", expected, str(step.card))
            played_cards.append(step.card)
            check_distinct(played_cards, f"steps[{n}].card")
    return [PlayedStep(step.seat, step.card, step.beats) for step in q.steps]


def _still_open(table: BoutTable, roles: Roles) -> Message:
    waiting = [attack for attack, by in table.pairs if by is None]
    if not waiting:
        return Message("{attacker} has not attacked yet.", attacker=SeatName(roles.attacker))
    facts = {"defender": SeatName(roles.defender), "cards": waiting}
    return Message("{defender} still has to beat {cards} or pick up.", **facts)


def _check_nobody_skipped(ruleset: BeatingRuleset, q: questions.TurnFacts) -> None:
    """Check, where each plays alone, that no player with cards sits between attacker and defender.

    :raises Unreadable: when one does.
    """
    ring = ruleset.ring
    if ring.partnerships:
        return
    due = ring.next_active(q.attacker, [seat for seat in q.out if seat != q.defender])
    if due != q.defender:
        raise Unreadable(
            "defender", Message("{seat}, the next player with cards after the attacker", seat=due), q.defender
        )


def _describe_turn(q: questions.TurnFacts, following: turn.Turn) -> Message:
    facts = {
        "attacker": SeatName(following.attacker or ""),
        "defender": SeatName(following.defender or ""),
        "before": SeatName(q.defender),
    }
    if q.result == turn.PICKED_UP:
        return Message("{before} picked up and loses the turn: {attacker} attacks {defender}.", **facts)
    if following.attacker == q.defender:
        return Message("{before} beat off the attack: {attacker} attacks {defender}.", **facts)
    return Message("{before} beat off the attack and is out: {attacker} attacks {defender}.", **facts)


UNSEATED = {"beat", "six"}
"""The names of the questions that are answered without knowing how many play."""

QUESTIONS: Mapping[str, Question] = {
    question.name: question
    for question in (
        Question("turn", Message("Who attacks now?"), questions.TurnFacts, rule_on_turn),
        Question("throw-in", Message("May this be thrown in?"), questions.ThrowInFacts, rule_on_throw_in),
        Question("beat", Message("Does this beat that?"), questions.BeatFacts, rule_on_beat),
        Question("bout", Message("Is it beaten off?"), questions.BoutFacts, rule_on_bout),
        Question("six", Message("May the lowest trump be swapped?"), questions.SixFacts, rule_on_six),
        Question(
            "next-hand", Message("Who deals and who starts?"), questions.NextHandFacts, rule_on_next_hand
        ),
    )
}
