"""Matches as files on a phone, with a server behind it or alone: taken along, kept, imported, put away."""

import io
import json
import re
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from companion.offline_app import keeping
from companion.offline_app.application import Address
from companion.offline_app.bridge import Bridge
from companion.web.shell.hosts import Host

from .test_bridge import SITE, Visitor, begin, deal, hidden


@pytest.fixture(params=[Host.PHONE, Host.ALONE])
def phone(request: pytest.FixtureRequest, addresses: list[Address]) -> Visitor:
    return Visitor(Bridge(addresses, "v1", request.param))


@pytest.fixture
def alone(addresses: list[Address]) -> Visitor:
    return Visitor(Bridge(addresses, "v1", Host.ALONE))


NOTE = "n" * 22


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


def test_a_file_brings_them_to_another_phone(phone: Visitor, addresses: list[Address]) -> None:
    """Shown first, then imported: the same match by the same address; a second time it is there already."""
    match = play(phone)
    content = take_along(phone)
    other = Visitor(Bridge(addresses, "v1", phone.bridge._host), me="ba9876543210")
    assert 'id="no-network"' not in other.get("/en/import")[2], "files need not wait for one"
    looked = send_file(other, content)
    assert "New: 1" in other.get(looked)[2]
    assert other.get(match)[0] == 404, "nothing is imported yet"
    assert other.post(looked, {})[0] == 303
    assert "Imported" in other.get(looked)[2]
    other.begin()
    assert ">90<" in re.sub(r"\s", "", other.get(match)[2]), "it was stored"
    assert other.post(f"{match}/deal", deal(other, match))[0] == 303, "it goes on there"
    assert "Here already: 1" in phone.get(send_file(phone, content))[2]
    has_server = other.bridge._host.has_server
    assert json.loads(other.bridge.take_state())["unsent"] == 2 * has_server
    if has_server:
        sent = json.loads(other.bridge.next_delivery() or "")
        assert (sent["path"], len(sent["body"]["record"]["log"])) == (f"matches/{sent['id']}/record", 2)


def test_files_are_looked_through_where_they_were_chosen(addresses: list[Address]) -> None:
    """At addresses that the worker leaves to the phone, also when the network is back meanwhile."""
    phone = Visitor(Bridge(addresses, "v1", Host.PHONE))
    assert 'href="/en/pocket/import"' in phone.get("/en/")[2]
    assert 'action="/en/pocket/import"' in phone.get("/en/import")[2]
    assert send_file(phone, b"{}").startswith("/en/pocket/import/")


def test_what_was_forgotten_is_chosen_again(alone: Visitor) -> None:
    """A browser may have ended the app, and with it the file, while somebody read what is in it."""
    looked = "/en/import/0123456789abcdef"
    for answer in (alone.get(looked), alone.post(looked, {})):
        assert (answer[0], answer[1]["Location"]) == (303, "/en/import?again=1")
    assert "choose it here" in alone.get("/en/import?again=1")[2]


def test_a_phone_puts_away_and_deletes(phone: Visitor) -> None:
    """As a server does, without a network; what was done is there after another start.

    Only a phone with a server has something to send then, until the server has erased the match too.
    """
    has_server = phone.bridge._host.has_server
    match = play(phone)
    assert "network" not in phone.get(f"{match}/export")[2].split('id="out"')[1].split("</section>")[0]
    assert phone.post(f"{match}/put-away", {})[0] == 303
    phone.begin()
    assert f'action="{match}/bring-back"' in phone.get("/en/put-away")[2]
    assert match not in phone.get("/en/")[2]
    assert len(unpack(take_along(phone))) == 1, "what is put away is taken along"
    assert "name=Ewa" in phone.get("/en/players")[2], "and counted"
    assert phone.post(f"{match}/bring-back", {})[0] == 303
    assert match in phone.get("/en/")[2]
    asked = phone.get(f"{match}/delete")[2]
    assert "Delete this match?" in asked and ("those who joined" in asked) == has_server
    assert phone.post(f"{match}/delete", {})[0] == 303
    phone.begin()
    assert phone.get(match)[0] == 410
    assert f'action="{match}/bring-back"' in phone.get("/en/bin")[2]
    assert phone.post(f"{match}/erase", {})[0] == 303
    assert match not in phone.get("/en/bin")[2] and phone.get(match)[0] == 404
    state = json.loads(phone.bridge.take_state())
    assert (state["unsent"], len(state["outgoing"])) == ((1, 1) if has_server else (0, 0))
    sent = json.loads(phone.bridge.next_delivery() or "null")
    if has_server:
        assert (sent["path"].rpartition("/")[2], sent["body"]["choice"]) == ("visibility", "erased")
        assert phone.bridge.take_answer(sent["id"], 404, '{"taken": 0}')
        phone.get("/en/")
    assert not [key for key in phone.rows if key[0] == "match"]


