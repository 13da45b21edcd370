"""A form that is sent twice, at once or later, or without what it was made from: nothing doubled or lost."""

import threading
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.matches import Matches, WithdrawEntry
from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import COOKIE
from tests.web.browsers import Browser, words

TAPS = 6
HEARTS = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
DEAL = {"way": "outcome", "bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65"}
NEW = {"game": "derda", "name-A": "Ewa", "name-B": "Jan", "dealer": "A"}
DURAK = NEW | {"game": "durak", "table": "2"}


@pytest.fixture
def served(make_app: Callable[..., Flask]) -> Flask:
    """An app that has to connect anew, as those of a server do."""
    return make_app()


def tap(browser: FlaskClient, address: str, form: dict[str, str]) -> list[tuple[int, str]]:
    """The answers to one form, sent several times in one moment: their status, and where they lead."""
    answers: list[tuple[int, str]] = []
    ready = threading.Barrier(TAPS)
    cookie = browser.get_cookie(COOKIE)
    assert cookie is not None

    def send() -> None:
        thumb = browser.application.test_client()
        thumb.set_cookie(COOKIE, cookie.value)
        ready.wait()
        answer = thumb.post(address, data=form)
        answers.append((answer.status_code, answer.location or ""))

    thumbs = [threading.Thread(target=send) for _tap in range(TAPS)]
    for thumb in thumbs:
        thumb.start()
    for thumb in thumbs:
        thumb.join()
    return answers


def log_of(app: Flask, id: str) -> list[str]:
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        return [event.kind for event in matches.open(id).events]


def test_one_form_many_taps(served: Flask) -> None:
    """Every tap of one form leads where the first does, whatever the form writes; one thing is written."""
    browser = served.test_client()
    browser.get("/en/new")
    for _round in range(4):
        made = tap(browser, "/en/new", NEW | {"form_key": fresh_key()})
        assert made == [(303, made[0][1])] * TAPS
        id = made[0][1].rpartition("/")[2]
        written = ["add", "draft", "add", "add", "withdraw", "restore"]
        forms: list[tuple[str, dict[str, str]]] = [
            ("deal", DEAL | {"do": "save"}),
            ("deal", DEAL | {"do": "draft"}),
            ("deal", DEAL | {"do": "save", "note": "second"}),
            ("more/concede", {"side": "A"}),
            ("undo", {}),
            ("put-back", {}),
        ]
        for seq, (path, form) in enumerate(forms):
            sent = form | {"seq": str(seq), "form_key": fresh_key()}
            answers = tap(browser, f"/en/m/{id}/{path}", sent)
            assert answers == [(303, f"/en/m/{id}")] * TAPS, path
            assert log_of(served, id) == written[: seq + 1]
    assert browser.get("/en/").text.count("/en/m/") == 4


def test_a_hand_that_was_followed_many_taps(served: Flask) -> None:
    """The first tap of a hand's end takes the followed bouts along, and clears them: the others still fit."""
    browser = served.test_client()
    browser.get("/en/new")
    id = browser.post("/en/new", data=DURAK | {"form_key": fresh_key()}).location.rpartition("/")[2]
    for seq, do in enumerate(("first:A", "beaten-off")):
        followed = {"do": do, "seq": str(seq), "form_key": fresh_key()}
        assert browser.post(f"/en/m/{id}/hand/follow", data=followed).status_code == 303, do
    answers = tap(browser, f"/en/m/{id}/hand", {"result": "B", "seq": "2", "form_key": fresh_key()})
    assert answers == [(303, f"/en/m/{id}")] * TAPS
    assert log_of(served, id) == ["draft", "draft", "add"]


def test_one_ruling_many_taps(served: Flask) -> None:
    """A ruling saved by several taps is one, and attached once."""
    browser = served.test_client()
    browser.get("/en/new")
    id = browser.post("/en/new", data=NEW | {"form_key": fresh_key()}).location.rpartition("/")[2]
    address = f"/en/m/{id}/ask/trick/keep?trump=H&leader=A&trick=AH&trick=JH&asked=1"
    form = {"attach": "1", "seq": "0", "form_key": fresh_key()}
    answers = tap(browser, address, form)
    assert answers == [(303, answers[0][1])] * TAPS
    assert log_of(served, id) == ["ruling"]


