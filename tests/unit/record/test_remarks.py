"""What players say of entries: it never changes a score, and what becomes of it follows from the log."""

from dataclasses import replace
from typing import Any

import pytest
from histories import (
    attached_rulings,
    current_head,
    last_draft,
    logged_entries,
    logs,
    put_back_event,
    undo_event,
    undone_changes,
)
from hypothesis import given

from companion.record.log import Event
from companion.record.remarks import REMARKS, Objection, Remarks, read_remarks

CONTENTS = [{"n": 0}, {"n": 1}, {"n": 2}]


def content(log: list[Event], id: int) -> Any:
    """What an entry says and whether it counts, after these events; the plainest way to find it out."""
    found = [entry for entry in logged_entries(log) if entry.id == id]
    return (found[0].payload, found[0].withdrawn) if found else None


# --- laws ----------------------------------------------------------------------------------------


@given(logs(CONTENTS, 30, "amwrupdnt" + "gos" * 3))
def test_remarks_change_nothing(log: list[Event]) -> None:
    """Entries, head, draft, rulings, and what undo and put back would do, are what they are without them."""
    bare = [event for event in log if event.kind not in REMARKS]
    assert [(entry.id, entry.payload, entry.withdrawn, entry.events) for entry in logged_entries(log)] == [
        (entry.id, entry.payload, entry.withdrawn, entry.events) for entry in logged_entries(bare)
    ]
    for ask in (undo_event, put_back_event, undone_changes, last_draft, attached_rulings):
        assert ask(log) == ask(bare), ask.__name__
    assert current_head(log, {}) == current_head(bare, {})


@given(logs(CONTENTS, 30, "amwrupdnt" + "gos" * 3))
def test_an_agreement_holds_as_long_as_the_entry_says_what_was_agreed_to(log: list[Event]) -> None:
    """And as long as the side has not objected to just that since; there is one of each side and entry."""
    found = {(agreement.entry, agreement.side): agreement for agreement in read_remarks(log).agreements}
    assert len(found) == len(read_remarks(log).agreements)
    said = [event for event in log if event.kind == "agree"]
    assert {*found} == {(event.entry, event.payload["side"]) for event in said}
    for (id, side), value in found.items():
        last = [event for event in said if (event.entry, event.payload["side"]) == (id, side)][-1]
        assert value.seq == last.seq
        agreed = content(log[: last.seq], id)
        objected = any(
            event.kind == "object"
            and event.payload["side"] == side
            and content(log[: event.seq], id) == agreed
            for event in log[last.seq :]
            if event.kind == "object" and event.entry == id
        )
        assert value.holds == (content(log, id) == agreed and not objected)


@given(logs(CONTENTS, 30, "amwrupdnt" + "gos" * 3))
def test_every_objection_is_open_or_has_one_end(log: list[Event]) -> None:
    """An end is by an event that came later, and of the kind that it says; undone it is none."""
    remarks = read_remarks(log)
    assert [objection.seq for objection in remarks.objections] == [
        event.seq for event in log if event.kind == "object"
    ]
    assert remarks.open == tuple(objection for objection in remarks.objections if objection.settled is None)
    for objection in remarks.objections:
        differs = content(log, objection.entry) != content(log[: objection.seq], objection.entry)
        rulings = [
            event for event in attached_rulings(log) if event.payload.get("objection") == objection.seq
        ]
        taken_back = [
            event
            for event in log[objection.seq :]
            if (event.kind == "settle" and event.payload["objection"] == objection.seq)
            or (
                event.kind == "agree"
                and event.entry == objection.entry
                and event.payload["side"] == objection.side
            )
        ]
        end = objection.settled
        if end is None:
            assert not (differs or rulings or taken_back and _stayed(log, objection, taken_back[0])), (
                objection
            )
            continue
        assert end.event.seq > objection.seq
        assert end.event in log
        match end.how:
            case "amended":
                assert differs
                assert end.event.kind in ("amend", "withdraw", "restore")
                assert end.event.entry == objection.entry
            case "ruled":
                assert end.event in rulings
            case "withdrawn":
                assert end.event in taken_back


