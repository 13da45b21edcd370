"""The history in a record: read as what it comes to, and refused where it cannot be, with the place."""

import json
from typing import Any

import pytest
from derda import DEAL, HEAD

from companion import library
from companion.record.log import MAX_EVENTS, Event
from companion.record.portable_log import PortableLog, write_log
from companion.record.record import Record, read_log, read_record
from companion.rules.errors import Unreadable

BETTER = DEAL | {"totals": {"A": 85, "B": 62}}
SAID = {"question": "Whose?", "verdict": "Ewa’s", "rules": ["derda.deal.next"]}
RULING = {"id": "r" * 22, **SAID, "objection": 4}
AT = "2026-11-20T19:10:00+00:00"
RULED = {"id": "r" * 22, "at": AT, "content": {}}
DEEP: Any = []
for _level in range(40):
    DEEP = [DEEP]
EVENTS = (
    Event(1, "add", payload=DEAL, author="me", at=AT),
    Event(2, "amend", 1, BETTER, "jan", AT),
    Event(3, "agree", 1, {"side": "A"}, "me", AT),
    Event(4, "object", 1, {"side": "B", "reason": "count"}, "jan", AT),
    Event(5, "head", payload={"players": ["Ewa", "Łucja"], "place": None}, author="me"),
    Event(6, "add", payload=DEAL, at=AT, arrived="2026-11-21T08:00:00+00:00"),
    Event(7, "withdraw", 6, undoes=6),
    Event(8, "ruling", 1, RULING, "jan", AT),
    Event(9, "ruling", undoes=8),
    Event(10, "settle", 1, {"objection": 4}, "jan", AT),
    Event(11, "draft", payload={"type": "deal", "turn_up": "9H"}),
    Event(12, "draft"),
)


@pytest.fixture
def document() -> dict[str, Any]:
    log = write_log(PortableLog(HEAD | {"place": "Łódź"}, AT, "1", EVENTS))
    said: list[dict[str, Any]] = [
        {"entry": 1, "by": "A", "kind": "agree", "at": AT},
        {"entry": 1, "by": "B", "kind": "object", "reason": "count", "at": AT},
        {"entry": 1, "by": "B", "kind": "settled", "how": "withdrawn", "at": AT},
    ]
    document: dict[str, Any] = {"format": "companion-match", "version": 1, **HEAD}
    document |= {"players": ["Ewa", "Łucja"], "entries": [BETTER], "remarks": said, "log": log}
    copied: dict[str, Any] = json.loads(json.dumps(document))
    return copied


def read(document: dict[str, Any]) -> Record:
    return read_record(document, library.open_game)[0]


def test_a_record_is_read_as_what_its_history_comes_to(document: dict[str, Any]) -> None:
    """Entries and remarks may be left out, and are the same."""
    record = read(document)
    assert record.entries == (BETTER,)
    assert [remark.kind for remark in record.remarks] == ["agree", "object", "settled"]
    for key in ("entries", "remarks"):
        del document[key]
    assert read(document) == record


def test_a_history_is_written_as_it_was_read(document: dict[str, Any]) -> None:
    log = read_log(document)
    assert log is not None
    assert write_log(log) == document["log"]
    assert [event.arrived for event in log.events if event.arrived] == ["2026-11-21T08:00:00+00:00"]
    letters = ["a", "b", "a", "b", "a", "", "", "b", "", "b", "", ""]
    assert [event.author for event in log.events] == letters
    assert (log.begun_at, log.rulebook, log.head["place"]) == (AT, "1", "Łódź")
    assert read_log({}) is None


def change(document: dict[str, Any], path: str, value: Any) -> None:
    """Put a value at a path of a document; None takes out what is there."""
    names = path.replace("[", ".").replace("]", "").split(".")
    *steps, last = [int(name) if name.isdigit() else name for name in names]
    place: Any = document
    for step in steps:
        place = place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value


