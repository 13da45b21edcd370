"""A match as files, several as one: what is in them, who gets them, and how far the making is."""

import csv
import json
import re
import zipfile
from io import BytesIO, StringIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import archives
from companion.jobs import Dispatcher, Progress, UnderWay
from companion.record.log import Event
from companion.web.archives import exporting
from tests.web.browsers import Browser, words

MADE = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
TIE = {
    "type": "deal",
    "contract": {"declarer": "B", "trump": "S"},
    "totals": {"A": 81, "B": 81},
    "note": "=1",
}
TOKEN = "the browser of this test"


def make(client: FlaskClient, address: str = "/en/export") -> str:
    """The address of the page of a file that was made."""
    answer = client.post(address)
    assert answer.status_code == 303, answer.text
    assert re.fullmatch(r"/en/export/[\w-]{16}", answer.location)
    return str(answer.location)


def unpack(client: FlaskClient, made: str) -> dict[str, Any]:
    """The records in a file that was made, by their ids."""
    with client.get(f"{made}/matches.zip") as answer:
        assert (answer.status_code, answer.mimetype) == (200, "application/zip")
        assert answer.headers["Cache-Control"] == "private, no-store"
        with zipfile.ZipFile(BytesIO(answer.data)) as archive:
            records = [json.loads(archive.read(name)) for name in archive.namelist() if "matches/" in name]
    return {record["id"]: record for record in records}


# --- one match ---------------------------------------------------------------------------------------


def test_the_page_of_a_match(client: Browser, other: Browser) -> None:
    """Everybody may take the match along; only its owner puts it away, deletes it, or takes an evening."""
    id = client.start()
    mine, theirs = client.get(f"/en/m/{id}/export"), other.get(f"/en/m/{id}/export")
    for page in (mine, theirs):
        assert page.status_code == 200
        for ending in ("record.json", "table.csv", "sheet"):
            assert f'href="/en/m/{id}/{ending}"' in page.text
    assert "put-away" in mine.text and f"/m/{id}/delete" in mine.text
    assert "put-away" not in theirs.text and f"/m/{id}/delete" not in theirs.text
    assert "follow each other" not in words(mine)
    for path in ("history", "more"):
        assert f'href="/en/m/{id}/export"' in client.get(f"/en/m/{id}/{path}").text


@pytest.mark.parametrize(("lang", "separator"), [("en", ","), ("pl", ";")])
def test_the_table(client: Browser, lang: str, separator: str) -> None:
    """A row an entry, separated as the spreadsheets of that language expect it; the page says the columns."""
    id = client.start(MADE, TIE, name_A="+Łucja")
    answer = client.get(f"/{lang}/m/{id}/table.csv")
    assert (answer.status_code, answer.mimetype) == (200, "text/csv")
    assert answer.data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(StringIO(answer.data.decode("utf-8-sig")), delimiter=separator))
    assert [row["result"] for row in rows] == ["made", "tie"]
    assert (rows[0]["name_A"], rows[1]["note"], rows[1]["held"]) == ("'+Łucja", "'=1", "81")
    assert answer.headers["Content-Disposition"].isascii()
    assert answer.headers["Content-Disposition"].endswith('.csv"')
    assert ", ".join(archives.COLUMNS) in client.get(f"/{lang}/m/{id}/export").text


# --- several -----------------------------------------------------------------------------------------


def test_all_matches_as_one_file(client: Browser, other: Browser) -> None:
    """Each with its history; only the browser whose matches they are finds the file, also later."""
    ids = {client.start(), client.start(name_A="Ala", name_B="Olek")}
    client.write(min(ids), MADE)
    assert "2 matches started on this phone" in client.read("/en/export")
    made = make(client)
    page = client.get(made)
    assert "The file is ready" in words(page) and "2 matches" in words(page)
    assert f'href="{made}/matches.zip"' in page.text
    assert unpack(client, made).keys() == ids
    assert made in client.get("/en/export").text
    for address in (made, f"{made}/matches.zip"):
        assert other.get(address).status_code == 404
    assert made not in other.get("/en/export").text
    with client.get(f"{made}/matches.zip") as answer:
        assert re.search(r"filename=companion-\d{4}-\d\d-\d\d\.zip", answer.headers["Content-Disposition"])
        with zipfile.ZipFile(BytesIO(answer.data)) as archive:
            assert all(TOKEN.encode() not in archive.read(name) for name in archive.namelist())


def test_an_evening_as_one_file(client: Browser, other: Browser) -> None:
    """The matches that follow each other, up to the one on whose page one is; not the others."""
    first = client.start({"type": "concede", "side": "A"})
    second = client.post(f"/en/m/{first}/rematch", data={"seq": "1", "form_key": "k"}).location[-22:]
    client.start(name_A="Ala")
    assert "one of 2 that follow each other" in client.read(f"/en/m/{second}/export")
    assert unpack(client, make(client, f"/en/m/{second}/export/evening")).keys() == {first, second}
    assert other.post(f"/en/m/{second}/export/evening").status_code == 403


def test_nothing_to_take_along(other: Browser) -> None:
    """Without a match no file is made; the page leads to where one is taken in."""
    page = other.get("/en/export")
    assert "No match was started on this phone yet" in words(page)
    assert 'href="/en/import"' in page.text
    assert other.post("/en/export").location == "/en/export"


def test_a_file_that_is_being_made(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says how far it is, and looks again by itself; there is nothing to download yet."""
    client.start()

    def be_busy(*_asked: Any) -> bytes:
        raise UnderWay(Progress(9, None, 3, 12))

    with monkeypatch.context() as busy:
        busy.setattr(Dispatcher, "do_now", be_busy)
        made = make(client)
        page = client.get(made)
        assert page.status_code == 202 and page.headers["Refresh"] == "2"
        assert "The file is being made" in words(page) and "3 of 12" in words(page)
        assert 'value="3" max="12"' in page.text
        assert client.get(f"{made}/matches.zip").status_code == 404
        assert "being made" in client.read("/en/export")
    assert "The file is ready" in client.read(made)


def test_a_file_that_could_not_be_made(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says so, and tries again on demand."""
    client.start()

    def fail(*given: Any) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as broken:
        broken.setattr(archives, "write_archive", fail)
        made = make(client)
    assert "could not be made" in client.read(made)
    assert client.post(f"{made}/again").location == made
    client.get(made)
    assert len(unpack(client, make(client))) == 1


def test_a_match_that_cannot_be_read(client: Browser, app: Flask) -> None:
    """It does not keep the others from being taken along; the page says which is missing."""
    good, bad = client.start(), client.start()
    with app.app_context():
        store = app.extensions["matches"].store
        store.append_event(bad, 0, Event(0, "add", payload={"type": "unheard-of"}, at="2026"), "k")
    made = make(client)
    assert unpack(client, made).keys() == {good}
    assert "1 match could not be read" in client.read(made)
    assert bad in client.read(made)


def test_many_matches_are_written_by_a_worker(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes long takes nobody's time; the file is the same."""
    monkeypatch.setattr(exporting, "_FEW", 1)
    monkeypatch.setattr(archives, "write_archive", pytest.fail)  # in this process
    ids = {client.start(), client.start()}
    assert unpack(client, make(client)).keys() == ids
