"""What programs read: the document, games and their schemas, matches, entries, what was written since."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from derda import DEAL
from flask import Flask
from jsonschema_rs import Draft202012Validator
from openapi_spec_validator import validate
from openapi_spec_validator.validation.exceptions import OpenAPIValidationError
from referencing.exceptions import Unresolvable

from companion import library
from companion.matches import AddEntry, Agree, Change, Matches, Submission, WithdrawEntry, schemas
from companion.web.api.document import make_document
from companion.web.api.page import OPERATIONS
from tests.web.browsers import Browser

API = "/api/v1"
DOCUMENTATION = Path(__file__).resolve().parents[3] / "docs/using/api.md"
MAX_BYTES = 330_000
"""Of the document: what is the same in many games stands there once."""
ASKED = {"game": "derda", "question": "trick", "trump": "H", "leader": "A", "trick": ["AS", "7H"]}


@pytest.fixture
def match(app: Flask) -> str:
    """A match with a deal, one that was withdrawn, and what a side says of the first."""
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
        id = matches.start(head, "me", "form")
        changes: list[Change] = [AddEntry(DEAL), AddEntry(DEAL), WithdrawEntry(2), Agree(1, "B")]
        for n, change in enumerate(changes):
            matches.write(matches.open(id), change, Submission("me", n, f"key {n}"))
    return id


def read(client: Browser, path: str, **more: Any) -> Any:
    answer = client.get(f"{API}{path}", **more)
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "application/json"
    return answer.get_json()


def test_every_operation_is_described() -> None:
    """What it takes and answers has a schema in the document: see docs/howto/operation.md."""
    known = make_document()["components"]["schemas"].keys()
    named = {made.name: {made.body, made.answers} - {""} for made in OPERATIONS}
    assert {name: schemas for name, schemas in named.items() if not schemas <= known} == {}


def test_addresses_in_the_documentation_are_there() -> None:
    """As docs/using/api.md has them, with `ID` for a match."""
    named = re.findall(r"\$API(/[\w/.-]+)", DOCUMENTATION.read_text("utf-8"))
    assert len(named) >= 5
    assert {address.replace("ID", "{id}") for address in named} - {made.path for made in OPERATIONS} == set()


def test_the_document_offers_one_way_to_write_a_value() -> None:
    """Of `S`, `s` and `♠` only the first; no two values of an enum become one name in a client."""
    enums = list(find_lists(make_document(), "enum"))
    assert ["S", "H", "D", "C"] in enums
    for values in enums:
        names = {str(value).upper() for value in values}
        assert len(names) == len(values) and all(name.isascii() for name in names), values


def test_no_constant_is_one_of_several_alternatives() -> None:
    """A generated client takes a `const` for the only value there is, and refuses the numbers beside it."""
    offered = list(find_lists(make_document(), "anyOf"))
    assert any({"enum": ["off"]} in alternatives for alternatives in offered)
    assert [alternatives for alternatives in offered if any("const" in part for part in alternatives)] == []


def find_lists(value: Any, key: str) -> Iterator[list[Any]]:
    if isinstance(value, dict):
        yield from [value[key]] if isinstance(value.get(key), list) else ()
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from find_lists(part, key)


@pytest.mark.slow  # all games are read
def test_the_document_is_one_and_says_all(client: Browser, app: Flask) -> None:
    """It is a valid OpenAPI document with every address of the API, and no other; it is not too long."""
    assert len(client.get(f"{API}/openapi.json").data) <= MAX_BYTES
    document = read(client, "/openapi.json")
    try:
        validate(document)
    except (OpenAPIValidationError, Unresolvable) as error:  # its text may have the whole document
        pytest.fail(str(error)[:500], pytrace=False)
    there = {
        (re.sub(r"<[^>]*?(\w+)>", r"{\1}", rule.rule.removeprefix(API)), method)
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("public_api.")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    said = {(path, method.upper()) for path, methods in document["paths"].items() for method in methods}
    assert said == there


@pytest.mark.parametrize("game", library.names())
def test_a_game_is_described(client: Browser, game: str) -> None:
    """With house rules, words in a language, rules of a table; its schemas are those of the command."""
    shown = read(client, f"/games/{game}", headers={"Accept-Language": "pl"})
    book = library.read_rulebook(game)
    assert {rule["id"] for rule in shown["rules"]} <= set(book.rules)
    assert [convention["name"] for convention in shown["conventions"]] == list(book.conventions)
    assert shown["words"].keys() == book.words.keys()
    for subject in schemas.SUBJECTS:
        assert read(client, f"/games/{game}/schemas/{subject}") == schemas.describe(subject, game)


def test_rules_are_those_of_the_table(client: Browser) -> None:
    """Another house rule, other rules."""
    usual = read(client, "/games/derda")["rules"]
    with_offers = read(client, "/games/durak?preset=perevodnoy&players=4")
    assert usual != with_offers["rules"]
    assert with_offers["preset"] == "perevodnoy"


def test_a_match_is_read(client: Browser, match: str) -> None:
    """Head, totals, who deals; entries with what they came to; the history with letters for phones."""
    shown = read(client, f"/matches/{match}")
    assert (shown["seq"], shown["totals"], shown["next_dealer"]) == (4, {"A": 82, "B": 65}, "A")
    assert shown["head"]["players"] == ["Ewa", "Jan"]
    first, second = read(client, f"/matches/{match}/entries")["entries"]
    assert (first["row"]["totals"], second["withdrawn"], second["row"]) == ({"A": 82, "B": 65}, True, None)
    assert read(client, f"/matches/{match}/entries/1") == first
    events = read(client, f"/matches/{match}/log?after=2")["events"]
    assert [(event["n"], event["kind"], event["author"]) for event in events] == [
        (3, "withdraw", "a"),
        (4, "agree", "a"),
    ]
    record = read(client, f"/matches/{match}/record.json")
    assert Draft202012Validator(schemas.describe("record")).is_valid(record)


@pytest.mark.parametrize("what", ["", "/entries", "/entries/1", "/log"])
def test_what_has_not_changed_is_not_sent_again(client: Browser, app: Flask, match: str, what: str) -> None:
    """With the number that was read the answer is 304, until something is written."""
    path = f"{API}/matches/{match}{what}"
    tag = client.get(path).headers["ETag"]
    assert tag == '"4"'
    again = client.get(path, headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        matches.write(matches.open(match), AddEntry(DEAL), Submission("me", 4, "more"))
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_the_arbiter_is_asked(client: Browser) -> None:
    """As by the command line; what cannot be read is said by its place, in the language asked for."""
    answer = client.post(f"{API}/questions", json=ASKED)
    assert answer.get_json() == library.rule(ASKED).plain()
    wrong = client.post(
        f"{API}/questions", json=ASKED | {"trick": ["AS", "7X"]}, headers={"Accept-Language": "de"}
    )
    problem = wrong.get_json()
    assert (wrong.status_code, wrong.mimetype) == (400, "application/problem+json")
    assert (problem["pointer"], problem["status"]) == ("/trick/1", 400)
    assert problem["title"] == "Das ließ sich nicht lesen"
    assert (
        client.get(problem["type"].removeprefix("http://localhost"), follow_redirects=True).status_code == 200
    )


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/matches/nothing", 404),
        ("GET", "/matches/<m>/entries/77", 404),
        ("GET", "/matches/<m>/entries?before=1", 400),
        ("GET", "/matches/<m>/log?after=x", 400),
        ("GET", "/matches/<m>/sheet.pdf?paper=a0", 400),
        ("GET", "/games/poker", 404),
        ("GET", "/games/derda?conventions=[]", 400),
        ("GET", "/games/derda/schemas/cards", 404),
        ("GET", "/nowhere", 404),
        ("PATCH", "/games", 405),
        ("POST", "/questions", 400),
    ],
)
def test_problems_are_documents(client: Browser, match: str, method: str, path: str, status: int) -> None:
    """Nothing else is ever answered to a bad request."""
    answer = client.open(f"{API}{path.replace('<m>', match)}", method=method)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    problem = answer.get_json()
    assert problem["status"] == status
    assert problem["title"] and problem["detail"]


def test_no_cookie_is_read_or_set(client: Browser, match: str) -> None:
    """Who has the owner's cookie is nobody there."""
    answer = client.get(f"{API}/matches/{match}")
    assert "Set-Cookie" not in answer.headers
