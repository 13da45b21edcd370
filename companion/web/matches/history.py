"""The history of a match."""

from flask import Blueprint, render_template

from companion.matches import EntryChange, HistoryEvent, Match, describe_history
from companion.record import log
from companion.web.shell.matches import open_match
from companion.web.shell.paging import turn_to_page
from companion.web.shell.text import say

from .activity import describe_history_event

bp = Blueprint("history", __name__)


@bp.get("/m/<id>/history")
def history(id: str) -> str:
    """Show every change of the match, the newest first: what, when, by whom."""
    match = open_match(id)
    page = turn_to_page(match.seq, lambda seq: match.events[seq - 1].kind != "draft")
    holding = {event.seq for event in match.log.holding}
    lines = []
    for shown in describe_history(match, only=page.numbers):
        event = shown.event
        is_undone = event.kind in log.CHANGES and not event.undoes and event.seq not in holding
        text, result = describe_history_event(match, shown), _describe_result(match, shown)
        lines.append((event, text, result, is_undone))
    return render_template("matches/history.html", match=match, lines=lines[::-1], page=page)


def _describe_result(match: Match, event: HistoryEvent) -> str:
    """The result of an entry that was written or corrected then, in one sentence; empty otherwise."""
    if isinstance(event, EntryChange) and event.event.kind in ("add", "amend") and event.row_after:
        return say(match, event.row_after.why)
    return ""
