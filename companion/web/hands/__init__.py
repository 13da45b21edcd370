"""The pages of a family whose table plays hands for a loser: recording a hand, the scoreboard, entries."""

from typing import cast

from companion.beating.match import Beating
from companion.beating.state import BeatingState
from companion.library import Game
from companion.matches import EntryPlace, Match
from companion.rules.seats import Seat

FAMILY = "beating"
"""The family that these pages serve; in a match of another family their addresses answer 404."""


def hand_game(game: Game) -> Beating:
    """The family of a game, as its own type."""
    return cast(Beating, game.family)


def hand_state(at: Match | EntryPlace) -> BeatingState:
    """The state of a session of the family, or the state before one of its entries."""
    return cast(BeatingState, at.state if isinstance(at, Match) else at.before)


def list_dealers(state: BeatingState) -> tuple[Seat, ...]:
    """The seats that may deal the next hand while no dealer is named: the team that lost, or anyone."""
    if state.next_dealer is not None:
        return ()
    return tuple(seat for seat in state.ring.seats if state.fool in (None, state.ring.side(seat)))
