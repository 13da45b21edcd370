"""Who may bring what to the server, from where, and how much of it."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.web.browsers import Browser, known_browser

from .conftest import AT, HEAD, OURS, Phone, deals, event

ID = "n" * 22
START = {"head": HEAD, "at": AT}
OTHER = "somebody else's browser"


@pytest.fixture
def id(client: Browser) -> str:
    """A match that began at the server."""
    return client.start()


def test_only_those_write_who_may(
    client: Browser, phone: Phone, stranger: Phone, id: str, join: Callable[..., None]
) -> None:
    """As on pages: a stranger nothing, a side what it says, and whoever has the pencil everything."""
    phone.deliver(id, deals("one"))
    says = [event("object", "s", {"side": "B", "reason": "count"}, entry=1)]
    for events in (deals("two"), says):
        refused = stranger.deliver(id, events, 1, status=403)
        assert (refused["taken"], refused["length"]) == (0, 1)
    # Nor is a stranger told what stands there instead, for that says who wrote it.
    assert "stands" not in stranger.deliver(id, deals("two"), 0, status=403)
    join(id, OTHER, "opponent", "B")
    assert stranger.deliver(id, says, 1) == {"taken": 1, "length": 2}
    for other in (event("object", "t", {"side": "A", "reason": "count"}, entry=1), *deals("two")):
        assert stranger.deliver(id, [other], 2, status=403)["taken"] == 0
    back = [event("settle", "u", {"objection": 2}, entry=1), *deals("two")]
    refused = stranger.deliver(id, back, 2, status=403)
    assert (refused["taken"], refused["length"]) == (1, 3)
    join(id, OTHER, "pencil")
    assert stranger.deliver(id, deals("two"), 3) == {"taken": 1, "length": 4}
    assert [item.author == OTHER for item in client.log(id)] == [False, True, True, True]


def test_a_match_that_is_gone(phone: Phone, stranger: Phone, id: str) -> None:
    """410 for whoever took part, so that the phone says so; 404 for all others, and for what never was."""
    assert phone.deliver("x" * 22, deals("one"), status=404)["taken"] == 0
    for strange in ("x", "new", "x" * 23, "x" * 21 + "."):
        assert phone.deliver(strange, [], 0, START, status=404)["taken"] == 0
    assert phone.browser.post(f"/en/m/{id}/delete").status_code == 303
    for start in (None, START):
        assert phone.deliver(id, deals("one"), 0, start, status=410)["taken"] == 0
        assert stranger.deliver(id, deals("one"), 0, start, status=404)["taken"] == 0


def test_an_id_that_is_taken(client: Browser, phone: Phone, stranger: Phone) -> None:
    """Of the other owner's match nothing is told, and nothing changes in it."""
    phone.deliver(ID, deals("one"), 0, START)
    reported = stranger.deliver(ID, deals("two"), 1, START, status=409)
    assert (reported["taken"], reported["length"], reported["stands"]) == (0, 0, [])
    assert len(client.log(ID)) == 1


def test_a_phone_of_another_version_has_to_be_brought_up_to_date(phone: Phone, id: str) -> None:
    for path, body in (
        (f"matches/{id}/events", {"version": "older", "expected": 0, "events": deals("one")}),
        ("rulings", {"version": "older", "rulings": []}),
    ):
        answer = phone.send(path, body)
        assert (answer.status_code, answer.get_json()["version"]) == (426, phone.version)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Pocket": "1"},
        {"Origin": "http://localhost"},
        {"X-Pocket": "1", "Origin": "https://elsewhere.example"},
        {"X-Pocket": "1", "Referer": "https://elsewhere.example/x"},
        {"X-Pocket": "1", "Origin": "null"},
        {"X-Pocket": "2", "Origin": "http://localhost"},
    ],
)
def test_other_sites_are_kept_out(phone: Phone, id: str, headers: dict[str, str]) -> None:
    """Whatever a browser can be made to send: it says where a request comes from, and none can say this."""
    for path in (f"matches/{id}/events", "news", "rulings"):
        answer = phone.send(path, {"version": phone.version, "have": {}}, headers)
        assert answer.status_code == 403
        assert set(answer.get_json()) == {"problem"}
        assert "Set-Cookie" not in answer.headers


def test_a_page_of_ours_may_ask_by_its_address_alone(phone: Phone) -> None:
    headers = {"X-Pocket": "1", "Referer": "http://localhost/en/"}
    answer = phone.send("news", {"version": phone.version, "have": {}}, headers)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")


def test_nobody_delivers_nothing(app: Flask, id: str) -> None:
    """A browser that is not known has recorded nothing that anybody could take."""
    nobody = Phone(app, app.test_client())
    assert nobody.deliver(id, deals("one"), status=401)
    assert nobody.send("rulings", {"version": nobody.version, "rulings": []}).status_code == 401


