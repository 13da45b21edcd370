"""What a page says of a job that takes longer: how far it is, why it failed, and when to come again."""

import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import chores
import pytest
from derda import RIGHT, by_cards
from flask import Flask
from werkzeug.test import TestResponse

from companion import library
from companion.jobs import (
    AskedTooMuch,
    Dispatcher,
    Job,
    OutOfMemory,
    Progress,
    QueueFull,
    TookTooLong,
    UnderWay,
)
from companion.matches import AddEntry, Submission
from companion.web.rulings import query_of
from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser, known_browser, words

FACTS = {
    "hands": {"A": ["JH", "9H", "AH", "10H", "KH"], "B": ["AS", "10S", "KS", "QS", "JS"]},
    "leader": "A",
    "trump": "H",
    "claimer": "A",
}
ASKED = urlencode([*query_of(FACTS), ("asked", "1")])
CLAIM = f"/en/ask/derda/claim?{ASKED}"
REQUEST = {"game": "derda", "question": "claim", **FACTS}


@pytest.fixture
def hasty(make_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """An app that waits for nothing heavy."""
    monkeypatch.setattr("companion.jobs.job.PAGE_TIMEOUT", 0)
    app = make_app(WORKERS=1)
    yield app
    app.extensions["dispatcher"].close()


@pytest.fixture
def gate(hasty: Flask, tmp_path: Path) -> Path:
    """While there is no such file the one worker is busy with somebody else's work."""
    while keep_busy(hasty, tmp_path / "gate", "somebody else").before is not None:
        time.sleep(0.01)
    return tmp_path / "gate"


def keep_busy(app: Flask, gate: Path, browser: str) -> Progress:
    """Ask for what lasts until there is such a file; how far that is."""
    with pytest.raises(UnderWay) as under_way:
        dispatcher_of(app).ask(Job(gate.name, chores.wait_for, (str(gate),)), browser)
    return under_way.value.progress


def dispatcher_of(app: Flask) -> Dispatcher:
    dispatcher: Dispatcher = app.extensions["dispatcher"]
    return dispatcher


def ask_until_done(ask: Callable[[], TestResponse]) -> TestResponse:
    """The answer that comes in the end."""
    until = time.monotonic() + 300
    while (answer := ask()).status_code == 202:
        assert time.monotonic() < until
        time.sleep(0.02)
    return answer


def test_a_heavy_ruling_is_under_way_and_then_there(hasty: Flask, gate: Path) -> None:
    """At one address; the page looks again by itself, and says how many come before."""
    client = known_browser(hasty, "A")
    keep_busy(hasty, gate.with_name("second"), "B")
    answer = client.get(CLAIM)
    assert answer.status_code == 202
    assert (answer.headers["Refresh"], answer.headers["Retry-After"]) == ("1", "1")
    assert answer.headers["Cache-Control"] == "no-store"
    page = words(answer)
    assert "Is the rest mine?" in page
    assert "1 other is ahead of it. Under way for 0 seconds." in page
    assert "the work continues, and what you asked is in its address" in page
    assert f'href="{CLAIM}"' in unescape(answer.text)
    form = client.get(unescape(answer.text.split('class="btn block" href="')[1].split('"')[0]))
    assert form.status_code == 200 and 'value="10H" checked' in form.text
    gate.touch()
    gate.with_name("second").touch()
    done = ask_until_done(lambda: client.get(CLAIM))
    assert "Yes, Player A can force it." in words(done) and "Refresh" not in done.headers
    assert "W toku" not in words(known_browser(hasty, "C").get(CLAIM.replace("/en/", "/pl/", 1)))


def test_a_quick_ruling_waits_for_nothing(hasty: Flask, gate: Path) -> None:
    """It is answered at once, whatever else is under way."""
    facts = "trump=H&leader=A&claimer=A&hands.A=9H&hands.B=8H&asked=1"
    assert "Yes, Player A can force it." in words(hasty.test_client().get(f"/en/ask/derda/claim?{facts}"))
    gate.touch()


@pytest.mark.nightly
def test_what_is_wrong_is_said_when_it_is_found(hasty: Flask) -> None:
    """At the field, as for a quick ruling."""
    facts = FACTS | {"hands": {"A": ["JH", "9H", "AH", "10H", "KH"], "B": ["JH", "10S", "KS", "QS", "JS"]}}
    address = f"/en/ask/derda/claim?{urlencode([*query_of(facts), ('asked', '1')])}"
    answer = ask_until_done(lambda: hasty.test_client().get(address))
    assert answer.status_code == 400 and 'id="hands-B-error"' in answer.text


@pytest.mark.nightly
def test_a_sheet_is_under_way_and_then_there(hasty: Flask, gate: Path) -> None:
    """The page becomes the PDF by itself; a second browser that wants it takes no second place."""
    address = "/en/sheets/derda/card.pdf?paper=a5"
    first, second = (known_browser(hasty, token).get(address) for token in "AB")
    for answer in (first, second):
        assert answer.status_code == 202 and answer.headers["Refresh"] == f"1; url={address}&waited=1"
        assert "The sheet is being printed" in words(answer) and "It is next." in words(answer)
    gate.touch()
    done = ask_until_done(lambda: known_browser(hasty, "A").get(address))
    assert done.data.startswith(b"%PDF") and "Derda" in done.headers["Content-Disposition"]
    assert known_browser(hasty, "B").get(address).data == done.data
    tag = {"If-None-Match": done.headers["ETag"]}
    assert known_browser(hasty, "B").get(address, headers=tag).status_code == 304


@pytest.mark.nightly
def test_an_audit_is_under_way_and_then_there(hasty: Flask, gate: Path) -> None:
    """What it settles is not written before it is there, and the form can be sent again."""
    client = known_browser(hasty, "A")
    form = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A", "form_key": fresh_key()}
    id = client.post("/en/new", data=form).location.rsplit("/", 1)[1]
    with hasty.app_context():
        matches = hasty.extensions["matches"]
        match = matches.open(id)
        matches.write(match, AddEntry(by_cards(RIGHT)), Submission(match.owner, match.seq, fresh_key()))
        [entry] = (entry.id for entry in matches.open(id).standing_entries)
    address = f"/en/m/{id}/entries/{entry}/audit"
    looked = client.get(address)
    assert looked.status_code == 202 and "What was wrong in this deal?" in words(looked)
    assert "data-seen" not in looked.text
    sent = client.post(address, data={"form_key": fresh_key(), "seq": "1"})
    assert sent.status_code == 503 and int(sent.headers["Retry-After"]) >= 1
    assert "Nothing was saved yet; this page keeps what you typed" in words(sent)
    assert 'name="form_key"' in sent.text
    gate.touch()
    assert "Nothing was wrong." in words(ask_until_done(lambda: client.get(address)))


def test_the_program_is_told_when_to_ask_again(hasty: Flask, gate: Path) -> None:
    """The same request gets the ruling in the end."""
    client = hasty.test_client()
    answer = client.post("/api/rule", json=REQUEST)
    assert answer.status_code == 202 and int(answer.headers["Retry-After"]) >= 1
    assert answer.get_json()["status"] == "under way" and answer.get_json()["before"] == 0
    gate.touch()
    done = ask_until_done(lambda: client.post("/api/rule", json=REQUEST))
    assert (done.status_code, done.get_json()) == (200, library.rule(REQUEST).plain())


def test_who_asks_too_much_is_told_so(hasty: Flask, gate: Path) -> None:
    """A browser has its share; the page keeps what was asked and tries again; others are let in."""
    client = known_browser(hasty, "A")
    claims = [CLAIM.replace("claimer=A", f"claimer=A&wants={points}") for points in range(10, 15)]
    answers = [client.get(claim) for claim in claims]
    assert [answer.status_code for answer in answers] == [202] * 4 + [429]
    wait = int(answers[-1].headers["Retry-After"])
    assert wait >= 1 and answers[-1].headers["Refresh"] == str(wait)
    assert "Too many pending questions" in words(answers[-1])
    assert f"Try again in {wait} second" in words(answers[-1])
    assert f'href="{claims[-1]}"' in unescape(answers[-1].text)
    assert known_browser(hasty, "B").get(claims[-1]).status_code == 202
    gate.touch()


@pytest.mark.parametrize(
    ("fault", "status", "said"),
    [
        (
            QueueFull(7),
            503,
            "The server is busy Many other questions are being worked out just now. Try again in 7 seconds.",
        ),
        (AskedTooMuch(1), 429, "Try again in 1 second."),
        (TookTooLong(), 503, "This takes too long The server gave up after 120 seconds"),
        (OutOfMemory(), 503, "There is too little memory for this"),
        (UnderWay, 503, "The answer is still being worked out"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_every_end_of_it_has_a_page(
    client: Browser, monkeypatch: pytest.MonkeyPatch, fault: Any, status: int, said: str
) -> None:
    """Which says when to come again; a form that was sent is kept, and a program told in JSON."""
    raised = fault(Progress(5, None)) if fault is UnderWay else fault

    def refuse(*asked: Any) -> bytes:
        raise raised

    monkeypatch.setattr(Dispatcher, "ask", refuse)
    sent = client.post(f"/en/ask/derda/claim/keep?{ASKED}", data={"form_key": "key-of-this-form-12"})
    assert sent.status_code == status and said in words(sent)
    assert int(sent.headers["Retry-After"]) >= 1 and "Refresh" not in sent.headers
    assert 'name="form_key" value="key-of-this-form-12"' in sent.text
    assert f'action="/en/ask/derda/claim/keep?{ASKED}"' in unescape(sent.text)
    answer = client.post("/api/rule", json=REQUEST)
    assert answer.status_code == (202 if fault is UnderWay else status)
    assert answer.get_json()["retry_after"] == int(answer.headers["Retry-After"])
    looked = client.get(CLAIM)
    assert looked.status_code == (202 if fault is UnderWay else status)
    assert ("Refresh" in looked.headers) == (not isinstance(fault, TookTooLong | OutOfMemory))


def test_what_another_version_has_printed_is_printed_anew(
    client: Browser, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of an answer holds the version of the app."""
    keys: list[str] = []

    def take(dispatcher: Dispatcher, job: Job, browser: str) -> bytes:
        keys.append(job.key)
        raise UnderWay(Progress(0))

    monkeypatch.setattr(Dispatcher, "ask", take)
    for version in ("this", "another"):
        monkeypatch.setattr(app.extensions["files"], "version", version)
        for _twice in range(2):
            client.get("/en/sheets/derda/card.pdf")
            client.get(CLAIM)
    assert len(set(keys)) == 4 and keys[:2] == keys[2:4] and keys[4:6] == keys[6:]


def test_a_page_that_waited_for_a_file_says_that_it_is_ready(
    client: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser that downloads the file leaves that page as it is; the file follows at its own address."""
    address = "/en/sheets/derda/card.pdf?paper=a5"
    monkeypatch.setattr(Dispatcher, "ask", lambda *_asked: b'["Derda", [], []]\n%PDF-')
    waited = client.get(f"{address}&waited=1")
    assert (waited.status_code, waited.headers["Refresh"]) == (200, f"0; url={address}")
    assert "The file is ready" in words(waited) and "Derda" in words(waited)
    assert "Under way" not in words(waited) and f'href="{address}"' in unescape(waited.text)
    file = client.get(address)
    assert file.data.startswith(b"%PDF") and "Refresh" not in file.headers
