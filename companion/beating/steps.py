"""A bout step by step: attacks, beating, transfers and picking up, to its end or to its first wrong step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from companion.rules import schema
from companion.rules.cards import Card, Suit, beats
from companion.rules.errors import MissingFact
from companion.rules.message import Message, SeatName
from companion.rules.schema import Boolean, CardOf, ListOf, SeatOf
from companion.rules.seats import Seat

from .bout import BoutTable, Refusal, Roles, attack_limit, describe_count, throw_refusal
from .entries import OneOrMany
from .ruleset import BeatingRuleset
from .transfer import PassedCards, count_to_beat, hand_refusal, transfer_refusal, transfer_roles


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of a card with an attack card: if it `beats` that, why, and the keys of the rules."""

    beats: bool
    why: Message
    keys: tuple[str, ...]


def compare_cards(ruleset: BeatingRuleset, attack: Card, card: Card, trump: str) -> Comparison:
    """Compare `card` with the attack card `attack`, `trump` being the suit of trumps.

    Rule keys: beat.plain, beat.trump, deck, jokers, jokers.trump, beat.lowest-ace, beat.spades.
    """
    facts = {"card": card, "attack": attack}
    spades_hold = attack.suit == Suit.SPADES != trump and ruleset["spades_by_spades"]
    if ruleset.is_top_joker(card, trump) and not (spades_hold and card.colour != attack.colour):
        return Comparison(
            True, Message("{card} is the highest trump and beats every card.", **facts), ("beat.trump-joker",)
        )
    if attack.is_joker:
        return Comparison(
            False, Message("{attack} is a joker, and nothing beats a joker.", **facts), ("beat.joker",)
        )
    if card.is_joker and card.colour == attack.colour:
        return Comparison(True, Message("{card} beats every card of its colour.", **facts), ("beat.joker",))
    if card.is_joker and not ruleset.is_top_joker(card, trump):
        return Comparison(
            False, Message("{card} beats no card of the other colour.", **facts), ("beat.joker",)
        )
    if _is_ace_beaten_by_lowest(ruleset, attack, card):
        why = Message("{card} is the lowest card of its suit, which here beats the ace.", **facts)
        return Comparison(True, why, ("beat.lowest-ace",))
    beaten = beats(card, attack, trump, ruleset.orders)
    if card.suit == attack.suit and beaten:
        higher = Message("{card} is higher than {attack} in its suit.", **facts)
        higher_trump = Message("{card} is a higher trump than {attack}.", **facts)
        is_trump = attack.suit == trump
        key = "beat.trump" if is_trump else "beat.plain"
        return Comparison(True, higher_trump if is_trump else higher, (key, "deck"))
    if spades_hold:
        why = Message("{attack} is a spade, and here no card of another suit beats it.", **facts)
        if card.suit == attack.suit:
            why = Message("{attack} is a spade, and {card} is not a higher one.", **facts)
        return Comparison(False, why, ("beat.spades",))
    if beaten:
        return Comparison(True, Message("{card} is a trump and {attack} is not.", **facts), ("beat.plain",))
    return _refuse_card(ruleset, attack, card, trump)


def _is_ace_beaten_by_lowest(ruleset: BeatingRuleset, attack: Card, card: Card) -> bool:
    if card.suit != attack.suit or (attack.rank, card.rank) != (ruleset.order[0], ruleset.order[-1]):
        return False
    return bool(ruleset["lowest_beats_ace"] == "on")


def _refuse_card(ruleset: BeatingRuleset, attack: Card, card: Card, trump: str) -> Comparison:
    """Refuse a card of the suits that is neither higher nor a trump over a plain card."""
    facts = {"card": card, "attack": attack}
    if attack.suit == trump:
        why = Message("{attack} is a trump: only a higher trump beats it.", attack=attack)
        if ruleset.jokers:
            why = Message("{attack} is a trump, and {card} is neither a higher one nor a joker.", **facts)
        return Comparison(False, why, ("beat.trump",))
    why = Message(
        "{attack} is beaten by a higher card of its suit or by a trump; {card} is neither.", **facts
    )
    if ruleset.jokers:
        why = Message(
            "{attack} is beaten by a higher card of its suit, a trump or the joker of its colour; "
            "{card} is none of them.",
            **facts,
        )
    return Comparison(False, why, ("beat.plain",))


