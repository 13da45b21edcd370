"""Events that phones recorded without network, as they arrive: checked and written like those of pages.

Events come in the order in which they were recorded, each with its number in the phone's log. They are
written up to the first that has no such number here, or breaks a rule; every answer says how many those were.
Events of an earlier delivery whose answer was lost are recognised by the keys of their forms.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flask import Response
from flask_babel import gettext as _

from companion import archives
from companion.matches import Match, NoSuchMatch, NotTheWriter, Submission, VisibilityChoice, limit_time
from companion.offline.changes import read_sent_change
from companion.record.log import MAX_EVENTS, Event
from companion.record.portable_log import AUTHOR, check_said, parse_event, parse_time
from companion.record.record import FORMAT, parse_ruling
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.schema import Table, check_text
from companion.store import SavedRuling, StaleWrite, StoredMatch
from companion.web.shell.matches import matches
from companion.web.shell.monitoring import count_event
from companion.web.shell.security import browser
from companion.web.shell.security.rate_limits import count_toward_limit

from .guard import REFUSED, answer, bp, check_object, check_version, known_browser, read_body, refuse

MAX_AT_ONCE = 500
"""The most events or rulings in one delivery; a phone sends 100."""
_ID = re.compile(r"[A-Za-z0-9_-]{22}")
"""The pattern of the id that browsers make for a match, or a ruling."""
MAX_RECORD = 4 * 1024 * 1024
"""The most bytes of a record; a match of a whole evening has a tenth of one megabyte."""
_AT_ONCE = 20
"""The events of a record that cost as much as one that is written by itself."""
MAX_KEY = 64
"""The most characters of a form's key."""
_CHOICES: tuple[VisibilityChoice, ...] = ("listed", "archived", "deleted", "erased")
_SENT = ("kind", "entry", "payload", "undoes", "at", "key")


@dataclass(frozen=True, slots=True)
class SentEvent:
    """An event as a phone sends it: its `facts` as in a log, its time, the `key` of its form."""

    facts: Mapping[str, Any]
    at: str
    key: str

    def parse(self, match: Match, path: str) -> Event:
        """Parse it as the next event of the match; its references and the content of entries are not checked.

        :raises Unreadable: if it is invalid.
        """
        event = parse_event({**self.facts, "n": match.seq + 1}, path, match.seq + 1)
        table = Table(match.state.ring, frozenset())
        check_said(event, f"{path}.payload", len(match.head["players"]), table)
        return event


@bp.post("/matches/<id>/events")
def receive_events(id: str) -> Response:
    """Write what a phone recorded in a match; 200 if all of it is there.

    Otherwise the answer says how many were `taken`: 409 with what `stands` there instead, 403, 404 and 410 if
    nobody can write it any more, 422 if it breaks a rule.
    """
    who = known_browser()
    body = read_body(("version", "start", "expected", "events"), ("version", "expected", "events"))
    check_version(body)
    expected, start = _read_expected(body["expected"]), _read_start(body.get("start"))
    events = _read_list(body["events"], "events")
    if _ID.fullmatch(id) is None:
        raise NoSuchMatch(id)
    match = _open(id, start, who)
    if match is None:
        problem = _("Another match has this id.")
        return answer({"taken": 0, "length": 0, "stands": [], "problem": problem}, 409)
    numbers = {key: n for n, key in matches().server_store.list_keys(id, who, expected).items()}
    fresh = sum(not isinstance(event, dict) or str(event.get("key")) not in numbers for event in events)
    if fresh:
        count_toward_limit("arrivals", fresh)
    return _Arriving(match, who, expected, numbers).write(events)


