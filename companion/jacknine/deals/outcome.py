"""What a deal came to in a few words, behind the suit and its declarer: who did what."""

from companion.jacknine.entries import Deal
from companion.jacknine.phases.settle import describe_offence
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.state import JackNineRow
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.seats import Seat

from .reading import DealReading


def describe_outcome(ruleset: JackNineRuleset, row: JackNineRow, reading: DealReading) -> Message | None:
    """How a deal ended, in the game's own words; None where it is not known.

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
        case "made":
            return Message("made it")
        case "bait":
            return Message("{word}", word=Word(words["bait"]))
        case "tie" if ruleset["tie"] == "defender-wins":
            return Message("equal")
        case "tie":
            return Message("{word}", word=Word(words["tie"]))
        case "penalty":
            return _describe_penalty(deal)
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
            return describe_call(ruleset, deal.call.seat, row.result == "finished")
    return None


def describe_call(ruleset: JackNineRuleset, seat: Seat, upheld: bool) -> Message:
    """Who called the end, and whether rightly."""
    facts = {"seat": SeatName(seat), "call": Word(ruleset.book.words["call"])}
    return Message("{seat}: {call}", **facts) if upheld else Message("{seat}: {call} – in vain", **facts)


def _describe_penalty(deal: Deal) -> Message:
    """Whose offence settled the deal."""
    assert deal.penalty is not None
    return describe_offence(deal.penalty.side, deal.penalty.offence)


def _describe_void(deal: Deal, reading: DealReading) -> Message:
    """Why a deal does not count."""
    dealer = SeatName(reading.dealer)
    if deal.penalty is not None:
        return Message("{offence}: does not count", offence=_describe_penalty(deal))
    if deal.redeal == "four-sevens":
        return Message("Four sevens; {dealer} deals again", dealer=dealer)
    if deal.redeal is not None:
        return Message("Misdealt; {dealer} deals again", dealer=dealer)
    losers = [SideName(side) for side in sorted(reading.trickless)]
    return Message("no trick for {losers}: does not count", losers=losers)


def _describe_offer(reading: DealReading, dealer: SeatName) -> Message:
    """What elder hand gets for throwing the cards in."""
    terms, elder = reading.terms, SeatName(reading.elder)
    assert terms is not None
    if not terms.deals:
        return Message("Offer: {elder} +{points}", elder=elder, points=terms.points)
    if not terms.points:
        return Message("Offer: {dealer} deals again", dealer=dealer)
    return Message(
        "Offer: {elder} +{points}, {dealer} deals again", elder=elder, points=terms.points, dealer=dealer
    )
