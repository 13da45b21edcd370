"""Requests to the arbiter that the cases ask, one for each verdict."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from cases import own_catalogue
from tiers import FOUR_GAMES, is_nightly

from companion import library

RequestKey = tuple[str, str, str]
"""A game, a question and a verdict."""


@cache
def find_requests() -> Mapping[RequestKey, Mapping[str, Any]]:
    """A request for each verdict of each question of each game, before a commit of four games."""
    requests: dict[RequestKey, Mapping[str, Any]] = {}
    for game in library.names() if is_nightly() else FOUR_GAMES:
        for case in own_catalogue().of_game(game):
            verdict = case.expect.get("verdict")
            if "question" in case.given and verdict:
                requests.setdefault((game, case.given["question"], verdict), case.given)
    return requests
