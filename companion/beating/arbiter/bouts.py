"""Rulings on a whole bout: how it stands and who draws, and who attacks whom after it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.beating import bout, talon, turn
from companion.beating.bout import BoutTable, Roles
from companion.beating.ruleset import BeatingRuleset
from companion.beating.steps import BoutReplay, BoutStep, Surplus, follow_steps
from companion.beating.transfer import follow_transfers
from companion.rules.cards import Card
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message, SeatName, SideName
from companion.rules.question import Judgement, check_distinct
from companion.rules.seats import Seat

from . import questions
from .table import check_roles, read_opening


def rule_on_bout(ruleset: BeatingRuleset, q: questions.BoutFacts) -> Judgement:
    """Rule on the state of a bout: verdict `beaten-off`, `picked-up`, `open` or `illegal`.

    The answer has the wrong `step` (counted from 1) with the `remedy`, and with the `surplus` that the
    defender may choose among if it was only a card too many; or else who `draws` how many cards, the cards
    left in the `talon`, and who has gone `out`; also `attacker` and `defender` after the last legal step.
    Rule keys: bout.beaten-off, bout.picked-up, bout.wrong-card, bout.surplus, beat.free, draw.order,
    transfer.draw, turn.out, and those by which a step is illegal.
    """
    held = _held(ruleset, q)
    out = frozenset(seat for seat, cards in held.items() if not cards)
    roles = Roles(
        q.attacker,
        q.defender,
        out,
        held[q.defender],
        q.first_bout,
        q.none_beaten_off,
        opening=read_opening(ruleset, q.shown_trump, q.trump),
    )
    check_roles(ruleset, roles)
    _check_steps(q, held)
    progress = follow_steps(ruleset, roles, q.trump, held, q.steps)
    answer: dict[str, Any] = {
        "step": progress.wrong_step,
        "remedy": None,
        "surplus": None,
        "draws": [],
        "talon": q.talon,
        "out": [],
        "attacker": progress.roles.attacker,
        "defender": progress.roles.defender,
    }
    if progress.refusal is not None:
        answer["remedy"] = ruleset["wrong_card"]
        keys = (*progress.refusal.keys, "bout.wrong-card")
        if progress.surplus is None:
            return Judgement("illegal", answer, progress.refusal.why, keys)
        answer["surplus"] = {"keep": progress.surplus.keep, "of": [str(card) for card in progress.surplus.of]}
        return Judgement(
            "illegal", answer, _offer_choice(progress.surplus, progress), (*keys, "bout.surplus")
        )
    transferred = ("transfer.lay",) * progress.roles.transferred
    returned = ("bout.surplus",) * bool(progress.returned)
    if progress.verdict == "open":
        keys = ("bout.beaten-off", "beat.free", *transferred, *returned)
        return Judgement("open", answer, _still_open(progress.table, progress.roles), keys)
    drawn = _draw(ruleset, q, progress)
    answer |= {
        "draws": [{"seat": seat, "cards": cards} for seat, cards in drawn.draws],
        "talon": drawn.talon,
        "out": list(drawn.out),
    }
    defender = SeatName(progress.roles.defender)
    order = ("transfer.draw", *transferred) if progress.roles.transferred else ("draw.order",)
    keys = (f"bout.{progress.verdict}", *order, *("turn.out",) * bool(drawn.out), *returned)
    if progress.verdict == turn.PICKED_UP:
        why = Message("{defender} picks up {cards}.", defender=defender, cards=list(progress.table.cards))
        return Judgement(turn.PICKED_UP, answer, why, keys)
    why = Message("{defender} has beaten every card.", defender=defender)
    return Judgement(turn.BEATEN_OFF, answer, why, keys)


def _offer_choice(surplus: Surplus, progress: BoutReplay) -> Message:
    """Say why there is a card too many, and what the defender may do about it."""
    assert progress.refusal is not None
    facts = {
        "why": progress.refusal.why,
        "defender": SeatName(progress.roles.defender),
        "keep": surplus.keep,
        "cards": surplus.of,
    }
    return Message("{why} {defender} chooses {keep} of {cards} to keep.", **facts)


def _draw(ruleset: BeatingRuleset, q: questions.BoutFacts, progress: BoutReplay) -> talon.DrawResult:
    """Find who draws how many cards after a bout."""
    roles = progress.roles
    order = talon.draw_order(ruleset.ring, roles.attacker, roles.defender, progress.joined)
    return talon.draw_cards(
        ruleset, [seat for seat in order if seat in progress.held], progress.held, q.talon
    )


def rule_on_turn(ruleset: BeatingRuleset, q: questions.TurnFacts) -> Judgement:
    """Rule on who attacks whom after a bout: verdict `next`, `loser` or `draw`.

    The answer has `attacker` and `defender`, or the `loser`. Rule keys: those of `turn.next_turn`; transfer
    and transfer.draw, by which the last defender counts if the attack was transferred; end.walk-out, if a
    defender who picked up is out all the same, for this player has left and the others play on.
    """
    questions.check_opponents(ruleset, q.attacker, q.defender)
    if len(set(q.out)) < len(q.out):
        raise Unreadable("out", Message("different seats"), list(q.out))
    _check_nobody_skipped(ruleset, q)
    attacker, defender = _last_roles(ruleset, q) if q.transfers else (q.attacker, q.defender)
    following = turn.next_turn(ruleset.ring, attacker, defender, q.result, q.out)
    has_left = q.result == turn.PICKED_UP and defender in q.out
    if has_left and not (ruleset.plays_on() and following.verdict == "next"):
        raise Unreadable("out", Message("players without cards, and the defender picked some up"), defender)
    answer = {"attacker": following.attacker, "defender": following.defender, "loser": following.loser}
    if following.verdict == "draw":
        why = Message("Nobody has a card left.")
    elif following.loser is not None:
        why = Message("All others are out: {loser} lost.", loser=SideName(following.loser))
    else:
        why = _describe_turn(q.result, defender, following, has_left)
    also = (*("transfer.draw", "transfer.lay") * bool(q.transfers), *("end.walk-out",) * has_left)
    return Judgement(following.verdict, answer, why, (*following.keys, *also))


def _last_roles(ruleset: BeatingRuleset, q: questions.TurnFacts) -> tuple[Seat, Seat]:
    """The principal attacker and the defender after the transfers of a bout.

    `out` are the seats without cards after it. Players who take part in it were not out before, and no
    transfer passes them over; of the others it is unknown, and for the turn it makes no difference.

    :raises Unreadable: if no attack is transferred here, or a player transfers who does not defend.
    """
    playing = {q.attacker, q.defender, *(transfer.by for transfer in q.transfers)}
    before = Roles(q.attacker, q.defender, frozenset(seat for seat in q.out if seat not in playing))
    roles, problem = follow_transfers(ruleset, before, q.transfers)
    if problem is not None:
        raise Unreadable(problem.field, Message("possible: {why}", why=problem.refusal.why))
    return roles.attacker, roles.defender


def _held(ruleset: BeatingRuleset, q: questions.BoutFacts) -> dict[Seat, int]:
    """Find the number of cards of every player when the bout began.

    A player who took no part and is not out may be left out: such a player neither draws nor goes out.

    :raises Unreadable: if the cards contradict each other, the talon, or who is out.
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


