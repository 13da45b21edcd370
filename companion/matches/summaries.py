"""What lists show of a match: stored beside it, so that lists fold no matches; remade when it changes."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from companion.store import ListedMatch

from .match import Match

_LISTED = {"id", "changed_at", "owner", "side", "has_pencil"}
"""What the store says of every match in a list by itself."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in a list.

    `preset` is the label of the variety, empty where the game has one only. `winner` and `losers` are places
    among the sides; the losers of a match that is over owe its `forfeit`. `side` and `has_pencil` say what
    the browser whose list it is may do in it, where it is not the `owner`.
    """

    id: str
    game: str
    title: str
    preset: str
    players: list[str]
    sides: list[str]
    totals: list[int]
    status: str
    winner: int | None
    deals: int
    changed_at: str
    losers: list[int] = field(default_factory=list)
    forfeit: str = ""
    owner: str = ""
    side: str | None = None
    has_pencil: bool = False

    @property
    def side_name(self) -> str:
        """The name of the side that the browser speaks for; empty where it speaks for none."""
        return "" if self.side is None else self.sides["ABCDEF".index(self.side)]


def summarize_match(match: Match) -> dict[str, Any]:
    """What a list shows of a match, as JSON values to be stored."""
    state, sides = match.state, match.state.ring.sides
    winner = state.winner
    summary = MatchSummary(
        id="",
        game=match.game.name,
        title=match.game.book.title,
        preset=match.game.variety,
        players=list(match.head["players"]),
        sides=[match.side_name(side) for side in sides],
        totals=[state.totals[side] for side in sides],
        status=state.status,
        winner=sides.index(winner) if winner in sides else None,
        deals=match.counted,
        changed_at="",
        losers=[] if match.playing else [sides.index(side) for side in state.losers],
        forfeit=str(match.game.conventions.get("forfeit", "")),
    )
    return {key: value for key, value in asdict(summary).items() if key not in _LISTED}


def is_complete(values: Mapping[str, Any]) -> bool:
    """Whether stored values have all that a list shows, and nothing else."""
    return values.keys() == {place.name for place in fields(MatchSummary)} - _LISTED


def read_summary(listed: ListedMatch, values: Mapping[str, Any]) -> MatchSummary:
    """The summary of a match from the values that were stored."""
    own = {key: getattr(listed, key) for key in _LISTED}
    return MatchSummary(**own, **values)
