"""Sign out all others: the phone that asks stays, former cookies and secrets end, the way back is a code."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from moving import ME, is_mine, say_yes, scan, show_code, show_words, start, token, type_in

from companion.matches import Moves, Role
from companion.store import StoreUnavailable
from companion.store.sql import SqlStore
from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import ARCHIVED, COOKIE, mark_of, sign
from tests.web.browsers import Browser, known_browser, words

SIGNED_OUT = "This phone was signed out."


def renew(browser: FlaskClient, key: str = "") -> None:
    answer = browser.post("/en/browser/renew", data={"form_key": key or fresh_key()})
    assert (answer.status_code, answer.location) == (303, "/en/browser")


@pytest.fixture
def thief(app: Flask) -> Browser:
    """A browser with the owner's cookie as it was before."""
    return known_browser(app, ME)


def test_others_are_signed_out_at_once(client: FlaskClient, thief: Browser) -> None:
    """Who asked goes on; the other one sees what a stranger sees, and is told why."""
    address = start(client)
    assert is_mine(thief, address)
    renew(client)
    assert "All other phones and programs are signed out." in words(client.get("/en/browser"))
    assert is_mine(client, address) and not is_mine(thief, address)
    page = thief.get("/en/")
    assert SIGNED_OUT in words(page) and address not in page.text
    assert 'data-browser="nobody"' in page.text and page.headers["X-Browser"] == "nobody"
    assert thief.get(address).status_code == 200, "whoever has the address sees the board"
    assert SIGNED_OUT in words(thief.get("/en/browser"))


def test_who_is_signed_out_writes_nothing(client: FlaskClient, thief: Browser) -> None:
    """Neither in a match nor a new one; nor does it stay somebody by another page."""
    address = start(client)
    renew(client)
    answer = thief.send(address.rsplit("/", 1)[1], {"counting": "totals"})
    assert answer.status_code == 403
    typed = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A", "form_key": fresh_key()}
    assert SIGNED_OUT in words(thief.post("/en/new", data=typed))
    for path in ("/en/browser/renew", "/en/browser/earlier", "/en/move/code", "/en/tokens"):
        answer = thief.post(path, data={"form_key": fresh_key(), "as": "owner"})
        assert not any(COOKIE in cookie and ME in cookie for cookie in answer.headers.getlist("Set-Cookie"))
    assert not is_mine(thief, address)


def test_the_phone_sends_nothing_that_is_lost(client: FlaskClient, thief: Browser) -> None:
    """What its program delivers is answered by 401: it keeps what is unsent, and asks for the way back."""
    start(client)
    renew(client)
    sent = {"X-Pocket": "1", "Origin": "http://localhost", "X-Browser": mark_of(ME)}
    for path in ("/offline/news", "/offline/rulings"):
        answer = thief.post(path, json={"version": "", "rulings": [], "have": {}}, headers=sent)
        assert (answer.status_code, answer.get_json()) == (401, {"problem": SIGNED_OUT})


def test_back_in_by_a_code_or_new_words(client: FlaskClient, thief: Browser) -> None:
    """As the same owner, with nothing set aside; words of before the renewal are wrong."""
    address, former = start(client), show_words(client)
    renew(client)
    assert type_in(thief, former).status_code == 404
    say_yes(thief, scan(thief, show_code(client)))
    assert is_mine(thief, address) and token(thief) == f"{ME}~1" and not token(thief, ARCHIVED)
    renew(client)
    assert not is_mine(thief, address)
    say_yes(thief, type_in(thief, show_words(client)))
    assert is_mine(thief, address) and is_mine(client, address)


def test_begin_anew(client: FlaskClient, thief: Browser) -> None:
    """A browser that was signed out may go on as a new one; the old cookie, which is no use, is let go."""
    address = start(client)
    renew(client)
    thief.post("/en/browser/anew")
    assert SIGNED_OUT not in words(thief.get("/en/"))
    assert not is_mine(thief, address) and not token(thief, ARCHIVED)
    assert is_mine(thief, start(thief, "Ala"))


def test_the_same_form_again_is_the_same_renewal(app: Flask, client: FlaskClient, thief: Browser) -> None:
    """A second tap, or a browser that never got the answer: with the page's key, and no other."""
    address, late = start(client), known_browser(app, ME)
    renew(client, "key")
    assert thief.post("/en/browser/renew", data={"form_key": "other"}).status_code == 403
    assert not is_mine(late, address)
    renew(late, "key")
    assert is_mine(late, address) and is_mine(client, address)


