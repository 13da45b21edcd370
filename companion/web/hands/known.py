"""What a match already knows of a situation, so that nobody types it twice."""

from collections.abc import Mapping
from typing import Any

from ..matches import Match


def known(match: Match, question: Any) -> Mapping[str, Any]:
    """The facts of a request that the match can tell."""
    return {}
