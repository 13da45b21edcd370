"""A deal looked at again with what each card cost, as a worker works it out."""

import json
from collections.abc import Mapping

from companion.rules.game import GameState
from companion.rules.rulebook import Value

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
    """What `show_replay` of the table's family shows of the nth entry, as JSON; `most` plays are tried."""
    family = reopen_game(name, preset, conventions, players, rules).family
    return json.dumps(family.show_replay(state, n, most)).encode()
