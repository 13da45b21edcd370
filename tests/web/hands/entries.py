"""Hands of Durak as their entries tell them."""

from typing import Any


def lost(loser: str | None, **more: Any) -> dict[str, Any]:
    """A hand with this fool; a draw where there is none."""
    return {"type": "hand", "loser": loser, **more}


def left(seat: str, **more: Any) -> dict[str, Any]:
    """A hand in which somebody left the table."""
    return {"type": "hand", "walked_out": seat, **more}


def misdeal(by: str, **more: Any) -> dict[str, Any]:
    """A hand that was dealt anew, since this player held five of a suit."""
    return {"type": "hand", "misdeal": "five-suited", "by": by, **more}
