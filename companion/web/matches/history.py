"""What was written when, and the record itself to take away."""

import json
import re
import unicodedata

from flask import Blueprint, Response, render_template

from companion.matches import Match
from companion.record import log
from companion.record import record as records
from companion.web.security import browser
from companion.web.support.matches import open_match
from companion.web.support.text import say

bp = Blueprint("history", __name__)


@bp.get("/m/<id>/history")
def history(id: str) -> str:
    """Every change of the match, the newest first: what, when, by whom."""
    match = open_match(id)
    undone = {event.undoes for event in match.events if event.undoes}
    return render_template(
        "matches/history.html",
        match=match,
        events=[event for event in reversed(match.events) if event.kind != "draft"],
        undone=undone,
        me=browser.known_token(),
        describe_result=describe_result,
    )


@bp.get("/m/<id>/record.json")
def record(id: str) -> Response:
    """The match record: the entries that count, without who wrote them when."""
    match = open_match(id)
    document = records.write_record(match.record)
    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    return Response(
        text,
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{_file_name(match)}"'},
    )


def _file_name(match: Match) -> str:
    names = "-".join(match.head["players"])
    plain = unicodedata.normalize("NFKD", names).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-").lower()
    return "-".join(part for part in (match.game.name, match.created_at[:10], plain) if part) + ".json"


def describe_result(match: Match, event: log.Event) -> str:
    """What an entry came to when it was written or corrected, in one sentence."""
    id = event.seq if event.kind == "add" else event.entry
    logged = match.entry(id) if id is not None else None
    if event.kind not in ("add", "amend") or logged is None:
        return ""
    then = match if len(logged.events) == 1 else match.until(event.seq)
    n = then.number(logged.id)
    row = then.row(n) if n else None
    return say(then, row.why) if row is not None else ""
