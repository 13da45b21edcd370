"""What names people is for those who are shown it: no cache keeps it, no other user of a machine sees it."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from derda import DEAL
from flask import Flask

from companion import create_app
from companion.matches import KeepDraft
from companion.store.tables import db
from companion.web.shell.security import headers
from tests.web.browsers import Browser
from tests.web.conftest import FOR_TESTS

RULING = "/ask/trick/keep?trump=H&leader=A&trick=AH&trick=JH&asked=1"
OF_MATCH = (
    "",
    "/history",
    "/record.json",
    "/sheet",
    "/entries/1",
    "/entries/1/audit",
    "/ask",
    "/ask/audit",
    "/nothing",
)
TYPED_IN = ("/deal", "/enough", "/names", "/more", "/entries/1?edit=1", "/ask/trick")


@pytest.fixture
def id(client: Browser) -> str:
    """A match with a deal."""
    id = client.start(DEAL)
    return id


def test_no_cache_keeps_names(client: Browser, other: Browser, id: str) -> None:
    """Pages of a match, its record, and what was asked about it are stored nowhere, whoever looks."""
    saved = client.post(f"/en/m/{id}{RULING}", data={"form_key": "k"}).location
    for address in (saved, *(f"/en/m/{id}{page}" for page in OF_MATCH)):
        for browser in (client, other):
            assert browser.get(address).headers["Cache-Control"] == "private, no-store", address


def test_nor_lists_of_them(client: Browser, id: str) -> None:
    """The list of matches, what is shown by the rules of one, and the audit of a deal in progress."""
    client.change(id, KeepDraft({"contract": {"declarer": "A", "trump": "H"}, "tricks": [["AH", "KH"]]}))
    pages = ("/en/", "/en/browser", f"/en/rules/derda?match={id}", f"/en/sheets/derda/card?match={id}")
    for page in (*pages, f"/en/m/{id}/audit"):
        assert client.get(page).headers["Cache-Control"] == "private, no-store", page


def test_a_form_is_there_when_one_goes_back(client: Browser, id: str) -> None:
    """A browser may keep what is being typed, for itself; and rules and questions, which name nobody."""
    nameless = ("rules", "rules/derda", "ask", "ask/derda", "ask/derda/trick", "sheets/derda")
    for page in (*(f"m/{id}{page}" for page in TYPED_IN), *nameless):
        assert client.get(f"/en/{page}").headers["Cache-Control"] == "private, no-cache", page


def test_pages_that_may_be_kept_exist(app: Flask) -> None:
    """A renamed page is renamed in the lists too; else what was typed in it is gone by going back."""
    assert app.view_functions.keys() >= headers.TYPED_IN | headers.NAMELESS


@contextmanager
def lenient() -> Iterator[None]:
    """As many systems have it: what is made can be read by everybody."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """Who may do what with a folder and with all that lies in it."""
    found = {item.relative_to(folder).as_posix(): item for item in (folder, *folder.rglob("*"))}
    return {name: oct(stat.S_IMODE(value.stat().st_mode)) for name, value in found.items()}


def test_no_other_user_reads_what_is_kept(tmp_path: Path) -> None:
    """The folder, the database with its log, the key and the answers of workers are the server's alone."""
    instance = tmp_path / "made" / "here"
    with lenient():
        app = create_app({"INSTANCE": str(instance), **FOR_TESTS})
        client = app.test_client()
        client.get("/en/new")
        form = {"game": "derda", "name-A": "Ewa", "name-B": "Jan", "dealer": "A"}
        assert client.post("/en/new", data=form).status_code == 303
        assert client.get("/en/sheets/derda/blank.pdf").status_code == 200
        found = modes(instance)
        with app.app_context():
            db.engine.dispose()
    assert {"companion.sqlite", "companion.sqlite-wal", "companion.sqlite-shm", "secret-key"} <= {*found}
    assert any(name.startswith("answers/") for name in found)
    assert {name: mode for name, mode in found.items() if mode not in ("0o700", "0o600")} == {}


def test_what_was_open_before_is_closed(tmp_path: Path) -> None:
    """A folder and a database that an earlier version left readable are not after the next start."""
    instance = tmp_path / "instance"
    with lenient():
        for _time in range(2):
            app = create_app({"INSTANCE": str(instance)})
            with app.app_context():
                db.engine.dispose()
            before = modes(instance)
            instance.chmod(0o755)
            (instance / "companion.sqlite").chmod(0o644)
            (instance / "companion.sqlite-wal").touch(0o644)
    assert before["."] == "0o700"
    assert before["companion.sqlite"] == "0o600"
    assert before.get("companion.sqlite-wal", "0o600") == "0o600"


def test_a_folder_of_others_is_left_as_it_is(tmp_path: Path) -> None:
    """A database somewhere else is closed; the folder it lies in is not ours."""
    tmp_path.chmod(0o755)
    with lenient():
        settings = {
            "INSTANCE": str(tmp_path / "instance"),
            "DATABASE": f"sqlite:///{tmp_path / 'club.sqlite'}",
        }
        app = create_app(settings)
        with app.app_context():
            db.engine.dispose()
    assert modes(tmp_path)["."] == "0o755"
    assert modes(tmp_path)["club.sqlite"] == "0o600"
