"""How much is tried before a commit, and how much at night."""

from collections.abc import Container, Iterable
from typing import Any

import pytest
from hypothesis import settings

FOUR_GAMES = ("derda", "coinche", "deberts", "durak")
"""Before a commit these stand for all: the simplest, one of four players with bids, the one with the most
conventions, and the other family."""


def is_nightly() -> bool:
    """True in the nightly and the release tier, whose profiles try every law with more examples."""
    return settings().max_examples > 100


def is_release() -> bool:
    """True in the release tier, which takes hours."""
    return settings().max_examples > 200


def few_examples(before_commit: int, in_release: int = 100) -> settings:
    """Limit the examples of a law that takes long: at night three times as many as before a commit."""
    at_night = in_release if is_release() else min(in_release, 3 * before_commit)
    return settings(max_examples=at_night if is_nightly() else before_commit)


def cover(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs to try: before a commit those with something new in them, at night all."""
    seen, chosen = set[str](), []
    for pair in pairs:
        if is_nightly() or not {*pair} <= seen:
            chosen.append(pair)
        seen |= {*pair}
    return chosen


def mostly_at_night(name: str, values: Iterable[Any], before_commit: Container[Any]) -> pytest.MarkDecorator:
    """Parametrises: these values are tried before a commit, and the others at night."""
    return _parametrize(name, values, before_commit, pytest.mark.nightly)


def mostly_in_release(name: str, values: Iterable[Any], sooner: Container[Any]) -> pytest.MarkDecorator:
    """Parametrises: these values are tried in the tier of the test, and the others for a release."""
    return _parametrize(name, values, sooner, pytest.mark.release)


def _parametrize(
    name: str, values: Iterable[Any], sooner: Container[Any], later: pytest.MarkDecorator
) -> pytest.MarkDecorator:
    params = [value if value in sooner else pytest.param(value, marks=later) for value in values]
    return pytest.mark.parametrize(name, params, ids=str)
