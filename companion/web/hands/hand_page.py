"""A hand that is being recorded or corrected, as its page shows it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask_babel import gettext as _
from flask_babel import pgettext

from companion.beating.ruleset import BeatingRuleset
from companion.matches import EntryPlace, Match
from companion.record.log import Event
from companion.rules.ruling import Problem

from . import hand_game, hand_state
from .followed_hand import SUITS, FollowedHand
from .form import DRAW, LEFT, MISDEAL, HandForm

_MAX_SIXES = 4


@dataclass(frozen=True)
class HandEnding:
    """One way a hand can end: what the form says, in words."""

    value: str
    text: str


@dataclass(frozen=True)
class HandPage:
    """A hand that is being recorded, as its page shows it."""

    place: EntryPlace
    form: HandForm
    problems: tuple[Problem, ...] = ()
    changes: tuple[Event, ...] = ()

    @classmethod
    def begin(cls, place: EntryPlace) -> "HandPage":
        """The page of a hand, filled in with what is known of it: as it is written, or as it was followed."""
        known = cls(place, HandForm(formdata=None)).known_facts
        return cls(place, HandForm(formdata=None, data=HandForm.field_data(known)))

    @property
    def match(self) -> Match:
        """The match it belongs to."""
        return self.place.match

    @property
    def ruleset(self) -> BeatingRuleset:
        """The rule set it is played by."""
        return hand_game(self.match.game).ruleset

    @property
    def sides(self) -> list[tuple[str, list[HandEnding]]]:
        """Every side that can lose: in words, and the taps that say so."""
        ring, endings = self.match.state.ring, []
        for side in ring.sides:
            name = self.match.side_name(side)
            if not ring.partnerships:
                endings.append(("", [HandEnding(side, _("%(name)s is the fool", name=name))]))
                continue
            taps = [
                HandEnding(f"{side}:{seat}", _("%(name)s deals", name=self.match.names[seat]))
                for seat in ring.seats
                if ring.side(seat) == side
            ]
            endings.append((_("%(names)s lost", names=name), [*taps, HandEnding(side, _("Decide later"))]))
        return endings

    @property
    def draw_ending(self) -> HandEnding:
        """That nobody lost."""
        return HandEnding(self._value_of(DRAW), pgettext("nobody lost", "Draw"))

    @property
    def left_ending(self) -> HandEnding:
        """What becomes of the hand by somebody leaving the table alone."""
        if self.ruleset.plays_on():
            text = _("Void: only one player was left")
        else:
            text = (
                _("The player who left has lost")
                if self.ruleset.loses_by_leaving()
                else _("Void: somebody left")
            )
        return HandEnding(self._value_of(LEFT), text)

    @property
    def misdeal_endings(self) -> tuple[HandEnding, ...]:
        """Who may have demanded a new deal, where the table plays so, or it is written."""
        if not self.ruleset.redeals_five_suited() and self.form.ending != MISDEAL:
            return ()
        names = self.match.names
        return tuple(HandEnding(f"{MISDEAL}:{seat}", names[seat]) for seat in self.match.state.ring.seats)

    def _value_of(self, ending: str) -> str:
        """What the form says of such an ending; with the dealer whom a team named, where one stands there."""
        said: str = self.form.result.data or ""
        return said if self.form.ending == ending else ending

    @property
    def dealers(self) -> tuple[str, ...]:
        """Who may have dealt, where that does not follow, or was recorded."""
        state = hand_state(self.place)
        if state.next_dealer is not None:
            return state.ring.seats if self.place.entry.get("dealer") else ()
        return tuple(seat for seat in state.ring.seats if state.fool in (None, state.ring.side(seat)))

    @property
    def dealer_in_turn(self) -> str | None:
        """Who deals by what stands before; None where nobody has said it."""
        return self.place.before.next_dealer

    @property
    def suits(self) -> tuple[str, ...]:
        """The suits there are."""
        return SUITS

    @property
    def epaulettes(self) -> tuple[tuple[str, str], ...]:
        """How many epaulettes there may be, to choose from; nothing where the table writes none."""
        counts = range(_MAX_SIXES + 1) if self.ruleset.writes_epaulettes() else ()
        return tuple((str(count), str(count)) for count in counts)

    @property
    def places(self) -> tuple[str, ...]:
        """The places of the order of going out, as far as they are filled in: one for every player.

        None, where only two play: there the loser says it.
        """
        size, order = self.match.state.ring.size, tuple(self.form.order.data or ())
        return (*order, *("",) * (size - len(order))) if size > 2 or any(order) else ()

    @property
    def bout_count(self) -> int:
        """How many bouts were followed."""
        return len(self.known_facts.get("bouts", ()))

    @property
    def stays(self) -> tuple[str, ...]:
        """After how many bouts somebody may have left, where bouts were followed or that is written."""
        most: int = max(self.bout_count, self.known_facts.get("walked_after", 0))
        asked = self.bout_count or "walked_after" in self.known_facts
        return tuple(map(str, range(most + 1))) if asked else ()

    @cached_property
    def known_facts(self) -> Mapping[str, Any]:
        """What is known of the hand: as it is written, or as far as it was followed and has not ended."""
        if self.place.id is not None or not isinstance(self.match.draft, Mapping):
            return self.place.entry
        followed = FollowedHand(self.match, self.match.draft).to_entry(None)
        return {key: fact for key, fact in followed.items() if key != "loser" or fact is not None}

    def to_entry(self) -> dict[str, Any]:
        """The hand as an entry: what the form says, and the bouts followed unless they are left out."""
        facts = self.form.to_entry(self.match.state.ring)
        if self.form.forget.data:
            return {key: fact for key, fact in facts.items() if key != "walked_after"}
        keys = ["bouts"] if self.form.ending == MISDEAL else ["first_attacker", "bouts"]
        return {**{key: self.known_facts[key] for key in keys if key in self.known_facts}, **facts}
