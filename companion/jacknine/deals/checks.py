"""What cannot be right in a deal: cards in two places, wrong plays, counts that no cards carry."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.jacknine.entries import collect_sides
from companion.jacknine.phases import contest, count, declarations, melds, play
from companion.jacknine.solver import plausibility
from companion.jacknine.solver.facts import UNKNOWN, FaceUpCards, RecordedFacts
from companion.rules.cards import NO_TRUMPS, Card, Suit
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.seats import Seat, Side

from .reading import DealReading


def check_turned_card(reading: DealReading) -> None:
    """The turned card must agree with the suit that was chosen, and with a swap of the seven."""
    deal, trump, ruleset = reading.deal, reading.suit, reading.ruleset
    if deal.turn_up is not None:
        turned = trump == reading.turned_suit()
        if reading.turned not in (None, turned):
            facts = {"card": deal.turn_up, "suit": _show_trump(trump)}
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
    elif deal.turn_up is not None and deal.turn_up == ruleset.seven(trump):
        reading.flag("exchanged", "seven.exchange", Message("The turned card is the seven itself."))


def _show_trump(trump: str) -> object:
    """The sign of a trump suit, or the word for none."""
    return Message("no-trumps") if trump == NO_TRUMPS else Suit(trump).sign


def check_no_trumps(reading: DealReading) -> None:
    """Without trumps there is no jass, no nine and no bela."""
    if reading.suit != NO_TRUMPS:
        return
    deal = reading.deal
    owners = {"bela": deal.bela}
    if deal.count is not None:
        owners |= {"count.jass": deal.count.jass, "count.nine": deal.count.nine}
    for place, owner in owners.items():
        if owner is not None:
            why = Message("In no-trumps there is no jass, no nine and no bela.")
            reading.flag(place, "cards.no-trumps", why)


def check_declared(reading: DealReading, declared: Sequence[melds.Meld]) -> None:
    """No card stands in two runs, and none that is out of play in a run or in bela."""
    deal, ruleset = reading.deal, reading.ruleset
    overlap = melds.find_overlap(ruleset, declared)
    if overlap:
        why = Message("{card} is in two runs; it counts in only one.", card=overlap[2])
        reading.flag("runs", "run.disjoint", why)
    for place, meld in enumerate(declared):
        held_by_others = _find_cards_of_others(reading, meld.seat)
        absent = next((card for card in meld.cards(ruleset) if card in held_by_others), None)
        if absent is not None:
            at = _locate_meld(reading, place, meld)
            _flag_not_held(reading, at, "penalty.false-claim", meld.seat, absent)
    if deal.bela is not None:
        others = {card for meld in declared if meld.seat != deal.bela for card in meld.cards(ruleset)}
        others |= _find_cards_of_others(reading, deal.bela)
        absent = next((card for card in ruleset.bela(reading.suit) if card in others), None)
        if absent is not None:
            _flag_not_held(reading, "bela", "bela.say", deal.bela, absent)
        elif deal.count is not None:
            _check_bela_company(reading, deal.bela, deal.count)


def _check_bela_company(reading: DealReading, seat: Seat, counted: count.CardCount) -> None:
    """Where bela holds the top trump, which takes every trick it is played to, its side has that trick.

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
    card, by = reading.deal.turn_up, reading.deal.exchanged
    taken = {card} if isinstance(card, Card) and by not in (None, seat) else set()
    return taken | reading.out()


def check_played_cards(
    reading: DealReading, taken: Sequence[play.TakenTrick], declared: Sequence[melds.Meld]
) -> None:
    """Cards that were declared, turned up or swapped must agree with the cards that were played."""
    deal, ruleset, trump = reading.deal, reading.ruleset, reading.suit
    hands = play.collect_hands(ruleset, taken)
    played = {card for hand in hands.values() for card in hand}
    whole = len(taken) == ruleset.hand
    for place, meld in enumerate(declared):
        why = declarations.explain_false_meld(ruleset, meld, hands, whole)
        if why is not None:
            reading.flag(_locate_meld(reading, place, meld), "penalty.false-claim", why)
    if deal.bela is not None:
        absent = declarations.find_card_not_held(ruleset.bela(trump), deal.bela, hands, whole)
        if absent:
            _flag_not_held(reading, "bela", "bela.say", deal.bela, absent)
    if deal.shown in played:
        why = Message("{card} lay face up, so nobody can have played it.", card=deal.shown)
        reading.flag("shown", "play.trick", why)
    turned_out = isinstance(deal.turn_up, Card) and ruleset.turned_card == "out"
    if turned_out and deal.exchanged is None and deal.turn_up in played:
        why = Message("{card} was played, so somebody must have swapped the seven for it.", card=deal.turn_up)
        reading.flag("turn_up", "seven.exchange", why)
    if deal.exchanged is not None:
        seven = ruleset.seven(trump)
        if seven in played:
            why = Message("{card} was played, so it was not swapped.", card=seven)
            reading.flag("exchanged", "seven.exchange", why)
        elif isinstance(deal.turn_up, Card) and declarations.find_card_not_held(
            (deal.turn_up,), deal.exchanged, hands, whole
        ):
            why = Message(
                "{seat} did not play {card}, so did not take it.",
                seat=SeatName(deal.exchanged),
                card=deal.turn_up,
            )
            reading.flag("exchanged", "seven.exchange", why)


def _locate_meld(reading: DealReading, number: int, meld: melds.Meld) -> str:
    """The field of a declared meld, with the number that it has among the runs."""
    if isinstance(meld, melds.Run):
        return f"runs[{number}]"
    return f"fours[{[four.rank for four in reading.deal.fours or ()].index(meld.rank)}]"


