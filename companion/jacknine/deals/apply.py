"""The effect of a deal on the state of a game: points written, held or freed, the next dealer, the end."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from companion.jacknine.entries import BIDS, Deal
from companion.jacknine.phases import dealing, ending, penalties, settle
from companion.jacknine.phases.bidding import Bid
from companion.jacknine.phases.melds import Run, describe_excluded, describe_worthless_fours
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.state import JackNineRow, JackNineState
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.seats import Seat, Side

from .read import read_deal
from .reading import DealReading


def apply_deal(state: JackNineState, row: JackNineRow, entry: Deal) -> JackNineState:
    """The state after a deal; its problems hold what is wrong with it."""
    dealer = entry.dealer or state.next_dealer
    if dealer is None:
        return state.flag(row, "dealer", "deal.first", Message("The first dealer is missing."))
    reading = read_deal(state.ruleset, entry, row.n, dealer, asks=state.asks_trickless)
    if entry.dealer is not None and state.next_dealer not in (None, entry.dealer):
        why = Message(
            "{due} deals here, not {dealer}.",
            due=SeatName(state.next_dealer or ""),
            dealer=SeatName(entry.dealer),
        )
        reading.flag("dealer", "deal.next", why)
    if state.is_forced:
        _check_forced(reading)
    row = replace(
        row,
        dealer=dealer,
        elder=reading.elder,
        declarer=reading.declarer,
        trump=reading.trump,
        turned=reading.turned,
        points=reading.points,
        double=None if reading.points is None else reading.double,
        made=reading.made,
        capot=reading.capot,
        lines=tuple(reading.lines),
    )
    match reading.status:
        case "void":
            return _apply_void(state, row, reading)
        case "thrown-in":
            row = replace(row, result="thrown-in", why=_explain_throw_in(reading))
            after = dealing.find_next_dealer(state.ruleset, dealer, after_schmeiss=reading.after_schmeiss)
            return _add_row(state, row, reading, {}, after)
        case "offer":
            return _apply_offer(state, row, reading)
        case "belot":
            return _apply_belot(state, row, reading)
        case "misdealt":
            return _apply_misdeal(state, row, reading)
        case "contract" if reading.made is not None:
            apply = _apply_played if entry.call is None else _apply_called
            return apply(state, row, reading)
    row = replace(row, why=reading.problems[0].reason)
    return _add_row(state, row, reading, {}, state.next_dealer, used=False)


def _check_forced(reading: DealReading) -> None:
    """Check that the dealer plays the turned suit, and nobody bids. Rule key: `bid.forced-turned`."""
    deal, key = reading.deal, "bid.forced-turned"
    stated = next((name for name in BIDS if getattr(deal, name) is not None), None)
    if stated is None or stated == "redeal":  # before anybody bids
        return
    reading.keys.append(key)
    if deal.contract is None or reading.declarer != reading.dealer or reading.turned is False:
        dealer = SeatName(reading.dealer)
        why = Message("{dealer} has to play the turned suit here, and nobody bids.", dealer=dealer)
        reading.flag(stated, key, why)
    reading.turned = True


def _apply_void(state: JackNineState, row: JackNineRow, reading: DealReading) -> JackNineState:
    """Apply a deal that does not count; after a hand with a named holder, the next player deals."""
    ring, by = state.ring, reading.deal.by
    row = replace(row, result="void", why=_explain_void(reading))
    if by is None or reading.deal.redeal == "poor-hand":
        dealer = reading.dealer if by is None else ring.left(reading.dealer)
        return _add_row(state, row, reading, {}, dealer, used=False)
    scored = {ring.side(by): state.ruleset["four_sevens_points"]}
    after = _add_row(state, row, reading, scored, ring.left(reading.dealer), used=False)
    end = ending.find_game_end(
        state.ruleset, after.totals, ring.left(by), last=ring.side(by), played=after.count_played()
    )
    return _end_game(after, end)


def _explain_void(reading: DealReading) -> Message:
    """Explain why a deal that was not played does not count."""
    dealer, by = SeatName(reading.dealer), reading.deal.by
    if reading.deal.redeal == "poor-hand":
        return Message("A poor hand: the deal does not count, and passes on.")
    if by is not None:
        points = reading.ruleset["four_sevens_points"]
        return Message(
            "Four sevens: {seat} +{points}, and the deal passes on.", seat=SeatName(by), points=points
        )
    if reading.deal.redeal == "four-sevens":
        return Message(
            "Four sevens in one hand: the deal does not count, {dealer} deals again.", dealer=dealer
        )
    if reading.deal.redeal is not None:
        return Message("Misdealt: the deal does not count, {dealer} deals again.", dealer=dealer)
    offence = _describe_penalty(reading.deal)
    return Message(
        "{offence}: the deal does not count, {dealer} deals again.", offence=offence, dealer=dealer
    )


def _explain_throw_in(reading: DealReading) -> Message:
    """Say that nobody scores, and whose deal it was."""
    if reading.after_schmeiss:
        word = Word(reading.ruleset.book.words["schmeiss"])
        return Message("{seat}: {word}. Thrown in, nobody scores.", seat=SeatName(reading.elder), word=word)
    return Message("{dealer} dealt. Thrown in, nobody scores.", dealer=SeatName(reading.dealer))


def _add_row(
    state: JackNineState,
    row: JackNineRow,
    reading: DealReading,
    scored: Mapping[Side, int],
    dealer: Seat | None,
    *,
    held: tuple[int, ...] | None = None,
    used: bool = True,
) -> JackNineState:
    """Write a deal: its points, the held points after it, and the next dealer.

    A deal that counts uses up one of the further deals agreed on by offers; while some are left, the same
    dealer stays.
    """
    held = state.held if held is None else held
    why, of_fours = describe_worthless_fours(state.ruleset, reading.deal.fours or (), row.why)
    why, of_excluded = describe_excluded(state.ruleset, reading.excluded, why)
    rules = tuple(rule.id for rule in state.ruleset.cite(*reading.keys, *of_fours, *of_excluded))
    row = replace(row, rules=rules, held=held, why=why, counted=tuple(_count_melds(reading)))
    row = replace(row, outcome=describe_outcome(state.ruleset, row, reading))
    after = state.add_row(row, scored, tuple(reading.problems))
    if not used:
        return replace(after, held=held, next_dealer=dealer)
    keep = max(0, state.keep - 1) + (reading.terms.deals if reading.terms and row.result == "offer" else 0)
    return replace(after, held=held, keep=keep, next_dealer=row.dealer if keep else dealer)


def _count_melds(reading: DealReading) -> Iterator[tuple[str, Seat, int]]:
    """List the melds that each player declared, those that counted and those that did not.

    They are known in a deal that was counted card by card, and which no penalty settled.
    """
    deal, ring = reading.deal, reading.ruleset.ring
    if reading.made is None or deal.totals is not None or deal.penalty is not None:
        return
    dropped = reading.trickless if reading.ruleset["words_need_trick"] else frozenset[Side]()
    passed = reading.trickless if reading.ruleset["trickless"] == "runs-pass" else frozenset[Side]()
    with_trick = [seat for seat in ring.seats if ring.side(seat) not in passed]
    scoring = [seat for seat in reading.standing if seat in with_trick]
    declared: Mapping[str, tuple[list[Seat], Collection[Seat]]] = {
        "runs": ([run.seat for run in deal.runs or ()], scoring),
        "fours": ([four.seat for four in deal.fours or ()], scoring),
        "belas": (list(reading.belas), ring.seats if reading.ruleset["bela_kept"] == "on" else with_trick),
    }
    excluded = [("runs" if isinstance(meld, Run) else "fours", meld.seat) for meld in reading.excluded]
    yield "runs.known", "", 1
    for seat in ring.seats:
        for name, (seats, standing) in declared.items():
            number = seats.count(seat)
            stood = number - excluded.count((name, seat))
            if seat not in standing or ring.side(seat) in dropped:
                stood = 0
            counted = {"declared": number, "stood": stood, "lost": number - stood}
            yield from ((f"{name}.{what}", seat, times) for what, times in counted.items() if times)


def _apply_offer(state: JackNineState, row: JackNineRow, reading: DealReading) -> JackNineState:
    """Apply an accepted offer: elder hand writes the points, which may end the game."""
    terms = reading.terms
    assert terms is not None
    scored = {state.ring.side(reading.elder): terms.points}
    why = Message(
        "The offer is accepted: {seat} +{points}.", seat=SeatName(reading.elder), points=terms.points
    )
    if terms.deals:
        if not terms.points:
            why = Message("The offer is accepted.")
        dealer_again: dict[str, object] = {"what": why, "dealer": SeatName(reading.dealer)}
        why = Message("{what} {dealer} deals again.", **dealer_again)
        if terms.deals > 1:
            why = Message("{what} {dealer} deals again, {deals} times.", deals=terms.deals, **dealer_again)
    row = replace(row, result="offer", why=why)
    dealer = dealing.find_next_dealer(state.ruleset, reading.dealer, terms)
    after = _add_row(state, row, reading, scored, dealer)
    end = ending.find_game_end(state.ruleset, after.totals, reading.elder, played=after.count_played())
    return _end_game(after, end)


def _apply_belot(state: JackNineState, row: JackNineRow, reading: DealReading) -> JackNineState:
    """Let all cards of a suit in one hand win the match; nothing is written. Rule key: `meld.belot`."""
    seat = reading.deal.belot
    assert seat is not None
    why = Message("{seat} holds all cards of a suit and wins the match.", seat=SeatName(seat))
    row = replace(row, result="belot", why=why)
    after = _add_row(state, row, reading, {}, dealing.find_next_dealer(state.ruleset, reading.dealer))
    return after.end(state.ring.side(seat), "belot")


def _apply_misdeal(state: JackNineState, row: JackNineRow, reading: DealReading) -> JackNineState:
    """Apply a penalty before the play: the others write all that a deal holds, without melds."""
    offence, ruleset = reading.deal.penalty, state.ruleset
    assert offence is not None
    bid = None if reading.points is None else Bid(reading.points, reading.double)
    settled = penalties.settle_penalty(
        ruleset, offence.side, 0, state.held, reading.dealer, offence.offence, bid=bid
    )
    reading.keys += settled.keys
    row = replace(row, result=settled.result, why=settled.why)
    after = _add_row(state, row, reading, settled.scored, settled.next_dealer)
    return _end_game(after, ending.find_game_end(ruleset, after.totals, None, played=after.count_played()))


def _apply_played(state: JackNineState, row: JackNineRow, reading: DealReading) -> JackNineState:
    """Apply a deal that was played: its points, and the end of the game if it ends it."""
    ruleset, penalty = state.ruleset, reading.deal.penalty
    made, declarer, dealer = reading.made, reading.declarer, reading.dealer
    assert made is not None and declarer is not None
    bela = reading.bela
    # A penalty is settled as if nobody had been without a trick.
    trickless, offender = (reading.trickless, None) if penalty is None else ((), penalty.side)
    without = {side: state.trickless.get(side, 0) + 1 for side in trickless}
    if penalty is not None:
        settlement = penalties.settle_penalty(
            ruleset,
            penalty.side,
            sum(made.values()),
            state.held,
            dealer,
            penalty.offence,
            bela,
            reading.bid,
            reading.false_melds,
            reading.meld_points,
        )
    else:
        settlement = settle.settle_deal(
            ruleset,
            declarer,
            made,
            state.held,
            dealer,
            state.baits,
            bela,
            reading.false_melds,
            reading.bid,
            without,
        )
    why = settlement.why
    if "offer.refused" in reading.keys:
        why = Message("The offer was refused. {what}", what=why)
    if reading.deal.belas and not reading.belas:
        word = Word(ruleset.book.words["bela"])
        why = Message("{what} {bela} counts nothing in this deal.", what=why, bela=word)
    reading.keys += settlement.keys
    row = replace(row, result=settlement.result, why=why)
    if settlement.result == "void":
        return _add_row(state, row, reading, {}, dealer, used=False)
    totals = {side: state.totals[side] + settlement.scored[side] for side in state.ring.sides}
    played = state.count_played() + 1 if ruleset["deals"] else None
    own = state.ring.side(declarer)
    reading.keys += ending.cite_baited_at_target(ruleset, settlement, state.totals[own] + made[own])
    baited = own if settlement.result == "bait" else offender
    denied = ending.find_denied(ruleset, totals, bela, baited, trickless, state.waiting)
    end = ending.end_one_deal_game(ruleset, declarer, settlement) or ending.find_game_end(
        ruleset, totals, declarer, trickless, reading.last, offender, played, denied
    )
    if end.verdict == "void":
        reading.keys += (*end.keys, "deal.void")
        row = replace(row, result="void", why=end.why)
        return _add_row(state, row, reading, {}, dealer, used=False)
    if end.needs is not None:
        why = Message("The side that took the last trick is missing: both have the target, and it decides.")
        reading.flag(end.needs, end.keys[-1], why)
    after = _add_row(state, row, reading, settlement.scored, settlement.next_dealer, held=settlement.held)
    after = replace(after, trickless={**after.trickless, **without})
    if settlement.result == "bait":
        after = replace(after, baits={**after.baits, own: after.baits.get(own, 0) + 1})
    return _end_game(replace(after, waiting=denied), end)


def _end_game(state: JackNineState, end: ending.GameEnd) -> JackNineState:
    """End the game if this deal ended it, or name the side that may announce the end."""
    if end.winner is None and not end.may_finish and not {"end.both", "end.trick"} & set(end.keys):
        return state
    row = state.rows[-1]
    ids = tuple(rule.id for rule in state.ruleset.cite(*end.keys))
    why = Message("{what} {end}", what=row.why, end=end.why)
    row = replace(row, rules=tuple(dict.fromkeys((*row.rules, *ids))), why=why)
    after = replace(state, rows=state.rows[:-1].lengthen(row))
    return after if end.winner is None else after.end(end.winner, end.ended_by or "")


def _apply_called(state: JackNineState, row: JackNineRow, reading: DealReading) -> JackNineState:
    """Apply a deal ended by a call: the caller's count decides the game."""
    ruleset, call = state.ruleset, reading.deal.call
    assert call is not None and reading.made is not None
    made, caller = reading.made, state.ring.side(call.seat)
    took_trick = caller not in reading.trickless and reading.taker in (None, caller)
    if call.after_trick > ruleset.hand:
        why = Message("There are {tricks} tricks in a deal.", tricks=ruleset.hand)
        reading.flag("call.after_trick", "end.finish-when", why)
    ruling = ending.judge_call_in_play(
        ruleset,
        caller,
        state.totals[caller],
        made[caller],
        tricks=call.after_trick,
        took_trick=took_trick,
        next_card=False,
    )
    reading.keys += ruling.keys
    if ruling.winner is None:
        reading.flag("call", "end.finish-when", ruling.why)
        return _add_row(state, replace(row, why=ruling.why), reading, {}, state.next_dealer, used=False)
    upheld = ruling.verdict == "upheld"
    scored = {caller: made[caller]} if upheld else {}
    row = replace(row, result="finished" if upheld else "false-finish", why=ruling.why)
    dealer = next(seat for seat in state.ring.seats if state.ring.side(seat) == ruling.winner)
    after = _add_row(state, row, reading, scored, dealer)
    return after.end(ruling.winner, "finish" if upheld else "false-finish")


