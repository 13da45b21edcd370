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


ONE = stored(FIRST, SECOND)
GAP = replace(ONE, events=(ONE.events[0], replace(ONE.events[1], seq=3)))


@pytest.mark.parametrize(
    ("matches", "fault"),
    [
        ([stored(FIRST)], "second: acknowledged as number 2, and lost"),
        ([stored(SECOND, FIRST)], "second: acknowledged as number 2, there as 1"),
        ([stored(FIRST, SECOND, SECOND)], "second: there 2 times"),
        ([stored(FIRST, SECOND, STALE)], "stale: refused, and there all the same"),
        ([stored(FIRST, SECOND, deal("other"))], "match: number 3 (add other) was not sent"),
        ([stored(FIRST, SECOND, Event(0, "draft", payload={}))], "match: number 3 (draft ) was not sent"),
        ([stored(FIRST, deal("second", totals={"A": 83, "B": 64}))], "2 deals come to {'A': 165, 'B': 129}"),
        ([stored(FIRST, deal("second", totals={"A": 10, "B": 3}))], "match: does not fold: "),
        ([GAP], "match: its numbers are [1, 3]"),
        ([], "no match of Ewa 1-0, who was told that there is one"),
        ([ONE, stored(id="again")], "2 matches of Ewa 1-0, who began one"),
        ([ONE, stored(name="Ala", id="other")], "a match of Ala that nobody began"),
    ],
)
def test_what_is_not_as_told(ledger: Ledger, matches: Sequence[Match], fault: str) -> None:
    """Entries that were lost, doubled, changed or written though refused; gaps; matches that nobody began."""
    assert any(fault in found for found in ledger.compare(matches))


def test_what_a_copy_lost(ledger: Ledger) -> None:
    """Only what was acknowledged before the copy can be lost to it."""
    reported = {"first": 1, "second": 2}
    assert ledger.count_lost([stored(FIRST, SECOND)], reported) == 0
    assert ledger.count_lost([stored(FIRST)], reported) == 1
    assert ledger.count_lost([], reported) == 2
