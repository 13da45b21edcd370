"""Undo and put back: what was taken out comes back, step by step, until something new is written."""

from typing import Any

from histories import logs, undone_changes
from hypothesis import given
from hypothesis import strategies as st

from companion.record.log import Event, LoggedEntry, read_log

ENTRY = {"n": 1}
KINDS = "aaawmrddtuuup"
"""Every kind of event but remarks, many of them undone and put back."""


def logged_entries(history: list[Event]) -> list[LoggedEntry]:
    return read_log(history).entries


def standing_entries(history: list[Event]) -> list[LoggedEntry]:
    return read_log(history).standing


def undo_event(history: list[Event]) -> Event | None:
    return read_log(history).undo_event()


def put_back_event(history: list[Event]) -> Event | None:
    return read_log(history).put_back_event()


def append(history: list[Event], event: Event | None) -> list[Event]:
    assert event is not None
    seq = len(history) + 1
    return [*history, Event(seq, event.kind, event.entry, event.payload, undoes=event.undoes)]


def undo(history: list[Event]) -> list[Event]:
    return append(history, undo_event(history))


def put_back(history: list[Event]) -> list[Event]:
    return append(history, put_back_event(history))


def standing(history: list[Event]) -> list[tuple[int, Any]]:
    return [(entry.id, entry.payload) for entry in standing_entries(history)]


def added(*contents: Any) -> list[Event]:
    return [Event(seq, "add", payload=content) for seq, content in enumerate(contents, 1)]


@given(logs(kinds=KINDS))
def test_put_back_is_the_contrary_of_undo(history: list[Event]) -> None:
    """Undone and put back, everything counts as before; the change that came back can be undone anew."""
    if undo_event(history) is None:
        return
    undone = undo(history)
    back = put_back(undone)
    assert standing(back) == standing(history)
    assert undone_changes(back) == undone_changes(history)
    again = undo_event(back)
    assert again == undo_event(history)
    assert standing(undo(back)) == standing(undone)


@given(logs(kinds=KINDS))
def test_as_many_put_back_as_were_undone(history: list[Event]) -> None:
    """All undone one after the other, until nothing is left; then put back, the last undo first."""
    seen, steps = [standing(history)], history
    while undo_event(steps) is not None:
        steps = undo(steps)
        assert standing(steps) != seen[-1]
        seen.append(standing(steps))
    assert standing(steps) == []
    for expected in seen[-2::-1]:
        steps = put_back(steps)
        assert standing(steps) == expected


@given(logs(kinds=KINDS), st.sampled_from(["add", "amend", "withdraw", "restore"]))
def test_what_is_newly_written_ends_it(history: list[Event], kind: str) -> None:
    assert put_back_event([]) is put_back_event(added(ENTRY)) is None
    entries = {entry.withdrawn: entry.id for entry in logged_entries(history)}
    if kind != "add" and (kind == "restore") not in entries:
        return
    entry = None if kind == "add" else entries[kind == "restore"]
    after = append(history, Event(0, kind, entry, ENTRY if kind in ("add", "amend") else None))
    assert put_back_event(after) is None
    assert undone_changes(after) == undone_changes(history)


@given(logs(kinds=KINDS))
def test_drafts_and_rulings_change_nothing_of_it(history: list[Event]) -> None:
    """A deal in progress, a correction of the head or a ruling leaves what can be undone and put back."""
    for kind in ("draft", "head", "ruling"):
        after = append(history, Event(0, kind, payload={}))
        assert put_back_event(after) == put_back_event(history)
        assert undo_event(after) == undo_event(history)


def test_a_restoring_can_be_undone() -> None:
    """Undo takes back the restoring itself, not the withdrawal before it, which would change nothing."""
    history = [*added({"n": 1}), Event(2, "withdraw", 1), Event(3, "restore", 1)]
    undone = undo(history)
    assert undone[-1] == Event(4, "withdraw", 1, undoes=3)
    assert standing(undone) == []
    assert put_back(undone)[-1] == Event(5, "restore", 1, undoes=4)
    assert standing(undo(undone)) == [(1, {"n": 1})]


def test_a_log_in_which_an_undo_passed_over_a_restoring() -> None:
    """Older versions undid the withdrawal though the entry counted again; all is undone in the end."""
    history = [*added({"n": 1}), Event(2, "withdraw", 1), Event(3, "restore", 1)]
    history.append(Event(4, "restore", 1, undoes=2))
    assert undone_changes(history) == {2}
    assert undo_event(history) == Event(0, "withdraw", 1, undoes=3)
    assert standing(undo(undo(history))) == []
    assert standing(put_back(put_back(undo(undo(history))))) == [(1, {"n": 1})]
