"""What programs write: with a token, once, on what they have seen; checked as what a page sends."""

from typing import Any

import pytest
from derda import DEAL
from flask import Flask
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from companion.matches import Matches, Role
from companion.matches.schemas import describe_head
from companion.rules.schema import share_schemas
from tests.web.browsers import Browser

HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
ASKED = {"game": "derda", "question": "trick", "trump": "H", "leader": "A", "trick": ["AS", "7H"]}


class Program:
    """A program with a token, or none."""

    def __init__(self, client: Browser, token: str = "") -> None:
        self._client, self._token = client, token

    def send(
        self, method: str, path: str, body: Any = None, seq: int | None = None, key: str = ""
    ) -> TestResponse:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        headers |= {} if seq is None else {"If-Match": f'"{seq}"'}
        return self._client.open(f"/api/v1{path}", method=method, json=body, headers=headers)

    def begin(self) -> str:
        begun = self.send("POST", "/matches", HEAD)
        assert begun.status_code == 201
        return str(begun.get_json()["id"])


@pytest.fixture
def program(client: Browser, app: Flask) -> Program:
    return Program(client, make_token(app))


def make_token(app: Flask, role: Role = Role.OWNER, side: str | None = None, match: str | None = None) -> str:
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        about = matches.open(match) if match else None
        return matches.tokens.make("me", role, f"{role} {side} {match}", side, about)


def test_a_match_is_begun_once(program: Program) -> None:
    """The same request with the same key is the same match; another key begins another."""
    first, again = (program.send("POST", "/matches", HEAD, key="k") for _time in range(2))
    other = program.send("POST", "/matches", HEAD, key="l")
    assert first.get_json()["id"] == again.get_json()["id"] != other.get_json()["id"]
    assert first.headers["Location"].endswith(first.get_json()["id"])
    listed = program.send("GET", "/matches").get_json()["matches"]
    assert [match["players"] for match in listed] == [["Ewa", "Jan"]] * 2


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"log": []}, "/log"),
        ({"players": ["Ewa"]}, "/players"),
        ({"conventions": {"x": 1}}, "/conventions/x"),
    ],
)
def test_a_head_that_is_none_is_refused(program: Program, wrong: Any, pointer: str) -> None:
    answer = program.send("POST", "/matches", HEAD | wrong)
    assert (answer.status_code, answer.get_json()["pointer"]) == (400, pointer)


def test_somebody_deals_first(program: Program) -> None:
    """In a game that follows another whoever is next there, also when the same is sent again later."""
    id = program.send("POST", "/matches", HEAD | {"first_dealer": "B"}).get_json()["id"]
    head = {key: value for key, value in HEAD.items() if key != "first_dealer"}
    fits = Draft202012Validator(_describe_head()).is_valid
    answer = program.send("POST", "/matches", head)
    assert (answer.status_code, answer.get_json()["pointer"]) == (400, "/first_dealer")
    assert (fits(HEAD), fits(head), fits(head | {"follows": id})) == (True, False, True)
    begun = program.send("POST", "/matches", head | {"follows": id}, key="following").get_json()
    assert (begun["head"]["first_dealer"], begun["next_dealer"]) == ("B", "B")
    assert program.send("POST", f"/matches/{id}/entries", DEAL, 0).status_code == 201
    assert program.send("GET", f"/matches/{id}").get_json()["next_dealer"] == "A"
    again = program.send("POST", "/matches", head | {"follows": id}, key="following")
    assert (again.status_code, again.get_json()["id"]) == (201, begun["id"])
    named = program.send("POST", "/matches", HEAD | {"follows": id})
    assert (named.status_code, named.get_json()["head"]["first_dealer"]) == (201, "A")


def _describe_head() -> dict[str, Any]:
    shared: dict[str, Any] = {}
    return {**share_schemas(describe_head("derda"), "#/$defs/", shared), "$defs": shared}


