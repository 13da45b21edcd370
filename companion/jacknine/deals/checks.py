"""Faults of a deal’s cards: a card in two places, a wrong play, a meld nobody held."""

from collections.abc import Sequence

from companion.jacknine.entries import collect_sides
from companion.jacknine.phases import auction, contest, count, melds, play
from companion.jacknine.phases.bela import explain_pairs
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.seats import Seat, Side

from .reading import DealReading


def check_turned_card(reading: DealReading) -> None:
    """Check the turned card against the suit that was chosen, and against a swap of the seven."""
    deal, trump, ruleset = reading.deal, reading.suit, reading.ruleset
    if deal.turn_up is not None:
        turned = trump == reading.turned_suit()
        if reading.turned not in (None, turned):
            facts = {"card": deal.turn_up, "suit": auction.show_suit(trump)}
            if turned:
                why = Message("The turned card is {card}, so {suit} is the turned suit.", **facts)
            else:
                why = Message("The turned card is {card}, so {suit} is not the turned suit.", **facts)
            reading.flag("contract.turned", "bid.second" if turned else "bid.first", why)
        reading.turned = turned
    if deal.exchanged is None:
        return
    if ruleset["seven"] == "never":
        reading.flag("exchanged", "seven.exchange", Message("The seven is never swapped here."))
    elif reading.turned is False:
        why = Message("The seven can be swapped only when the turned suit is trumps.")
        reading.flag("exchanged", "seven.exchange", why)
    elif ruleset["seven_by"] == "declarer" and deal.exchanged != reading.declarer:
        reading.flag("exchanged", "seven.who", Message("Only whoever chose trumps may swap the seven here."))
    elif deal.turn_up is not None and deal.turn_up == ruleset.seven(trump):
        reading.flag("exchanged", "seven.exchange", Message("The turned card is the seven itself."))


def check_trumps(reading: DealReading) -> None:
    """Check that without a trump suit there is no jass and no nine, and no more bela than pairs of trumps."""
    deal, ruleset = reading.deal, reading.ruleset
    if reading.suit != ALL_TRUMPS and len(deal.belas) > len(ruleset.pairs(reading.suit)):
        why, key = explain_pairs(ruleset, reading.suit)
        reading.flag("bela", key, why)
    if reading.suit == NO_TRUMPS:
        key, why = "cards.no-trumps", Message("In no-trumps there is no jass and no nine.")
    elif reading.suit == ALL_TRUMPS:
        key, why = "cards.all-trumps", Message("In all trumps no jack and no nine is counted by itself.")
    else:
        return
    for name in ("jass", "nine"):
        if deal.count is not None and getattr(deal.count, name) is not None:
            reading.flag(f"count.{name}", key, why)


def check_declared(reading: DealReading, declared: Sequence[melds.Meld]) -> None:
    """Check that no card is in two runs, and no card that is out of play in a run or in bela."""
    deal, ruleset = reading.deal, reading.ruleset
    announced = (*declared, *melds.find_worthless_fours(ruleset, deal.fours or ()))
    _check_shared_cards(reading, declared, announced)
    for number, meld in enumerate(declared):
        if melds.is_belot(ruleset, meld, reading.suit):
            why = Message("All cards of a suit win the match, so nothing is counted.")
            reading.flag(_locate_meld(reading, number, meld), "meld.belot", why)
        held_by_others = _find_cards_of_others(reading, meld.seat)
        absent = next((card for card in meld.cards(ruleset) if card in held_by_others), None)
        if absent is not None:
            at = _locate_meld(reading, number, meld)
            _flag_not_held(reading, at, "penalty.false-claim", meld.seat, absent)
    for seat in dict.fromkeys(reading.belas):
        others = {card for meld in announced if meld.seat != seat for card in meld.cards(ruleset)}
        others |= _find_cards_of_others(reading, seat)
        pairs = ruleset.pairs(reading.suit)
        missing = [card for pair in pairs for card in [card for card in pair if card in others][:1]]
        if len(pairs) - len(missing) < reading.belas.count(seat):
            _flag_not_held(reading, "bela", "bela.say", seat, missing[0])
        elif deal.count is not None:
            _check_bela_company(reading, seat, deal.count)


def _check_shared_cards(
    reading: DealReading, declared: Sequence[melds.Meld], announced: Sequence[melds.Meld]
) -> None:
    """Check that no card is in two hands, nor, unless that is judged, in two melds of one.

    `announced` are the declared melds and those that count nothing.
    """
    ruleset = reading.ruleset
    twice, overlap = melds.find_card_in_two_hands(ruleset, announced), None
    if not ruleset.book.knows("meld.set-aside"):
        overlap = melds.find_overlap(ruleset, declared)
    if twice:
        reading.flag_contradiction("runs", melds.explain_two_hands(*twice))
    elif overlap:
        why = Message("{card} is in two runs; it counts in only one.", card=overlap[2])
        if any(isinstance(meld, melds.Four) for meld in overlap[:2]):
            why = Message("{card} is in two melds; it counts in only one.", card=overlap[2])
        reading.flag("runs", "run.disjoint", why)


