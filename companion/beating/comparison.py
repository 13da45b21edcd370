"""What beats what: higher cards, trumps, jokers, and what a table has agreed on beside them."""

from dataclasses import dataclass

from companion.rules.cards import Card, Suit, beats
from companion.rules.message import Message

from .ruleset import BeatingRuleset


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a card `beats` an attack card, why, and the keys of the rules by which it does or does not."""

    beats: bool
    why: Message
    keys: tuple[str, ...]


def compare_cards(ruleset: BeatingRuleset, attack: Card, card: Card, trump: str) -> Comparison:
    """Whether `card` beats the attack card `attack`, `trump` being the suit of trumps.

    Rule keys: beat.plain, beat.trump, deck, jokers, beat.lowest-ace, beat.spades.
    """
    facts = {"card": card, "attack": attack}
    if attack.is_joker:
        return Comparison(
            False, Message("{attack} is a joker, and nothing beats a joker.", **facts), ("beat.joker",)
        )
    if card.is_joker and card.colour == attack.colour:
        return Comparison(True, Message("{card} beats every card of its colour.", **facts), ("beat.joker",))
    if card.is_joker:
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
    if attack.suit == Suit.SPADES != trump and ruleset["spades_by_spades"]:
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
    match ruleset["lowest_beats_ace"]:
        case "off":
            return False
        case "on":
            return True
        case other:
            raise LookupError(f"lowest_beats_ace {other!r}")


def _refuse_card(ruleset: BeatingRuleset, attack: Card, card: Card, trump: str) -> Comparison:
    """Why a card of the suits is neither higher nor a trump over a plain card."""
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
