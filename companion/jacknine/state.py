"""The state of a game of the family: a row for every entry, totals, held points, the winner."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.jacknine.phases.ending import (
    cite_sets,
    count_sets,
    find_next_game_dealer,
    find_one_deal_stakes,
)
from companion.rules.game import CountLine, GameRow, GameState
from companion.rules.message import Message
from companion.rules.rulebook import number_version
from companion.rules.ruling import Problem
from companion.rules.seats import Seat, Side
from companion.rules.series import Series

from .entries import Entry
from .ruleset import JackNineRuleset


@dataclass(frozen=True, slots=True)
class JackNineRow(GameRow):
    """The result of an entry; most fields are None for an entry that is no deal.

    `result` of a deal is `made`, `bait`, `tie`, `penalty`, `void`, `thrown-in`, `offer`, `finished` or
    `false-finish`; `made` are all points by side, `scored` the part of them that is written; `held` are the
    held points after the entry. `outcome` says what happened in a few words, after suit and declarer of a
    deal. `lines` are how `made` adds up; `points` and `double` are of the bid; `capot` is the side that took
    every trick, if that counts more.
    """

    entry: Entry
    elder: Seat | None = None
    declarer: Seat | None = None
    turned: bool | None = None
    points: int | str | None = None
    double: int | None = None
    made: Mapping[Side, int] | None = None
    held: tuple[int, ...] = ()
    outcome: Message | None = None
    lines: tuple[CountLine, ...] = ()
    capot: Side | None = None


@dataclass(frozen=True, slots=True)
class JackNineState(GameState):
    """A game so far.

    `held` are points held, oldest first. `keep` is how many further deals the same dealer still has by agreed
    offers. `status` is `playing`, `finished` or `abandoned`; `ended_by` how it finished, such as `target`.
    `stake` is what the game is worth in units, `doubled_by` who last doubled it; `baits` how often each side
    was baited, `trickless` in how many deals it took no trick; `waiting` are sides at the target that must
    take a trick before they win.
    """

    ruleset: JackNineRuleset
    held: tuple[int, ...] = ()
    keep: int = 0
    stake: int = 1
    doubled_by: Side | None = None
    baits: Mapping[Side, int] = field(default_factory=dict)
    trickless: Mapping[Side, int] = field(default_factory=dict)
    waiting: frozenset[Side] = frozenset()
    rows: Series[JackNineRow] = Series()

    @property
    def asks_trickless(self) -> bool:
        """True if a side without points is asked for a trick; False if its rulebook did not ask.

        A host's game asks if its copy says so, for that was made when the match began.
        """
        if self.rulebook is None:
            return True
        since: int = self.ruleset["asked_since"]
        if self.ruleset.book.of_host:
            return since > 0
        return 0 < since <= number_version(self.rulebook)

    @property
    def next_elder(self) -> Seat | None:
        """The seat that speaks and leads first in the next deal."""
        return None if self.next_dealer is None else self.ring.left(self.next_dealer)

    @property
    def sets(self) -> dict[Side, int]:
        """Sets won by each side: one for the winner, two on mars, doubled by every accepted dive."""
        if self.winner is None:
            return self.ruleset.zeros()
        won = count_sets(self.ruleset, self.totals, self.winner, self.ended_by)
        return self.ruleset.zeros() | {self.winner: won * self.stake}

    @property
    def stakes(self) -> dict[Side, int]:
        """Units of the stake that each side wins, or pays as a negative number; they add up to 0."""
        if self.winner is None:
            return self.ruleset.zeros()
        if self.ruleset["party"] == "one-deal" and self.ended_by in ("one-deal", "penalty"):
            row = self.rows[-1]
            units = find_one_deal_stakes(self.ruleset, row.declarer, row.result, self.winner)
            return {side: won * self.stake for side, won in units.items()}
        losers = self.ring.others(self.winner)
        each = self.sets[self.winner]
        return {side: each * len(losers) if side == self.winner else -each for side in self.ring.sides}

    @property
    def gains(self) -> dict[str, dict[Side, int]]:
        """Sets if they are counted, else units; mars, and dives that were accepted, by themselves."""
        if not (self.ruleset.counts_sets and self.ruleset.plays_to_target()):
            gains = {"unit": self.stakes}
        else:
            gains = {"set": self.pay_each_other(self.sets)}
        won = {} if self.winner is None else {self.winner: 1}
        if self.ruleset["mars"] == "on":
            is_mars = sum(self.sets.values()) > self.stake
            gains["mars"] = self.pay_each_other(won if is_mars else {})
        if self.ruleset["dive"] == "on":
            dives = self.stake.bit_length() - 1  # each doubles
            gains["dive"] = self.pay_each_other(dict.fromkeys(won, dives))
        return gains

    @property
    def may_finish(self) -> tuple[Side, ...]:
        """The sides that may announce the end now, before the next deal is cut."""
        if self.status != "playing" or self.ruleset["finish"] != "announced":
            return ()
        return tuple(side for side in self.ring.sides if not self.needs(side))

    def count_played(self) -> int:
        """Count the deals that were played to an end that counts."""
        return sum(row.result in ("made", "bait", "tie", "penalty") for row in self.rows)

    @property
    def is_forced(self) -> bool:
        """True if so many deals have been passed out in a row that the next dealer has to play."""
        most, passed_out = self.ruleset["forced_after"], 0
        for row in reversed(self.rows) if most else ():
            if row.result == "thrown-in":
                passed_out += 1
            elif row.type == "deal" and row.result != "void":
                break
        return bool(most) and passed_out >= most

    def needs(self, side: Side) -> int:
        """Find the points that a side still needs to reach the target."""
        target: int = self.ruleset["target"]
        return max(0, target - self.totals[side])

    def add_row(
        self, row: JackNineRow, scored: Mapping[Side, int], problems: tuple[Problem, ...] = ()
    ) -> "JackNineState":
        """The state with one more row; `scored` is added to the totals."""
        sides = self.ring.sides
        totals = {side: self.totals[side] + scored.get(side, 0) for side in sides}
        row = replace(row, scored={side: scored.get(side, 0) for side in sides}, totals=totals)
        return replace(
            self, totals=totals, rows=self.rows.lengthen(row), problems=self.problems.lengthen(*problems)
        )

    def flag(self, row: JackNineRow, path: str, key: str, reason: Message) -> "JackNineState":
        """Add a row that cannot be right and changes nothing, with its field, the rule's key, and why."""
        problem = self.ruleset.find_problem(row.n, path, key, reason)
        return self.add_row(replace(row, why=reason), {}, (problem,))

    def end(self, winner: Side, ended_by: str) -> "JackNineState":
        """End the game with the win of a side; under some rules the winner deals first in the next.

        Rule keys: `sets.win`, `sets.mars`, `score.held-end`, `deal.new-game`.
        """
        keys = cite_sets(self.ruleset)
        if self.held:
            keys += ("score.held-end",)
        dealer, by = find_next_game_dealer(self.ruleset, winner, self.next_dealer)
        keys += by
        ended = replace(self, status="finished", winner=winner, ended_by=ended_by, next_dealer=dealer)
        ids = [rule.id for rule in self.ruleset.cite(*self.ruleset.known_keys(*keys))]
        row = self.rows[-1]
        row = replace(row, rules=tuple(dict.fromkeys((*row.rules, *ids))))
        return replace(ended, rows=self.rows[:-1].lengthen(row))
