"""Counts of requests that only a view recognises; an app without limits counts nothing."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import current_app

ViewT = TypeVar("ViewT", bound=Callable[..., Any])

HEAVY = {"audit", "claim", "count"}
"""Questions whose answer may take seconds."""


def limit_guesses(view: ViewT) -> ViewT:
    """Mark a view that answers 404 to a wrong secret; after too many of them 429 is sent instead."""
    view.is_guess = True  # type: ignore[attr-defined]  # read by `limits`
    return view


def count_toward_limit(name: str, more: int = 1) -> None:
    """Count one more request, or so many, of an allowance.

    :raises TooOften: above the limit.
    """
    count: Callable[[str, int], None] | None = current_app.extensions.get("count_toward_limit")
    if count is not None:
        count(name, more)
