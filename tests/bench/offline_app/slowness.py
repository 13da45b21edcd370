"""A slower machine: the processes of a browser, held for most of the time.

What browsers offer for this slows pages down, and not their workers.
"""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import BrowserContext

SLICE = 0.008
"""Seconds for which they run, before they are held for several times as long."""


def find_processes(context: BrowserContext, kind: str = "") -> list[int]:
    """The processes of a browser, or those of a kind, such as "renderer"."""
    assert context.browser
    reported = context.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return [int(item["id"]) for item in reported["processInfo"] if kind in ("", item["type"])]


def count_memory(context: BrowserContext) -> int:
    """Bytes that they have to themselves."""
    total = 0
    for pid in find_processes(context):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) * 1024
    return total


def count_time(context: BrowserContext) -> float:
    """Seconds of a processor that what shows pages and works for them has had, as far as it still runs."""
    total, ticks = 0, os.sysconf("SC_CLK_TCK")
    for pid in _list_renderers(find_processes(context, "browser")[0]):
        with contextlib.suppress(OSError):
            reported = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += int(reported[11]) + int(reported[12])
    return total / ticks


def describe(times: int) -> str:
    """How it is done, in a line."""
    held = SLICE * (times - 1)
    return f"what shows pages and works for them runs for {SLICE} s, is held for {held}, and so on"


@contextlib.contextmanager
def slowed(context: BrowserContext, times: int) -> Iterator[None]:
    """So many times less of a processor for all that shows pages or works for them."""
    over = threading.Event()
    browser = find_processes(context, "browser")[0]

    def hold() -> None:
        held: list[int] = []
        while not over.is_set():
            held = _list_renderers(browser)
            _send(held, signal.SIGSTOP)
            time.sleep(SLICE * (times - 1))
            _send(held, signal.SIGCONT)
            time.sleep(SLICE)

    holder = threading.Thread(target=hold)
    if times > 1:
        holder.start()
    try:
        yield
    finally:
        over.set()
        if times > 1:
            holder.join()


def _list_renderers(browser: int) -> list[int]:
    """The processes below the browser's that are made for pages and workers; new ones come and go."""
    parents, found = {}, []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
    for pid in parents:
        line = pid
        while line in parents and line != browser:
            line = parents[line]
        with contextlib.suppress(OSError):
            if line == browser and b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


def _send(pids: list[int], what: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, what)
