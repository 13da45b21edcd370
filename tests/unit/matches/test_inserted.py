"""A forgotten deal is put in before a later one: it counts there, and the history says when that was done."""

from typing import Any

import pytest

from companion.matches import AddEntry, EntryChange, Match, Undo, describe_history
from companion.matches import match as match_module
from companion.matches.match import NoSuchEntry
from companion.record.log import Event
from companion.store import StoredMatch

HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A", "conventions": {"target": 900}}


def deal(a: int, b: int) -> dict[str, Any]:
    """A deal that Ewa played in hearts."""
    return {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": a, "B": b}}


EVENTS = (
    Event(1, "add", payload=deal(82, 65)),
    Event(2, "add", payload=deal(90, 50)),
    Event(3, "withdraw", 1),
    Event(4, "restore", 1, undoes=3),
    Event(5, "amend", 1, deal(83, 64)),
    Event(6, "add", 2, deal(100, 40)),
    Event(7, "add", payload=deal(70, 60)),
    Event(8, "add", 6, deal(99, 44)),
    Event(9, "withdraw", 6),
    Event(10, "head", payload={"first_dealer": "B"}),
)


def opened(events: tuple[Event, ...]) -> Match:
    return match_module.open_stored(StoredMatch("m", "me", HEAD, events, "", "1"))


def test_it_stands_before_the_one_named_and_all_is_recounted() -> None:
    """Entry by entry it is the same match as read at once; numbers and dealers follow from the order."""
    match = opened(())
    for n, event in enumerate(EVENTS, 1):
        match = match_module.continue_match(match, (event,))
        afresh = opened(EVENTS[:n])
        assert (match, match.states) == (afresh, afresh.states)
    assert [entry.id for entry in match.log.entries] == [1, 8, 6, 2, 7]
    assert [match.counted_number(id) for id in (1, 8, 6, 2, 7)] == [1, 2, None, 3, 4]
    assert [row.totals["A"] for row in match.state.rows] == [83, 182, 272, 342]
    assert [row.dealer for row in match.state.rows] == ["B", "A", "A", "A"]


def test_history_knows_each_moment() -> None:
    """Insert a deal before later ones that are all known, or not."""
    whole = list(describe_history(opened(EVENTS)))
    then = [
        (item.number, item.row_after and item.row_after.totals["A"])
        for item in whole
        if isinstance(item, EntryChange)
    ]
    assert then == [(1, 82), (2, 172), (1, None), (1, 82), (1, 83), (2, 183), (4, 343), (2, 182), (3, None)]
    for n, described in enumerate(whole, 1):
        assert [*describe_history(opened(EVENTS[:n]), only={n})] == [described]


def test_it_is_undone_like_any_entry_and_a_deal_in_progress_stays() -> None:
    draft = Event(1, "draft", payload={"type": "deal"})
    match = opened(
        (draft, Event(2, "add", payload=deal(82, 65)), Event(3, "draft", payload={"type": "deal"}))
    )
    change = AddEntry(deal(90, 50), before=2)
    assert change.check(match).after.totals == {"A": 90, "B": 50}
    event = change.event(match)
    assert event is not None and (event.kind, event.entry) == ("add", 2)
    match = match_module.continue_match(match, (Event(4, "add", 2, deal(90, 50)),))
    assert match.draft == {"type": "deal"}
    undo = Undo().event(match)
    assert undo is not None and (undo.kind, undo.entry, undo.undoes) == ("withdraw", 4, 4)
    with pytest.raises(NoSuchEntry):
        AddEntry(deal(1, 2), before=9).check(match)
