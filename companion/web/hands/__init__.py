"""The pages of a family whose table plays hands for a loser: recording a hand, the scoreboard, entries."""

from typing import cast

from companion.library import Game
from companion.matches import EntryPlace, Match
from companion.rules.hand_game import HandGame, HandState

FAMILY = "beating"
"""The family these pages are made for; an address of theirs leads nowhere in a match of another."""


def hand_game(game: Game) -> HandGame:
    """A game of the family, with all that it can be asked."""
    return cast(HandGame, game.family)


def hand_state(at: Match | EntryPlace) -> HandState:
    """How a session of the family stands, or stood before one of its entries."""
    return cast(HandState, at.state if isinstance(at, Match) else at.before)
