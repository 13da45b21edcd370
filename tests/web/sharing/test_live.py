"""Whether a page is still as it was: answered shortly while it is, and by the page as soon as it is not."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.matches import Access, Matches, Role
from companion.matches.changes import (
    KeepDraft,
)
from companion.store import Grant
from companion.web.sharing.live import FOLLOWED
from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import COOKIE, sign
from tests.web.browsers import Browser, known_browser, words

DEAL = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
OTHER = {"type": "deal", "contract": {"declarer": "A", "trump": "S"}, "totals": {"A": 90, "B": 60}}
UNFOLLOWED = {
    "exports.record",
    "exports.table",
    "scoreboard.code",
    "archived.ask_to_delete",
    "archived.ask_to_erase",
    "picture.drawing",
    "picture.image_png",
    "short_addresses.match",
    "sheets.sheet_pdf",
}
"""Files, parts of pages, ways to another page, and questions about the match as a whole."""


def age_of(page: TestResponse) -> str:
    """How old a page says that it is."""
    found = re.search(r'<html[^>]* data-seen="([\d.]+)"', page.text)
    assert found, page.status
    return found[1]


def ask(browser: FlaskClient, address: str, seen: str) -> TestResponse:
    """Whether a page is still as it was."""
    return browser.get(address, headers={"X-Seen": seen})


@pytest.fixture
def join(app: Flask) -> Callable[..., tuple[FlaskClient, Grant]]:
    """Lets a browser take part in a match: gives it, and what it may do."""

    def make(id: str, token: str, role: Role = Role.OPPONENT, side: str | None = None) -> Any:
        with app.app_context():
            matches: Matches = app.extensions["matches"]
            invited = matches.invitations.make_link(
                matches.open(id), Access(Role.OWNER), role, side, True, fresh_key()
            )
            grant = matches.invitations.join(str(invited.secret), token, "a phone")
        return known_browser(app, token), grant

    return make


def test_pages_that_are_followed_exist(app: Flask) -> None:
    """A renamed page is renamed in the list too; every page of a match is in it, or is none to follow."""
    assert app.view_functions.keys() >= FOLLOWED
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "/m/<id>" in rule.rule and "GET" in (rule.methods or ())
    }
    assert pages - FOLLOWED == UNFOLLOWED


def test_what_is_as_it_was_is_not_sent(client: Browser) -> None:
    """A page says how old it is; asked whether that still holds, the answer is nothing but that it does."""
    id = client.start(DEAL)
    for path in ("", "?all=1", "/deal", "/more", "/names", "/history", "/entries/1", "/entries/1?edit=1"):
        address = f"/en/m/{id}{path}"
        age = age_of(client.get(address))
        answer = ask(client, address, age)
        assert (answer.status_code, answer.data) == (304, b""), path
        assert answer.headers["X-Seen"] == age == "1.0"
        assert "Set-Cookie" not in answer.headers and "Vary" not in answer.headers


def test_what_has_changed_is(client: Browser) -> None:
    """After a deal was written the page comes, with its new age."""
    id = client.start()
    age = age_of(client.get(f"/en/m/{id}"))
    client.write(id, DEAL)
    answer = ask(client, f"/en/m/{id}", age)
    assert answer.status_code == 200 and "82" in answer.text
    assert answer.headers["X-Seen"] == age_of(answer) == "1.0"
    assert ask(client, f"/en/m/{id}", "1.0").status_code == 304


def test_without_a_match_there_is_nothing_to_follow(client: Browser) -> None:
    """No page, no age; whatever is claimed to have been seen."""
    assert ask(client, "/en/m/nowhere", "0.0").status_code == 404
    assert "data-seen" not in client.get("/en/").text
    assert ask(client, "/en/", "0.0").status_code == 200


def test_what_is_fetched_in_the_background_takes_nothing_away(client: Browser) -> None:
    """The stroke that is drawn once is drawn on the page that is looked at; and no cookie comes along."""
    id = client.start()
    client.send(id, {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65"})
    client.post(f"/en/m/{id}/put-back", data={"form_key": fresh_key(), "seq": "1"})
    said = "There is nothing to put back."
    for _look in range(2):
        answer = ask(client, f"/en/m/{id}", "0.0")
        assert "settling" not in answer.text and said not in answer.text and " fresh" not in answer.text
        assert "Set-Cookie" not in answer.headers
    seen = client.get(f"/en/m/{id}").text
    assert "settling" in seen and said in seen and " fresh" in seen


def test_another_page_of_the_same_phone_is_told(client: Browser) -> None:
    """A form hears what this phone wrote on another one after it was made; drafts are not spoken of."""
    id = client.start(DEAL)
    for query, said in (("", ""), ("&own=", ""), ("&own=0", "This phone: Deal 1 written"), ("&own=1", "")):
        assert said in client.read(f"/en/m/{id}/news?role=owner&since=0.0{query}"), query
        status = client.get(f"/en/m/{id}/news?role=owner&since=0.0{query}").status_code
        assert status == (200 if said else 204), query
    client.change(id, KeepDraft({"contract": {"declarer": "A", "trump": "H"}}))
    assert client.get(f"/en/m/{id}/news?role=owner&since=1.0&own=1").status_code == 204


def test_a_pencil_that_is_taken_back_is_news(client: Browser, app: Flask, join: Callable[..., Any]) -> None:
    """The page that is being typed in says so, and that nothing of it is lost."""
    id = client.start()
    phone, grant = join(id, "the pencil's phone", Role.PENCIL)
    news = f"/en/m/{id}/news?role=pencil&since=0.0"
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        invitations, owner = matches.invitations, Access(Role.OWNER)
        invitations.give_pencil(matches.open(id), owner, grant.id, has_pencil=False)
    assert "The pencil was taken back; what you typed stays here." in words(phone.get(news))


def test_it_sends_no_cookie(make_app: Callable[..., Flask]) -> None:
    """Not even for the tokens of forms: whoever has none is given one when a form is sent."""
    app = make_app(WTF_CSRF_ENABLED=True)
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
        id = matches.start(head, "an owner", fresh_key())
        owner, nobody = app.test_client(), app.test_client()
        owner.set_cookie(COOKIE, sign("an owner"), path="/")
    for browser in (owner, nobody):
        assert "Set-Cookie" not in ask(browser, f"/en/m/{id}", "1.1").headers
    assert "csrf_token" in ask(owner, f"/en/m/{id}/deal", "1.1").text


# --- one page for all who look on -------------------------------------------------------------------


@pytest.fixture
def count_renderings(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many boards were made."""
    made: list[str] = []
    show = app.view_functions["scoreboard.scoreboard"]

    def count(id: str) -> Any:
        made.append(id)
        return show(id)

    monkeypatch.setitem(app.view_functions, "scoreboard.scoreboard", count)
    return lambda: len(made)


