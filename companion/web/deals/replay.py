"""The replay of a deal, trick by trick: the rules that bound each card, and what it cost."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from flask import Blueprint, abort, render_template, request, url_for
from flask_babel import gettext as _

from companion.jacknine.match import JackNine
from companion.jacknine.replay import Replay, ReplayedTrick, replay_deal
from companion.jacknine.state import JackNineRow, JackNineState
from companion.jobs import Job, compute_key
from companion.library.replays import work_out_replay
from companion.matches import Match
from companion.rules.cards import Card, parse_card
from companion.rules.message import Message, show_card
from companion.rules.rulebook import Rule
from companion.rules.series import Series
from companion.web.shell import jobs
from companion.web.shell.hosts import current_host
from companion.web.shell.matches import open_match
from companion.web.shell.text import translate
from companion.wording import list_findings

from . import FAMILY

bp = Blueprint("replay", __name__)

_WHOLE = "all"
_PHONE_PLAYS = 300_000
"""The most plays tried on a phone, which does nothing else meanwhile: a few seconds."""


def find_replay(match: Match, n: int) -> Replay | None:
    """The replay of the nth entry that counts; None unless it was recorded card by card to its end.

    The cost of its cards is not searched.
    """
    row = match.row(n)
    family = cast(JackNine, match.game.family)
    return replay_deal(family.ruleset, row, most=1) if isinstance(row, JackNineRow) else None


@bp.get("/m/<id>/entries/<int:entry>/replay")
def replay_entry(id: str, entry: int) -> str:
    """Show one trick, or all of the deal; with `cost` also what each card cost."""
    match = open_match(id, FAMILY)
    n = match.number(entry)
    found = None if n is None else find_replay(match, n)
    if n is None or found is None:
        abort(404)
    return render_template(
        "deals/replay.html", match=match, entry=entry, page=ReplayPage(match, entry, n, found)
    )


@dataclass(frozen=True)
class ReplayPage:
    """A replay as one page shows it; `n` is the number of the entry among those that count."""

    match: Match
    entry: int
    n: int
    replay: Replay

    @property
    def trick(self) -> int | None:
        """The number of the trick in the address, from 1 (the default); None for all of them."""
        sought = request.args.get("trick", "")
        if sought == _WHOLE:
            return None
        number = int(sought) if sought.isascii() and sought.isdigit() and len(sought) < 3 else 1
        return min(max(number, 1), len(self.replay.tricks))

    @property
    def shown(self) -> ReplayedTrick:
        """The trick with this number; the first if all are shown."""
        return self.replay.tricks[(self.trick or 1) - 1]

    @property
    def seat(self) -> str | None:
        """The only open hand; None if all are open."""
        seat = request.args.get("hand", "")
        return seat if seat in self.replay.hands else None

    @cached_property
    def costs(self) -> dict[str, Any] | None:
        """The costs found by a search, as `show_replay` shows them; None unless asked for.

        :raises UnderWay, NotTaken, NoAnswer: like every job.
        """
        if "cost" not in request.args:
            return None
        game, state = self.match.game, cast(JackNineState, self.match.state)
        row = state.rows[self.n - 1]
        alone = replace(state, rows=Series((row,)))
        most = _PHONE_PLAYS if current_host().is_phone else None
        deal = self.match.standing_entries[self.n - 1].payload
        facts = json.dumps(
            [game.agreed, deal, row.elder, row.declarer, row.trump, row.made, most], sort_keys=True
        )
        job = Job(
            compute_key("replay", jobs.edition(), facts), work_out_replay, (*game.agreed, alone, 1, most)
        )
        found: dict[str, Any] = json.loads(jobs.ask(job, _("What each card cost")))
        return found

    def list_findings(self) -> list[Message]:
        """The findings of the search, in words."""
        if self.costs is None:
            return []
        return [*list_findings(self.costs, lambda card: show_card(parse_card(card), translate))]

    def cost(self, trick: int, place: int) -> int | None:
        """The cost of a card by trick and index in the trick, both from 0; None if not searched."""
        cost: int | None = None if self.costs is None else self.costs["tricks"][trick]["cards"][place]["cost"]
        return cost

    def is_turning(self, trick: int, place: int) -> bool:
        """True if the deal turned at this card."""
        return self.costs is not None and self.costs["turning"] == {"trick": trick + 1, "card": place + 1}

    def rules(self, trick: int, place: int) -> list[Rule]:
        """The rules that bound this card."""
        family = cast(JackNine, self.match.game.family)
        return list(family.ruleset.cite(*self.replay.tricks[trick].cards[place].duty.keys))

    def list_hands(self) -> Iterator[tuple[str, tuple[Card, ...]]]:
        """The open hands as they were before the trick."""
        played = {card.card for trick in self.replay.tricks[: (self.trick or 1) - 1] for card in trick.cards}
        for seat, hand in self.replay.hands.items():
            if self.seat in (None, seat):
                yield seat, tuple(card for card in hand if card not in played)

    def count_points(self) -> dict[str, int]:
        """The points that each side has taken so far, this trick included."""
        ring = self.match.state.ring
        points = dict.fromkeys(ring.sides, 0)
        for trick in self.replay.tricks[: self.trick]:
            points[ring.side(trick.taker)] += trick.points
        return points

    def address(self, **changed: Any) -> str:
        """The address of this page with some arguments changed."""
        arguments = {"trick": self.trick or _WHOLE, "hand": self.seat, "cost": request.args.get("cost")}
        return url_for("replay.replay_entry", id=self.match.id, entry=self.entry, **(arguments | changed))
