"""Move to another phone: by a code or by recovery words it becomes the same person, once and in time."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from moving import ME, SEVEN, is_mine, say_yes, scan, show_code, show_words, start, token, type_in

from companion.matches import Access, Matches, Role
from companion.store.sql import SqlStore
from companion.web.shell.security.browser import mark_of
from tests.web.browsers import words

Words = Callable[[Any], str]


@pytest.fixture
def clock(app: Flask) -> Iterator[list[datetime]]:
    """The app's clock: what it says can be changed."""
    before, said = app.extensions["matches"], [datetime.now(UTC)]
    app.extensions["matches"] = Matches(SqlStore(), "secret", lambda: said[0])
    yield said
    app.extensions["matches"] = before


# --- by a code ---------------------------------------------------------------------------------------


def test_a_code_moves_everything(client: FlaskClient, phone: FlaskClient) -> None:
    """Matches are in the list and can be written in, rulings are there; and the old phone has them too."""
    address = start(client)
    page = scan(phone, show_code(client))
    assert "Make this phone the same as the one with these matches?" in words(page)
    assert "Ewa – Jan" in words(page)
    assert "1 match in all." in words(page)
    assert not is_mine(phone, address)
    answer = say_yes(phone, page)
    assert (answer.status_code, answer.location) == (303, "/en/")
    listed = phone.get("/en/")
    assert "This phone now has the same matches as the other one. Both keep working." in words(listed)
    assert address in listed.text
    assert token(phone) == ME
    assert is_mine(phone, address)
    assert is_mine(client, address)


def test_joined_matches_come_along(
    app: Flask, client: FlaskClient, other: FlaskClient, phone: FlaskClient
) -> None:
    """What the old phone may do in the matches of others, the new one may too."""
    address = start(other)
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        match = matches.open(address.rsplit("/", 1)[1])
        made = matches.invitations.make_link(match, Access(Role.OWNER), Role.PENCIL, None, True, "form")
        matches.invitations.join(str(made.secret), ME, "Android, Chrome")
    assert is_mine(client, address)
    say_yes(phone, scan(phone, show_code(client)))
    assert is_mine(phone, address)
    assert address in phone.get("/en/").text


def test_a_code_is_used_once(client: FlaskClient, phone: FlaskClient, app: Flask) -> None:
    """To look at the question uses nothing up; to say yes does."""
    start(client)
    code = show_code(client)
    late = app.test_client()
    for _time in range(3):
        scan(phone, code)
    asked = scan(late, code)
    say_yes(phone, scan(phone, code))
    answer = say_yes(late, asked)
    assert answer.status_code == 404
    assert token(late) is None
    assert "code is unknown, already used, or older than ten minutes" in words(answer)
    assert scan(late, code).status_code == 404
    assert "The other phone has taken the code" in words(client.get("/en/move/code"))


def test_how_long_is_said(client: FlaskClient, clock: list[datetime]) -> None:
    """The time by the server's clock, and the moment itself, for the phone to count down to."""
    start(client)
    clock[0] = datetime.now(UTC).replace(hour=11, minute=42, second=0, microsecond=0)
    show_code(client)
    ends_at = clock[0] + timedelta(minutes=10)
    page = client.get("/en/move/code")
    assert f">{ends_at.astimezone():%H:%M}</time>, for one phone." in page.text
    assert f"Valid until {ends_at.astimezone():%H:%M}" in words(page)
    assert f'data-left="{ends_at.isoformat(timespec="milliseconds")}"' in page.text


@pytest.mark.parametrize("wrong", ["x" * 22, "nonsense", "abandon ability", SEVEN.replace(" ", "-"), "ß"])
def test_wrong_codes(phone: FlaskClient, wrong: str) -> None:
    """One that never was is answered like one that is over; nothing of anybody is shown."""
    answer = phone.get(f"/en/move/{wrong}")
    assert answer.status_code == 404
    said = words(answer)
    assert "This code is unknown, already used, or older than ten minutes: show a new one." in said
    assert wrong not in answer.text.replace(f"/move/{wrong}", "")


