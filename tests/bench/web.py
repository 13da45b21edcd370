"""The pages of a match of 60 deals, beside an empty Flask page, and one with a commit."""

import json
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
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
BROUGHT, MATCHES, EACH = 300, 100, 30
HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "B", "conventions": {"target": 9999}}
DEAL = {
    "type": "deal",
    "contract": {"declarer": "A", "trump": "H"},
    "count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"},
    "runs": [{"seat": "B", "length": 3, "top": "K"}],
}

COUNTED = {"total_A": "82", "total_B": "65", "counting": "totals", "bid": "A:H", "do": "save"}
"""What is typed to record a deal by its totals."""


def seconds(work: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """How long it takes: the median of many times, after some to warm up."""
    for _warm in range(min(rounds, 3)):
        work()
    taken = []
    for _round in range(rounds):
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
            answer = client.post(deal, data=typed | COUNTED)
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
            *_exchange(app, commit),
        ]


def _exchange(app: Flask, commit: float) -> list[tuple[str, float, str, float]]:
    """What a phone brings that recorded without network, and what it learns; each with its limit."""
    client, version, ids = app.test_client(), app.extensions["files"].version, count()
    headers = {"X-Pocket": "1", "Origin": "http://localhost"}
    at = "2026-11-20T19:05:00+01:00"

    def send(path: str, body: Any) -> Any:
        answer = client.post(f"/api/v1/{path}", json={"version": version, **body}, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def deliver(most: int, deals: int = 3) -> None:
        id = f"{next(ids):022}"
        said = [("draft", {"type": "deal"}) if n % deals else ("add", DEAL) for n in range(most)]
        events = [
            {"kind": kind, "payload": payload, "at": at, "key": f"form {n}"}
            for n, (kind, payload) in enumerate(said)
        ]
        body = {"expected": 0, "start": {"head": HEAD, "at": at}, "events": events}
        assert send(f"matches/{id}/events", body)["taken"] == most

    def learn() -> list[Any]:
        have: dict[str, Any] = {}
        reported: list[Any] = []
        while not reported or reported[-1]["more"]:
            reported.append(send("pocket", {"have": have}))
            have |= {
                item["id"]: [item["from"] + len(item["events"]), item["access"]]
                for item in reported[-1]["matches"]
            }
        return reported

    send("pocket", {"have": {}})  # so that it is somebody
    brought = seconds(lambda: deliver(BROUGHT), rounds=3)
    client = app.test_client()
    send("pocket", {"have": {}})
    for _match in range(MATCHES):
        deliver(EACH, deals=1)
    reported = learn()
    assert sum(len(item["events"]) for answer in reported for item in answer["matches"]) == MATCHES * EACH
    return [
        (
            f"{BROUGHT} events that a phone brings",
            brought,
            "as many empty pages with a commit",
            commit * BROUGHT,
        ),
        (
            f"all that is new of {MATCHES} matches of {EACH} deals, in {len(reported)} answers",
            seconds(learn, rounds=5),
            "the same written and read as JSON",
            seconds(lambda: json.loads(json.dumps(reported))),
        ),
    ]
