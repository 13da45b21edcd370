"""Matches imported from files: looked at first, imported once, refused with the place and the reason."""

import json
import re
import shutil
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.jobs import Dispatcher, Job, JobFiles, Progress, UnderWay
from companion.web.archives import importing
from tests.web.browsers import TOKEN, Browser, known_browser, words

MADE = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
LOOSE = {"format": "companion-match", "version": 1, "game": "derda", "players": ["Ala", "Olek"]}
LOOSE |= {"first_dealer": "A", "entries": [MADE]}


def upload(client: FlaskClient, *files: tuple[str, bytes], lang: str = "en", **more: Any) -> TestResponse:
    """Choose files and send the form."""
    data = {"file": [(BytesIO(content), name) for name, content in files], **more}
    return client.post(f"/{lang}/import", data=data, content_type="multipart/form-data")


def look(client: FlaskClient, *files: tuple[str, bytes], lang: str = "en") -> str:
    """The address of the page that says what is in them."""
    client.get(f"/{lang}/import")
    answer = upload(client, *files, lang=lang)
    assert answer.status_code == 303, answer.text
    assert re.fullmatch(rf"/{lang}/import/[\w-]{{16}}", answer.location)
    return str(answer.location)


def pack(**files: Any) -> bytes:
    """An archive."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.json", content if isinstance(content, str) else json.dumps(content))
    return packed.getvalue()


def record_of(client: FlaskClient, id: str) -> bytes:
    return bytes(client.get(f"/en/m/{id}/record.json").data)


def count(client: FlaskClient) -> int:
    """The matches on the front page."""
    return len(set(re.findall(r"/en/m/([\w-]{22})\"", client.get("/en/?all=1").text)))


def test_a_match_on_another_phone(client: Browser, other: Browser) -> None:
    """It is shown, then taken: the same board, the same history, now the other phone's as well as a copy."""
    id = client.start(MADE)
    page = look(other, ("ewa.json", record_of(client, id)))
    shown = other.read(page)
    assert "Ewa – Jan" in shown and "1 deal" in shown and "ewa.json" in shown
    assert count(other) == 0, "nothing is taken yet"
    assert other.post(page).location == page
    taken = other.get(page)
    [address] = re.findall(r'href="(/en/m/[\w-]+)"', taken.text)
    assert "82" in other.read(address)
    assert count(other) == 1
    assert f'action="{address}/undo"' in other.get(address).text


def test_what_was_deleted_comes_back(client: Browser) -> None:
    """Exported, erased, imported: the very same match, by the same address."""
    id = client.start(MADE)
    before = client.get(f"/en/m/{id}/record.json").get_json()
    document = record_of(client, id)
    client.post(f"/en/m/{id}/delete")
    client.post(f"/en/m/{id}/erase")
    assert client.get(f"/en/m/{id}").status_code == 404
    page = look(client, ("a.json", document))
    assert "New: 1" in client.read(page)
    client.post(page)
    assert client.get(f"/en/m/{id}/record.json").get_json() == before


def test_nothing_is_taken_twice(client: Browser) -> None:
    """What is here already is left alone; what is longer goes on; what differs is kept beside it."""
    id = client.start(MADE)
    short = record_of(client, id)
    page = look(client, ("a.json", short))
    assert "Here already: 1" in client.read(page)
    assert f'action="{page}"' not in client.get(page).text
    client.post(page)
    assert count(client) == 1
    record = json.loads(short)
    longer = [*record["entries"], MADE], [*record["log"], {"n": 2, "kind": "add", "payload": MADE}]
    page = look(client, ("b.json", json.dumps(record | {"entries": longer[0], "log": longer[1]}).encode()))
    assert "Go on here: 1" in client.read(page)
    client.post(page)
    assert len(client.get(f"/en/m/{id}/record.json").get_json()["entries"]) == 2
    other = MADE | {"totals": {"A": 90, "B": 72}}
    differs = [*record["entries"], other], [*record["log"], {"n": 2, "kind": "add", "payload": other}]
    page = look(client, ("c.json", json.dumps(record | {"entries": differs[0], "log": differs[1]}).encode()))
    assert "Kept as a copy: 1" in client.read(page)
    for _time in range(2):
        client.post(page)
    assert count(client) == 2


