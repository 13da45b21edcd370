"""What lists show of a match: stored beside it, so that no list folds matches; made anew when it changed."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from companion.store import ListedMatch

from .match import Match


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in a list.

    `winner` and `losers` are places among the sides; the losers of a match that is over owe its `forfeit`.
    """

    id: str
    game: str
    title: str
    players: list[str]
    sides: list[str]
    totals: list[int]
    status: str
    winner: int | None
    deals: int
    changed_at: str
    losers: list[int] = field(default_factory=list)
    forfeit: str = ""


def summarize_match(match: Match) -> dict[str, Any]:
    """What a list shows of a match, as JSON values to be stored."""
    state, sides = match.state, match.state.ring.sides
    winner = state.winner
    summary = MatchSummary(
        id="",
        game=match.game.name,
        title=match.game.book.title,
        players=list(match.head["players"]),
        sides=[match.side_name(side) for side in sides],
        totals=[state.totals[side] for side in sides],
        status=state.status,
        winner=sides.index(winner) if winner in sides else None,
        deals=len(match.counted_numbers),
        changed_at="",
        losers=[] if match.playing else [sides.index(side) for side in state.losers],
        forfeit=str(match.game.conventions.get("forfeit", "")),
    )
    return {key: value for key, value in asdict(summary).items() if key not in ("id", "changed_at")}


def read_summary(listed: ListedMatch, values: Mapping[str, Any]) -> MatchSummary:
    """The summary of a match from the values that were stored."""
    return MatchSummary(id=listed.id, changed_at=listed.changed_at, **values)