def end(visitor: Visitor, match: str) -> None:
    """A side gives the match up."""
    fields = hidden(visitor.get(f"{match}/more")[2]) | {"side": "A"}
    assert visitor.post(f"{match}/more/concede", fields)[0] == 303


def read_line(visitor: Visitor, path: str) -> str:
    """What a page says of matches in no file; empty if nothing."""
    line = re.search(r"<p [^>]*data-unfiled>(.*?)</p>", visitor.get(path)[2], re.DOTALL)
    return "" if line is None else " ".join(re.sub(r"<[^>]*>", " ", line[1]).split())


def keep_file(visitor: Visitor, at: str = "2999") -> None:
    """Keep a file that was made at that time."""
    assert visitor.post("/en/export/kept", {"at": at})[0] == 204


def test_a_match_that_no_file_has_is_asked_about(alone: Visitor) -> None:
    """Once it is over, on its board and on the front page, until a file was kept; the next one again."""
    match = play(alone)
    assert read_line(alone, match) == read_line(alone, "/en/") == "", "it is being played"
    end(alone, match)
    line = "Saved only on this phone: 1 match, not in any file since"
    for path in (match, "/en/"):
        assert read_line(alone, path).startswith(line) and read_line(alone, path).endswith("Keep a file")
    keep_file(alone, "2026-01-01")
    assert read_line(alone, "/en/") != "", "that file was older"
    keep_file(alone)
    alone.begin()
    assert read_line(alone, "/en/") == read_line(alone, match) == ""
    end(alone, play(alone))
    assert read_line(alone, match).startswith(line)
    end(alone, play(alone))
    assert "2 matches, not in any file since" in read_line(alone, match)


