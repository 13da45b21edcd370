"""Rulings on a whole bout: how it stands and who draws, and who attacks whom after it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.beating import bout, talon, turn
from companion.beating.bout import BoutTable, Roles
from companion.beating.ruleset import BeatingRuleset
from companion.beating.steps import BoutReplay, PlayedStep, follow_steps
from companion.beating.transfer import follow_transfers
from companion.rules.cards import Card
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message, SeatName, SideName
from companion.rules.question import Judgement, check_distinct
from companion.rules.seats import Seat

from . import questions
from .table import check_roles


def rule_on_bout(ruleset: BeatingRuleset, q: questions.BoutFacts) -> Judgement:
    """How does a bout stand? Verdict `beaten-off`, `picked-up`, `open` or `illegal`.

    The answer has the wrong `step` (counted from 1) with the `remedy`, or else who `draws` how many cards,
    what is left of the `talon`, and who has gone `out`; besides, `attacker` and `defender` as they stand
    after the last legal step. Rule keys: bout.beaten-off, bout.picked-up, bout.wrong-card, beat.free,
    draw.order, transfer.draw, turn.out, and those by which a step is illegal.
    """
    held = _held(ruleset, q)
    out = frozenset(seat for seat, cards in held.items() if not cards)
    roles = Roles(q.attacker, q.defender, out, held[q.defender], q.first_bout, q.none_beaten_off)
    check_roles(ruleset, roles)
    progress = follow_steps(ruleset, roles, q.trump, held, _steps(q, held))
    answer: dict[str, Any] = {
        "step": progress.wrong_step,
        "remedy": None,
        "draws": [],
        "talon": q.talon,
        "out": [],
        "attacker": progress.roles.attacker,
        "defender": progress.roles.defender,
    }
    if progress.refusal is not None:
        answer["remedy"] = ruleset["wrong_card"]
        return Judgement("illegal", answer, progress.refusal.why, (*progress.refusal.keys, "bout.wrong-card"))
    transferred = ("transfer.lay",) * progress.roles.transferred
    if progress.verdict == "open":
        keys = ("bout.beaten-off", "beat.free", *transferred)
        return Judgement("open", answer, _still_open(progress.table, progress.roles), keys)
    drawn = _draw(ruleset, q, progress)
    answer |= {
        "draws": [{"seat": seat, "cards": cards} for seat, cards in drawn.draws],
        "talon": drawn.talon,
        "out": list(drawn.out),
    }
    defender = SeatName(progress.roles.defender)
    order = ("transfer.draw", *transferred) if progress.roles.transferred else ("draw.order",)
    keys = (f"bout.{progress.verdict}", *order, *("turn.out",) * bool(drawn.out))
    if progress.verdict == turn.PICKED_UP:
        why = Message("{defender} picks up {cards}.", defender=defender, cards=list(progress.table.cards))
        return Judgement(turn.PICKED_UP, answer, why, keys)
    why = Message("{defender} has beaten every card.", defender=defender)
    return Judgement(turn.BEATEN_OFF, answer, why, keys)


def _draw(ruleset: BeatingRuleset, q: questions.BoutFacts, progress: BoutReplay) -> talon.DrawResult:
    """Who draws how many once a bout is over."""
    roles = progress.roles
    order = talon.draw_order(ruleset.ring, roles.attacker, roles.defender, progress.joined)
    return talon.draw_cards(
        ruleset, [seat for seat in order if seat in progress.held], progress.held, q.talon
    )


def rule_on_turn(ruleset: BeatingRuleset, q: questions.TurnFacts) -> Judgement:
    """Who attacks whom after a bout? Verdict `next`, `loser` or `draw`.

    The answer has `attacker` and `defender`, or the `loser`. Rule keys: of `turn.next_turn`; transfer and
    transfer.draw, by which the last defender counts where the attack was transferred; end.walk-out, where a
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

    `out` are the seats without cards after it. Who plays on in it was not out before, and is passed over by
    no transfer; of the others nobody knows, and for the turn it makes no difference.

    :raises Unreadable: where no attack is transferred, or a player transfers who does not defend.
    """
    playing = {q.attacker, q.defender, *(transfer.by for transfer in q.transfers)}
    before = Roles(q.attacker, q.defender, frozenset(seat for seat in q.out if seat not in playing))
    roles, problem = follow_transfers(ruleset, before, q.transfers)
    if problem is not None:
        raise Unreadable(problem.field, Message("possible: {why}", why=problem.refusal.why))
    return roles.attacker, roles.defender


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
    hands = {seat: set(cards) for seat, cards in q.cards.items() if not isinstance(cards, int)}
    for n, step in enumerate(q.steps):
        _check_sense(step, f"steps[{n}]")
        if step.card is not None:
            _check_holder(q.steps[:n], step.seat, step.card, hands, held, f"steps[{n}].card")
    return [PlayedStep(step.seat, step.card, step.beats, step.transfer, step.shown) for step in q.steps]


def _check_sense(step: questions.BoutStep, at: str) -> None:
    """Check that a step is one thing. :raises Unreadable: where it is none, or several."""
    if step.pick_up == (step.card is not None) or (step.card is None and step.beats is not None):
        raise Unreadable(at, Message("either a card or pick_up"))
    if step.transfer and (step.pick_up or step.beats is not None):
        raise Unreadable(f"{at}.transfer", Message("false where the step beats a card or picks up"), True)
    if step.shown and not step.transfer:
        raise Unreadable(f"{at}.shown", Message("false where the step does not transfer"), True)


def _check_holder(
    before: Sequence[questions.BoutStep],
    seat: Seat,
    card: Card,
    hands: Mapping[Seat, Collection[Card]],
    held: Mapping[Seat, int],
    at: str,
) -> None:
    """Check that a player can have held the card of a step after the others.

    :raises Unreadable: where it is somebody else's, has been played, or is one more than the player held.
    """
    shown = {earlier.card: earlier.seat for earlier in before if earlier.shown}
    known = {holder for holder, hand in hands.items() if card in hand} or {shown.get(card, seat)}
    if known != {seat} or card not in hands.get(seat, [card]):
        raise Unreadable(at, Message("a card from the player’s hand"), str(card))
    check_distinct(
        [*(earlier.card for earlier in before if earlier.card is not None and not earlier.shown), card], at
    )
    own = {card} | {earlier.card for earlier in before if earlier.seat == seat and earlier.card is not None}
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
