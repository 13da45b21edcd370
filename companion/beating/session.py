"""Results of the entries of a session: hands and touched cards, and who deals next."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.rules.cards import Suit
from companion.rules.message import Message, SeatName, SideName
from companion.rules.seats import Ring, Seat, Side

from . import progress, turn
from .bout import Refusal
from .entries import UNSTATED, Hand, Touch
from .ruleset import BeatingRuleset
from .state import BeatingRow, BeatingState


def apply_hand(state: BeatingState, row: BeatingRow, hand: Hand) -> BeatingState:
    """The state after a hand: who dealt it, its course as far as it was followed, and who lost it.

    `row` is the hand's row as yet without a result. Rule keys: end.fool, end.team, end.draw, end.walk-out,
    score.tally, score.epaulettes, score.first-out, deal.loser, deal.draw, deal.five-suited,
    deal.six-coloured, end.walk-out-bout, beat.spades-turned.
    """
    ring, dealer = state.ring, state.next_dealer or hand.dealer
    outcome = _find_outcome(state.ruleset, hand)
    loser = outcome.loser
    row = replace(
        row,
        dealer=dealer,
        loser=loser,
        trump=hand.trump,
        result=outcome.result,
        order=hand.order,
        sixes=hand.sixes,
        rules=tuple(rule.id for rule in state.ruleset.cite(*outcome.keys)),
        why=outcome.why,
    )
    state = _check_dealer(state, row, hand)
    if hand.trump == Suit.SPADES and state.ruleset.turns_spades_back():
        why = Message("Here a spade turned up goes back, and so spades are not trumps.")
        state = state.flagged(row, "trump", "beat.spades-turned", why)
    for field, refusal in outcome.problems:
        state = state.flagged(row, field, refusal.key, refusal.why)
    state, order = _check_bouts(state, row, hand, dealer)
    state = _check_deals(state, row, hand)
    marks = hand.sixes if hand.sixes is not None and loser is not None else 0
    if hand.sixes is not None and loser is None:
        why = Message("Nobody lost, so nobody has epaulettes.")
        state = state.flagged(row, "sixes", "score.epaulettes", why)
    after = state.write(
        replace(row, order=order, counted=tuple(_count_bouts(state.ruleset, hand))),
        {loser: 1} if loser else {},
        {loser: marks} if loser else {},
    )
    match outcome.result:
        case "misdeal":
            return replace(after, next_dealer=dealer, dealt_by=f"deal.{hand.misdeal}")
        case "void":
            return replace(after, next_dealer=dealer, dealt_by="end.walk-out")
        case "draw":
            return replace(
                after, hands=state.hands + 1, draws=state.draws + 1, next_dealer=dealer, dealt_by="deal.draw"
            )
    deals = hand.deals if ring.partnerships else loser
    next_dealer = deals if deals is not None and ring.side(deals) == loser else None
    return replace(after, hands=state.hands + 1, fool=loser, next_dealer=next_dealer, dealt_by="deal.loser")


def _count_bouts(ruleset: BeatingRuleset, hand: Hand) -> Iterator[tuple[str, Seat, int]]:
    """Count the attacks that each player took, beat off and passed on in a hand that was followed."""
    bouts = hand.bouts or ()
    if not bouts:
        return
    begun = progress.start_hand(ruleset, bouts[0].attacker)
    paths = progress.attack_paths(ruleset, begun, bouts, hand.walked_out, hand.walked_after)
    played = [bout for bout in bouts if bout.result != turn.CANCELLED]
    ended = zip(bouts, paths, strict=True)
    done = Counter((bout.result, path[-1]) for bout, path in ended if bout in played)
    done += Counter(("transfers", transfer.by) for bout in played for transfer in bout.transfers)
    names = {turn.PICKED_UP: "picked_up", turn.BEATEN_OFF: "beaten_off"}
    yield "bouts.followed", "", 1
    yield from ((f"bouts.{names.get(what, what)}", seat, number) for (what, seat), number in done.items())


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """The result of a hand: `loss`, `draw`, `misdeal` or `void`, who lost it, by which rule keys, and why.

    `problems` are fields of the entry that cannot be right, each with the reason.
    """

    result: str
    loser: Side | None
    keys: tuple[str, ...]
    why: Message
    problems: tuple[tuple[str, Refusal], ...] = ()


def _find_outcome(ruleset: BeatingRuleset, hand: Hand) -> HandOutcome:
    if hand.misdeal is not None:
        return _find_misdeal(ruleset, hand)
    if hand.left:
        return _find_walk_out(ruleset, hand)
    return _find_ending(ruleset.ring, hand.loser)


def _find_ending(ring: Ring, loser: Side | None) -> HandOutcome:
    """Settle a hand that was played to its end."""
    if loser is None:
        return HandOutcome("draw", None, ("end.draw",), Message("A draw: nobody had a card left."))
    if ring.partnerships:
        why = Message("{losers} lost.", losers=SideName(loser))
        return HandOutcome("loss", loser, ("end.team", "score.tally"), why)
    return HandOutcome(
        "loss", loser, ("end.fool", "score.tally"), Message("{loser} is the fool.", loser=SeatName(loser))
    )


def _find_misdeal(ruleset: BeatingRuleset, hand: Hand) -> HandOutcome:
    """Settle a hand that is dealt again (deal.five-suited, deal.six-coloured)."""
    by, key = SeatName(hand.by or ""), f"deal.{hand.misdeal}"
    match hand.misdeal:
        case "five-suited":
            agreed = ruleset.redeals_five_suited()
            why = Message("{by} was dealt five of one suit: a new deal.", by=by)
            played = Message("Here five of one suit are played, and nobody may demand a new deal.")
        case "six-coloured":
            agreed = ruleset.redeals_six_coloured()
            why = Message("{by} was dealt six of one colour: a new deal.", by=by)
            played = Message("Here six of one colour are played, and nobody may demand a new deal.")
        case other:
            raise LookupError(f"misdeal {other!r}")
    problems = () if agreed else (("misdeal", Refusal(played, key)),)
    return HandOutcome("misdeal", None, (key,), why, problems)


def _find_walk_out(ruleset: BeatingRuleset, hand: Hand) -> HandOutcome:
    """Settle a hand in which players left the table (end.walk-out)."""
    seat = hand.left[-1]
    ring, who, key = ruleset.ring, SeatName(seat), "end.walk-out"
    match ruleset["walk_out"]:
        case "fool":
            side = ring.side(seat)
            wrong = Refusal(Message("{who} left the table, and so lost.", who=who), key)
            why = Message("{who} left the table: {loser} lost.", who=who, loser=SideName(side))
            problems = () if hand.loser in (UNSTATED, side) else (("loser", wrong),)
            return HandOutcome("loss", side, (key, "score.tally"), why, problems)
        case "void":
            wrong = Refusal(
                Message("{who} left the table, and so nobody lost and nobody drew.", who=who), key
            )
            why = Message("{who} left the table: the hand is void.", who=who)
            return HandOutcome(
                "void", None, (key,), why, () if hand.loser == UNSTATED else (("loser", wrong),)
            )
        case "plays-on" if hand.loser == UNSTATED:
            why = Message("{who} left the table, and one was left alone: the hand is void.", who=who)
            return HandOutcome("void", None, (key,), why)
        case "plays-on" if hand.loser in hand.left:
            wrong = Refusal(Message("{who} left the table, and did not lose.", who=SeatName(hand.loser)), key)
            why = Message("{who} left the table: the hand is void.", who=who)
            return HandOutcome("void", None, (key,), why, (("loser", wrong),))
        case "plays-on":
            ending = _find_ending(ring, hand.loser)
            why = Message("{ending} {who} left the table.", ending=ending.why, who=who)
            return replace(ending, keys=(*ending.keys, key), why=why)
        case other:
            raise LookupError(f"walk_out {other!r}")


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
    """True if a player may cut the cards for this dealer (deal.touch)."""
    return ruleset["cut"] != "trap" and by == ruleset.ring.left(dealer, -1)


def _innocence(state: BeatingState, touch: Touch) -> tuple[str, Message] | None:
    """Find the reason why a touch makes nobody the fool, with the wrong field; None if it does.

    While the losing team has not named its dealer, each of them may be the dealer.
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
    if row.loser is None:
        if hand.deals == row.dealer:
            return state
        why = Message("After a draw the same player deals again, not {who}.", who=who)
        if row.result == "void":
            why = Message("After a void hand the same player deals again, not {who}.", who=who)
        return state.flagged(row, "deals", "end.walk-out" if row.result == "void" else "deal.draw", why)
    if state.ring.side(hand.deals) == row.loser:
        return state
    why = Message("{who} is not on the team that lost; one of its players deals.", who=who)
    return state.flagged(row, "deals", "deal.loser", why)


