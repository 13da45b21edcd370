"""News for a phone with an app of its own: its matches and rulings as they are now.

It says what it has, and gets the rest in parts: the match last written in comes first.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Flask, Response
from flask_wtf.csrf import generate_csrf

from companion.record.log import MAX_EVENTS
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.schema import check_text
from companion.store import MatchVersion
from companion.web.shell.errors import refuse_plainly, refuse_programs
from companion.web.shell.matches import matches
from companion.web.shell.security import browser

from . import arrivals  # noqa: F401  # its addresses stand beside those here
from .arrivals import name_author, show_events
from .guard import answer, bp, read_body
from .static_files import app_version

MAX_SENT_EVENTS, MAX_SENT_MATCHES, MAX_SENT_RULINGS = 1000, 100, 100
"""The most items in one answer; `more` is true if there are others."""

_Have = Mapping[str, tuple[int, int]]


def init_app(app: Flask) -> None:
    """Send news, and accept what phones recorded."""
    app.register_blueprint(bp)
    refuse_programs(app, "/offline", refuse_plainly("problem"))
    app.extensions["csrf"].exempt(bp)  # `guard` looks at where a request comes from


@bp.post("/news")
def send_news() -> Response:
    """Send the changes since the phone's last request; a browser without an identity gets one.

    `have` gives for each match the length of its log in the phone and how often its access was changed,
    `rulings` the `rulings_at` of the last answer.
    """
    body = read_body(("version", "have", "rulings"), ("version", "have"))
    have, who = _read_have(body["have"]), browser.token()
    versions = matches().server_store.list_versions(who)
    changed = [version for version in versions if have.get(version.id) != (version.length, version.access)]
    matches_sent, is_all = _list_matches(changed, have, who)
    rulings, rulings_at, are_all = _list_rulings(body.get("rulings"), who)
    here = {version.id for version in versions}
    return answer(
        {
            "version": app_version(),
            "me": browser.mark_of(who),
            "seed": matches().ids.seed(who),
            "token": generate_csrf(),
            "more": not (is_all and are_all),
            "matches": matches_sent,
            "gone": [id for id in have if id not in here],
            "rulings": rulings,
            "rulings_at": rulings_at,
        }
    )


def _read_have(value: Any) -> _Have:
    """Read what a phone has.

    :raises Unreadable: if it is invalid.
    """
    if not isinstance(value, dict):
        raise Unreadable("have", Message("an object"), value)
    have = {}
    for id, said in value.items():
        check_text(id, f"have.{id}", 1, 64)
        if not isinstance(said, list) or [*map(type, said)] != [int, int]:
            two = Message("a list of {least} to {most} items", least=2, most=2)
            raise Unreadable(f"have.{id}", two, said)
        have[id] = (min(max(said[0], 0), MAX_EVENTS), said[1])
    return have


def _list_matches(
    changed: Sequence[MatchVersion], have: _Have, who: str
) -> tuple[list[dict[str, Any]], bool]:
    """The first of these matches, each with the part of its log that the phone lacks; True if all fit."""
    sent, room = list[dict[str, Any]](), MAX_SENT_EVENTS
    for version in changed:
        if not room or len(sent) >= MAX_SENT_MATCHES:
            return sent, False
        start = have.get(version.id, (0, 0))[0]
        start = start if start <= version.length else 0  # the server was restored to an earlier state
        stored = matches().store.load_match(version.id, after=start)
        if stored is None or stored.deleted_at != version.deleted_at:  # since a moment ago
            continue
        events = stored.events[:room]
        grant = {"side": version.side, "has_pencil": version.has_pencil}
        sent.append(
            {
                "id": version.id,
                "owner": name_author(stored.owner),
                "head": stored.head,
                "created_at": stored.created_at,
                "changed_at": version.changed_at,
                "rulebook": stored.rulebook,
                "put_away_at": version.put_away_at,
                "deleted_at": version.deleted_at,
                "visibility_at": version.visibility_at,
                "access": version.access,
                "grant": grant if version.is_joined else None,
                "from": start,
                "events": show_events(stored, events, who),
            }
        )
        room -= len(events)
        if len(events) < len(stored.events):
            return sent, False
    return sent, True


def _list_rulings(sent_last: Any, who: str) -> tuple[list[dict[str, Any]], str, bool]:
    """The saved rulings that the phone lacks; how far it has them then; True if all fit.

    It says how many it has and which was the last of them: if others came in between, all are sent again.
    """
    places = matches().server_store.list_ruling_places(who)
    count, _sign, last = check_text(sent_last or "", "rulings", 0, 100).partition("~")
    n = int(count) if count.isascii() and count.isdigit() and len(count) < 9 else 0
    n = n if 0 < n <= len(places) and places[n - 1][1] == last else 0
    shown = places[n : n + MAX_SENT_RULINGS]
    found = (matches().store.find_ruling(id) for _at, id in shown)
    rulings = [
        {"id": ruling.id, "at": ruling.at, "content": ruling.content}
        for ruling in found
        if ruling is not None
    ]
    place = f"{n + len(shown)}~{shown[-1][1]}" if shown else str(sent_last or "")
    return rulings, place, n + len(shown) >= len(places) or sent_last is None
