"""What a phone learns from the server: what it has not, and nothing that is not its."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from companion.matches import AddEntry, Matches
from companion.web.offline import news
from tests.web.browsers import Browser, known_browser
from tests.web.conftest import FOR_TESTS

from .conftest import AT, DEAL, HEAD, OURS, Phone, deals, event

ME, OTHER = "the browser of this test", "somebody else's browser"
START = {"head": HEAD, "at": AT}


def has(reported: dict[str, Any], before: dict[str, Any] | None = None) -> dict[str, Any]:
    """What a phone has after these news."""
    have = dict(before or {})
    for item in reported["matches"]:
        have[item["id"]] = [item["from"] + len(item["events"]), item["access"]]
    return {id: value for id, value in have.items() if id not in reported["gone"]}


def test_a_phone_is_told_everything_once(client: Browser, phone: Phone) -> None:
    """Then only what is new: events behind those that it has, what was put away, what is gone."""
    first, second = client.start(), client.start()
    client.change(first, AddEntry(DEAL))
    reported = phone.ask()
    assert [item["id"] for item in reported["matches"]] == [first, second]
    one = reported["matches"][0]
    assert (one["owner"], one["from"], one["grant"], one["put_away_at"]) == (reported["me"], 0, None, None)
    assert [(event["kind"], event["payload"], event["arrived"]) for event in one["events"]] == [
        ("add", DEAL, "")
    ]
    assert one["events"][0]["author"] == reported["me"]
    assert one["head"]["players"] == ["Ewa", "Jan"]
    have = has(reported)
    quiet = phone.ask(have)
    assert (quiet["matches"], quiet["gone"], quiet["more"]) == ([], [], False)
    client.change(second, AddEntry(DEAL))
    [one] = phone.ask(have)["matches"]
    assert (one["id"], one["from"], len(one["events"])) == (second, 0, 1)
    phone.browser.post(f"/en/m/{first}/put-away")
    have = has(phone.ask(have), have)
    put_away = next(item for item in phone.ask()["matches"] if item["id"] == first)
    assert put_away["put_away_at"]
    phone.browser.post(f"/en/m/{first}/delete")
    news = phone.ask(have | {"x" * 22: [0, 0]})
    assert [(item["id"], bool(item["deleted_at"])) for item in news["matches"]] == [(first, True)]
    assert news["gone"] == ["x" * 22]
    phone.browser.post(f"/en/m/{first}/erase")
    news = phone.ask(have)
    assert (news["matches"], news["gone"]) == ([], [first])


def test_tokens_are_told_to_nobody(
    client: Browser, app: Flask, phone: Phone, stranger: Phone, join: Callable[..., None]
) -> None:
    """Phones know each other by marks; of the keys of forms each is told its own."""
    id = client.start()
    join(id, OTHER, "pencil", "B")
    stranger.deliver(id, deals("their key"))
    phone.deliver(id, deals("my key"), 1)
    mine, theirs = phone.ask(), stranger.ask()
    for reported in (mine, theirs):
        assert not any(token in str(reported) for token in (ME, OTHER))
        authors = [item["author"] for item in reported["matches"][0]["events"]]
        assert authors == [theirs["me"], mine["me"]]
        assert reported["matches"][0]["owner"] == mine["me"]
    assert [item["key"] for item in mine["matches"][0]["events"]] == [f"{id}-1", "my key"]
    assert [their["key"] for their in theirs["matches"][0]["events"]] == ["their key", f"{id}-2"]
    assert theirs["matches"][0]["grant"] == {"side": "B", "has_pencil": True}
    assert mine["seed"] != theirs["seed"]


def test_what_a_phone_may_do_is_told_when_it_changes(
    client: Browser, app: Flask, stranger: Phone, join: Callable[..., None]
) -> None:
    """A match that it joined, another role in it, and that it is out again."""
    id = client.start()
    assert stranger.ask()["matches"] == []
    join(id, OTHER, "opponent", "B")
    reported = stranger.ask()
    assert reported["matches"][0]["grant"] == {"side": "B", "has_pencil": False}
    join(id, OTHER, "pencil")
    reported = stranger.ask(has(reported))
    assert reported["matches"][0]["grant"] == {"side": "B", "has_pencil": True}
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        match = matches.open(id)
        [grant] = matches.invitations.list_joined(match)
        matches.invitations.revoke(match, matches.access(match, match.owner), grant.id)
    reported = stranger.ask(has(reported))
    assert (reported["matches"], reported["gone"]) == ([], [id])


def test_a_long_log_comes_bit_by_bit(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked again and again a phone has everything in the end, and each time a log that begins as it is."""
    monkeypatch.setattr(news, "MAX_SENT_EVENTS", 5)
    monkeypatch.setattr(news, "MAX_SENT_MATCHES", 2)
    lengths = {"a" * 22: 12, "b" * 22: 0, "c" * 22: 5, "d" * 22: 0, "e" * 22: 1}
    for id, length in lengths.items():
        phone.deliver(id, [event("draft", f"{id} {n}", {"n": str(n)}) for n in range(length)], 0, START)
    have: dict[str, Any] = {}
    logs: dict[str, list[Any]] = {}
    for _asked in range(20):
        reported = phone.ask(have)
        assert sum(len(item["events"]) for item in reported["matches"]) <= 5
        for item in reported["matches"]:
            assert item["from"] == len(logs.setdefault(item["id"], []))
            logs[item["id"]] += item["events"]
        have = has(reported, have)
        if not reported["more"]:
            break
    assert {id: [item["payload"]["n"] for item in log] for id, log in logs.items()} == {
        id: [str(n) for n in range(length)] for id, length in lengths.items()
    }
    assert phone.ask(have)["matches"] == []


