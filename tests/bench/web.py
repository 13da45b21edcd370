"""The pages of a match of 60 deals, beside an empty Flask page, and one with a commit."""

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Any

from flask import Flask
from sqlalchemy import text

from companion import create_app
from companion.record.log import Event
from companion.store import StoredMatch
from companion.store.sql import SqlStore
from companion.store.tables import db

ROUNDS, DEALS = 30, 60
HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "B", "conventions": {"target": 9999}}
DEAL = {
    "type": "deal",
    "contract": {"declarer": "A", "trump": "H"},
    "count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"},
    "runs": [{"seat": "B", "length": 3, "top": "K"}],
}


def seconds(work: Callable[[], Any]) -> float:
    """How long it takes: the median of many times, after some to warm up."""
    for _warm in range(3):
        work()
    taken = []
    for _round in range(ROUNDS):
        start = perf_counter()
        work()
        taken.append(perf_counter() - start)
    return median(taken)


@contextmanager
def bench_app() -> Iterator[tuple[Flask, str]]:
    """The app with one match of 60 deals in it, and the match's id."""
    with tempfile.TemporaryDirectory() as instance:
        app = create_app({"INSTANCE": instance, "WTF_CSRF_ENABLED": False, "LIMITS": "off"})

        @app.get("/empty")
        def empty() -> str:
            return ""

        @app.post("/committed")
        def committed() -> str:
            session = db.session
            session.connection(execution_options={"sqlite_begin": "IMMEDIATE"})
            session.execute(text("UPDATE match SET changed_at = changed_at"))
            session.commit()
            return ""

        with app.app_context():
            id = "bench-bench-bench-1234"
            deals = [Event(0, "add", payload=DEAL, at="2026-11-20T19:05:00+01:00")] * DEALS
            SqlStore().create_match(StoredMatch(id, "bench", HEAD, tuple(deals), "2026-11-20T19:05:00+01:00"))
        yield app, id


def run() -> list[tuple[str, float, str, float]]:
    """The scoreboard, and recording a deal; each with its limit."""
    with bench_app() as (app, id):
        client = app.test_client()
        with client.session_transaction() as session:
            session["owner"] = "bench"
        board, deal = f"/en/m/{id}", f"/en/m/{id}/deal"

        def ok(address: str) -> None:
            assert client.get(address).status_code == 200, address

        def record() -> None:
            page = client.get(deal).get_data(as_text=True)
            typed = dict(re.findall(r'name="(form_key|seq|csrf_token)"[^>]*value="([^"]*)"', page))
            counted = {"total_A": "82", "total_B": "65", "counting": "totals", "bid": "A:H", "do": "save"}
            answer = client.post(deal, data=typed | counted)
            assert answer.status_code == 303, answer.get_data(as_text=True)

        def asked() -> None:
            assert client.get(deal).status_code == 200

        nothing = seconds(lambda: ok("/empty"))
        commit = seconds(lambda: client.post("/committed"))
        shown = seconds(lambda: ok(board))
        form = seconds(asked)
        both = seconds(record)
        return [
            (f"scoreboard of {DEALS} deals", shown, "an empty Flask page", nothing),
            ("recording a deal, without the form", both - form, "an empty page with one commit", commit),
            ("the form for a deal", form, "an empty Flask page", nothing),
        ]