def _check_bouts(
    state: BeatingState, row: BeatingRow, hand: Hand, dealer: Seat | None
) -> tuple[BeatingState, tuple[Seat, ...] | None]:
    """Flag the problems of the hand's course, as far as it was followed; return who went out, in order.

    The order is None if it was not stated and cannot be derived.
    """
    ruleset, bouts = state.ruleset, hand.bouts or ()
    start = None if dealer is None else replace(state, next_dealer=dealer).start
    due, first = start.attacker if start else None, hand.first_attacker
    if start is not None and due is not None and first not in (None, due):
        why = Message("{due} attacks first, not {other}.", due=SeatName(due), other=SeatName(first or ""))
        state = state.flagged(row, "first_attacker", start.keys[-1], why)
    attacker = due or first or (bouts[0].attacker if bouts else None)
    keys = start.keys if start else (progress.turn_key(state.ring),)
    begun = progress.start_hand(ruleset, attacker, keys, hand.trump)
    leaver = hand.walked_out if bouts else None
    reached, problems = progress.follow_hand(ruleset, begun, bouts, leaver, hand.walked_after)
    for problem in problems:
        state = state.flagged(row, problem.field, problem.refusal.key, problem.refusal.why)
    left = all(problem.field != "walked_out" for problem in problems)
    wrong = _loser_problem(row, hand, reached.turn) if bouts and left and reached.turn else None
    if wrong is None and bouts and left and _had_no_cards(state.ring, row, reached):
        facts = {"loser": SideName(row.loser or "")}
        why = Message("{loser} {loser:has|have} no cards left, and so did not lose.", **facts)
        wrong = Refusal(why, "turn.out")
    if wrong is not None:
        state = state.flagged(row, "loser", wrong.key, wrong.why)
    over = bool(bouts) and reached.over
    derived = tuple(seat for bout in bouts if bout.result != turn.CANCELLED for seat in bout.out)
    if hand.order is None:
        return state, derived if over and not problems else None
    disagreement = _describe_disorder(state.ring, row, hand, derived, over)
    if disagreement is not None:
        state = state.flagged(row, "order", "score.first-out", disagreement)
    return state, hand.order


