"""A hundred evenings with server and browser killed: `RUNS=20 SEED=7 ./dev bench offline_app/kills`.

Fails with a list of what was lost, doubled or made up.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from line import Line
from phone import Server, free_port
from playwright.sync_api import sync_playwright

from offline_app import build, fetch_app
from tests.nightly.kills.offline_app import Evening, Tally

from .measuring import Row, make_phone

RUNS, SEED = int(os.environ.get("RUNS", "100")), int(os.environ.get("SEED", "1"))
LONGEST = 60.0
"""Seconds that an evening may take on the average."""


def run() -> Iterator[Row]:
    """All evenings on one phone, with a match each."""
    problem = build()
    if problem:
        raise SystemExit(f"no pocket to be tried: {problem}")
    tally, began = Tally(), perf_counter()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), free_port())
        server.start()
        line = Line(server.address)
        phone = make_phone(playwright, Path(folder) / "phone", server, base_url=line.address)
        try:
            fetch_app(phone.open())
            phone.restart()
            for seed in range(SEED, SEED + RUNS):
                Evening(phone, line, server, tally, seed).run()
                _say(f"evening {seed}, after {perf_counter() - began:.0f} s: {tally.entries} entries")
                if tally.faults and os.environ.get("STOP"):
                    break
        finally:
            phone.close()
            line.close()
            server.stop()
    for what, times in sorted(tally.actions.items()):
        _say(f"{times:5} × {what}")
    _say(f"{tally.matches} matches, {tally.entries} entries, {tally.delivered} of them by the pocket")
    assert not tally.faults, "\n".join(tally.faults)
    yield f"an evening of {RUNS}, from {SEED}", (perf_counter() - began) / RUNS, "what it may take", LONGEST


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
