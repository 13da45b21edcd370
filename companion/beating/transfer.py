"""Transfers: who may pass an attack on with a card of its rank, to whom, and the roles after it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from companion.rules.cards import Card, Suit
from companion.rules.message import Message, SeatName
from companion.rules.seats import Ring, Seat

from .bout import BoutProblem, BoutTable, Refusal, Roles, attack_cap, describe_count, limit_keys
from .entries import Transfer
from .ruleset import BeatingRuleset


@dataclass(frozen=True, slots=True)
class PassedCards:
    """The cards of a transfer: `cards` that are laid, or one that is only `shown`.

    `shown_before` says whether the same player has shown it in this hand; `trump` is the suit of trumps
    (None: nobody has said it), which matters to a card that is shown.
    """

    cards: tuple[Card, ...]
    shown: bool = False
    shown_before: bool = False
    trump: str | None = None


def next_defender(ring: Ring, defender: Seat, out: Collection[Seat]) -> Seat:
    """Find the next defender of a transferred attack: the next who was not out before the bout."""
    seat = ring.next_active(defender, out)
    assert seat is not None, "whoever attacked has not been out before"
    return seat


def transfer_roles(ring: Ring, roles: Roles, next_cards: int | None = None) -> Roles:
    """The roles once the defender has transferred: the defender attacks, the next with cards defends.

    `next_cards` is how many cards the new defender holds (None: nobody knows).
    """
    return replace(
        roles,
        attacker=roles.defender,
        defender=next_defender(ring, roles.defender, roles.out),
        defender_cards=next_cards,
        transferred=True,
    )


def ban_refusal(ruleset: BeatingRuleset, first_bout: bool) -> Refusal | None:
    """Refuse all transfers at this table, or in a hand's first bout; None if they are allowed.

    Rule keys: transfer, transfer.first.
    """
    if ruleset["transfer"] == "off" or ruleset.ring.partnerships:
        return Refusal(Message("Here no attack is transferred."), "transfer.lay")
    if first_bout and ruleset["transfer_first"] == "off":
        why = Message("Here no attack is transferred in the first bout of a hand.")
        return Refusal(why, "transfer.first")
    return None


def transfer_refusal(
    ruleset: BeatingRuleset, roles: Roles, table: BoutTable, by: Seat, passed: PassedCards
) -> Refusal | None:
    """Refuse a player's transfer of an attack, whatever the next one holds; None if it is allowed.

    Rule keys: transfer, transfer.first, transfer.unbeaten, transfer.pass-card, transfer.several, jokers,
    throw.cap-any.
    """
    ban = ban_refusal(ruleset, roles.first_bout)
    if ban is not None:
        return ban
    defender = SeatName(roles.defender)
    if by != roles.defender:
        return Refusal(
            Message("Only {defender}, who defends, may transfer.", defender=defender), "transfer.lay"
        )
    if not table.pairs:
        return Refusal(Message("There is nothing to transfer yet."), "transfer.lay")
    if table.picking_up:
        why = Message("{defender} picks up, and so transfers nothing any more.", defender=defender)
        return Refusal(why, "transfer.unbeaten", ("transfer.lay",))
    if table.any_beaten:
        why = Message("A card is beaten already: {defender} beats on or picks up.", defender=defender)
        return Refusal(why, "transfer.unbeaten")
    attack = table.pairs[0][0]
    card = next((card for card in passed.cards if card.rank != attack.rank), None)
    if card is not None:
        why = Message("{card} does not have the rank of {attack}, which attacks.", card=card, attack=attack)
        return Refusal(why, "transfer.lay", ("beat.joker",) * (card.is_joker or attack.is_joker))
    if passed.shown and not passed.cards[1:]:
        return _show_refusal(ruleset, by, passed)
    return _cap_refusal(ruleset, roles, count_to_beat(table, passed)) or _several_refusal(
        ruleset, passed.cards, passed.shown
    )


def _several_refusal(ruleset: BeatingRuleset, cards: Sequence[Card], shown: bool) -> Refusal | None:
    """Refuse to transfer with so many cards at once; None if it is allowed."""
    if not cards[1:]:
        return None
    if not ruleset.transfers_several():
        return Refusal(Message("Here an attack is transferred with one card at a time."), "transfer.lay")
    alone = Message("A card that is shown is shown alone.")
    return Refusal(alone, "transfer.several") if shown else None


def _cap_refusal(ruleset: BeatingRuleset, roles: Roles, cards: int) -> Refusal | None:
    """Refuse so many attack cards in a bout, whatever the next player holds; None if they are allowed."""
    cap = attack_cap(ruleset, roles)
    if cap is None or cards <= cap:
        return None
    key, *also = limit_keys(ruleset, roles)
    return Refusal(Message("A bout has at most {most} attack cards.", most=cap), key, tuple(also))


def _show_refusal(ruleset: BeatingRuleset, by: Seat, passed: PassedCards | None) -> Refusal | None:
    """Refuse to show a card of the right rank (None: not stated) instead of laying it, or None."""
    if ruleset["pass_card"] == "off":
        why = Message("Here a card is played to transfer, and it is not enough to show one.")
        return Refusal(why, "transfer.lay")
    if passed is None:
        return None
    (card,) = passed.cards
    if card.is_joker or passed.trump not in (None, card.suit):
        why = Message("{card} is not a trump, and only a trump may be shown.", card=card)
        return Refusal(why, "transfer.pass-card")
    if passed.shown_before:
        why = Message("{who} has shown {card} in this hand already.", who=SeatName(by), card=card)
        return Refusal(why, "transfer.pass-card")
    return None


def count_to_beat(table: BoutTable, passed: PassedCards) -> int:
    """Count the cards to be beaten after a transfer."""
    return len(table.pairs) + (0 if passed.shown else len(passed.cards))


def hand_refusal(ring: Ring, roles: Roles, cards: int, next_cards: int) -> Refusal | None:
    """Refuse to let the next player, with so many cards, face so many attack cards (transfer.hand)."""
    if next_cards >= cards:
        return None
    following = SeatName(next_defender(ring, roles.defender, roles.out))
    facts = {"following": following, "held": describe_count(next_cards), "cards": describe_count(cards)}
    why = Message("{following} holds {held} and would have to beat {cards}.", **facts)
    if not next_cards:
        why = Message("{following} holds no card and would have to beat {cards}.", **facts)
    return Refusal(why, "transfer.hand")


ShownTrumps = frozenset[tuple[Seat, Card]]
"""The trumps that were shown in a hand, each with its player."""


def follow_transfers(
    ruleset: BeatingRuleset,
    roles: Roles,
    transfers: Sequence[Transfer],
    trump: str | None = None,
    shown: ShownTrumps = frozenset(),
) -> tuple[Roles, BoutProblem | None]:
    """Follow the stated transfers of a bout: the roles after them, and what is wrong, if anything.

    `roles` are those of its beginning; `trump` is the suit of trumps, if it is known; `shown` are the cards
    shown in earlier bouts of the hand. Wrong transfers are followed all the same, as they stand. Rule keys:
    transfer, transfer.first, transfer.pass-card, transfer.several, throw.cap-any.
    """
    if not transfers:
        return roles, None
    ban = ban_refusal(ruleset, roles.first_bout)
    problem = (
        BoutProblem("transfers", ban) if ban else _cards_problem(ruleset, roles, transfers, trump, shown)
    )
    for n, transfer in enumerate(transfers):
        if transfer.by != roles.defender:
            facts = {"due": SeatName(roles.defender), "other": SeatName(transfer.by)}
            why = Message("{due} defends now and may transfer, not {other}.", **facts)
            problem = problem or BoutProblem(f"transfers[{n}].by", Refusal(why, "transfer.lay"))
        roles = transfer_roles(ruleset.ring, replace(roles, defender=transfer.by))
    return roles, problem


def count_placed(transfers: Sequence[Transfer]) -> int:
    """Count the cards laid to transfer, at the least: those stated, or one each time."""
    return sum(max(1, len(transfer.cards)) for transfer in transfers if not transfer.shown)


def _cards_problem(
    ruleset: BeatingRuleset,
    roles: Roles,
    transfers: Sequence[Transfer],
    trump: str | None,
    shown: ShownTrumps,
) -> BoutProblem | None:
    """Find faults in the stated cards by which a bout was transferred."""
    ranks = [card.rank for transfer in transfers for card in transfer.cards]
    alike = sum(card.rank == ranks[0] for card in ruleset.pack) if ranks else len(Suit)
    most, placed = alike - 1, count_placed(transfers)  # one of that rank attacked
    if placed > most:
        why = Message("One card of the rank attacked, so at most {most} can be laid to transfer.", most=most)
        return BoutProblem("transfers", Refusal(why, "transfer.lay"))
    over_cap = _cap_refusal(ruleset, roles, 1 + placed) if placed else None
    if over_cap is not None:
        return BoutProblem("transfers", over_cap)
    for n, transfer in enumerate(transfers):
        refusal = _several_refusal(ruleset, transfer.cards, transfer.shown)
        refusal = refusal or _card_refusal(transfers[:n], transfer)
        if refusal is None and transfer.shown:
            refusal = _stated_show_refusal(ruleset, transfers[:n], transfer, trump, shown)
        if refusal is not None:
            return BoutProblem(f"transfers[{n}].{'card' if transfer.cards else 'shown'}", refusal)
    return None


def _card_refusal(before: Sequence[Transfer], one: Transfer) -> Refusal | None:
    """Refuse cards with which an attack cannot have been transferred after these transfers, or None."""
    used = {card: transfer for transfer in before for card in transfer.cards}
    for card in one.cards:
        first, earlier = next(iter(used), card), used.get(card)
        if card.rank != first.rank:
            why = Message("{card} does not have the rank of {other}.", card=card, other=first)
            return Refusal(why, "transfer.lay")
        if earlier is not None and not earlier.shown:
            why = Message("{card} lies on the table, laid by {who}.", card=card, who=SeatName(earlier.by))
            return Refusal(why, "transfer.lay")
        if earlier is not None and earlier.by != one.by:
            who = SeatName(earlier.by)
            why = Message("{card} is in the hand of {who}, who has shown it.", card=card, who=who)
            return Refusal(why, "transfer.lay")
        used[card] = one
    return None


def _stated_show_refusal(
    ruleset: BeatingRuleset, before: Sequence[Transfer], one: Transfer, trump: str | None, shown: ShownTrumps
) -> Refusal | None:
    """Refuse that a card, which need not be stated, was shown instead of laid, or None."""
    was_shown = any((one.by, card) in shown for card in one.cards)
    passed = PassedCards(one.cards, True, was_shown, trump) if one.cards else None
    refusal = _show_refusal(ruleset, one.by, passed)
    if refusal is None and any(other.shown for other in before):
        why = Message("Each rank has one trump, and it can be shown only once.")
        return Refusal(why, "transfer.pass-card")
    return refusal
