"""What the phone is told to keep: whose pages, which go together, and what it does not see."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web.shell.security import headers
from tests.web.browsers import Browser

DEAL = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}


def test_pages_that_are_kept_exist(app: Flask) -> None:
    """A renamed page is renamed in the list too; else it is not there without network."""
    assert app.view_functions.keys() >= headers.IN_PHONE


def test_the_writer_keeps_a_match(client: Browser, other: FlaskClient) -> None:
    """The pages of a match are kept by the browser that writes in it, by no other, and by no cache."""
    id = client.start()
    client.write(id, DEAL)
    forms = ("/deal", "/enough", "/more", "/names", "/entries/1?edit=1")
    for path in ("", "/history", "/entries/1", "/ask", *forms):
        answer = client.get(f"/en/m/{id}{path}")
        assert "X-Keep" in answer.headers, path
        assert answer.headers["X-Log"] == f"{id}:1"
        assert "X-Keep" not in other.get(f"/en/m/{id}{path}").headers
    assert "no-store" in client.get(f"/en/m/{id}").headers["Cache-Control"]


def test_what_is_never_kept(client: Browser) -> None:
    """Refusals, pages of forms that were sent, files to take away, and what the lists do not name."""
    id = client.start()
    for path in ("/en/browser", "/en/m/nowhere", f"/en/m/{id}/record.json", f"/en/m/{id}/sheet.pdf"):
        assert "X-Keep" not in client.get(path).headers, path
    assert "X-Keep" not in client.post(f"/en/m/{id}/deal", data={"do": "look", "seq": "0"}).headers


def test_one_copy_of_a_form(client: Browser) -> None:
    """A form serves every query, if need be; a rulebook is another one with each."""
    id = client.start()
    assert client.get(f"/en/m/{id}/deal").headers["X-Keep"] == "path"
    assert client.get(f"/en/m/{id}/deal?bid=A:H").headers["X-Keep"] == "path"
    assert client.get(f"/en/rules/derda?match={id}").headers["X-Keep"] == "page"


def test_what_goes_with_a_board_is_there(client: Browser) -> None:
    """Every address that a board names is one of a page to be kept, in the language of the board."""
    for id in (client.start(), client.sit()):
        board = client.get(f"/pl/m/{id}")
        named = [board.headers[name].split() for name in ("X-Keep-Anew", "X-Keep-Once")]
        assert all(named)
        for address in (item for list in named for item in list):
            answer = client.get(address, follow_redirects=address.endswith("/resume"))
            assert answer.status_code == 200, address
            assert answer.headers["X-Keep"] in ("page", "path"), address
            assert address.startswith("/pl/") or address == "/en/"
    assert f"/pl/m/{id}/hand" in named[0]
    assert "/pl/offline" in named[1]


def test_a_finished_match_has_no_forms(client: Browser) -> None:
    """Where nothing can be recorded any more, its form is not fetched."""
    id = client.start()
    client.write(id, {"type": "abandon"})
    assert f"/en/m/{id}/deal" not in client.get(f"/en/m/{id}").headers["X-Keep-Anew"]


def test_what_is_said_once_is_said_to_a_person(client: Browser) -> None:
    """A page that the phone fetches for itself takes no message away, and shows none."""
    id = client.start()
    client.post(f"/en/m/{id}/undo", data={"form_key": "k", "seq": "0"})
    said = "There is nothing left to undo."
    assert said not in client.get(f"/en/m/{id}", headers={"X-Keep": "1"}).text
    page = client.get(f"/en/m/{id}").text
    assert said in page
    assert said not in re.sub("<!--once-->.*?<!--/once-->", "", page, flags=re.S)


def test_a_late_answer_changes_nobodys_name(client: FlaskClient) -> None:
    """The cookie that names a browser comes with pages that are looked at, not with those fetched."""
    assert "companion-browser=" in str(client.get("/en/").headers)
    assert "companion-browser=" not in str(client.get("/en/", headers={"X-Keep": "1"}).headers)


def test_the_worker_is_asked_for_every_time(client: FlaskClient) -> None:
    """It stands where it is in charge of all pages, and no cache holds on to an earlier one."""
    with client.get("/sw.js") as answer:
        assert answer.mimetype == "text/javascript"
        assert answer.headers["Cache-Control"] == "no-cache"


def test_a_page_in_place_of_others(client: FlaskClient) -> None:
    """What is said where a page is not kept, in both languages, without anybody's name."""
    assert "This page is not stored on this phone." in client.get("/en/offline").text
    assert "Tej strony nie ma w tym telefonie." in client.get("/pl/offline").text


@pytest.mark.parametrize(
    ("address", "is_plain"),
    [
        ("http://192.168.1.20:5000", True),
        ("http://laptop.local", True),
        ("https://192.168.1.20:8443", False),
        ("http://localhost:5000", False),
        ("http://127.0.0.1:5000", False),
        ("http://[::1]:5000", False),
    ],
)
def test_plain_http_is_told_of(client: FlaskClient, address: str, is_plain: bool) -> None:
    """Where browsers keep nothing, what waits and *This phone* say so, and nothing is offered in vain."""
    page = client.get("/en/browser", base_url=address).text
    assert ("This address begins with http://" in page) == is_plain
    assert ('href="/en/pocket"' in page) != is_plain
    waiting = client.get("/en/", base_url=address).text.partition('id="waiting"')[2]
    assert ("Leave this page open until it is sent" in waiting) == is_plain
