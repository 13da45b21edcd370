"""The talon: who draws how many in which order, and who may swap the lowest trump."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from companion.rules.cards import Card
from companion.rules.message import Message
from companion.rules.seats import Ring, Seat

from .bout import Refusal
from .ruleset import BeatingRuleset


def order(ring: Ring, attacker: Seat, defender: Seat, joined: Collection[Seat]) -> tuple[Seat, ...]:
    """In which order cards are drawn (draw.order): attacker, who joined in, clockwise, the defender last.

    Whoever kept out of the bout needs no cards while the talon lasts; they stand before the defender.
    """
    others = [seat for seat in ring.around(attacker)[1:] if seat != defender]
    return (attacker, *sorted(others, key=lambda seat: seat not in joined), defender)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Who drew how many, in order; what is left of the talon; and how many cards everyone holds then."""

    draws: tuple[tuple[Seat, int], ...]
    talon: int
    held: Mapping[Seat, int]

    @property
    def out(self) -> tuple[Seat, ...]:
        """Who has no cards, and none to draw (turn.out)."""
        return () if self.talon else tuple(seat for seat, held in self.held.items() if not held)


def draw(ruleset: BeatingRuleset, who: Collection[Seat], held: Mapping[Seat, int], talon: int) -> Drawn:
    """Drawing up to a full hand, in this order, while the talon lasts."""
    draws, after = list[tuple[Seat, int]](), dict(held)
    for seat in who:
        taken = min(talon, max(0, ruleset.hand - after[seat]))
        if taken:
            draws.append((seat, taken))
            talon -= taken
            after[seat] += taken
    return Drawn(tuple(draws), talon, after)


@dataclass(frozen=True, slots=True)
class SwapClaim:
    """A wish to swap the lowest trump: how it was got, what lies face up, how much talon is left.

    `exhausting` says that it was drawn in the round that emptied the talon.
    """

    got: str
    turn_up: Card
    talon: int
    exhausting: bool = False
    next_bout: bool = False


def may_swap(ruleset: BeatingRuleset, claim: SwapClaim) -> Refusal | None:
    """Why the lowest trump may not be swapped for the face-up card now, or None (six.exchange)."""
    six = ruleset.six(claim.turn_up.suit)
    match ruleset["six_exchange"]:
        case "any":
            pass
        case "ace-only" if claim.turn_up.rank == ruleset.order[0]:
            pass
        case "ace-only":
            return _no(Message("Here only an ace is swapped, and {card} is none.", card=claim.turn_up))
        case "never":
            return _no(Message("Here the lowest trump is never swapped."))
        case other:
            raise LookupError(f"six_exchange {other!r}")
    if claim.got == PICKED:
        return _no(Message("{six} was picked up; only who was dealt it or drew it may swap it.", six=six))
    if ruleset["severnyi"]:
        gone = Message("{card} has been drawn, and with it the swap has gone.", card=claim.turn_up)
        return None if claim.talon > 1 else Refusal(gone, "severnyi.change")
    if claim.talon:
        return None
    if claim.next_bout:
        return _no(Message("The talon is used up and the next bout has begun."))
    if claim.got == DRAWN and claim.exhausting:
        return None
    return _no(Message("The talon is used up, and {six} was not drawn in its last round.", six=six))


GOT = (DEALT, DRAWN, PICKED) = ("dealt", "drawn", "picked-up")


def _no(why: Message) -> Refusal:
    return Refusal(why, "six.exchange")
