"""Which family has which face: the one place where the pages know the families apart."""

from collections.abc import Mapping

from companion.web import deals, hands
from companion.web.deals.ui import DEALS
from companion.web.hands.ui import HANDS

from .game_ui import GameUI
from .matches import Match

FACES: Mapping[str, GameUI] = {deals.FAMILY: DEALS, hands.FAMILY: HANDS}


def of(match: Match) -> GameUI:
    """The face of a match."""
    return FACES[match.game.family_name]
