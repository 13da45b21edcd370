"""Companion: scores, rulings and printed sheets for card games."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

    from companion.offline_app.build.site import Site

__version__ = "1.2.0"
"""The version; nothing else states it."""


def create_app(config: dict[str, Any] | None = None) -> "Flask":
    """The web application; Flask is loaded only now, so that the pure packages need none of it."""
    from companion.web.app import create_app as create

    return create(config)


def write_site(folder: "Path", at: str, has_demo: bool = False) -> "Site":
    """Write the app as a folder of static files; what that needs is loaded only now."""
    from companion.offline_app.build.site import write_site as write

    return write(folder, at, __version__, has_demo)