def test_a_correction_sent_again_after_the_entry_was_withdrawn(client: Browser) -> None:
    """It is the second tap still, and leads where the first one did."""
    id = client.start()
    client.write(id, HEARTS)
    form = DEAL | {"total_A": "80", "total_B": "67", "do": "save", "seq": "1", "form_key": "once"}
    first = client.post(f"/en/m/{id}/entries/1", data=form)
    client.change(id, WithdrawEntry(1))
    again = client.post(f"/en/m/{id}/entries/1", data=form)
    assert (again.status_code, again.location) == (303, first.location)
    assert len(client.log(id)) == 3


def test_going_back_and_typing_something_else(client: Browser) -> None:
    """The form one went back to is not taken for a second tap: what was typed anew is kept, and shown."""
    id = client.start()
    form = DEAL | {"do": "save", "seq": "0", "form_key": "one-form"}
    assert client.post(f"/en/m/{id}/deal", data=form).status_code == 303
    answer = client.post(f"/en/m/{id}/deal", data=form | {"total_A": "97", "total_B": "50"})
    assert answer.status_code == 409
    assert 'value="97"' in answer.text
    assert len(client.log(id)) == 1
    other = client.post("/en/new", data=NEW | {"form_key": "k"}).location
    assert client.post("/en/new", data=NEW | {"form_key": "k", "name-B": "Ola"}).location != other


FORMS = {
    "deal": DEAL | {"do": "save", "note": "typed words"},
    "entries/1": DEAL | {"do": "save", "note": "typed words"},
    "names": {"name-A": "typed words", "name-B": "Jan"},
    "more/adjust": {"side": "A", "points": "5", "reason": "typed words"},
}
HANDS = {
    "hand": {"result": "A", "note": "typed words"},
    "entries/1": {"do": "save", "result": "A", "note": "typed words"},
}
"""What is typed on pages of a match of deals, and of hands."""


@pytest.mark.parametrize(("forms", "said"), [(FORMS, "Deal 2 written"), (HANDS, "Hand 2 written")])
def test_a_page_gone_stale_says_what_changed(
    client: Browser, forms: dict[str, dict[str, str]], said: str
) -> None:
    """What was written meanwhile is shown, what was typed stays, and saving again writes it."""
    for path, form in forms.items():
        entry = HEARTS if forms is FORMS else {"type": "hand", "loser": "B"}
        id = client.start(entry) if forms is FORMS else client.sit(entry)
        client.write(id, entry)
        assert client.fill(id, "undo", seq="1").status_code == 409
        answer = client.fill(id, path, **form, seq="1")
        assert answer.status_code == 409, path
        assert said in words(answer), path
        assert "typed words" in answer.text, path
        assert 'name="seq" value="2"' in answer.text, path
        assert len(client.log(id)) == 2
        assert client.fill(id, path, **form).status_code == 303, path
        assert len(client.log(id)) == 3


@pytest.mark.parametrize("seq", [None, "", "x", "-1", "²", "9" * 5000])
def test_a_write_says_what_it_was_made_from(client: Browser, seq: str | None) -> None:
    """A form without the log's length is refused in a sentence; what was typed stays, ready to be sent."""
    id = client.start(HEARTS)
    carried = {"form_key": fresh_key()} | ({} if seq is None else {"seq": seq})
    for path, form in FORMS.items():
        answer = client.post(f"/en/m/{id}/{path}", data=carried | form)
        assert answer.status_code == 400, path
        assert "does not say how the match stood" in words(answer), path
        assert "typed words" in answer.text, path
        assert 'name="seq" value="1"' in answer.text, path
    for path in ("undo", "put-back", "entries/1/audit"):
        answer = client.post(f"/en/m/{id}/{path}", data=carried | {"do": "withdraw"})
        assert answer.status_code == 400, path
        assert "does not say how the match stood" in words(answer), path
    assert len(client.log(id)) == 1


def test_a_hand_says_what_it_was_made_from(client: Browser) -> None:
    """The same for the fool and for the bouts."""
    id = client.sit(names=("Ewa", "Jan"))
    answer = client.post(f"/en/m/{id}/hand", data={"result": "B", "note": "typed words"})
    assert answer.status_code == 400
    assert "does not say how the match stood" in words(answer)
    assert "typed words" in answer.text
    answer = client.post(f"/en/m/{id}/hand/follow", data={"do": "first:A"})
    assert answer.status_code == 400
    assert "does not say how the match stood" in words(answer)
    assert client.log(id) == []