def test_the_short_address_speaks_the_phones_language(client: FlaskClient, phone: FlaskClient) -> None:
    """The code has no language; the phone that scans it has."""
    start(client)
    assert "Zrobić z tego telefonu taki sam" in words(scan(phone, show_code(client), "pl"))


def test_guesses_are_limited(client: FlaskClient, phone: FlaskClient) -> None:
    """Twenty wrong ones, by whatever door; the right one is let in even then."""
    start(client)
    code = show_code(client)
    for number in range(10):
        assert phone.get(f"/en/move/{str(number) * 22}").status_code == 404
        assert phone.post("/en/move/here", data={"told": SEVEN}).status_code == 404
    answer = phone.post("/en/move/here", data={"told": SEVEN})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 500
    assert say_yes(phone, scan(phone, code)).status_code == 303


def test_the_same_phone(client: FlaskClient) -> None:
    """Who opens the code on the phone that shows it is told so; it stays good for the other."""
    start(client)
    code = show_code(client)
    assert "This phone has these matches already" in words(scan(client, code))
    assert client.post("/en/browser/move", data={"whose": mark_of(ME)}).location == "/en/move/here"
    assert code in client.get("/en/move/code").text


# --- by words ----------------------------------------------------------------------------------------


def test_words_bring_everything_back(client: FlaskClient, phone: FlaskClient) -> None:
    """Typed as people do; then they are used up, and new ones are offered at once."""
    address = start(client)
    reported = show_words(client)
    page = type_in(phone, "\n".join(f"{n}. {word[:4].upper()}" for n, word in enumerate(reported.split(), 1)))
    assert "Ewa – Jan" in words(page)
    answer = say_yes(phone, page)
    assert (answer.status_code, answer.location) == (303, "/en/move/words")
    offered = phone.get(answer.location)
    assert "The words that you typed are used up: make new ones." in words(offered)
    assert ">Make recovery words</button>" in offered.text
    assert is_mine(phone, address)
    assert type_in(phone, reported).status_code == 404
    assert show_words(phone) != reported


def test_words_are_shown_once(client: FlaskClient) -> None:
    """After a reload it is said that there are some, and since when; never which."""
    start(client)
    assert client.post("/en/move/words").status_code == 303
    for _time in range(2):  # fetched in the background nobody sees them
        assert '<li lang="en">' not in client.get("/en/move/words", headers={"X-Keep": "1"}).text
    shown = client.get("/en/move/words")
    reported = re.findall(r'<li lang="en">([a-z]+)</li>', shown.text)
    assert len(reported) == 7
    later = client.get("/en/move/words")
    assert not [word for word in reported if f">{word}<" in later.text]
    assert "There are words, made on" in words(later)
    assert "nobody can look them up again" in words(later)


def test_new_words_are_made_after_a_question(client: FlaskClient, phone: FlaskClient) -> None:
    """For the old ones end with that, and only with that."""
    start(client)
    old = show_words(client)
    answer = client.post("/en/move/words")
    assert answer.location == "/en/move/words?anew=1"
    assert "Generate new recovery words? The old ones stop working." in words(client.get(answer.location))
    assert type_in(phone, old).status_code == 200
    new = show_words(client, sure="1")
    assert type_in(phone, old).status_code == 404
    assert type_in(phone, new).status_code == 200


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (SEVEN.rpartition(" ")[0], "There must be 7 words; these are 6."),
        (SEVEN.replace("able", "xylophone"), "No recovery word begins like “xylophone”"),
        ("", "There must be 7 words; these are 0."),
    ],
)
def test_a_slip(phone: FlaskClient, typed: str, said: str) -> None:
    """What can be nobody's words is told from what is wrong; what was typed stays."""
    answer = type_in(phone, typed)
    assert answer.status_code == 400
    assert said in words(answer)
    assert f">{typed}</textarea>" in answer.text


def test_wrong_words(client: FlaskClient, phone: FlaskClient) -> None:
    """Words that could be somebody's and are not: those stay in the field, too."""
    answer = type_in(phone, SEVEN)
    assert answer.status_code == 404
    assert "These recovery words are wrong, already used, or replaced by newer ones." in words(answer)
    assert f">{SEVEN}</textarea>" in answer.text
