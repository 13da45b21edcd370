"""What a phone recorded without network arrives once, in its order, or says what stands instead."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from flask import Flask

from companion.matches import Agree, Matches
from companion.store import StoreUnavailable
from companion.store.sql import SqlStore
from tests.web.browsers import Browser, known_browser

from .conftest import AT, DEAL, HEAD, Phone, deals, event

ID = "n" * 22
START = {"head": HEAD, "at": AT}
ME, OTHER = "the browser of this test", "somebody else's browser"


@pytest.fixture
def id(client: Browser) -> str:
    """A match that began at the server."""
    return client.start()


def test_a_delivery_is_written_as_it_was_recorded(client: Browser, phone: Phone) -> None:
    """By whom sends it, at the time that it says, and says when it came."""
    id = ID
    assert phone.deliver(id, deals("one", "two"), 0, START) == {"taken": 2, "length": 2}
    undo = event("withdraw", "three", entry=2, undoes=2)
    draft = event("draft", "four", {"type": "deal"}, at="2026-11-20T20:43:00+01:00")
    assert phone.deliver(id, [undo, draft], 2) == {"taken": 2, "length": 4}
    events = client.log(id)
    assert [item.kind for item in events] == ["add", "add", "withdraw", "draft"]
    assert {item.author for item in events} == {ME}
    assert [item.at for item in events] == [AT, AT, AT, "2026-11-20T19:43:00.000+00:00"]
    assert all(item.arrived > item.at for item in events)
    assert "arrived" in phone.browser.get(f"/en/m/{id}/history").text


def test_what_a_phone_saved_as_it_was_arrives_too(client: Browser, phone: Phone) -> None:
    """Its log has the event, and numbers what follows after it."""
    assert phone.deliver(ID, deals("one"), 0, START)["taken"] == 1
    again = event("amend", "two", DEAL, entry=1)
    head = event("head", "three", {"players": HEAD["players"]})
    assert phone.deliver(ID, [again, head, *deals("four")], 1) == {"taken": 3, "length": 4}
    assert [item.kind for item in client.log(ID)] == ["add", "amend", "head", "add"]


def test_a_match_begins_without_network(client: Browser, phone: Phone) -> None:
    """Under the id that the phone gave it; where the answer was lost it is sent again, and is there once."""
    for _attempt in range(2):
        assert phone.deliver(ID, deals("one", "two"), 0, START) == {"taken": 2, "length": 2}
    assert phone.deliver(ID, deals("two", "three"), 1, START) == {"taken": 2, "length": 3}
    assert [item.seq for item in client.log(ID)] == [1, 2, 3]
    assert phone.browser.get(f"/en/m/{ID}").status_code == 200
    [reported] = phone.ask()["matches"]
    assert (reported["id"], reported["created_at"], reported["head"]) == (ID, AT, HEAD)
    assert reported["changed_at"] == reported["events"][-1]["arrived"]


def test_the_address_of_an_erased_match_stays_nobodys(phone: Phone, stranger: Phone) -> None:
    """Whoever knows it from a sheet cannot begin a match there; its owner, whose answer was lost, can."""
    phone.deliver(ID, deals("one"), 0, START)
    for step in ("delete", "erase"):
        assert phone.browser.post(f"/en/m/{ID}/{step}").status_code == 303
    reported = stranger.deliver(ID, deals("theirs"), 0, START, 409)
    assert (reported["taken"], reported["problem"]) == (0, "Another match has this id.")
    assert phone.browser.get(f"/en/m/{ID}").status_code == 404
    assert phone.deliver(ID, deals("one"), 0, START)["taken"] == 1


def test_a_form_that_reached_the_server_and_the_phone_makes_one_match(app: Flask, phone: Phone) -> None:
    """The phone makes the id that the server made, for it was told what ids are made of."""
    with app.app_context():
        server: Matches = app.extensions["matches"]
        made = server.start(HEAD, ME, "form")
    own = Matches(SqlStore(), seed=phone.ask()["seed"])
    assert own.make_id("whatever the phone calls itself", "form") == made
    assert phone.deliver(made, deals("one"), 0, START)["taken"] == 1
    assert [item["id"] for item in phone.ask()["matches"]] == [made]


def test_an_opening_from_paper_arrives(phone: Phone) -> None:
    """The first entry of a match that was taken over from paper has a key by its number."""
    opening = {"type": "opening", "totals": {"A": 120, "B": 80}}
    reported = phone.deliver(ID, [event("add", f"{ID}-1", opening), *deals("two")], 0, START)
    assert reported == {"taken": 2, "length": 2}


REFUSED = [
    (event(["add"], "k"), "events[2].kind: must be one of"),  # type: ignore[arg-type]
    (event("add", "k", {**DEAL, "dealer": "B"}), "Ewa deals here, not Jan."),
    (event("add", "k", {**DEAL, "totals": {"A": 82}}), "totals.B: required"),
    (event("add", "k", DEAL, author="somebody"), "events[2].author: unknown key"),
    (event("add", "", DEAL), "events[2].key: must be a text"),
    (event("add", "k" * 65, DEAL), "events[2].key: must be a text"),
    (event("add", 5, DEAL), "events[2].key: must be a text"),
    (event("add", ["k"], DEAL), "events[2].key: must be a text"),
    (event("add", "k\ud800", DEAL), "events[2].key: must be a text"),
    (event("add", "k", DEAL, at="yesterday"), "events[2].at: must be a time"),
    (event("add", "k", DEAL, at="0001-01-01T00:00:00+14:00"), "events[2].at: must be a time"),
    (event("add", "k", DEAL, at=""), "events[2].at: must be a text"),
    (event("add", "k", DEAL, at=None), "events[2].at: must be a text"),
    (event("restore", "k", entry=1), "no longer counts"),
    (event("agree", "k", {"side": "A"}, entry=1), "events[2]: must be something that is left"),
    ("add", "events[2]: must be an object"),
    ({"kind": "add"}, "events[2].at: required"),
    (None, "events[2]: must be an object"),
]


@pytest.mark.parametrize(("wrong", "problem"), REFUSED)
def test_what_is_wrong_leaves_what_was_before_it(
    client: Browser, phone: Phone, id: str, wrong: Any, problem: str
) -> None:
    """Everything before it is taken, it and what follows is not, and that is said exactly."""
    events = [*deals("one"), event("agree", "two", {"side": "A"}, entry=1), wrong, *deals("four")]
    reported = phone.deliver(id, events, status=422)
    assert (reported["taken"], reported["length"]) == (2, 2)
    assert problem in reported["problem"]
    assert [item.kind for item in client.log(id)] == ["add", "agree"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"expected": -1}, "expected: must be a whole number from 0"),
        ({"expected": True}, "expected: must be"),
        ({"expected": 10**30}, "expected: must be"),
        ({"expected": "0"}, "expected: must be"),
        ({"events": {}}, "events: must be a list"),
        ({"events": [{}] * 501}, "events: must be a list of 0 to 500 items"),
        ({"start": 5}, "start: must be an object"),
        ({"start": {"head": HEAD}}, "start.at: required"),
        ({"start": {"head": [], "at": AT}}, "start.head: must be an object"),
        ({"start": {"head": None, "at": AT}}, "start.head: must be an object"),
        ({"start": {"head": 5, "at": AT}}, "start.head: must be an object"),
        ({"start": {"head": {**HEAD, "score": 5}, "at": AT}}, "score"),
        ({"start": {"head": {**HEAD, "players": ["Ewa"]}, "at": AT}}, "players"),
        ({"start": {"head": {**HEAD, "players": ["Ewa", "Ewa\u200b"]}, "at": AT}}, "players"),
        ({"start": {"head": {**HEAD, "game": "x"}, "at": AT}}, "game"),
        ({"start": {**START, "id": "x"}}, "start.id: unknown key"),
        ({"more": 1}, "more: unknown key"),
    ],
)
def test_what_is_no_delivery_says_why(phone: Phone, change: dict[str, Any], problem: str) -> None:
    body = {"version": phone.version, "expected": 0, "events": [], "start": START} | change
    answer = phone.send(f"matches/{ID}/events", body)
    assert (answer.status_code, answer.get_json()["taken"]) == (422, 0)
    assert problem in answer.get_json()["problem"]
    assert phone.ask()["matches"] == []


def test_what_others_wrote_meanwhile_is_told(
    phone: Phone, stranger: Phone, id: str, join: Callable[..., None]
) -> None:
    """What stands instead, from the first place that is taken; the phone knows its own by their keys."""
    join(id, OTHER, "pencil")
    phone.deliver(id, deals("one"))
    stranger.deliver(id, deals("theirs"), 1)
    reported = phone.deliver(id, deals("one", "two"), status=409)
    assert (reported["taken"], reported["length"]) == (1, 2)
    [theirs] = reported["stands"]
    assert theirs["key"] == f"{id}-2"
    assert theirs["author"] == stranger.ask()["me"] != phone.ask()["me"]
    assert (theirs["kind"], theirs["payload"]) == ("add", DEAL)
    assert phone.deliver(id, deals("two"), 2) == {"taken": 1, "length": 3}
    again = phone.deliver(id, deals("one", "two"), status=409)
    assert (again["taken"], [item["key"] for item in again["stands"]]) == (1, [f"{id}-2", "two"])


def test_a_form_that_was_filled_in_otherwise_is_not_taken_for_the_same(phone: Phone, id: str) -> None:
    """What stands by its key is told, and in a sentence that it is something else."""
    phone.deliver(id, deals("one", "two"))
    other = event("add", "two", {**DEAL, "totals": {"A": 100, "B": 47}})
    reported = phone.deliver(id, [*deals("one"), other, *deals("three")], status=409)
    assert (reported["taken"], reported["length"]) == (1, 2)
    assert [(item["key"], item["payload"]) for item in reported["stands"]] == [("two", DEAL)]
    assert reported["problem"].startswith("This was sent before with other content")


def test_what_is_said_of_entries_stands_in_the_way_as_well(client: Browser, phone: Phone, id: str) -> None:
    """For the numbers behind it are others; nothing is written out of place."""
    phone.deliver(id, deals("one"))
    client.change(id, Agree(1, "B"))
    reported = phone.deliver(id, deals("two"), 1, status=409)
    assert (reported["taken"], reported["length"], reported["stands"][0]["kind"]) == (0, 2, "agree")


def test_a_server_that_was_put_back_says_how_much_it_has(phone: Phone, id: str) -> None:
    phone.deliver(id, deals("one"))
    for events in ([], deals("five")):
        assert phone.deliver(id, events, 4, status=409) == {"taken": 0, "length": 1, "stands": []}


def test_a_database_that_does_not_answer(
    client: Browser, phone: Phone, id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was taken before is said; the rest comes again, and is there once."""
    append, count = SqlStore.append_event, [0]

    def fail(*arguments: Any) -> Any:
        count[0] += 1
        if count[0] == 3:
            raise StoreUnavailable("busy", "for this test")
        return append(*arguments)

    monkeypatch.setattr(SqlStore, "append_event", fail)
    reported = phone.deliver(id, deals("one", "two", "three", "four"), status=503)
    assert (reported["taken"], reported["length"]) == (2, 2)
    assert phone.deliver(id, deals("one", "two", "three", "four")) == {"taken": 4, "length": 4}
    assert len(client.log(id)) == 4


