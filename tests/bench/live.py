"""Recording on the real server: alone, and while two hundred phones follow one of the matches."""

import asyncio
import http.client
import multiprocessing
import random
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from itertools import count, product
from multiprocessing.synchronize import Event as Signal
from pathlib import Path
from statistics import mean
from urllib.parse import urlencode

from companion import create_app
from companion.record.log import Event
from companion.store import StoredMatch
from companion.store.sql import SqlStore
from companion.web.security.browser import COOKIE, sign

from .serve import running_server
from .web import DEAL, HEAD

ONLOOKERS, PACE = 200, 1.5
"""Phones that look on, and how often each of them asks: seconds, as the page does while something happens."""
PENCILS, SECONDS, ROUNDS = 4, 6, 3
BEFORE, MOST, MATCHES = 12, 100, 12
"""Deals that a match has, those that are added until the next one is begun, and how many there are."""
COUNTED = {"total_A": "82", "total_B": "65", "counting": "totals", "bid": "A:H", "do": "save"}


def id_of(round: int, pencil: int, number: int) -> str:
    """The id of one of the matches that a pencil writes in, one after the other."""
    return f"bench-live-{round:02}-{pencil:02}-{number:04}"


def make_matches(instance: Path) -> str:
    """Matches for all pencils and rounds; the cookie of whoever records in all of them."""
    app = create_app({"INSTANCE": str(instance)})
    with app.app_context():
        deals = (Event(0, "add", payload=DEAL, at="2026-11-20T19:05:00+01:00"),) * BEFORE
        every = product(range(2 * ROUNDS + 1), range(PENCILS), range(MATCHES))
        for id in (id_of(*one) for one in every):
            SqlStore().create_match(StoredMatch(id, "bench", HEAD, deals, "2026-11-20T19:05:00+01:00"))
        return f"{COOKIE}={sign('bench')}"


def record(port: int, cookie: str, round: int) -> list[float]:
    """Record deals with all pencils at once, as fast as it goes; how long each save took, form and all."""
    taken: list[float] = []

    def keep_score(pencil: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        cookies, until = {"Cookie": cookie}, time.monotonic() + SECONDS
        for number in count():
            if time.monotonic() > until:
                break
            address = f"/en/m/{id_of(round, pencil, number // MOST)}/deal"
            began = time.perf_counter()
            connection.request("GET", address, headers=cookies)
            form = connection.getresponse()
            session = next((one for one in form.msg.get_all("Set-Cookie", ()) if "companion=" in one), "")
            page = form.read().decode()
            if session:
                cookies["Cookie"] = f"{cookie}; {session.partition(';')[0]}"
            carried = re.findall(r'name="(csrf_token|form_key|seq)"[^>]*value="([^"]*)"', page)
            typed = COUNTED | {name: unescape(value) for name, value in carried}
            connection.request(
                "POST",
                address,
                urlencode(typed),
                cookies | {"Content-Type": "application/x-www-form-urlencoded"},
            )
            answer = connection.getresponse()
            refused = answer.read().decode()
            assert answer.status == 303, refused
            taken.append(time.perf_counter() - began)
        connection.close()

    pencils = [threading.Thread(target=keep_score, args=(pencil,)) for pencil in range(PENCILS)]
    for one in pencils:
        one.start()
    for one in pencils:
        one.join()
    return taken


async def look_on(port: int, round: int, over: Signal) -> int:
    """One phone that follows the matches of the first pencil; how often its page came anew."""
    await asyncio.sleep(random.uniform(0, PACE))
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    seen, pages, number = "0.0", 0, 0
    while not over.is_set():
        asked = f"GET /en/m/{id_of(round, 0, number)} HTTP/1.1\r\nHost: localhost\r\nX-Seen: {seen}"
        writer.write(f"{asked}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        seen = re.search(r"X-Seen: ([\d.]+)", head)[1]  # type: ignore[index]  # or the bench fails
        if head.startswith("HTTP/1.1 200"):
            await reader.readexactly(int(re.search(r"Content-Length: (\d+)", head)[1]))  # type: ignore[index]
            pages += 1
        if seen == f"{BEFORE + MOST}.0":
            seen, number = "0.0", number + 1
        await asyncio.sleep(PACE * random.uniform(0.9, 1.1))
    writer.close()
    return pages


def look_on_all(port: int, round: int, over: Signal) -> None:
    """All phones that look on, in a process of their own."""

    async def gather() -> None:
        pages = await asyncio.gather(*(look_on(port, round, over) for _one in range(ONLOOKERS)))
        assert min(pages) > 1, "somebody saw nothing"

    asyncio.run(gather())


@contextmanager
def beside_onlookers(port: int, round: int) -> Iterator[None]:
    """While all of them look on."""
    context = multiprocessing.get_context("spawn")
    over = context.Event()
    onlookers = context.Process(target=look_on_all, args=(port, round, over))
    onlookers.start()
    time.sleep(2 * PACE)
    try:
        yield
    finally:
        over.set()
        onlookers.join()
        assert onlookers.exitcode == 0


def run() -> list[tuple[str, float, str, float]]:
    """The time from one entry to the next, and how long a save takes, turn and turn about."""
    with running_server() as (port, instance):
        cookie = make_matches(instance)
        record(port, cookie, 2 * ROUNDS)
        alone: list[list[float]] = []
        beside: list[list[float]] = []
        for round in range(0, 2 * ROUNDS, 2):
            alone.append(record(port, cookie, round))
            with beside_onlookers(port, round + 1):
                beside.append(record(port, cookie, round + 1))
        paces = [mean(SECONDS / len(one) for one in rounds) for rounds in (beside, alone)]
        what = f"{PENCILS} pencils beside {ONLOOKERS} onlookers"
        rows = [(f"{what}: an entry every", paces[0], f"the same alone, {1 / paces[1]:.0f}/s", paces[1])]
        saves = [sorted(taken for one in rounds for taken in one) for rounds in (beside, alone)]
        for part, share in (("median", 0.5), ("slowest of 20", 0.95)):
            slow, fast = (one[int(len(one) * share)] for one in saves)
            rows.append((f"{what}: form and save, {part}", slow, "the same alone", fast))
        return rows
