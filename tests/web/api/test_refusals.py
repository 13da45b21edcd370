"""Whatever is sent to a program's door, it is refused in what programs read, and never by a fault."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from derda import DEAL
from flask import Flask
from tiers import mostly_at_night
from werkzeug.test import TestResponse

from companion.record.log import Event
from companion.web.api.document import make_document
from companion.web.api.page import OPERATIONS
from companion.web.shell.security.headers import MAX_ADDRESS
from tests.web.browsers import Browser

from .test_writing import ASKED, HEAD, Program, make_token

STRANGE = [
    "",
    " ",
    '""',
    'W/""',
    '"',
    '"\\"',
    ",",
    '"1", "2"',
    'W/"1"',
    "*",
    '*, "1"',
    "1",
    "-1",
    "²",
    '"٣"',
    "é",
    "9" * 40,
]
HEADERS = [
    "Accept",
    "Accept-Encoding",
    "Accept-Language",
    "Cookie",
    "Idempotency-Key",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Range",
    "Origin",
    "Range",
    "Referer",
    "User-Agent",
]


@pytest.fixture
def token(app: Flask) -> str:
    return make_token(app)


def check_problem(answer: TestResponse, status: int) -> dict[str, Any]:
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json"), answer.text[:200]
    assert {"Authorization", "Accept-Language"} <= {*answer.vary}
    assert answer.cache_control.no_store
    problem: dict[str, Any] = answer.get_json()
    assert problem["status"] == status
    assert problem["title"] and problem["detail"] and "/api#" in problem["type"]
    return problem


def test_a_number_that_is_none_is_none_of_the_match(client: Browser, token: str) -> None:
    """As `If-Match`: a tag of another kind, several, or nothing between quotes; every write says so alike."""
    program = Program(client, token)
    id = program.begin()
    program.send("POST", f"/matches/{id}/entries", DEAL, 0)
    writes = [made for made in OPERATIONS if made.writes]
    assert len(writes) > 10
    bodies = {"NewEntry": DEAL, "Correction": {"place": "Łódź"}, "Agreement": {"side": "B"}}
    bodies |= {"Objection": {"side": "B", "reason": "count"}}
    saved = program.send("POST", "/rulings", ASKED).get_json()["id"]
    bodies |= {"Attachment": {"ruling": saved}}
    for n, made in enumerate(writes):
        path = f"/api/v1{made.path}".format(id=id, entry=1, later=1, seq=1)
        for tag in {*STRANGE[n % 5 :: 5], '""'}:
            if re.search(describe_number(), tag):
                continue
            headers = {"Authorization": f"Bearer {token}", "If-Match": tag}
            answer = client.open(path, method=made.method, json=bodies.get(made.body), headers=headers)
            check_problem(answer, 412 if tag.strip() else 428)


@pytest.mark.parametrize("tag", ['"0"', "0", "*"])
def test_a_number_is_taken_as_the_document_says(client: Browser, token: str, tag: str) -> None:
    """With quotes or without, or a star for whatever it is."""
    assert re.search(describe_number(), tag)
    headers = {"Authorization": f"Bearer {token}", "If-Match": tag}
    path = f"/api/v1/matches/{Program(client, token).begin()}/entries"
    assert client.post(path, json=DEAL, headers=headers).status_code == 201


def describe_number() -> str:
    """The pattern of `If-Match` in the document."""
    return str(make_document()["components"]["parameters"]["Seen"]["schema"]["pattern"])


@mostly_at_night("value", STRANGE, STRANGE[::4])
def test_no_header_is_a_fault(client: Browser, token: str, value: str) -> None:
    """Whatever stands in it, with a token that holds and without one."""
    id = Program(client, token).begin()
    for n, made in enumerate(OPERATIONS):
        path = f"/api/v1{made.path}".format(id=id, entry=1, later=1, seq=1, game="derda", subject="record")
        headers = dict.fromkeys(HEADERS[n % 2 :: 2], value) | {"Authorization": f"Bearer {token}"}
        answer = client.open(path, method=made.method, json={}, headers={"If-Match": '"0"', **headers})
        assert answer.status_code < 500, (made.name, answer.text)
    for authorization in (value, f"Bearer {value}"):
        answer = client.get("/api/v1/matches", headers={"Authorization": authorization})
        check_problem(answer, 401)


def list_refusals() -> Iterator[tuple[str, str, dict[str, Any], int]]:
    yield "GET", "/api/v1", {}, 404
    yield "GET", "/api/v1/", {}, 404
    yield "POST", "/api/v1", {"json": {}}, 404
    yield "GET", "/api/v1/nothing", {}, 404
    yield "GET", "/api/v1/games/nothing", {}, 404
    yield "OPTIONS", "/api/v1/nothing", {}, 404
    yield "DELETE", "/api/v1/games", {}, 405
    yield "EWA", "/api/v1/games", {}, 405
    yield "GET", "/api/v1/questions", {}, 405
    yield "GET", f"/api/v1/games?x={'x' * MAX_ADDRESS}", {}, 414
    yield "GET", f"/api/v1/{'x' * MAX_ADDRESS}", {}, 414
    yield "GET", "/api/v1/games", {"headers": {"Host": "a b"}}, 400
    yield "GET", "/api/v1/nothing", {"headers": {"Host": "a b"}}, 400
    yield "GET", "/api/v1/games?unknown=1", {}, 400
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/xml",
        "x",
        "multipart/form-data",
    ):
        yield "POST", "/api/v1/questions", {"data": json.dumps(ASKED), "content_type": kind}, 415
    yield "POST", "/api/v1/questions", {"data": " " * 70_000, "content_type": "application/json"}, 413
    yield "POST", "/api/v1/questions", {"data": "{", "content_type": "application/json"}, 400
    yield "GET", "/api/v1/matches", {}, 401
    yield "GET", "/api/v1/matches/nothing", {}, 404


@pytest.mark.parametrize(("method", "path", "sent", "status"), [*list_refusals()])
def test_every_refusal_is_a_problem_document(
    client: Browser, method: str, path: str, sent: dict[str, Any], status: int
) -> None:
    """In the language that is asked for, wherever it comes from."""
    headers = {"Accept-Language": "pl", **sent.get("headers", {})}
    sent = {name: value for name, value in sent.items() if name != "headers"}
    answer = client.open(path, method=method, headers=headers, **sent)
    problem = check_problem(answer, status)
    english = client.open(
        path, method=method, headers={**headers, "Accept-Language": "en"}, **sent
    ).get_json()
    assert problem["title"] != english["title"]
    if status == 405:
        assert answer.headers["Allow"]


@pytest.mark.parametrize(
    ("agreed", "status"),
    [
        ("players=1", 400),
        ("players=7", 400),
        ("players=-2", 400),
        ("players=2.0", 400),
        ("players=2", 200),
        ("players=6", 200),
        ("conventions=[]", 400),
        ("conventions={}", 200),
        ("conventions={x}", 422),
        ('conventions={"x":1}', 422),
        ('conventions={"x":1,"x":2}', 422),
        ("preset=x", 422),
    ],
)
def test_what_a_table_agreed_on_has_a_form(client: Browser, agreed: str, status: int) -> None:
    """What the schema of an address can say is 400, the rest is unfit."""
    answer = client.get(f"/api/v1/games/derda?{agreed}")
    if status == 200:
        assert answer.status_code == status
        return
    kind = "unreadable" if status == 400 else "unfit"
    assert check_problem(answer, status)["type"].endswith(f"#{kind}")


def test_a_token_is_asked_for_first(client: Browser, token: str) -> None:
    """Before anything is read of what was sent, or looked for."""
    begun = Program(client, token).begin()
    for made in (made for made in OPERATIONS if made.needs_token):
        for id in (begun, "nothing"):
            path = f"/api/v1{made.path}".format(id=id, entry=1, later=1, seq=1)
            check_problem(client.open(f"{path}?x=1", method=made.method, data="{"), 401)


@pytest.mark.parametrize("path", ["entries", "log"])
def test_there_is_nothing_before_the_beginning(client: Browser, token: str, path: str) -> None:
    """The first number after which something can be read is -1."""
    match = f"/api/v1/matches/{Program(client, token).begin()}"
    assert client.get(f"{match}/{path}?after=-1").status_code == 200
    for after in ("-2", "-987", "1000000000"):
        check_problem(client.get(f"{match}/{path}?after={after}"), 400)


def test_a_correction_without_players_has_no_form(client: Browser, token: str) -> None:
    program = Program(client, token)
    id = program.begin()
    check_problem(program.send("PATCH", f"/matches/{id}", {"players": []}, 0), 400)
    document = client.get("/api/v1/openapi.json").get_json()
    assert document["components"]["schemas"]["Correction"]["properties"]["players"]["minItems"] == 1


def list_unfit() -> Iterator[tuple[str, str, Any, str]]:
    """What fits the document in itself, with the place that something else speaks against."""
    yield "POST", "/questions", ASKED | {"trick": ["AS", "AS"]}, "/trick"
    yield "POST", "/questions", ASKED | {"trick": ["AS", "7H", "8H"]}, "/trick"
    yield "POST", "/rulings", ASKED | {"trick": ["AS", "AS"]}, "/trick"
    yield "POST", "/matches", HEAD | {"players": ["Ewa", "Jan\u200b"]}, "/players/1"
    yield "POST", "/matches", HEAD | {"place": "\u2800"}, "/place"
    yield "PATCH", "/matches/{id}", {"players": ["Ewa", "Jan", "Ola"]}, "/players"
    yield "POST", "/matches/{id}/entries/1/agreements", {"side": "C"}, "/side"
    yield "POST", "/matches/{id}/entries/1/objections", {"side": "C", "reason": "count"}, "/side"


@pytest.mark.parametrize(("method", "path", "body", "pointer"), [*list_unfit()])
def test_what_has_a_form_and_does_not_fit_is_told_apart(
    client: Browser, token: str, method: str, path: str, body: Any, pointer: str
) -> None:
    """By its status and type, from what has no form."""
    program = Program(client, token)
    id = program.begin()
    program.send("POST", f"/matches/{id}/entries", DEAL, 0)
    seq = 1 if "{id}" in path else None
    problem = check_problem(program.send(method, path.format(id=id), body, seq), 422)
    assert (problem["type"].rpartition("#")[2], problem["pointer"]) == ("unfit", pointer)
    problem = check_problem(program.send(method, path.format(id=id), {"x": 1}, seq), 400)
    assert problem["type"].endswith("#unreadable")


def test_an_entry_of_another_table_is_unfit_in_this_one(client: Browser, token: str) -> None:
    """A side that no table has is unreadable."""
    program = Program(client, token)
    path = f"/matches/{program.begin()}/entries"
    for query in ("", "?dry_run=true"):
        for declarer, status in (("C", 422), ("G", 400)):
            entry = DEAL | {"contract": {"declarer": declarer, "trump": "H"}}
            problem = check_problem(program.send("POST", f"{path}{query}", entry, 0), status)
            assert problem["pointer"] == "/contract/declarer"


def test_a_whole_number_may_be_written_with_a_point(client: Browser, token: str) -> None:
    """To a schema `82.0` is the number 82; it is kept as 82, and 82.5 is none."""
    program = Program(client, token)
    path = f"/matches/{program.begin()}/entries"
    check_problem(program.send("POST", path, DEAL | {"totals": {"A": 82.5, "B": 65}}, 0), 400)
    written = program.send("POST", path, DEAL | {"totals": {"A": 82.0, "B": 65.0}}, 0)
    assert written.status_code == 201
    assert written.get_json()["entry"]["totals"] == {"A": 82, "B": 65}
    assert "82.0" not in written.text


def test_json_is_taken_by_any_of_its_names(client: Browser) -> None:
    """Also without one; and nothing that is sent is nothing of another kind."""
    for kind in ("application/json", "application/json; charset=utf-8", "application/problem+json", None):
        answer = client.post("/api/v1/questions", data=json.dumps(ASKED), content_type=kind)
        assert answer.status_code == 200, kind
    assert client.get("/api/v1/games", content_type="text/plain").status_code == 200


def test_what_may_be_asked_is_no_page(client: Browser) -> None:
    answer = client.options("/api/v1/matches")
    assert (answer.status_code, answer.data) == (200, b"") and answer.content_type is None
    assert {*answer.headers["Allow"].split(", ")} == {"GET", "HEAD", "OPTIONS", "POST"}


def test_answers_depend_on_who_asks(client: Browser, token: str) -> None:
    """Each says so, and what is kept of it."""
    id = Program(client, token).begin()
    for made in OPERATIONS:
        if made.method != "GET":
            continue
        path = f"/api/v1{made.path}".format(id=id, entry=1, later=1, seq=1, game="derda", subject="record")
        query = "?name=Ewa" if made.name == "read_figures" else ""
        answer = client.get(path + query, headers={"Authorization": f"Bearer {token}"})
        assert {"Authorization", "Accept-Language"} <= {*answer.vary}, made.name
        assert answer.headers["Cache-Control"], made.name
        assert answer.headers.getlist("Set-Cookie") == [], made.name


@pytest.mark.parametrize(
    ("method", "path", "sent", "status"),
    [
        ("GET", "/api/rule", {}, 405),
        ("POST", f"/api/rule?x={'x' * MAX_ADDRESS}", {}, 414),
        ("POST", "/api/rule", {"headers": {"Host": "a b"}}, 400),
        ("POST", "/api/rule", {"data": " " * 70_000}, 413),
        ("GET", "/api/rule/nothing", {}, 404),
        ("GET", "/offline/news", {}, 405),
        ("POST", "/offline/nothing", {}, 404),
        ("POST", "/offline/news", {"headers": {"Host": "a b"}}, 400),
        ("POST", f"/offline/{'x' * MAX_ADDRESS}", {}, 414),
    ],
)
def test_other_doors_of_programs(
    client: Browser, method: str, path: str, sent: dict[str, Any], status: int
) -> None:
    """They answer JSON as ever, with what is wrong in one sentence."""
    answer = client.open(path, method=method, **sent)
    assert (answer.status_code, answer.mimetype) == (status, "application/json")
    assert [*answer.get_json()] == ["error" if path.startswith("/api/rule") else "problem"]


# --- keys -------------------------------------------------------------------------------------------


def test_a_key_is_of_one_content(client: Browser, token: str) -> None:
    """Sent again with the same, whatever its blanks and order: what the first answered; else refused."""
    program = Program(client, token)
    path = f"/matches/{program.begin()}/entries"
    first = program.send("POST", path, DEAL, 0, "k")
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "k", "If-Match": '"0"'}
    other = json.dumps(dict(reversed(DEAL.items())), indent=3)
    again = client.post(f"/api/v1{path}", data=other, content_type="application/json", headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.get_json() == again.get_json()
    for seq in (0, 1):
        refused = program.send("POST", path, DEAL | {"note": "other"}, seq, "k")
        assert check_problem(refused, 422)["type"].endswith("#key-used")
        check_problem(program.send("POST", path, {"type": "none"}, seq, "k"), 422)
        check_problem(program.send("DELETE", f"{path}/1", None, seq, "k"), 422)
        check_problem(program.send("PUT", f"{path}/1", DEAL, seq, "k"), 422)
    assert len(program.send("GET", path).get_json()["entries"]) == 1


def test_every_write_knows_its_key(client: Browser, token: str) -> None:
    """What was written is what the same request is answered, and no other one, whatever was written since."""
    program = Program(client, token)
    id = program.begin()
    match, entry = f"/matches/{id}", f"/matches/{id}/entries/1"
    rulings = [program.send("POST", "/rulings", ASKED | {"leader": side}).get_json()["id"] for side in "AB"]
    steps: list[tuple[str, str, Any]] = [
        ("POST", f"{match}/entries", DEAL),
        ("PUT", entry, DEAL | {"note": "spóźnienie"}),
        ("POST", f"{entry}/agreements", {"side": "B"}),
        ("POST", f"{entry}/objections", {"side": "B", "reason": "count"}),
        ("POST", f"{match}/objections/4/withdraw", None),
        ("DELETE", entry, None),
        ("POST", f"{entry}/restore", None),
        ("POST", f"{match}/undo", None),
        ("POST", f"{match}/put-back", None),
        ("PATCH", match, {"place": "Łódź"}),
        ("POST", f"{match}/rulings", {"ruling": rulings[0], "entry": 1}),
        ("DELETE", f"{match}/rulings/11", None),
    ]
    answers = [
        program.send(method, path, body, seq, f"key {seq}") for seq, (method, path, body) in enumerate(steps)
    ]
    assert [answer.headers["ETag"] for answer in answers] == [f'"{n}"' for n in range(1, len(steps) + 1)]
    for n, (method, path, body) in enumerate(steps):
        again = program.send(method, path, body, n, f"key {n}")
        assert again.status_code == answers[n].status_code, (path, again.text)
        if "seq" in answers[n].get_json() and path != match and not path.endswith(("undo", "put-back")):
            assert again.get_json() == answers[n].get_json()
        other = (n + 1) % len(steps)
        assert check_problem(program.send(method, path, body, n, f"key {other}"), 422)
    check_problem(program.send("POST", f"{entry}/agreements", {"side": "A"}, 2, "key 2"), 422)
    check_problem(
        program.send("POST", f"{match}/rulings", {"ruling": rulings[1], "entry": 1}, 10, "key 10"), 422
    )
    assert program.send("GET", match).get_json()["seq"] == len(steps)


def test_a_write_sent_again_is_answered_with_its_own_event(
    client: Browser, app: Flask, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when somebody else writes just then, between the look at the match and its answer."""
    program, store = Program(client, token), app.extensions["matches"].store
    path = f"/matches/{program.begin()}/entries"
    first, append = program.send("POST", path, DEAL, 0, "k"), store.append_event

    def come_first(id: str, seq: int, event: Event, key: str) -> Event:
        append(id, seq, replace(event, payload={"type": "concede", "side": "A"}), "other")
        written: Event = append(id, seq, event, key)
        return written

    monkeypatch.setattr(store, "append_event", come_first)
    again = program.send("POST", path, DEAL, 0, "k")
    assert (again.status_code, again.get_json(), again.headers["ETag"]) == (201, first.get_json(), '"2"')


