"""Turns: who attacks whom after a bout and when a hand begins, and when a hand is over."""

from collections.abc import Collection
from dataclasses import dataclass

from companion.rules.seats import Ring, Seat, Side

from .ruleset import BeatingRuleset

BEATEN_OFF, PICKED_UP, CANCELLED = "beaten-off", "picked-up", "cancelled"


@dataclass(frozen=True, slots=True)
class Turn:
    """The next turn: an attacker and a defender, or neither if the hand is over.

    A hand that is over has a `loser`, or was a draw, or is `void`, for somebody has left. `keys` are the rule
    keys that say so.
    """

    attacker: Seat | None
    defender: Seat | None
    loser: Side | None
    keys: tuple[str, ...]
    void: bool = False

    @property
    def verdict(self) -> str:
        """`next`, `loser`, `draw` or `void`."""
        return "next" if self.attacker else "loser" if self.loser else "void" if self.void else "draw"


def next_turn(ring: Ring, attacker: Seat, defender: Seat, result: str, out: Collection[Seat]) -> Turn:
    """Find the turn after a bout.

    `result` is `BEATEN_OFF` or `PICKED_UP`; `out` are all seats without cards once everybody has drawn.
    Rule keys: turn.beaten-off, turn.picked-up, turn.individual, turn.teams, end.fool, end.team, end.draw.

    >>> from companion.rules.seats import Ring
    >>> turn = next_turn(Ring(4), "A", "B", BEATEN_OFF, ())
    >>> turn.attacker, turn.defender
    ('B', 'C')
    >>> turn = next_turn(Ring(4), "A", "B", PICKED_UP, ())
    >>> turn.attacker, turn.defender
    ('C', 'D')
    >>> next_turn(Ring(3), "A", "B", BEATEN_OFF, {"A", "B"}).loser
    'C'
    """
    ending = hand_end(ring, out)
    if ending is not None:
        return ending
    key = f"turn.{result}"
    defender_attacks = result == BEATEN_OFF and defender not in out
    if ring.partnerships:
        first, second = (defender, attacker) if result == BEATEN_OFF else (attacker, defender)
        return Turn(
            defender if defender_attacks else next_in_team(ring, first, out),
            next_in_team(ring, second, out),
            None,
            (key, "turn.teams"),
        )
    next_attacker = defender if defender_attacks else ring.next_active(defender, out)
    assert next_attacker is not None  # two at least have cards
    return Turn(next_attacker, ring.next_active(next_attacker, out), None, (key, "turn.individual"))


def hand_end(ring: Ring, out: Collection[Seat]) -> Turn | None:
    """Find the end of a hand when these seats have no cards; None while it goes on (end.fool, end.team)."""
    left = [seat for seat in ring.seats if seat not in out]
    if not left:
        return Turn(None, None, None, ("end.draw",))
    sides = dict.fromkeys(ring.side(seat) for seat in left)
    if len(sides) > 1:
        return None
    return Turn(None, None, next(iter(sides)), ("end.team" if ring.partnerships else "end.fool",))


def next_in_team(ring: Ring, seat: Seat, out: Collection[Seat]) -> Seat:
    """The next player of a seat's team with cards, clockwise; the seat itself if no other has any.

    :raises StopIteration: if the whole team is out.
    """
    team = [mate for mate in ring.around(seat) if ring.side(mate) == ring.side(seat)]
    return next(mate for mate in [*team[1:], seat] if mate not in out)


@dataclass(frozen=True, slots=True)
class HandStart:
    """The start of a hand: dealer, attacker and defender (None while unknown), and the rule keys."""

    dealer: Seat
    attacker: Seat | None
    defender: Seat | None
    keys: tuple[str, ...]


def first_hand_start(
    ruleset: BeatingRuleset,
    dealer: Seat,
    lowest_trump: Seat | None,
    by: str = "deal.first",
    known: bool = True,
    lot: Seat | None = None,
) -> HandStart:
    """Start the first hand of a session.

    `lowest_trump` holds the lowest trump (None: nobody has a trump), which may not be `known`; `lot` is the
    player chosen by lot if nobody has one and the lot decides; `by` is the rule key by which the dealer
    deals. Rule keys: start.next, start.lowest-trump, start.no-trump.
    """
    ring = ruleset.ring
    if ruleset["first_hand"] == "left-of-dealer":
        return HandStart(dealer, ring.left(dealer), ring.left(dealer, 2), (by, "start.next"))
    if not known:
        return HandStart(dealer, None, None, (by, "start.lowest-trump"))
    keys = (by, "start.lowest-trump", *("start.no-trump",) * (lowest_trump is None))
    first = lowest_trump or no_trump_attacker(ruleset, dealer, lot)
    return HandStart(dealer, first, first and ring.left(first), keys)


def no_trump_attacker(ruleset: BeatingRuleset, dealer: Seat, lot: Seat | None) -> Seat | None:
    """Find the first attacker if nobody holds a trump; None until the lot has decided (start.no-trump)."""
    return {"left-of-dealer": ruleset.ring.left(dealer), "lot": lot}[ruleset["no_trump_start"]]


def later_hand_start(ruleset: BeatingRuleset, dealer: Seat, by: str) -> HandStart:
    """Start a later hand, dealt by the loser, or by the same dealer after a draw.

    `by` is the rule key by which the dealer deals. Rule key: start.next.
    """
    ring = ruleset.ring
    attacker = ring.left(dealer, {"under-the-fool": 1, "teach-the-fool": -1}[ruleset["first_attack"]])
    return HandStart(dealer, attacker, ring.left(attacker), (by, "start.next"))