@dataclass(frozen=True, slots=True)
class BoutStep:
    """One step of a bout: a card that attacks, beats another or transfers (laid or shown), or picking up.

    Several cards may be laid at once to transfer. Of too many attack cards the defender gives some back.
    """

    seat: Seat = schema.field(SeatOf())
    cards: tuple[Card, ...] = schema.field(OneOrMany(), (), name="card")
    beats: Card | None = schema.field(CardOf(), None)
    transfer: bool = schema.field(Boolean(), False)
    shown: bool = schema.field(Boolean(), False)
    pick_up: bool = schema.field(Boolean(), False)
    returns: tuple[Card, ...] = schema.field(ListOf(CardOf(), 1, 36), ())

    @property
    def attacks(self) -> bool:
        """True if its card is a further attack card."""
        return bool(self.cards) and self.beats is None and not self.transfer


@dataclass(frozen=True, slots=True)
class Surplus:
    """Too many attack cards: how many of the unbeaten ones the defender has to `keep`, and which they are."""

    keep: int
    of: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BoutReplay:
    """The progress of a bout.

    `roles` are those of its last step, whoever transferred being the principal attacker. `placed` are the
    attack cards, `shown` the trumps that were shown, each with its player; `returned` are those that the
    defender gave back, which count as never played. `wrong_step` is the first step against the rules, counted
    from 1, and `refusal` says why; `surplus` what the defender may choose, if it was only a card too many.
    `held` is how many cards every player holds after it, those of a picked-up bout in the defender's hand.
    """

    roles: Roles
    table: BoutTable
    held: Mapping[Seat, int]
    placed: Mapping[Card, Seat] = field(default_factory=dict)
    shown: Mapping[Card, Seat] = field(default_factory=dict)
    returned: tuple[Card, ...] = ()
    wrong_step: int | None = None
    refusal: Refusal | None = None
    surplus: Surplus | None = None

    @property
    def joined(self) -> frozenset[Seat]:
        """The players who laid an attack card."""
        return frozenset(self.placed.values())

    @property
    def verdict(self) -> str:
        """The state after the last step that was right: `beaten-off`, `picked-up` or `open`."""
        if self.table.picking_up:
            return "picked-up"
        return "beaten-off" if self.table.all_beaten else "open"


def follow_steps(
    ruleset: BeatingRuleset, roles: Roles, trump: str, held: Mapping[Seat, int], steps: Sequence[BoutStep]
) -> BoutReplay:
    """Follow a bout step by step, up to its last step or to the first illegal one.

    `held` is how many cards every player had when it began. Players with priority are taken to agree.

    :raises MissingFact: if an attack is transferred to a player who is not among `held`.
    """
    progress = BoutReplay(roles, BoutTable(), dict(held))
    for n, step in enumerate(steps, 1):
        refusal = _step_refusal(ruleset, progress, trump, step)
        if refusal is not None:
            surplus, is_chosen = _find_surplus(ruleset, progress, steps[n - 1 :])
            if not is_chosen:
                return replace(progress, wrong_step=n, refusal=refusal, surplus=surplus)
        progress = _take_step(ruleset, progress, step)
    if not progress.table.picking_up:
        return progress
    defender = progress.roles.defender
    picked = {defender: progress.held[defender] + len(progress.table.cards)}
    return replace(progress, held={**progress.held, **picked})


def _find_surplus(
    ruleset: BeatingRuleset, progress: BoutReplay, steps: Sequence[BoutStep]
) -> tuple[Surplus | None, bool]:
    """Find what the defender may choose among, if the first of these steps is only an attack card too many.

    Also whether the choice is told, after that card and further ones given. Rule key: bout.surplus.
    """
    roles, table = progress.roles, progress.table
    if is_over(ruleset, roles, table) or not ruleset.book.knows("bout.surplus"):
        return None, False
    given = list(takewhile(lambda step: step.attacks, steps))
    for step in given:
        if throw_refusal(ruleset, roles, table, step.seat, step.cards, over_limit=True):
            break
        table = table.add(*step.cards)
    if table == progress.table:
        return None, False
    if any(step.returns for step in steps[len(given) : len(given) + 1]):
        return None, True
    return Surplus(len(table.unbeaten) - count_surplus(ruleset, roles, table), table.unbeaten), False


def count_surplus(ruleset: BeatingRuleset, roles: Roles, table: BoutTable) -> int:
    """Count the attack cards that are more than the bout may have."""
    assert roles.defender_cards is not None, "a bout is followed with the cards of its defenders"
    return max(0, len(table.pairs) - attack_limit(ruleset, roles, roles.defender_cards, table.picking_up))


def is_over(ruleset: BeatingRuleset, roles: Roles, table: BoutTable) -> bool:
    """True if as many cards are beaten as may attack."""
    assert roles.defender_cards is not None, "a bout is followed with the cards of its defenders"
    most = attack_limit(ruleset, roles, roles.defender_cards)
    return not table.picking_up and table.all_beaten and len(table.pairs) >= most


