"""The way of one request through the house: files entered, changes of file, calls and SQL statements.

Each is sent once to warm up, and counted the second time. `WALK=files` lists every file and statement.
"""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import event
from sqlalchemy.engine import Engine

import companion
from companion import create_app

from ._shared import COUNTED, Row, carried_fields, store_match

ID = "bench-bench-bench-1234"
FACTS = "trump=H&hand=8H&hand=AH&trick=10H&card=8H&asked=1"
HOUSE = str(Path(companion.__file__).parent) + os.sep


@dataclass
class Walk:
    """What was entered while a request was answered, in this order, and the statements that were sent."""

    stops: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)

    @property
    def files(self) -> Counter[str]:
        """The files of the house, by the calls in each."""
        return Counter(self.stops)

    @property
    def moves(self) -> int:
        """How often a call was in another file than the one before it."""
        return sum(here != there for here, there in zip(self.stops, self.stops[1:], strict=False))

    def __str__(self) -> str:
        figures = len(self.files), self.moves, len(self.stops), len(self.statements)
        return "{:3} files {:5} moves {:6} calls {:3} SQL statements".format(*figures)


@contextmanager
def record_walk() -> Iterator[Walk]:
    """Records what this thread calls in `companion`, and the statements of every engine."""
    walk = Walk()

    def note_call(frame: FrameType, kind: str, _argument: object) -> None:
        if kind == "call" and frame.f_code.co_filename.startswith(HOUSE):
            walk.stops.append(frame.f_code.co_filename.removeprefix(HOUSE))

    def note_statement(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        walk.statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note_statement)
    sys.setprofile(note_call)
    try:
        yield walk
    finally:
        sys.setprofile(None)
        event.remove(Engine, "before_cursor_execute", note_statement)


def post_deal(client: FlaskClient, address: str) -> Callable[[], Any]:
    """Makes a form for one more deal, as its page gives it; the answer sends it."""
    page = client.get(address).get_data(as_text=True)
    return lambda: client.post(address, data=carried_fields(page) | COUNTED)


@contextmanager
def bench_client() -> Iterator[FlaskClient]:
    """The browser of whoever keeps the score of a match of 60 deals, and an empty page beside it."""
    with tempfile.TemporaryDirectory() as instance:
        app = create_app({"INSTANCE": instance, "WTF_CSRF_ENABLED": False, "LIMITS": "off"})

        @app.get("/empty")
        def empty() -> str:
            return ""

        with app.app_context():
            store_match(ID, 60)
        client = app.test_client()
        with client.session_transaction() as session:
            session["owner"] = "bench"
        yield client


def run() -> list[Row]:
    """Prints the walks; there is nothing to compare them with."""
    with bench_client() as client:
        board, deal = f"/en/m/{ID}", f"/en/m/{ID}/deal"
        walks: dict[str, Callable[[], Callable[[], Any]]] = {
            "GET an empty page": lambda: lambda: client.get("/empty"),
            "POST a deal": lambda: post_deal(client, deal),
            "GET the form of a deal": lambda: lambda: client.get(deal),
            "GET the scoreboard": lambda: lambda: client.get(board),
            "GET the front page": lambda: lambda: client.get("/en/"),
            "GET the answer to a question": lambda: lambda: client.get(f"/en/ask/derda/play?{FACTS}"),
        }
        for name, prepare in walks.items():
            prepare()()
            send = prepare()
            with record_walk() as walk:
                answer = send()
            print(f"{name:<28} {answer.status_code} {walk}")
            if os.environ.get("WALK") == "files":
                for file, calls in walk.files.most_common():
                    print(f"    {calls:5} {file}")
                for statement in walk.statements:
                    print(f"    {' '.join(statement.split())[:150]}")
    return []
