"""The pages of conflicts: both logs, and a tap for each entry that does not fit.

They exist only on this phone. Choices there become unsent events; the server never sees these forms.
"""

from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, Flask, abort, flash, g, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion.matches import Match, NoSuchEntry, TooMany
from companion.offline.conflicts import Conflict, ConflictGroup, State, open_groups, read_conflicts
from companion.offline.resolution import REFUSALS, CannotWrite, Choice, MatchConflicts
from companion.record.log import Event, LoggedEntry
from companion.rules.ruling import RuleViolation
from companion.store.memory import MemoryStore
from companion.web.matches.activity import describe_events
from companion.web.shell import language
from companion.web.shell.game_ui import game_ui, name_entry
from companion.web.shell.matches import matches
from companion.web.shell.text import say

bp = Blueprint("conflicts", __name__)

_OFFERED: dict[Choice, State] = {"write": "open", "instead": "open", "leave": "open", "back": "left out"}
"""The actions of the page's buttons, each with the state in which it is offered."""


@dataclass(frozen=True)
class ShownGroup:
    """One choice: the events of this phone, by line with their time, and what can become of them.

    `theirs` is what others wrote in its position, or made of its entry, `is_same` True if that has the same
    content; with `can_replace` it can be written in place of that. `said` is the server's reason for refusing
    it, `refusal` the reason why it cannot be written now.
    """

    key: str
    lines: list[tuple[str, str]]
    is_new: bool
    why: str
    said: str = ""
    refusal: str = ""
    theirs: str = ""
    is_same: bool = False
    can_replace: bool = False


@dataclass(frozen=True)
class ShownConflict:
    """One merge of two logs: what others wrote, by line with its event, and what is to be resolved."""

    theirs: list[tuple[str, Event]]
    groups: list[ShownGroup]
    left_out: list[ShownGroup] = field(default_factory=list)

    @property
    def count(self) -> int:
        """The number of groups to be resolved."""
        return len(self.groups)

    @property
    def why(self) -> str:
        """The reason of the first conflict."""
        return next((group.why for group in (*self.groups, *self.left_out)), "")


def init_app(app: Flask) -> None:
    """Serve the pages; templates get `unsent(match)`."""
    app.register_blueprint(bp, url_prefix=language.PREFIX)
    app.add_template_global(list_unsent, "unsent")


def list_unsent(match: Match) -> range:
    """The numbers of the events of a match that are not yet at the server."""
    row = _store().tables.matches.get(match.id)
    return range(0) if row is None else range(row.confirmed + 1, len(row.events) + 1)


def _store() -> MemoryStore:
    store = matches().store
    assert isinstance(store, MemoryStore)
    return store


@bp.get("/pocket/apart")
def choose() -> Response | str:
    """Show the matches with open conflicts; a single one leads to its page."""
    rows = _store().tables.matches.items()
    ids = [id for id, row in rows if any(open_groups(read_conflicts(row.conflicts)))]
    if len(ids) == 1:
        return redirect(url_for("conflicts.show", id=ids[0]))
    found = [(of_match.match(), len(list(open_groups(of_match.conflicts)))) for of_match in map(_open, ids)]
    return render_template("offline/conflicts.html", found=found)


@bp.get("/m/<id>/pocket/apart")
def show(id: str) -> str:
    """Show the conflicts of a match."""
    of_match = _open(id)
    g.match = match = of_match.match()
    conflicts = [_show(of_match, conflict, match) for conflict in of_match.conflicts]
    return render_template(
        "offline/conflict.html", match=match, is_gone=of_match.is_gone, conflicts=conflicts
    )


@bp.post("/m/<id>/pocket/apart")
def resolve(id: str) -> Response:
    """Carry out the choice for one entry, or write all that is open."""
    of_match, do = _open(id), request.form.get("do", "")
    g.match = of_match.match()
    try:
        if do == "all":
            of_match.write_all()
        else:
            choice = next((choice for choice in _OFFERED if choice == do), None) or abort(400)
            group = of_match.find_group(request.form.get("key", ""), _OFFERED[choice])
            if group is not None:  # else it is the second of two taps
                of_match.resolve(group, choice)
    except REFUSALS as refusal:
        flash(_describe_refusal(g.match, refusal))
    return redirect(url_for("conflicts.show", id=id), 303)


def _open(id: str) -> MatchConflicts:
    if id not in _store().tables.matches:
        abort(404)
    return MatchConflicts(_store(), id)


def _show(of_match: MatchConflicts, conflict: Conflict, match: Match) -> ShownConflict:
    events = [event for event in of_match.list_theirs(conflict) if event.kind != "draft"]
    then, numbers = of_match.rebuild(conflict)
    theirs = list(zip(describe_events(match, events), events, strict=True))
    shown: dict[str, list[ShownGroup]] = {"open": [], "left out": []}
    for group in conflict.groups():
        if group.state in shown:
            shown[group.state].append(_show_group(of_match, group, match, then, numbers))
    return ShownConflict(theirs, shown["open"], shown["left out"])


def _show_group(
    of_match: MatchConflicts, group: ConflictGroup, match: Match, then: Match, numbers: dict[int, int]
) -> ShownGroup:
    shown = [event for event in group.shown if event.event.seq in numbers]
    events = [then.events[numbers[event.event.seq] - 1] for event in shown]
    lines = list(zip(describe_events(then, events), (event.at for event in events), strict=True))
    facts: dict[str, Any] = {"said": next((event.said for event in group.events if event.said), "")}
    refusal = of_match.find_refusal(group)
    if refusal is not None:
        facts["refusal"] = _describe_refusal(match, refusal)
    theirs, entry = of_match.find_counterpart(group, match), group.events[0].event.entry
    facts["can_replace"] = theirs is not None and of_match.find_refusal(group, "instead") is None
    if theirs is None and entry is not None and entry <= group.conflict.seen:
        theirs = match.entry(entry)
    subjects = {event.about for event in of_match.list_theirs(group.conflict)}
    if theirs is not None and theirs.id in subjects:
        content = _describe_entry(match, theirs)
        facts["theirs"] = _("%(what)s: %(changes)s", what=name_entry(match, theirs.id), changes=content)
        facts["is_same"] = theirs.payload == group.content and not theirs.withdrawn
    return ShownGroup(group.key, lines, group.added is not None, group.events[0].why, **facts)


def _describe_entry(match: Match, logged: LoggedEntry) -> str:
    """Describe the present result of an entry."""
    row = match.row(match.number(logged.id) or 0)
    return _("withdrawn") if row is None else game_ui(match.game).describe_row(match, row)


def _describe_refusal(match: Match, refusal: Exception) -> str:
    """Say why something cannot be written now."""
    match refusal:
        case RuleViolation(problems=problems):
            return " ".join(say(match, problem.reason) for problem in problems)
        case TooMany():
            return _("There is no more room for it in this match.")
        case NoSuchEntry():
            return _("What it refers to is no longer there, or is already so.")
        case CannotWrite(why="gone"):
            return _("The match is gone.")
        case _:
            return _("It depends on something that was left out, or is no longer there.")