REFUSED = [
    # what differs from the history
    ("entries[0].totals.A", 84, "entries[0].totals.A: must be what the log comes to, not 84"),
    ("entries[0].note", "x", 'entries[0].note: must be what the log comes to, not "x"'),
    ("entries", [BETTER, BETTER], "entries: must be what the log comes to: 1 items, not "),
    ("entries", [], "entries: must be what the log comes to: 1 items, not []"),
    ("remarks[0].by", "B", 'remarks[0].by: must be what the log comes to, not "B"'),
    ("remarks", [], "remarks: must be what the log comes to: 3 items, not []"),
    ("players[1]", "Jan", 'players[1]: must be what the log comes to, not "Jan"'),
    ("place", "Łódź", 'place: must be what the log comes to, not "Łódź"'),
    ("first_dealer", None, "first_dealer: required, as the log has it"),
    # what is no history
    ("log", {}, f"log: must be a list of 1 to {MAX_EVENTS + 1} events, not {{}}"),
    ("log", [], f"log: must be a list of 1 to {MAX_EVENTS + 1} events, not []"),
    ("log", [None] * (MAX_EVENTS + 2), f"log: must be a list of 1 to {MAX_EVENTS + 1} events, not [null, "),
    ("log[0]", 5, "log[0]: must be an object, not 5"),
    ("log[0].n", 1, "log[0].n: must be 0, not 1"),
    ("log[0].n", False, "log[0].n: must be 0, not false"),
    ("log[0].kind", "add", 'log[0].kind: must be begin, not "add"'),
    ("log[0].at", None, "log[0].at: required"),
    ("log[0].at", "yesterday", 'log[0].at: must be a time such as 2026-11-20T19:05:00+01:00, '),
    ("log[0].at", "2026-11-20T19:05:00", "log[0].at: must be a time such as "),
    ("log[0].payload", [], "log[0].payload: must be an object, not []"),
    ("log[0].payload.players", None, "log[0].payload.players: required"),
    ("log[0].payload.score", 5, "log[0].payload.score: unknown key; known keys are game, "),
    ("log[0].author", "a", "log[0].author: unknown key; known keys are n, kind, at, rulebook, payload"),
    ("log[1]", "add", 'log[1]: must be an object, not "add"'),
    ("log[1].n", 2, "log[1].n: must be 1, not 2"),
    ("log[1].kind", "begin", 'log[1].kind: must be one of add, amend, '),
    ("log[1].kind", ["add"], "log[1].kind: must be one of add, amend, "),
    ("log[1].token", "x", "log[1].token: unknown key; known keys are n, kind, entry, payload, "),
    ("log[1].author", "Ewa", 'log[1].author: must be a letter for each phone, such as a, not "Ewa"'),
    ("log[6].arrived", "late", "log[6].arrived: must be a time such as "),
    ("log[1].at", 5, "log[1].at: must be a text of 0 to 32 characters, not 5"),
    ("log[1].payload", None, "log[1].payload: required"),
    ("log[1].payload", [], "log[1].payload: must be an object, not []"),
    ("log[1].payload.totals.A", "many", "log[1].payload.totals.A: must be a whole number "),
    ("log[1].entry", 1, "log[1].entry: must be the number of an earlier event, not 1"),
    ("log[2].entry", None, "log[2].entry: required"),
    ("log[2].entry", True, "log[2].entry: must be the number of an earlier event, not true"),
    ("log[3].entry", 2, "log[3].entry: must be the number of an event that added an entry, not 2"),
    ("log[3].payload.side", "C", 'log[3].payload.side: must be one of A, B, not "C"'),
    ("log[3].payload.text", "x", "log[3].payload.text: unknown key; known keys are side"),
    ("log[4].payload.reason", "mood", "log[4].payload.reason: must be one of count, "),
    ("log[5].payload.game", "bulka", "log[5].payload.game: unknown key; known keys are players, "),
    ("log[5].payload.players", ["Ewa"], "log[5].payload.players: must be a list of 2 to 2 items, not "),
    ("log[5].payload.place", 5, "log[5].payload.place: must be a text of 1 to 200 characters, not 5"),
    ("log[7].payload", {}, "log[7].payload: must be left out in an event of the kind withdraw, not {}"),
    ("log[7].undoes", 1, "log[7].undoes: must be the number of an earlier change of the same entry, not 1"),
    ("log[7].undoes", 9, "log[7].undoes: must be the number of an earlier event, not 9"),
    ("log[8].payload", None, "log[8].payload: required"),
    ("log[8].payload.verdict", None, "log[8].payload.verdict: required"),
    ("log[8].payload.rules", "x", 'log[8].payload.rules: must be a list of rule ids, not "x"'),
    ("log[8].payload.rules[0]", 5, "log[8].payload.rules[0]: must be a text of 1 to 80 characters, not 5"),
    ("log[8].payload.objection", 9, "log[8].payload.objection: must be the number of an earlier event"),
    ("log[9].undoes", 1, "log[9].undoes: must be the number of the event that attached the ruling, not 1"),
    ("log[10].payload.objection", 3, "log[10].payload.objection: must be the number of an objection "),
    # what goes along
    ("log[11].payload.x", "\ud800", "log[11].payload.x: must be a text of valid Unicode characters"),
    ("log[11].payload.x", DEEP, "log[11].payload.x"),
    ("rulings", [RULED | {"content": {"x": ["\0"]}}], "rulings[0].content.x[0]: must be a text without "),
    ("rulings", [RULED | {"content": {"x\ud800": 1}}], "rulings[0].content: must be a text of valid Unicode"),
    ("rulings", {}, "rulings: must be a list of 0 to 1000 items"),
    ("rulings", [{"id": "x"}], "rulings[0].at: required"),
    ("rulings", [{"id": "x", "at": "y", "content": {}}], 'rulings[0].id: must be the id of a saved ruling'),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "problem"), REFUSED)
def test_what_cannot_be_is_refused_with_its_place(
    document: dict[str, Any], path: str, value: Any, problem: str
) -> None:
    change(document, path, value)
    with pytest.raises(Unreadable) as refused:
        read(document)
    assert str(refused.value).startswith(problem)


def test_a_name_that_nobody_can_see_is_refused_in_a_history_too(document: dict[str, Any]) -> None:
    document["log"][1]["payload"]["note"] = "\u202eabc"
    del document["entries"]
    with pytest.raises(Unreadable, match=r"log\[1\]\.payload\.note"):
        read(document)
