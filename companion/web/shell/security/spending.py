"""What costs others something, where only a view knows it: counted where the app has limits."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import current_app

ViewT = TypeVar("ViewT", bound=Callable[..., Any])

HEAVY = {"audit", "claim", "count"}
"""Questions whose answer may take seconds."""


def limit_guesses(view: ViewT) -> ViewT:
    """A view that answers 404 to a wrong secret; 429 is sent in its place once there were too many."""
    view.is_guess = True  # type: ignore[attr-defined]  # a mark for those who limit
    return view


def spend(name: str, more: int = 1) -> None:
    """Count one more, or so many, of what only the view knows to be asked for.

    :raises RateLimitExceeded: when that is too much.
    """
    count: Callable[[str, int], None] | None = current_app.extensions.get("spend")
    if count is not None:
        count(name, more)
