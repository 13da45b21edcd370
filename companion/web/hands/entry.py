"""What the page of a hand shows beside its result: its bouts, who left, who went out when."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from companion.beating.entries import Bout, Hand
from companion.beating.state import BeatingRow
from companion.matches import Match
from companion.rules.game import GameRow

from . import hand_game
from .arrow import draw_way


@dataclass(frozen=True)
class RecordedBout:
    """One bout as it was written: the seats its attack went past, how it ended, who went out in it.

    `shown` are those who passed the attack on with a card that they only showed; `left` is who left the table
    after it.
    """

    way: tuple[str, ...]
    view: Bout
    left: str | None

    @property
    def shown(self) -> tuple[str, ...]:
        """Who transferred by showing a trump."""
        return tuple(transfer.by for transfer in self.view.transfers if transfer.shown)


def describe_hand(match: Match, row: GameRow) -> Mapping[str, Any]:
    """What the template of an entry needs of a hand: its bouts, and the way of the last attack."""
    bouts = list_bouts(match, row)
    way = bouts[-1].way if bouts else ()
    arrows = draw_way(match.state.ring, way)
    return {"bouts": bouts, "way": way, "arrows": arrows, "order": cast(BeatingRow, row).order or ()}


def list_bouts(match: Match, row: GameRow) -> list[RecordedBout]:
    """The bouts of a hand, as far as they were followed."""
    entry = cast(Hand, row.entry)
    views = entry.bouts or ()
    ways = hand_game(match.game).ways(views, entry.walked_out, entry.walked_after)
    after = len(views) if entry.walked_after is None else entry.walked_after
    return [
        RecordedBout(tuple(way), view, entry.walked_out if n == after else None)
        for n, (way, view) in enumerate(zip(ways, views, strict=True), 1)
    ]
