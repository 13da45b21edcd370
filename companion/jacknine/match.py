"""A whole game of the family: the state after each entry, and the fold's five verbs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..rules.cards import Card
from ..rules.message import Message, SeatName
from ..rules.ruling import Problem, Ruling
from ..rules.seats import Ring, Seat, Side
from ..rules.shapes import SeatOf, Unreadable
from . import auction, play, settle
from .deal import read_deal
from .entries import Abandon, Adjust, Concede, Deal, Entry, Opening, read_entry
from .reading import Line, Reading
from .ruleset import Ruleset
from .rulings import Question, answer, known_questions


@dataclass(frozen=True, slots=True)
class Row:
    """What one entry came to. `totals` and `held` stand after it; `rules` are the ids it went by."""

    n: int
    type: str
    entry: Entry
    dealer: Seat | None = None
    elder: Seat | None = None
    declarer: Seat | None = None
    trump: str | None = None
    turned: bool | None = None
    result: str | None = None
    made: Mapping[Side, int] | None = None
    scored: Mapping[Side, int] = field(default_factory=dict)
    held: tuple[int, ...] = ()
    totals: Mapping[Side, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    why: Message = Message("{what}", what="")
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A game so far. `keep` is how many further deals the same dealer still has by agreed offers."""

    ruleset: Ruleset
    names: Mapping[Seat, str]
    totals: Mapping[Side, int]
    next_dealer: Seat | None
    held: tuple[int, ...] = ()
    keep: int = 0
    status: str = "playing"
    winner: Side | None = None
    ended_by: str | None = None
    rows: tuple[Row, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def ring(self) -> Ring:
        """The seats of the table."""
        return self.ruleset.ring

    @property
    def next_elder(self) -> Seat | None:
        """Who speaks and leads first in the next deal."""
        return None if self.next_dealer is None else self.ring.left(self.next_dealer)

    @property
    def sets(self) -> dict[Side, int]:
        """Games won so far in this record: one for its winner."""
        return {side: int(side == self.winner) for side in self.ring.sides}

    @property
    def stakes(self) -> dict[Side, int]:
        """Units each side wins or pays; they sum to nothing."""
        if self.winner is None:
            return self.ruleset.zeros()
        others = len(self.ring.sides) - 1
        return {side: others if side == self.winner else -1 for side in self.ring.sides}

    def needs(self, side: Side) -> int:
        """How many points a side still needs."""
        target: int = self.ruleset["target"]
        return max(0, target - self.totals[side])


@dataclass(frozen=True, slots=True)
class JackNine:
    """A game of the family under one rule set, as the record sees it."""

    ruleset: Ruleset

    @property
    def questions(self) -> Mapping[str, Question]:
        """The questions that this game can answer, by name."""
        return known_questions(self.ruleset)

    def first_dealer(self, drawn: Mapping[Seat, Card]) -> Seat | None:
        """Who deals first by the cards drawn for it; None when they must be drawn again."""
        return auction.first_dealer(self.ruleset, drawn)

    def bidding(self, elder: Seat, turned: Card | None, calls: Sequence[str]) -> auction.Auction:
        """The bidding so far: who speaks, what may be said, what it came to."""
        return auction.hold(self.ruleset, elder, turned, calls)

    def course(self, elder: Seat, trump: str, tricks: Sequence[Sequence[Card]]) -> play.Course:
        """The play so far, the last trick perhaps unfinished: who took what, and who plays next."""
        return play.course(self.ruleset, tricks, elder, trump)

    def read(self, entry: Any, path: str) -> Entry:
        """One entry from JSON. :raises Unreadable: if it has not the shape of an entry."""
        return read_entry(self.ruleset, entry, path)

    def start(self, head: Mapping[str, Any]) -> State:
        """The state before the first entry. :raises Unreadable: if players or dealer do not fit."""
        ring = self.ruleset.ring
        names = head["players"]
        if len(names) != ring.size:
            raise Unreadable("players", Message("{count} names", count=ring.size), len(names))
        dealer = head.get("first_dealer")
        if dealer is not None:
            SeatOf().read(dealer, "first_dealer", self.ruleset.table)
        return State(self.ruleset, dict(zip(ring.seats, names, strict=True)), self.ruleset.zeros(), dealer)

    def apply(self, state: State, entry: Entry) -> State:
        """The state after one more entry; whatever is wrong stands in its problems."""
        row = Row(
            len(state.rows) + 1,
            entry.type,
            entry,
            held=state.held,
            totals=state.totals,
            scored=self.ruleset.zeros(),
            dealer=None,
        )
        if state.status != "playing":
            return _flagged(state, row, "", "end.target", Message("The game is over, so nothing follows."))
        match entry:
            case Deal():
                return _deal(state, row, entry)
            case Opening():
                return _opening(state, row, entry)
            case Adjust():
                scored = state.ruleset.zeros() | {entry.side: entry.points}
                why = Message(
                    "Agreed: {side} {points}. {reason}",
                    side=SeatName(entry.side),
                    points=f"{entry.points:+d}",
                    reason=entry.reason,
                )
                return _write(state, replace(row, scored=scored, why=why), scored)
            case Concede():
                winner = max(state.ring.others(entry.side), key=lambda side: state.totals[side])
                why = Message(
                    "{side} concedes: {winner} wins.", side=SeatName(entry.side), winner=SeatName(winner)
                )
                return replace(
                    _write(state, replace(row, why=why), {}),
                    status="finished",
                    winner=winner,
                    ended_by="concession",
                )
            case Abandon():
                row = replace(row, why=Message("The game was broken off."))
                return replace(_write(state, row, {}), status="abandoned")

    def show(self, state: State) -> dict[str, Any]:
        """The state as JSON values."""
        return {
            "entries": [_shown(row) for row in state.rows],
            "totals": dict(state.totals),
            "held": list(state.held),
            "next_dealer": state.next_dealer,
            "status": state.status,
            "winner": state.winner,
            "ended_by": state.ended_by,
            "stakes": state.stakes,
            "sets": state.sets,
        }

    def rule(self, request: Mapping[str, Any]) -> Ruling:
        """The answer to one question. :raises Unreadable: if the question cannot be understood."""
        return answer(self.ruleset, request)


def _shown(row: Row) -> dict[str, Any]:
    return {
        "n": row.n,
        "type": row.type,
        "dealer": row.dealer,
        "elder": row.elder,
        "declarer": row.declarer,
        "trump": None if row.trump is None else str(row.trump),
        "result": row.result,
        "made": None if row.made is None else dict(row.made),
        "scored": dict(row.scored),
        "held": list(row.held),
        "totals": dict(row.totals),
        "rules": list(row.rules),
    }


def _write(state: State, row: Row, scored: Mapping[Side, int], problems: tuple[Problem, ...] = ()) -> State:
    """The state with one more row; its points are added."""
    totals = {side: state.totals[side] + scored.get(side, 0) for side in state.ring.sides}
    row = replace(row, scored={side: scored.get(side, 0) for side in state.ring.sides}, totals=totals)
    return replace(state, totals=totals, rows=(*state.rows, row), problems=(*state.problems, *problems))


def _flagged(state: State, row: Row, place: str, key: str, reason: Message) -> State:
    path = f"entries[{row.n - 1}]" + (f".{place}" if place else "")
    problem = Problem(row.n, path, state.ruleset.cite_one(key), reason)
    return _write(state, replace(row, why=reason), {}, (problem,))


def _opening(state: State, row: Row, entry: Opening) -> State:
    if state.rows:
        return _flagged(
            state, row, "", "deal.first", Message("What stood on paper comes before everything else.")
        )
    row = replace(row, held=entry.held, why=Message("Taken over from paper."))
    after = _write(state, row, entry.totals)
    return replace(after, held=entry.held, next_dealer=entry.dealer or state.next_dealer)


def _deal(state: State, row: Row, deal: Deal) -> State:
    ruleset = state.ruleset
    dealer = deal.dealer or state.next_dealer
    if dealer is None:
        return _flagged(state, row, "dealer", "deal.first", Message("Who deals first is missing."))
    reading = read_deal(ruleset, deal, row.n, dealer)
    if deal.dealer is not None and state.next_dealer not in (None, deal.dealer):
        reading.flag(
            "dealer",
            "deal.next",
            Message(
                "{due} deals here, not {dealer}.",
                due=SeatName(state.next_dealer or ""),
                dealer=SeatName(deal.dealer),
            ),
        )
    row = replace(
        row,
        dealer=dealer,
        elder=reading.elder,
        declarer=reading.declarer,
        trump=reading.trump,
        turned=reading.turned,
        made=reading.made,
        lines=tuple(reading.lines),
    )
    match reading.status:
        case "void":
            row = replace(
                row, result="void", why=Message("The deal does not count; the same player deals again.")
            )
            return _finish_row(state, row, reading, {}, dealer, used=False)
        case "thrown-in":
            row = replace(row, result="thrown-in", why=Message("Thrown in: nobody scores."))
            return _finish_row(state, row, reading, {}, auction.next_after(ruleset, dealer, None))
        case "offer":
            return _offer(state, row, reading)
        case "contract" if reading.made is not None:
            if deal.call is not None:
                return _called(state, row, reading)
            return _played(state, row, reading)
        case _:
            why = reading.problems[0].reason
            return _finish_row(state, replace(row, why=why), reading, {}, state.next_dealer, used=False)


def _finish_row(
    state: State,
    row: Row,
    reading: Reading,
    scored: Mapping[Side, int],
    dealer: Seat | None,
    *,
    held: tuple[int, ...] | None = None,
    used: bool = True,
) -> State:
    """Write a deal: its points, what hangs after it, and who deals next.

    A deal that counts uses up one of the further deals agreed on by offers; while some are left, the
    same dealer stays.
    """
    held = state.held if held is None else held
    rules = tuple(rule.id for rule in state.ruleset.cite(*reading.keys)) if reading.keys else ()
    row = replace(row, rules=rules, held=held)
    after = _write(state, row, scored, tuple(reading.problems))
    if not used:
        return replace(after, held=held, next_dealer=dealer)
    keep = max(0, state.keep - 1) + (reading.terms.deals if reading.terms and row.result == "offer" else 0)
    return replace(after, held=held, keep=keep, next_dealer=row.dealer if keep else dealer)


def _offer(state: State, row: Row, reading: Reading) -> State:
    """An accepted offer: elder hand writes the points, which may end the game."""
    terms = reading.terms
    assert terms is not None
    why = Message(
        "The offer is accepted: {seat} +{points}.", seat=SeatName(reading.elder), points=terms.points
    )
    if terms.deals:
        why = Message("{what} The same player deals again.", what=why)
    scored = {state.ring.side(reading.elder): terms.points}
    dealer = auction.next_after(state.ruleset, reading.dealer, terms)
    after = _finish_row(state, replace(row, result="offer", why=why), reading, scored, dealer)
    return _ended(after, settle.ending(state.ruleset, after.totals, reading.elder, None))


def _played(state: State, row: Row, reading: Reading) -> State:
    """A deal that was played: what each side writes, and whether that ends the game."""
    ruleset, deal, made, declarer = state.ruleset, reading.deal, reading.made, reading.declarer
    assert made is not None and declarer is not None
    if deal.penalty is not None:
        settled = settle.penalty(ruleset, deal.penalty.side, sum(made.values()), state.held, reading.dealer)
    else:
        settled = settle.settle(ruleset, declarer, made, state.held, reading.dealer)
    reading.keys += settled.keys
    row = replace(row, result=settled.result, why=settled.why)
    if settled.result == "void":
        return _finish_row(state, row, reading, {}, reading.dealer, used=False)
    totals = {side: state.totals[side] + settled.scored[side] for side in state.ring.sides}
    ended = settle.ending(ruleset, totals, declarer, None if deal.penalty else reading.trickless)
    if ended is not None and ended.verdict == "void":
        reading.keys += (*ended.keys, "deal.void")
        row = replace(row, result="void", why=ended.why)
        return _finish_row(state, row, reading, {}, reading.dealer, used=False)
    after = _finish_row(state, row, reading, settled.scored, settled.next_dealer, held=settled.held)
    return _ended(after, ended)


def _ended(state: State, ended: settle.Ending | None) -> State:
    """The state with the game's end, if the last deal ended it."""
    if ended is None or ended.winner is None:
        return state
    row = state.rows[-1]
    ids = tuple(rule.id for rule in state.ruleset.cite(*ended.keys))
    row = replace(
        row,
        rules=tuple(dict.fromkeys((*row.rules, *ids))),
        why=Message("{what} {end}", what=row.why, end=ended.why),
    )
    rows = (*state.rows[:-1], row)
    return replace(state, rows=rows, status="finished", winner=ended.winner, ended_by=ended.ended_by)


def _called(state: State, row: Row, reading: Reading) -> State:
    """A deal ended by a call: the caller's count decides the game."""
    ruleset, call = state.ruleset, reading.deal.call
    assert call is not None and reading.made is not None
    made, caller = reading.made, state.ring.side(call.seat)
    took = caller not in (reading.trickless, *state.ring.others(reading.taker or caller))
    if call.after_trick > ruleset.hand:
        why = Message("There are {tricks} tricks in a deal.", tricks=ruleset.hand)
        reading.flag("call.after_trick", "end.finish-when", why)
    judged = settle.finish_call(
        ruleset, caller, state.totals[caller], made[caller], took_trick=took, next_card=False
    )
    reading.keys += judged.keys
    if judged.verdict == "no-call":
        reading.flag("call", "end.finish-when", judged.why)
        return _finish_row(state, replace(row, why=judged.why), reading, {}, state.next_dealer, used=False)
    upheld = judged.verdict == "upheld"
    scored = {caller: made[caller]} if upheld else {}
    row = replace(row, result="finished" if upheld else "false-finish", why=judged.why)
    after = _finish_row(state, row, reading, scored, judged.winner)
    return replace(
        after, status="finished", winner=judged.winner, ended_by="finish" if upheld else "false-finish"
    )
