"""A session of the family, as the record, the sheets and the pages use it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.errors import MissingFact, Unreadable
from companion.rules.game import Family
from companion.rules.message import Message
from companion.rules.question import answer_question, judge_facts
from companion.rules.ruling import Ruling
from companion.rules.schema import Integer
from companion.rules.seats import Seat

from . import session
from .arbiter.questions import find_irrelevant_facts, find_notes
from .arbiter.registry import QUESTIONS, UNSEATED
from .entries import TYPES, Bout, Close, Entry, Hand, Touch, Transfer, read_entry
from .progress import (
    BoutGuide,
    HandProgress,
    attack_paths,
    bout_guide,
    follow_hand,
    follow_stages,
    start_hand,
    turn_key,
)
from .ruleset import BeatingRuleset
from .state import BeatingRow, BeatingState


@dataclass(frozen=True, slots=True)
class Beating(Family[BeatingState, Entry]):
    """A game of the family under one rule set."""

    ruleset: BeatingRuleset

    counted_entry = "hand"
    later_facts = frozenset({"deals"})
    family_questions = QUESTIONS
    entry_shapes = TYPES

    def irrelevant_facts(self, question: str) -> frozenset[str]:
        return find_irrelevant_facts(self.ruleset, question)

    def find_notes(self, question: str) -> Mapping[str, Message]:
        return find_notes(self.ruleset, question)

    @property
    def exact(self) -> frozenset[str]:
        """The facts of which every number counts: the defender's cards without a cap, or with a high one."""
        is_low = 0 < self.ruleset["attack_cap"] <= self.ruleset.most
        return frozenset() if is_low else frozenset({"defender_cards"})

    @property
    def unseated(self) -> frozenset[str]:
        return frozenset(UNSEATED)

    @property
    def entries(self) -> tuple[str, ...]:
        return tuple(TYPES)

    def read(self, entry: Any, path: str) -> Entry:
        return read_entry(self.ruleset, entry, path)

    def start(self, head: Mapping[str, Any]) -> BeatingState:
        names, dealer = self.read_head(head)
        return BeatingState(self.ruleset, names, self.ruleset.zeros(), dealer)

    def apply(self, state: BeatingState, entry: Entry) -> BeatingState:
        row = BeatingRow(len(state.rows) + 1, entry.type, entry)
        if state.status != "playing":
            over = Message("The session is over, so nothing follows.")
            return state.flagged(row, "", "score.tally", over).write(row, {})
        match entry:
            case Hand():
                return session.apply_hand(state, row, entry)
            case Touch():
                return session.apply_touch(state, row, entry)
            case Close():
                rules = (self.ruleset.cite_one("score.tally"),)
                row = replace(row, result="close", rules=rules, why=Message("The session is closed."))
                return replace(state.write(row, {}), status="finished", ended_by="close")

    def follow_hand(
        self,
        attacker: Seat | None,
        bouts: Sequence[Bout],
        walked_out: Seat | None = None,
        walked_after: int | None = None,
    ) -> HandProgress:
        """Follow a hand through these bouts; `attacker` opened the first one (None: not known).

        `walked_out` left the table, after `walked_after` of the bouts (None: after all).
        """
        start = start_hand(self.ruleset, attacker, (turn_key(self.ruleset.ring),))
        return follow_hand(self.ruleset, start, bouts, walked_out, walked_after)[0]

    def guide(self, progress: HandProgress, transfers: Sequence[Transfer] = ()) -> BoutGuide | None:
        """Find the facts of the coming bout, after these transfers of its attack; None without one."""
        return bout_guide(self.ruleset, progress, transfers)

    def ways(
        self, bouts: Sequence[Bout], walked_out: Seat | None = None, walked_after: int | None = None
    ) -> list[tuple[Seat, ...]]:
        """The seats on the way of each bout's attack: who attacked, and whom it faced in turn.

        `walked_out` left the table, after `walked_after` of the bouts (None: after all).
        """
        return attack_paths(self.ruleset, self._start(bouts), bouts, walked_out, walked_after)

    def stages(
        self, bouts: Sequence[Bout], walked_out: Seat | None = None, walked_after: int | None = None
    ) -> list[HandProgress]:
        """Find the state of a hand before each bout, and after the last; arguments as for `ways`."""
        return follow_stages(self.ruleset, self._start(bouts), bouts, walked_out, walked_after)[0]

    def _start(self, bouts: Sequence[Bout]) -> HandProgress:
        """A hand before these bouts."""
        return start_hand(self.ruleset, bouts[0].attacker if bouts else None, (turn_key(self.ruleset.ring),))

    def show(self, state: BeatingState) -> dict[str, Any]:
        start = state.start
        return {
            "entries": [_row_to_json(row) for row in state.rows],
            "totals": dict(state.totals),
            "held": [],
            "next_dealer": state.next_dealer,
            "next_attacker": start and start.attacker,
            "next_defender": start and start.defender,
            "status": state.status,
            "winner": None,
            "ended_by": state.ended_by,
            "losers": list(state.losers),
            "epaulettes": self._count_epaulettes(state),
            "forfeit": self.ruleset["forfeit"],
            "stakes": self.ruleset.zeros(),
            "sets": self.ruleset.zeros(),
        }

    def _count_epaulettes(self, state: BeatingState) -> dict[str, int] | None:
        """The epaulettes by side; None if they are not written."""
        if not self.ruleset["epaulettes"]:
            return None
        return {side: state.epaulettes.get(side, 0) for side in self.ruleset.ring.sides}

    def rule(self, request: Mapping[str, Any]) -> Ruling:
        """Rule on a request: the `question`'s name, its facts, and `players` if that matters.

        :raises Unreadable: if the question or its facts cannot be understood.
        :raises MissingFact: if a fact is left out on which the answer depends.
        """
        facts = {key: value for key, value in request.items() if key != "players"}
        if "players" in request:
            players = Integer(2, 6).read(request["players"], "players", self.ruleset.table)
            if players != self.ruleset.ring.size:
                expected = Message("{count}, the number of players", count=self.ruleset.ring.size)
                raise Unreadable("players", expected, players)
        else:
            self._require_players(request.get("question"))
        return answer_question(QUESTIONS, self.ruleset, facts)

    def judge(self, question: str, facts: object) -> Ruling:
        self._require_players(question)
        return judge_facts(QUESTIONS, self.ruleset, question, facts)

    def _require_players(self, question: object) -> None:
        """Refuse a question that depends on the number of players.

        :raises MissingFact: if it is unknown.
        """
        if not self.ruleset.seated and question in [*self.questions.keys() - UNSEATED]:
            raise MissingFact("players")


def _row_to_json(row: BeatingRow) -> dict[str, Any]:
    return {
        "n": row.n,
        "type": row.type,
        "dealer": row.dealer,
        "elder": None,
        "declarer": None,
        "trump": row.trump,
        "loser": row.loser,
        "result": row.result,
        "order": None if row.order is None else list(row.order),
        "sixes": row.sixes,
        "made": None,
        "scored": dict(row.scored),
        "held": [],
        "totals": dict(row.totals),
        "rules": list(row.rules),
    }
