"""What the entries of a session come to: hands and touched cards, and who deals next."""

from dataclasses import replace

from companion.rules.message import Message, SeatName, SideName
from companion.rules.seats import Ring, Seat, Side

from . import course, turn
from .entries import Hand, Touch
from .ruleset import BeatingRuleset
from .state import BeatingRow, BeatingState


def apply_hand(state: BeatingState, row: BeatingRow, hand: Hand) -> BeatingState:
    """The state after a hand: who dealt it, its course as far as it was followed, and who lost it.

    `row` is the hand's row as yet without a result. Rule keys: end.fool, end.team, end.draw, score.tally,
    deal.loser, deal.draw.
    """
    ring, loser = state.ring, hand.loser
    dealer = state.next_dealer or hand.dealer
    keys = (_ending_key(ring, loser), *(["score.tally"] if loser else []))
    row = replace(
        row,
        dealer=dealer,
        loser=loser,
        trump=hand.trump,
        result="loss" if loser else "draw",
        rules=tuple(rule.id for rule in state.ruleset.cite(*keys)),
        why=_describe_result(ring, loser),
    )
    state = _check_dealer(state, row, hand)
    state = _check_course(state, row, hand, dealer)
    state = _check_deals(state, row, hand)
    after = state.write(row, {loser: 1} if loser else {})
    after = replace(after, hands=state.hands + 1, fool=loser or state.fool)
    if loser is None:
        return replace(after, draws=state.draws + 1, next_dealer=dealer, dealt_by="deal.draw")
    deals = hand.deals if ring.partnerships else loser
    next_dealer = deals if deals is not None and ring.side(deals) == loser else None
    return replace(after, next_dealer=next_dealer, dealt_by="deal.loser")


def apply_touch(state: BeatingState, row: BeatingRow, touch: Touch) -> BeatingState:
    """The state after a player touched or cut the cards, and so became the fool and deals (deal.touch)."""
    ruleset, by, dealer = state.ruleset, SeatName(touch.by), state.next_dealer
    why = (
        Message("{by} cut the cards, becomes the fool and deals.", by=by)
        if touch.cards == "cut"
        else Message("{by} touched the cards, becomes the fool and deals.", by=by)
    )
    rules = (ruleset.cite_one("deal.touch"),)
    row = replace(row, dealer=dealer, result="touch", rules=rules, why=why)
    refusal = _innocence(state, touch)
    if refusal is not None:
        field, reason = refusal
        return state.flagged(row, field, "deal.touch", reason).write(row, {})
    side = state.ring.side(touch.by)
    counts = ruleset["touch_counts"]
    after = state.write(replace(row, loser=side if counts else None), {side: 1} if counts else {})
    return replace(after, next_dealer=touch.by, dealt_by="deal.touch", fool=side)


def may_cut(ruleset: BeatingRuleset, dealer: Seat, by: Seat) -> bool:
    """Whether a player may cut the cards for this dealer (deal.touch)."""
    match ruleset["cut"]:
        case "trap":
            return False
        case "free" | "required":
            return by == ruleset.ring.left(dealer, -1)
        case other:
            raise LookupError(f"cut {other!r}")


def _innocence(state: BeatingState, touch: Touch) -> tuple[str, Message] | None:
    """Why a touch makes nobody the fool, with the field of the entry that is wrong; None when it does.

    While the losing team has not said which of them deals, each of them may be the dealer.
    """
    ruleset, dealer, by = state.ruleset, state.next_dealer, SeatName(touch.by)
    if dealer is None:
        losers = [seat for seat in state.ring.seats if state.ring.side(seat) == state.fool]
        cut = touch.cards == "cut" and any(may_cut(ruleset, loser, touch.by) for loser in losers)
        if touch.by not in losers and not cut:
            return None
        return "by", Message("First say which of the losers deals: the dealer may touch the cards.")
    if touch.by == dealer:
        return "by", Message("{by} is the dealer and may touch the cards.", by=by)
    if touch.cards == "cut" and may_cut(ruleset, dealer, touch.by):
        return "cards", Message("{by} may cut here: that is no offence.", by=by)
    return None