def test_the_same_delivery_many_times_at_once(client: Browser, app: Flask, id: str) -> None:
    """Each answer says what stands there, and everything stands there once."""
    events: list[Any] = []
    for n in range(1, 5):
        events += deals(f"deal {n}")
        events.append(event("draft", f"draft {n}", {"type": "deal", "n": str(n)}))
    events += [event("withdraw", "undo", entry=7, undoes=7), event("restore", "back", entry=7, undoes=9)]
    ready = Barrier(6)

    def deliver(_number: int) -> dict[str, Any]:
        phone = Phone(app, known_browser(app, ME))
        ready.wait()
        return phone.deliver(id, events)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(deliver, range(6)))
    assert answers == [{"taken": 10, "length": 10}] * 6
    assert [item.kind for item in client.log(id)] == ["add", "draft"] * 4 + ["withdraw", "restore"]


def test_two_phones_at_once_never_mix(
    client: Browser, app: Flask, id: str, join: Callable[..., None]
) -> None:
    """Two deliveries for one place: what is acknowledged stands where it was said, the rest comes again."""
    join(id, OTHER, "pencil")
    ready = Barrier(2)

    def bring(token: str) -> None:
        phone = Phone(app, known_browser(app, token))
        waiting, expected = [event("draft", f"{token} {n}", {}) for n in range(6)], 0
        ready.wait()
        while waiting:
            body = {"version": phone.version, "expected": expected, "events": waiting}
            answer = phone.send(f"matches/{id}/events", body)
            reported = answer.get_json()
            assert answer.status_code in (200, 409), reported
            stands = [item["key"] for item in reported.get("stands", ())]
            waiting = [item for item in waiting[reported["taken"] :] if item["key"] not in stands]
            expected += reported["taken"] + len(stands)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(bring, (ME, OTHER)))
    events = client.log(id)
    assert [item.seq for item in events] == list(range(1, 13))
    assert sorted(item.author for item in events) == sorted([ME, OTHER] * 6)