def test_a_lost_answer_locks_nobody_out(app: Flask, client: FlaskClient, thief: Browser) -> None:
    """The phone that signed the others out has its former cookie still: its page offers to stay.

    So it does where a page that was on its way meanwhile has brought that cookie back.
    """
    address = start(client)
    renew(client, key_of(client.get("/en/browser").text))
    client.get("/en/browser")
    with app.app_context():
        client.set_cookie(COOKIE, sign(ME), path="/")
    page = client.get("/en/browser")
    assert "This phone itself signed out all others" in words(page) and not is_mine(client, address)
    renew(client, key_of(page.text))
    assert is_mine(client, address)
    assert key_of(thief.get("/en/browser").text) == "", "nobody else is offered that"


def test_a_code_used_during_the_renewal_leads_nowhere(
    client: FlaskClient, thief: Browser, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever used it while it held is signed out with the rest."""
    address, other = start(client), app.test_client()
    page = scan(other, show_code(client))
    use = Moves.use

    def use_late(moves: Moves, entered: str, phone: str) -> str:
        owner = use(moves, entered, phone)
        renew(client)
        return owner

    monkeypatch.setattr(Moves, "use", use_late)
    say_yes(other, page)
    assert is_mine(client, address) and not is_mine(other, address)


def test_a_cookie_of_later_than_the_store(app: Flask, client: FlaskClient, thief: Browser) -> None:
    """The database was put back to before a renewal: the phone that renewed is the owner's, not the thief."""
    address, later = start(client), app.test_client()
    with app.app_context():
        later.set_cookie(COOKIE, sign(ME, 3), path="/")
    assert is_mine(later, address)
    assert not is_mine(thief, address) and not is_mine(client, address)


def test_a_program_hears_nothing_of_its_owners_browser(app: Flask, client: FlaskClient) -> None:
    """Neither by what it is called in phones nor by a session."""
    start(client)
    with app.app_context():
        secret = app.extensions["matches"].tokens.make(ME, Role.SPECTATOR, "form")
    sent = {"Authorization": f"Bearer {secret}", "X-Script": "1"}
    for method in ("GET", "POST"):
        answer = app.test_client().open("/api/v1/questions", method=method, headers=sent, data=b"{")
        assert not {"X-Browser", "X-Token", "Set-Cookie"} & {*answer.headers.keys()}


def key_of(page: str) -> str:
    """The key of the form that signs out all others; empty where there is no such form."""
    form = re.search(r'action="/en/browser/renew".*?name="form_key" value="([^"]+)"', page, re.S)
    return form[1] if form else ""


def test_what_cannot_be_read_is_set_aside_for_what_was(app: Flask, client: FlaskClient) -> None:
    """Changing to the other list keeps a present cookie that cannot be read: the key may be put back."""
    address, browser = start(client), app.test_client()
    browser.set_cookie(COOKIE, "of-another-key.signature", path="/")
    with app.app_context():
        browser.set_cookie(ARCHIVED, sign(ME), path="/")
    browser.post("/en/browser/earlier")
    archived = browser.get_cookie(ARCHIVED)
    assert is_mine(browser, address) and archived is not None
    assert archived.value == "of-another-key.signature"


def test_an_archived_list_of_before_is_let_go(app: Flask, client: FlaskClient, other: Browser) -> None:
    """A browser that set the owner's list aside cannot change to it any more."""
    address = start(client)
    with app.app_context():
        other.set_cookie(ARCHIVED, sign(ME), path="/")
    renew(client)
    other.post("/en/browser/earlier")
    assert not is_mine(other, address)
    assert not token(other, ARCHIVED)


def test_a_program_is_signed_out(app: Flask, client: FlaskClient) -> None:
    """Its token ends with the rest."""
    start(client)
    with app.app_context():
        secret = app.extensions["matches"].tokens.make(ME, Role.OWNER, "form")
    sent = {"Authorization": f"Bearer {secret}"}
    assert app.test_client().get("/api/v1/matches", headers=sent).status_code == 200
    renew(client)
    assert app.test_client().get("/api/v1/matches", headers=sent).status_code == 401


def test_while_the_database_is_away_nobody_is_anybody(
    client: FlaskClient, thief: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A former cookie is not believed meanwhile, and no browser loses its own or is said to be unknown."""
    address = start(client)
    renew(client)

    def fail(*_owners: object) -> None:
        raise StoreUnavailable("away", "planted")

    monkeypatch.setattr(SqlStore, "find_renewals", fail)
    for browser in (client, thief):
        assert browser.get(f"{address}/names").status_code == 503
        page = browser.get("/en/ask")
        assert page.status_code == 200 and page.headers.getlist("Set-Cookie") == []
        assert "cannot be recognised" not in words(page) and SIGNED_OUT not in words(page)
        assert page.headers["X-Browser"] == mark_of(ME), "the phone forgets no page"
    monkeypatch.undo()
    assert is_mine(client, address) and not is_mine(thief, address)