@bp.post("/matches/<id>/record")
def receive_record(id: str) -> Response:
    """Import a match that a phone had imported from a file; 200 if all of it is there, under the `id`.

    The id is another one if somebody else has a match with this one. 409 with what `stands` if the browser's
    own match went on in another way, 410 if it is in the trash.
    """
    who = known_browser()
    keys = "version", "expected", "record"
    body = read_body(keys, keys, MAX_RECORD)
    check_version(body)
    expected, record = _read_expected(body["expected"]), body["record"]
    if not isinstance(record, dict) or not isinstance(record.get("log"), list):
        raise Unreadable("record", Message("an object"), record)
    for key, wanted in (("id", id), ("format", FORMAT)):
        if record.get(key) != wanted:
            raise Unreadable(f"record.{key}", Message("{wanted}", wanted=wanted))
    count_toward_limit("arrivals", 1 + len(record["log"]) // _AT_ONCE)
    stored = matches().store.load_match(id)
    own = matches().open(id) if stored is not None and stored.owner == who else None
    [found] = archives.look_through(matches(), who, archives.format_json(record))
    if found.plan == "copy" and own is not None:
        return _Arriving(own, who, expected, {}).answer_what_stands()
    [done] = archives.import_found(matches(), who, [found])
    if done.problem is not None:
        raise done.problem
    taken = max(len(record["log"]) - 1 - expected, 0)
    return answer({"taken": taken, "length": matches().open(done.id).seq, "id": done.id})


@bp.post("/matches/<id>/visibility")
def receive_visibility(id: str) -> Response:
    """Archive, delete, erase or bring back a match, as its owner chose on a phone; a later choice stands.

    One with more events than `expected` is put into the trash instead of erased. 404 if this browser has no
    such match.
    """
    who = known_browser()
    keys = "version", "expected", "choice", "at"
    body = read_body(keys, keys)
    check_version(body)
    seen = _read_expected(body["expected"])
    choice = next((choice for choice in _CHOICES if choice == body["choice"]), None)
    if choice is None:
        raise Unreadable("choice", Message("one of {values}", values=list(_CHOICES)), body["choice"])
    at = limit_time(read_moment(body["at"], "at"), matches().timestamp())
    count_toward_limit("arrivals")
    matches().trash.take_choice(id, who, choice, at, seen)
    return answer({"taken": 1})


@bp.post("/rulings")
def receive_rulings() -> Response:
    """Save rulings from a phone; `taken` says how many, up to the first invalid one."""
    who = known_browser()
    body = read_body(("version", "rulings"), ("version", "rulings"))
    check_version(body)
    rulings = _read_list(body["rulings"], "rulings")
    count_toward_limit("arrivals", max(len(rulings), 1))
    store, taken = matches().store, 0
    try:
        for i, value in enumerate(rulings):
            path = f"rulings[{i}]"
            ruling = parse_ruling(value, path)
            at = limit_time(read_moment(ruling.at, f"{path}.at"), matches().timestamp())
            there = store.find_ruling(ruling.id)
            if _ID.fullmatch(ruling.id) is None or (there is not None and there.owner != who):
                raise Unreadable(f"{path}.id", Message("the id of a saved ruling"), ruling.id)
            store.save_ruling(SavedRuling(ruling.id, who, at, ruling.content))
            taken += 1
    except REFUSED as error:
        return refuse(error, {"taken": taken})
    return answer({"taken": taken})


def _read_expected(value: Any) -> int:
    """The number of events before those that were sent.

    :raises Unreadable: for anything else.
    """
    if type(value) is not int or not 0 <= value <= MAX_EVENTS:
        most = Message("a whole number from {least} to {most}", least=0, most=MAX_EVENTS)
        raise Unreadable("expected", most, value)
    return value


def _read_start(value: Any) -> Mapping[str, Any] | None:
    """The beginning of a match that may be new here.

    :raises Unreadable: if it is invalid.
    """
    if value is None:
        return None
    check_object(value, "start", ("head", "at"), ("head", "at"))
    if not isinstance(value["head"], dict):  # its content is read when the match begins
        raise Unreadable("start.head", Message("an object"), value["head"])
    return {"head": value["head"], "at": read_moment(value["at"], "start.at")}


def read_sent_event(value: Any, path: str) -> SentEvent:
    """Read an event from a JSON object; its payload is validated later, in order.

    :raises Unreadable: if it is invalid.
    """
    check_object(value, path, _SENT, ("kind", "at", "key"))
    at = read_moment(value["at"], f"{path}.at")
    form_key = check_text(value["key"], f"{path}.key", 1, MAX_KEY)
    return SentEvent({key: value.get(key) for key in ("kind", "entry", "payload", "undoes")}, at, form_key)


def read_moment(value: Any, path: str) -> str:
    """Read a time that a phone sends, in UTC and to the millisecond, as logs have it here.

    :raises Unreadable: if it is invalid.
    """
    text = check_text(parse_time(value, path), path, 1, 32)
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="milliseconds")
    except OverflowError:
        raise Unreadable(path, Message("a time such as 2026-11-20T19:05:00+01:00"), value) from None


