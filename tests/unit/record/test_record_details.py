"""The record in detail: limits, the entries that were read with it, and records made longer by one entry."""

from dataclasses import replace
from typing import Any

import pytest

from companion import library
from companion.record import record as records
from companion.record.log import Event, undo_event
from companion.rules.errors import Unreadable

HEAD = {"format": "companion-match", "version": 1, "game": "derda", "players": ["Ewa", "Jan"]}
FIRST = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
SECOND = {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 65, "B": 82}}


def open_record(*entries: dict[str, Any], **more: Any) -> tuple[records.Record, Any]:
    """A record and the family of its game."""
    document = HEAD | {"first_dealer": "A", "entries": list(entries)} | more
    record, game = records.read_record(document, library.open_game)
    return record, game.family


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ([1], "a match record, which is a JSON object, not [1]"),
        (HEAD | {"stake": {"amount": "1", "currency": "x" * 21}}, "20 characters"),
        (HEAD | {"stake": {"amount": "1", "coin": "x"}}, "an object with the keys amount, currency"),
        (HEAD | {"preset": "x" * 41}, "40 characters"),
        (HEAD | {"first_dealer": "A", "entries": [FIRST, 7]}, "entries[1]"),
    ],
)
def test_what_is_refused_is_named(document: Any, sentence: str) -> None:
    """A refusal says what there may be, up to which length, and quotes what was there."""
    with pytest.raises(Unreadable) as refused:
        records.read_record(document, library.open_game)
    assert sentence in str(refused.value)


def test_the_stake_is_read_up_to_its_limit() -> None:
    """Twenty characters of an amount are few enough."""
    stake = {"amount": "1" * 20, "currency": "x" * 20}
    assert open_record(stake=stake)[0].head["stake"] == stake


def test_entries_are_written_as_they_were_read() -> None:
    """Each as a mapping of its own, in the order of the record."""
    record, _family = open_record(FIRST, SECOND)
    written = records.write_record(record)["entries"]
    assert written == [FIRST, SECOND]
    assert written[0] is not record.entries[0]


def test_entries_are_read_once() -> None:
    """A record that was read carries what its entries were read as; one that was changed is read anew."""
    record, family = open_record(FIRST, SECOND)
    assert record.parsed is not None
    assert len(record.parsed.typed) == 2
    alone = replace(record, entries=record.entries[:1])
    assert records.fold_record(alone, family) == records.fold_record(open_record(FIRST)[0], family)
    with pytest.raises(Unreadable, match=r"^entries\[1\]"):
        records.fold_record(replace(record, entries=(FIRST, {"type": "nothing"})), family)


def test_one_entry_more() -> None:
    """The record made longer is the record read whole, its state the same, and nothing is read again."""
    shorter, family = open_record(FIRST)
    states = records.list_states(shorter, family)
    longer, after = records.rewrite_record(shorter, family, states, 1, [SECOND])
    whole, _family = open_record(FIRST, SECOND)
    assert longer == whole
    assert after == records.list_states(whole, family)
    assert after[-1] == records.fold_record(whole, family)
    assert longer.parsed is not None
    assert longer.parsed.entries is longer.entries
    assert list(longer.parsed.typed) == list(whole.parsed.typed if whole.parsed else ())
    with pytest.raises(Unreadable, match=r"^entries\[1\]"):
        records.rewrite_record(shorter, family, states, 1, [{"type": "nothing"}])


def test_nobody_says_who_deals() -> None:
    """A record that follows one nobody has names the way out."""
    record, _family = open_record()
    with pytest.raises(Unreadable) as refused:
        records.with_first_dealer(replace(record, head={"players": ["Ewa", "Jan"]}), None)
    assert "the id of a record read along with this one, unless first_dealer is given" in str(refused.value)


@pytest.mark.parametrize(
    ("event", "undoing"),
    [
        (Event(1, "add", payload=FIRST), Event(0, "withdraw", 1, undoes=1)),
        (Event(2, "withdraw", 1), Event(0, "restore", 1, undoes=2)),
    ],
)
def test_the_event_that_takes_back(event: Event, undoing: Event) -> None:
    """It has no number yet, and says which event it undoes."""
    assert undo_event([event]) == undoing
