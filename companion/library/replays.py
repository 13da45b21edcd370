"""A deal's replay with the cost of each card, computed by a worker."""

import json
from collections.abc import Mapping

from companion.rules.conditions import Value
from companion.rules.game import GameState

from . import reopen_game


def work_out_replay(
    name: str,
    preset: str,
    conventions: Mapping[str, Value],
    players: int | None,
    rules: str,
    state: GameState,
    n: int,
    most: int | None,
) -> bytes:
    """Compute `show_replay` of the nth entry by the table's family, as JSON, trying at most `most` plays."""
    family = reopen_game(name, preset, conventions, players, rules).family
    return json.dumps(family.show_replay(state, n, most)).encode()
