"""What cannot be right in a deal: cards in two places, wrong plays, counts that no cards carry."""

from collections.abc import Sequence

from ..rules.cards import Card, Suit
from ..rules.message import Message, SeatName
from . import count, melds, play
from .reading import Reading


def turned_card(reading: Reading) -> None:
    """The turned card must agree with the suit that was chosen, and with a swap of the seven."""
    deal, trump = reading.deal, reading.suit
    if deal.turn_up is not None:
        fits = trump == deal.turn_up.suit
        if reading.turned not in (None, fits):
            told = {"card": deal.turn_up, "suit": Suit(trump).sign}
            if fits:
                why = Message("The turned card is {card}, so {suit} is the turned suit.", **told)
            else:
                why = Message("The turned card is {card}, so {suit} is not the turned suit.", **told)
            reading.flag("contract.turned", "bid.second" if fits else "bid.first", why)
        reading.turned = fits
    if deal.exchanged is None:
        return
    if reading.turned is False:
        why = Message("The seven can be swapped only when the turned suit is trumps.")
        reading.flag("exchanged", "seven.exchange", why)
    if deal.turn_up == reading.ruleset.seven(trump):
        reading.flag("exchanged", "seven.exchange", Message("The turned card is the seven itself."))


def declared(reading: Reading, runs: Sequence[melds.Run]) -> None:
    """No card stands in two runs, and none that is out of play in a run or in bela."""
    deal, ruleset = reading.deal, reading.ruleset
    clash = melds.overlapping(ruleset, runs)
    if clash:
        why = Message("{card} stands in two runs; it counts in one.", card=clash[2])
        reading.flag("runs", "run.disjoint", why)
    for place, run in enumerate(runs):
        gone = [card for card in run.cards(ruleset) if card in _elsewhere(reading, run.seat)]
        if gone:
            _false(reading, f"runs[{place}]", "penalty.false-claim", run.seat, gone[0])
    if deal.bela is not None:
        others = {card for run in runs if run.seat != deal.bela for card in run.cards(ruleset)}
        others |= _elsewhere(reading, deal.bela)
        gone = [card for card in ruleset.bela(reading.suit) if card in others]
        if gone:
            _false(reading, "bela", "bela.say", deal.bela, gone[0])


def _elsewhere(reading: Reading, seat: str) -> set[Card]:
    """Cards that a seat cannot have: those out of play, and the turned one if another took it."""
    deal = reading.deal
    taken = {deal.turn_up} if deal.turn_up and deal.exchanged not in (None, seat) else set()
    return taken | reading.out()


def shown(reading: Reading, taken: Sequence[play.Taken], runs: Sequence[melds.Run]) -> None:
    """Cards that were declared, turned up or swapped must agree with the cards that were played."""
    deal, ruleset, trump = reading.deal, reading.ruleset, reading.suit
    hands = play.hands_played(taken, ruleset)
    played = {card for hand in hands.values() for card in hand}
    whole = len(taken) == ruleset.hand
    for place, run in enumerate(runs):
        absent = _not_held(run.cards(ruleset), run.seat, hands, whole)
        if absent:
            _false(reading, f"runs[{place}]", "penalty.false-claim", run.seat, absent)
    if deal.bela is not None:
        absent = _not_held(ruleset.bela(trump), deal.bela, hands, whole)
        if absent:
            _false(reading, "bela", "bela.say", deal.bela, absent)
    if deal.shown in played:
        why = Message("{card} lay face up, so nobody can have played it.", card=deal.shown)
        reading.flag("shown", "play.trick", why)
    if deal.turn_up is not None and deal.exchanged is None and deal.turn_up in played:
        why = Message("{card} was played, so somebody must have swapped the seven for it.", card=deal.turn_up)
        reading.flag("turn_up", "seven.exchange", why)
    if deal.exchanged is not None:
        seven = ruleset.seven(trump)
        if seven in played:
            why = Message("{card} was played, so it was not swapped.", card=seven)
            reading.flag("exchanged", "seven.exchange", why)
        elif deal.turn_up and _not_held((deal.turn_up,), deal.exchanged, hands, whole):
            why = Message(
                "{seat} did not play {card}, so did not take it.",
                seat=SeatName(deal.exchanged),
                card=deal.turn_up,
            )
            reading.flag("exchanged", "seven.exchange", why)


def _not_held(cards: Sequence[Card], seat: str, hands: play.Hands, whole: bool) -> Card | None:
    """A card that the seat cannot have held: another played it or, when all were played, the seat did not."""
    others = {card for who, hand in hands.items() if who != seat for card in hand}
    return next((card for card in cards if card in others or (whole and card not in hands[seat])), None)


def _false(reading: Reading, place: str, key: str, seat: str, card: Card) -> None:
    reading.flag(place, key, Message("{seat} did not hold {card}.", seat=SeatName(seat), card=card))


def plays(reading: Reading, tricks: Sequence[Sequence[Card]]) -> None:
    """Every card must have been one that its holder could play."""
    for wrong in play.misplays(reading.ruleset, tricks, reading.elder, reading.suit):
        why = Message(
            "{seat} could not play {card}: {why}",
            seat=SeatName(wrong.seat),
            card=wrong.card,
            why=wrong.due.why,
        )
        reading.flag(f"tricks[{wrong.trick}][{wrong.place}]", wrong.due.key, why)


def trickless(reading: Reading, taken: Sequence[play.Taken]) -> None:
    """The side without a trick, as the tricks show it or as it was told; tricks bring it no points."""
    deal, ruleset = reading.deal, reading.ruleset
    side = deal.trickless
    takers = {ruleset.ring.side(trick.taker) for trick in taken}
    if side in takers or side is not None and _has_tricks(reading, side):
        why = Message("{side} has points from tricks, so took at least one.", side=SeatName(side or ""))
        reading.flag("trickless", "end.trickless", why)
        side = None
    if len(taken) == ruleset.hand:
        side = next((one for one in ruleset.ring.sides if one not in takers), None)
    reading.trickless = side


def _has_tricks(reading: Reading, side: str) -> bool:
    return reading.last == side or any(line.side == side and line.points for line in reading.lines)


def counts(reading: Reading) -> None:
    """Counts that no deal can carry are refused, unless the deal was broken off by a call."""
    deal, ruleset, trump = reading.deal, reading.ruleset, reading.suit
    if deal.call is not None or reading.made is None or reading.problems:
        return
    out = reading.out()
    if deal.totals is not None:
        if deal.penalty is not None and deal.runs is None:
            return  # both sides' runs are in it, and nobody has said which
        known = count.Known(reading.words, runs=deal.runs is not None, bela=deal.bela is not None)
        bound, place = count.check_made(ruleset, reading.made, known, reading.last, out, trump), "totals"
    elif deal.count is not None:
        told = deal.count
        for word, card in ruleset.honours(trump).items():
            if card in out and getattr(told, word) is not None:
                reading.flag(f"count.{word}", "words.taken", Message("{card} was out of play.", card=card))
                return
        counted = count.Tally(told.cards, told.jass, told.nine, reading.last)
        bound, place = count.check_tally(ruleset, counted, out, trump), "count.cards"
    else:
        return
    if bound is not None:
        at = place if bound.what == "sum" else f"{place}.{bound.what}"
        reading.flag(at, "score.doubtful-count", bound.reason)