def test_saved_rulings_are_told_once(app: Flask, phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """By pages; where one came in between, from an archive, say, all come again."""
    monkeypatch.setattr(news, "MAX_SENT_RULINGS", 2)

    def save(*names: str) -> None:
        rulings = [
            {"id": name * 22, "at": f"2026-11-2{name}T19:00:00+00:00", "content": {}} for name in names
        ]
        answer = phone.send("rulings", {"version": phone.version, "rulings": rulings})
        assert answer.status_code == 200

    def report(reported_last: str) -> tuple[str, str, bool]:
        reported = phone.ask(rulings=reported_last)
        return (
            "".join(item["id"][0] for item in reported["rulings"]),
            reported["rulings_at"],
            reported["more"],
        )

    assert report("") == ("", "", False)
    save("0", "1", "2")
    names, at, more = report("")
    assert (names, more) == ("01", True)
    names, at, more = report(at)
    assert (names, more) == ("2", False)
    assert report(at) == ("", at, False)
    save("3")
    assert report(at)[0] == "3"
    late = {"id": "x" * 22, "at": "2026-11-20T20:00:00+00:00", "content": {}}
    phone.send("rulings", {"version": phone.version, "rulings": [late]})
    assert report(at)[0] == "0x"


def test_a_browser_that_is_nobody_becomes_somebody(app: Flask) -> None:
    """So that the first match of a phone may begin without network; who it is it cannot say, it stays so."""
    nobody = Phone(app, app.test_client())
    reported = nobody.ask()
    assert reported["matches"] == []
    assert nobody.ask()["me"] == reported["me"]
    nobody.deliver("a" * 22, deals("one"), 0, START)
    assert [item["id"] for item in nobody.ask()["matches"]] == ["a" * 22]
    unreadable = app.test_client()
    unreadable.set_cookie("companion-browser", "somebody.else")
    answer = Phone(app, unreadable).send("news", {"version": "any", "have": {}})
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (401, False)


def test_the_token_lets_forms_of_the_phone_pass(make_app: Callable[..., Flask]) -> None:
    """A page that was made without network may be sent to the server."""
    app = make_app(WTF_CSRF_ENABLED=True)
    phone = Phone(app, known_browser(app, ME))
    fields = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A", "form_key": "form"}
    assert phone.browser.post("/en/new", data=fields).status_code != 303
    token = phone.ask()["token"]
    assert phone.browser.post("/en/new", data=fields | {"csrf_token": token}).status_code == 303
    assert FOR_TESTS["WTF_CSRF_ENABLED"] is False, "the other tests look at nothing of this"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"version": "x"},
        {"version": "x", "have": []},
        {"version": "x", "have": {"a": 5}},
        {"version": "x", "have": {"a": [1]}},
        {"version": "x", "have": {"a": [1, True]}},
        {"version": "x", "have": {"a": [1, "2"]}},
        {"version": "x", "have": {"a" * 65: [1, 2]}},
        {"version": "x", "have": {"\ud800": [1, 2]}},
        {"version": "x", "have": {}, "rulings": 5},
        {"version": "x", "have": {}, "rulings": ["\ud800"]},
        {"version": "x", "have": {}, "more": 5},
    ],
)
def test_what_is_no_question_is_refused(phone: Phone, body: dict[str, Any]) -> None:
    answer = phone.browser.post("/offline/news", json=body, headers=OURS)
    assert answer.status_code == 422
    assert answer.get_json()["problem"]


def test_whatever_number_a_phone_says(client: Browser, phone: Phone) -> None:
    """Too large, negative, of a ruling that is none: it is told what there is."""
    id = client.start()
    for length, access in ((10**40, 0), (-5, -1), (0, 10**40)):
        assert [item["id"] for item in phone.ask({id: [length, access]})["matches"]] == [id]
    for said in ("5~x", "~", "99999999999~x", "x", "-1~x", "0~"):
        assert phone.ask(rulings=said)["rulings"] == []
