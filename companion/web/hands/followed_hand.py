"""A hand in progress: its recorded facts, bout by bout, and their consequences.

The match's draft holds the facts, read as carefully as anything from outside; the game derives everything
else from them at every look. The draft is the hand's entry so far, and beside it
- `transfers`: how the attack of the current bout was transferred, in the form of an entry's bout;
- `going_out`: the players who go out in that bout, in this order;
- `used_up` (the talon is), `second_trump`, and `shown_after` (the number of bouts when the last card of the
talon was shown);
- `later`: bouts that were taken back and may be put back, from the current one on;
- `walked_out` with `walked_after`, which may exceed the number of bouts left, as some were taken back.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from flask_babel import gettext as _
from flask_babel import pgettext

from companion.beating.entries import Bout, Hand, Transfer
from companion.beating.progress import BoutGuide, HandProgress
from companion.beating.transfer import count_placed
from companion.beating.turn import CANCELLED, HandStart
from companion.matches import Match
from companion.rules.cards import Card
from companion.rules.errors import Unreadable
from companion.rules.game import GameState
from companion.rules.rulebook import Rule
from companion.web.shell.text import say

from . import hand_game, hand_state, list_dealers
from .arrow import Arrow, draw_way

BEATEN_OFF, PICKED_UP = "beaten-off", "picked-up"
SUITS = ("S", "H", "D", "C")


@dataclass(frozen=True)
class HandFault:
    """An impossible fact: the bout's number (from 0; None: the whole hand), a sentence, the rule's id."""

    bout: int | None
    text: str
    rule: str


class FollowedHand:
    """The hand that is being followed, with the facts of its draft."""

    def __init__(self, match: Match, draft: Any) -> None:
        self.match, self.state, self.game = match, hand_state(match), hand_game(match.game)
        self.ruleset, self.ring = self.game.ruleset, match.state.ring
        self.facts = read_draft(match, draft)

    @cached_property
    def dealers(self) -> tuple[str, ...]:
        """The seats that may have dealt, while no dealer is named."""
        return list_dealers(self.state)

    @cached_property
    def dealer(self) -> str | None:
        """The dealer of this hand."""
        dealer = self.facts.get("dealer")
        return self.state.next_dealer or (dealer if dealer in self.dealers else None)

    @cached_property
    def start(self) -> HandStart | None:
        """The beginning of the hand; None while its dealer is unknown."""
        return None if self.dealer is None else self.state.start_with(self.dealer)

    @property
    def asks_first_attacker(self) -> bool:
        """True if the players have to name the first attacker: the cards decide it, not the hand before."""
        return self.start is not None and self.start.attacker is None

    @property
    def first_attacker(self) -> str | None:
        """The seat that attacks first, or None."""
        if self.start is None:
            return None
        attacker: str | None = self.facts.get("first_attacker")
        return self.start.attacker or attacker

    @cached_property
    def bouts(self) -> Sequence[Bout]:
        """The bouts so far."""
        return read_bouts(self.match, self.facts.get("bouts", []))

    @cached_property
    def transfers(self) -> Sequence[Transfer]:
        """The transfers of the current bout's attack so far."""
        return read_transfers(self.match, self.facts.get("transfers", []))

    @cached_property
    def going_out(self) -> tuple[str, ...]:
        """The players who go out in the current bout, in this order, as far as entered."""
        return tuple(seat for seat in self.facts.get("going_out", ()) if seat in self.may_go_out)

    @property
    def walked_out(self) -> str | None:
        """The player who has left the table by now."""
        seat: str | None = self.facts.get("walked_out")
        return seat if self.facts.get("walked_after", 0) <= len(self.bouts) else None

    @property
    def left_last(self) -> bool:
        """True if the last recorded fact is that somebody left the table."""
        return self.walked_out is not None and self.facts.get("walked_after", 0) == len(self.bouts)

    @property
    def later(self) -> Sequence[Mapping[str, Any]]:
        """The bouts that were taken back and may be put back, from the current one on, as JSON."""
        taken_back: list[Mapping[str, Any]] = self.facts.get("later", [])
        turn = self.course.turn
        if (
            not taken_back
            or turn is None
            or self.facts.get("transfers", []) != taken_back[0].get("transfers", [])
        ):
            return ()
        first = taken_back[0]
        return taken_back if (turn.attacker, turn.defender) == (first["attacker"], first["defender"]) else ()

    @cached_property
    def course(self) -> HandProgress:
        """The progress of the hand."""
        return self.game.follow_hand(
            self.first_attacker, self.bouts, self.walked_out, self.facts.get("walked_after", 0)
        )

    @cached_property
    def guide(self) -> BoutGuide | None:
        """The rules' guide to the current bout, as far as it was transferred; None without one."""
        return self.game.guide(self.course, self.transfers)

    @cached_property
    def ways(self) -> Sequence[tuple[str, ...]]:
        """The seats on the way of each bout's attack."""
        return self.game.ways(self.bouts, self.walked_out, self.facts.get("walked_after", 0))

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """The way of the attack so far, round the table."""
        return draw_way(self.ring, self.guide.path) if self.guide is not None else ()

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules behind the present turn, or the end."""
        if self.bouts and self.course.turn:
            keys = self.course.turn.keys
        else:
            keys = self.start.keys if self.start else ("deal.loser",)
        return self.ruleset.cite(*keys)

    @property
    def fact_rules(self) -> tuple[Rule, ...]:
        """The rules for laying, throwing in and drawing cards in the current bout."""
        if self.guide is None:
            return ()
        is_lifted = self.guide.taken_limit != self.guide.limit
        keys = [self.guide.limit_keys[0], *["throw.cap-taker"] * is_lifted, "throw.priority"]
        keys += ["transfer.lay", "transfer.draw"] if self.transfers else ["draw.order"]
        if self.may_transfer:
            keys.append("transfer.hand")
        return self.ruleset.cite(*keys)

    @property
    def may_transfer(self) -> bool:
        """True if the current attack can be transferred, by a card laid or a trump shown."""
        if self.guide is None or not self.ruleset.transfers_attacks():
            return False
        return self.transfer_fault is None or (self.ruleset.shows_trumps() and self.show_fault is None)

    @property
    def talon_used_up(self) -> bool:
        """True if the talon is used up, so that players may go out."""
        return self.ruleset.talon == 0 or bool(self.facts.get("used_up"))

    @property
    def may_go_out(self) -> tuple[str, ...]:
        """The players who may have played their last card in the current bout, clockwise."""
        if self.guide is None or not self.talon_used_up:
            return ()
        shed = {*self.guide.path, *self.guide.throwers}
        return tuple(seat for seat in self.ring.seats if seat in shed)

    @property
    def played(self) -> int:
        """The least number of attack cards on the table in the current bout."""
        return 1 + count_placed(self.transfers)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The cards that may have transferred this bout's attack: once one is recorded, those of its rank."""
        ranks = [card.rank for transfer in self.transfers for card in transfer.cards]
        return tuple(card for card in self.ruleset.pack if card.rank in (ranks[:1] or [card.rank]))

    @property
    def order(self) -> tuple[str, ...]:
        """The players who have gone out, in this order."""
        return tuple(seat for bout in self.bouts if bout.result != CANCELLED for seat in bout.out)

    @property
    def left(self) -> tuple[str, ...]:
        """The players who have left the table by now, in cancelled bouts or between two."""
        cancelled = [seat for bout in self.bouts if bout.result == CANCELLED for seat in bout.out]
        return (*cancelled, *([self.walked_out] if self.walked_out else []))

    @property
    def trump(self) -> str | None:
        """The suit of the card that lay face up under the talon, if that was recorded."""
        return self.facts.get("trump")

    @property
    def second_trump(self) -> str | None:
        """The suit of the last card of the talon, if that changes the trumps."""
        return self.facts.get("second_trump")

    @property
    def trumps_changed(self) -> bool:
        """True if the second trump suit is certain: a bout was played since it was shown."""
        return self.second_trump is not None and len(self.bouts) > self.facts.get("shown_after", 0)

    @cached_property
    def faults(self) -> tuple[HandFault, ...]:
        """The faults of the bouts, perhaps because an earlier entry was corrected since."""
        transfers: list[dict[str, Any]] = self.facts.get("transfers", [])
        fault = self.find_transfer_fault(transfers) if transfers else None
        return self._find_bout_faults(self.to_entry(None)) + ((fault,) if fault else ())

    def find_faults(self, bouts: list[dict[str, Any]]) -> tuple[HandFault, ...]:
        """The faults of the last of these bouts."""
        left = {"walked_after": self.facts["walked_after"]} if self.walked_out else {}
        faults = self._find_bout_faults({**self.to_entry(None), "bouts": bouts, **left})
        return tuple(fault for fault in faults if fault.bout == len(bouts) - 1)

    def find_transfer_fault(self, transfers: list[dict[str, Any]]) -> HandFault | None:
        """The fault of these transfers in the current bout, or None."""
        if self.guide is None:
            return None
        return next(iter(self.find_faults(self.add_bout(PICKED_UP, (), transfers))), None)

    def transfer(self, shown: bool = False) -> list[dict[str, Any]]:
        """The transfers of the current bout as JSON, with one more by its defender."""
        assert self.guide is not None, "nobody transfers what does not come"
        new = {"by": self.guide.defender} | ({"shown": True} if shown else {})
        return [*self.facts.get("transfers", []), new]

    @cached_property
    def transfer_fault(self) -> HandFault | None:
        """The fault of laying a card to transfer now, or None; only for tables that transfer attacks."""
        return self.find_transfer_fault(self.transfer()) if self.guide is not None else None

    @cached_property
    def show_fault(self) -> HandFault | None:
        """The fault of showing a trump to transfer now, or None."""
        return self.find_transfer_fault(self.transfer(shown=True)) if self.guide is not None else None

    def _find_bout_faults(self, entry: Mapping[str, Any]) -> tuple[HandFault, ...]:
        # As an entry it need not have ended yet, so only faults of its course count here.
        after = self._apply(entry)
        faults = []
        for problem in after.problems[len(self.state.problems) :]:
            at = re.search(r"\.(?:bouts\[(\d+)\]|walked_out$)", problem.field)
            if at is not None:
                bout = None if at[1] is None else int(at[1])
                faults.append(HandFault(bout, say(self.match, problem.reason), problem.rule))
        return tuple(faults)

    def _apply(self, entry: Mapping[str, Any]) -> GameState:
        """The state of the session after this hand."""
        family = self.match.game.family
        return family.apply(self.match.state, family.read(entry, "hand"))

    def to_entry(
        self, loser: str | None, deals: str | None = None, *, sixes: int | None = None, void: bool = False
    ) -> dict[str, Any]:
        """The hand as an entry of the record, as far as it was followed; nobody lost a `void` one."""
        left = self.walked_out
        facts = {
            "dealer": self.dealer,
            "deals": deals or None,
            "first_attacker": self.first_attacker,
            "trump": self.trump,
            "bouts": self.facts.get("bouts") or None,
            "walked_out": left,
            "walked_after": self.facts.get("walked_after") if left and not self.left_last else None,
            "sixes": sixes,
        }
        ending = {} if void else {"loser": loser}
        return {"type": "hand", **ending, **{key: fact for key, fact in facts.items() if fact is not None}}

    def to_misdeal(self, by: str, misdeal: str) -> dict[str, Any]:
        """The hand as an entry of the record, if a player demanded a new deal for this reason."""
        facts = {"dealer": self.dealer, "trump": self.trump, "misdeal": misdeal, "by": by}
        return {"type": "hand", **{key: fact for key, fact in facts.items() if fact is not None}}

    @property
    def draft_facts(self) -> dict[str, Any]:
        """The draft to save, as JSON."""
        sure = {"dealer": self.dealer, "first_attacker": self.first_attacker}
        return {"type": "hand", **self.facts, **{key: seat for key, seat in sure.items() if seat}}

    def add_bout(
        self, result: str, out: tuple[str, ...], transfers: list[dict[str, Any]] | None = None
    ) -> list[dict[str, Any]]:
        """The bouts as JSON, with the current one added: its result, and who went out in it.

        `transfers` are those recorded so far, unless others are given.
        """
        turn = self.course.turn
        assert turn is not None, "nobody ends a bout that does not come"
        new: dict[str, Any] = {"attacker": turn.attacker, "defender": turn.defender, "result": result}
        passed = self.facts.get("transfers", []) if transfers is None else transfers
        new |= {"out": list(out)} if out else {}
        return [*self.facts.get("bouts", []), new | ({"transfers": passed} if passed else {})]

    @property
    def marks(self) -> dict[str, list[tuple[str, str]]]:
        """The roles of each seat on the ring: dealer, attacker, defender, out, or left."""
        roles = [("deals", pgettext("of the dealer", "deals"), self.dealer)]
        if self.guide is not None:
            roles.append(("attacks", pgettext("of a player", "attacks"), self.guide.attacker))
            roles.append(("defends", pgettext("of a player", "defends"), self.guide.defender))
        out, left = ("out", pgettext("of a player", "out")), ("left", _("has left"))
        roles += [(*(left if seat in self.left else out), seat) for seat in self.course.out]
        return {seat: [(kind, text) for kind, text, who in roles if who == seat] for seat in self.ring.seats}

    @cached_property
    def ending(self) -> str:
        """The end of the hand, in a sentence."""
        turn = self.course.turn
        entry = self.to_entry(turn.loser if turn else None, void=self.is_void)
        return say(self.match, self._apply(entry).rows[-1].why)

    @property
    def is_void(self) -> bool:
        """True if nobody has lost, because somebody has left."""
        return self.course.turn is not None and self.course.turn.verdict == "void"

    @property
    def may_be_void(self) -> bool:
        """True if it may be written that nobody lost, because somebody has left."""
        return self.is_void or (bool(self.left) and self.ruleset.plays_on())

    @property
    def may_walk_out(self) -> tuple[str, ...]:
        """The players who may be recorded as leaving now: one a hand, and only between bouts."""
        if self.dealer is None or self.course.over or self.transfers or "walked_out" in self.facts:
            return ()
        return self.present

    @property
    def may_cancel(self) -> tuple[str, ...]:
        """The players who may be recorded as leaving in the current bout, which cancels it."""
        return self.present if self.guide is not None and self.ruleset.cancels_bouts() else ()

    @property
    def leaving_comes_to(self) -> str:
        """The consequence if somebody leaves now: `loser`, `void`, or `next`: the others play on."""
        seat = self.may_walk_out[0]
        turn = self.game.follow_hand(self.first_attacker, self.bouts, seat).turn
        return turn.verdict if turn is not None else "next"

    @property
    def misdeals(self) -> tuple[str, ...]:
        """The reasons for which somebody may demand a new deal now, before the first attack."""
        if self.bouts or self.transfers or "walked_out" in self.facts or self.dealer is None:
            return ()
        return self.ruleset.misdeals

    @property
    def undone_hand(self) -> dict[str, Any] | None:
        """The hand that was followed, written and undone, as a draft; None while another is followed."""
        event = self.match.undone_event
        if event is None or event.kind != "add" or self.match.draft is not None:
            return None
        facts = read_draft(self.match, event.payload)
        if not facts.get("bouts") and "walked_out" not in facts:
            return None
        went_out = any(bout.get("out") for bout in facts.get("bouts", ()))
        return {"type": "hand", **facts, **({"used_up": True} if went_out else {})}

    @property
    def losers(self) -> tuple[str, ...]:
        """The sides that can still lose: all with cards."""
        return tuple(dict.fromkeys(self.ring.side(seat) for seat in self.present))

    @property
    def present(self) -> tuple[str, ...]:
        """The players who have cards and have not left, clockwise."""
        return tuple(seat for seat in self.ring.seats if seat not in self.course.out)

    def team(self, side: str) -> tuple[str, ...]:
        """The seats of a side."""
        return tuple(seat for seat in self.ring.seats if self.ring.side(seat) == side)


