"""Ten thousand matches of thirty deals in the store, beside ten: pages and recording cost what they show.

One browser began eight of ten, and joined the others. Both databases; each page of both in turn. What counts
is the time that processors work.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text
from stores.many import OWNER, fill, id_of
from stores.postgres import own_cluster

from companion import create_app
from companion.matches import Matches
from companion.matches.match import summarize_match
from companion.record.log import Event
from companion.store import StoredMatch
from companion.store.tables import db
from companion.web.shell.security.browser import COOKIE, sign

from ._shared import COUNTED, DEAL, HEAD, Row, carried_fields

MANY, FEW, DEALS, ROUNDS = 10_000, 10, 30, 15
NEW = {"game": "derda", "name-A": "Ewa", "name-B": "Jan", "dealer": "A"}


class FilledStore:
    """The app on a database with so many matches, and the browser whose they are."""

    def __init__(self, address: str, instance: str, matches: int) -> None:
        settings = {"INSTANCE": instance, "DATABASE": address, "WTF_CSRF_ENABLED": False}
        self.app: Flask = create_app(settings)
        self.matches = matches
        with self.app.app_context():
            head = HEAD | {"players": ["Gracz0", "Jan"]}
            fill(db.engine, matches, DEALS, head, json.dumps(DEAL), self._summary(head))
        self.client: FlaskClient = self.app.test_client()
        with self.app.app_context():
            self.client.set_cookie(COOKIE, sign(OWNER), path="/")
        self._backends: list[Path] = []

    def find_backends(self) -> None:
        """Look up the processes of PostgreSQL that work for this app."""
        with self.app.app_context():
            if db.engine.dialect.name == "postgresql":
                asked = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
                found = db.session.execute(text(asked)).scalars().all()
                self._backends = [Path(f"/proc/{pid}/schedstat") for pid in found]

    def seconds(self) -> float:
        """The time that processors have worked for this app, PostgreSQL's processes among them.

        Whatever else the machine does meanwhile is not in it.
        """
        there = sum(int(backend.read_text().split()[0]) for backend in self._backends if backend.exists())
        return process_time() + there / 1e9

    def _summary(self, head: dict[str, Any]) -> dict[str, Any]:
        """What lists show of such a match, as the app itself says it."""
        events = tuple(Event(n, "add", payload=DEAL, at="2026") for n in range(1, DEALS + 1))
        served: Matches = self.app.extensions["matches"]
        served.store.create_match(StoredMatch("like all others", "nobody", head, events, "2026"))
        summary = summarize_match(served.open("like all others"))
        with db.engine.begin() as connection:
            connection.execute(text("DELETE FROM event"))
            connection.execute(text("DELETE FROM match"))
        return summary

    def get(self, address: str) -> str:
        answer = self.client.get(address)
        assert answer.status_code == 200, (address, answer.status)
        return answer.text

    def post(self, address: str, page: str, typed: dict[str, str]) -> None:
        answer = self.client.post(address, data=carried_fields(page) | typed)
        assert answer.status_code == 303, answer.text


def actions() -> dict[str, Callable[[FilledStore, int], Callable[[], object]]]:
    """What is measured: of a store and a round what is done, after what has to be there for it."""

    def board(number: int) -> str:
        return f"/en/m/{id_of(number)}"

    def of_one(path: str) -> Callable[[FilledStore, int], Callable[[], object]]:
        return lambda store, round: lambda: store.get(board(0) + path)

    def record(store: FilledStore, number: int) -> Callable[[], object]:
        address = board(number) + "/deal"
        page = store.get(address)
        return lambda: store.post(address, page, COUNTED)

    def start(store: FilledStore, round: int) -> Callable[[], object]:
        page = store.get("/en/new")
        return lambda: store.post("/en/new", page, NEW)

    def older(store: FilledStore, round: int) -> Callable[[], object]:
        place = f"2020-01-0{2 if store.matches > FEW else 1}T18:10:00.000+00:00~x"
        return lambda: store.get("/en/?older=" + place.replace("+", "%2B"))

    return {
        "the front page": lambda store, round: lambda: store.get("/en/"),
        "a page far down the list": older,
        "search of what all have": lambda store, round: lambda: store.get("/en/?q=jan"),
        "search of what one has": lambda store, round: lambda: store.get("/en/?q=gracz5"),
        "search of what none has": lambda store, round: lambda: store.get("/en/?q=nobody"),
        "a board": of_one(""),
        "a history": of_one("/history"),
        "an entry": of_one("/entries/7"),
        "the form of a deal": of_one("/deal"),
        "the form of a new match": lambda store, round: lambda: store.get("/en/new"),
        "starting a match": start,
        "recording a deal": lambda store, round: record(store, 1),
        "recording where one joined": lambda store, round: record(store, 9),
        "resuming": lambda store, round: lambda: store.client.get("/en/resume"),
    }


def compare(kind: str, many: FilledStore, few: FilledStore) -> Iterator[Row]:
    """Each deed in both stores, turn and turn about."""
    for name, prepare in actions().items():
        taken: dict[int, list[float]] = {MANY: [], FEW: []}
        for round in range(ROUNDS + 3):
            for store in (many, few)[:: 1 if round % 2 else -1]:
                action = prepare(store, round)
                if round == 2:
                    store.find_backends()
                began = store.seconds()
                action()
                if round >= 3:
                    taken[store.matches].append(store.seconds() - began)
        beside = f"the same with {FEW} matches"
        slow, fast = (sorted(taken[item])[ROUNDS // 4] for item in (MANY, FEW))
        yield f"{kind}, {MANY} matches: {name}", slow, beside, fast


@contextmanager
def databases(kind: str) -> Iterator[tuple[str, str]]:
    """The addresses of two empty databases."""
    if kind == "PostgreSQL":
        with own_cluster() as cluster:
            yield cluster.add_database("many"), cluster.add_database("few")
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/many.sqlite", f"sqlite:///{folder}/few.sqlite"


def run() -> list[Row]:
    rows: list[Row] = []
    for kind in ("SQLite", "PostgreSQL"):
        with databases(kind) as (for_many, for_few), tempfile.TemporaryDirectory() as instance:
            many = FilledStore(for_many, f"{instance}/many", MANY)
            few = FilledStore(for_few, f"{instance}/few", FEW)
            rows += compare(kind, many, few)
            for store in (many, few):
                with store.app.app_context():
                    db.session.remove()
                    db.engine.dispose()
    return rows