def test_nobody_delivers_as_another(client: Browser, phone: Phone, id: str) -> None:
    """What was recorded by whom this browser was before, it keeps until it is that one again."""
    mine = phone.ask()["me"]
    body = {"version": phone.version, "expected": 0, "events": deals("one")}
    before = OURS | {"X-Browser": "0123456789ab"}
    for path, sent in (
        (f"matches/{id}/events", body),
        (f"matches/{ID}/events", body | {"start": START}),
        ("rulings", {"version": phone.version, "rulings": []}),
    ):
        assert phone.send(path, sent, before).status_code == 401
        assert phone.send(path, sent, OURS | {"X-Browser": mine}).status_code == 200
    assert len(client.log(id)) == len(client.log(ID)) == 1
    assert phone.send("news", {"version": phone.version, "have": {}}, before).get_json()["me"] == mine


def test_what_is_too_large_is_refused_at_once(phone: Phone, id: str) -> None:
    reported = phone.deliver(id, [event("draft", "k", {"a": "x" * 1_000_000})], status=413)
    assert (reported["taken"], reported["problem"]) == (0, "At most 1 MB can be sent at once.")


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b"\xff", b'{"version": 1e999}', b"[" * 100_000, b'{"version": NaN}']
)
def test_what_is_no_json_is_refused(phone: Phone, data: bytes) -> None:
    for path in (f"matches/{ID}/events", "news", "rulings"):
        answer = phone.browser.post(f"/offline/{path}", data=data, headers=OURS)
        assert answer.status_code == 422, answer.text
        assert answer.get_json()["problem"]


def test_saved_rulings_arrive_once(phone: Phone, stranger: Phone) -> None:
    """Up to the first that is none; nobody saves over another's."""
    good = [{"id": letter * 22, "at": AT, "content": {"asked": "Whose?"}} for letter in "ab"]

    def send(phone: Phone, *rulings: Any) -> tuple[int, Any]:
        answer = phone.send("rulings", {"version": phone.version, "rulings": list(rulings)})
        return answer.status_code, answer.get_json()["taken"]

    assert send(phone, *good) == send(phone, *good) == (200, 2)
    changed = {**good[0], "content": {"asked": "Mine?"}}
    assert send(phone, changed) == (200, 1)
    assert [item["content"] for item in phone.ask()["rulings"]] == [{"asked": "Whose?"}] * 2
    assert send(stranger, changed) == (422, 0)
    fresh = {**good[0], "id": "d" * 22}
    for wrong in (
        {**good[0], "id": "short"},
        {**good[0], "id": "c" * 30},
        {**good[0], "at": "now"},
        {**good[0], "content": {"a": "\ud800"}},
        {**good[0], "owner": "x"},
        None,
    ):
        assert send(phone, fresh, wrong, {**fresh, "id": "e" * 22}) == (422, 1)
    assert [item["id"] for item in phone.ask()["rulings"]] == ["a" * 22, "b" * 22, "d" * 22]
    late = {**good[0], "id": "f" * 22, "at": "2031-01-01T00:00:00.000+00:00"}
    assert send(phone, late) == (200, 1)
    assert phone.ask()["rulings"][-1]["at"] < late["at"]


def count_for(app: Flask) -> Phone:
    """A phone of which nothing was counted yet."""
    app.extensions["counts"].reset()
    return Phone(app, known_browser(app, "a phone"))


def test_a_phone_that_comes_back_passes_and_a_flood_does_not(make_app: Callable[..., Flask]) -> None:
    """Three hundred events at once are nothing strange; thousands have to wait, and are not lost by that."""
    phone = count_for(make_app(LIMITS="on"))
    drafts = [event("draft", f"form {n}", {"type": "deal"}) for n in range(300)]
    assert phone.deliver(ID, drafts, 0, START) == {"taken": 300, "length": 300}
    for _again in range(3):  # what is there is no flood
        assert phone.deliver(ID, drafts, 0, START)["taken"] == 300
    strange = [event("draft", f"strange {n}", {}) for n in range(500)]
    assert [phone.deliver(ID, strange, 5000, status=409)["taken"] for _twice in range(2)] == [0, 0]
    answer = phone.send(
        f"matches/{ID}/events", {"version": phone.version, "expected": 5000, "events": strange}
    )
    assert answer.status_code == 429
    assert "at most 1500 from one browser" in answer.get_json()["problem"]
    assert int(answer.headers["Retry-After"]) > 0


def test_new_matches_of_a_phone_are_counted_like_others(make_app: Callable[..., Flask]) -> None:
    phone = count_for(make_app(LIMITS="on"))
    for n in range(60):
        phone.deliver(f"{n:022}", [], 0, START)
    assert "New matches: at most 60" in phone.deliver(f"{60:022}", [], 0, START, status=429)["problem"]
