"""A game of the family under one rule set: reads entries, folds them into a state, answers questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.jacknine.arbiter.questions import find_irrelevant_facts
from companion.jacknine.arbiter.registry import QUESTIONS
from companion.rules.cards import Card
from companion.rules.game import Family, Json
from companion.rules.message import Message, SideName
from companion.rules.seats import Seat, Side

from .deals import apply, side_entries
from .entries import (
    ENTRIES,
    Abandonment,
    Adjustment,
    Concession,
    Deal,
    Dive,
    Entry,
    Finish,
    Opening,
    Pencil,
    has_calls,
    list_entry_types,
    read_entry,
)
from .phases import auction, bidding, dealing, play
from .replay import replay_deal, show_replay
from .ruleset import JackNineRuleset
from .state import JackNineRow, JackNineState


@dataclass(frozen=True, slots=True)
class JackNine(Family[JackNineState, Entry]):
    """A game of the family under one rule set."""

    ruleset: JackNineRuleset

    counted_entry = "deal"
    family_questions = QUESTIONS
    entry_shapes = ENTRIES

    def irrelevant_facts(self, question: str) -> frozenset[str]:
        return find_irrelevant_facts(self.ruleset, question)

    @property
    def calls(self) -> bool:
        """True if a player may end the game by a call during play."""
        return has_calls(self.ruleset)

    @property
    def entries(self) -> tuple[str, ...]:
        absent = {"finish"} if self.ruleset["finish"] != "announced" else set()
        absent |= {"dive"} if self.ruleset["dive"] != "on" else set()
        return tuple(name for name in list_entry_types(self.ruleset) if name not in absent)

    def may_dive(self, state: JackNineState) -> tuple[Side, ...]:
        """The sides that may offer to double now."""
        if state.status != "playing":
            return ()
        sides = self.ruleset.ring.sides
        return tuple(side for side in sides if side_entries.may_dive(self.ruleset, side, state.doubled_by))

    @property
    def draws_for_deal(self) -> bool:
        return bool(self.ruleset["first_deal_order"] != "lot")

    def first_dealer(self, drawn: Mapping[Seat, Card]) -> Seat | None:
        return dealing.find_first_dealer(self.ruleset, drawn)

    def bidding(self, elder: Seat, turned: Card | str | None, calls: Sequence[str]) -> auction.Auction:
        """The bidding so far: the speaker, the possible calls, the result."""
        return bidding.follow_auction(self.ruleset, elder, turned, calls)

    def follow_play(self, elder: Seat, trump: str, tricks: Sequence[Sequence[Card]]) -> play.PlaySoFar:
        """The play so far, the last trick perhaps unfinished: who took each trick, and who plays next."""
        return play.follow_play(self.ruleset, tricks, elder, trump)

    def read(self, entry: object, path: str) -> Entry:
        return read_entry(self.ruleset, entry, path)

    def start(self, head: Mapping[str, Any]) -> JackNineState:
        names, dealer = self.read_head(head)
        return JackNineState(self.ruleset, names, self.ruleset.zeros(), dealer)

    def apply(self, state: JackNineState, entry: Entry) -> JackNineState:
        """The state after one more entry; its problems hold whatever is wrong."""
        row = JackNineRow(
            len(state.rows) + 1,
            entry.type,
            entry,
            held=state.held,
            totals=state.totals,
            scored=self.ruleset.zeros(),
        )
        if state.status != "playing":
            return state.flag(row, "", _find_end_key(state), Message("The game is over, so nothing follows."))
        match entry:
            case Deal():
                return apply.apply_deal(state, row, entry)
            case Opening() if not self.ruleset.plays_to_target():
                why = Message("One deal is the game, so no totals stand before it.")
                after = state.flag(row, "", "end.one-deal", why)
                return replace(after, next_dealer=entry.dealer or state.next_dealer)
            case Opening():
                return _apply_opening(state, row, entry)
            case Adjustment():
                return _apply_adjustment(state, row, entry)
            case Concession():
                return _apply_concession(state, row, entry)
            case Abandonment():
                row = replace(row, why=Message("The game was abandoned."))
                return replace(state.add_row(row, {}), status="abandoned")
            case Finish():
                return side_entries.apply_finish(state, row, entry)
            case Dive():
                return side_entries.apply_dive(state, row, entry)
            case Pencil():
                return side_entries.apply_pencil(state, row, entry)

    def show(self, state: JackNineState) -> dict[str, Json]:
        return {
            "entries": [_show_row(row) | self._show_capot(row) for row in state.rows],
            "totals": dict(state.totals),
            "held": list(state.held),
            "next_dealer": state.next_dealer,
            "status": state.status,
            "winner": state.winner,
            "ended_by": state.ended_by,
            "stakes": state.stakes,
            "sets": state.sets,
        }

    def _show_capot(self, row: JackNineRow) -> dict[str, Json]:
        """Add bid, double and capot in games where every trick counts more."""
        return (
            {"points": row.points, "double": row.double, "capot": row.capot}
            if self.ruleset.describes_needed
            else {}
        )

    def show_replay(self, state: JackNineState, n: int, most: int | None = None) -> dict[str, Json] | None:
        replay = replay_deal(self.ruleset, state.rows[n - 1], most)
        return None if replay is None else show_replay(self.ruleset, replay)


END_KEYS = {
    "both-over": "end.both",
    "deals": "end.deals",
    "finish": "end.finish-when",
    "false-finish": "end.false",
    "concession": "end.concede",
    "belot": "meld.belot",
    "dive": "dive.refuse",
}
"""The rules by which a match ended, unless the target or its only deal ended it."""


def _find_end_key(state: JackNineState) -> str:
    """The key of the rule by which a match has ended, or would have, had it not been broken off."""
    usual = "end.target" if state.ruleset.plays_to_target() else "end.one-deal"
    if state.ended_by is None and state.ruleset["deals"]:
        return "end.deals"
    return next(iter(state.ruleset.known_keys(END_KEYS.get(state.ended_by or "", usual))), usual)


def _show_row(row: JackNineRow) -> dict[str, Json]:
    """Show the result of an entry as JSON values."""
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


def _apply_opening(state: JackNineState, row: JackNineRow, entry: Opening) -> JackNineState:
    """Continue a match from its totals on paper."""
    if state.rows:
        return state.flag(row, "", "deal.first", Message("What stood on paper comes before everything else."))
    row = replace(row, held=entry.held, why=Message("Taken over from paper."))
    after = state.add_row(row, entry.totals)
    return replace(after, held=entry.held, next_dealer=entry.dealer or state.next_dealer)


def _apply_adjustment(state: JackNineState, row: JackNineRow, entry: Adjustment) -> JackNineState:
    """Add points that were agreed on, apart from play."""
    why = Message(
        "Agreed: {side} {points}. {reason}",
        side=SideName(entry.side),
        points=f"{entry.points:+d}".replace("-", "\N{MINUS SIGN}"),
        reason=entry.reason,
    )
    outcome = Message("Agreed: {side} {points}", **{key: why.facts[key] for key in ("side", "points")})
    return state.add_row(replace(row, why=why, outcome=outcome), {entry.side: entry.points})


def _apply_concession(state: JackNineState, row: JackNineRow, entry: Concession) -> JackNineState:
    """Let a side give up; the one with most points of the others wins, of equals the first to the left."""
    winner = max(state.ring.others(entry.side), key=lambda side: state.totals[side])
    why = Message(
        "{side} {side:concedes|concede}: {winner} {winner:wins|win}.",
        side=SideName(entry.side),
        winner=SideName(winner),
    )
    rules = tuple(rule.id for rule in state.ruleset.cite(*state.ruleset.known_keys("end.concede")))
    return state.add_row(replace(row, why=why, rules=rules), {}).end(winner, "concession")
