"""Whose browser this is: a random token in a signed cookie that scripts cannot read. There is no account."""

import secrets

from flask import session


def token() -> str:
    """This browser's token; made when it first writes something."""
    if "owner" not in session:
        session["owner"] = secrets.token_urlsafe(16)
        session.permanent = True
    return str(session["owner"])


def known_token() -> str | None:
    """This browser's token, if it ever wrote anything."""
    return session.get("owner")
