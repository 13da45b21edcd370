"""The history of a match."""

from collections.abc import Collection
from dataclasses import dataclass

from flask import Blueprint, render_template

from companion.matches import EntryChange, HistoryEvent, Match, describe_history
from companion.record import log
from companion.web.shell.matches import open_match
from companion.web.shell.paging import turn_to_page
from companion.web.shell.text import say

from .activity import describe_history_event

bp = Blueprint("history", __name__)


@dataclass(frozen=True)
class HistoryLine:
    """One change of the match: what it did, its result at the time, whether it was undone since."""

    event: log.Event
    text: str
    result: str
    undone: bool
    entry: int | None
    ruling: str | None


@bp.get("/m/<id>/history")
def history(id: str) -> str:
    """Every change of the match, the newest first: what, when, by whom."""
    match = open_match(id)
    page = turn_to_page(match.seq, lambda seq: match.events[seq - 1].kind != "draft")
    lines = _history_lines(match, page.numbers)[::-1]
    return render_template("matches/history.html", match=match, lines=lines, page=page)


def _history_lines(match: Match, numbers: Collection[int]) -> list[HistoryLine]:
    """A line for every one of these events, the oldest first."""
    holding = {event.seq for event in match.log.holding}
    history = describe_history(match, only=numbers)
    return [
        HistoryLine(
            event=shown.event,
            text=describe_history_event(match, shown),
            result=_describe_result(match, shown),
            undone=_is_change(shown.event) and shown.event.seq not in holding,
            entry=shown.event.seq if shown.event.kind == "add" else shown.event.entry,
            ruling=shown.event.payload["id"]
            if shown.event.kind == "ruling" and shown.event.payload
            else None,
        )
        for shown in history
    ]


def _is_change(event: log.Event) -> bool:
    """Whether it changed an entry itself, rather than undoing another event."""
    return event.kind in log.CHANGES and not event.undoes


def _describe_result(match: Match, event: HistoryEvent) -> str:
    """What an entry came to when it was written or corrected, in one sentence."""
    if (
        not isinstance(event, EntryChange)
        or event.event.kind not in ("add", "amend")
        or event.row_after is None
    ):
        return ""
    return say(match, event.row_after.why)