def _ending_key(ring: Ring, loser: Side | None) -> str:
    return "end.draw" if loser is None else "end.team" if ring.partnerships else "end.fool"


def _describe_result(ring: Ring, loser: Side | None) -> Message:
    if loser is None:
        return Message("A draw: nobody had a card left.")
    if ring.partnerships:
        return Message("{losers} lost.", losers=SideName(loser))
    return Message("{loser} is the fool.", loser=SeatName(loser))


def _check_dealer(state: BeatingState, row: BeatingRow, hand: Hand) -> BeatingState:
    ring, due = state.ring, state.next_dealer
    if due is not None:
        if hand.dealer in (None, due):
            return state
        why = Message("{due} deals, not {other}.", due=SeatName(due), other=SeatName(hand.dealer or ""))
        return state.flagged(row, "dealer", state.dealt_by, why)
    if hand.dealer is None:
        why = Message("Say which of the losers dealt.")
        return state.flagged(row, "dealer", "deal.loser", why)
    if state.fool is not None and ring.side(hand.dealer) != state.fool:
        why = Message("{other} did not lose; one of the losers deals.", other=SeatName(hand.dealer))
        return state.flagged(row, "dealer", "deal.loser", why)
    return state


def _check_deals(state: BeatingState, row: BeatingRow, hand: Hand) -> BeatingState:
    if hand.deals is None:
        return state
    who = SeatName(hand.deals)
    if hand.loser is None:
        if hand.deals == row.dealer:
            return state
        why = Message("After a draw the same player deals again, not {who}.", who=who)
        return state.flagged(row, "deals", "deal.draw", why)
    if state.ring.side(hand.deals) == hand.loser:
        return state
    why = Message("{who} is not on the team that lost; one of its players deals.", who=who)
    return state.flagged(row, "deals", "deal.loser", why)


def _check_course(state: BeatingState, row: BeatingRow, hand: Hand, dealer: Seat | None) -> BeatingState:
    """The state with the problems of the hand's course, as far as it was followed."""
    ring, ruleset, bouts = state.ring, state.ruleset, hand.bouts or ()
    start = None if dealer is None else replace(state, next_dealer=dealer).start
    due, first = start.attacker if start else None, hand.first_attacker
    if start is not None and due is not None and first not in (None, due):
        why = Message("{due} attacks first, not {other}.", due=SeatName(due), other=SeatName(first or ""))
        state = state.flagged(row, "first_attacker", start.keys[-1], why)
    attacker = due or first or (bouts[0].attacker if bouts else None)
    keys = start.keys if start else (course.turn_key(ring),)
    reached, faults = course.follow_bouts(ruleset, course.start_course(ruleset, attacker, keys), bouts)
    for n, fault in faults:
        at = f"bouts[{n}]" + (f".{fault.field}" if fault.field else "")
        state = state.flagged(row, at, fault.refusal.key, fault.refusal.why)
    if not bouts or reached.turn is None:
        return state
    if reached.over and reached.turn.loser != hand.loser:
        return state.flagged(row, "loser", reached.turn.keys[0], _describe_end(reached.turn))
    losers = [seat for seat in ring.seats if ring.side(seat) == hand.loser]
    if losers and all(seat in reached.out for seat in losers):
        why = Message(
            "{loser} {loser:has|have} no cards left, and so did not lose.", loser=SideName(hand.loser or "")
        )
        return state.flagged(row, "loser", "turn.out", why)
    return state


def _describe_end(end: turn.Turn) -> Message:
    if end.loser is None:
        return Message("Nobody had a card left: it was a draw.")
    return Message("All others are out: {loser} lost.", loser=SideName(end.loser))
