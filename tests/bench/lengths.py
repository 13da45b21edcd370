"""Matches of 5,000 entries beside such of 50: every page, and everything that is written, should cost what
it shows, under three times as much; and what it takes to open such a match for the first time in a process.
Seconds are those of the processor.

`corrected` matches have 400 corrections besides, of the last ten entries each time; `rewritten` ones as many
of any entry.
"""

import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from statistics import median
from time import process_time
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from companion import create_app
from companion.record.log import Event
from companion.store import StoredMatch
from companion.store.sql import SqlStore

FEW, MANY, CORRECTIONS, LIMIT = 50, 5_000, 400, 3
ROUNDS, PATIENCE = 9, 2.0
"""How often each request is timed, and after how many seconds that is often enough."""
AT = "2026-11-20T19:05:00+01:00"
Row = tuple[str, float, str, float]

CONTRACT = {"declarer": "A", "trump": "H"}
DEALS: list[dict[str, Any]] = [
    {"type": "deal", "contract": CONTRACT, "totals": {"A": 82, "B": 65}},
    {"type": "adjust", "side": "A", "points": -82, "reason": "bench"},
    {"type": "adjust", "side": "B", "points": -65, "reason": "bench"},
    {
        "type": "deal",
        "contract": CONTRACT,
        "count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"},
        "runs": [{"seat": "B", "length": 3, "top": "K"}],
    },
    {"type": "adjust", "side": "A", "points": -82, "reason": "bench"},
    {"type": "adjust", "side": "B", "points": -65, "reason": "bench"},
]
HANDS: list[dict[str, Any]] = [
    {"type": "hand", "loser": "C", "trump": "H"},
    {"type": "hand", "loser": "A", "trump": "S"},
    {"type": "hand", "loser": None, "trump": "S"},
    {"type": "hand", "loser": "B"},
]


@dataclass(frozen=True)
class Played:
    """A game with entries that can go on for ever, and its form: what is sent to save or to correct one."""

    game: str
    head: dict[str, Any]
    entries: list[dict[str, Any]]
    form: str
    saved: dict[str, str]
    corrected: dict[str, str]


GAMES = (
    Played(
        "derda",
        {"players": ["Ewa", "Jan"], "first_dealer": "B", "conventions": {"target": 9999}},
        DEALS,
        "deal",
        {"total_A": "82", "total_B": "65", "counting": "totals", "bid": "A:H"},
        {"total_A": "85", "total_B": "62", "counting": "totals", "bid": "A:H"},
    ),
    Played(
        "durak",
        {"players": ["Ewa", "Jan", "Ola"], "first_dealer": "B"},
        HANDS,
        "hand",
        {"result": "C", "trump": "H"},
        {"result": "B", "trump": "H"},
    ),
)


def make_log(entries: list[dict[str, Any]], length: int, corrections: str) -> tuple[Event, ...]:
    """A log with so many entries, and with none, "late" or "any" `corrections`."""
    draw = random.Random(7)
    pace = length // CORRECTIONS if corrections else 0
    events: list[Event] = []
    added: list[tuple[int, dict[str, Any]]] = []
    for n in range(length):
        entry = entries[n % len(entries)]
        events.append(Event(0, "add", payload=entry, at=AT, author="bench"))
        added.append((len(events), entry))
        if pace and n % pace == pace - 1:
            id, entry = draw.choice(added[-10:] if corrections == "late" else added)
            events.append(Event(0, "amend", id, {**entry, "note": f"{n}"}, at=AT, author="bench"))
    return tuple(events)


