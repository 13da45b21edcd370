"""Rulings on one card at the table: beating, throwing in, transferring the attack."""

from collections.abc import Sequence

from companion.beating import bout, transfer
from companion.beating.bout import BoutTable, Roles, describe_count
from companion.beating.ruleset import BeatingRuleset
from companion.beating.steps import compare_cards
from companion.rules.cards import Card, Suit
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message, SeatName, Word
from companion.rules.question import Judgement, check_distinct

from . import questions


def rule_on_beat(ruleset: BeatingRuleset, q: questions.BeatFacts) -> Judgement:
    """Rule on whether one card beats another: verdict `beats` or `does-not-beat`.

    Rule keys: those of `compare_cards`.
    """
    check_distinct([q.attack, q.card], "with")
    found = compare_cards(ruleset, q.attack, q.card, q.trump)
    return Judgement("beats" if found.beats else "does-not-beat", {}, found.why, found.keys)


def rule_on_throw_in(ruleset: BeatingRuleset, q: questions.ThrowInFacts) -> Judgement:
    """Rule on whether a player may attack with these cards: verdict `allowed` or `not-allowed`.

    The answer has `limit`, the most attack cards of the bout, and `more`, how many may still come. After a
    transfer the facts are those since then. Rule keys: throw.who, throw.at-once, throw.priority, throw.rank,
    throw.several, throw.limit, throw.cap, throw.cap-any, throw.cap-taker, bout.closed, start.first-card,
    jokers.
    """
    roles = Roles(
        q.attacker,
        q.defender,
        frozenset(q.out),
        q.defender_cards,
        q.first_bout,
        q.none_beaten_off,
        opening=read_opening(ruleset, q.shown_trump, q.trump),
    )
    check_roles(ruleset, roles)
    check_distinct([*(card for pair in q.table for card in pair), *q.cards], "card")
    table = _read_table(ruleset, q.table, q.picking_up, q.trump)
    beaten = sum(card is not None for _attack, card in table.pairs)
    if beaten > q.defender_cards:
        raise Unreadable(
            "defender_cards",
            Message("at least {count}, as so many attack cards are beaten", count=beaten),
            q.defender_cards,
        )
    most = bout.attack_limit(ruleset, roles, q.defender_cards, table.picking_up)
    refusal = bout.throw_refusal(ruleset, roles, table, q.by, q.cards, q.stopped)
    closed = table.picking_up and bool(ruleset["pick_up_ends"])
    answer = {"limit": most, "more": 0 if closed else max(0, most - len(table.pairs))}
    if refusal is not None:
        return Judgement("not-allowed", answer, refusal.why, refusal.keys)
    by, cards, limit = SeatName(q.by), list(q.cards), bout.limit_keys(ruleset, roles, table.picking_up)
    if not table.pairs:
        why = Message("{by} opens the bout, and any card will do.", by=by)
        if roles.opening is not None:
            why = Message("{by} opens the bout with the lowest trump, which was shown.", by=by)
        if q.cards[1:]:
            why = Message("{by} opens the bout with {cards}, all of one rank.", by=by, cards=cards)
        first = ("start.first-card",) * (roles.opening is not None)
        who = "throw.several" if q.cards[1:] else "throw.who"
        return Judgement("allowed", answer, why, (*first, who, *limit))
    jokers = q.cards[0].is_joker
    ranks = list(dict.fromkeys(Message("joker") if card.is_joker else Word(card.rank) for card in q.cards))
    why = Message("{ranks} lies on the table, and {by} may attack.", ranks=ranks, by=by)
    if ranks == [Message("joker")]:
        why = Message("A joker lies on the table, and {by} may attack.", by=by)
    if ranks[1:]:
        why = Message("{ranks} lie on the table, and {by} may attack.", ranks=ranks, by=by)
    several = ("throw.several",) if q.cards[1:] else ()
    early = q.by != q.attacker and not table.any_beaten and not table.picking_up
    who = "throw.at-once" if early else "throw.who"
    return Judgement("allowed", answer, why, ("throw.rank", who, *limit, *several, *("beat.joker",) * jokers))


