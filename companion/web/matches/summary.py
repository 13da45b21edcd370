"""What a list shows of a match: kept beside it, so that no list folds matches; made anew when it changed."""

from dataclasses import asdict, dataclass, field
from typing import Any

from companion import store
from companion.web.support import game_uis, matches


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


def summary(listed: store.ListedMatch) -> MatchSummary | None:
    """The match as a list shows it, or None if its log cannot be read any more."""
    seen = listed.cache
    if seen is None:
        stored = store.load(listed.id)
        seen = _look(stored) if stored else None
        if stored is None or seen is None:
            return None
        store.remember(listed.id, len(stored.events), seen)
    return MatchSummary(listed.id, **seen, changed_at=listed.changed_at)


def _look(stored: store.StoredMatch) -> dict[str, Any] | None:
    try:
        match = matches.made(stored)
    except ValueError:
        return None
    face, state, sides = game_uis.of(match), match.state, match.state.ring.sides
    winner, shown = face.winner(match), match.game.family.show(state)
    seen = MatchSummary(
        id="",
        game=match.game.name,
        title=match.game.book.title,
        players=list(match.head["players"]),
        sides=[match.side_name(side) for side in sides],
        totals=[state.totals[side] for side in sides],
        status=state.status,
        winner=sides.index(winner) if winner in sides else None,
        deals=sum(1 for one in match.standing if one.payload.get("type") == face.numbered),
        changed_at="",
        losers=[] if match.playing else [sides.index(side) for side in shown.get("losers", ())],
        forfeit=shown.get("forfeit", ""),
    )
    return {key: value for key, value in asdict(seen).items() if key not in ("id", "changed_at")}