def test_a_match_that_was_left_is_asked_about(alone: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody ended it, and nobody has written in it for half a day."""
    play(alone)
    monkeypatch.setattr(keeping, "_PAUSE", timedelta(hours=-1))
    assert "1 match, not in any file" in read_line(alone, "/en/")


def test_what_a_file_brought_is_in_a_file(alone: Visitor, addresses: list[Address]) -> None:
    """Only what was written here later is not."""
    match = play(alone)
    other = Visitor(Bridge(addresses, "v1", Host.ALONE), me="ba9876543210")
    other.post(send_file(other, take_along(alone)), {})
    for row in other.bridge._store.tables.matches.values():
        row.changed_at = "2026"
    assert read_line(other, "/en/") == ""
    end(other, match)
    assert "1 match, not in any file" in read_line(other, "/en/")


def test_where_it_is_saved_is_said_before_the_first_match(alone: Visitor) -> None:
    """An iPhone, as a script finds, is sent to the home screen before it begins there."""
    page = alone.get("/en/new")[2]
    assert "Saved only on this phone." in page and "first_match.js" in page
    assert re.search(r'data-home-screen="false" hidden>\s*<h2>Put the app on the home screen first', page)
    begin(alone)
    assert "Saved only on this phone" not in alone.get("/en/new")[2]


def test_a_server_has_it_all(addresses: list[Address]) -> None:
    phone = Visitor(Bridge(addresses, "v1", Host.PHONE))
    assert "Saved only" not in phone.get("/en/new")[2]
    match = play(phone)
    end(phone, match)
    assert read_line(phone, match) == read_line(phone, "/en/") == ""


def test_what_cannot_be_read_is_offered_as_a_file(alone: Visitor) -> None:
    """The app starts with all else; what was left out stays stored, and nothing takes its place."""
    lost, whole = play(alone), play(alone)
    end(alone, lost)
    content, id = take_along(alone), lost.rpartition("/")[2]
    del alone.rows["event", id, 1]
    alone.rows["ruling", "r"] = {"of": "tomorrow"}
    stored = {key: value for key, value in alone.rows.items() if id in key}
    alone.begin()
    page = alone.get("/en/")[2]
    assert "Something on this phone cannot be read by this version" in page and whole in page
    status, headers, rows = fetch(alone, "/en/export/unreadable.json")
    assert (status, headers["Content-Disposition"][:10]) == (200, "attachment")
    assert {tuple(key) for key, _value in json.loads(rows)["rows"]} == {*stored, ("ruling", "r")}
    alone.post(send_file(alone, content), {})
    assert {key: value for key, value in alone.rows.items() if id in key} == stored
    alone.begin()
    assert alone.get("/en/")[2].count("/en/m/") > page.count("/en/m/"), "it was imported as a copy"


def test_a_log_of_tomorrow_is_offered_as_a_file(alone: Visitor) -> None:
    """Its rows, and in the file with all matches its record, for a version that can read it."""
    match = play(alone)
    id = match.rpartition("/")[2]
    for key in [key for key in alone.rows if key[0] == "event"]:
        alone.rows[key] |= {"payload": {"type": "unheard-of"}}
    alone.rows.pop(("summary", id), None)
    alone.begin()
    assert "Something on this phone cannot be read" in alone.get("/en/")[2]
    assert json.loads(fetch(alone, "/en/export/unreadable.json")[2])["rows"]
    with zipfile.ZipFile(io.BytesIO(take_along(alone))) as archive:
        assert archive.namelist() == [f"unreadable/{id}.json"]
        record = json.loads(archive.read(f"unreadable/{id}.json"))
    assert (record["id"], record["log"][1]["payload"]) == (id, {"type": "unheard-of"})


def test_a_file_of_what_could_not_be_read_brings_it_to_a_version_that_can(
    alone: Visitor, addresses: list[Address]
) -> None:
    """The file of the front page, or all that is stored: matches with their logs, rulings, notes."""
    match, other = play(alone), Visitor(Bridge(addresses, "v1", Host.ALONE), me="ba9876543210")
    id = match.rpartition("/")[2]
    note = {"owner": "me", "at": "2026-05-01T18:00:00+00:00", "content": {"note": "seat", "said": {}}}
    alone.rows["ruling", NOTE] = {"id": NOTE, **note}
    torn = {"owner": "me", "head": None, "created_at": "", "rulebook": "", "changed_at": ""}
    rows = [(("event", "lost", 1), {}), (("match", "torn"), torn), *alone.rows.items()]
    document = {"format": "companion-rows", "version": 1, "rows": rows}
    looked = send_file(other, json.dumps(document, indent=1).encode())
    page = re.sub(r"(<[^>]*>|\s)+", " ", other.get(looked)[2])
    refused = "Must be rows that this version of the app can read"
    assert "New: 2" in page and f"lost.json {refused}" in page and f"torn.json {refused}" in page
    assert other.post(looked, {})[0] == 303
    other.begin()
    assert ">90<" in re.sub(r"\s", "", other.get(match)[2])
    assert other.rows["event", id, 1]["payload"] == alone.rows["event", id, 1]["payload"]
    assert ("ruling", NOTE) in other.rows
