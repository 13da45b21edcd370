"""A browser is known by a cookie of its own: no clock takes that away, no damage makes it somebody else's."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask, json
from flask.testing import FlaskClient
from itsdangerous import TimestampSigner

from companion.store import CannotStart
from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import ARCHIVED, COOKIE, sign
from tests.web.browsers import words

Make = Callable[..., Flask]
OLD, NEW = "k" * 40, "n" * 40
FORM = {"game": "derda", "name-A": "Ewa", "name-B": "Jan", "dealer": "A"}


def start(client: FlaskClient, **more: str) -> str:
    """Start a match as one does who comes here for the first time; its address."""
    assert client.get("/en/new").status_code == 200
    answer = client.post("/en/new", data=FORM | {"form_key": fresh_key()} | more)
    assert answer.status_code == 303
    return str(answer.location)


def is_mine(client: FlaskClient, address: str) -> bool:
    """Whether the browser keeps the score of a match."""
    return client.get(f"{address}/names").status_code == 200


def value(client: FlaskClient, name: str = COOKIE) -> str:
    cookie = client.get_cookie(name)
    assert cookie is not None
    return cookie.value


def browser_with(app: Flask, **cookies: str) -> FlaskClient:
    """A browser with these cookies and no others."""
    client = app.test_client()
    for name, content in cookies.items():
        client.set_cookie(name.replace("_", "-"), content)
    return client


@pytest.fixture
def former(make_app: Make) -> Flask:
    """The app as it was, under its former key."""
    return make_app(SECRET_KEY=OLD)


@pytest.fixture
def rekeyed(make_app: Make, former: Flask) -> Callable[..., Flask]:
    """The app on the same database, under another key."""

    assert former.config["SECRET_KEY"] == OLD

    def make(**settings: Any) -> Flask:
        return make_app(**{"SECRET_KEY": NEW} | settings)

    return make


def test_the_cookie(app: Flask) -> None:
    """It is hidden from scripts, kept to this site, for long; under HTTPS it travels nowhere else."""
    for scheme in ("http", "https"):
        answer = app.test_client().get("/en/new", base_url=f"{scheme}://localhost")
        name = f"__Host-{COOKIE}" if scheme == "https" else COOKIE
        [cookie] = [item for item in answer.headers.getlist("Set-Cookie") if item.startswith(f"{name}=")]
        parts = cookie.split("; ")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= {*parts}
        assert ("Secure" in parts) == (scheme == "https")
        assert f"Max-Age={400 * 24 * 3600}" in parts


def test_it_comes_with_the_form(app: Flask) -> None:
    """Who only looks around has none; the form of a match brings it, so that two taps are one browser's."""
    stranger = app.test_client()
    stranger.get("/en/")
    stranger.get("/en/rules")
    assert stranger.get_cookie(COOKIE) is None
    stranger.get("/en/new")
    before = value(stranger)
    sent = [stranger.post("/en/new", data=FORM | {"form_key": "twice"}) for _tap in range(2)]
    assert sent[0].location == sent[1].location
    assert set(re.findall(r"/en/m/[\w-]+", stranger.get("/en/").text)) == {sent[0].location}
    assert value(stranger) == before


def test_an_answer_brings_it_too(app: Flask) -> None:
    """The page of a ruling can save it, and so names the browser first."""
    stranger = app.test_client()
    ask = "/en/ask/derda/trick"
    query = "?trump=H&leader=A&trick=AH&trick=JH&asked=1"
    stranger.get(ask)
    assert stranger.get_cookie(COOKIE) is None
    stranger.get(ask + query)
    assert value(stranger)
    saved = [stranger.post(f"{ask}/keep{query}", data={"form_key": "twice"}).location for _tap in range(2)]
    assert saved[0] == saved[1]


def test_without_cookies(app: Flask) -> None:
    """A browser that refuses cookies is told what they are needed for; what was typed stays."""
    for _time in range(2):
        stranger = app.test_client(use_cookies=False)
        assert stranger.get("/en/new").status_code == 200
        answer = stranger.post("/en/new", data=FORM | {"form_key": fresh_key()})
        assert answer.status_code == 400
        assert "allow this site to keep cookies" in words(answer)
        assert 'value="Ewa"' in answer.text
    assert "zezwól" in words(stranger.post("/pl/new", data=FORM))