def describe_outcome(ruleset: JackNineRuleset, row: JackNineRow, reading: DealReading) -> Message | None:
    """Describe the end of a deal in the game's own words; None if it is unknown.

    >>> from companion import library
    >>> derda = library.open_game("derda").family
    >>> state = derda.start({"players": ["Ewa", "Jan"], "first_dealer": "A"})
    >>> revoke = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65},
    ...     "penalty": {"side": "B", "offence": "revoke"}}
    >>> str(derda.apply(state, derda.read(revoke, "")).rows[0].outcome)
    'B revoked'
    """
    deal, words, dealer = reading.deal, ruleset.book.words, SeatName(reading.dealer)
    match row.result:
        case "made" | "bait":
            return _describe_played(words, row)
        case "tie" if ruleset["tie"] == "defender-wins":
            return Message("equal")
        case "tie":
            return Message("{word}", word=Word(words["tie"]))
        case "penalty":
            return _describe_penalty(deal)
        case "belot":
            return Message("{seat}: {word}", seat=SeatName(deal.belot or ""), word=Word(words["belot"]))
        case "void":
            return _describe_void(deal, reading)
        case "thrown-in" if reading.after_schmeiss:
            schmeiss = Word(words["schmeiss"])
            return Message("{seat}: {schmeiss}, thrown in", seat=SeatName(reading.elder), schmeiss=schmeiss)
        case "thrown-in":
            return Message("Thrown in; {dealer} dealt", dealer=dealer)
        case "offer":
            return _describe_offer(reading, dealer)
        case "finished" | "false-finish" if deal.call is not None:
            return _describe_call(ruleset, deal.call.seat, row.result == "finished")
    return None


