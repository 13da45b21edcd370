"""A hand as it is followed bout by bout: who attacks whom, who has gone out, how it ends."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules.message import Message, SeatName
from companion.rules.seats import Ring, Seat

from . import turn
from .bout import Refusal, Roles, limit, throwers
from .entries import Bout
from .ruleset import BeatingRuleset
from .talon import order


@dataclass(frozen=True, slots=True)
class HandSoFar:
    """How far a hand has come: whose turn it is (or how it ended), and who has no cards any more.

    `bouts` is how many bouts were followed before; `turn` is None until somebody has said who attacks first.
    """

    turn: turn.Turn | None
    out: tuple[Seat, ...] = ()
    bouts: int = 0

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.turn is not None and self.turn.verdict != "next"


@dataclass(frozen=True, slots=True)
class WrongBout:
    """What cannot be right about one bout: its field, and the refusal."""

    field: str
    refusal: Refusal


def begin(ruleset: BeatingRuleset, attacker: Seat | None, keys: tuple[str, ...] = ()) -> HandSoFar:
    """A hand before its first bout."""
    if attacker is None:
        return HandSoFar(None)
    return HandSoFar(turn.Turn(attacker, ruleset.ring.left(attacker), None, keys))


def go_on(ruleset: BeatingRuleset, course: HandSoFar, bout: Bout) -> tuple[HandSoFar, WrongBout | None]:
    """The hand after one more bout, and what is wrong with that; it is followed as told all the same."""
    ring = ruleset.ring
    wrong = _wrong(ruleset, course, bout)
    out = tuple(seat for seat in ring.seats if seat in course.out or seat in bout.out)
    if bout.result == turn.PICKED_UP:
        out = tuple(seat for seat in out if seat != bout.defender)
    if course.over:
        return course, wrong
    after = turn.after(ring, bout.attacker, bout.defender, bout.result, out)
    return HandSoFar(after, out, course.bouts + 1), wrong


def follow(
    ruleset: BeatingRuleset, course: HandSoFar, bouts: Sequence[Bout]
) -> tuple[HandSoFar, list[tuple[int, WrongBout]]]:
    """The hand after these bouts, and what is wrong with each, by its place from 0."""
    found = []
    for n, bout in enumerate(bouts):
        course, wrong = go_on(ruleset, course, bout)
        if wrong is not None:
            found.append((n, wrong))
    return course, found


def _wrong(ruleset: BeatingRuleset, course: HandSoFar, bout: Bout) -> WrongBout | None:
    ring, due = ruleset.ring, course.turn
    if due is not None and due.verdict != "next":
        return WrongBout("", Refusal(Message("The hand is over before this bout."), due.keys[0]))
    if due is not None and due.attacker is not None and due.attacker != bout.attacker:
        why = Message(
            "{due} attacks now, not {told}.", due=SeatName(due.attacker), told=SeatName(bout.attacker)
        )
        return WrongBout("attacker", Refusal(why, due.keys[-1]))
    defender = ring.left(bout.attacker) if due is None else due.defender
    if defender != bout.defender:
        why = Message(
            "{due} defends now, not {told}.", due=SeatName(defender or ""), told=SeatName(bout.defender)
        )
        return WrongBout("defender", Refusal(why, turn_key(ring)))
    return _wrongly_out(ruleset, course, bout)


def turn_key(ring: Ring) -> str:
    """The rule by which turns go round at this table."""
    return "turn.teams" if ring.partnerships else "turn.individual"


def _wrongly_out(ruleset: BeatingRuleset, course: HandSoFar, bout: Bout) -> WrongBout | None:
    roles = Roles(bout.attacker, bout.defender, frozenset(course.out))
    may_shed = {*throwers(ruleset, roles), bout.defender}
    for seat in bout.out:
        who = SeatName(seat)
        if seat in course.out:
            return WrongBout("out", Refusal(Message("{who} went out before.", who=who), "turn.out"))
        if seat == bout.defender and bout.result == turn.PICKED_UP:
            return WrongBout(
                "out", Refusal(Message("{who} picked up, and so holds cards.", who=who), "bout.picked-up")
            )
        if seat not in may_shed:
            why = Message("{who} could play no card in this bout, and so did not go out in it.", who=who)
            return WrongBout("out", Refusal(why, "throw.who"))
    return None


@dataclass(frozen=True, slots=True)
class Guide:
    """What holds for the bout that comes now: who may throw in, in this order; who draws, in this order.

    `limit` is how many attack cards it may see, if the defender holds as many.
    """

    attacker: Seat
    defender: Seat
    throwers: tuple[Seat, ...]
    drawing: tuple[Seat, ...]
    limit: int


def guide(ruleset: BeatingRuleset, course: HandSoFar) -> Guide | None:
    """What holds for the next bout of a hand, or None when there is none."""
    if course.turn is None or course.turn.attacker is None or course.turn.defender is None:
        return None
    attacker, defender = course.turn.attacker, course.turn.defender
    roles = Roles(attacker, defender, frozenset(course.out), first_bout=not course.bouts)
    joining = throwers(ruleset, roles)
    drawing = order(ruleset.ring, attacker, defender, joining)
    return Guide(
        attacker,
        defender,
        joining,
        tuple(seat for seat in drawing if seat in (*joining, defender)),
        limit(ruleset, roles),
    )
