"""Hands of Durak as their entries tell them, and sessions in which they are followed."""

from typing import Any

from endgames import FOUR

from tests.web.browsers import Browser

LOST = {"type": "hand", "loser": "D"}
"""A first hand, so that the next is dealt by D, and A attacks B."""


def sit(client: Browser, names: tuple[str, ...] = FOUR, *entries: dict[str, Any], **rules: Any) -> str:
    """Starts a session of these players, with entries written already; its id."""
    return client.sit(*entries, names=names, **rules)


def lost(loser: str | None, **more: Any) -> dict[str, Any]:
    """A hand with this fool; a draw where there is none."""
    return {"type": "hand", "loser": loser, **more}


def left(seat: str, **more: Any) -> dict[str, Any]:
    """A hand in which somebody left the table."""
    return {"type": "hand", "walked_out": seat, **more}


def misdeal(by: str, **more: Any) -> dict[str, Any]:
    """A hand that was dealt anew, since this player held five of a suit."""
    return {"type": "hand", "misdeal": "five-suited", "by": by, **more}
