"""Matches as files on a phone, with a server behind it or alone: taken along, imported, put away, deleted."""

import io
import json
import re
import zipfile
from typing import Any

import pytest
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from companion.offline_app.application import Address
from companion.offline_app.bridge import Bridge
from companion.web.shell.hosts import Host

from .test_bridge import SITE, Visitor, begin, deal


@pytest.fixture(params=[Host.PHONE, Host.ALONE])
def phone(request: pytest.FixtureRequest, addresses: list[Address]) -> Visitor:
    return Visitor(Bridge(addresses, "v1", request.param))


@pytest.fixture
def alone(addresses: list[Address]) -> Visitor:
    return Visitor(Bridge(addresses, "v1", Host.ALONE))


def play(visitor: Visitor) -> str:
    """A match with a deal; the path of its board."""
    match = begin(visitor)
    assert visitor.post(f"{match}/deal", deal(visitor, match))[0] == 303
    return match


def fetch(visitor: Visitor, path: str) -> tuple[int, dict[str, str], bytes]:
    status, headers, content = visitor.bridge.handle("GET", SITE + path, b"", "{}")
    return status, dict(json.loads(headers)), content


def take_along(visitor: Visitor) -> bytes:
    """The file with all matches."""
    status, headers, content = fetch(visitor, "/en/export/matches.zip")
    assert (status, headers["Content-Type"]) == (200, "application/zip")
    assert headers["Content-Disposition"].startswith("attachment; filename=companion-20")
    return content


def unpack(content: bytes) -> list[dict[str, Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [json.loads(archive.read(name)) for name in archive.namelist() if name.startswith("matches/")]


def send_file(visitor: Visitor, content: bytes) -> str:
    """Choose a file for the import; the page on which it is looked through."""
    boundary, body = encode_multipart({"file": FileStorage(io.BytesIO(content), "all.zip")})
    headers = {"Content-Type": f'multipart/form-data; boundary="{boundary}"'}
    status, said, _content = visitor.bridge.handle("POST", f"{SITE}/en/import", body, json.dumps(headers))
    assert status == 303
    return str(dict(json.loads(said))["Location"])


def test_all_matches_are_taken_along_without_network(phone: Visitor) -> None:
    """At once, as one file that a page links to; each match with its history."""
    match = play(phone)
    page = phone.get("/en/export")[2]
    assert 'href="/en/export/matches.zip"' in page and "1 match started on this phone" in page
    (record,) = unpack(take_along(phone))
    assert (record["id"], len(record["entries"])) == (match.rpartition("/")[2], 1)


def test_nothing_to_take_along(phone: Visitor) -> None:
    assert "matches.zip" not in phone.get("/en/export")[2]
    assert phone.get("/en/export/matches.zip")[:2][0] == 303


def test_one_match_and_an_evening_are_taken_along(phone: Visitor) -> None:
    """A page of the server, left open, may ask for a file to be made: it is, and is there at once."""
    match = play(phone)
    assert 'href="/en/m' in phone.get(f"{match}/export")[2]
    assert json.loads(fetch(phone, f"{match}/record.json")[2])["entries"]
    assert fetch(phone, f"{match}/table.csv")[1]["Content-Type"].startswith("text/csv")
    made = phone.post(f"{match}/export/evening", {})[1]["Location"]
    assert "The file is ready" in phone.get(made)[2]
    assert len(unpack(fetch(phone, f"{made}/matches.zip")[2])) == 1


def test_a_file_brings_them_to_another_phone_alone(alone: Visitor, addresses: list[Address]) -> None:
    """Shown first, then imported: the same match by the same address; a second time it is there already."""
    match = play(alone)
    content = take_along(alone)
    other = Visitor(Bridge(addresses, "v1", Host.ALONE), me="ba9876543210")
    assert "network" not in other.get("/en/import")[2]
    looked = send_file(other, content)
    assert "New: 1" in other.get(looked)[2]
    assert other.get(match)[0] == 404, "nothing is imported yet"
    assert other.post(looked, {})[0] == 303
    assert "Imported" in other.get(looked)[2]
    other.begin()
    assert ">90<" in re.sub(r"\s", "", other.get(match)[2]), "it was stored"
    assert other.post(f"{match}/deal", deal(other, match))[0] == 303, "it goes on there"
    assert "Here already: 1" in alone.get(send_file(alone, content))[2]


def test_what_was_forgotten_is_chosen_again(alone: Visitor) -> None:
    """A browser may have ended the app, and with it the file, while somebody read what is in it."""
    looked = "/en/import/0123456789abcdef"
    for answer in (alone.get(looked), alone.post(looked, {})):
        assert (answer[0], answer[1]["Location"]) == (303, "/en/import?again=1")
    assert "choose it here" in alone.get("/en/import?again=1")[2]


def test_a_phone_alone_puts_away_and_deletes(alone: Visitor) -> None:
    """As a server does; what was done is there after another start."""
    match = play(alone)
    assert alone.post(f"{match}/put-away", {})[0] == 303
    alone.begin()
    assert f'action="{match}/bring-back"' in alone.get("/en/put-away")[2]
    assert match not in alone.get("/en/")[2]
    assert len(unpack(take_along(alone))) == 1, "what is put away is taken along"
    assert alone.post(f"{match}/bring-back", {})[0] == 303
    assert match in alone.get("/en/")[2]
    asked = alone.get(f"{match}/delete")[2]
    assert "Delete this match?" in asked and "those who joined" not in asked
    assert alone.post(f"{match}/delete", {})[0] == 303
    alone.begin()
    assert alone.get(match)[0] == 410
    assert f'action="{match}/bring-back"' in alone.get("/en/bin")[2]
    assert alone.post(f"{match}/erase", {})[0] == 303
    assert not [key for key in alone.rows if key[0] == "match"]


@pytest.mark.parametrize("path", ["/en/import", "/en/bin", "/en/put-away"])
def test_before_a_server_only_it_changes_what_it_has(addresses: list[Address], path: str) -> None:
    """One sentence says so, also where one would tap."""
    phone = Visitor(Bridge(addresses, "v1", Host.PHONE))
    assert phone.get(path)[0] == 503
    match = play(phone)
    assert "Archiving and deleting need the network." in phone.get(f"{match}/export")[2]
