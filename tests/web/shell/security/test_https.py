"""A host turns to HTTPS: cookies nobody else can plant or read, and no browser loses what it had."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from stores.postgres import ON_SQLITE

from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import ARCHIVED, COOKIE, sign
from tests.web.browsers import words

pytestmark = ON_SQLITE  # nothing of it is in the database
Make = Callable[..., Flask]
FORM = {"game": "derda", "name-A": "Ewa", "name-B": "Jan", "dealer": "A"}
HTTPS = "https://localhost"


@pytest.fixture(params=["", "/karty"])
def visitor(request: pytest.FixtureRequest, make_app: Make) -> FlaskClient:
    """A browser of an app on a host of its own, or below a path of one."""
    return make_app(PREFIX=request.param, WTF_CSRF_ENABLED=True).test_client()


def prefix_of(client: FlaskClient) -> str:
    return str(client.application.config["PREFIX"])


def start(client: FlaskClient, base: str) -> str:
    """Start a match, by HTTPS or without; its address."""
    prefix = prefix_of(client)
    page = client.get(f"{prefix}/en/new", base_url=base).text
    data = FORM | {"form_key": fresh_key(), "csrf_token": token_of(page)}
    answer = client.post(f"{prefix}/en/new", data=data, base_url=base, headers={"Origin": base})
    assert answer.status_code == 303
    return str(answer.location)


def token_of(page: str) -> str:
    """What guards the form of a page; empty where nothing is to."""
    return "".join(re.findall(r'name="csrf_token"[^>]*value="([^"]+)"', page)[:1])


def is_mine(client: FlaskClient, address: str, base: str = HTTPS) -> bool:
    return client.get(f"{address}/names", base_url=base).status_code == 200


def jar(client: FlaskClient) -> dict[str, str]:
    """The cookies that the browser has."""
    return {key[2]: cookie.value for key, cookie in client._cookies.items()}  # type: ignore[union-attr]


def test_every_cookie_is_for_https_alone(visitor: FlaskClient) -> None:
    """Each of them: the names begin with `__Host-`, which no other site and no plain page can set."""
    prefix = prefix_of(visitor)
    answers = [visitor.get(f"{prefix}/en/new", base_url=HTTPS)]
    answers += [visitor.get(f"{prefix}/en/paper/dark", base_url=HTTPS)]
    referer = {"Referer": f"{HTTPS}{prefix}/en/"}
    answers += [visitor.get(f"{prefix}/pl/", base_url=HTTPS, headers=referer)]
    given = [item for answer in answers for item in answer.headers.getlist("Set-Cookie")]
    names = {item.partition("=")[0] for item in given}
    end = prefix.replace("/", ".")
    assert names == {f"__Host-{name}{end}" for name in ("companion", COOKIE, "paper", "lang")}
    for cookie in given:
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= {*cookie.split("; ")}
        assert "Domain" not in cookie


def test_no_browser_loses_its_matches(visitor: FlaskClient) -> None:
    """Its cookies of before are read, given anew, and taken back once the browser has the new ones."""
    address = start(visitor, "http://localhost")
    prefix, before = prefix_of(visitor), jar(visitor)
    visitor.get(f"{prefix}/en/paper/dark", base_url="http://localhost")
    assert {COOKIE, "companion", "paper"} <= jar(visitor).keys()
    page = visitor.get(f"{prefix}/en/", base_url=HTTPS)
    assert address in page.text
    assert 'data-theme="dark"' in page.text
    end = prefix.replace("/", ".")
    assert jar(visitor)[f"__Host-{COOKIE}{end}"] == before[COOKIE]
    assert COOKIE in jar(visitor), "until it is known that the other one has arrived"
    assert is_mine(visitor, address)
    assert not {COOKIE, "companion"} & jar(visitor).keys()
    assert is_mine(visitor, address)


def test_an_answer_that_was_lost_loses_nothing(make_app: Make) -> None:
    """Of a browser that never gets the new cookie the old one is still good."""
    client = make_app().test_client()
    address = start(client, "http://localhost")
    before = jar(client)[COOKIE]
    for _time in range(3):
        fresh = client.application.test_client()
        fresh.set_cookie(COOKIE, before)
        answer = fresh.get("/en/", base_url=HTTPS)
        assert address in answer.text
        assert not [item for item in answer.headers.getlist("Set-Cookie") if item.startswith(f"{COOKIE}=;")]


def test_what_is_fetched_in_the_background_carries_nothing_over(make_app: Make) -> None:
    """It may be late, when the browser is another one already."""
    client = make_app().test_client()
    start(client, "http://localhost")
    answer = client.get("/en/", base_url=HTTPS, headers={"X-Keep": "1"})
    assert not [item for item in answer.headers.getlist("Set-Cookie") if COOKIE in item]


def test_two_identities_become_two_lists(make_app: Make) -> None:
    """A browser that began a match each way has both: that without HTTPS is laid aside."""
    app = make_app()
    client = app.test_client()
    safe = start(client, HTTPS)
    plain = start(client, "http://localhost")
    assert is_mine(client, safe)
    assert not is_mine(client, plain)
    page = client.get("/en/", base_url=HTTPS)
    assert "second list" in words(page)
    assert COOKIE not in jar(client)
    client.post("/en/browser/earlier", base_url=HTTPS, headers={"Origin": HTTPS})
    assert is_mine(client, plain)


def test_a_planted_cookie_is_not_followed(make_app: Make) -> None:
    """Whoever can write into a plain page cannot make a browser somebody else that has one by HTTPS."""
    app = make_app()
    client = app.test_client()
    address = start(client, HTTPS)
    with app.app_context():
        client.set_cookie(COOKIE, sign("somebody else"))
        client.set_cookie(ARCHIVED, sign("a third one"))
    assert is_mine(client, address)


def test_the_cookie_of_a_session_of_before_is_carried_over_too(make_app: Make) -> None:
    """A form that was opened before is still good."""
    app = make_app(WTF_CSRF_ENABLED=True)
    client = app.test_client()
    page = client.get("/en/new", base_url="http://localhost").text
    data = FORM | {"form_key": fresh_key(), "csrf_token": token_of(page)}
    assert client.post("/en/new", data=data, base_url=HTTPS).status_code == 303


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Origin": HTTPS}, 303),
        ({"Referer": f"{HTTPS}/en/new"}, 303),
        ({"Referer": f"{HTTPS}/"}, 303),  # all that a page about moving says
        ({"Origin": "https://elsewhere.example"}, 400),
        ({"Origin": "null", "Referer": f"{HTTPS}/en/new"}, 400),
        ({"Referer": "https://elsewhere.example/en/new"}, 400),
        ({"Origin": "https://[", "Referer": f"{HTTPS}/en/new"}, 400),
    ],
)
def test_where_a_form_comes_from(make_app: Make, headers: dict[str, str], status: int) -> None:
    """Beside its token: what its browser says of that. One that says nothing of it is let in by the token."""
    client = make_app(WTF_CSRF_ENABLED=True).test_client()
    token = token_of(client.get("/en/new", base_url=HTTPS).text)
    data = FORM | {"form_key": fresh_key(), "csrf_token": token}
    assert client.post("/en/new", data=data, base_url=HTTPS, headers=headers).status_code == status