@pytest.mark.parametrize("days", [-3000, -1, 1, 3000])
def test_no_clock_takes_a_match_away(app: Flask, monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """A match that was begun while the server's clock was wrong belongs to its browser all the same."""
    wrong = int((datetime.now(UTC) + timedelta(days=days)).timestamp())
    with monkeypatch.context() as then:
        then.setattr(TimestampSigner, "get_timestamp", lambda self: wrong)
        client = app.test_client()
        address = start(client)
    for _time in range(2):
        assert is_mine(client, address)
        assert "cannot be recognised" not in words(client.get("/en/"))
    assert address in client.get("/en/").text


@pytest.mark.parametrize("days", [-3000, 0, 3000])
def test_a_browser_of_before_is_carried_over(app: Flask, monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """The token that lay in the session gets its cookie at the next page, whatever the clock then said."""
    session = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    at = int((datetime.now(UTC) + timedelta(days=days)).timestamp())
    with monkeypatch.context() as then:
        then.setattr(TimestampSigner, "get_timestamp", lambda self: at)
        earlier = session.dumps({"owner": "the browser of this test", "csrf_token": "x"})
    client = browser_with(app, companion=earlier)
    with app.app_context():
        head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
        id = app.extensions["matches"].start(head, "the browser of this test", "key")
        expected = sign("the browser of this test")
    assert is_mine(client, f"/en/m/{id}")
    assert value(client).strip('"') == expected
    client.delete_cookie("companion")
    assert is_mine(client, f"/en/m/{id}")


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: whole[:-5],
        lambda whole: whole[5:],
        lambda whole: whole.partition(".")[0],
        lambda whole: "x" * 4000,
        lambda whole: '"quoted, and \\303\\244 strange"',
        lambda whole: "." * 50,
        lambda whole: whole.replace(".", "..", 1),
    ],
)
def test_a_damaged_cookie_is_never_replaced(app: Flask, damage: Callable[[str], str]) -> None:
    """The page says so and what can be done; nothing is written, and the cookie stays as it is."""
    client = app.test_client()
    address = start(client)
    damaged = browser_with(app, companion_browser=damage(value(client)))
    for path in ("/en/", address, "/en/new", "/en/rules", "/en/browser"):
        answer = damaged.get(path)
        assert answer.status_code == 200
        assert "This browser cannot be recognised." in words(answer), path
    assert not is_mine(damaged, address)
    answer = damaged.post("/en/new", data=FORM | {"form_key": fresh_key(), "name-A": "Wanda"})
    assert answer.status_code == 400
    assert "Start over to begin a match anyway." in words(answer)
    assert 'value="Wanda"' in answer.text
    assert not [item for item in answer.headers.getlist("Set-Cookie") if item.startswith(COOKIE)]


def test_an_old_session_that_cannot_be_read(rekeyed: Callable[..., Flask], former: Flask) -> None:
    """A token that lay in a session under another key is kept too, though the session itself is replaced."""
    session = former.session_interface.get_signing_serializer(former)  # type: ignore[attr-defined]
    client = browser_with(rekeyed(), companion=session.dumps({"owner": "me", "csrf_token": "x"}))
    assert "cannot be recognised" in words(client.get("/en/new"))
    client.set_cookie("companion", session.dumps({"csrf_token": "y"}))
    assert "cannot be recognised" in words(client.get("/en/"))
    again = browser_with(rekeyed(SECRET_KEY_FALLBACKS=[OLD]), companion_browser=value(client))
    assert "cannot be recognised" not in words(again.get("/en/"))
    with again.application.app_context():
        assert value(again) == sign("me")
    other = browser_with(rekeyed(), companion=session.dumps({"csrf_token": "x"}))
    assert "cannot be recognised" not in words(other.get("/en/"))


def test_another_key_and_the_former_one_again(former: Flask, rekeyed: Callable[..., Flask]) -> None:
    """Under a new key nothing is lost: with the former one beside it the browser is known at once."""
    client = former.test_client()
    address = start(client)
    stranger = browser_with(rekeyed(), companion_browser=value(client))
    assert "cannot be recognised" in words(stranger.get("/en/"))
    assert value(stranger) == value(client)
    known = browser_with(rekeyed(SECRET_KEY_FALLBACKS=[OLD]), companion_browser=value(stranger))
    assert address in known.get("/en/").text
    assert is_mine(known, address)
    renewed = browser_with(rekeyed(), companion_browser=value(known))  # signed anew meanwhile
    assert is_mine(renewed, address)


