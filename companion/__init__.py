"""Companion: scores, rulings and printed sheets for card games."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

__version__ = "1.2.0"
"""The version; nothing else states it."""


def create_app(config: dict[str, Any] | None = None) -> "Flask":
    """The web application; Flask is loaded only now, so that the pure packages need none of it."""
    from companion.web.app import create_app as create

    return create(config)
