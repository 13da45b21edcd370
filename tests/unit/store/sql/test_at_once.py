"""Many write in one moment, in threads and in processes, on both databases: nothing is lost or doubled."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from companion.matches import (
    AddEntry,
    Agree,
    AmendEntry,
    Change,
    Match,
    Matches,
    NoSuchEntry,
    NoSuchMove,
    Object,
    Submission,
)
from companion.record.log import Event
from companion.store import Grant, Link, Move, SavedRuling, StaleWrite
from companion.store.sql import SqlStore
from companion.store.tables import db
from tests.unit.store.at_once import at_once
from tests.unit.store.logs import create, deal

NOON, LATER = "2026-11-20T12:00:00.000+00:00", "2026-11-20T12:10:00.000+00:00"
DERDA = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
DEALS = 30
store = SqlStore()


@pytest.fixture
def match(app: Flask) -> str:
    return create(store, "match")


def link(id: str = "link", once: bool = False) -> Link:
    return Link(id, "match", f"digest of {id}", "opponent", "B", once, NOON)


def grant(browser: str, id: str = "") -> Grant:
    return Grant(id or f"grant-{browser}", "match", browser, "B", False, "Android, Chrome", NOON)


def faults(done: list[object]) -> list[object]:
    return [fault for fault in done if isinstance(fault, Exception)]


# --- links, grants and moves -----------------------------------------------------------------------


def test_a_link_for_one_used_by_eight_at_once(app: Flask, match: str) -> None:
    for round in range(5):
        by = link(f"link-{round}", once=True)
        store.add_link(by)
        done = at_once(app, lambda n, by=by, round=round: store.join(by, grant(f"{round}-{n}")))  # type: ignore[misc]
        winners = [each for each in done if isinstance(each, Grant)]
        assert len(winners) == 1, done
        assert done.count(None) == 7, done
        assert store.list_users(match)[by.id] == winners


def test_one_phone_joins_many_times_at_once(app: Flask, match: str) -> None:
    store.add_link(link(once=True))
    done = at_once(app, lambda n: store.join(link(once=True), grant("x", id=f"grant-{n}")))
    assert len(set(done)) == 1, done
    assert isinstance(done[0], Grant)


def test_joining_and_revoking_at_once(app: Flask, match: str) -> None:
    for round in range(5):
        by = link(f"link-{round}")
        store.add_link(by)

        def action(n: int, by: Link = by, round: int = round) -> object:
            if n:
                return store.join(by, grant(f"{round}-{n}"))
            store.revoke_link("match", by.id, LATER)
            return None

        assert faults(at_once(app, action)) == []
        assert [each for each in store.list_grants(match) if each.revoked_at is None] == []


def test_joining_and_handing_over_at_once(app: Flask, match: str) -> None:
    """A phone joins by another link while it is handed the pencil: both are done, nobody is told to wait."""
    store.add_link(link("first"))
    store.join(link("first"), grant("x"))
    for round in range(10):
        by = link(f"link-{round}")
        store.add_link(by)

        def action(n: int, by: Link = by) -> object:
            if n % 2:
                return store.join(by, grant("x", id=f"grant-{n}"))
            return store.give_pencil("match", "grant-x", True)

        done = at_once(app, action)
        assert {each.id for each in done if isinstance(each, Grant)} == {"grant-x"}
        assert all(isinstance(each, Grant) for each in done), done


def test_a_move_used_by_eight_at_once(app: Flask) -> None:
    for digest in ("one", "two", "three"):
        store.add_move(Move(digest, "owner", "code", NOON, LATER))
        done = at_once(app, lambda _n, digest=digest: store.use_move(digest, NOON))  # type: ignore[misc]
        assert sorted(map(str, done)) == ["None"] * 7 + ["owner"]


def test_two_phones_with_the_same_words(app: Flask) -> None:
    moves = Matches(store, "secret").moves
    words = " ".join(moves.make_words("me"))

    def use_words(number: int) -> str:
        return moves.use(words, f"phone {number}")

    done = at_once(app, use_words, 4)
    assert (done.count("me"), {type(fault) for fault in faults(done)}) == (1, {NoSuchMove})
    assert use_words(done.index("me")) == "me"


def test_new_words_made_eight_times_at_once(app: Flask) -> None:
    done = at_once(app, lambda n: store.add_move(Move(f"words-{n}", "owner", "words", NOON)))
    assert done == [None] * 8
    good = [n for n in range(8) if store.use_move(f"words-{n}", NOON) is not None]
    assert len(good) == 1


# --- logs ------------------------------------------------------------------------------------------


def test_one_form_sent_many_times_at_once(app: Flask) -> None:
    """Eight copies of one form in the same moment are one match, one entry, one ruling; all are told so."""
    for number in range(5):
        id = f"match-{number}"
        opening = Event(1, "add", payload={"type": "opening"}, author="me", at="now")
        made = at_once(app, lambda _n, id=id, opening=opening: create(store, id, events=(opening,)))  # type: ignore[misc]  # a default
        assert made == [id] * 8
        written = at_once(app, lambda _n, id=id: store.append_event(id, 1, deal(1), "a").seq)  # type: ignore[misc]  # a default
        assert written == [2] * 8
        ruling = SavedRuling(f"r-{number}", "me", "now", {})
        assert at_once(app, lambda _n, ruling=ruling: store.save_ruling(ruling)) == [None] * 8  # type: ignore[misc]
        stored = store.load_match(id)
        assert stored is not None
        assert len(stored.events) == 2


def test_threads_do_not_interleave(app: Flask, match: str) -> None:
    """Of eight threads that write on the same page at once one succeeds; every other one is told."""
    done = at_once(app, lambda number: store.append_event(match, 0, deal(number), f"key {number}"))
    stale = [item for item in done if isinstance(item, StaleWrite)]
    assert [len(item.events) for item in stale] == [1] * 7
    assert [item.payload for item in done if isinstance(item, Event)] == [stale[0].events[0].payload]


def test_deleting_and_writing_at_once_lose_nothing(app: Flask) -> None:
    """Of an entry and the deletion one comes first: it is in the log, or it was refused."""
    for round in range(10):
        id = create(store, f"match-{round}", events=(deal(1),))

        def action(n: int, id: str = id) -> object:
            if not n:
                return store.append_event(id, 1, deal(2), "form")
            store.set_visibility(id, "deleted", "x")
            return None

        written, deleted = at_once(app, action, 2)
        assert isinstance(written, Event | KeyError) and deleted is None
        stored = store.load_match(id)
        assert stored is not None and stored.deleted_at == "x"
        assert len(stored.events) == 1 + isinstance(written, Event)


WRITER = """
import sys
from flask import Flask
from companion.record.log import Event
from companion.store import StaleWrite
from companion.store.engine import open_database
from companion.store.sql import SqlStore
from companion.store.tables import db

