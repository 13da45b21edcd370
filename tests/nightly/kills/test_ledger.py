"""The ledger of the kill tests says whatever is not as the phones were told."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.matches import Match
from companion.matches.match import open_stored
from companion.record.log import Event
from companion.store import StoredMatch

from .ledger import Ledger

HEAD = {"game": "derda", "players": ["Ewa 1-0", "Jan"], "first_dealer": "A", "conventions": {"target": 9999}}
DEAL = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}


def deal(note: str, **other: Any) -> Event:
    return Event(0, "add", payload={**DEAL, "note": note, **other}, at="2026-11-20T19:05:00+01:00")


def stored(*events: Event, name: str = "Ewa 1-0", id: str = "match") -> Match:
    numbered = tuple(replace(event, seq=seq) for seq, event in enumerate(events, 1))
    head = {**HEAD, "players": [name, "Jan"]}
    return open_stored(StoredMatch(id, "me", head, numbered, "2026-11-20T19:05:00+01:00"))


@pytest.fixture
def ledger() -> Ledger:
    """One match with two entries that were acknowledged, one that was refused, one of which nobody knows."""
    ledger = Ledger(begun={"Ewa 1-0": "match"})
    for note in ("first", "second", "stale", "silent"):
        ledger.send("match", "add", note)
    ledger.acknowledge("first", 1)
    ledger.acknowledge("second", 2)
    ledger.refuse("stale")
    return ledger


FIRST, SECOND, STALE, SILENT = map(deal, ("first", "second", "stale", "silent"))


@pytest.mark.parametrize("events", [(FIRST, SECOND), (FIRST, SECOND, SILENT)])
def test_as_it_was_told(ledger: Ledger, events: Sequence[Event]) -> None:
    """What was sent and never answered may be there or not."""
    assert ledger.compare([stored(*events)]) == []


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ((FIRST,), "second: acknowledged as number 2, and lost"),
        ((SECOND, FIRST), "second: acknowledged as number 2, there as 1"),
        ((FIRST, SECOND, SECOND), "second: there 2 times"),
        ((FIRST, SECOND, STALE), "stale: refused, and there all the same"),
        ((FIRST, SECOND, deal("other")), "match: number 3 (add other) was not sent"),
        ((FIRST, SECOND, Event(0, "draft", payload={})), "match: number 3 (draft ) was not sent"),
        ((FIRST, deal("second", totals={"A": 83, "B": 64})), "match: 2 deals come to {'A': 165, 'B': 129}"),
    ],
)
def test_entries_that_are_not_as_told(ledger: Ledger, events: Sequence[Event], fault: str) -> None:
    """Lost, elsewhere, doubled, written though refused, or changed."""
    assert fault in ledger.compare([stored(*events)])


def test_a_gap(ledger: Ledger) -> None:
    """Numbers go from 1 without one left out."""
    match = stored(FIRST, SECOND)
    gap = replace(match, events=(match.events[0], replace(match.events[1], seq=3)))
    assert "match: its numbers are [1, 3]" in ledger.compare([gap])


def test_what_does_not_fold(ledger: Ledger) -> None:
    """An entry that breaks a rule is nothing that a phone could have sent."""
    match = stored(FIRST, deal("second", totals={"A": 10, "B": 3}))
    assert any("does not fold" in fault for fault in ledger.compare([match]))


def test_matches_that_are_not_as_told(ledger: Ledger) -> None:
    """Lost, doubled, or never begun."""
    one = stored(FIRST, SECOND)
    assert "no match of Ewa 1-0, who was told that there is one" in ledger.compare([])
    assert "2 matches of Ewa 1-0, who began one" in ledger.compare([one, stored(id="again")])
    other = stored(name="Ala", id="other")
    assert "a match of Ala that nobody began" in ledger.compare([one, other])


def test_what_a_copy_lost(ledger: Ledger) -> None:
    """Only what was acknowledged before the copy can be lost to it."""
    reported = {"first": 1, "second": 2}
    assert ledger.count_lost([stored(FIRST, SECOND)], reported) == 0
    assert ledger.count_lost([stored(FIRST)], reported) == 1
    assert ledger.count_lost([], reported) == 2
