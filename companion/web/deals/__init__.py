"""The pages of a family whose table plays deals for points: recording a deal, its scoreboard, its entries."""

from typing import cast

from companion.jacknine.match import JackNine
from companion.jacknine.state import JackNineState
from companion.library import Game
from companion.matches import EntryPlace, Match

FAMILY = "jacknine"
"""The family these pages are made for; an address of theirs leads nowhere in a match of another."""


def deal_game(game: Game) -> JackNine:
    """A game of the family, with all that it can be asked."""
    return cast(JackNine, game.family)


def deal_state(at: Match | EntryPlace) -> JackNineState:
    """How a match of the family stands, or stood before one of its entries."""
    return cast(JackNineState, at.state if isinstance(at, Match) else at.before)