def _stayed(log: list[Event], doubt: Objection, end: Event) -> bool:
    """Whether the entry still said what was objected to when the objection was taken back."""
    return bool(content(log[: end.seq], doubt.entry) == content(log[: doubt.seq], doubt.entry))


@given(logs(CONTENTS, 30, "amwrupdnt" + "gos" * 3))
def test_a_remark_is_told_as_it_was_made(log: list[Event]) -> None:
    """Whose it is, when, and in which words: what came of it changes nothing about that."""
    for objection in read_remarks(log).objections:
        event = log[objection.seq - 1]
        assert (objection.entry, objection.author, objection.at) == (event.entry, event.author, event.at)
        said = {"side": objection.side, "reason": objection.reason, "text": objection.text}
        assert said == {name: event.payload.get(name, "") for name in said}


@given(logs(CONTENTS, 30, "amwrupdnt" + "gos" * 3))
def test_remarks_of_one_entry_know_no_other(log: list[Event]) -> None:
    """Read from the log without the changes and remarks of other entries they are the same."""
    whole = read_remarks(log)
    for id in {entry.id for entry in logged_entries(log)}:
        about = [event for event in log if event.entry in (id, None) or event.kind == "ruling"]
        about = [event for event in about if event.kind != "add" or event.seq == id]
        assert read_remarks(about).of_entry(id) == whole.of_entry(id)


# --- cases ---------------------------------------------------------------------------------------

DEAL, OTHER = {"n": 1}, {"n": 2}


def stated(*events: Event) -> Remarks:
    """The remarks after one deal and these events, numbered from 2."""
    log = [Event(1, "add", payload=DEAL), *(replace(event, seq=n) for n, event in enumerate(events, 2))]
    return read_remarks(log)


def yes(side: str = "B") -> Event:
    return Event(0, "agree", 1, {"side": side})


def no(side: str = "B") -> Event:
    return Event(0, "object", 1, {"side": side, "reason": "count"})


def amend(payload: dict[str, Any] = OTHER) -> Event:
    return Event(0, "amend", 1, payload)


@pytest.mark.parametrize(
    ("events", "how", "by"),
    [
        ((), None, None),
        ((amend(),), "amended", 3),
        ((amend(DEAL),), None, None),
        ((amend(), amend(DEAL)), None, None),
        ((amend(), amend(DEAL), amend()), "amended", 5),
        ((amend(), amend({"n": 3})), "amended", 3),
        ((Event(0, "withdraw", 1),), "amended", 3),
        ((Event(0, "settle", 1, {"objection": 2}),), "withdrawn", 3),
        ((yes(),), "withdrawn", 3),
        ((yes("A"),), None, None),
        ((Event(0, "settle", 1, {"objection": 2}), amend()), "withdrawn", 3),
        ((Event(0, "ruling", 1, {"objection": 2}),), "ruled", 3),
        ((Event(0, "ruling", 1, {"objection": 2}), amend()), "ruled", 3),
        ((Event(0, "ruling", 1, {"objection": 2}), Event(0, "ruling", undoes=3)), None, None),
        ((Event(0, "ruling", 1, {"objection": 2}), Event(0, "ruling", undoes=3), amend()), "amended", 5),
        ((Event(0, "ruling", 1, {}),), None, None),
        ((Event(0, "ruling", None, {"objection": 9}),), None, None),
    ],
)
def test_how_an_objection_ends(events: tuple[Event, ...], how: str | None, by: int | None) -> None:
    """By the first that ends it and holds: a correction, a ruling on it, or its own side taking it back."""
    end = stated(no(), *events).objections[0].settled
    assert (end.how if end else None, end.event.seq if end else None) == (how, by)


def test_a_log_without_remarks_has_none() -> None:
    assert stated(amend()) == Remarks()
