"""The matches as pages see them: loaded, folded, and written to through the record and the store."""

import base64
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from flask import abort, current_app, g, session

from companion import library, store
from companion.record import log
from companion.record import record as records
from companion.record.log import Event, LoggedEntry
from companion.rules.message import Message, SeatName, SideName

from . import browser
from .text import isolated, said


@dataclass(frozen=True)
class Match:
    """One match: its record, the game it is played by, the state it has come to, and its whole log."""

    id: str
    owner: str
    created_at: str
    written: Mapping[str, Any]
    record: Any
    game: Any
    events: tuple[Event, ...]
    kept: tuple[LoggedEntry, ...]
    rulebook: str = ""

    @property
    def seq(self) -> int:
        """The length of the log; forms carry it."""
        return len(self.events)

    @cached_property
    def state(self) -> Any:
        """What the entries come to, problems included."""
        return records.fold_record(self.record, self.game.family)

    @property
    def head(self) -> Mapping[str, Any]:
        """The record's head, corrections of it included."""
        head: Mapping[str, Any] = self.record.head
        return head

    @property
    def draft(self) -> Any:
        """The deal in progress, or None."""
        return log.last_draft(self.events)

    @cached_property
    def names(self) -> dict[str, str]:
        """Every seat's player, by letter."""
        return dict(zip(self.state.ring.seats, self.head["players"], strict=True))

    def side_name(self, side: str) -> str:
        """The name of a side: its player's, or its players' names together."""
        ring = self.state.ring
        return " & ".join(self.names[seat] for seat in ring.seats if ring.side(seat) == side)

    def show(self, who: object) -> str:
        """A seat or a side by name: what sentences of the core are shown with."""
        if isinstance(who, SideName):
            return isolated(self.side_name(who.seat))
        letter = who.seat if isinstance(who, SeatName) else str(who)
        return isolated(self.names.get(letter, letter))

    def say(self, message: Message | str) -> str:
        """A sentence of the core in the page's language, with these players' names."""
        return said(message, self.show)

    @property
    def playing(self) -> bool:
        """Whether more can be written."""
        return bool(self.state.status == "playing")

    @cached_property
    def standing(self) -> tuple[LoggedEntry, ...]:
        """The entries that count, in table order: the nth is the state's entry number n."""
        return tuple(one for one in self.kept if not one.withdrawn)

    def entry(self, id: int) -> LoggedEntry | None:
        """An entry by its id (the number of the event that added it), withdrawn or not."""
        return next((one for one in self.kept if one.id == id), None)

    def number(self, id: int) -> int | None:
        """The place of an entry among those that count, from 1; None when it is withdrawn."""
        return next((n for n, one in enumerate(self.standing, 1) if one.id == id), None)

    def row(self, n: int) -> Any:
        """The state's row of the nth entry that counts, or None."""
        return next((row for row in self.state.rows if row.n == n), None)

    def problems(self, n: int) -> tuple[Any, ...]:
        """What cannot be right about the nth entry that counts (0: about the head)."""
        return tuple(one for one in self.state.problems if one.entry == n)


def made(stored: store.StoredMatch) -> Match:
    """The match that a log tells of."""
    document = {
        "format": "companion-match",
        "version": 1,
        **{key: one for key, one in log.current_head(stored.events, stored.head).items() if one is not None},
        "entries": [one.payload for one in log.standing_entries(stored.events)],
    }
    record, game = records.read_record(document, library.open_game)
    kept = log.logged_entries(stored.events)
    return Match(
        stored.id,
        stored.owner,
        stored.created_at,
        stored.head,
        record,
        game,
        stored.events,
        kept,
        stored.rulebook,
    )


def until(match: Match, seq: int) -> Match:
    """The match as it stood after so many events of its log."""
    events = match.events[:seq]
    return made(
        store.StoredMatch(match.id, match.owner, match.written, events, match.created_at, match.rulebook)
    )


def get(id: str, family: str | None = None) -> Match:
    """The match at this address, for anyone to look at; answers 404 when there is none.

    So it does, where the page is for one `family` only, for a match of another.
    """
    stored = store.load(id)
    if stored is None:
        abort(404)
    g.match = made(stored)
    if family is not None and g.match.game.family_name != family:
        abort(404)
    return g.match  # type: ignore[no-any-return]  # g holds anything


def get_own(id: str, family: str | None = None) -> Match:
    """The match at this address, to write in; answers 403 to all but the browser that made it."""
    match = get(id, family)
    if not browser.is_mine(match):
        abort(403)
    return match


def start(head: Mapping[str, Any], form_key: str, opening: Mapping[str, Any] | None = None) -> str:
    """A new match of this browser's, perhaps taken over from paper; its id. One form makes one match.

    :raises Unreadable: when the head is not one.
    :raises RuleViolation: when the opening entry breaks a rule.
    """
    record, game = records.read_record(
        {"format": "companion-match", "version": 1, **head, "entries": []}, library.open_game
    )
    events: list[Event] = []
    at, me = now(), browser.token()
    if opening is not None:
        records.add_entry(record, game.family, opening)
        events.append(Event(1, "add", payload=opening, author=me, at=at))
    return store.create(head, me, at, token(me, form_key), events, game.book.version)


