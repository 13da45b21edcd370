"""The pages of a family whose table plays hands for a loser: recording a hand, the scoreboard, entries."""

from typing import cast

from companion.beating.match import Beating
from companion.beating.state import BeatingState
from companion.library import Game
from companion.matches import EntryPlace, Match
from companion.rules.seats import Seat

FAMILY = "beating"
"""The family these pages are made for; an address of theirs leads nowhere in a match of another."""


def hand_game(game: Game) -> Beating:
    """A game of the family, with all that it can be asked."""
    return cast(Beating, game.family)


def hand_state(at: Match | EntryPlace) -> BeatingState:
    """How a session of the family stands, or stood before one of its entries."""
    return cast(BeatingState, at.state if isinstance(at, Match) else at.before)


def list_dealers(state: BeatingState) -> tuple[Seat, ...]:
    """Who may deal the next hand, while nobody has said it: the team that lost, or anyone."""
    if state.next_dealer is not None:
        return ()
    return tuple(seat for seat in state.ring.seats if state.fool in (None, state.ring.side(seat)))