def _check_steps(q: questions.BoutFacts, held: Mapping[Seat, int]) -> None:
    """Check the steps.

    :raises Unreadable: for one without sense, or of a card that was not its player's.
    """
    hands = {seat: set(cards) for seat, cards in q.cards.items() if not isinstance(cards, int)}
    for n, step in enumerate(q.steps):
        _check_sense(step, f"steps[{n}]")
        check_distinct(step.cards, f"steps[{n}].card")
        check_distinct(step.returns, f"steps[{n}].returns")
        for card in step.cards:
            _check_holder(q.steps[:n], step, card, hands, held, f"steps[{n}].card")


def _check_sense(step: BoutStep, at: str) -> None:
    """Require exactly one action per step.

    :raises Unreadable: for no action, or several.
    """
    actions = step.pick_up + bool(step.cards) + bool(step.returns)
    if actions != 1 or (not step.cards and step.beats is not None):
        raise Unreadable(at, Message("either a card, pick_up or returns"))
    if step.cards[1:] and not step.transfer:
        several = list(map(str, step.cards))
        raise Unreadable(f"{at}.card", Message("one card, as only transfers are made with several"), several)
    if step.transfer and (not step.cards or step.beats is not None):
        raise Unreadable(f"{at}.transfer", Message("false where the step beats a card or picks up"), True)
    if step.shown and not step.transfer:
        raise Unreadable(f"{at}.shown", Message("false where the step does not transfer"), True)


def _check_holder(
    before: Sequence[BoutStep],
    step: BoutStep,
    card: Card,
    hands: Mapping[Seat, Collection[Card]],
    held: Mapping[Seat, int],
    at: str,
) -> None:
    """Check that a player can have held the card of a step after the others.

    :raises Unreadable: if it is somebody else's, has been played, or is one more than the player held.
    """
    seat = step.seat
    shown = {shown: earlier.seat for earlier in before if earlier.shown for shown in earlier.cards}
    known = {holder for holder, hand in hands.items() if card in hand} or {shown.get(card, seat)}
    if known != {seat} or card not in hands.get(seat, [card]):
        raise Unreadable(at, Message("a card from the player’s hand"), str(card))
    placed = [played for earlier in before if not earlier.shown for played in earlier.cards]
    for returned in (back for earlier in before for back in earlier.returns if back in placed):
        placed.remove(returned)
    check_distinct([*placed, card], at)
    own = {*step.cards, *(other for earlier in before if earlier.seat == seat for other in earlier.cards)}
    if len(own) > held[seat]:
        most = bout.describe_count(held[seat])
        raise Unreadable(at, Message("left out: the player held only {held}", held=most), str(card))


