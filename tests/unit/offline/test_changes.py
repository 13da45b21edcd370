"""An event of another log is made the change that it was, so that it is checked and written once more."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.matches import (
    AddEntry,
    Agree,
    AmendEntry,
    AttachRuling,
    Change,
    CorrectHead,
    DetachRuling,
    KeepDraft,
    Match,
    NoSuchEntry,
    Object,
    PutBack,
    RestoreEntry,
    TooMany,
    Undo,
    WithdrawEntry,
    WithdrawObjection,
)
from companion.matches import match as match_module
from companion.offline.changes import read_change, read_sent_change
from companion.record.log import Event, find_detached_ruling
from companion.rules.errors import Unreadable
from companion.rules.ruling import RuleViolation
from companion.store import StoredMatch
from companion.web.offline.arrivals import read_sent_event

HEAD: dict[str, Any] = {
    "game": "derda",
    "players": ["Ewa", "Jan"],
    "first_dealer": "A",
    "conventions": {"target": 9999},
}
DEALS: list[dict[str, Any]] = [
    {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}},
    {"type": "deal", "contract": {"declarer": "B", "trump": "H"}, "totals": {"A": 70, "B": 70}},
    {"type": "deal", "auction": ["pass", "pass", "pass", "pass"], "turn_up": "9S"},
    {"type": "adjust", "side": "B", "points": 5, "reason": "x"},
]
DURAK = {"game": "durak", "players": ["Ewa", "Jan", "Ola"], "first_dealer": "A"}
HANDS: list[dict[str, Any]] = [
    {"type": "hand", "loser": "C", "trump": "H"},
    {"type": "hand", "loser": "B"},
    {"type": "hand", "loser": None},
]
RULING = {"question": "Whose?", "verdict": "Ewa’s", "why": "", "rules": ["derda.deal.next"], "rulebook": "1"}
GAMES = st.sampled_from([(HEAD, DEALS), (DURAK, HANDS)])
CLASSES: list[type[Change]] = [
    *[AddEntry, AmendEntry, WithdrawEntry, RestoreEntry, Undo, PutBack, KeepDraft],
    *[CorrectHead, AttachRuling, DetachRuling, Agree, Object, WithdrawObjection],
]


def opened(head: dict[str, Any], events: tuple[Event, ...] = ()) -> Match:
    return match_module.open_stored(StoredMatch("m", "me", head, events, "", "1"))


def receive(match: Match, event: Event, path: str = "event") -> Change:
    """The change in an event that a phone sends, as the server reads it."""
    facts = {"kind": event.kind, "entry": event.entry, "payload": event.payload, "undoes": event.undoes}
    sent = read_sent_event({**facts, "at": "2026-11-20T19:00:00Z", "key": "key"}, path)
    return read_sent_change(match, sent.parse(match, path), path)


def written(match: Match, change: Change) -> Match:
    """The match after a change that nobody refuses."""
    change.check(match)
    event = change.event(match)
    assert event is not None
    return match_module.continue_match(match, (replace(event, seq=match.seq + 1),))


def make_change(match: Match, kind: type[Change], entries: list[dict[str, Any]], n: int) -> Change | None:
    """A change of this class, of the match as it stands; None where there is nothing to be changed."""
    ids = [entry.id for entry in match.log.entries]
    id = ids[n % len(ids)] if ids else None
    doubts, rulings = match.remarks.open, match.log.rulings
    side = match.state.ring.sides[n % len(match.state.ring.sides)]
    if kind is AddEntry:
        return AddEntry(entries[n % len(entries)])
    if kind in (Undo, PutBack):
        return kind()
    if kind is KeepDraft:
        return KeepDraft({"type": "deal", "n": n} if n % 3 else None)
    if kind is CorrectHead:
        return CorrectHead({"place": f"Łódź {n}" if n % 2 else None, "stake": None})
    if kind is WithdrawObjection and doubts:
        return WithdrawObjection(doubts[n % len(doubts)].seq)
    if kind is DetachRuling and rulings:
        return DetachRuling(rulings[n % len(rulings)].seq)
    if kind is AttachRuling:
        old = next((event for event in match.events if event.kind == "ruling" and event.payload), None)
        if old is not None and n % 3 == 0 and find_detached_ruling(match.events, old.payload["id"]) == old:
            return AttachRuling(old.payload, old.entry)  # put back to where it stood, as its page does
        ruling = RULING | {"id": f"{match.seq:022}"}
        if doubts and n % 2:
            return AttachRuling(ruling, doubts[0].entry, doubts[0].seq)
        return AttachRuling(ruling, id if n % 5 else None)
    if id is None:
        return None
    if kind is AmendEntry:
        return AmendEntry(id, entries[n % len(entries)])
    if kind in (WithdrawEntry, RestoreEntry):
        return kind(id)
    if kind is Agree:
        return Agree(id, side)
    if kind is Object:
        totals = dict.fromkeys(match.state.ring.sides, n) if n % 2 else None
        return Object(id, side, "count", "so?" if n % 3 else "", totals)
    return None


def find_event(match: Match, kind: type[Change], entries: list[dict[str, Any]], n: int) -> Event | None:
    """What that change writes in the match; None where it cannot be made, or writes nothing."""
    change = make_change(match, kind, entries, n)
    try:
        if change is not None:
            change.check(match)
    except (NoSuchEntry, RuleViolation, TooMany):
        return None
    return None if change is None else change.event(match)


@given(GAMES, st.lists(st.tuples(st.sampled_from(CLASSES), st.integers(0, 59)), max_size=30))
def test_an_event_is_made_the_change_that_wrote_it(
    game: tuple[dict[str, Any], list[dict[str, Any]]], steps: list[tuple[type[Change], int]]
) -> None:
    """Whatever a log has come to; and the change makes the very event again."""
    match = opened(game[0])
    for kind, n in steps:
        event = find_event(match, kind, game[1], n)
        if event is None:
            continue
        read = read_change(match, replace(event, seq=99, author="somebody", at="2026"))
        assert read == receive(match, event) == make_change(match, kind, game[1], n)
        assert read.event(match) == event
        read.check(match)
        match = match_module.continue_match(match, (replace(event, seq=match.seq + 1),))


@pytest.fixture
def played() -> Match:
    """Two deals, the first objected to by Jan; a ruling at it, taken off again; the second undone."""
    match = opened(HEAD)
    for change in (
        AddEntry(DEALS[0]),
        AddEntry(DEALS[1]),
        Object(1, "B", "count"),
        AttachRuling(RULING | {"id": "r" * 22}, 1),
        DetachRuling(4),
        Undo(),
    ):
        match = written(match, change)
    return match


@pytest.mark.parametrize(
    ("event", "path"),
    [
        (Event(0, "hello"), "event.kind"),
        (Event(0, "add"), "event.payload"),
        (Event(0, "add", 3, DEALS[0]), "event.entry"),
        (Event(0, "add", payload=[1]), "event.payload"),
        (Event(0, "add", payload=DEALS[0], undoes=1), "event.undoes"),
        (Event(0, "amend", payload=DEALS[0]), "event.entry"),
        (Event(0, "amend", 7, DEALS[0]), "event.entry"),
        (Event(0, "amend", 3, DEALS[0]), "event.entry"),
        (Event(0, "amend", True, DEALS[0]), "event.entry"),
        (Event(0, "amend", 10**30, DEALS[0]), "event.entry"),
        (Event(0, "withdraw", 1, {"type": "deal"}), "event.payload"),
        (Event(0, "withdraw", 2, undoes=2), "event.undoes"),  # undone already
        (Event(0, "restore", 2, undoes=2), "event.undoes"),
        (Event(0, "amend", 1, DEALS[0], undoes=1), "event.kind"),
        (Event(0, "restore", 1, undoes=1), "event.kind"),
        (Event(0, "restore", 1, undoes=6), "event.undoes"),  # of another entry
        (Event(0, "withdraw", 1, undoes=7), "event.undoes"),
        (Event(0, "withdraw", 1, undoes=-1), "event.undoes"),
        (Event(0, "draft", payload="deal"), "event.payload"),
        (Event(0, "draft", payload={"a": "\ud800"}), "event.payload.a"),
        (Event(0, "draft", payload={}, undoes=1), "event.undoes"),
        (Event(0, "head", payload={"game": "durak"}), "event.payload.game"),
        (Event(0, "head", payload={"players": ["Ewa"]}), "event.payload.players"),
        (Event(0, "head", payload={"players": None}), "event.payload.players"),
        (Event(0, "ruling"), "event.payload"),
        (Event(0, "ruling", 1, RULING), "event.payload.id"),
        (Event(0, "ruling", 1, RULING | {"id": "r", "x": 1}), "event.payload.x"),
        (Event(0, "ruling", undoes=3), "event.undoes"),
        (Event(0, "ruling", 1, undoes=4), "event.entry"),
        (Event(0, "ruling", payload=RULING, undoes=4), "event.payload"),
        (Event(0, "agree", 1, {"side": "C"}), "event.payload.side"),
        (Event(0, "agree", 1, {"side": ["A"]}), "event.payload.side"),
        (Event(0, "agree", 1, {"side": "A", "text": "x"}), "event.payload.text"),
        (Event(0, "object", 1, {"side": "A"}), "event.payload.reason"),
        (Event(0, "object", 1, {"side": "A", "reason": "count", "totals": 5}), "event.payload.totals"),
        (Event(0, "settle", 2, {"objection": 3}), "event.payload.objection"),
        (Event(0, "settle", 1, {"objection": 1}), "event.payload.objection"),
    ],
)
def test_what_can_be_no_event_of_the_log_is_refused(played: Match, event: Event, path: str) -> None:
    """With the place of it that cannot be read, or cannot stand there."""
    with pytest.raises(Unreadable) as refused:
        receive(played, event)
    assert refused.value.path == path
    with pytest.raises(Unreadable) as other_rulings:
        receive(played, event, "events[7]")
    assert other_rulings.value.path == path.replace("event", "events[7]", 1)


def test_a_ruling_comes_back_to_where_it_stood() -> None:
    """Though the objection that it settled was settled by something else meanwhile."""
    match = opened(HEAD)
    for change in (
        AddEntry(DEALS[0]),
        Object(1, "B", "count"),
        AttachRuling(RULING | {"id": "r" * 22}, 1, 2),
        DetachRuling(3),
        WithdrawObjection(2),
    ):
        match = written(match, change)
    back = AttachRuling(match.events[2].payload, 1)
    event = back.event(match)
    assert event is not None
    assert read_change(match, event) == back
    other = AttachRuling(RULING | {"id": "s" * 22}, 1, 2)
    event = other.event(match)
    assert event is not None
    assert read_change(match, event) == other
    with pytest.raises(NoSuchEntry):
        other.check(match)