def test_two_taps_take_once(client: Browser) -> None:
    """And the same file again is here already, also one that had no id and no history."""
    page = look(client, ("a.json", json.dumps(LOOSE).encode()))
    for _tap in range(3):
        assert client.post(page).status_code == 303
    assert count(client) == 1
    again = look(client, ("a.json", json.dumps(LOOSE).encode()))
    assert "Here already: 1" in client.read(again)


def test_a_match_comes_after_the_one_that_it_follows(client: Browser) -> None:
    """Whatever the order in the archive, and whatever ids they have there; the first dealer is known then."""
    second = {key: value for key, value in LOOSE.items() if key != "first_dealer"} | {"follows": "first"}
    page = look(client, ("all.zip", pack(a=second | {"id": "second"}, b=LOOSE | {"id": "first"})))
    client.post(page)
    assert count(client) == 2


def test_a_large_archive_is_listed_as_far_as_there_is_room(
    client: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many more there are is said."""
    monkeypatch.setattr(importing, "_SHOWN", 1)
    shown = client.read(look(client, ("all.zip", pack(a=LOOSE, b=LOOSE | {"place": "Łódź"}))))
    assert "New: 2" in shown and shown.count("Ala – Olek") == 1 and "and 1 more" in shown


def test_an_archive_with_a_bad_one(client: Browser) -> None:
    """The good ones are taken; each of the others is listed with its place and the reason."""
    bad = LOOSE | {"players": ["Ala", 7]}
    page = look(client, ("all.zip", pack(good=LOOSE, bad=bad, torn='{"format"')))
    for _look in ("before", "after"):
        shown = client.read(page)
        assert "2 cannot be read" in shown
        assert "players[1]" in shown and "bad.json" in shown and "torn.json" in shown
        client.post(page)
    assert "Imported" in shown and "New: 1" in shown
    assert count(client) == 1


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", b"", "JSON"),
        ("a.json", b"[]", ""),
        ("a.json", b"\xff\xfe\x00", "UTF-8"),
        ("a.json", b'{"format": "something else"}', "format"),
        ("a.zip", b"PK\x03\x04 and nothing else", "undamaged"),
        ("a.zip", pack(), "no match"),
        ("<script>.json", b"no", "&lt;script&gt;.json"),
        ("../../etc/passwd", b"no", "passwd"),
        ("x" * 5000, b"no", "xxx"),
    ],
    ids=str,
)
def test_a_bad_file(client: Browser, name: str, content: bytes, said: str) -> None:
    """It is said why nothing can be taken; there is no button to do it all the same."""
    page = look(client, (name, content))
    answer = client.get(page)
    assert said in answer.text
    assert f'action="{page}"' not in answer.text
    client.post(page)
    assert count(client) == 0


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_the_reason_is_in_the_readers_language(client: Browser, lang: str) -> None:
    """Also when the file was sent in another one."""
    page = look(client, ("a.json", json.dumps(LOOSE | {"game": 7}).encode()))
    shown = client.read(page.replace("/en/", f"/{lang}/"))
    assert ("Must be" in shown, "Powinno" in shown) == (lang == "en", lang == "pl"), shown


def test_what_is_sent_has_its_limits(client: Browser, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file, too many, too large: a sentence on the form; a form of today's size goes through."""
    client.get("/en/import")
    answer = upload(client)
    assert (answer.status_code, "Choose a file first" in words(answer)) == (400, True)
    answer = upload(client, *[(f"{n}.json", b"{}") for n in range(importing.MAX_FILES + 1)])
    assert (answer.status_code, "At most 20 files" in words(answer)) == (400, True)
    monkeypatch.setitem(app.config, "MAX_CONTENT_LENGTH", 10_000)  # of any other form
    large = look(client, ("a.json", b" " * 50_000 + json.dumps(LOOSE).encode()))
    assert "New: 1" in client.read(large)
    assert client.post("/en/new", data={"name-A": "x" * 20_000}).status_code == 413
    monkeypatch.setattr(importing, "MAX_BYTES", 100_000)
    answer = upload(client, ("a.json", b" " * 200_000))
    assert (answer.status_code, "That is too large" in words(answer)) == (413, True)
    assert 'type="file"' in answer.text


def test_a_browser_that_nobody_knows(app: Flask) -> None:
    """Without a cookie nothing can be taken in, and it says why; asked for the form first, it can."""
    stranger = app.test_client()
    answer = upload(stranger, ("a.json", json.dumps(LOOSE).encode()))
    assert (answer.status_code, "allow this site to keep cookies" in words(answer)) == (400, True)
    page = look(stranger, ("a.json", json.dumps(LOOSE).encode()))
    stranger.post(page)
    assert count(stranger) == 1


def test_thrown_away(client: Browser) -> None:
    """No is an answer: nothing is taken, and the file is gone."""
    page = look(client, ("a.json", json.dumps(LOOSE).encode()))
    answer = client.post(f"{page}/discard", follow_redirects=True)
    assert "was discarded" in words(answer)
    assert client.get(page).status_code == 404
    assert count(client) == 0


def test_forms_are_guarded(make_app: Callable[..., Flask]) -> None:
    """A form of another site is refused; what a phone shares is not even read."""
    app = make_app(WTF_CSRF_ENABLED=True)
    client = app.test_client()
    client.get("/en/import")
    answer = upload(client, ("a.json", json.dumps(LOOSE).encode()))
    assert (answer.status_code, "no longer valid" in words(answer)) == (400, True)
    assert 'type="file"' in answer.text
    shared = client.post("/en/import/shared", data={"file": (BytesIO(b"{}"), "a.json")})
    assert (shared.status_code, shared.location) == (303, "/en/import?again=1")
    assert "did not arrive" in words(client.get(shared.location))
    assert not [*Path(app.instance_path, "trays").glob("*")]


def test_a_long_one_says_how_far_it_is(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page can be left and asked again; it says whether it still reads or imports already."""
    do_now = Dispatcher.do_now
    busy_with = {"looked", "taken"}

    def be_busy(dispatcher: Dispatcher, job: Job) -> bytes:
        if job.key in busy_with:
            raise UnderWay(Progress(1, None, 3, 12))
        return do_now(dispatcher, job)

    with monkeypatch.context() as busy:
        busy.setattr(Dispatcher, "do_now", be_busy)
        page = look(client, ("a.json", json.dumps(LOOSE).encode()))
        assert "The file is being read" in client.read(page) and "3 of 12" in client.read(page)
        busy_with.remove("looked")
        assert "New: 1" in client.read(page)
        client.post(page)
        answer = client.get(page)
        assert answer.status_code == 202 and "The matches are being imported" in words(answer)
        assert count(client) == 0
    assert "Imported" in client.read(page)
    assert count(client) == 1


def test_files_that_made_room_meanwhile(
    client: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A fourth file of one browser takes the place of the first, though that is being read: it is gone."""
    do_now = Dispatcher.do_now

    def lose_the_files(dispatcher: Dispatcher, job: Job) -> bytes:
        assert job.folder is not None
        shutil.rmtree(job.folder)
        return do_now(dispatcher, job)

    page = look(client, ("a.json", json.dumps(LOOSE).encode()))
    for path in Path(client.application.instance_path, "trays").glob("*/looked"):
        path.unlink()
    monkeypatch.setattr(Dispatcher, "do_now", lose_the_files)
    assert client.get(page).status_code == 404
    upload(client, ("a.json", json.dumps(LOOSE).encode()))
    assert [record for record in caplog.records if record.exc_info] == []


@pytest.mark.parametrize("step", ["open", "write", "read"])
def test_files_that_made_room_while_they_were_sent(
    client: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, step: str
) -> None:
    """Many imports of one browser at once are too many: it is told so, wherever that meets it."""
    done = getattr(JobFiles, step)

    def lose_the_files(files: JobFiles, *arguments: Any) -> Any:
        files.remove()
        return done(files, *arguments)

    with monkeypatch.context() as lost:
        lost.setattr(JobFiles, step, lose_the_files)
        answer = upload(client, ("a.json", json.dumps(LOOSE).encode()))
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert [record for record in caplog.records if record.exc_info] == []


def test_eight_imports_at_once(app: Any, client: Browser) -> None:
    """Each is taken, or told to come again."""

    def send(_n: int) -> int:
        return upload(known_browser(app, TOKEN), ("a.json", json.dumps(LOOSE).encode())).status_code

    with ThreadPoolExecutor(8) as threads:
        assert {*threads.map(send, range(16))} <= {303, 503}


def test_much_is_imported_by_a_worker(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes long takes nobody's time, and comes to the same."""
    monkeypatch.setattr(importing, "_LITTLE", 10)
    page = look(client, ("a.zip", pack(good=LOOSE, bad={})))
    shown = client.read(page)
    assert "New: 1" in shown and "1 cannot be read" in shown
    client.post(page)
    assert "Imported" in client.read(page)
    assert count(client) == 1