store = SqlStore()
app = Flask("bare", instance_path=sys.argv[1])
app.config["DATABASE"] = sys.argv[3]
open_database(app)
with app.app_context():
    number = 0
    while number < 25:
        seen = len(store.load_match("match").events)
        db.session.rollback()
        try:
            event = Event(0, "add", payload={"n": number})
            store.append_event("match", seen, event, f"{sys.argv[2]} {number}")
            number += 1
        except StaleWrite:
            pass
"""


def test_two_processes_write_at_once(app: Flask, match: str, tmp_path: Path) -> None:
    """Two processes that write as fast as they can lose nothing, and no number comes twice."""
    address = app.config["SQLALCHEMY_DATABASE_URI"].render_as_string(hide_password=False)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), name, address], stderr=subprocess.PIPE, text=True
        )
        for name in "xy"
    ]
    for writer in writers:
        _out, reported = writer.communicate(timeout=60)
        assert writer.returncode == 0, reported
    stored = store.load_match(match)
    assert stored is not None
    assert [event.seq for event in stored.events] == list(range(1, 51))


# --- recording while others agree and object -------------------------------------------------------


def played(number: int) -> dict[str, object]:
    totals = {"A": 14 + number % 3, "B": 14}
    return {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": totals}


def begin(form: str, *phones: str) -> Match:
    """A match with a deal, as every phone sees it that has joined for B."""
    matches = Matches(store, "secret")
    match = matches.open(matches.start(DERDA, "recorder", form))
    store.add_grants([Grant(f"{form} {phone}", match.id, phone, "B", False, "", "") for phone in phones])
    return matches.write(match, AddEntry(played(1)), Submission("recorder", 0, "deal"))


def write(page: Match, change: Change, author: str) -> None:
    """Write on a page that was opened before, as another process would."""
    Matches(SqlStore(), "secret").write(page, change, Submission(author, page.seq, author))


def test_one_records_while_two_have_their_say(app: Flask) -> None:
    """Thirty deals in a row, and what both sides say of each: the recorder never has to look again."""
    id = Matches(store, "secret").start(DERDA, "recorder", "form")
    store.add_grants([Grant(side, id, side, side, False, "", "") for side in "AB"])
    failed: list[Exception] = []

    def record(matches: Matches) -> None:
        for number in range(DEALS):
            match = matches.open(id)
            matches.write(match, AddEntry(played(number)), Submission("recorder", match.seq, f"{number}"))

    def speak(side: str, say: Callable[[int], Change], matches: Matches) -> None:
        spoken: set[int] = set()
        while len(spoken) < DEALS and not failed:
            for entry in {entry.id for entry in matches.open(id).log.entries} - spoken:
                seen = matches.open(id)
                matches.write(seen, say(entry), Submission(side, seen.seq, f"{side} {entry}"))
                spoken.add(entry)
            db.session.remove()

    actions = (
        record,
        partial(speak, "A", lambda entry: Agree(entry, "A")),
        partial(speak, "B", lambda entry: Object(entry, "B", "other", f"no. {entry}")),
    )

    def act(number: int) -> None:
        try:
            actions[number](Matches(SqlStore(), "secret"))
        except Exception as fault:
            failed.append(fault)
            raise

    assert at_once(app, act, 3) == [None] * 3
    match = Matches(store, "secret").open(id)
    assert [event.seq for event in match.events] == list(range(1, 3 * DEALS + 1))
    assert match.state.totals == {"A": 15 * DEALS, "B": 14 * DEALS}
    assert len(match.remarks.open) == DEALS
    assert all(match.remarks.agreed(entry.id) == ("A",) for entry in match.standing_entries)


def test_many_speak_of_one_deal_at_once(app: Flask) -> None:
    """Eight phones in the same moment, every tap sent twice: each remark is there, and there once."""
    phones = [f"phone {n}" for n in range(8)]
    page = begin("form", *phones)

    def speak(number: int) -> None:
        phone = phones[number % 8]
        write(page, Object(1, "B", "other", phone), phone)

    assert at_once(app, speak, 16) == [None] * 16
    log = store.load_match(page.id)
    assert log is not None
    assert sorted(event.author for event in log.events[1:]) == phones


def test_correcting_while_another_agrees(app: Flask) -> None:
    """Whichever comes first: nobody has agreed to what had been put right before."""
    for round in range(10):
        page = begin(f"round {round}", "opponent")
        both: tuple[tuple[Change, str], ...]
        both = (AmendEntry(1, played(2)), "recorder"), (Agree(1, "B"), "opponent")
        done = at_once(app, lambda n, page=page, both=both: write(page, *both[n]), 2)  # type: ignore[misc]
        assert {type(fault) for fault in faults(done)} <= {StaleWrite, NoSuchEntry}
        match = Matches(store, "secret").open(page.id)
        kinds = [event.kind for event in match.events]
        assert kinds in (["add", "amend"], ["add", "agree", "amend"]), kinds
        assert match.remarks.agreed(1) == ()