class Bench:
    """A browser that writes in one match."""

    def __init__(self, app: Flask, played: Played, id: str, events: tuple[Event, ...]) -> None:
        head = {"game": played.game, **played.head}
        SqlStore().create_match(StoredMatch(id, "bench", head, events, AT))
        self.app, self.played, self.id, self.board = app, played, id, f"/en/m/{id}"
        self.first, self.length = 1, len(events)
        added = [n for n, event in enumerate(events, 1) if event.kind == "add"]
        self.last = max(n for n in added if events[n - 1].payload["type"] in ("deal", "hand"))
        self.client: FlaskClient = app.test_client()
        with self.client.session_transaction() as session:
            session["owner"] = "bench"

    def get(self, path: str) -> str:
        """A page of the match."""
        answer = self.client.get(self.board + path)
        assert answer.status_code in (200, 204), (path, answer.status)
        return answer.get_data(as_text=True)

    def send(self, path: str, sent: dict[str, str], page: str) -> float:
        """Fill in the form on a page; the seconds that its answer took."""
        fields = re.findall(r'name="(form_key|seq|csrf_token)"[^>]*value="([^"]*)"', self.get(page))
        typed = {name: unescape(value) for name, value in fields}
        began = process_time()
        answer = self.client.post(self.board + path, data=typed | sent)
        taken = process_time() - began
        assert answer.status_code == 303, (path, answer.status, answer.get_data(as_text=True)[:3000])
        return taken

    def pages(self) -> dict[str, str]:
        """What is looked at: its name and its address."""
        return {
            "board": "",
            "board, all entries": "?all=1",
            "first entry": f"/entries/{self.first}",
            "last entry": f"/entries/{self.last}",
            "form that corrects the first": f"/entries/{self.first}?edit=1",
            "form that corrects the last": f"/entries/{self.last}?edit=1",
            "form of recording": f"/{self.played.form}",
            "history": "/history",
            "names and place": "/names",
            "more": "/more",
            "big board": "/big",
            "turned board": "/turned",
            "doubting the last entry": f"/entries/{self.last}/object",
            "sheet": "/sheet",
            "news": f"/news?since={self.length - 5}.0",
        }

    def writes(self) -> dict[str, Callable[[], float]]:
        """What is written, one after the other."""
        form, saved, corrected = f"/{self.played.form}", self.played.saved, self.played.corrected
        flip = {"value": False}

        def amend(id: int) -> float:
            flip["value"] = not flip["value"]
            path = f"/entries/{id}"
            return self.send(path, (corrected if flip["value"] else saved) | {"do": "save"}, f"{path}?edit=1")

        def agree() -> float:
            id = re.findall(r"entries/(\d+)\"", self.get(""))[0]
            return self.send(f"/entries/{id}/agree", {"side": "A"}, "/turned")

        return {
            "save": lambda: self.send(form, saved | {"do": "save"}, form),
            "undo": lambda: self.send("/undo", {}, ""),
            "put back": lambda: self.send("/put-back", {}, ""),
            "correct the last entry": lambda: amend(self.last),
            "correct the first entry": lambda: amend(self.first),
            "withdraw the last entry": lambda: self.send(f"/entries/{self.last}", {"do": "withdraw"}, ""),
            "restore it": lambda: self.send(f"/entries/{self.last}", {"do": "restore"}, ""),
            "agree to the last entry": agree,
        }

    def forget(self) -> None:
        """Have the match to be opened anew."""
        self.app.extensions["matches"]._memory.forget(self.id)


def timed(work: Callable[[], Any]) -> float:
    """How long some work takes, once."""
    began = process_time()
    work()
    return process_time() - began


def middle(work: Callable[[], float]) -> float:
    """The median of what some work says it took, again and again until that is enough."""
    taken: list[float] = []
    began = process_time()
    while len(taken) < ROUNDS and (not taken or process_time() - began < PATIENCE):
        taken.append(work())
    return median(taken)


def measure(bench: Bench) -> dict[str, float]:
    """The seconds that everything takes."""
    found: dict[str, float] = {}

    def open_first() -> float:
        bench.forget()
        return timed(lambda: bench.get(""))

    found["opened first in a process: board"] = middle(open_first)

    def describe_first() -> float:
        bench.forget()
        return timed(lambda: bench.get("/history"))

    found["opened first in a process: history"] = middle(describe_first)
    for name, path in bench.pages().items():
        bench.get(path)
        found[name] = middle(lambda path=path: timed(lambda: bench.get(path)))  # type: ignore[misc]
    writes = bench.writes()
    for name in ("save", "correct the last entry", "correct the first entry", "agree to the last entry"):
        writes[name]()
        found[name] = middle(writes[name])
    for pair in (("undo", "put back"), ("withdraw the last entry", "restore it")):
        taken = {item: list[float]() for item in pair}
        for _round in range(ROUNDS):
            for kind in pair:
                taken[kind].append(writes[kind]())
        found |= {value: median(times) for value, times in taken.items()}
    return found


@contextmanager
def bench_app() -> Iterator[Flask]:
    """The app on a database of its own."""
    with tempfile.TemporaryDirectory() as instance:
        app = create_app({"INSTANCE": instance, "WTF_CSRF_ENABLED": False, "TESTING": True})
        with app.app_context():
            pass
        yield app


KINDS = (("", ""), (", corrected", "late"), (", rewritten", "any"))


def run() -> list[Row]:
    """Everything of the long matches, with the same of the short one as its limit."""
    rows: list[Row] = []
    for played in GAMES:
        found: dict[str, dict[str, float]] = {}
        for n, (name, corrections) in enumerate((("few", ""), *KINDS)):
            with bench_app() as app:
                length = FEW if name == "few" else MANY
                with app.app_context():
                    bench = Bench(app, played, f"bench-{n}", make_log(played.entries, length, corrections))
                found[name] = measure(bench)
                print(f"# {played.game} {name}: measured", file=sys.stderr)
        for what, least in found["few"].items():
            for name, _corrections in KINDS:
                work = f"{played.game}{name}: {what}"
                rows.append((work, found[name][what], f"{LIMIT}: the same of {FEW} entries", least))
    return rows
