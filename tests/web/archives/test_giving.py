"""A match given by a link: what the link holds, and what becomes of it on another phone."""

import json
import re
import zlib
from base64 import urlsafe_b64decode
from html import unescape
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.archives.giving import pack, unpack
from companion.matches import Access, AmendEntry, Matches, Role
from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser, words

MADE = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
NOTES = "".join(chr(0x4E00 + 37 * n % 20_000) for n in range(190))
"""A note that cannot be packed much."""


def link_of(client: FlaskClient, id: str) -> str:
    """The link that a match's page shows."""
    page = client.get(f"/en/m/{id}/give")
    assert page.status_code == 200
    found = re.search(r'<textarea id="address"[^>]*>([^<]+)</textarea>', page.text)
    assert found
    return unescape(found[1])


def take(client: FlaskClient, link: str) -> Any:
    client.get("/en/given")
    return client.post("/en/given", data={"link": link})


def test_a_match_goes_to_another_phone(client: Browser, other: Browser) -> None:
    """It is there as the other phone's own, with its history; here it stays as it was."""
    id = client.start(MADE)
    before = client.get(f"/en/m/{id}/record.json").get_json()
    link = link_of(client, id)
    assert link.startswith("http://localhost/#give=")
    answer = take(other, link)
    assert answer.status_code == 303
    board = other.get(answer.location)
    assert "The match is in your list now." not in words(board)
    assert "kept beside it" in words(board), "at the same server the id is somebody else's"
    assert f'action="{answer.location}/undo"' in board.text
    arrived = other.get(f"{answer.location}/record.json").get_json()
    assert {**arrived, "id": id} == before
    assert client.get(f"/en/m/{id}/record.json").get_json() == before


def test_one_that_is_here_is_opened(client: Browser) -> None:
    """Nothing is written; one that has gone on in the link goes on here."""
    id = client.start(MADE)
    short = link_of(client, id)
    for _tap in range(2):
        answer = take(client, short)
        assert answer.location == f"/en/m/{id}"
        assert "This match is here already." in client.read(answer.location)
    assert len(client.log(id)) == 1
    record = unpack(short)
    longer = record | {"log": [*record["log"], {"n": 2, "kind": "add", "payload": MADE}]}
    assert take(client, pack({}, longer)).location == f"/en/m/{id}"
    assert "what was written since is added" in client.read(f"/en/m/{id}")
    assert len(client.log(id)) == 2


def test_one_that_was_joined_is_opened(client: Browser, other: Browser, app: Flask) -> None:
    """Whoever takes part in it has it in the list, and gets no copy."""
    id = client.start(MADE)
    other.get("/en/new")
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        invited = matches.invitations.make_link(
            matches.open(id), Access(Role.OWNER), Role.OPPONENT, "B", True, fresh_key()
        )
    assert other.post(f"/en/join/{invited.secret}").status_code == 303
    assert take(other, link_of(client, id)).location == f"/en/m/{id}"
    assert other.get("/en/").text.count('href="/en/m/') == client.get("/en/").text.count('href="/en/m/')


def test_the_score_is_computed_anew(client: Browser) -> None:
    """What a link says of the score is only shown before."""
    record = {"format": "companion-match", "version": 1, "game": "derda", "players": ["Ala", "Olek"]}
    record |= {"first_dealer": "A", "entries": [MADE]}
    answer = take(client, pack({"sides": [["Ala", 999], ["Olek", 1]], "entries": 9}, record))
    board = client.read(answer.location)
    assert "Ala" in board and "82" in board and "999" not in board


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("nothing", "Must be a link to a match"),
        ("http://localhost/#give=eJyrVkrLz1eyUkpKLFKqBQAgygRm", "this one is damaged"),
        (pack({}, {"format": "companion-match", "version": 1}), "(game)"),
        (
            pack({}, {"format": "companion-match", "version": 1, "game": "whist", "players": ["A", "B"]}),
            "(game)",
        ),
    ],
)
def test_what_cannot_be_read_loses_nothing(client: Browser, link: str, said: str) -> None:
    """What was pasted stays; nothing is imported."""
    answer = take(client, link)
    assert answer.status_code == 400
    assert said in words(answer)
    assert f">{link}</textarea>" in answer.text
    assert 'href="/en/m/' not in client.get("/en/").text


def test_a_browser_without_cookies_is_told_so(app: Flask) -> None:
    answer = app.test_client(use_cookies=False).post("/en/given", data={"link": "#give=x"})
    assert answer.status_code == 400
    assert "cookie" in words(answer)


def test_a_code_is_shown_while_there_is_room(client: Browser) -> None:
    """First with the history, then without it; a match with very long notes is sent as a link."""
    id = client.start(MADE)
    page = client.get(f"/en/m/{id}/give")
    assert "data:image/svg+xml" in page.text and "without its history" not in page.text
    for n in range(60):
        client.change(id, AmendEntry(1, MADE | {"note": NOTES[n : n + 9]}))
    page = client.get(f"/en/m/{id}/give")
    assert "data:image/svg+xml" in page.text and "without its history" in page.text
    client.write(id, *[MADE | {"note": NOTES[n:] + NOTES[:n]} for n in range(4)])
    page = client.get(f"/en/m/{id}/give")
    assert "data:image/svg+xml" not in page.text and "Send the link" in words(page)


def test_a_match_too_long_for_a_link_says_so(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.archives.giving.MAX_LINK", 100)
    page = client.get(f"/en/m/{client.start(MADE)}/give")
    assert "too long for a link" in words(page) and "address" not in re.findall(r'id="(\w+)"', page.text)


def test_the_link_tells_nobodys_token(client: Browser) -> None:
    """Phones are letters in it, as in every record."""
    id = client.start(MADE)
    packed = link_of(client, id).partition("#give=")[2]
    content = json.loads(zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))
    assert client.match(id).owner not in json.dumps(content)
    assert content["shown"] == {"sides": [["Ewa", 82], ["Jan", 65]], "entries": 1}


def test_the_way_to_it(client: Browser) -> None:
    """It is in the list of all that belongs to a match; a link can be pasted where files are imported."""
    id = client.start()
    assert f'href="/en/m/{id}/give"' in client.get(f"/en/m/{id}/more").text
    assert 'href="/en/given"' in client.get("/en/import").text
    assert "archives/lead_to_given.js" in client.get("/en/").text