def _still_open(table: BoutTable, roles: Roles) -> Message:
    waiting = [attack for attack, by in table.pairs if by is None]
    if not waiting:
        return Message("{attacker} has not attacked yet.", attacker=SeatName(roles.attacker))
    facts = {"defender": SeatName(roles.defender), "cards": waiting}
    return Message("{defender} still has to beat {cards} or pick up.", **facts)


def _check_nobody_skipped(ruleset: BeatingRuleset, q: questions.TurnFacts) -> None:
    """Check, if each plays alone, that no player with cards sits between attacker and defender.

    :raises Unreadable: if one does.
    """
    ring = ruleset.ring
    if ring.partnerships:
        return
    due = ring.next_active(q.attacker, [seat for seat in q.out if seat != q.defender])
    if due != q.defender:
        raise Unreadable(
            "defender", Message("{seat}, the next player with cards after the attacker", seat=due), q.defender
        )


def _describe_turn(result: str, before: Seat, following: turn.Turn, has_left: bool) -> Message:
    facts = {
        "attacker": SeatName(following.attacker or ""),
        "defender": SeatName(following.defender or ""),
        "before": SeatName(before),
    }
    if has_left:
        return Message("{before} picked up and left the table: {attacker} attacks {defender}.", **facts)
    if result == turn.PICKED_UP:
        return Message("{before} picked up and loses the turn: {attacker} attacks {defender}.", **facts)
    if following.attacker == before:
        return Message("{before} beat off the attack: {attacker} attacks {defender}.", **facts)
    return Message("{before} beat off the attack and is out: {attacker} attacks {defender}.", **facts)


def rule_on_six(ruleset: BeatingRuleset, q: questions.SixFacts) -> Judgement:
    """Rule on swapping the lowest trump for the turn-up: verdict `allowed` or `not-allowed`.

    The answer has the card to `take`. Rule keys: six.exchange, severnyi.change, severnyi.deal.
    """
    six = ruleset.six(q.turn_up.suit)
    if q.turn_up == six:
        raise Unreadable(
            "turn_up", Message("a card other than the lowest trump, which a player received"), str(six)
        )
    if not ruleset.stays_face_up(q.turn_up):
        raise Unreadable(
            "turn_up", Message("a card that would not have gone back into the talon"), str(q.turn_up)
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
    """Rule on who deals the next hand, and who attacks whom in it: verdict `next`.

    The answer has `dealer`, `attacker` and `defender`. Rule keys: deal.first, deal.loser, deal.draw,
    start.next, start.lowest-trump, start.no-trump, start.first-card.
    """
    ring = ruleset.ring
    chooses = q.result == "loss" and (ring.partnerships or q.deals == q.loser)
    if q.deals is not None and not chooses:
        raise Unreadable("deals", Message("left out: only a team that lost names who deals"), q.deals)
    if q.loser is not None and q.result != "loss":
        raise Unreadable("loser", Message("left out: nobody has lost"), q.loser)
    if q.lot is not None and not _is_for_the_lot(ruleset, q):
        raise Unreadable("lot", Message("left out: it does not decide who attacks first"), q.lot)
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
            start = turn.first_hand_start(ruleset, q.dealer, holder, lot=q.lot)
            if start.attacker is None:
                raise MissingFact("lot")
    seats = {"dealer": start.dealer, "attacker": start.attacker, "defender": start.defender}
    has_to_open = (
        q.result == "first" and start.attacker == q.lowest_trump and ruleset.opens_with_lowest_trump()
    )
    keys = (*start.keys, *("start.first-card",) * has_to_open)
    return Judgement("next", seats, _describe_start(ruleset, q, start, has_to_open), keys)


def _is_for_the_lot(ruleset: BeatingRuleset, q: questions.NextHandFacts) -> bool:
    """True if the lot decides who attacks first."""
    by_trump = q.result == "first" and q.lowest_trump is None and ruleset["first_hand"] == "lowest-trump"
    return by_trump and ruleset["no_trump_start"] == "lot"


def _describe_start(
    ruleset: BeatingRuleset, q: questions.NextHandFacts, start: turn.HandStart, has_to_open: bool
) -> Message:
    facts: dict[str, object] = {"dealer": SeatName(start.dealer), "attacker": SeatName(start.attacker or "")}
    if q.result == "first":
        if has_to_open:
            return Message("{attacker} holds the lowest trump and attacks first, with that card.", **facts)
        if start.attacker == q.lowest_trump and "start.lowest-trump" in start.keys:
            return Message("{attacker} holds the lowest trump and attacks first.", **facts)
        if start.attacker == q.lot:
            return Message("Nobody holds a trump: {attacker} was chosen by lot and attacks first.", **facts)
        if "start.lowest-trump" in start.keys:
            return Message("Nobody holds a trump: {attacker}, on the dealer’s left, attacks first.", **facts)
        return Message("{attacker} sits on the dealer’s left and attacks first.", **facts)
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
