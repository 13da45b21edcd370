"""The course of a hand, followed bout by bout: who attacks whom, who has gone out, how it ends."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from companion.rules.message import Message, SeatName
from companion.rules.seats import Ring, Seat

from . import turn
from .bout import (
    BoutProblem,
    Refusal,
    Roles,
    attack_cap,
    caps_first_defence,
    eligible_throwers,
    limit_keys,
)
from .entries import Bout, Transfer
from .ruleset import BeatingRuleset
from .talon import draw_order
from .transfer import ShownTrumps, ban_refusal, follow_transfers, next_defender


@dataclass(frozen=True, slots=True)
class HandProgress:
    """The progress of a hand.

    `turn` says who attacks whom now, or how the hand ended; it is None until the first attacker is known.
    `out` are the players without cards, in table order; `first_bout` says whether no bout was played yet,
    `none_beaten_off` whether none was beaten off. `trump` is the suit of trumps, where it is known and cannot
    change; `shown` are the trumps that were shown to transfer.
    """

    turn: turn.Turn | None
    out: tuple[Seat, ...] = ()
    first_bout: bool = True
    none_beaten_off: bool = True
    trump: str | None = None
    shown: ShownTrumps = frozenset()

    @property
    def over(self) -> bool:
        """True if the hand has ended."""
        return self.turn is not None and self.turn.verdict != "next"


def start_hand(
    ruleset: BeatingRuleset, attacker: Seat | None, keys: tuple[str, ...] = (), trump: str | None = None
) -> HandProgress:
    """A hand before its first bout; `keys` are the rule keys by which this player attacks first.

    `trump` is the suit of trumps when it begins, where it is known.
    """
    lasting = None if ruleset.changes_trumps() else trump
    if attacker is None:
        return HandProgress(None, trump=lasting)
    return HandProgress(turn.Turn(attacker, ruleset.ring.left(attacker), None, keys), trump=lasting)


def follow_bout(
    ruleset: BeatingRuleset, progress: HandProgress, bout: Bout
) -> tuple[HandProgress, BoutProblem | None]:
    """Follow a hand through one more bout; return it, and what is wrong with that bout, if anything.

    A wrong bout is followed all the same, as it stands in the entry; one after the end of the hand is not.
    """
    ring = ruleset.ring
    begun = _roles_of_beginning(progress, bout)
    roles, wrong_transfer = follow_transfers(ruleset, begun, bout.transfers, progress.trump, progress.shown)
    problem = _turn_problem(ruleset, progress, bout) or wrong_transfer
    problem = problem or _out_problem(ruleset, progress, bout, roles)
    if progress.over:
        return progress, problem
    if bout.result == turn.CANCELLED:
        return _cancel(ruleset, progress, bout), problem
    out = tuple(seat for seat in ring.seats if seat in progress.out or seat in bout.out)
    if bout.result == turn.PICKED_UP:
        out = tuple(seat for seat in out if seat != roles.defender)
    following = turn.next_turn(ring, roles.attacker, roles.defender, bout.result, out)
    shown = {(transfer.by, card) for transfer in bout.transfers if transfer.shown for card in transfer.cards}
    after = replace(
        progress,
        turn=following,
        out=out,
        first_bout=False,
        none_beaten_off=progress.none_beaten_off and bout.result != turn.BEATEN_OFF,
        shown=progress.shown | shown,
    )
    return after, problem


def _cancel(ruleset: BeatingRuleset, progress: HandProgress, bout: Bout) -> HandProgress:
    """The hand after a bout that is void, for somebody left in it: its attacker begins again."""
    key = "end.walk-out-bout" if ruleset.cancels_bouts() else "end.walk-out"  # where none may be, it is told
    begun = turn.Turn(bout.attacker, bout.defender, None, (key,))
    return _play_on(ruleset.ring, replace(progress, turn=begun), bout.out)


def _roles_of_beginning(progress: HandProgress, bout: Bout) -> Roles:
    """The roles in a bout before anything is transferred."""
    return Roles(
        bout.attacker,
        bout.defender,
        frozenset(progress.out) - {bout.attacker, bout.defender},
        first_bout=progress.first_bout,
        none_beaten_off=progress.none_beaten_off,
    )


def _turn_problem(ruleset: BeatingRuleset, progress: HandProgress, bout: Bout) -> BoutProblem | None:
    ring, due = ruleset.ring, progress.turn
    if due is not None and due.verdict != "next":
        return BoutProblem("", Refusal(Message("The hand was over before this bout."), due.keys[0]))
    if bout.result == turn.CANCELLED and not ruleset.cancels_bouts():
        why = Message("Here a bout is not cancelled: whoever leaves during it leaves at its end.")
        return BoutProblem("result", Refusal(why, "end.walk-out"))
    if due is not None and due.attacker is not None and due.attacker != bout.attacker:
        why = Message(
            "{due} attacks now, not {other}.", due=SeatName(due.attacker), other=SeatName(bout.attacker)
        )
        return BoutProblem("attacker", Refusal(why, due.keys[-1]))
    defender = ring.left(bout.attacker) if due is None else due.defender
    if defender != bout.defender:
        why = Message(
            "{due} defends now, not {other}.", due=SeatName(defender or ""), other=SeatName(bout.defender)
        )
        return BoutProblem("defender", Refusal(why, turn_key(ring)))
    return None


def turn_key(ring: Ring) -> str:
    """The key of the rule by which turns go round at this table."""
    return "turn.teams" if ring.partnerships else "turn.individual"


def _out_problem(
    ruleset: BeatingRuleset, progress: HandProgress, bout: Bout, roles: Roles
) -> BoutProblem | None:
    """Find faults in who went out in a bout; `roles` are those of its end."""
    transferred = {transfer.by for transfer in bout.transfers}
    may_shed = {bout.attacker, *transferred, *eligible_throwers(ruleset, roles), roles.defender}
    for seat in bout.out:
        who = SeatName(seat)
        if seat in progress.out:
            return BoutProblem("out", Refusal(Message("{who} had already gone out.", who=who), "turn.out"))
        if bout.result == turn.CANCELLED:
            continue
        if seat == roles.defender and bout.result == turn.PICKED_UP:
            why = Message("{who} picked up and so still has cards.", who=who)
            return BoutProblem("out", Refusal(why, "bout.picked-up"))
        if seat not in may_shed:
            why = Message("{who} could play no card in this bout, and so did not go out in it.", who=who)
            return BoutProblem("out", Refusal(why, "throw.who"))
    return None


def follow_stages(
    ruleset: BeatingRuleset,
    progress: HandProgress,
    bouts: Sequence[Bout],
    walked_out: Seat | None = None,
    walked_after: int | None = None,
) -> tuple[list[HandProgress], list[BoutProblem]]:
    """Follow a hand through these bouts: its states before each and after the last, and its problems.

    `walked_out` left after `walked_after` of the bouts (None: after all), unless a cancelled bout says when.
    The problems have the fields of the hand's entry.
    """
    if any(bout.result == turn.CANCELLED and walked_out in bout.out for bout in bouts):
        walked_out = None
    leaves_at = len(bouts) if walked_after is None else walked_after
    stages, problems, wrong = list[HandProgress](), list[BoutProblem](), list[BoutProblem]()
    for n, bout in enumerate([*bouts, None]):
        if walked_out is not None and n == leaves_at:
            progress, problem = leave_table(ruleset, progress, walked_out)
            problems += [problem] if problem else []
        stages.append(progress)
        if bout is not None:
            progress, problem = follow_bout(ruleset, progress, bout)
            at = f"bouts[{n}]" + (f".{problem.field}" if problem and problem.field else "")
            wrong += [replace(problem, field=at)] if problem else []
    return stages, [*problems, *wrong]


def follow_hand(
    ruleset: BeatingRuleset,
    progress: HandProgress,
    bouts: Sequence[Bout],
    walked_out: Seat | None = None,
    walked_after: int | None = None,
) -> tuple[HandProgress, list[BoutProblem]]:
    """Follow a hand through these bouts: its state after them, and its problems, as `follow_stages`."""
    stages, problems = follow_stages(ruleset, progress, bouts, walked_out, walked_after)
    return stages[-1], problems


def leave_table(
    ruleset: BeatingRuleset, progress: HandProgress, seat: Seat
) -> tuple[HandProgress, BoutProblem | None]:
    """Let a player leave the table; return the hand, and the reason if that cannot be (end.walk-out)."""
    ring, due, who = ruleset.ring, progress.turn, SeatName(seat)
    if due is not None and due.verdict != "next":
        why = Message("The hand was over before {who} left.", who=who)
        return progress, BoutProblem("walked_out", Refusal(why, due.keys[0]))
    if seat in progress.out:
        why = Message("{who} had gone out, and so did not leave in mid-hand.", who=who)
        return progress, BoutProblem("walked_out", Refusal(why, "turn.out"))
    out = tuple(player for player in ring.seats if player in progress.out or player == seat)
    keys = ("end.walk-out",)
    match ruleset["walk_out"]:
        case "fool":
            return replace(progress, out=out, turn=turn.Turn(None, None, ring.side(seat), keys)), None
        case "plays-on":
            return _play_on(ring, progress, (seat,)), None
        case "void":
            return replace(progress, out=out, turn=turn.Turn(None, None, None, keys, void=True)), None
        case other:
            raise LookupError(f"walk_out {other!r}")


def _play_on(ring: Ring, progress: HandProgress, left: Collection[Seat]) -> HandProgress:
    """The hand once these players have left and the others play on; void if only one is left."""
    out, due = tuple(seat for seat in ring.seats if seat in progress.out or seat in left), progress.turn
    if len(out) > ring.size - 2:
        return replace(progress, out=out, turn=turn.Turn(None, None, None, ("end.walk-out",), void=True))
    if due is None:
        return replace(progress, out=out)
    attacker = due.attacker if due.attacker not in out else ring.next_active(due.attacker or "", out)
    assert attacker is not None, "two at least play on"
    defender = ring.next_active(attacker, out)
    return replace(progress, out=out, turn=replace(due, attacker=attacker, defender=defender))


@dataclass(frozen=True, slots=True)
class BoutGuide:
    """The facts of the coming bout, or of one whose attack was transferred already.

    `throwers` may attack, in order of priority, the principal attacker first; `drawing` draw after it, in
    this order; `limit` is the most attack cards it may have, if the defender holds as many (None: all that
    the defender holds), `taken_limit` that of a defender who picks up, and `limit_keys` are the rule keys of
    both; `first_defence` is true if the limit is that of the first defence. `path` are the seats on the way
    of the attack, from the first attacker to the present defender. `next_defender` would face it if it were
    transferred now; None if the table transfers nothing in this bout.
    """

    attacker: Seat
    defender: Seat
    throwers: tuple[Seat, ...]
    drawing: tuple[Seat, ...]
    limit: int | None
    taken_limit: int | None
    limit_keys: tuple[str, ...]
    first_defence: bool
    path: tuple[Seat, ...]
    next_defender: Seat | None


def bout_guide(
    ruleset: BeatingRuleset, progress: HandProgress, transfers: Sequence[Transfer] = ()
) -> BoutGuide | None:
    """Find the facts of the coming bout of a hand, after these transfers.

    None after the end of the hand, or while the attacker is unknown.
    """
    if progress.turn is None or progress.turn.attacker is None or progress.turn.defender is None:
        return None
    attacker, defender = progress.turn.attacker, progress.turn.defender
    begun = _roles_of_beginning(progress, Bout(attacker, defender, turn.BEATEN_OFF))
    roles, _problem = follow_transfers(ruleset, begun, transfers, progress.trump, progress.shown)
    throwers = eligible_throwers(ruleset, roles)
    pairs = {attacker, *(transfer.by for transfer in transfers if not transfer.shown)}
    drawing = draw_order(ruleset.ring, roles.attacker, roles.defender, {*pairs, *throwers})
    banned = ban_refusal(ruleset, progress.first_bout) is not None
    return BoutGuide(
        roles.attacker,
        roles.defender,
        throwers,
        tuple(seat for seat in drawing if seat in {*pairs, *throwers, roles.defender}),
        attack_cap(ruleset, roles),
        attack_cap(ruleset, roles, picking_up=True),
        limit_keys(ruleset, roles),
        caps_first_defence(ruleset, roles),
        attack_path(ruleset.ring, progress.out, attacker, defender, transfers),
        None if banned else next_defender(ruleset.ring, roles.defender, roles.out),
    )


def attack_path(
    ring: Ring, out: Collection[Seat], attacker: Seat, defender: Seat, transfers: Sequence[Transfer]
) -> tuple[Seat, ...]:
    """The seats on the way of a bout's attack: who attacked, and whom it faced one after the other.

    `out` are the seats that were out before the bout.

    >>> from companion.rules.seats import Ring
    >>> attack_path(Ring(4), {"C"}, "A", "B", [Transfer("B"), Transfer("D")])
    ('A', 'B', 'D', 'A')
    """
    path = [attacker, defender]
    for transfer in transfers:
        path.append(next_defender(ring, transfer.by, set(out) - {attacker, defender, transfer.by}))
    return tuple(path)


def attack_paths(
    ruleset: BeatingRuleset,
    progress: HandProgress,
    bouts: Sequence[Bout],
    walked_out: Seat | None = None,
    walked_after: int | None = None,
) -> list[tuple[Seat, ...]]:
    """The seats on the way of each of these bouts' attack, as `attack_path` has them.

    `walked_out` left after `walked_after` of the bouts, as for `follow_stages`.
    """
    stages, _problems = follow_stages(ruleset, progress, bouts, walked_out, walked_after)
    return [
        attack_path(ruleset.ring, before.out, bout.attacker, bout.defender, bout.transfers)
        for before, bout in zip(stages, bouts, strict=False)
    ]
