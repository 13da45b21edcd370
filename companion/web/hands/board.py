"""The scoreboard of hands: losses as matchsticks, how the next hand begins, who pays, the evening so far."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask_babel import gettext as _
from markupsafe import Markup

from companion.matches import Match
from companion.notation import matchsticks, svg
from companion.web.support.matches import matches

from . import hand_game, hand_state
from .arrow import Arrow, arrow

_PER_ROW = 3


@dataclass(frozen=True)
class LossTally:
    """One side's losses: how many, how many there were before the last entry, and their matchsticks."""

    side: str
    losses: int
    drawn: Markup | None


@dataclass(frozen=True)
class Session:
    """One session of an evening: its losses by side."""

    id: str
    number: int
    losses: Mapping[str, int]


def board(match: Match) -> Mapping[str, Any]:
    """What the scoreboard needs."""
    state = hand_state(match)
    sessions = evening(match)
    return {
        "start": state.start,
        "arrow": _arrow(match),
        "marks": _marks(match),
        "rules": rules_of_start(match),
        "tallies": tallies(match),
        "draws": draws(match),
        "namers": namers(match),
        "left": _left(match),
        "forfeit": state.ruleset.forfeit(),
        "sessions": sessions,
        "sums": {side: sum(one.losses[side] for one in sessions) for side in state.ring.sides},
    }


def namers(match: Match) -> tuple[str, ...]:
    """Who of the team that lost may deal next, while it has not said; nobody otherwise."""
    state = hand_state(match)
    if not match.playing or state.next_dealer is not None:
        return ()
    return tuple(seat for seat in state.ring.seats if state.fool in (None, state.ring.side(seat)))


def rules_of_start(match: Match) -> tuple[str, ...]:
    """The ids of the rules that say how the next hand begins."""
    state = hand_state(match)
    if not match.playing:
        return ()
    keys = state.start.keys if state.start else (state.dealt_by,)
    return tuple(rule.id for rule in state.ruleset.cite(*keys))


def tallies(match: Match) -> list[LossTally]:
    """Every side's losses, in table order."""
    state = hand_state(match)
    last = state.rows[-1].scored if state.rows else {}
    found = []
    for side in state.ring.sides:
        losses = state.totals[side]
        drawn = _drawn(losses, 0, losses - last.get(side, 0), f"{match.id} {side}", f"matchsticks-{side}")
        found.append(LossTally(side, losses, drawn if losses else None))
    return found


def draws(match: Match) -> Markup | None:
    """The dots of the hands that nobody lost, if there were any."""
    count = sum(1 for row in match.state.rows if row.result == "draw")
    return _drawn(0, count, 0, f"{match.id} draws", "draws") if count else None


@lru_cache(maxsize=256)
def _drawn(losses: int, dots: int, before: int, seed: str, prefix: str) -> Markup:
    """The matchsticks of one side; kept, for every look at the board draws the same ones."""
    text = matchsticks.draw_matchsticks(
        losses, dots, seed=seed, before=before, per_row=_PER_ROW, prefix=prefix
    )
    # In squares of the paper instead of units of the drawing: the style sheet says how large a square is.
    sized = re.sub(
        r' (width|height)="([0-9.]+)"', lambda m: f' {m[1]}="{float(m[2]) / svg.SQUARE:g}em"', text, count=2
    )
    return Markup(sized)  # numbers and a match's own id, made by us


def _marks(match: Match) -> dict[str, list[tuple[str, str]]]:
    """What the ring says of each seat: who deals, attacks and defends in the coming hand."""
    state = hand_state(match)
    start = state.start
    roles = (
        ("deals", _("deals"), state.next_dealer if match.playing else None),
        ("attacks", _("attacks"), start and start.attacker),
        ("defends", _("defends"), start and start.defender),
    )
    return {
        seat: [(kind, text) for kind, text, who in roles if who == seat] for seat in match.state.ring.seats
    }


def _arrow(match: Match) -> Arrow | None:
    start = hand_state(match).start
    if start is None or start.attacker is None or start.defender is None:
        return None
    return arrow(match.state.ring, start.attacker, start.defender)


def _left(match: Match) -> int | None:
    """How many more losses of one side end the session, if that was agreed."""
    agreed = hand_game(match.game).ruleset.session_losses()
    return agreed - max(match.state.totals.values()) if agreed and match.playing else None


def evening(match: Match) -> list[Session]:
    """The sessions that follow each other, oldest first; none where there is only this one."""
    found = matches().evening(match)
    if len(found) < 2:
        return []
    return [Session(one.id, number, dict(one.state.totals)) for number, one in enumerate(found, 1)]
