"""The front page: the match that is running, a new one, and those of before; light or dark paper."""

from collections import Counter
from typing import Any

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from companion import library, store

from . import owner
from .glance import glance

bp = Blueprint("home", __name__)


@bp.get("/")
def home() -> str:
    """The front page; `q` searches the matches by names and place."""
    search = request.args.get("q", "").strip()[:80]
    found = [seen for one in store.listing(owner.known(), search) if (seen := glance(one))]
    running = [] if search else [one for one in found if one.status == "playing"]
    return render_template(
        "home.html",
        games=[library.shelf(name) for name in library.names()],
        running=running[:1],
        past=found if search else [one for one in found if one not in running[:1]],
        search=search,
    )


@bp.get("/paper/<any(light, dark, auto):theme>")
def paper(theme: str) -> Response:
    """Light, dark, or as the phone has it; back to the page one came from."""
    back = request.args.get("next", "")
    if not back.startswith("/") or back.startswith(("//", "/\\")):
        back = "/"
    answer = redirect(back)
    if theme == "auto":
        answer.delete_cookie("paper")
    else:
        answer.set_cookie("paper", theme, max_age=400 * 24 * 3600, samesite="Lax", httponly=True)
    return answer


def known_names(owner_token: str | None) -> list[str]:
    """The players of this browser's matches, the most frequent first."""
    times: Counter[str] = Counter()
    for one in store.listing(owner_token):
        times.update(one.head.get("players", ()))
    return [name for name, _count in times.most_common()]


def theme() -> dict[str, Any]:
    """For every page: the paper that was chosen."""
    chosen = request.cookies.get("paper")
    return {"theme": chosen if chosen in ("light", "dark") else None}
