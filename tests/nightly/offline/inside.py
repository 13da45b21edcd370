"""Inside the Python of a phone: asked for a part of the work, it tells in JSON what that comes to."""

import json
import sys
import time
from pathlib import Path
from typing import Any

from companion.offline_app.bridge import start
from tests.nightly.offline.judging import judge, list_work
from tests.unit.offline_app.parity.apps import read_tour, walk_offline_app

TESTS = Path(__file__).resolve().parents[2]


class Inside:
    """The phone's app, and the rules that it brings."""

    def __init__(self, folder: str) -> None:
        self._bridge = start(folder, "phone")
        self._tours = {short: read_tour(short, TESTS) for short in (False, True)}
        self._work: dict[int, Any] = {}

    def judge(self, every: int, first: int, most: int) -> str:
        """A part of the cases and of the matches."""
        if every not in self._work:
            self._work[every] = list_work(TESTS, every)
        return json.dumps(judge(self._work[every], first, most))

    def walk(self, name: str, short: bool) -> str:
        return json.dumps(
            [item.to_json() for item in walk_offline_app(self._bridge, self._tours[short].sections[name])]
        )

    def describe(self) -> str:
        """Which Python this is, and what it thinks the time is."""
        return f"Python {sys.version.split()[0]} on {sys.platform}, {'/'.join(time.tzname)}"
