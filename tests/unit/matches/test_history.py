"""A log described event by event: the same as opening the match anew after each, at the cost of one fold."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.matches import EntryChange, HeadChange, Match, OtherEvent, describe_history
from companion.matches import match as match_module
from companion.record import log
from companion.record.log import Event
from companion.store import StoredMatch

HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A", "conventions": {"target": 2000}}


def deal(a: int, b: int, **more: Any) -> dict[str, Any]:
    return {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": a, "B": b}, **more}


ENTRIES = [
    deal(82, 65),
    deal(60, 85),
    deal(70, 70),
    {"type": "adjust", "side": "B", "points": 5, "reason": "x"},
]


def opened(events: list[Event], head: dict[str, Any] = HEAD) -> Match:
    return match_module.open_stored(StoredMatch("m", "me", head, tuple(events), "", "1"))


def append(events: list[Event], event: Event | None) -> list[Event]:
    assert event is not None
    return [*events, replace(event, seq=len(events) + 1)]


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """A log of deals and adjustments, amended, withdrawn, restored, undone and put back; names corrected."""
    events: list[Event] = []
    for kind in draw(st.lists(st.sampled_from("aaaamwruphdn"), max_size=16)):
        entries = log.logged_entries(events)
        ids = {flag: [entry.id for entry in entries if entry.withdrawn is flag] for flag in (True, False)}
        payload = draw(st.sampled_from(ENTRIES))
        if kind == "a":
            events = append(events, Event(0, "add", payload=payload))
        elif kind == "m" and ids[False]:
            events = append(events, Event(0, "amend", draw(st.sampled_from(ids[False])), payload))
        elif kind == "w" and ids[False]:
            events = append(events, Event(0, "withdraw", draw(st.sampled_from(ids[False]))))
        elif kind == "r" and ids[True]:
            events = append(events, Event(0, "restore", draw(st.sampled_from(ids[True]))))
        elif kind == "u" and log.undo_event(events):
            events = append(events, log.undo_event(events))
        elif kind == "p" and log.put_back_event(events):
            events = append(events, log.put_back_event(events))
        elif kind == "h":
            events = append(events, Event(0, "head", payload={"first_dealer": draw(st.sampled_from("AB"))}))
        elif kind == "n":
            events = append(events, Event(0, "head", payload={"players": ["Ewelina", "Jan"]}))
        elif kind == "d":
            events = append(events, Event(0, "draft", payload={"type": "deal"}))
    return events


def standing_row(match: Match, id: int) -> Any:
    n = match.number(id)
    return match.row(n) if n else None


@settings(deadline=None)
@given(logs())
def test_every_event_is_described_as_it_was_then(events: list[Event]) -> None:
    """The number of the entry, its content and what it came to are those of a match of the log so far."""
    described = list(describe_history(opened(events)))
    assert [item.event for item in described] == events
    for item in described:
        if not isinstance(item, EntryChange):
            continue
        before, after = opened(events[: item.event.seq - 1]), opened(events[: item.event.seq])
        id = item.event.seq if item.event.kind == "add" else item.event.entry or 0
        earlier, later = before.entry(id), after.entry(id)
        assert later is not None
        assert item.before == (earlier.payload if earlier else None) and item.after == later.payload
        assert item.type == later.payload["type"]
        assert item.number == (before.counted_number(id) or after.counted_number(id))
        assert (item.row_before, item.row_after) == (standing_row(before, id), standing_row(after, id))


@settings(deadline=None)
@given(logs(), st.data())
def test_single_events_are_described_as_among_all(events: list[Event], data: st.DataObject) -> None:
    """Whoever asks for some of them gets the same, in their order."""
    match = opened(events)
    only = data.draw(st.sets(st.integers(1, max(len(events), 1))))
    chosen = [item for item in describe_history(match) if item.event.seq in only]
    assert list(describe_history(match, only=only)) == chosen


def test_what_a_head_said_before_and_after() -> None:
    """Each correction with the whole head; a draft and a ruling change nothing."""
    events = [
        Event(1, "head", payload={"players": ["Ewelina", "Jan"]}),
        Event(2, "draft", payload={"type": "deal"}),
        Event(3, "head", payload={"place": "Łódź"}),
        Event(4, "ruling", payload={"id": "r"}),
    ]
    renamed = {**HEAD, "players": ["Ewelina", "Jan"]}
    assert list(describe_history(opened(events))) == [
        HeadChange(events[0], HEAD, renamed),
        OtherEvent(events[1]),
        HeadChange(events[2], renamed, {**renamed, "place": "Łódź"}),
        OtherEvent(events[3]),
    ]


@pytest.mark.parametrize(
    ("event", "change", "course"),
    [
        (Event(3, "amend", 1, ENTRIES[1], undoes=2), "amend", "undone"),
        (Event(3, "amend", 1, ENTRIES[1]), "amend", "done"),
        (Event(3, "withdraw", 1, undoes=1), "add", "undone"),
        (Event(3, "withdraw", 1), "withdraw", "done"),
    ],
)
def test_what_was_done_or_undone(event: Event, change: str, course: str) -> None:
    """An undo is described by what it takes back, putting back by what comes back."""
    events = [Event(1, "add", payload=ENTRIES[0]), Event(2, "amend", 1, ENTRIES[1]), event]
    (described,) = describe_history(opened(events), only={3})
    assert isinstance(described, EntryChange)
    assert (described.change, described.course) == (change, course)
    back = append(events, log.put_back_event(events)) if course == "undone" else events
    (described,) = describe_history(opened(back), only={len(back)})
    assert isinstance(described, EntryChange)
    assert (described.change, described.course) == (change, "put back" if course == "undone" else "done")


def test_events_the_match_has_not_read_yet() -> None:
    """What others wrote at this very moment is described after what is known."""
    events = [Event(1, "add", payload=ENTRIES[0]), Event(2, "add", payload=ENTRIES[1])]
    (described,) = describe_history(opened(events[:1]), events[1:], only={2})
    assert isinstance(described, EntryChange)
    assert (described.number, described.after) == (2, ENTRIES[1])


def test_what_cannot_be_read_any_more_is_described_without_a_result() -> None:
    """A content that was corrected since may be none by the rules of today; what follows stands."""
    strange = {"type": "deal", "strange": True}
    events = [
        Event(1, "add", payload=strange),
        Event(2, "add", payload=ENTRIES[0]),
        Event(3, "amend", 1, ENTRIES[1]),
    ]
    first, second, mended = describe_history(opened(events))
    assert isinstance(first, EntryChange) and isinstance(second, EntryChange)
    assert isinstance(mended, EntryChange)
    assert first.row_after is None and mended.row_before is None
    assert second.row_after is not None and second.row_after.totals == {"A": 82, "B": 65}
    assert mended.row_after is not None and mended.row_after.totals == {"A": 0, "B": 145}


def test_corrections_cost_what_entries_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of forty deals corrected forty times: each correction is folded once, no other at all."""
    deals = [Event(seq, "add", payload=deal(82, 65)) for seq in range(1, 41)]
    corrections = [Event(seq, "amend", 40, deal(82, seq)) for seq in range(41, 81)]
    match = opened([*deals, *corrections])
    applied: Counter[str] = Counter()
    family = type(match.game.family)
    apply = family.apply

    def count(self: Any, state: Any, entry: Any) -> Any:
        applied["entries"] += 1
        return apply(self, state, entry)

    monkeypatch.setattr(family, "apply", count)
    described = list(describe_history(match))
    assert len(described) == 80
    assert applied["entries"] == 41
    assert list(describe_history(match, only={1, 80})) == [described[0], described[79]]
    assert applied["entries"] == 41, "what an event did never changes"
