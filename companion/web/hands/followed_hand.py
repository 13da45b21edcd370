"""A hand in progress: what has been recorded of it, bout by bout, and what follows from that.

The match's draft holds the facts: the entry so far, and beside it `used_up` (the talon is), and
`second_trump` with `shown_after` (how many bouts there were when the last card of the talon was shown).
Everything else the game derives from them at every look.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from companion.matches import Match
from companion.rules.errors import Unreadable
from companion.rules.game import GameState
from companion.rules.hand_game import BoutGuideView, BoutView, HandCourseView, HandEntry, HandStartView
from companion.rules.rulebook import Rule
from companion.web.support.text import say

from . import hand_game, hand_state

BEATEN_OFF, PICKED_UP = "beaten-off", "picked-up"
SUITS = ("S", "H", "D", "C")

_ENTRY_KEYS = ("dealer", "first_attacker", "trump", "bouts")
_DRAFT_KEYS = (*_ENTRY_KEYS, "second_trump", "shown_after", "used_up")


@dataclass(frozen=True)
class HandFault:
    """What cannot be right: the bout by number (from 0; None: the whole hand), a sentence, the rule's id."""

    bout: int | None
    text: str
    rule: str


class FollowedHand:
    """The hand that is being followed, with what its draft holds."""

    def __init__(self, match: Match, draft: Any) -> None:
        self.match, self.state, self.game = match, hand_state(match), hand_game(match.game)
        self.ruleset, self.ring = self.game.ruleset, match.state.ring
        self.facts = _read_draft(match, draft)

    @cached_property
    def dealers(self) -> tuple[str, ...]:
        """Who may have dealt, where nobody has said it yet."""
        if self.state.next_dealer is not None:
            return ()
        fool = self.state.fool
        return tuple(seat for seat in self.ring.seats if fool is None or self.ring.side(seat) == fool)

    @cached_property
    def dealer(self) -> str | None:
        """Who deals this hand."""
        dealer = self.facts.get("dealer")
        return self.state.next_dealer or (dealer if dealer in self.dealers else None)

    @cached_property
    def start(self) -> HandStartView | None:
        """How the hand begins; None while nobody has named its dealer."""
        return None if self.dealer is None else self.state.start_with(self.dealer)

    @property
    def asks_first_attacker(self) -> bool:
        """Whether the players have to say who attacks first: the cards decide it, not the hand before."""
        return self.start is not None and self.start.attacker is None

    @property
    def first_attacker(self) -> str | None:
        """Who attacks first."""
        if self.start is None:
            return None
        attacker: str | None = self.facts.get("first_attacker")
        return self.start.attacker or attacker

    @cached_property
    def bouts(self) -> Sequence[BoutView]:
        """The bouts so far."""
        return _parse_bouts(self.match, self.facts.get("bouts", []))

    @cached_property
    def course(self) -> HandCourseView:
        """How far the hand has come."""
        return self.game.course(self.first_attacker, self.bouts)

    @cached_property
    def guide(self) -> BoutGuideView | None:
        """What holds for the bout that comes now; None when there is none."""
        return self.game.guide(self.course)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """By which rules it is whose turn, or over."""
        if self.bouts and self.course.turn:
            keys = self.course.turn.keys
        else:
            keys = self.start.keys if self.start else ("deal.loser",)
        rules: tuple[Rule, ...] = self.ruleset.cite(*keys)
        return rules

    def rule_id(self, key: str) -> str:
        """The id of the game's rule for a thing."""
        id: str = self.ruleset.cite_one(key)
        return id

    @property
    def talon_used_up(self) -> bool:
        """Whether the talon is used up, so that players may go out."""
        return self.ruleset.talon == 0 or bool(self.facts.get("used_up"))

    @property
    def may_go_out(self) -> tuple[str, ...]:
        """Who may have played their last card in the bout that comes now, clockwise."""
        if self.guide is None or not self.talon_used_up:
            return ()
        shed = (*self.guide.throwers, self.guide.defender)
        return tuple(seat for seat in self.ring.seats if seat in shed)

    def seat_choices(self, seats: tuple[str, ...]) -> list[tuple[str, str]]:
        """Seats with their players' names, to choose from."""
        return [(seat, self.match.names[seat]) for seat in seats]

    @property
    def any_out(self) -> bool:
        """Whether anybody has gone out."""
        return bool(self.course.out)

    @property
    def trump(self) -> str | None:
        """The suit of the card that lay face up under the talon, if that was recorded."""
        return self.facts.get("trump")

    @property
    def second_trump(self) -> str | None:
        """The suit of the last card of the talon, where that changes the trumps."""
        return self.facts.get("second_trump")

    @property
    def trumps_changed(self) -> bool:
        """Whether the second trump suit holds for certain: a bout was played since it was shown."""
        return self.second_trump is not None and len(self.bouts) > self.facts.get("shown_after", 0)

    @cached_property
    def faults(self) -> tuple[HandFault, ...]:
        """What cannot be right about the bouts, perhaps because an earlier entry was corrected since."""
        return self._find_bout_faults(self.to_entry(None))

    def find_faults(self, bouts: list[dict[str, Any]]) -> tuple[HandFault, ...]:
        """What cannot be right about the last of these bouts."""
        faults = self._find_bout_faults({**self.to_entry(None), "bouts": bouts})
        return tuple(fault for fault in faults if fault.bout == len(bouts) - 1)

    def _find_bout_faults(self, entry: Mapping[str, Any]) -> tuple[HandFault, ...]:
        # As an entry it need not have ended yet, so only what is said of its bouts counts here.
        after = self._apply(entry)
        faults = []
        for problem in after.problems[len(self.state.problems) :]:
            at = re.search(r"\.bouts\[(\d+)\]", problem.field)
            if at is not None:
                faults.append(HandFault(int(at[1]), say(self.match, problem.reason), problem.rule))
        return tuple(faults)

    def _apply(self, entry: Mapping[str, Any]) -> GameState:
        """What the session would come to with this hand."""
        family = self.match.game.family
        return family.apply(self.match.state, family.read(entry, "hand"))

    def to_entry(self, loser: str | None, deals: str | None = None) -> dict[str, Any]:
        """The hand as an entry of the record, as far as it was followed."""
        facts = {
            "dealer": self.dealer,
            "deals": deals,
            "first_attacker": self.first_attacker,
            "trump": self.trump,
            "bouts": self.facts.get("bouts"),
        }
        return {"type": "hand", "loser": loser, **{key: one for key, one in facts.items() if one}}

    @property
    def draft_facts(self) -> dict[str, Any]:
        """What the draft is to hold, as JSON."""
        sure = {"dealer": self.dealer, "first_attacker": self.first_attacker}
        return {"type": "hand", **self.facts, **{key: one for key, one in sure.items() if one}}

    def add_bout(self, result: str, out: tuple[str, ...]) -> list[dict[str, Any]]:
        """The bouts as JSON, with the one that comes now added: how it ended, and who went out in it."""
        assert self.guide is not None, "nobody ends a bout that does not come"
        new = {"attacker": self.guide.attacker, "defender": self.guide.defender, "result": result}
        return [*self.facts.get("bouts", []), new | ({"out": list(out)} if out else {})]

    def marks(self, texts: Mapping[str, str]) -> dict[str, list[tuple[str, str]]]:
        """What the ring says of each seat: who deals, attacks and defends, who is out."""
        roles = [("deals", self.dealer)] if self.dealer else []
        if self.guide is not None:
            roles += [("attacks", self.guide.attacker), ("defends", self.guide.defender)]
        roles += [("out", seat) for seat in self.course.out]
        marks: dict[str, list[tuple[str, str]]] = {}
        for kind, seat in roles:
            marks.setdefault(seat, []).append((kind, texts[kind]))
        return marks

    @cached_property
    def ending(self) -> str:
        """How the hand has ended, in a sentence."""
        turn = self.course.turn
        return say(self.match, self._apply(self.to_entry(turn.loser if turn else None)).rows[-1].why)

    @property
    def losers(self) -> tuple[str, ...]:
        """Who can still lose, whoever that will be: every side with cards."""
        left = {self.ring.side(seat) for seat in self.ring.seats if seat not in self.course.out}
        return tuple(side for side in self.ring.sides if side in left)

    def team(self, side: str) -> tuple[str, ...]:
        """Who plays for a side."""
        return tuple(seat for seat in self.ring.seats if self.ring.side(seat) == side)


def _parse_bouts(match: Match, bouts: object) -> Sequence[BoutView]:
    """Bouts as the game reads them, from JSON.

    :raises Unreadable: if they are none.
    """
    entry = match.game.family.read({"type": "hand", "loser": None, "bouts": bouts}, "draft")
    return cast(HandEntry, entry).bouts or ()


def _read_draft(match: Match, draft: Any) -> dict[str, Any]:
    """The facts of a hand in a draft; none where it is no hand, for a draft may hold anything."""
    if not isinstance(draft, Mapping) or draft.get("type") != "hand":
        return {}
    facts: dict[str, Any] = {key: draft[key] for key in _DRAFT_KEYS if draft.get(key) is not None}
    entry = {key: one for key, one in facts.items() if key in _ENTRY_KEYS}
    try:
        match.game.family.read({"type": "hand", "loser": None, **entry}, "draft")
        fits = facts.get("second_trump", "S") in SUITS and type(facts.get("shown_after", 0)) is int
    except Unreadable:
        return {}
    return facts if fits else {}
