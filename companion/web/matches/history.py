"""What was written when."""

from collections.abc import Collection
from dataclasses import dataclass

from flask import Blueprint, render_template

from companion.matches import EntryChange, HistoryEvent, Match, describe_history
from companion.record import log
from companion.web.shell.matches import open_match
from companion.web.shell.paging import turn_to_page
from companion.web.shell.text import say

from .activity import describe_told

bp = Blueprint("history", __name__)


@dataclass(frozen=True)
class HistoryLine:
    """One change of the match: what it did, what came of it then, whether it was undone since."""

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
    told = describe_history(match, only=numbers)
    return [
        HistoryLine(
            event=one.event,
            text=describe_told(match, one),
            result=_describe_result(match, one),
            undone=_is_change(one.event) and one.event.seq not in holding,
            entry=one.event.seq if one.event.kind == "add" else one.event.entry,
            ruling=one.event.payload["id"] if one.event.kind == "ruling" and one.event.payload else None,
        )
        for one in told
    ]


def _is_change(event: log.Event) -> bool:
    """Whether it changed an entry by itself, and took back no other event."""
    return event.kind in log.CHANGES and not event.undoes


def _describe_result(match: Match, told: HistoryEvent) -> str:
    """What an entry came to when it was written or corrected, in one sentence."""
    if not isinstance(told, EntryChange) or told.event.kind not in ("add", "amend") or told.row_after is None:
        return ""
    return say(match, told.row_after.why)