def rule_on_transfer(ruleset: BeatingRuleset, q: questions.TransferFacts) -> Judgement:
    """Rule on whether the defender may transfer with this card: verdict `allowed` or `not-allowed`.

    The answer has `attacker`, the principal attacker then, `defender`, who must defend then, and `cards`, how
    many that player has to beat; if it is not allowed, no attacker, who must defend now, and how many. Rule
    keys: transfer, transfer.first, transfer.unbeaten, transfer.hand, transfer.pass-card, transfer.several,
    throw.cap-any, jokers.
    """
    ring = ruleset.ring
    if q.defender in q.out:
        raise Unreadable("out", Message("players other than the defender"), q.defender)
    if ring.next_active(q.defender, q.out) is None:
        raise Unreadable("out", Message("seats that leave somebody to transfer to"), list(q.out))
    check_distinct([*(card for pair in q.table for card in pair), *q.cards], "card")
    table = _read_table(ruleset, q.table, q.picking_up, q.trump)
    ranks = {attack.rank for attack, _beat in table.pairs}
    if ranks and len(ranks) > 1 and not table.any_beaten:
        raise Unreadable("table", Message("attack cards of one rank, as none of them is beaten"))
    passed = transfer.PassedCards(q.cards, q.shown, q.shown_before, q.trump)
    roles = Roles(ring.left(q.defender, -1), q.defender, frozenset(q.out), first_bout=q.first_bout)
    refusal = transfer.transfer_refusal(ruleset, roles, table, q.defender, passed)
    cards = transfer.count_to_beat(table, passed)
    if refusal is None:
        refusal = transfer.hand_refusal(ring, roles, cards, q.next_cards)
    if refusal is None and q.shown and q.trump is None:
        raise MissingFact("trump")
    if refusal is not None:
        waiting = sum(beat is None for _attack, beat in table.pairs)
        answer = {"attacker": None, "defender": q.defender, "cards": waiting}
        return Judgement("not-allowed", answer, refusal.why, refusal.keys)
    then = transfer.transfer_roles(ring, roles, q.next_cards)
    facts = {"defender": SeatName(then.defender), "count": describe_count(cards), "card": q.cards[0]}
    why = Message("{card} has the rank attacked with: {defender} now has to beat {count}.", **facts)
    if q.cards[1:]:
        why = Message(
            "{cards} have the rank attacked with: {defender} now has to beat {count}.",
            **facts,
            cards=list(q.cards),
        )
    answer = {"attacker": then.attacker, "defender": then.defender, "cards": cards}
    shown, joker = ("transfer.pass-card",) * q.shown, ("beat.joker",) * q.cards[0].is_joker
    several = ("transfer.several",) * bool(q.cards[1:])
    return Judgement("allowed", answer, why, ("transfer.lay", *several, *shown, *joker, "transfer.hand"))


def read_opening(ruleset: BeatingRuleset, shown: Card | None, trump: str | None) -> Card | None:
    """The card with which the first attack of a first hand has to be made, if the table plays so.

    :raises Unreadable: if it is no trump.
    """
    if shown is None or not ruleset.opens_with_lowest_trump():
        return None
    if trump not in (None, shown.suit) and not ruleset.is_top_joker(shown, trump or ""):
        raise Unreadable("shown_trump", Message("a trump"), str(shown))
    return shown


def _read_table(
    ruleset: BeatingRuleset, players: Sequence[Sequence[Card]], picking_up: bool, trump: str | None
) -> BoutTable:
    """The cards on the table.

    :raises Unreadable: for a card that does not beat what it lies on, and for picking up nothing.
    """
    table = BoutTable(tuple((pair[0], pair[1] if pair[1:] else None) for pair in players), picking_up)
    if picking_up and not table.pairs:
        raise Unreadable("picking_up", Message("false while nothing lies on the table"))
    for n, (attack, card) in enumerate(table.pairs):
        if card is not None and not _may_beat(ruleset, attack, card, trump):
            raise Unreadable(
                f"table[{n}][1]", Message("a card that beats {attack}", attack=attack), str(card)
            )
    return table


def _may_beat(ruleset: BeatingRuleset, attack: Card, card: Card, trump: str | None) -> bool:
    """True if a card beats another, or may while the trumps are unknown."""
    trumps = [trump] if trump is not None else list(Suit)
    return any(compare_cards(ruleset, attack, card, trump).beats for trump in trumps)


def check_roles(ruleset: BeatingRuleset, roles: Roles) -> None:
    """Check that attacker and defender are opponents and have cards.

    :raises Unreadable: if they are partners, or one of them is out.
    """
    questions.check_opponents(ruleset, roles.attacker, roles.defender)
    for who in (roles.attacker, roles.defender):
        if who in roles.out:
            raise Unreadable("out", Message("players other than the attacker and the defender"), who)
