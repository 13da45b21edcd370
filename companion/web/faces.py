"""Which family has which face: the one place where the pages know the families apart."""

from collections.abc import Mapping

from . import deals, hands
from .deals.face import DEALS
from .face import Face
from .hands.face import HANDS
from .matches import Match

FACES: Mapping[str, Face] = {deals.FAMILY: DEALS, hands.FAMILY: HANDS}


def of(match: Match) -> Face:
    """The face of a match."""
    return FACES[match.game.family_name]