def add(match: Match, entry: Mapping[str, Any], seq: int, form_key: str) -> Match:
    """The match with one more entry.

    :raises Unreadable: when it is not an entry.
    :raises RuleViolation: when it breaks a rule.
    :raises Stale: when others wrote since the writer looked (`seq` events ago).
    """
    if not _stored(match, form_key):
        _fresh(match, seq)
        records.add_entry(match.record, match.game.family, entry, match.state)
    return _append(match, Event(0, "add", payload=dict(entry)), seq, form_key)


def amend(match: Match, id: int, entry: Mapping[str, Any], seq: int, form_key: str) -> Match:
    """The match with other content for an entry; later contradictions stay as problems. Raises like `add`."""
    if not _stored(match, form_key):
        _fresh(match, seq)
        records.amend_entry(match.record, match.game.family, _number(match, id), entry)
    return _append(match, Event(0, "amend", id, dict(entry)), seq, form_key)


def withdraw(match: Match, id: int, seq: int, form_key: str) -> Match:
    """The match without an entry, which the history keeps. :raises Stale: like `add`."""
    if not _stored(match, form_key):
        _fresh(match, seq)
        _number(match, id)
    return _append(match, Event(0, "withdraw", id), seq, form_key)


def restore(match: Match, id: int, seq: int, form_key: str) -> Match:
    """The match with a withdrawn entry counting again, in its old place. :raises Stale: like `add`."""
    if not _stored(match, form_key):
        _fresh(match, seq)
        if match.entry(id) is None or match.number(id) is not None:
            abort(404)
    return _append(match, Event(0, "restore", id), seq, form_key)


def undo(match: Match, seq: int, form_key: str) -> Match:
    """The match with its last change taken back, if there is one. :raises Stale: like `add`."""
    if _stored(match, form_key):
        return match
    _fresh(match, seq)
    event = log.undo_event(match.events)
    return match if event is None else _append(match, event, seq, form_key)


def keep_draft(match: Match, payload: Any, seq: int, form_key: str) -> Match:
    """The match with a deal in progress (None: no longer). :raises Stale: like `add`."""
    return _append(match, Event(0, "draft", payload=payload), seq, form_key)


def attach(match: Match, payload: Mapping[str, Any], entry: int | None, seq: int, form_key: str) -> Match:
    """The match with a ruling at an entry, or at none. :raises Stale: like `add`."""
    if not _stored(match, form_key):
        _fresh(match, seq)
        if entry is not None and match.entry(entry) is None:
            abort(404)
    return _append(match, Event(0, "ruling", entry, dict(payload)), seq, form_key)


def detach(match: Match, attached: int, seq: int, form_key: str) -> Match:
    """The match without the ruling that this event attached. :raises Stale: like `add`."""
    if not _stored(match, form_key):
        _fresh(match, seq)
        if all(event.seq != attached for event in log.attached_rulings(match.events)):
            abort(404)
    return _append(match, Event(0, "ruling", undoes=attached), seq, form_key)


def mend(match: Match, changes: Mapping[str, Any], seq: int, form_key: str) -> Match:
    """The match with other names, place or stake in its head (None takes one out). Raises like `add`."""
    if not _stored(match, form_key):
        _fresh(match, seq)
        head = {key: one for key, one in (dict(match.head) | dict(changes)).items() if one is not None}
        records.read_record(
            {"format": "companion-match", "version": 1, **head, "entries": []}, library.open_game
        )
    return _append(match, Event(0, "head", payload=dict(changes)), seq, form_key)


def _fresh(match: Match, seq: int) -> None:
    # Told before the rules are asked: an entry made for an older state would break rules it cannot know of.
    if seq != match.seq:
        raise store.Stale(match.id, match.events[seq:])


def _stored(match: Match, form_key: str) -> bool:
    return store.has(match.id, form_key)


def _number(match: Match, id: int) -> int:
    n = match.number(id)
    if n is None:
        abort(404)
    return n


def _append(match: Match, event: Event, seq: int, form_key: str) -> Match:
    signed = Event(0, event.kind, event.entry, event.payload, browser.token(), now(), event.undoes)
    store.append(match.id, seq, signed, form_key)
    if event.kind not in ("draft", "ruling"):
        session["written"] = match.id  # the board draws the newest stroke once
    return get(match.id)


def token(owner_token: str, form_key: str) -> str:
    """An id for what one form makes: unguessable without the app's key, and the same for the same form."""
    key = str(current_app.config["SECRET_KEY"]).encode()
    digest = hmac.digest(key, f"{owner_token}:{form_key}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def local_time() -> str:
    """The moment, as a record's head has it: by the clock of this machine, with its distance from UTC."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


def now() -> str:
    """The moment, as logs have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
