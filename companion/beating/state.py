"""A session as it stands: a row for every entry, losses, who deals and attacks next, who pays."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from companion.rules.game import GameRow, GameState
from companion.rules.message import Message
from companion.rules.seats import Seat, Side
from companion.rules.series import Series

from . import turn
from .entries import Entry
from .ruleset import BeatingRuleset


@dataclass(frozen=True, slots=True)
class BeatingRow(GameRow):
    """The result of an entry.

    `result` is `loss`, `draw`, `misdeal`, `void`, `touch` or `close` (None: it was refused); `order` are the
    players in the order in which they went out (None: nobody has said it), `sixes` the epaulettes of the
    loser; `scored` are the losses it added.
    """

    entry: Entry
    loser: Side | None = None
    order: tuple[Seat, ...] | None = None
    sixes: int | None = None


@dataclass(frozen=True, slots=True)
class BeatingState(GameState):
    """A session so far.

    `totals` are losses by side. `next_dealer` is None while nobody has said who deals first, or which of the
    losing team deals next; `dealt_by` is the key of the rule by which they deal. `hands` is the number of
    hands played to their end, `draws` of those that nobody lost, `fool` the side that lost or touched last;
    `epaulettes` are the marks by side, which are no losses. `status` is `playing` or `finished`, then with
    `ended_by` `close` or `session-losses`.
    """

    ruleset: BeatingRuleset
    dealt_by: str = "deal.first"
    hands: int = 0
    draws: int = 0
    fool: Side | None = None
    epaulettes: Mapping[Side, int] = field(default_factory=dict)
    rows: Series[BeatingRow] = Series()

    @property
    def start(self) -> turn.HandStart | None:
        """Find the start of the next hand; None if the session is over, or while the dealer is unknown."""
        if self.status != "playing" or self.next_dealer is None:
            return None
        if self.hands:
            return turn.later_hand_start(self.ruleset, self.next_dealer, self.dealt_by)
        return turn.first_hand_start(self.ruleset, self.next_dealer, None, self.dealt_by, known=False)

    def start_with(self, dealer: Seat) -> turn.HandStart | None:
        """Find the start of the next hand if this player deals it."""
        return replace(self, next_dealer=dealer).start

    @property
    def losers(self) -> tuple[Side, ...]:
        """The sides that lost most often, and so pay; none while nobody has lost."""
        most = max(self.totals.values())
        return tuple(side for side in self.ring.sides if most and self.totals[side] == most)

    @property
    def gains(self) -> dict[str, dict[Side, int]]:
        """Matchsticks: whoever has one pays every other side for it."""
        return {"matchstick": self.pay_each_other({side: -lost for side, lost in self.totals.items()})}

    def marks_beside(self, side: Side, most: int) -> tuple[int, ...]:
        """The epaulettes beside a side's losses, one number for each, of the last so many at most."""
        count = min(self.totals[side], most)
        lost = (row for row in reversed(self.rows) if row.scored.get(side))
        return tuple(row.sixes or 0 for row in islice(lost, count))[::-1]

    def flagged(self, row: BeatingRow, field: str, key: str, reason: Message) -> "BeatingState":
        """The state with one more problem: of a row, at a field of its entry (empty: all of it).

        `key` is the family's key of the rule that it breaks.
        """
        problem = self.ruleset.find_problem(row.n, field, key, reason)
        return replace(self, problems=self.problems.lengthen(problem))

    def write(
        self, row: BeatingRow, losses: Mapping[Side, int], marks: Mapping[Side, int] | None = None
    ) -> "BeatingState":
        """The state with one more row and its losses by side, which may end the session (score.tally).

        `marks` are its epaulettes (score.epaulettes).
        """
        totals = {side: self.totals[side] + losses.get(side, 0) for side in self.ring.sides}
        row = replace(row, scored={**self.ruleset.zeros(), **losses}, totals=totals)
        epaulettes = {side: self.epaulettes.get(side, 0) + (marks or {}).get(side, 0) for side in totals}
        after = replace(self, totals=totals, epaulettes=epaulettes, rows=self.rows.lengthen(row))
        agreed: int = self.ruleset["session_losses"]
        if self.status == "playing" and agreed and max(totals.values()) >= agreed:
            return replace(after, status="finished", ended_by="session-losses")
        return after