def _check_bela_company(reading: DealReading, seat: Seat, counted: count.CardCount) -> None:
    """Check that the side of a bela with the top trump, which takes every trick it is played to, has that.

    A call during play may come before it was played.
    """
    ruleset, side = reading.ruleset, reading.ruleset.ring.side(seat)
    if ruleset.jass_rank not in ruleset.bela_ranks or counted.jass == side:
        return
    if counted.jass is None and reading.deal.call is not None:
        return
    words = {name: Word(ruleset.book.words[name]) for name in ("bela", "jass")}
    why = Message(
        "{side} said {bela}, and {jass} is part of it: count it for {side} too.", side=SideName(side), **words
    )
    reading.flag("count.jass", "bela.value", why)


def _find_cards_of_others(reading: DealReading, seat: Seat) -> set[Card]:
    """Cards that a seat cannot have: those out of play, and the turned one if another took it."""
    card, by = reading.deal.turned_card, reading.deal.exchanged
    taken = {card} if card and by not in (None, seat) else set()
    return taken | reading.out()


def check_played_cards(
    reading: DealReading, taken: Sequence[play.TakenTrick], declared: Sequence[melds.Meld]
) -> None:
    """Check cards that were declared, turned up or swapped against the cards that were played."""
    deal, ruleset, trump = reading.deal, reading.ruleset, reading.suit
    hands = play.collect_hands(ruleset, taken)
    played = {card for hand in hands.values() for card in hand}
    whole = len(taken) == ruleset.hand
    for number, meld in enumerate(declared):
        why = contest.explain_false_meld(ruleset, meld, hands, whole)
        if why is not None:
            reading.flag(_locate_meld(reading, number, meld), "penalty.false-claim", why)
    for seat in dict.fromkeys(reading.belas):
        absent = [contest.find_card_not_held(pair, seat, hands, whole) for pair in ruleset.pairs(trump)]
        if absent.count(None) < reading.belas.count(seat):
            _flag_not_held(reading, "bela", "bela.say", seat, next(filter(None, absent)))
    if deal.shown in played:
        why = Message("{card} lay face up, so nobody can have played it.", card=deal.shown)
        reading.flag("shown", "play.trick", why)
    if ruleset.turned_card == "out" and deal.exchanged is None and deal.turn_up in played:
        why = Message("{card} was played, so somebody must have swapped the seven for it.", card=deal.turn_up)
        reading.flag("turn_up", "seven.exchange", why)
    if whole and deal.turned_card:
        _check_turned_card_taken(reading, hands, deal.turned_card)
    if deal.exchanged is not None:
        seven = ruleset.seven(trump)
        if seven in played:
            why = Message("{card} was played, so it was not swapped.", card=seven)
            reading.flag("exchanged", "seven.exchange", why)
        elif deal.turned_card and contest.find_card_not_held(
            (deal.turned_card,), deal.exchanged, hands, whole
        ):
            names = {"seat": SeatName(deal.exchanged), "card": deal.turned_card}
            why = Message("{seat} did not play {card}, so did not take it.", **names)
            reading.flag("exchanged", "seven.exchange", why)


def _check_turned_card_taken(reading: DealReading, hands: play.Hands, card: Card) -> None:
    """Check that the turned card went to the declarer, or to the dealer, if one of them gets it."""
    taker = {"declarer": reading.declarer, "dealer": reading.dealer}.get(reading.ruleset.turned_card)
    if taker is not None and card not in hands[taker]:
        why = Message("{seat} took {card} and did not play it.", seat=SeatName(taker), card=card)
        reading.flag("turn_up", "deal.rest", why)


def _locate_meld(reading: DealReading, number: int, meld: melds.Meld) -> str:
    """The field of a declared meld, with the number that it has among the runs."""
    if isinstance(meld, melds.Run):
        return f"runs[{number}]"
    return f"fours[{[four.rank for four in reading.deal.fours or ()].index(meld.rank)}]"


def _flag_not_held(reading: DealReading, path: str, key: str, seat: Seat, card: Card) -> None:
    """Flag that a seat cannot have held a card."""
    reading.flag(path, key, Message("{seat} did not hold {card}.", seat=SeatName(seat), card=card))


def check_plays(reading: DealReading, tricks: Sequence[Sequence[Card]]) -> None:
    """Check that every card was one that its holder could play."""
    for revoke in play.find_revokes(reading.ruleset, tricks, reading.leader, reading.suit):
        why = Message(
            "{seat} could not play {card}: {why}",
            seat=SeatName(revoke.seat),
            card=revoke.card,
            why=revoke.due.why,
        )
        reading.flag(f"tricks[{revoke.trick}][{revoke.place}]", revoke.due.key, why)


def check_trickless(reading: DealReading, taken: Sequence[play.TakenTrick]) -> None:
    """Find the sides without a trick, by the tricks or as stated; tricks bring them no points.

    Rule keys: `score.capot`, `end.trickless`.
    """
    deal, ruleset = reading.deal, reading.ruleset
    stated = collect_sides(deal.trickless)
    takers = {ruleset.ring.side(trick.taker) for trick in taken}
    wrong = [side for side in stated if side in takers or _has_tricks(reading, side)]
    for side in wrong:
        why = Message("{side} {side:has|have} points from tricks, so took at least one.", side=SideName(side))
        reading.flag("trickless", "score.capot" if ruleset.has_capot else "end.trickless", why)
    reading.trickless = stated - set(wrong)
    if len(taken) == ruleset.hand:
        reading.trickless = frozenset(side for side in ruleset.ring.sides if side not in takers)


def _has_tricks(reading: DealReading, side: Side) -> bool:
    """True if a side has the last trick, or points from tricks."""
    has_points = any(line.side == side and line.points for line in reading.lines)
    return reading.last == side or (has_points and not reading.has_discards(side))
