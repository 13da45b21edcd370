"""Move to another phone: nothing is lost by it, and nobody is made somebody else unasked."""

from collections.abc import Callable
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from moving import ME, SEVEN, is_mine, say_yes, scan, show_code, show_words, start, token, type_in

from companion.web.shell.security import headers
from companion.web.shell.security.browser import ARCHIVED, COOKIE, mark_of, sign
from tests.web.browsers import words

Words = Callable[[Any], str]


# --- nothing is lost -----------------------------------------------------------------------------------


def test_what_was_there_is_laid_aside(client: FlaskClient, other: FlaskClient) -> None:
    """A phone that has matches of its own keeps them beside, and can change to them and back."""
    mine, others = start(client), start(other, "Ala", "Olek")
    page = scan(other, show_code(client))
    assert "The list that is on this phone now (1 match) is set aside, not lost" in words(page)
    say_yes(other, page)
    listed = other.get("/en/")
    assert "The list that was here before is set aside" in words(listed)
    assert mine in listed.text
    assert others not in listed.text
    assert not is_mine(other, others)
    other.post("/en/browser/earlier")
    assert is_mine(other, others)
    assert not is_mine(other, mine)
    other.post("/en/browser/earlier")
    assert is_mine(other, mine)


def test_no_third_list(app: Flask, client: FlaskClient, other: FlaskClient) -> None:
    """Where one is laid aside already, nothing is done, and it is said what would be right."""
    third = app.test_client()
    for browser, name in ((client, "Ewa"), (other, "Ala"), (third, "Wanda")):
        start(browser, name)
    say_yes(other, scan(other, show_code(client)))
    code = show_code(third)
    page = scan(other, code)
    assert "This phone has two lists of matches already, and would lose one." in words(page)
    assert "Use another browser on this phone, or another phone. The code is not used up." in words(page)
    assert 'id="become"' not in page.text
    third_token = token(third)
    assert third_token is not None
    answer = other.post("/en/browser/move", data={"whose": mark_of(third_token)})
    assert answer.status_code == 409
    assert "would lose one" in words(answer)
    assert (token(other), token(other, ARCHIVED)) == (ME, "somebody else's browser")
    assert scan(app.test_client(), code).status_code == 200


def test_back_to_what_was_laid_aside(client: FlaskClient, other: FlaskClient) -> None:
    """A code of the very list that is laid aside changes the two."""
    start(client)
    start(other)
    words_of_other = show_words(other)
    say_yes(other, scan(other, show_code(client)))
    say_yes(other, type_in(other, words_of_other))
    assert (token(other), token(other, ARCHIVED)) == ("somebody else's browser", ME)


def test_a_fresh_identity_is_replaced(client: FlaskClient, phone: FlaskClient) -> None:
    """Who only looked at the form of a new match has nothing that could be lost."""
    start(client)
    phone.get("/en/new")
    assert token(phone)
    page = scan(phone, show_code(client))
    assert "set aside" not in page.text
    say_yes(phone, page)
    assert (token(phone), token(phone, ARCHIVED)) == (ME, None)
    assert "second list" not in phone.get("/en/").text


def test_a_fresh_identity_that_began_something(client: FlaskClient, phone: FlaskClient) -> None:
    """What was typed in a form is kept in the phone under its identity: that can be had again."""
    start(client)
    phone.get("/en/new")
    fresh = token(phone)
    say_yes(phone, scan(phone, show_code(client)), begun="1")
    assert (token(phone), token(phone, ARCHIVED)) == (ME, fresh)


def test_an_empty_list_makes_room(client: FlaskClient, other: FlaskClient, phone: FlaskClient) -> None:
    """One that was laid aside with nothing in it gives its place to one that has something."""
    start(client)
    phone.get("/en/new")
    say_yes(phone, scan(phone, show_code(client)), begun="1")
    start(other)
    say_yes(phone, scan(phone, show_code(other)))
    assert (token(phone), token(phone, ARCHIVED)) == ("somebody else's browser", ME)


def test_the_list_aside_becomes_the_present_one(client: FlaskClient, phone: FlaskClient, app: Flask) -> None:
    """A fresh identity in the place of one that was laid aside: there is one list then, not one twice."""
    start(client)
    with app.app_context():
        phone.set_cookie(ARCHIVED, sign(ME), path="/")
    say_yes(phone, scan(phone, show_code(client)))
    assert (token(phone), token(phone, ARCHIVED)) == (ME, None)


def test_a_cookie_that_cannot_be_read_is_kept(client: FlaskClient, phone: FlaskClient) -> None:
    """It may be an owner's: laid aside as it is, and never to make room for another."""
    start(client)
    phone.set_cookie(COOKIE, "of.another.key", path="/")
    page = scan(phone, show_code(client))
    assert "The old cookie, which cannot be read, is set aside, not lost." in words(page)
    say_yes(phone, page)
    stored = phone.get_cookie(ARCHIVED)
    assert stored is not None
    assert (token(phone), stored.value) == (ME, "of.another.key")


def test_an_unreadable_one_aside_makes_no_room(client: FlaskClient, other: FlaskClient) -> None:
    """It may be an owner's, too."""
    start(client)
    start(other)
    other.set_cookie(ARCHIVED, "of.another.key", path="/")
    assert "would lose one" in words(scan(other, show_code(client)))