def _read_list(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > MAX_AT_ONCE:
        most = Message("a list of {least} to {most} items", least=0, most=MAX_AT_ONCE)
        raise Unreadable(path, most)
    return value


def _open(id: str, start: Mapping[str, Any] | None, who: str) -> Match | None:
    """The match, begun now if it is new; None if another owner has one with this id.

    :raises NoSuchMatch: if it is unknown, and its beginning was not sent.
    """
    try:
        match = matches().open(id)
    except NoSuchMatch:
        if start is None or matches().store.load_match(id) is not None:
            raise
    else:
        is_mine = start is None or matches().access(match, who).may_record
        return match if is_mine else None
    count_toward_limit("matches")
    try:
        matches().take_start(id, start["head"], who, start["at"])
    except StaleWrite:  # somebody else has begun it at the same moment
        return None
    return matches().open(id)


class _Arriving:
    """A delivery while it is written, event by event, behind the first `expected` ones of the log.

    `numbers` are those of the events that forms of this browser have written, by the forms' keys.
    """

    def __init__(self, match: Match, who: str, expected: int, numbers: dict[str, int]) -> None:
        self.match, self.who, self.taken = match, who, 0
        self._expected, self._numbers = expected, numbers
        self._problem = ""

    def write(self, events: Sequence[Any]) -> Response:
        """Write the events as far as possible, and answer."""
        try:
            for i, value in enumerate(events):
                if not self._take(value, f"events[{i}]", self._expected + i + 1):
                    return self.answer_what_stands()
                self.taken += 1
            if self.match.seq < self._expected:
                return self.answer_what_stands()
        except REFUSED as error:
            return refuse(error, self._progress, self.match)
        return answer(self._progress)

    @property
    def _progress(self) -> dict[str, int]:
        return {"taken": self.taken, "length": self.match.seq}

    def answer_what_stands(self) -> Response:
        """Answer with the events that have to come before the rest, their authors named by marks.

        :raises NotTheWriter: if this browser does not take part.
        """
        if not matches().access(self.match, self.who).takes_part:
            raise NotTheWriter
        after = self._expected + self.taken
        stands = show_events(self.match, self.match.events[after:], self.who)
        facts = {"problem": self._problem} if self._problem else {}
        return answer({**self._progress, "stands": stands, **facts}, 409)

    def _take(self, value: Any, path: str, number: int) -> bool:
        """Write an event; True if it now has this number in the log, False if another one has it, or none."""
        sent = read_sent_event(value, path)
        if self.match.seq >= number:
            return self._was_written_by(sent.key, number) and self._has_same_content(sent, number)
        if self.match.seq < number - 1:
            return False
        before, event = self.match, sent.parse(self.match, path)
        change = read_sent_change(before, event, path)
        try:
            submission = Submission(self.who, before.seq, sent.key, sent.at)
            self.match = matches().write(before, change, submission)
        except StaleWrite:
            self.match = matches().open(before.id)
        else:
            if self.match.seq == number:  # nothing else has come in between
                self._numbers[sent.key] = number
        if self.match.seq == before.seq:  # the side agreed to it already, say
            raise Unreadable(path, Message("something that is left to be done"))
        if not self._was_written_by(sent.key, number):
            return False
        count_event(event.kind)
        return True

    def _has_same_content(self, sent: SentEvent, number: int) -> bool:
        """True if the event with this number has the content that was sent; else set the problem."""
        written = self.match.events[number - 1]
        is_same = all(getattr(written, name) == value for name, value in sent.facts.items())
        self._problem = (
            "" if is_same else _("This was sent before with other content; what was written first stays.")
        )
        return is_same

    def _was_written_by(self, key: str, number: int) -> bool:
        """True if this form of this browser has written the event with this number."""
        if key in self._numbers:
            return self._numbers[key] == number
        found = matches().find_written(self.match, key)
        return found is not None and (found.seq, found.author) == (number, self.who)


def show_events(match: Match | StoredMatch, events: Iterable[Event], who: str) -> list[dict[str, Any]]:
    """Events of a match as JSON, for a browser that knows its own by the keys of their forms."""
    shown = tuple(events)
    keys = matches().server_store.list_keys(match.id, who, shown[0].seq - 1) if shown else {}
    return [
        {
            "kind": event.kind,
            "entry": event.entry,
            "payload": event.payload,
            "author": name_author(event.author),
            "at": event.at,
            "undoes": event.undoes,
            "arrived": event.arrived,
            "key": keys.get(event.seq, f"{match.id}-{event.seq}"),
        }
        for event in shown
    ]


def name_author(author: str) -> str:
    """The mark by which phones know an author; no author, and a letter of a record, stay what they are."""
    return author if not author or AUTHOR.fullmatch(author) else browser.mark_of(author)