_ENTRY_KEYS = ("dealer", "first_attacker", "trump", "bouts", "walked_out")
_DRAFT_KEYS = (
    *_ENTRY_KEYS,
    "walked_after",
    "transfers",
    "going_out",
    "later",
    "second_trump",
    "shown_after",
    "used_up",
)


def read_bouts(match: Match, bouts: object) -> Sequence[Bout]:
    """Read bouts from JSON, as the game reads them.

    :raises Unreadable: if they are invalid.
    """
    entry = match.game.family.read({"type": "hand", "loser": None, "bouts": bouts}, "draft")
    return cast(Hand, entry).bouts or ()


def read_transfers(match: Match, transfers: object) -> Sequence[Transfer]:
    """Read the transfers of one bout from JSON, as the game reads them.

    :raises Unreadable: if they are invalid.
    """
    return read_bouts(match, [_some_bout(transfers=transfers)])[0].transfers


def _some_bout(**facts: object) -> dict[str, object]:
    """A bout of which only these facts matter."""
    return {"attacker": "A", "defender": "B", "result": "beaten-off", **facts}


def read_draft(match: Match, draft: Any) -> dict[str, Any]:
    """Read the facts of a hand in a draft; empty for anything else, for a draft may hold anything."""
    if not isinstance(draft, Mapping) or draft.get("type") != "hand":
        return {}
    facts: dict[str, Any] = {key: draft[key] for key in _DRAFT_KEYS if draft.get(key) is not None}
    entry = {key: fact for key, fact in facts.items() if key in _ENTRY_KEYS}
    try:
        match.game.family.read({"type": "hand", "loser": None, **entry}, "draft")
        read_transfers(match, facts.get("transfers", []))
        read_bouts(match, [_some_bout(out=facts.get("going_out", []))])
        read_bouts(match, facts.get("later", []))
    except Unreadable:
        return {}
    if "walked_out" in facts:
        facts.setdefault("walked_after", len(facts.get("bouts", [])))
    counts = [facts.get(key, 0) for key in ("shown_after", "walked_after")]
    fits = facts.get("second_trump", "S") in SUITS
    return facts if fits and all(type(count) is int and 0 <= count <= 200 for count in counts) else {}