def _flag_not_held(reading: DealReading, place: str, key: str, seat: Seat, card: Card) -> None:
    """Note that a seat cannot have held a card."""
    reading.flag(place, key, Message("{seat} did not hold {card}.", seat=SeatName(seat), card=card))


def check_plays(reading: DealReading, tricks: Sequence[Sequence[Card]]) -> None:
    """Every card must have been one that its holder could play."""
    for revoke in play.find_revokes(reading.ruleset, tricks, reading.elder, reading.suit):
        why = Message(
            "{seat} could not play {card}: {why}",
            seat=SeatName(revoke.seat),
            card=revoke.card,
            why=revoke.due.why,
        )
        reading.flag(f"tricks[{revoke.trick}][{revoke.place}]", revoke.due.key, why)


def check_trickless(reading: DealReading, taken: Sequence[play.TakenTrick]) -> None:
    """The sides without a trick, as the tricks show it or as it was stated; tricks bring them no points."""
    deal, ruleset = reading.deal, reading.ruleset
    stated = collect_sides(deal.trickless)
    takers = {ruleset.ring.side(trick.taker) for trick in taken}
    wrong = [side for side in stated if side in takers or _has_tricks(reading, side)]
    for side in wrong:
        why = Message("{side} {side:has|have} points from tricks, so took at least one.", side=SideName(side))
        reading.flag("trickless", "end.trickless", why)
    reading.trickless = stated - set(wrong)
    if len(taken) == ruleset.hand:
        reading.trickless = frozenset(side for side in ruleset.ring.sides if side not in takers)


def _has_tricks(reading: DealReading, side: Side) -> bool:
    """Whether a side has the last trick, or points from tricks."""
    return reading.last == side or any(line.side == side and line.points for line in reading.lines)


def check_counts(reading: DealReading) -> None:
    """Counts that no deal can carry are refused, unless the deal was broken off by a call."""
    deal, ruleset, trump = reading.deal, reading.ruleset, reading.suit
    if deal.call is not None or reading.made is None or reading.problems:
        return
    out, whole = reading.out(), True
    owners: dict[Card, Side | None] = {}
    if deal.totals is not None:
        if deal.penalty is not None and deal.runs is None:
            return  # both sides' runs are in it, and nobody has said which
        if _leaves_melds_out(reading):
            return
        trickless = reading.trickless if deal.penalty is None else ()  # a penalty moves every meld
        melds_known = deal.runs is not None and (not ruleset.fours or deal.fours is not None)
        melds_known = melds_known and reading.melds_known
        known = count.KnownMelds(reading.meld_points, runs=melds_known, bela=deal.bela is not None)
        whole = known.runs and known.bela
        bound, place = (
            count.check_whole_counts(ruleset, reading.made, known, reading.last, out, trump, trickless),
            "totals",
        )
    elif deal.count is not None:
        for word, card in ruleset.honours(trump).items():
            owners[card] = getattr(deal.count, word)
            if card in out and owners[card] is not None:
                reading.flag(f"count.{word}", "words.taken", Message("{card} was out of play.", card=card))
                return
        cards = count.complete_card_points(ruleset, deal.count.cards, trump)
        counted = replace(deal.count, cards=cards, last=reading.last)
        bound, place = count.check_card_count(ruleset, counted, out, trump), "count.cards"
    else:
        return
    if bound is None and whole and deal.penalty is None:
        _check_playable(reading, place, owners)
    if bound is not None:
        field = place if bound.what == "sum" else f"{place}.{bound.what}"
        reading.flag(field, "score.doubtful-count", bound.reason)


def _leaves_melds_out(reading: DealReading) -> bool:
    """Whether a total leaves out melds that stand, as it may only without a trick; that has to be stated."""
    deal, ruleset, made = reading.deal, reading.ruleset, reading.made
    assert made is not None
    if deal.penalty is not None or not contest.loses_melds_without_trick(ruleset):
        return False
    for side in ruleset.ring.sides:
        bela = deal.bela is not None and ruleset.ring.side(deal.bela) == side
        least = ruleset.bela_points if bela and not ruleset["words_need_trick"] else 0
        if side not in (*reading.trickless, reading.last) and made[side] == least < reading.meld_points[side]:
            why = Message(
                "{found} for {side} leaves out {points} declared points, lost only without a trick.",
                found=made[side],
                side=SideName(side),
                points=reading.meld_points[side] - least,
            )
            reading.flag("trickless", "meld.trickless", why)
    return bool(reading.problems)


def _check_playable(reading: DealReading, place: str, owners: Mapping[Card, Side | None]) -> None:
    """Counts that pass every bound must still come from cards that can be dealt and taken.

    Declared melds are left out: whether they were genuine is another question than what was counted.
    """
    deal, ruleset, made = reading.deal, reading.ruleset, reading.made
    assert made is not None
    turned = deal.turn_up if isinstance(deal.turn_up, Card) else None
    recorded = RecordedFacts(
        reading.suit,
        reading.last,
        frozenset(owners.items()),
        FaceUpCards(turned, deal.shown, deal.exchanged or UNKNOWN),
    )
    meld_points = tuple(reading.meld_points[side] for side in ruleset.ring.sides)
    points = tuple(made[side] - reading.meld_points[side] for side in ruleset.ring.sides)
    inconsistency = plausibility.find_inconsistency(ruleset, points, recorded, meld_points)
    if inconsistency is not None:
        side, why = inconsistency
        reading.flag(f"{place}.{side}" if side else place, "score.doubtful-count", why)