def test_matches_and_rulings_have_keys_too(client: Browser, token: str) -> None:
    program = Program(client, token)
    begun = [program.send("POST", "/matches", HEAD, key="k") for _time in range(2)]
    assert begun[0].get_json() == begun[1].get_json()
    check_problem(program.send("POST", "/matches", HEAD | {"players": ["Ewa", "Olek"]}, key="k"), 422)
    check_problem(program.send("POST", "/matches", HEAD | {"place": "Łódź"}, key="k"), 422)
    id = begun[0].get_json()["id"]
    program.send("PATCH", f"/matches/{id}", {"players": ["Eva", "Jan"]}, 0)
    assert program.send("POST", "/matches", HEAD, key="k").get_json()["id"] == id
    started = HEAD | {"started": "2026-11-20T20:00:00+01:00"}
    assert program.send("POST", "/matches", started, key="l").status_code == 201
    assert program.send("POST", "/matches", started, key="l").status_code == 201
    check_problem(
        program.send("POST", "/matches", started | {"started": "2026-11-20T21:00:00+01:00"}, key="l"), 422
    )
    saved = [program.send("POST", "/rulings", ASKED, key="k") for _time in range(2)]
    assert (saved[0].status_code, saved[0].get_json()) == (201, saved[1].get_json())
    check_problem(program.send("POST", "/rulings", ASKED | {"leader": "B"}, key="k"), 422)
    assert len(program.send("GET", "/matches").get_json()["matches"]) == 2
    assert len(program.send("GET", "/rulings").get_json()["rulings"]) == 1


def test_an_empty_key_is_none(client: Browser, token: str) -> None:
    program = Program(client, token)
    path = f"/api/v1/matches/{program.begin()}/entries"
    for key in ("", "  "):
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key, "If-Match": '"0"'}
        check_problem(client.post(path, json=DEAL, headers=headers), 400)
        check_problem(client.post("/api/v1/matches", json=HEAD, headers=headers), 400)
        check_problem(client.post("/api/v1/rulings", json=ASKED, headers=headers), 400)


def test_two_programs_may_have_the_same_key(client: Browser, app: Flask, token: str) -> None:
    """Each counts its own from one."""
    program = Program(client, token)
    path = f"/matches/{program.begin()}/entries"
    other = Program(client, make_token(app, match=path.split("/")[2]))
    assert program.send("POST", path, DEAL, 0, "1").status_code == 201
    second = DEAL | {"totals": {"A": 162, "B": 147}}
    answer = other.send("POST", path, second, 1, "1")
    assert answer.status_code != 422 or not answer.get_json()["type"].endswith("#key-used")
