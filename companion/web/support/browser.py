"""Whose browser this is: a random token in a signed cookie that scripts cannot read. There is no account."""

import secrets

from flask import Flask, session


def init_app(app: Flask) -> None:
    """Let pages ask `mine(match)`."""
    app.context_processor(lambda: {"mine": is_mine})


def token() -> str:
    """This browser's token; made and kept when it first writes something."""
    if "owner" not in session:
        session["owner"] = secrets.token_urlsafe(16)
        session.permanent = True
    return str(session["owner"])


def known() -> str | None:
    """This browser's token, if it ever wrote anything."""
    return session.get("owner")


def is_mine(match: object) -> bool:
    """Whether this browser made the match, and so may write in it."""
    mine = known()
    return mine is not None and secrets.compare_digest(mine, str(getattr(match, "owner", "")))
