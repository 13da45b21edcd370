"""A match has so much room; what is left at the end of its history is for the score."""

import pytest
from derda import DEAL, HEAD

from companion import library
from companion.matches import (
    AddEntry,
    Agree,
    AmendEntry,
    AttachRuling,
    DetachRuling,
    KeepDraft,
    Match,
    Matches,
    Object,
    TooMany,
    Undo,
    WithdrawEntry,
    changes,
)
from companion.matches.matches import MAX_GAMES
from companion.record.log import MAX_BESIDE, MAX_ENTRIES, MAX_EVENTS
from companion.record.record import read_record, read_stored
from companion.rules.errors import Unreadable

from .conftest import ME, Write

OTHER = DEAL | {"totals": {"A": 92, "B": 55}}


def test_how_large_a_match_may_become() -> None:
    """Ten thousand entries, and fifty thousand changes, of which forty thousand may be something else."""
    assert (MAX_ENTRIES, MAX_EVENTS, MAX_BESIDE) == (10_000, 50_000, 40_000)


def test_entries(match: Match, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Withdrawn ones count; what stands can still be corrected and taken back."""
    monkeypatch.setattr(changes, "MAX_ENTRIES", 3)
    for _deal in range(3):
        write(match.id, AddEntry(DEAL))
    write(match.id, WithdrawEntry(3))
    with pytest.raises(TooMany) as refused:
        write(match.id, AddEntry(DEAL))
    assert (refused.value.what, refused.value.most) == ("entries", 3)
    after = write(match.id, AmendEntry(1, OTHER))
    assert write(match.id, Undo()).seq == after.seq + 1


def test_changes(match: Match, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the history is full nothing is written any more, and what was written is what it was."""
    monkeypatch.setattr(changes, "MAX_EVENTS", 2)
    write(match.id, AddEntry(DEAL))
    write(match.id, AddEntry(DEAL), key="the last")
    for change in (AddEntry(DEAL), AmendEntry(1, OTHER), Undo(), KeepDraft({}), Agree(1, "A")):
        with pytest.raises(TooMany) as refused:
            write(match.id, change)
        assert (refused.value.what, refused.value.most) == ("changes", 2)
    assert write(match.id, AddEntry(DEAL), seq=1, key="the last").seq == 2  # once more, and there already


def test_drafts_and_remarks_leave_room(match: Match, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody who only says something of the entries keeps others from writing them."""
    monkeypatch.setattr(changes, "MAX_BESIDE", 1)
    write(match.id, AddEntry(DEAL))
    beside = (KeepDraft({}), Agree(1, "B"), Object(1, "B", "count"), AttachRuling({"id": "x"}, 1))
    for change in beside:
        with pytest.raises(TooMany) as refused:
            write(match.id, change)
        assert (refused.value.what, refused.value.most) == ("sidelines", 1)
    assert write(match.id, AddEntry(DEAL)).seq == 2


def test_rulings(match: Match, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "MAX_RULINGS", 2)
    for id in ("x", "y"):
        write(match.id, AttachRuling({"id": id}, None))
    off = write(match.id, DetachRuling(1))
    with pytest.raises(TooMany) as refused:
        write(match.id, AttachRuling({"id": "z"}, None))
    assert (refused.value.what, refused.value.most) == ("rulings", 2)
    assert write(match.id, AttachRuling({"id": "x"}, None)).seq == off.seq + 1


def test_an_evening_without_end(matches: Matches, match: Match) -> None:
    """Of matches that follow each other the last ones are looked back on, however many there are."""
    ids = [match.id]
    for number in range(MAX_GAMES + 5):
        ids.append(matches.start(HEAD | {"follows": ids[-1]}, ME, f"game {number}"))
    evening = matches.evening(matches.open(ids[-1]))
    assert [match.id for match in evening] == ids[-MAX_GAMES - 1 :]


def test_a_record() -> None:
    """From outside no larger one comes in; one that is stored is read, whatever it has."""
    entries = [DEAL] * (MAX_ENTRIES + 1)
    document = {"format": "companion-match", "version": 1, **HEAD, "entries": entries}
    with pytest.raises(Unreadable, match=r"^entries: must be a list of at most 10000 entries$"):
        read_record(document, library.open_game)
    assert len(read_stored(HEAD, entries, library.reopen_game)[0].entries) == MAX_ENTRIES + 1
