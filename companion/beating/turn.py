"""Who attacks whom: after a bout, and when a hand begins; and when a hand is over."""

from collections.abc import Collection
from dataclasses import dataclass

from companion.rules.seats import Ring, Seat, Side

from .ruleset import BeatingRuleset

BEATEN_OFF, PICKED_UP = "beaten-off", "picked-up"


@dataclass(frozen=True, slots=True)
class Turn:
    """How play goes on: attacker and defender, or the loser, or (none of them) a draw; and by which keys."""

    attacker: Seat | None
    defender: Seat | None
    loser: Side | None
    keys: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """`next`, `loser` or `draw`."""
        return "next" if self.attacker else "loser" if self.loser else "draw"


def after(ring: Ring, attacker: Seat, defender: Seat, result: str, out: Collection[Seat]) -> Turn:
    """Whose turn it is when a bout is over; `out` are all that have no cards then.

    Rules turn.individual and turn.teams, end.fool, end.team and end.draw.
    """
    over = end(ring, out)
    if over is not None:
        return over
    key = f"turn.{result}"
    if ring.partnerships:
        first, second = (defender, attacker) if result == BEATEN_OFF else (attacker, defender)
        keep = result == BEATEN_OFF and defender not in out
        return Turn(
            defender if keep else next_of_team(ring, first, out),
            next_of_team(ring, second, out),
            None,
            (key, "turn.teams"),
        )
    keep = result == BEATEN_OFF and defender not in out
    leads = defender if keep else ring.next_active(defender, out)
    assert leads is not None  # two at least have cards
    return Turn(leads, ring.next_active(leads, out), None, (key, "turn.individual"))


def end(ring: Ring, out: Collection[Seat]) -> Turn | None:
    """The end of a hand when these have no cards, or None while it goes on."""
    left = [seat for seat in ring.seats if seat not in out]
    if not left:
        return Turn(None, None, None, ("end.draw",))
    sides = dict.fromkeys(ring.side(seat) for seat in left)
    if len(sides) > 1:
        return None
    return Turn(None, None, next(iter(sides)), ("end.team" if ring.partnerships else "end.fool",))


def next_of_team(ring: Ring, seat: Seat, out: Collection[Seat]) -> Seat:
    """The next of a seat's team after it with cards; the seat itself when no other has any."""
    team = [one for one in ring.around(seat) if ring.side(one) == ring.side(seat)]
    return next(one for one in [*team[1:], seat] if one not in out)


@dataclass(frozen=True, slots=True)
class Start:
    """How a hand begins: who deals, who attacks whom (None while nobody can know), and by which keys."""

    dealer: Seat
    attacker: Seat | None
    defender: Seat | None
    keys: tuple[str, ...]


def first(
    ruleset: BeatingRuleset,
    dealer: Seat,
    lowest_trump: Seat | None,
    by: str = "deal.first",
    known: bool = True,
) -> Start:
    """The first hand of a session; `lowest_trump` holds it (None: nobody has a trump).

    `by` is the key that says who deals; `known` is false while nobody has said who holds the lowest trump.
    """
    ring = ruleset.ring
    match ruleset["first_hand"]:
        case "left-of-dealer":
            attacker, keys = ring.left(dealer), (by, "start.next")
        case "lowest-trump":
            attacker, keys = lowest_trump or ring.left(dealer), (by, "start.lowest-trump")
            if not known:
                return Start(dealer, None, None, keys)
        case other:
            raise LookupError(f"first_hand {other!r}")
    return Start(dealer, attacker, ring.left(attacker), keys)


def later(ruleset: BeatingRuleset, dealer: Seat, by: str) -> Start:
    """A later hand, dealt by the loser, or again after a draw; `by` is the key that says so."""
    ring = ruleset.ring
    match ruleset["first_attack"]:
        case "under-the-fool":
            attacker = ring.left(dealer)
        case "teach-the-fool":
            attacker = ring.left(dealer, -1)
        case other:
            raise LookupError(f"first_attack {other!r}")
    return Start(dealer, attacker, ring.left(attacker), (by, "start.next"))