def test_who_deals_first_cannot_follow_from_any_match(program: Program) -> None:
    """It is there, and its next dealer sits at this table too; nothing is begun else."""
    four = {"game": "belote", "players": ["Ewa", "Jan", "Ola", "Piotr"], "first_dealer": "D"}
    other = program.send("POST", "/matches", four).get_json()["id"]
    head = {key: value for key, value in HEAD.items() if key != "first_dealer"}
    for follows, pointer in (("unknown", "/follows"), (other, "/first_dealer")):
        answer = program.send("POST", "/matches", head | {"follows": follows})
        assert (answer.status_code, answer.get_json()["pointer"]) == (422, pointer), answer.text
    assert len(program.send("GET", "/matches").get_json()["matches"]) == 1


def test_an_entry_is_written_once_and_by_who_has_read_what_stands(program: Program) -> None:
    """Sent twice it is one; on an older state it is refused with what happened since, without one too."""
    path = f"/matches/{program.begin()}/entries"
    tried = program.send("POST", f"{path}?dry_run=true", DEAL)
    assert (tried.status_code, tried.get_json()["match"]["totals"]) == (200, {"A": 82, "B": 65})
    assert program.send("POST", path, DEAL).status_code == 428
    first, again = (program.send("POST", path, DEAL, 0, "k") for _time in range(2))
    assert (first.status_code, first.get_json(), first.headers["ETag"]) == (201, again.get_json(), '"1"')
    assert first.get_json()["row"]["totals"] == {"A": 82, "B": 65}
    stale = program.send("POST", path, DEAL, 0, "l")
    assert (stale.status_code, stale.get_json()["seq"]) == (412, 1)
    assert [event["kind"] for event in stale.get_json()["events"]] == ["add"]
    assert program.send("POST", path, DEAL, 9, "m").status_code == 412


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
def test_a_broken_rule_is_named(program: Program, query: str) -> None:
    """With the member at fault, and the rule; written or only tried."""
    path = f"/matches/{program.begin()}/entries"
    answer = program.send("POST", path + query, DEAL | {"dealer": "B"}, 0)
    problem = answer.get_json()
    assert (answer.status_code, problem["pointer"], problem["rule"]) == (422, "/dealer", "derda.deal.next")
    assert problem["problems"][0]["rule"] == problem["rule"]
    wrong = program.send("POST", path + query, DEAL | {"totals": {"A": "x", "B": 65}}, 0)
    assert (wrong.status_code, wrong.get_json()["pointer"]) == (400, "/totals/A")


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
def test_what_a_count_told_in_part_leaves_open_is_asked_for(program: Program, query: str) -> None:
    """The member that is missing is named, with what it can be; nothing told in part is a fault of ours."""
    four = {"game": "deberts-4-alone", "players": ["Ewa", "Jan", "Ola", "Piotr"], "first_dealer": "D"}
    contract = {"declarer": "A", "trump": "H", "turned": True}
    asked = [
        (four, {"A": 42}, "/count/points/B", "The points of Jan are missing."),
        ({**four, "game": "belote"}, {"A": 162}, "/trickless", "or only tricks worth nothing."),
    ]
    for head, points, pointer, why in asked:
        path = f"/matches/{program.send('POST', '/matches', head).get_json()['id']}/entries{query}"
        entry = {"type": "deal", "contract": contract, "count": {"points": points}}
        answer = program.send("POST", path, entry, 0)
        problem = answer.get_json()
        assert (answer.status_code, problem["pointer"]) == (422, pointer)
        assert problem["rule"] and problem["detail"].endswith(why)
    rest = {"type": "deal", "contract": contract, "count": {"points": {"A": 42, "B": 40, "C": 40}}}
    path = f"/matches/{program.send('POST', '/matches', four).get_json()['id']}/entries{query}"
    assert program.send("POST", path, rest, 0).get_json()["row"]["made"]["D"] == 40


