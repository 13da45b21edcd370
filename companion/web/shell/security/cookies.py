"""Our cookies: for this app's addresses alone, and by HTTPS under names that nobody else can plant.

A name that begins with `__Host-` is taken by browsers only from this very host, by HTTPS, for all of its
paths; so the path below which the app is stands in the name. What a browser was given before its host turned
to HTTPS is read as well, and goes once it has the other one.
"""

from typing import Any

from flask import request
from werkzeug.wrappers import Response

FOREVER = 400 * 24 * 3600
"""Seconds; browsers keep no cookie for longer."""


def name_of(name: str) -> str:
    """What the cookie is called in the request that is being answered."""
    return f"__Host-{name}{request.script_root.replace('/', '.')}" if request.is_secure else name


def path() -> str:
    """For which addresses of the host it is."""
    return "/" if request.is_secure else request.script_root or "/"


def read(name: str) -> str:
    """What it says, or the one that was given before; empty where there is none."""
    return request.cookies.get(name_of(name)) or request.cookies.get(name, "")


def is_carried_over(name: str) -> bool:
    """Whether the one that was given before is all there is."""
    return request.is_secure and bool(request.cookies.get(name)) and name_of(name) not in request.cookies


def send(response: Response, name: str, value: str) -> None:
    """Let the browser keep it, for as long as browsers do."""
    attributes: dict[str, Any] = {"httponly": True, "samesite": "Lax", "secure": request.is_secure}
    response.set_cookie(name_of(name), value, max_age=FOREVER if value else 0, path=path(), **attributes)


def forget(response: Response, name: str) -> None:
    """Let the browser forget it, and the one that was given before."""
    response.delete_cookie(
        name_of(name), path=path(), secure=request.is_secure, httponly=True, samesite="Lax"
    )
    forget_former(response, name)


def forget_former(response: Response, name: str) -> None:
    """Let the browser forget the one that was given before its host turned to HTTPS."""
    if request.is_secure and name in request.cookies:
        response.delete_cookie(name, path=request.script_root or "/", httponly=True, samesite="Lax")
