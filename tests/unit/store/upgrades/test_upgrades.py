"""A database of every version before is brought up to date with all in it, also while others use it."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep

import pytest
from derda import DEAL
from sqlalchemy import create_engine, text
from stores.bare import in_context, open_bare
from tiers import is_nightly

from companion.matches import AddEntry, Matches, Submission
from companion.record.log import Event
from companion.store import CannotStart, Grant, Link, Move, SavedRuling, StaleWrite, StoredMatch
from companion.store.engine import MIGRATIONS, upgrade
from companion.store.sql import SqlStore
from companion.store.tables import db

from .former import REVISION, FormerServer

BEFORE = Path(__file__).with_name("before")
VERSIONS = sorted(file.name[:4] for file in (MIGRATIONS / "versions").glob("0*.py"))
NOW = "2026-11-22T19:00:00.000+00:00"
DEALS = 20
HEAD = {"game": "derda", "players": ["Grażyna", "Jan"], "first_dealer": "A"}


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'companion.sqlite'}"
    add: Callable[[], str] = request.getfixturevalue("postgres_addresses")
    return add()


def fill(address: str, version: str) -> None:
    """Make a database of a version, with what servers wrote into it until then."""
    server = FormerServer(address)
    upgrade(server.engine, version)
    with server.engine.begin() as connection:
        for file in sorted(BEFORE.glob("*.sql")):
            if file.stem <= version:
                for line in file.read_text(encoding="utf-8").splitlines():
                    if not line.startswith("--"):
                        connection.exec_driver_sql(line.replace("%", "%%"))
    server.engine.dispose()


@contextmanager
def served(folder: Path, address: str) -> Iterator[SqlStore]:
    """The store of a server of today, which upgrades the database as it starts."""
    with in_context(open_bare(folder, address)):
        yield SqlStore()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_database_of_before_goes_on(tmp_path: Path, address: str, version: str) -> None:
    """Whatever lay in it is read through the store as it was written, is listed and found, and grows."""
    fill(address, version)
    with served(tmp_path, address) as store:
        matches = Matches(store, "secret")
        first = store.load_match("first")
        assert first is not None
        assert (first.owner, first.rulebook, first.created_at) == ("me", "3", "2026-09-01T18:00:00.000+00:00")
        assert [event.seq for event in first.events] == list(range(1, 9))
        kinds = " ".join(event.kind for event in first.events)
        assert kinds == "add amend draft draft head add withdraw restore"
        assert [event.entry for event in first.events] == [None, 1, None, None, None, None, 6, 6]
        assert [event.undoes for event in first.events] == [*[None] * 6, 6, 7]
        assert first.events[1].payload["note"] == "źle policzone"
        assert first.events[3].payload is None
        assert matches.open("first").state.totals == {"A": 85, "B": 62}
        assert store.find_event("first", "form-5") == first.events[4]
        own = ["second", "first"] if version < "0003" else ["theirs", "second", "first"]
        assert [match.id for match in store.list_matches("me")] == own
        assert store.count_matches("me") == len(own)
        for search in ("zofja", "ŻANETA łódź", "derda 2026-09-01"):
            assert "first" in [match.id for match in store.list_matches("me", search)], search
        summary = matches.summary(store.list_matches("me")[-1])
        assert summary is not None and summary.players == ["Żaneta", "Jan"]
        assert store.find_successor("first", "me") == "second"
        if version >= "0002":
            content = {"ruling": {"verdict": "legal"}, "names": {"A": "Żaneta"}}
            assert store.find_ruling("ruling") == SavedRuling(
                "ruling", "me", "2026-09-03T19:00:00.000+00:00", content
            )
        if version >= "0003":
            read_grants(store)
        assert {event.arrived for event in first.events} == {""}
        if version >= "0008":
            late = store.find_event("second", "form-late")
            assert late is not None
            assert late.at == "2026-11-20T19:00:00.000+00:00"
            assert late.arrived == "2026-11-21T08:00:00.000+00:00"
        for id in ("away", "binned") if version >= "0004" else ():
            assert store.load_match(id) is not None
        length = len(store.load_match("second").events)  # type: ignore[union-attr]
        written = matches.write(matches.open("second"), AddEntry(DEAL), Submission("me", length, "new form"))
        assert written.seq == length + 1
        assert next(match.id for match in store.list_matches("me")) == "second"
        assert store.append_event("theirs", 0, Event(0, "draft", author="you", at=NOW), "k").seq == 1
        assert [match.id for match in store.list_matches("you")] == ["theirs"]


def read_grants(store: SqlStore) -> None:
    """Links, grants and moves are as they were, and can be used, or not, as before."""
    made = "2026-10-01T19:0{}:00.000+00:00".format
    once = Link("once", "theirs", "digest of once", "pencil", None, True, made(0))
    many = Link("many", "theirs", "digest of many", "opponent", "B", False, made(1))
    ended = Link("ended", "theirs", "digest of ended", "spectator", None, False, made(2), made(3))
    assert store.list_links("theirs") == [ended, many, once]
    assert store.find_link("digest of many") == many
    mine = Grant("grant-me", "theirs", "me", "B", True, "Android, Chrome", made(4))
    gone = Grant("grant-gone", "theirs", "gone", None, False, "iPhone, Safari", made(5), made(6))
    assert store.list_grants("theirs") == [gone, mine]
    assert store.find_grant("theirs", "me") == mine
    assert store.list_users("theirs") == {"once": [mine], "many": [mine], "ended": [gone]}
    assert store.load_version("theirs") == (0, 5)
    assert store.join(once, Grant("new", "theirs", "another", None, True, "", NOW)) is None
    assert store.join(many, Grant("new", "theirs", "another", "B", False, "", NOW)) is not None
    assert store.find_words("me") == Move("words of me", "me", "words", "2026-10-02T19:00:00.000+00:00")
    assert store.use_move("used code", made(0)) is None
    assert store.use_move("words of me", NOW) == "me"


@pytest.mark.nightly
@pytest.mark.parametrize("version", [None, "0003"])
def test_several_servers_upgrade_at_once(address: str, tmp_path: Path, version: str | None) -> None:
    """All that find a database of before, or none, bring it up to date once, and come up."""
    if version:
        fill(address, version)
    script = (
        "import sys; from flask import Flask; from companion.store.engine import open_database\n"
        "app = Flask('bare', instance_path=sys.argv[1]); app.config['DATABASE'] = sys.argv[2]\n"
        "open_database(app)"
    )
    command = [sys.executable, "-c", script, str(tmp_path), address]
    count = 4 if is_nightly() else 2
    starting = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _one in range(count)]
    for item in starting:
        _out, reported = item.communicate(timeout=120)
        assert item.returncode == 0, reported
    engine = create_engine(address)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).all() == [(VERSIONS[-1],)]
        assert connection.execute(text("SELECT count(*) FROM match WHERE searched IS NULL")).scalar() == 0
        assert connection.execute(text("SELECT count(*) FROM event")).scalar() == (9 if version else 0)
    engine.dispose()


def append(store: SqlStore, id: str, key: str) -> None:
    """Record a deal at the end of the log, as a phone does that is overtaken again and again."""
    while True:
        match = store.load_match(id)
        assert match is not None
        with suppress(StaleWrite):
            store.append_event(id, len(match.events), Event(0, "add", None, DEAL, "today", NOW), key)
            return
        db.session.rollback()


def test_a_server_of_before_goes_on_beside_one_of_today(tmp_path: Path, address: str) -> None:
    """One records all the time while another upgrades and records: nothing is lost, nobody is refused."""
    fill(address, REVISION)
    former, written, faults = FormerServer(address), list[int](), list[Exception]()
    former.create("shared", "me", HEAD, NOW)
    upgraded, enough = threading.Event(), threading.Event()

    def record() -> None:
        after = 0
        while not enough.is_set() or after < DEALS:
            number = len(written)
            try:
                former.append("shared", DEAL, f"former {number}", "former", NOW)
                former.create(f"former {number}", "me", HEAD | {"follows": f"former {number - 1}"}, NOW)
                assert f"former {number}" in former.list("me")
            except Exception as fault:  # noqa: BLE001  # it is what came of it
                faults.append(fault)
                return
            written.append(number)
            after += upgraded.is_set()
            sleep(0.05)  # no table is quicker, and SQLite lets nobody else in between

    recording = threading.Thread(target=record)
    recording.start()
    try:
        while not written and recording.is_alive():
            sleep(0.01)
        with served(tmp_path, address) as store:
            upgraded.set()
            for number in range(DEALS):
                append(store, "shared", f"today {number}")
            enough.set()
            recording.join()
            assert faults == []
            db.session.rollback()
            match = store.load_match("shared")
            assert match is not None
            assert [event.seq for event in match.events] == list(range(1, len(written) + DEALS + 1))
            assert [event.author for event in match.events].count("former") == len(written)
            look_at_both(store, former, len(written))
    finally:
        enough.set()
        recording.join()
        former.engine.dispose()


def look_at_both(store: SqlStore, former: FormerServer, count: int) -> None:
    """What either of them makes after the upgrade is there for the other as well."""
    assert {match.id for match in store.list_matches("me", "grażyna")} >= {
        f"former {n}" for n in range(count)
    }
    assert store.count_matches("me") == len(former.list("me")) - 2, "all but those put away and deleted"
    last = f"former {count - 1}"
    assert store.find_successor(f"former {count - 2}", "me") == last
    pages, after = list[str](), None
    while page := store.list_matches("me", "grażyna", 3, after):
        pages += [item.id for item in page]
        after = page[-1].place
    assert len(pages) == len({*pages}) == count + 1, (
        "every match is on one page, though its words are missing"
    )
    link = Link("theirs", last, "digest of theirs", "pencil", None, True, NOW)
    store.add_link(link)
    assert former.join(last, link.id, "somebody", "grant of before", NOW)
    grant = Grant("grant of today", last, "somebody else", None, True, "a phone", NOW)
    assert store.join(link, grant) is None, "the link was for one"
    assert [user.browser for user in store.list_users(last)[link.id]] == ["somebody"]
    assert [match.id for match in store.list_matches("somebody")] == [last]
    store.revoke_link(last, link.id, NOW)
    assert store.find_grant(last, "somebody") is None
    append(store, last, "key")
    assert former.append(last, DEAL, "another key", "former", NOW) == 2


def test_a_process_is_replaced_while_the_next_version_is_there(tmp_path: Path, address: str) -> None:
    """A server starts on a database to which a newer version has added something, and writes in it.

    Where one has taken something away (the next hundred) it does not.
    """
    fill(address, VERSIONS[-1])
    engine = FormerServer(address).engine
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE match ADD COLUMN later VARCHAR(8)"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0099'"))
    with served(tmp_path, address) as store:
        store.create_match(StoredMatch("new", "me", HEAD, (), NOW))
        append(store, "second", "key")
        assert store.count_matches("me") == 4
    with engine.begin() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "0099"
        connection.execute(text("UPDATE alembic_version SET version_num = '0101'"))
    with pytest.raises(CannotStart, match="newer version"):
        open_bare(tmp_path, address)
    engine.dispose()


def test_what_was_missing_is_filled_in_at_the_next_start(tmp_path: Path, address: str) -> None:
    """What a server of before left empty in its last hours, and corrections that it wrote."""
    fill(address, REVISION)
    with served(tmp_path, address):
        pass
    former = FormerServer(address)
    former.create("late", "me", HEAD | {"follows": "second"}, NOW)
    former.create("joined", "you", HEAD, NOW)
    with served(tmp_path, address) as store:
        link = Link("late", "joined", "digest of late", "pencil", None, True, NOW)
        store.add_link(link)
    assert former.join("joined", "late", "me", "late grant", NOW)
    for _start in range(2):
        with served(tmp_path, address) as store:
            empty = "SELECT count(*) FROM match WHERE searched IS NULL"
            assert db.session.execute(text(empty)).scalar() == 0
            empty = "SELECT count(*) FROM match_grant WHERE listed_at IS NULL"
            assert db.session.execute(text(empty)).scalar() == 0
            assert [match.id for match in store.list_matches("me", "grażyna")] == ["late", "joined"]
            assert store.find_successor("second", "me") == "late"
    former.engine.dispose()
