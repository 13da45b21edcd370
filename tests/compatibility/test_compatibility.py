"""Files and databases of every version since 1.0.0 are read, and come to what they came to then."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion import archives, create_app
from companion.archives.backup import verify
from companion.beating import entries as beating
from companion.jacknine import entries as jacknine
from companion.matches import Matches
from companion.offline_app.application import list_addresses
from companion.offline_app.bridge import Bridge
from companion.record.portable_log import KINDS
from companion.rules.schema import ListOf, Nested, Nullable, fields_of
from companion.store.memory import MemoryStore
from companion.store.sql import SqlStore
from companion.store.tables import Base, db
from companion.web.shell.hosts import Host
from tests.unit.offline.table import EWA, Server, known_browser

from .making import OWNER, SECRET, outcome

VERSIONS = sorted(path.parent for path in Path(__file__).parent.glob("*/expected.json"))
RECORDS = [file for version in VERSIONS for file in sorted((version / "records").iterdir())]
ALONE = sorted(Path(__file__).parent.glob("*/alone.json"))
of_every_version = pytest.mark.parametrize("version", VERSIONS, ids=lambda version: str(version.name))


def expected(version: Path, name: str) -> Any:
    return json.loads((version / "expected.json").read_text("utf-8"))[name]


def take(data: Path) -> tuple[Matches, list[archives.Imported]]:
    """An empty instance after a file was imported."""
    matches = Matches(MemoryStore(), "another secret")
    found = archives.look_through(matches, OWNER, data)
    assert [item.problem for item in found] == [None] * len(found)
    return matches, archives.import_found(matches, OWNER, found)


@pytest.fixture
def server(version: Path, tmp_path: Path) -> Iterator[Flask]:
    """A server of today on the database of that version."""
    with closing(sqlite3.connect(tmp_path / "companion.sqlite")) as database:
        database.executescript((version / "instance.sql").read_text("utf-8"))
    app = create_app({"INSTANCE": str(tmp_path), "SECRET_KEY": SECRET, "LIMITS": "off"})
    app.config["WTF_CSRF_ENABLED"] = False
    yield app
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: f"{file.parents[1].name}-{file.stem}")
def test_a_record_comes_to_the_same(file: Path) -> None:
    matches, (imported,) = take(file)
    assert outcome(matches, imported.id) == expected(file.parents[1], f"records/{file.name}")


@of_every_version
def test_an_archive_comes_to_the_same(version: Path) -> None:
    """Its loose rulings are read too."""
    wanted = expected(version, "archive.zip")
    matches, imported = take(version / "archive.zip")
    assert {item.found.id for item in imported if item.found.what == "match"} == set(wanted)
    assert {id: outcome(matches, id) for id in wanted} == wanted
    with zipfile.ZipFile(version / "archive.zip") as archive:
        attached = json.loads(archive.read(archive.namelist()[0]))["rulings"]
    assert len(matches.list_rulings(OWNER)) == len(archive.namelist()) - 1 + len(attached)


@pytest.mark.slow
@of_every_version
def test_a_database_comes_to_the_same(server: Flask, version: Path) -> None:
    """Every match, in its list; who takes part still does."""
    wanted = expected(version, "instance.sql")
    with server.app_context():
        matches = Matches(SqlStore(), SECRET)
        assert {id: outcome(matches, id) for id in matches.server_store.list_ids()} == wanted
        assert verify(matches).is_true
        assert (
            len(matches.server_store.list_put_away(OWNER))
            == len(matches.server_store.list_deleted(OWNER))
            == 1
        )
        joined = [match for id in wanted for match in matches.invitations.list_joined(matches.open(id))]
        assert [(grant.side, grant.has_pencil) for grant in joined] == [("B", True)]


@pytest.mark.slow
@of_every_version
def test_a_phone_delivers_what_it_recorded(server: Flask, version: Path) -> None:
    """Its pages show it, what it recorded arrives, and what is in conflict still waits for a decision."""
    stored = json.loads((version / "phone.json").read_text("utf-8"))
    app_rows, wanted = stored["pocket"], expected(version, "phone.json")
    today = Server(server)
    known = {name: value for (mark, name), value in app_rows["meta"] if mark == EWA}
    rows = [[place[1:], value] for place, value in app_rows["rows"]]
    bridge = Bridge(list_addresses(server), today.version)
    bridge.restore(json.dumps({"root": "", "me": EWA, **known, "rows": rows}))
    state = json.loads(bridge.take_state())
    assert (state["unsent"], state["aside"]) == (known["unsent"], known["aside"])
    for id, facts in wanted.items():
        status, _headers, page = bridge.handle("GET", f"http://localhost/en/m/{id}", b"", "{}")
        assert status == 200
        for shown in (*facts["players"], *map(str, facts["totals"].values())):
            assert shown in page.decode()
    for _place, text in app_rows["news"]:
        bridge.take_news(text)
    bridge.take_news(json.dumps(today.report(EWA, json.loads(bridge.take_state())["have"])))
    while (sent := bridge.next_delivery()) is not None:
        found = json.loads(sent)
        assert bridge.take_answer(found["id"], *_send(today, found))
    chosen = {place[1]: value.get("unsent_visibility") for place, value in rows if place[0] == "match"}
    for id, choice in chosen.items():
        assert not choice or today.visibility(id) == choice
    left = json.loads(bridge.take_state())
    assert (left["unsent"], left["aside"]) == (0, known["aside"])
    doubtful = next(place[1] for place, value in rows if place[0] == "match" and value["aside"])
    with server.app_context():
        matches = Matches(SqlStore(), SECRET)
        settled = {id: facts for id, facts in wanted.items() if id != doubtful}
        assert {id: outcome(matches, id) for id in settled} == settled
        assert outcome(matches, doubtful) == expected(version, "instance.sql")[doubtful]


@pytest.mark.parametrize("file", ALONE, ids=lambda file: file.parent.name)
def test_a_phone_alone_goes_on(file: Path, tmp_path: Path) -> None:
    """It reads all that it stored, shows what is hidden too, and records on."""
    stored = json.loads(file.read_text("utf-8"))
    app = create_app({"INSTANCE": str(tmp_path), "SECRET_KEY": SECRET, "LIMITS": "off"})
    bridge = Bridge(list_addresses(app), "2", Host.ALONE)
    app_rows = stored["pocket"]
    rows = [[place[1:], value] for place, value in app_rows["rows"]]
    bridge.restore(json.dumps({"root": "", "me": EWA, **app_rows["meta"], "rows": rows}))
    hidden = bridge._store.list_put_away(EWA), bridge._store.list_deleted(EWA)
    assert [len(matches) for matches in hidden] == [1, 1]

    def show(path: str) -> str:
        status, _headers, page = bridge.handle("GET", f"http://localhost/en/{path}", b"", "{}")
        assert status == 200
        return page.decode()

    for id, facts in stored["expected"].items():
        page = show(f"m/{id}")
        for shown in (*facts["players"], *map(str, facts["totals"].values())):
            assert shown in page
    assert "cannot be read" not in show("")
    content = bridge.handle("GET", "http://localhost/en/export/matches.zip", b"", "{}")[2]
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        names = [name for name in packed.namelist() if name.startswith("matches/")]
    assert len(names) == len(stored["expected"])
    with app.app_context():
        db.engine.dispose()


def _send(server: Server, found: dict[str, Any]) -> tuple[int, str]:
    status, answer = server.take(EWA, found["path"], found["body"])
    return status, json.dumps(answer)


@pytest.mark.slow
@of_every_version
def test_a_form_that_waited_is_taken(server: Flask, version: Path) -> None:
    """What a page put into its outbox is written by the server of today as it was sent, and once."""
    stored = json.loads((version / "phone.json").read_text("utf-8"))
    (waiting,) = stored["companion"]["waiting"]
    with server.app_context():
        seq = Matches(SqlStore(), SECRET).open(waiting["match"]).seq
    fields = dict(waiting["fields"]) | {"seq": str(seq)}
    for _again in range(2):
        answer = known_browser(server, OWNER).post(waiting["action"], data=fields)
        assert answer.status_code == 303
    with server.app_context():
        assert Matches(SqlStore(), SECRET).open(waiting["match"]).seq == seq + 1


# --- everything there is has a file -----------------------------------------------------------------


def list_facts(schema: Any, path: str) -> Iterator[str]:
    """Every key of a shape, and of those in it, by its path."""
    for field in fields_of(schema):
        yield f"{path}.{field.key}"
        kind: Any = field.kind
        while isinstance(kind, (ListOf, Nullable)):
            kind = kind.kind
        if isinstance(kind, Nested):
            yield from list_facts(kind.shape, f"{path}.{field.key}")


def find_facts(value: Any, path: str) -> Iterator[str]:
    """Every key in an entry, by its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield f"{path}.{key}"
            yield from find_facts(item, f"{path}.{key}")
    elif isinstance(value, list):
        for item in value:
            yield from find_facts(item, path)


def test_every_fact_of_every_entry_has_a_file() -> None:
    """A new kind of entry, or a new fact of one, needs a record that has it: see README.md."""
    shapes = {**jacknine.ENTRIES, **beating.TYPES}
    entries = [entry for file in RECORDS for entry in json.loads(file.read_text("utf-8"))["entries"]]
    there = {fact for entry in entries for fact in find_facts(entry, entry["type"])}
    assert {fact for kind, shape in shapes.items() for fact in list_facts(shape, kind)} - there == set()


def test_every_kind_of_event_and_every_table_has_a_file() -> None:
    kinds, tables = set[str](), set[str]()
    for version in VERSIONS:
        with closing(sqlite3.connect(":memory:")) as database:
            database.executescript((version / "instance.sql").read_text("utf-8"))
            kinds |= {kind for (kind,) in database.execute("SELECT kind FROM event")}
            tables |= {
                name
                for (name,) in database.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table'"
                ).fetchall()
                if database.execute(f"SELECT count(*) FROM {name}").fetchone() != (0,)
            }
    assert set(KINDS) - kinds == set()
    assert set(Base.metadata.tables) - tables == set()