def test_all_that_pages_can_do_to_a_match(program: Program) -> None:
    """Corrected, withdrawn, restored, undone; agreed and objected to; ruled upon; archived and back."""
    id = program.begin()
    match, entry = f"/matches/{id}", f"/matches/{id}/entries/1"
    saved = program.send("POST", "/rulings", ASKED, key="r").get_json()
    steps: list[tuple[str, str, Any, int]] = [
        ("POST", f"{match}/entries", DEAL, 201),
        ("PUT", entry, DEAL | {"note": "spóźnienie"}, 200),
        ("POST", f"{entry}/agreements", {"side": "B"}, 201),
        ("POST", f"{entry}/objections", {"side": "B", "reason": "count", "totals": {"A": 80, "B": 67}}, 201),
        ("POST", f"{match}/objections/4/withdraw", None, 201),
        ("DELETE", entry, None, 200),
        ("POST", f"{entry}/restore", None, 200),
        ("POST", f"{match}/undo", None, 200),
        ("POST", f"{match}/put-back", None, 200),
        ("PATCH", match, {"place": "Łódź", "players": ["Eva", "Jan"]}, 200),
        ("POST", f"{match}/rulings", {"ruling": saved["id"], "entry": 1}, 201),
        ("DELETE", f"{match}/rulings/11", None, 200),
    ]
    for seq, (method, path, body, status) in enumerate(steps):
        answer = program.send(method, path, body, seq)
        assert answer.status_code == status, (method, path, answer.text)
        assert answer.headers["ETag"] == f'"{seq + 1}"', path
    shown = program.send("GET", match).get_json()
    assert (shown["head"]["players"], shown["totals"]) == (["Eva", "Jan"], {"A": 82, "B": 65})
    assert program.send("GET", f"/rulings/{saved['id']}").get_json() == saved
    assert saved["ruling"]["verdict"] == "B"
    for place in ("archive", "list", "bin"):
        assert program.send("PUT", f"{match}/place", {"place": place}).get_json() == {"place": place}
        listed = program.send("GET", f"/matches?place={place}").get_json()["matches"]
        assert [found["id"] for found in listed] == [id], place
    assert program.send("GET", match).status_code == 410
    assert program.send("PUT", f"{match}/place", {"place": "list"}).status_code == 200
    assert program.send("GET", "/figures?name=Eva").get_json()["deals"]["won"] == 1


def test_who_may_what(program: Program, client: Browser, app: Flask) -> None:
    """No token: 401; a wrong or revoked one: 401; one of a weaker role, or for another match: 403."""
    id, other = program.begin(), program.begin()
    path = f"/matches/{id}/entries"
    tokens = {
        "": 401,
        "ct_wrong": 401,
        make_token(app, Role.SPECTATOR): 403,
        make_token(app, Role.OPPONENT, "B", id): 403,
        make_token(app, Role.OWNER, match=other): 403,
        make_token(app, Role.PENCIL, match=id): 201,
    }
    for token, status in tokens.items():
        answer = Program(client, token).send("POST", path, DEAL, 0)
        assert answer.status_code == status, token
    opponent = Program(client, make_token(app, Role.OPPONENT, "B", id))
    assert opponent.send("POST", f"{path}/1/agreements", {"side": "A"}, 1).status_code == 403
    assert opponent.send("POST", f"{path}/1/agreements", {"side": "B"}, 1).status_code == 201
    assert opponent.send("GET", "/matches").status_code == 403
    assert opponent.send("POST", "/matches", HEAD).status_code == 403


def test_tokens_on_pages(client: Browser, other: Browser) -> None:
    """Shown once, listed with its last use, revoked; another browser cannot revoke it."""
    made = client.post("/en/tokens", data={"as": "owner", "form_key": "f"})
    secret = made.text.split('id="secret" value="')[1].split('"')[0]
    program = Program(client, secret)
    assert "not used yet" in client.get("/en/tokens").text
    assert secret not in client.get("/en/tokens").text
    id = program.begin()
    page = client.get("/en/tokens").text
    assert "last used" in page
    assert client.get(f"/en/m/{id}/phones").status_code == 200
    revoke = page.split('action="/en/tokens/')[1].split('"')[0]
    other.post(f"/en/tokens/{revoke}")
    assert program.send("GET", "/matches").status_code == 200
    client.post(f"/en/tokens/{revoke}")
    assert program.send("GET", "/matches").status_code == 401
