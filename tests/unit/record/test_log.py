"""The log of a match: what stands after events were appended to it."""

from typing import Any

import pytest

from companion.record import log
from companion.record.log import Event, LoggedEntry, read_log


def events(*history: tuple[Any, ...]) -> list[Event]:
    return [Event(seq, *facts) for seq, facts in enumerate(history, 1)]


def logged_entries(history: list[Event]) -> list[LoggedEntry]:
    return read_log(history).entries


def standing_entries(history: list[Event]) -> list[LoggedEntry]:
    return read_log(history).standing


def attached_rulings(history: list[Event]) -> tuple[Event, ...]:
    return read_log(history).rulings


def undo_event(history: list[Event]) -> Event | None:
    return read_log(history).undo_event()


def undo_last(history: list[Event]) -> list[Event]:
    back = undo_event(history)
    assert back is not None
    return [*history, Event(len(history) + 1, back.kind, back.entry, back.payload, undoes=back.undoes)]


def contents(history: list[Event]) -> list[Any]:
    return [entry.payload for entry in standing_entries(history)]


LOG = events(("add", None, {"n": 1}), ("add", None, {"n": 2}), ("amend", 1, {"n": 9}), ("withdraw", 2))


def test_a_correction_that_was_taken_back_is_none() -> None:
    """Amended and undone, an entry says what it said first; amended once more, it is corrected again."""
    history = events(("add", None, {"n": 1}), ("amend", 1, {"n": 2}))
    undone = undo_last(history)
    assert logged_entries(history)[0].is_corrected()
    assert not logged_entries(undone)[0].is_corrected()
    assert logged_entries([*undone, Event(4, "amend", 1, {"n": 3})])[0].is_corrected()


def test_what_may_be_told_later_corrects_nothing() -> None:
    """Told for the first time it is no correction; told otherwise than before it is one."""
    (stated,) = logged_entries(events(("add", None, {"n": 1}), ("amend", 1, {"n": 1, "deals": "B"})))
    assert not stated.is_corrected({"deals"}) and stated.is_corrected()
    (stated,) = logged_entries(
        events(("add", None, {"n": 1, "deals": "A"}), ("amend", 1, {"n": 1, "deals": "B"}))
    )
    assert stated.is_corrected({"deals"})
    (stated,) = logged_entries(events(("add", None, {"n": 1}), ("amend", 1, {"n": 2, "deals": "B"})))
    assert stated.is_corrected({"deals"})


def test_the_ruling_that_was_taken_off_is_found() -> None:
    """The last event that attached it; nothing while it stands, or where it never stood."""
    attached = Event(1, "ruling", None, {"id": "r"})
    off, again = Event(2, "ruling", undoes=1), Event(3, "ruling", 1, {"id": "r"})
    assert log.find_detached_ruling([attached], "r") is None
    assert log.find_detached_ruling([attached, off], "r") == attached
    assert log.find_detached_ruling([attached, off], "s") is None
    assert log.find_detached_ruling([attached, off, again], "r") is None
    assert log.find_detached_ruling([attached, off, again, Event(4, "ruling", undoes=3)], "r") == again


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([], [{"n": 9}]),
        ([Event(5, "restore", 2)], [{"n": 9}, {"n": 2}]),
        ([Event(5, "amend", 2, {"n": 3})], [{"n": 9}]),
        ([Event(5, "amend", 9, {"n": 5}), Event(6, "restore", 7)], [{"n": 9}]),
    ],
    ids=["amended and withdrawn", "restored", "amended, which restores nothing", "of entries there are not"],
)
def test_what_counts(events: list[Event], said: list[Any]) -> None:
    """An amended entry stands where it stood; only a restoring brings a withdrawn one back."""
    assert contents([*LOG, *events]) == said


def test_the_head_is_put_right_piece_by_piece() -> None:
    history = events(("head", None, {"place": "Łódź"}), ("head", None, {"players": ["Ewa", "Jan"]}))
    written = {"game": "x", "players": ["E", "J"], "place": ""}
    assert {**written, **read_log(history).head} == {
        "game": "x",
        "players": ["Ewa", "Jan"],
        "place": "Łódź",
    }
    assert written["place"] == ""


def test_rulings_are_attached_and_taken_off() -> None:
    """A ruling stands until another event takes it off; an undo of entries passes it over."""
    history = [*LOG, Event(5, "ruling", 1, {"id": "r"}), Event(6, "ruling", None, {"id": "s"})]
    assert [(ruling.seq, ruling.entry) for ruling in attached_rulings(history)] == [
        (5, 1),
        (6, None),
    ]
    back = undo_event(history)
    assert back is not None and back.undoes == 4
    assert [ruling.seq for ruling in attached_rulings([*history, Event(7, "ruling", undoes=5)])] == [6]
    assert contents(history) == contents(LOG)


def test_the_event_that_undoes_an_amendment() -> None:
    """It brings the content back that stood before, the entry found among several."""
    history = events(
        ("add", None, {"n": 1}), ("add", None, {"n": 2}), ("amend", 2, {"n": 3}), ("amend", 2, {"n": 4})
    )
    assert undo_event(history) == Event(0, "amend", 2, {"n": 3}, undoes=4)


def test_every_event_about_an_entry_is_kept_with_it() -> None:
    history = [*LOG, Event(5, "restore", 2), Event(6, "amend", 2, {"n": 7})]
    first, second = logged_entries(history)
    assert [event.seq for event in first.events] == [1, 3]
    assert [event.seq for event in second.events] == [2, 4, 5, 6]
    assert (second.id, second.payload, second.withdrawn, second.is_corrected()) == (2, {"n": 7}, False, True)
    assert logged_entries(LOG[:2])[0].is_corrected() is False
    assert standing_entries(history) == [first, second]
    assert [entry.withdrawn for entry in logged_entries(LOG)] == [False, True]