def _return_refusal(ruleset: BeatingRuleset, progress: BoutReplay, cards: Sequence[Card]) -> Refusal | None:
    """Refuse to give these cards back; None if the defender may choose them."""
    defender, table = SeatName(progress.roles.defender), progress.table
    too_many = count_surplus(ruleset, progress.roles, table)
    if not too_many:
        return Refusal(Message("There are not too many attack cards: none goes back."), "throw.limit")
    wrong = [card for card in cards if card not in table.unbeaten]
    if wrong:
        why = Message("{card} is no unbeaten attack card, so it does not go back.", card=wrong[0])
        return Refusal(why, "bout.surplus")
    if len(cards) == too_many:
        return None
    facts = {"defender": defender, "count": describe_count(too_many)}
    return Refusal(
        Message("{defender} gives {count} back, as many as are too many.", **facts), "bout.surplus"
    )


def _take_step(ruleset: BeatingRuleset, progress: BoutReplay, step: BoutStep) -> BoutReplay:
    """Take a step that was right."""
    if step.pick_up:
        return replace(progress, table=replace(progress.table, picking_up=True))
    if step.returns:
        return _give_back(progress, step.returns)
    if step.transfer:
        following = transfer_roles(ruleset.ring, progress.roles)
        progress = replace(
            progress, roles=replace(following, defender_cards=progress.held[following.defender])
        )
    if step.shown:
        return replace(progress, shown={**progress.shown, step.cards[0]: step.seat})
    held = progress.held[step.seat] - len(step.cards)
    progress = replace(progress, held={**progress.held, step.seat: held})
    if step.beats is not None:
        return replace(progress, table=progress.table.beat(step.beats, step.cards[0]))
    placed = {**progress.placed, **dict.fromkeys(step.cards, step.seat)}
    return replace(progress, table=progress.table.add(*step.cards), placed=placed)


def _give_back(progress: BoutReplay, cards: Sequence[Card]) -> BoutReplay:
    """Give attack cards back to whoever laid them, as if they had never been played."""
    held, placed = dict(progress.held), dict(progress.placed)
    for card in cards:
        held[placed.pop(card)] += 1
    returned = (*progress.returned, *cards)
    return replace(
        progress, table=progress.table.give_back(*cards), held=held, placed=placed, returned=returned
    )


def _step_refusal(
    ruleset: BeatingRuleset, progress: BoutReplay, trump: str, step: BoutStep
) -> Refusal | None:
    if step.transfer:
        was_shown = progress.shown.get(step.cards[0]) == step.seat
        passed = PassedCards(step.cards, step.shown, was_shown, trump)
        return _transfer_step_refusal(ruleset, progress, step.seat, passed)
    roles, table = progress.roles, progress.table
    if step.attacks:
        return throw_refusal(ruleset, roles, table, step.seat, step.cards)
    defender = SeatName(roles.defender)
    if step.seat != roles.defender:
        return Refusal(Message("Only {defender} defends.", defender=defender), "throw.who")
    if step.returns:
        return _return_refusal(ruleset, progress, step.returns)
    if table.picking_up:
        return Refusal(Message("{defender} is already picking up.", defender=defender), "bout.picked-up")
    if is_over(ruleset, roles, table):
        why = Message(
            "{defender} has beaten every card that may attack, and the bout is over.", defender=defender
        )
        return Refusal(why, "bout.beaten-off")
    if step.beats is None:
        nothing = Message("There is nothing to pick up yet.")
        return None if table.pairs else Refusal(nothing, "bout.picked-up")
    if step.beats not in table.unbeaten:
        why = Message("{attack} is not on the table waiting to be beaten.", attack=step.beats)
        return Refusal(why, "bout.wrong-card")
    return beat_refusal(ruleset, step.beats, step.cards[0], trump)


def _transfer_step_refusal(
    ruleset: BeatingRuleset, progress: BoutReplay, by: Seat, passed: PassedCards
) -> Refusal | None:
    """Refuse to transfer so; None if it is allowed.

    :raises MissingFact: if the number of the next player's cards is unknown.
    """
    roles, table = progress.roles, progress.table
    refusal = transfer_refusal(ruleset, roles, table, by, passed)
    if refusal is not None:
        return refusal
    following = transfer_roles(ruleset.ring, roles).defender
    if following not in progress.held:
        raise MissingFact(f"cards.{following}")
    return hand_refusal(ruleset.ring, roles, count_to_beat(table, passed), progress.held[following])


def beat_refusal(ruleset: BeatingRuleset, attack: Card, card: Card, trump: str) -> Refusal | None:
    """Refuse a card that does not beat an attack card, or None; rule keys as for `compare_cards`."""
    comparison = compare_cards(ruleset, attack, card, trump)
    if comparison.beats:
        return None
    key, *also = comparison.keys
    return Refusal(comparison.why, key, tuple(also))