def test_a_page_is_made_once_for_all_who_look_on(
    client: Browser, other: Browser, app: Flask, count_renderings: Callable[[], int]
) -> None:
    """Those without a cookie and those who have other matches get the same bytes, which name none."""
    id = client.start(DEAL)
    nobody = [app.test_client() for _one in range(3)]
    pages = {ask(item, f"/en/m/{id}", "0.0").data for item in (*nobody, other)}
    assert len(pages) == 1 and count_renderings() == 1
    [page] = pages
    assert b'data-browser="nobody"' in page and b"csrf_token" not in page and b"form_key" not in page
    client.write(id, OTHER)
    later = ask(other, f"/en/m/{id}", "1.0")
    assert b"90" in later.data and later.headers["X-Seen"] == age_of(later) == "2.0"
    assert count_renderings() == 2


def test_each_language_paper_zone_and_address_has_its_own(client: Browser, app: Flask) -> None:
    """Nothing of one is ever shown in another."""
    id, other_id = client.start(), client.start()
    client.write(id, DEAL)
    client.write(other_id, DEAL)
    looks = {f"/en/m/{id}", f"/pl/m/{id}", f"/en/m/{id}?all=1", f"/en/m/{id}/history", f"/en/m/{other_id}"}
    pages = set()
    for paper, zone in (("light", "UTC"), ("dark", "UTC"), ("dark", "Asia/Kolkata")):
        browser = app.test_client()
        browser.set_cookie("paper", paper, path="/")
        browser.set_cookie("zone", zone, path="/")
        for address in sorted(looks):
            for _again in range(2):
                page = ask(browser, address, "0.0")
                pages.add(page.text)
                assert f'data-theme="{paper}"' in page.text
                assert f'<html lang="{address[1:3]}"' in page.text
                assert address.split("?")[0].removesuffix("/history") in page.text
    assert len(pages) == 2 * len(looks) + 1  # of these only the history says times


def test_whoever_takes_part_has_a_page_of_their_own(
    client: Browser, other: Browser, app: Flask, join: Callable[..., tuple[FlaskClient, Grant]]
) -> None:
    """The owner, a pencil and an opponent neither get the onlookers' page, nor do these get theirs."""
    id = client.start(DEAL)
    pencil, _grant = join(id, "the pencil's phone", Role.PENCIL)
    opponent, grant = join(id, "the opponent's phone", Role.OPPONENT, "B")
    opponents = ask(opponent, f"/en/m/{id}", "0.0").text
    onlookers = ask(other, f"/en/m/{id}", "0.0").text
    assert "Undo" not in onlookers
    for item in (client, pencil):
        assert "Undo" in ask(item, f"/en/m/{id}", "0.0").text
    for browser in (opponent, app.test_client(), other):
        assert "Undo" not in ask(browser, f"/en/m/{id}", "0.0").text
    assert 'data-browser="nobody"' not in opponents and 'data-browser="nobody"' in onlookers
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        matches.invitations.revoke(matches.open(id), Access(Role.OWNER), grant.id)
    left = "This phone no longer takes part in the match."
    assert left in ask(opponent, f"/en/m/{id}", "0.0").text
    assert left not in ask(other, f"/en/m/{id}", "0.0").text
    assert left not in ask(app.test_client(), f"/en/m/{id}", "0.0").text


def test_whoever_once_wrote_is_still_you(
    client: Browser, other: Browser, app: Flask, join: Callable[..., tuple[FlaskClient, Grant]]
) -> None:
    """A phone whose pencil was taken back finds itself in the history; the others find another there."""
    id = client.start()
    pencil, grant = join(id, "the pencil's phone", Role.PENCIL)
    typed = {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65", "do": "save"}
    sent = pencil.post(f"/en/m/{id}/deal", data=typed | {"form_key": fresh_key(), "seq": "0"})
    assert sent.status_code == 303
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        matches.invitations.revoke(matches.open(id), Access(Role.OWNER), grant.id)
    for _again in range(2):
        assert "· you" in ask(pencil, f"/en/m/{id}/history", "0.0").text
        assert "· you" not in ask(other, f"/en/m/{id}/history", "0.0").text
