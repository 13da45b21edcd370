"""What is said of entries beside recording: neither waits for the other, and nothing is said twice."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from derda import deal

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
    Matches,
    NoSuchEntry,
    Object,
    PutBack,
    RestoreEntry,
    Submission,
    TooMany,
    Undo,
    WithdrawEntry,
    WithdrawObjection,
)
from companion.matches.changes import MAX_REMARKS
from companion.record.log import Event
from companion.rules.errors import Unreadable
from companion.store import Grant, StaleWrite, Store
from companion.store.memory import MemoryStore

from .conftest import ME, Write

OPPONENT = "your browser"
RULING = {"id": "r", "question": "play", "verdict": "allowed"}


@pytest.fixture
def store() -> Store:
    """In memory: what is written beside what is decided before a store is asked."""
    return MemoryStore()


@pytest.fixture
def id(match: Match, store: Store, write: Write) -> str:
    """A match with deal 1, an objection of each side to it, deal 4, which is withdrawn, and an opponent."""
    for change in (
        AddEntry(deal(82, 65)),
        Object(1, "A", "count"),
        Object(1, "B", "count"),
        AddEntry(deal(90, 57)),
        WithdrawEntry(4),
    ):
        write(match.id, change)
    store.add_grants([Grant("g", match.id, OPPONENT, "B", False, "", "")])
    return match.id


SAID: list[Change] = [
    Agree(1, "B"),
    Object(1, "B", "runs", "three of them"),
    Object(1, "B", "other", totals={"A": 80, "B": 67}),
    WithdrawObjection(3),
    AttachRuling(RULING, 1, objection=3),
]
RECORDED: list[Change] = [
    AddEntry(deal(80, 67)),
    AmendEntry(1, deal(80, 67)),
    WithdrawEntry(1),
    RestoreEntry(4),
    KeepDraft({"type": "deal"}),
    CorrectHead({"place": "Łódź"}),
    Undo(),
    AttachRuling(RULING, 1),
]


@pytest.mark.parametrize("said", SAID, ids=repr)
@pytest.mark.parametrize("recorded", RECORDED, ids=repr)
def test_what_is_said_holds_up_no_recording(
    matches: Matches, id: str, write: Write, recorded: Change, said: Change
) -> None:
    """A form that was opened before somebody agreed, objected or asked is saved as if nothing had been."""
    seen = matches.open(id).seq
    write(id, said, author=OPPONENT)
    assert write(id, recorded, seq=seen).seq == seen + 2


CHANGES_DEAL_1 = (AmendEntry(1, deal(80, 67)), WithdrawEntry(1))


@pytest.mark.parametrize("recorded", [*RECORDED, PutBack()], ids=repr)
@pytest.mark.parametrize("said", SAID, ids=repr)
def test_recording_holds_up_only_what_is_said_of_that_entry(
    matches: Matches, id: str, write: Write, recorded: Change, said: Change
) -> None:
    """Whose entry was put right meanwhile is shown that first; an objection can always be taken back."""
    seen = matches.open(id).seq
    undone = isinstance(recorded, PutBack)
    after = write(id, Undo() if undone else recorded)
    if recorded in CHANGES_DEAL_1 and not isinstance(said, WithdrawObjection):
        with pytest.raises(StaleWrite) as refused:
            write(id, said, author=OPPONENT, seq=seen)
        assert [event.entry for event in refused.value.events] == [1]
    elif recorded in CHANGES_DEAL_1:
        with pytest.raises(NoSuchEntry):  # the correction has ended it
            write(id, said, author=OPPONENT, seq=seen)
    else:
        assert write(id, said, author=OPPONENT, seq=seen).seq == after.seq + 1


def test_a_ruling_comes_to_an_objection_that_was_settled_meanwhile(
    matches: Matches, id: str, write: Write
) -> None:
    """Whoever was asking is shown how it ended; one to another objection is attached all the same."""
    seen = matches.open(id).seq
    write(id, WithdrawObjection(3), author=OPPONENT)
    with pytest.raises(StaleWrite):
        write(id, AttachRuling(RULING, 1, objection=3), seq=seen)
    match = write(id, AttachRuling(RULING, 1, objection=2), seq=seen)
    assert match.remarks.open == ()
    with pytest.raises(StaleWrite):
        write(id, AttachRuling({**RULING, "id": "r2"}, 1, objection=2), seq=seen)


def test_a_ruling_is_on_its_own_entry(id: str, write: Write) -> None:
    """No objection is settled by a ruling that hangs elsewhere, none that there is not, and none twice."""
    write(id, RestoreEntry(4))
    for change in (
        AttachRuling(RULING, 4, objection=3),
        AttachRuling(RULING, None, objection=3),
        AttachRuling(RULING, 1, objection=1),
        AttachRuling(RULING, 1, objection=99),
    ):
        with pytest.raises(NoSuchEntry):
            write(id, change)
    write(id, AttachRuling(RULING, 1, objection=3))
    with pytest.raises(NoSuchEntry):
        write(id, AttachRuling(RULING, 1, objection=3))
    assert write(id, DetachRuling(7)).remarks.open[-1].seq == 3, "taken off, it is open again"
    write(id, AttachRuling(RULING, 1, objection=3))


@pytest.mark.parametrize("said", SAID, ids=repr)
@pytest.mark.parametrize("between", [AddEntry(deal(80, 67)), AmendEntry(1, deal(80, 67)), *SAID], ids=repr)
def test_a_remark_sent_twice_is_made_once(
    matches: Matches, id: str, write: Write, said: Change, between: Change
) -> None:
    """Whatever came between the two taps: the second finds what the first has written."""
    seen = matches.open(id).seq
    first = write(id, said, author=OPPONENT, seq=seen, key="tapped twice")
    try:
        last = write(id, between).seq
    except (NoSuchEntry, StaleWrite):  # it was the same objection
        last = first.seq
    assert write(id, said, author=OPPONENT, seq=seen, key="tapped twice").seq == last
    kinds = [event.kind for event in matches.open(id).events[seen:]]
    assert kinds[0] == first.events[-1].kind
    assert len(kinds) == last - seen


@pytest.mark.parametrize("recorded", RECORDED, ids=repr)
def test_a_form_sent_twice_around_a_remark_is_one_event(
    matches: Matches, id: str, write: Write, recorded: Change
) -> None:
    """The first tap wrote, somebody agreed, the second tap finds what the first wrote."""
    seen = matches.open(id).seq
    first = write(id, recorded, seq=seen, key="tapped twice")
    entry = 1 if first.number(1) else 4
    said = [] if first.number(entry) is None else [write(id, Agree(entry, "B"), author=OPPONENT)]
    assert write(id, recorded, seq=seen, key="tapped twice").seq == first.seq + len(said)


def test_who_has_agreed_need_not_agree_again(id: str, write: Write) -> None:
    """A second yes to the same writes nothing; after a correction, or a no, it is one again."""
    agreed = write(id, Agree(1, "B"), author=OPPONENT)
    assert agreed.remarks.agreed(1) == ("B",)
    assert [objection.side for objection in agreed.remarks.open] == ["A"], (
        "its own objection is taken back by that"
    )
    assert write(id, Agree(1, "B"), author=OPPONENT).seq == agreed.seq
    write(id, AmendEntry(1, deal(80, 67)))
    assert write(id, Agree(1, "B"), author=OPPONENT).remarks.agreed(1) == ("B",)
    write(id, Object(1, "B", "count"), author=OPPONENT)
    assert write(id, Agree(1, "B"), author=OPPONENT).seq == agreed.seq + 4


@pytest.mark.parametrize(
    "said",
    [
        Agree(4, "A"),
        Agree(7, "A"),
        Agree(2, "A"),
        Object(4, "A", "count"),
        Object(0, "A", "count"),
        WithdrawObjection(1),
        WithdrawObjection(99),
    ],
    ids=repr,
)
def test_what_is_not_there_cannot_be_spoken_of(id: str, write: Write, said: Change) -> None:
    with pytest.raises(NoSuchEntry):
        write(id, said)


@pytest.mark.parametrize(
    "said",
    [
        Agree(1, "C"),
        Agree(1, ""),
        Object(1, "C", "count"),
        Object(1, "A", "weather"),
        Object(1, "A", "other", "x" * 301),
        Object(1, "A", "other", "\0"),
        Object(1, "A", "other", "\u200b"),
        Object(1, "A", "count", totals={"A": 1}),
        Object(1, "A", "count", totals={"A": 1, "B": 2, "C": 3}),
        Object(1, "A", "count", totals={"A": 1, "B": -1}),
        Object(1, "A", "count", totals={"A": 1, "B": 10_000}),
        Object(1, "A", "count", totals={"A": 1, "B": "2"}),  # type: ignore[dict-item]
        Object(1, "A", "count", totals={"A": 1, "B": True}),
    ],
    ids=repr,
)
def test_what_makes_no_sense_is_refused(matches: Matches, id: str, write: Write, said: Change) -> None:
    """A side or a reason that there is not, too many words, figures that are none."""
    before = matches.open(id).seq
    with pytest.raises(Unreadable):
        write(id, said)
    assert matches.open(id).seq == before


def test_how_much_can_be_said(id: str, write: Write) -> None:
    """So often by one side of one entry; the other side, another entry, and recording go on."""
    write(id, RestoreEntry(4))
    for n in range(MAX_REMARKS - 1):
        write(id, Object(1, "B", "other", str(n)), author=OPPONENT)
    with pytest.raises(TooMany):
        write(id, Object(1, "B", "other", "once more"), author=OPPONENT)
    with pytest.raises(TooMany):
        write(id, Agree(1, "B"), author=OPPONENT)
    write(id, WithdrawObjection(3), author=OPPONENT)
    write(id, Agree(4, "B"), author=OPPONENT)
    write(id, Agree(1, "A"))
    write(id, AmendEntry(1, deal(80, 67)))


class Beset:
    """A store in which a rival is quicker than whoever appends, for so many times."""

    def __init__(self, store: Store, rival: Callable[[int], object], times: float = 1) -> None:
        self._store, self._rival, self._times, self.met = store, rival, times, 0

    def __getattr__(self, verb: str) -> Any:
        return getattr(self._store, verb)

    def append_event(self, match_id: str, expected_seq: int, event: Event, form_key: str) -> Event:
        if self.met < self._times:
            self.met += 1
            self._rival(self.met)
        return self._store.append_event(match_id, expected_seq, event, form_key)

    def matches(self) -> Matches:
        return Matches(cast(Store, self), "secret")


@pytest.mark.parametrize("recorded", RECORDED, ids=repr)
def test_overtaken_by_a_remark_recording_goes_on(
    matches: Matches, id: str, write: Write, recorded: Change
) -> None:
    """Between looking and writing somebody agrees: the store refuses, and it is written all the same."""
    seen = matches.open(id)
    beset = Beset(matches.store, lambda _time: write(id, Agree(1, "B"), author=OPPONENT))
    after = beset.matches().write(seen, recorded, Submission(ME, seen.seq, "form"))
    assert after.events[seen.seq].kind == "agree"
    assert after.seq == seen.seq + 2


def test_overtaken_by_a_correction_a_remark_is_stale(matches: Matches, id: str, write: Write) -> None:
    """Between looking and agreeing the entry is corrected: nobody has agreed to that."""
    seen = matches.open(id)
    beset = Beset(matches.store, lambda _time: write(id, WithdrawEntry(1)))
    with pytest.raises(StaleWrite):
        beset.matches().write(seen, Agree(1, "B"), Submission(OPPONENT, seen.seq, "yes"))
    assert matches.open(id).seq == seen.seq + 1


@pytest.mark.parametrize("change", [Agree(1, "B"), AddEntry(deal(80, 67)), Undo()], ids=repr)
def test_overtaken_by_its_own_second_tap(matches: Matches, id: str, change: Change) -> None:
    """Two taps in one moment are one event, for a remark as for a deal, also an undo."""
    seen = matches.open(id)
    sent = Submission(ME, seen.seq, "tapped twice")
    beset = Beset(matches.store, lambda _time: matches.write(seen, change, sent))
    assert beset.matches().write(seen, change, sent).seq == seen.seq + 1


def overtake(matches: Matches, id: str) -> Callable[[int], object]:
    """Says another thing of deal 1 each time, in the very moment before another writes."""

    def go(time: int) -> None:
        match = matches.open(id)
        change = Agree(1, "B") if time % 2 else Object(1, "B", "other", f"no. {time}")
        matches.write(match, change, Submission(OPPONENT, match.seq, f"rival {time}"))

    return go


def test_recording_outlasts_many_remarks(matches: Matches, id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.matches.matches._MAX_RETRY_DELAY", 0)
    beset = Beset(matches.store, overtake(matches, id), 30)
    mine = beset.matches()
    match = mine.open(id)
    written = mine.write(match, AddEntry(deal(70, 77)), Submission(ME, match.seq, "one form"))
    assert (beset.met, len(written.log.entries)) == (30, len(match.log.entries) + 1)


def test_whoever_is_always_overtaken_is_refused(matches: Matches, id: str) -> None:
    """Of all that was written since the form was made, not of the last of it alone."""
    mine = Beset(matches.store, overtake(matches, id), float("inf")).matches()
    mine.retry_seconds = 0.2
    match = mine.open(id)
    with pytest.raises(StaleWrite) as refused:
        mine.write(match, AddEntry(deal(70, 77)), Submission(ME, match.seq, "one form"))
    assert refused.value.events == mine.open(id).events[match.seq :]
    assert len(mine.open(id).log.entries) == len(match.log.entries)
