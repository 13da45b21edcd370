"""The phones at a table: links made and revoked, the pencil handed over and taken back, phones that leave."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.web.shell.codes import is_known_here_only
from tests.web.browsers import Browser, words
from tests.web.sharing.phones import grant_ids, invite, join

TOTALS = {"bid": "A:H", "counting": "totals", "total_A": "90", "total_B": "72"}


def give(browser: FlaskClient, id: str, grant: str, gives: bool = True) -> Any:
    """Hand the pencil over, or take it back."""
    return browser.post(f"/en/m/{id}/phones/{grant}/pencil", data={"give": "1"} if gives else {})


def test_the_board_leads_to_the_phones(client: Browser, other: Browser) -> None:
    """Behind More, from the owner’s board only; the code for a spectator is on everybody’s."""
    id = client.start()
    page = client.get(f"/en/m/{id}/more").text
    assert "Add an opponent or a second pencil" in page and f"/en/m/{id}/phones" in page
    page = other.get(f"/en/m/{id}/more").text
    assert "Add an opponent" not in page and "code.svg" in page


def test_a_double_tap_makes_one_link(client: Browser) -> None:
    """The same form is one link, another button of it is another."""
    id = client.start()
    assert invite(client, id, form_key="k") == invite(client, id, form_key="k")
    assert invite(client, id, "opponent:A", form_key="k") != invite(client, id, form_key="k")
    page = client.get(f"/en/m/{id}/phones").text
    assert len(re.findall(r"/phones/links/[\w-]+/revoke", page)) == 2


def test_a_code_that_leads_to_this_machine_only_says_so(client: Browser) -> None:
    """Where the app is open under a name that means the machine itself, and nowhere else."""
    id = client.start()
    invite(client, id)
    [link] = re.findall(r"/phones/links/([\w-]+)/revoke", client.get(f"/en/m/{id}/phones").text)
    assert "Another phone cannot open this" in client.read(f"/en/m/{id}/phones?link={link}")
    for host, warns in (
        ("localhost:5000", True),
        ("127.0.0.1:8765", True),
        ("[::1]", True),
        ("10.0.0.7", False),
    ):
        with client.application.test_request_context(base_url=f"http://{host}"):
            assert is_known_here_only() == warns


def test_a_link_for_each_side_by_name(client: Browser) -> None:
    """Whatever the game, whoever sits there can be invited."""
    id = client.sit(names=("Ewa", "Jan", "Ala", "Olek"))
    page = client.get(f"/en/m/{id}/phones").text
    for side, name in zip("ABCD", ("Ewa", "Jan", "Ala", "Olek"), strict=True):
        assert re.search(rf'value="opponent:{side}">(?:(?!</?button).)*<bdi>{name}</bdi>', page, re.DOTALL)


def test_the_code_is_in_the_page(client: Browser) -> None:
    """The link’s code is shown once more at any time, by nobody but the owner, and kept nowhere."""
    id = client.start()
    path = invite(client, id)
    page = client.get(f"/en/m/{id}/phones").text
    assert path not in page
    [again] = re.findall(rf'href="(/en/m/{id}/phones\?link=[\w-]+)#code"', page)
    answer = client.get(again)
    assert path in answer.text and 'src="data:image/svg+xml' in answer.text
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "X-Keep" not in answer.headers
    assert "img-src 'self' data:" in answer.headers["Content-Security-Policy"]


def test_the_list_says_when_and_by_what_it_was_used(client: Browser, other: Browser) -> None:
    """Which kind of phone joined, and when; no token of a browser stands in any page."""
    id = client.start()
    path = invite(client, id)
    assert "Jan · for one phone made" in client.read(f"/en/m/{id}/phones")
    assert "not used yet" in client.read(f"/en/m/{id}/phones")
    join(other, path)
    page = client.get(f"/en/m/{id}/phones")
    assert re.search(r"used by: Android, Chrome, \d\d:\d\d", words(page))
    assert "Jan’s phone" in words(page)
    for browser in (client, other):
        for address in ("", "/phones", "/history"):
            text = browser.get(f"/en/m/{id}{address}").text
            assert "somebody else's browser" not in text and "the browser of this test" not in text


def test_a_phone_of_no_known_kind(client: Browser, other: Browser) -> None:
    """Nothing is guessed."""
    id = client.start()
    join(other, invite(client, id, "spectator"), "<b>x</b>")
    page = client.get(f"/en/m/{id}/phones")
    assert "a phone of an unknown kind" in words(page) and "<b>x" not in page.text


def test_the_pencil_is_handed_over_and_taken_back(client: Browser, other: Browser) -> None:
    """Who has it records; taken back from the board in one tap, the next request is refused."""
    id = client.start()
    join(other, invite(client, id))
    assert other.get(f"/en/m/{id}/deal").status_code == 403
    [grant] = grant_ids(client, id)
    assert give(client, id, grant).location == f"/en/m/{id}"
    board = client.get(f"/en/m/{id}")
    assert "Jan’s phone has the pencil too Take back" in words(board)
    form = re.search(rf'action="(/en/m/{id}/phones/{grant}/pencil)"', board.text)
    assert form is not None
    assert other.get(f"/en/m/{id}/deal").status_code == 200
    assert other.post(f"/en/m/{id}/deal", data={**TOTALS, "do": "save", "seq": "0"}).status_code == 303
    client.post(form[1])
    refused = other.post(f"/en/m/{id}/deal", data={**TOTALS, "do": "save", "seq": "1"})
    assert refused.status_code == 403
    assert "This phone does not have the pencil" in words(refused)
    assert "Nothing was saved. Go back: what you typed is still there." in words(refused)
    said = client.read(f"/en/m/{id}")
    assert "The pencil is back." in said and "has the pencil too" not in said


def test_a_pencil_gives_back_but_hands_nothing_on(client: Browser, other: Browser, app: Flask) -> None:
    """What is the owner’s alone is refused to all others, with the reason."""
    id = client.start()
    third = app.test_client()
    join(other, invite(client, id, "pencil"))
    [pencil] = grant_ids(client, id)
    join(third, invite(client, id, "spectator"))
    [spectator] = {*grant_ids(client, id)} - {pencil}
    pages = [words(browser.get(f"/en/m/{id}/phones")) for browser in (client, other, third)]
    assert ["Add a phone" in page for page in pages] == [True, False, False]
    for browser, its, another in ((other, pencil, spectator), (third, spectator, pencil)):
        assert give(browser, id, another, gives=False).status_code == 403
        assert give(browser, id, "nothing").status_code == 403
        assert browser.post(f"/en/m/{id}/phones/{another}/revoke").status_code == 403
        assert give(browser, id, its, gives=True).status_code == 403
    assert "Only the phone the match began on can do this" in words(give(other, id, spectator))
    assert give(other, id, pencil, gives=False).status_code == 303
    assert other.get(f"/en/m/{id}/deal").status_code == 403


def test_what_is_gone_is_no_error(client: Browser) -> None:
    """A phone that has left meanwhile is handed nothing; revoked twice is revoked."""
    id = client.start()
    answer = give(client, id, "nothing")
    assert "That phone has left in the meantime." in client.read(answer.location)
    assert client.post(f"/en/m/{id}/phones/nothing/revoke").status_code == 303
    assert client.post(f"/en/m/{id}/phones/links/nothing/revoke").status_code == 303


def test_a_phone_leaves(client: Browser, other: Browser) -> None:
    """It asks first; the match is out of its list, and its link takes it back in no more."""
    id = client.start()
    path = invite(client, id)
    join(other, path)
    page = other.get(f"/en/m/{id}/phones")
    assert "This phone speaks for Jan" in words(
        page
    ) and "A link for one phone does not bring it back." in words(page)
    [grant] = grant_ids(client, id)
    assert f"/phones/{grant}/revoke" in page.text
    answer = other.post(f"/en/m/{id}/phones/{grant}/revoke")
    assert answer.location == "/en/"
    front = other.read("/en/")
    assert "This phone has left the match." in front and "Continue the match" not in front
    assert join(other, path).status_code == 404
    assert "This phone is watching." in other.read(f"/en/m/{id}/phones")


@pytest.mark.parametrize("action", ["link", "phone"])
def test_what_is_revoked_ends_at_once(client: Browser, other: Browser, action: str) -> None:
    """A link with all who joined by it, or one phone: its next request is refused, there is no way back."""
    id = client.start()
    path = invite(client, id, "pencil")
    join(other, path)
    page = client.get(f"/en/m/{id}/phones").text
    pattern = (
        r"/phones/links/[\w-]+/revoke" if action == "link" else rf"/phones/{grant_ids(client, id)[0]}/revoke"
    )
    [address] = re.findall(pattern, page)
    assert client.post(f"/en/m/{id}{address}").status_code == 303
    refused = other.post(f"/en/m/{id}/deal", data={**TOTALS, "do": "save", "seq": "0"})
    assert refused.status_code == 403 and "This phone can only watch" in words(refused)
    assert "Continue the match" not in other.read("/en/")
    assert other.get(f"/en/m/{id}").status_code == 200
    assert join(other, path).status_code == 404
    assert grant_ids(client, id) == []


def test_a_lasting_link_brings_back_who_left_but_not_who_was_removed(client: Browser, other: Browser) -> None:
    """Who leaves may think better of it; who was put out needs a new link."""
    id = client.start()
    path = invite(client, id, "opponent:B", "lasting")
    for browser in (other, client):
        assert join(other, path).status_code == 303
        browser.post(f"/en/m/{id}/phones/{grant_ids(client, id)[0]}/revoke")
        assert grant_ids(client, id) == []
    assert join(other, path).status_code == 404
    assert join(other, invite(client, id)).status_code == 303


def test_what_the_phone_keeps_follows_from_what_it_may(client: Browser, other: Browser, app: Flask) -> None:
    """A pencil’s phone keeps the forms too, an opponent’s what it can read, a stranger’s nothing of it."""
    id = client.start()
    join(other, invite(client, id))
    stored = other.get(f"/en/m/{id}").headers["X-Keep-Anew"]
    assert f"/en/m/{id}/history" in stored and "/deal" not in stored and "/names" not in stored
    join(other, invite(client, id, "pencil"))
    stored = other.get(f"/en/m/{id}").headers["X-Keep-Anew"]
    assert f"/en/m/{id}/deal" in stored and f"/en/m/{id}/names" in stored
    assert "X-Keep" not in app.test_client().get(f"/en/m/{id}").headers


def test_one_phone_alone_sees_nothing_new(client: Browser) -> None:
    """Without a second phone the board says nothing of pencils."""
    board = client.read(f"/en/m/{client.start()}")
    assert "Hand over" not in board and "Take back" not in board