def test_an_answer_that_was_lost(client: FlaskClient, phone: FlaskClient) -> None:
    """The phone whose answer did not arrive goes back and says yes once more; it gets what it was to get."""
    start(client)
    page = type_in(phone, show_words(client))
    before = {name: phone.get_cookie(name) for name in ("companion", COOKIE)}
    say_yes(phone, page)
    for name, cookie in before.items():  # as if nothing had come back
        if cookie is None:
            phone.delete_cookie(name)
        else:
            phone.set_cookie(name, cookie.value, path="/")
    assert token(phone) is None
    again = phone.get("/en/move/here")
    assert "Ewa – Jan" in words(again)
    assert say_yes(phone, again).status_code == 303
    assert token(phone) == ME


def test_nothing_to_move(phone: FlaskClient) -> None:
    """A phone without a match is told so, and shows no code and no words; it can take matches over."""
    for path in ("/en/move/code", "/en/move/words"):
        assert phone.post(path).location == "/en/move"
    assert phone.get("/en/move/words").location == "/en/move"
    page = phone.get("/en/move")
    assert "On this phone there is no match yet that could be moved." in words(page)
    assert 'href="/en/move/here"' in page.text
    assert "No code is shown" in words(phone.get("/en/move/code"))
    assert token(phone) is None


def test_ways_there(client: FlaskClient) -> None:
    """From the list of matches, once there are some; and from This phone."""
    link = 'href="/en/move"'
    assert link not in client.get("/en/").text
    assert link in client.get("/en/browser").text
    start(client)
    assert link in client.get("/en/").text


# --- safety --------------------------------------------------------------------------------------------


def test_nothing_is_done_by_an_address(client: FlaskClient, phone: FlaskClient) -> None:
    """Previews of links open it as often as they like: that is no phone that has moved."""
    start(client)
    code = show_code(client)
    for method in ("get", "head"):
        answer = getattr(phone, method)(code.replace("/move", "/en/move"))
        assert answer.status_code == 303
        assert "companion-browser" not in str(answer.headers)
    assert phone.get("/en/browser/move").status_code == 405


def test_yes_is_said_to_what_was_asked(client: FlaskClient, other: FlaskClient, phone: FlaskClient) -> None:
    """Where another code came in between, the question is put once more, for that one."""
    start(client)
    start(other, "Ala", "Olek")
    asked = scan(phone, show_code(client))
    scan(phone, show_code(other))
    answer = say_yes(phone, asked)
    assert answer.location == "/en/move/here"
    assert token(phone) is None
    assert "Ala" in phone.get(answer.location).text


def test_no_copy_is_kept(client: FlaskClient, phone: FlaskClient) -> None:
    """No browser, no cache and no phone keeps a page about this, and none tells its address to another."""
    start(client)
    code = show_code(client)
    client.post("/en/move/words")
    answers = [
        *(client.get(f"/en/move{path}") for path in ("", "/code", "/words", "/words?anew=1", "/here")),
        phone.get(code.replace("/move", "/en/move")),
        phone.get("/en/move/here"),
        phone.get("/en/move/nonsense"),
        phone.post("/en/move/here", data={"told": SEVEN}),
    ]
    for answer in answers:
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert answer.headers["Referrer-Policy"] == "strict-origin"
        assert "X-Keep" not in answer.headers
    ours = {name for name in client.application.view_functions if name.startswith("moving.")}
    assert len(ours) == 10
    assert not ours & (headers.IN_PHONE | headers.TYPED_IN | headers.NAMELESS)


def test_cookies_are_as_safe_as_before(client: FlaskClient) -> None:
    """What names the other's browser, and what was told: hidden from scripts; by HTTPS for HTTPS alone."""
    start(client)
    code = show_code(client).replace("/move", "/en/move")
    for scheme in ("http", "https"):
        site = f"{scheme}://localhost"
        phone = client.application.test_client()
        reported = phone.get(code, base_url=site)
        moved = phone.post("/en/browser/move", base_url=site, data={"whose": mark_of(ME), "begun": ""})
        assert (reported.status_code, moved.status_code) == (303, 303)
        sent = [*reported.headers.getlist("Set-Cookie"), *moved.headers.getlist("Set-Cookie")]
        lead = "__Host-" if scheme == "https" else ""
        assert {f"{lead}companion", f"{lead}{COOKIE}"} <= {item.partition("=")[0] for item in sent}
        for item in sent:
            parts = {*item.split("; ")}
            assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= parts
            assert ("Secure" in parts) == (scheme == "https")
        code = show_code(client).replace("/move", "/en/move")


def test_no_page_shows_a_secret_of_before(client: FlaskClient, phone: FlaskClient) -> None:
    """The page that asks holds neither the code nor the token; the address it stands at neither."""
    start(client)
    code = show_code(client)
    page = scan(phone, code)
    assert page.request.path == "/en/move/here"
    for secret in (code.rpartition("/")[2], ME):
        assert secret not in page.text
        assert secret not in page.request.url
    say_yes(phone, page)
    with phone.session_transaction() as session:
        assert not [name for name in session if name.startswith("move")]


def test_without_cookies(app: Flask, client: FlaskClient) -> None:
    """A browser that refuses them is told what they are needed for."""
    start(client)
    mute = app.test_client(use_cookies=False)
    assert "allow this site to keep cookies" in words(scan(mute, show_code(client)))
