"""The talon: the order and number of the cards drawn, and swapping the lowest trump."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.rules.cards import Card
from companion.rules.message import Message
from companion.rules.seats import Ring, Seat

from .bout import Refusal
from .ruleset import BeatingRuleset


def draw_order(ring: Ring, attacker: Seat, defender: Seat, joined: Collection[Seat]) -> tuple[Seat, ...]:
    """The order in which players draw after a bout (draw.order).

    The principal attacker first, then those who `joined` in the attack, clockwise, and the defender last.
    Players who kept out hold a full hand while the talon lasts; they stand before the defender.
    """
    others = [seat for seat in ring.around(attacker) if seat not in (attacker, defender)]
    return (attacker, *sorted(others, key=lambda seat: seat not in joined), defender)


@dataclass(frozen=True, slots=True)
class DrawResult:
    """The result of drawing.

    `draws` are the seats that drew, in order, each with its number of cards; `talon` is how many cards are
    left, `held` how many every seat holds now.
    """

    draws: tuple[tuple[Seat, int], ...]
    talon: int
    held: Mapping[Seat, int]

    @property
    def out(self) -> tuple[Seat, ...]:
        """The players who have gone out: they have no card once all have drawn (turn.out)."""
        return tuple(seat for seat, held in self.held.items() if not held)


def draw_cards(
    ruleset: BeatingRuleset, who: Collection[Seat], held: Mapping[Seat, int], talon: int
) -> DrawResult:
    """Draw up to a full hand, in the order of `who`, while the talon lasts.

    `held` says how many cards every seat holds before, `talon` how many are left to draw.
    """
    draws, after = list[tuple[Seat, int]](), dict(held)
    for seat in who:
        count = min(talon, max(0, ruleset.hand - after[seat]))
        if count:
            draws.append((seat, count))
            talon -= count
            after[seat] += count
    return DrawResult(tuple(draws), talon, after)


@dataclass(frozen=True, slots=True)
class SwapClaim:
    """A wish to swap the lowest trump for the turn-up.

    `got` is how the player came by it, one of `ORIGINS`; `talon` the number of cards left, the turn-up among
    them; `exhausting` whether it was drawn in the round that emptied the talon; `next_bout` whether the bout
    after that has begun.
    """

    got: str
    turn_up: Card
    talon: int
    exhausting: bool = False
    next_bout: bool = False


def swap_refusal(ruleset: BeatingRuleset, claim: SwapClaim) -> Refusal | None:
    """Refuse to swap the lowest trump for the turn-up now; None if it may be.

    Rule keys: six.exchange, severnyi.change.
    """
    facts = {"six": ruleset.six(claim.turn_up.suit), "card": claim.turn_up}
    if not (ruleset.talon or claim.talon):
        why = Message("Here there is no talon, and the face-up trump is a card of the dealer’s.")
    elif ruleset["six_exchange"] == "never":
        why = Message("Here the lowest trump is never swapped.")
    elif ruleset["six_exchange"] == "ace-only" and claim.turn_up.rank != ruleset.order[0]:
        why = Message("Here the lowest trump is swapped only for an ace, and {card} is not one.", **facts)
    elif claim.got == PICKED:
        why = Message("{six} was picked up; only a player who was dealt it or drew it may swap it.", **facts)
    elif ruleset["severnyi"]:
        why = Message("{card} has been drawn, so it can no longer be swapped for.", **facts)
        return None if claim.talon > 1 else Refusal(why, "severnyi.change")
    elif claim.talon or (claim.got == DRAWN and claim.exhausting and not claim.next_bout):
        return None
    elif claim.next_bout:
        why = Message("The talon is used up and the next bout has begun.")
    else:
        why = Message("The talon is used up, and {six} was not drawn in its last round.", **facts)
    return Refusal(why, "six.exchange")


ORIGINS = (DEALT, DRAWN, PICKED) = ("dealt", "drawn", "picked-up")
"""A player's way to the lowest trump."""