def test_beginning_anew(former: Flask, rekeyed: Callable[..., Flask]) -> None:
    """One chooses it, goes on with an empty list, and can change back once the former key is there."""
    client = former.test_client()
    address = start(client)
    lost = browser_with(rekeyed(), companion_browser=value(client))
    lost.get("/en/new")
    answer = lost.post("/en/new", data=FORM | {"form_key": fresh_key(), "browser": "anew"})
    assert answer.status_code == 303
    later = answer.location
    assert value(lost, ARCHIVED) == value(client)
    assert "cannot be recognised" not in words(lost.get("/en/"))
    assert "still cannot be read" in words(lost.get("/en/browser"))
    assert is_mine(lost, later)
    app = rekeyed(SECRET_KEY_FALLBACKS=OLD)
    found = browser_with(app, companion_browser=value(lost), companion_browser_kept=value(lost, ARCHIVED))
    assert "second list" in words(found.get("/en/"))
    assert later in found.get("/en/").text
    for mine, other in ((address, later), (later, address)):
        assert found.post("/en/browser/earlier").status_code == 303
        assert is_mine(found, mine)
        assert not is_mine(found, other)


def test_beginning_anew_from_its_page(former: Flask, rekeyed: Callable[..., Flask]) -> None:
    """The button does the same, and nothing to a browser that is known."""
    client = former.test_client()
    address = start(client)
    assert client.post("/en/browser/anew").status_code == 303
    assert client.post("/en/browser/earlier").status_code == 303
    assert is_mine(client, address)
    lost = browser_with(rekeyed(), companion_browser=value(client))
    assert "Start over" in words(lost.get("/en/browser"))
    assert lost.post("/en/browser/anew").status_code == 303
    assert "cannot be recognised" not in words(lost.get("/en/"))
    assert value(lost, ARCHIVED) == value(client)


def test_a_ruling_is_not_saved_for_nobody(app: Flask) -> None:
    """What would belong to a browser that cannot be recognised is not written."""
    damaged = browser_with(app, companion_browser="nonsense")
    query = "?trump=H&leader=A&trick=AH&trick=JH&asked=1"
    assert damaged.get(f"/en/ask/derda/trick{query}").status_code == 200
    answer = damaged.post(f"/en/ask/derda/trick/keep{query}", data={"form_key": "k"})
    assert answer.status_code == 403
    assert "Nothing was saved." in words(answer)


def test_a_cookie_cannot_be_made_up(app: Flask) -> None:
    """A token is worth nothing without its signature, and what signs one thing signs no other."""
    client = app.test_client()
    address = start(client)
    token = value(client).rpartition(".")[0]
    session = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    for forged in (token, f"{token}.", f"{token}.{'A' * 43}", session.dumps(token), json.dumps(token)):
        assert not is_mine(browser_with(app, companion_browser=forged), address)
    for forged in (token, f"{token}.", "eyJvd25lciI6ICJtZSJ9.a.b"):
        assert not is_mine(browser_with(app, companion=forged), address)


@pytest.mark.parametrize(
    ("setting", "keys"),
    [
        (None, []),
        ("", []),
        (OLD, [OLD]),
        (f"{OLD} {NEW},{'x' * 16}", [OLD, NEW, "x" * 16]),
        ([OLD, NEW], [OLD, NEW]),
        (10**20, ["1" + "0" * 20]),
        (OLD.encode(), [OLD]),
    ],
)
def test_former_keys(make_app: Make, setting: Any, keys: list[str]) -> None:
    """However the setting is written, a key is a whole key: no letter of one ever signs a cookie."""
    assert make_app(SECRET_KEY_FALLBACKS=setting).config["SECRET_KEY_FALLBACKS"] == keys


def test_a_former_key_that_anybody_could_guess(make_app: Make) -> None:
    """A short one is refused at the start."""
    for setting in ("a", f"{OLD} b", [OLD, "c"], 12345):
        with pytest.raises(
            CannotStart, match="COMPANION_SECRET_KEY_FALLBACKS: each key must have at least 16"
        ):
            make_app(SECRET_KEY_FALLBACKS=setting)


def test_former_keys_from_the_environment(make_app: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """One variable names them."""
    monkeypatch.setenv("COMPANION_SECRET_KEY_FALLBACKS", f'["{OLD}", "{NEW}"]')
    assert make_app().config["SECRET_KEY_FALLBACKS"] == [OLD, NEW]
    monkeypatch.setenv("COMPANION_SECRET_KEY_FALLBACKS", f"{OLD} {NEW}")
    assert make_app().config["SECRET_KEY_FALLBACKS"] == [OLD, NEW]


def test_the_pages_hold_their_forms(app: Flask) -> None:
    """The buttons of the page carry the token that guards them."""
    damaged = browser_with(app, companion_browser="nonsense")
    assert re.search(r'name="csrf_token" value="[^"]{20,}"', damaged.get("/en/browser").text)
