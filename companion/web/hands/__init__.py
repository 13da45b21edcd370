"""The pages of a family whose table plays hands for a loser: recording a hand, the scoreboard, entries."""

from typing import cast

from companion.beating.match import Beating
from companion.beating.state import BeatingState
from companion.library import Game
from companion.matches import EntryPlace, Match

FAMILY = "beating"
"""The family these pages are made for; an address of theirs leads nowhere in a match of another."""


def hand_game(game: Game) -> Beating:
    """A game of the family, with all that it can be asked."""
    return cast(Beating, game.family)


def hand_state(at: Match | EntryPlace) -> BeatingState:
    """How a session of the family stands, or stood before one of its entries."""
    return cast(BeatingState, at.state if isinstance(at, Match) else at.before)
