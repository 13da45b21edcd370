"""Every component in every state on one page, in development only: pieces of real pages, in both themes."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask import Blueprint, Flask, Response, current_app, render_template, request
from markupsafe import Markup

from companion.matches import AddEntry, Change, Matches, Object, Submission, Undo

from .shell.language import PREFIX, current_language
from .shell.security.browser import COOKIE, sign

bp = Blueprint("components", __name__)

_OWNER = "owner"
_NOW = datetime(2026, 1, 16, 20, tzinfo=UTC)


def init_app(app: Flask, create_app: Callable[[dict[str, Any]], Flask]) -> None:
    """Show the page; its matches are played in an app of their own, which `create_app` creates."""
    app.extensions["create_samples"] = create_app
    app.register_blueprint(bp, url_prefix=PREFIX)


@bp.get("/dev/components")
def components() -> str:
    """Show the page; the table of components and states is its template."""
    changes = {"deal": deal, "lost": lost, "objection": Object, "undo": Undo()}
    with TemporaryDirectory() as folder:
        settings = {"INSTANCE": folder, "LIMITS": "off", "WTF_CSRF_ENABLED": False, "DEBUG": False}
        samples = Samples(current_app.extensions["create_samples"](settings))
        return render_template("dev/components.html", theme="light", samples=samples, **changes)


@bp.get("/dev/components.css")
def style() -> Response:
    """Send the page's own style; or the `sheets` of another page of which one `piece` is shown.

    In the former the colours of slate are those of an element, and an attribute marks what is pressed; in the
    latter the width is that of a phone.
    """
    folder = Path(str(current_app.static_folder))
    sheets = re.findall(r"\w[\w/]*\.css", " ".join(request.args.getlist("sheet")))
    read = {
        name: (folder / name).read_text("utf-8")
        for name in (*sheets, "shell/slate.css", "shell/components.css")
    }
    text = render_template(
        "dev/components.css",
        piece=request.args.get("piece"),
        sheets=[re.sub(r"\((min|max)-width: (?=[3-9])", r"(\1-width: 9", read[name]) for name in sheets],
        slate=read["shell/slate.css"].replace(":root", ".slate"),
        pressed=read["shell/components.css"].replace(":active", "[data-pressed]"),
    )
    return Response(text, mimetype="text/css")


def deal(seat: str, trump: str, *points: int) -> AddEntry:
    """A deal that a seat played, with the points of each side."""
    contract, totals = {"declarer": seat, "trump": trump}, dict(zip("ABC", points, strict=False))
    return AddEntry({"type": "deal", "contract": contract, "totals": totals})


def lost(loser: str) -> AddEntry:
    """A hand that somebody lost."""
    return AddEntry({"type": "hand", "loser": loser})


class Samples:
    """Matches of one owner in an app of their own: always the same ids, so the same drawings."""

    def __init__(self, app: Flask) -> None:
        self._app, self._client = app, app.test_client()
        store = app.extensions["matches"].store
        self._matches = app.extensions["matches"] = Matches(store, "samples", lambda: _NOW)
        self._keys = map(str, count())
        with app.app_context():
            self.cookie = sign(_OWNER)
        self._client.set_cookie(COOKIE, self.cookie)

    def play(self, game: str, players: list[str], *changes: Change, **head: Any) -> str:
        """Play a match with these changes; return its address."""
        head = {"game": game, "players": players, "first_dealer": "A", **head}
        with self._app.app_context():
            id = self._matches.start(head, _OWNER, next(self._keys))
            for seq, change in enumerate(changes):
                self._matches.write(self._matches.open(id), change, Submission(_OWNER, seq, next(self._keys)))
        return f"/m/{id}"

    def look(self, path: str, is_fresh: bool = False, **sent: str) -> dict[str, Any]:
        """Get a page as its owner sees it, or the answer to a form: its style sheets, body and class.

        A board is `fresh` if it shows what was just written.
        """
        if is_fresh:
            with self._client.session_transaction() as session:
                session["written"] = path.removeprefix("/m/")
        method = self._client.post if sent else self._client.get
        html = method(f"/{current_language()}{path}", data=sent or None).text
        found = re.search(
            r'(?s)<body class="(.*?)">\n(.*)</body>', re.sub(r"(?s)<script.*?</script>", "", html)
        )
        assert found, html
        sheets = re.findall(r'<link rel="stylesheet" href="/static/\w+/(.*?)"', html)
        return {"class": found[1], "body": Markup(found[2]), "sheets": sheets}
