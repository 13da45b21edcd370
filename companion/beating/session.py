"""What the entries of a session come to: hands, touched cards; who deals after them."""

from dataclasses import replace

from companion.rules.message import Message, SeatName, SideName
from companion.rules.seats import Ring, Seat, Side

from . import guide, turn
from .entries import Hand, Touch
from .ruleset import BeatingRuleset
from .state import BeatingRow, BeatingState


def play(state: BeatingState, row: BeatingRow, told: Hand) -> BeatingState:
    """A hand: its dealer, its course as far as it was followed, and its loser."""
    ring, loser = state.ring, told.loser
    dealer = state.next_dealer or told.dealer
    keys = (_ending(ring, loser), *(["score.tally"] if loser else []))
    row = replace(
        row,
        dealer=dealer,
        loser=loser,
        trump=told.trump,
        result="loss" if loser else "draw",
        rules=tuple(rule.id for rule in state.ruleset.cite(*keys)),
        why=_told(ring, loser),
    )
    state = _check_dealer(state, row, told)
    state = _check_course(state, row, told, dealer)
    state = _check_deals(state, row, told)
    after = state.write(row, {loser: 1} if loser else {})
    after = replace(after, hands=state.hands + 1, fool=loser or state.fool)
    if loser is None:
        return replace(after, next_dealer=dealer, dealt_by="deal.draw")
    deals = told.deals if ring.partnerships else loser
    named = deals if deals is not None and ring.side(deals) == loser else None
    return replace(after, next_dealer=named, dealt_by="deal.loser")


def touch(state: BeatingState, row: BeatingRow, told: Touch) -> BeatingState:
    """The cards were touched, or cut, by somebody who then deals as the fool (deal.touch)."""
    ruleset, by, dealer = state.ruleset, SeatName(told.by), state.next_dealer
    why = (
        Message("{by} cut the cards: the fool, and deals.", by=by)
        if told.cards == "cut"
        else Message("{by} touched the cards: the fool, and deals.", by=by)
    )
    rules = (ruleset.cite_one("deal.touch"),)
    row = replace(row, dealer=dealer, result="touch", rules=rules, why=why)
    refusal = _no_offence(state, told)
    if refusal is not None:
        field, reason = refusal
        return state.flagged(row, field, "deal.touch", reason).write(row, {})
    side = state.ring.side(told.by)
    counts = ruleset["touch_counts"]
    after = state.write(replace(row, loser=side if counts else None), {side: 1} if counts else {})
    return replace(after, next_dealer=told.by, dealt_by="deal.touch", fool=side)


def may_cut(ruleset: BeatingRuleset, dealer: Seat, by: Seat) -> bool:
    """Whether a player may cut the cards for this dealer (deal.touch)."""
    match ruleset["cut"]:
        case "trap":
            return False
        case "free" | "required":
            return by == ruleset.ring.left(dealer, -1)
        case other:
            raise LookupError(f"cut {other!r}")


def _no_offence(state: BeatingState, told: Touch) -> tuple[str, Message] | None:
    """Why nobody becomes the fool by this touch, with the field that says otherwise.

    While a team has not said who of it deals, each of them may be the dealer.
    """
    ruleset, dealer, by = state.ruleset, state.next_dealer, SeatName(told.by)
    if dealer is None:
        losers = [seat for seat in state.ring.seats if state.ring.side(seat) == state.fool]
        cut = told.cards == "cut" and any(may_cut(ruleset, one, told.by) for one in losers)
        if told.by not in losers and not cut:
            return None
        return "by", Message("Say first who of the losers deals: the dealer touches the cards by right.")
    if told.by == dealer:
        return "by", Message("{by} deals, and touches the cards by right.", by=by)
    if told.cards == "cut" and may_cut(ruleset, dealer, told.by):
        return "cards", Message("{by} may cut here: that is no offence.", by=by)
    return None


def _ending(ring: Ring, loser: Side | None) -> str:
    return "end.draw" if loser is None else "end.team" if ring.partnerships else "end.fool"


def _told(ring: Ring, loser: Side | None) -> Message:
    if loser is None:
        return Message("A draw: nobody had a card left.")
    if ring.partnerships:
        return Message("{losers} lost.", losers=SideName(loser))
    return Message("{loser} is the fool.", loser=SeatName(loser))


def _check_dealer(state: BeatingState, row: BeatingRow, told: Hand) -> BeatingState:
    ring, due = state.ring, state.next_dealer
    if due is not None:
        if told.dealer in (None, due):
            return state
        why = Message("{due} deals, not {told}.", due=SeatName(due), told=SeatName(told.dealer or ""))
        return state.flagged(row, "dealer", state.dealt_by, why)
    if told.dealer is None:
        why = Message("Say who of the losers dealt.")
        return state.flagged(row, "dealer", "deal.loser", why)
    if state.fool is not None and ring.side(told.dealer) != state.fool:
        why = Message("{told} has not lost: one of the losers deals.", told=SeatName(told.dealer))
        return state.flagged(row, "dealer", "deal.loser", why)
    return state


def _check_deals(state: BeatingState, row: BeatingRow, told: Hand) -> BeatingState:
    if told.deals is None:
        return state
    who = SeatName(told.deals)
    if told.loser is None:
        if told.deals == row.dealer:
            return state
        why = Message("After a draw the same player deals again, not {who}.", who=who)
        return state.flagged(row, "deals", "deal.draw", why)
    if state.ring.side(told.deals) == told.loser:
        return state
    why = Message("{who} is not of the team that lost, and one of its players deals.", who=who)
    return state.flagged(row, "deals", "deal.loser", why)


def _check_course(state: BeatingState, row: BeatingRow, told: Hand, dealer: Seat | None) -> BeatingState:
    """The problems of the hand's course, as far as anybody followed it."""
    ring, ruleset, bouts = state.ring, state.ruleset, told.bouts or ()
    start = None if dealer is None else replace(state, next_dealer=dealer).start
    due, first = start.attacker if start else None, told.first_attacker
    if start is not None and due is not None and first not in (None, due):
        why = Message("{due} attacks first, not {told}.", due=SeatName(due), told=SeatName(first or ""))
        state = state.flagged(row, "first_attacker", start.keys[-1], why)
    begun = due or first or (bouts[0].attacker if bouts else None)
    keys = start.keys if start else (guide.turn_key(ring),)
    course, wrong = guide.follow(ruleset, guide.begin(ruleset, begun, keys), bouts)
    for n, one in wrong:
        at = f"bouts[{n}]" + (f".{one.field}" if one.field else "")
        state = state.flagged(row, at, one.refusal.key, one.refusal.why)
    if not bouts or course.turn is None:
        return state
    if course.over and course.turn.loser != told.loser:
        return state.flagged(row, "loser", course.turn.keys[0], _ended(course.turn))
    lost = [seat for seat in ring.seats if ring.side(seat) == told.loser]
    if lost and all(seat in course.out for seat in lost):
        why = Message("{loser} has no cards left, and so has not lost.", loser=SideName(told.loser or ""))
        return state.flagged(row, "loser", "turn.out", why)
    return state


def _ended(end: turn.Turn) -> Message:
    if end.loser is None:
        return Message("Nobody had a card left: it was a draw.")
    return Message("All others are out: {loser} lost.", loser=SideName(end.loser))