def _loser_problem(row: BeatingRow, hand: Hand, end: turn.Turn) -> Refusal | None:
    """Refuse the side stated as the loser of a hand that has come to this end, or to no end; or None."""
    stated = row.result in ("loss", "draw")
    if end.verdict == "void" and stated:
        return Refusal(Message("One player was left alone, and so nobody lost and nobody drew."), end.keys[0])
    if end.verdict in ("next", "void") or (hand.left and "end.walk-out" in end.keys):
        return None
    return Refusal(_describe_end(end), end.keys[0]) if end.loser != row.loser or not stated else None


def _had_no_cards(ring: Ring, row: BeatingRow, reached: progress.HandProgress) -> bool:
    """True if all who are stated to have lost had gone out before, while the hand went on."""
    losers = [seat for seat in ring.seats if ring.side(seat) == row.loser]
    return not reached.over and bool(losers) and all(seat in reached.out for seat in losers)


def _describe_disorder(
    ring: Ring, row: BeatingRow, hand: Hand, derived: tuple[Seat, ...], over: bool
) -> Message | None:
    """Explain why the players did not go out in the order that is stated; None if they did."""
    order = hand.order or ()
    losers = [seat for seat in ring.seats if ring.side(seat) == row.loser]
    if losers and all(seat in order for seat in losers):
        return Message("{loser} lost and did not go out.", loser=SideName(row.loser or ""))
    for seat in hand.left:
        if seat in order:
            return Message("{who} left the table and did not go out.", who=SeatName(seat))
    if order[: len(derived)] == derived and not (over and order != derived):
        return None
    if not derived:
        return Message("According to the bouts, nobody went out.")
    return Message(
        "According to the bouts, the order is: {seats}.", seats=[SeatName(seat) for seat in derived]
    )


def _describe_end(end: turn.Turn) -> Message:
    if end.loser is None:
        return Message("Nobody had a card left: it was a draw.")
    return Message("All others are out: {loser} lost.", loser=SideName(end.loser))
