"""Recording while others agree and object, on both databases: nothing is lost, and nobody is held up."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import Flask

from companion.matches import AddEntry, Agree, AmendEntry, Change, Matches, NoSuchEntry, Object, Submission
from companion.store import Grant, StaleWrite
from companion.store.sql import SqlStore
from companion.store.tables import db

DEALS = 30
OWNER = "recorder"


def deal(number: int) -> dict[str, Any]:
    return {
        "type": "deal",
        "contract": {"declarer": "A", "trump": "H"},
        "totals": {"A": 14 + number % 3, "B": 14},
    }


def test_one_records_while_two_have_their_say(app: Flask) -> None:
    """Thirty deals in a row, and what both sides say of each: the recorder never has to look again."""
    head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
    beginning = Matches(SqlStore(), "secret")
    id = beginning.start(head, OWNER, "form")
    SqlStore().add_grants([Grant(side, id, side, side, False, "", "") for side in "AB"])
    ready, said = threading.Barrier(3), {"A": 0, "B": 0}
    faults: list[Exception] = []

    def record(matches: Matches) -> None:
        for number in range(DEALS):
            match = matches.open(id)
            matches.write(match, AddEntry(deal(number)), Submission(OWNER, match.seq, f"deal {number}"))
            db.session.remove()

    def speak(side: str, say: Callable[[int], Change]) -> Callable[[Matches], None]:
        def go(matches: Matches) -> None:
            spoken: set[int] = set()
            while len(spoken) < DEALS and not faults:
                match = matches.open(id)
                for entry in {entry.id for entry in match.logged_entries} - spoken:
                    seen = matches.open(id)
                    matches.write(seen, say(entry), Submission(side, seen.seq, f"{side} {entry}"))
                    spoken.add(entry)
                    said[side] += 1
                db.session.remove()

        return go

    def run(action: Callable[[Matches], None]) -> None:
        with app.app_context():
            ready.wait()
            try:
                action(Matches(SqlStore(), "secret"))  # as another process would
            except Exception as fault:  # noqa: BLE001  # it is what came of it
                faults.append(fault)
            db.session.remove()

    actions = (
        record,
        speak("A", lambda entry: Agree(entry, "A")),
        speak("B", lambda entry: Object(entry, "B", "other", f"no. {entry}")),
    )
    threads = [threading.Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    db.session.rollback()
    match = Matches(SqlStore(), "secret").open(id)
    assert [event.seq for event in match.events] == list(range(1, 3 * DEALS + 1))
    assert match.state.totals == {"A": 15 * DEALS, "B": 14 * DEALS}
    assert len(match.remarks.open) == DEALS
    assert all(match.remarks.agreed(entry.id) == ("A",) for entry in match.standing_entries)


def test_many_speak_of_one_deal_at_once(app: Flask) -> None:
    """Eight phones in the same moment, every tap sent twice: each remark is there, and there once."""
    matches = Matches(SqlStore(), "secret")
    id = matches.start(
        {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}, OWNER, "another form"
    )
    matches.write(matches.open(id), AddEntry(deal(1)), Submission(OWNER, 0, "deal"))
    SqlStore().add_grants([Grant(f"g{n}", id, f"phone {n}", "B", False, "", "") for n in range(8)])
    ready = threading.Barrier(16)
    faults: list[Exception] = []

    def speak(number: int) -> None:
        with app.app_context():
            mine = Matches(SqlStore(), "secret")
            match = mine.open(id)
            db.session.remove()
            ready.wait()
            try:
                said = Object(1, "B", "other", f"phone {number}")
                mine.write(match, said, Submission(f"phone {number}", 1, f"form {number}"))
            except Exception as fault:  # noqa: BLE001  # it is what came of it
                faults.append(fault)
            db.session.remove()

    threads = [threading.Thread(target=speak, args=(number,)) for number in [*range(8), *range(8)]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    db.session.rollback()
    log = SqlStore().load_match(id)
    assert log is not None
    assert sorted(event.author for event in log.events[1:]) == [f"phone {n}" for n in range(8)]


def test_correcting_while_another_agrees(app: Flask) -> None:
    """Whichever comes first: nobody has agreed to what had been put right before."""
    SqlStore()
    matches = Matches(SqlStore(), "secret")
    head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
    for round in range(10):
        id = matches.start(head, OWNER, f"round {round}")
        matches.write(matches.open(id), AddEntry(deal(1)), Submission(OWNER, 0, "deal"))
        SqlStore().add_grants([Grant(f"g{round}", id, "opponent", "B", False, "", "")])
        ready = threading.Barrier(2)

        def write(change: Change, author: str, id: str = id, ready: threading.Barrier = ready) -> None:
            with app.app_context():
                mine = Matches(SqlStore(), "secret")
                match = mine.open(id)
                ready.wait()
                with suppress(StaleWrite, NoSuchEntry):
                    mine.write(match, change, Submission(author, 1, author))
                db.session.remove()

        threads = [
            threading.Thread(target=write, args=(AmendEntry(1, deal(2)), OWNER)),
            threading.Thread(target=write, args=(Agree(1, "B"), "opponent")),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        db.session.rollback()
        kinds = [event.kind for event in matches.open(id).events]
        assert kinds in (["add", "amend"], ["add", "agree", "amend"]), kinds
        assert matches.open(id).remarks.agreed(1) == ()