def _describe_played(words: Mapping[str, str], row: JackNineRow) -> Message:
    """Describe a played deal: made or baited, and a capot."""
    if row.result == "bait" and row.capot:
        return Message("{word}, {capot}", word=Word(words["bait"]), capot=Word(words["capot"]))
    if row.result == "bait" or row.capot:
        return Message("{word}", word=Word(words["capot" if row.capot else "bait"]))
    return Message("made it")


def _describe_call(ruleset: JackNineRuleset, seat: Seat, upheld: bool) -> Message:
    """Describe a call of the end, upheld or in vain."""
    facts = {"seat": SeatName(seat), "call": Word(ruleset.book.words["call"])}
    return Message("{seat}: {call}", **facts) if upheld else Message("{seat}: {call} – in vain", **facts)


def _describe_penalty(deal: Deal) -> Message:
    """Describe the offence that settled the deal."""
    assert deal.penalty is not None
    return penalties.describe_offence(deal.penalty.side, deal.penalty.offence)


def _describe_void(deal: Deal, reading: DealReading) -> Message:
    """Explain why a deal does not count."""
    dealer = SeatName(reading.dealer)
    if deal.penalty is not None:
        return Message("{offence}: does not count", offence=_describe_penalty(deal))
    if deal.redeal == "poor-hand":
        return Message("{seat}: poor hand", seat=SeatName(deal.by or ""))
    if deal.by is not None:
        points = reading.ruleset["four_sevens_points"]
        return Message("Four sevens: {seat} +{points}", seat=SeatName(deal.by), points=points)
    if deal.redeal == "four-sevens":
        return Message("Four sevens; {dealer} deals again", dealer=dealer)
    if deal.redeal is not None:
        return Message("Misdealt; {dealer} deals again", dealer=dealer)
    losers = [SideName(side) for side in sorted(reading.trickless)]
    return Message("no trick for {losers}: does not count", losers=losers)


def _describe_offer(reading: DealReading, dealer: SeatName) -> Message:
    """Describe the points and deals that elder hand gets for throwing the cards in."""
    terms, elder = reading.terms, SeatName(reading.elder)
    assert terms is not None
    if not terms.deals:
        return Message("Offer: {elder} +{points}", elder=elder, points=terms.points)
    if not terms.points:
        return Message("Offer: {dealer} deals again", dealer=dealer)
    return Message(
        "Offer: {elder} +{points}, {dealer} deals again", elder=elder, points=terms.points, dealer=dealer
    )
