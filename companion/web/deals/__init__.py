"""The pages of a family whose table plays deals for points: recording a deal, its scoreboard, its entries."""

from typing import cast

from companion.library import Game
from companion.matches import EntryPlace, Match
from companion.rules.deal_game import DealGame, DealState

FAMILY = "jacknine"
"""The family these pages are made for; an address of theirs leads nowhere in a match of another."""


def deal_game(game: Game) -> DealGame:
    """A game of the family, with all that it can be asked."""
    return cast(DealGame, game.family)


def deal_state(at: Match | EntryPlace) -> DealState:
    """How a match of the family stands, or stood before one of its entries."""
    return cast(DealState, at.state if isinstance(at, Match) else at.before)
