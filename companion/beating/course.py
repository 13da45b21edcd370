"""The course of a hand, followed bout by bout: who attacks whom, who has gone out, how it ends."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules.message import Message, SeatName
from companion.rules.seats import Ring, Seat

from . import turn
from .bout import Refusal, Roles, attack_limit, eligible_throwers
from .entries import Bout
from .ruleset import BeatingRuleset
from .talon import draw_order


@dataclass(frozen=True, slots=True)
class HandCourse:
    """How far a hand has come.

    `turn` says who attacks whom now, or how the hand ended; it is None until the first attacker is known.
    `out` are the players without cards, in table order; `first_bout` says whether no bout was played yet.
    """

    turn: turn.Turn | None
    out: tuple[Seat, ...] = ()
    first_bout: bool = True

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.turn is not None and self.turn.verdict != "next"


@dataclass(frozen=True, slots=True)
class BoutFault:
    """What cannot be right about a bout: the `field` of its entry (empty: all of it), and why."""

    field: str
    refusal: Refusal


def start_course(ruleset: BeatingRuleset, attacker: Seat | None, keys: tuple[str, ...] = ()) -> HandCourse:
    """A hand before its first bout; `keys` are the rule keys by which this player attacks first."""
    if attacker is None:
        return HandCourse(None)
    return HandCourse(turn.Turn(attacker, ruleset.ring.left(attacker), None, keys))


def follow_bout(
    ruleset: BeatingRuleset, course: HandCourse, bout: Bout
) -> tuple[HandCourse, BoutFault | None]:
    """The hand after one more bout, and what is wrong with that bout, if anything.

    A wrong bout is followed all the same, as it stands in the entry; one after the end of the hand is not.
    """
    ring = ruleset.ring
    fault = _bout_fault(ruleset, course, bout)
    out = tuple(seat for seat in ring.seats if seat in course.out or seat in bout.out)
    if bout.result == turn.PICKED_UP:
        out = tuple(seat for seat in out if seat != bout.defender)
    if course.over:
        return course, fault
    following = turn.next_turn(ring, bout.attacker, bout.defender, bout.result, out)
    return HandCourse(following, out, first_bout=False), fault


def follow_bouts(
    ruleset: BeatingRuleset, course: HandCourse, bouts: Sequence[Bout]
) -> tuple[HandCourse, list[tuple[int, BoutFault]]]:
    """The hand after these bouts, and their faults, each with the place of its bout, counted from 0."""
    faults = []
    for n, bout in enumerate(bouts):
        course, fault = follow_bout(ruleset, course, bout)
        if fault is not None:
            faults.append((n, fault))
    return course, faults


def _bout_fault(ruleset: BeatingRuleset, course: HandCourse, bout: Bout) -> BoutFault | None:
    ring, due = ruleset.ring, course.turn
    if due is not None and due.verdict != "next":
        return BoutFault("", Refusal(Message("The hand was over before this bout."), due.keys[0]))
    if due is not None and due.attacker is not None and due.attacker != bout.attacker:
        why = Message(
            "{due} attacks now, not {other}.", due=SeatName(due.attacker), other=SeatName(bout.attacker)
        )
        return BoutFault("attacker", Refusal(why, due.keys[-1]))
    defender = ring.left(bout.attacker) if due is None else due.defender
    if defender != bout.defender:
        why = Message(
            "{due} defends now, not {other}.", due=SeatName(defender or ""), other=SeatName(bout.defender)
        )
        return BoutFault("defender", Refusal(why, turn_key(ring)))
    return _out_fault(ruleset, course, bout)


def turn_key(ring: Ring) -> str:
    """The key of the rule by which turns go round at this table."""
    return "turn.teams" if ring.partnerships else "turn.individual"


def _out_fault(ruleset: BeatingRuleset, course: HandCourse, bout: Bout) -> BoutFault | None:
    roles = Roles(bout.attacker, bout.defender, frozenset(course.out))
    may_shed = {*eligible_throwers(ruleset, roles), bout.defender}
    for seat in bout.out:
        who = SeatName(seat)
        if seat in course.out:
            return BoutFault("out", Refusal(Message("{who} had already gone out.", who=who), "turn.out"))
        if seat == bout.defender and bout.result == turn.PICKED_UP:
            return BoutFault(
                "out", Refusal(Message("{who} picked up and so still has cards.", who=who), "bout.picked-up")
            )
        if seat not in may_shed:
            why = Message("{who} could play no card in this bout, and so did not go out in it.", who=who)
            return BoutFault("out", Refusal(why, "throw.who"))
    return None


@dataclass(frozen=True, slots=True)
class BoutGuide:
    """What holds for the coming bout.

    `throwers` may attack, in order of priority, the principal attacker first; `drawing` draw after it, in
    this order; `limit` is the most attack cards it may have, where the defender holds as many cards.
    """

    attacker: Seat
    defender: Seat
    throwers: tuple[Seat, ...]
    drawing: tuple[Seat, ...]
    limit: int


def bout_guide(ruleset: BeatingRuleset, course: HandCourse) -> BoutGuide | None:
    """What holds for the coming bout of a hand; None when there is none, or nobody knows who attacks."""
    if course.turn is None or course.turn.attacker is None or course.turn.defender is None:
        return None
    attacker, defender = course.turn.attacker, course.turn.defender
    roles = Roles(attacker, defender, frozenset(course.out), first_bout=course.first_bout)
    throwers = eligible_throwers(ruleset, roles)
    drawing = draw_order(ruleset.ring, attacker, defender, throwers)
    return BoutGuide(
        attacker,
        defender,
        throwers,
        tuple(seat for seat in drawing if seat in (*throwers, defender)),
        attack_limit(ruleset, roles),
    )
