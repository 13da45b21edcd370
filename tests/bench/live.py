"""Recording on the real server, alone and beside two hundred phones that look on; and when these see it.

They follow a match with an entry every few seconds; or, worse than any evening, one of those that are written
in as fast as it goes.
"""

import asyncio
import http.client
import multiprocessing
import random
import re
import threading
import time
from dataclasses import dataclass
from itertools import count, product
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event as Signal
from statistics import mean
from urllib.parse import urlencode

from ._shared import COUNTED, Row, carried_fields, store_matches
from .serve import running_server

ONLOOKERS, PACE = 200, 1.5
"""Phones that look on, and how often each of them asks: seconds, as the page does while something happens."""
PENCILS, PAUSE, SECONDS, ROUNDS = 4, 3.0, 7, 3
"""Pencils that write as fast as it goes, beside one that pauses."""
PAUSING, HURRYING = 0, 1
"""The first pencils of both kinds."""
BEFORE, LIMIT, MATCHES = 12, 100, 12
"""Deals that a match has, those that are added until the next one is begun, and how many there are."""
Seen = tuple[int, float]


def id_of(round: int, pencil: int, number: int) -> str:
    """The id of one of the matches that a pencil writes in, one after the other."""
    return f"bench-live-{round:02}-{pencil:02}-{number:04}"


@dataclass
class Recorded:
    """What pencils wrote: how long each save took those that hurry; when the one that pauses saved."""

    taken: list[float]
    moments: dict[int, float]


def record(port: int, cookie: str, round: int) -> Recorded:
    """Record deals with all pencils at once."""
    recorded = Recorded([], {})

    def keep_score(pencil: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        cookies, until = {"Cookie": cookie}, time.monotonic() + SECONDS
        for number in count():
            if time.monotonic() > until:
                break
            address = f"/en/m/{id_of(round, pencil, number // LIMIT)}/deal"
            began = time.perf_counter()
            connection.request("GET", address, headers=cookies)
            form = connection.getresponse()
            session = next((item for item in form.msg.get_all("Set-Cookie", ()) if "companion=" in item), "")
            page = form.read().decode()
            if session:
                cookies["Cookie"] = f"{cookie}; {session.partition(';')[0]}"
            typed = COUNTED | carried_fields(page)
            connection.request(
                "POST",
                address,
                urlencode(typed),
                cookies | {"Content-Type": "application/x-www-form-urlencoded"},
            )
            answer = connection.getresponse()
            refused = answer.read().decode()
            assert answer.status == 303, refused
            if pencil == PAUSING:
                recorded.moments[int(typed["seq"]) + 1] = time.monotonic()
                time.sleep(PAUSE)
            else:
                recorded.taken.append(time.perf_counter() - began)
        connection.close()

    pencils = [threading.Thread(target=keep_score, args=(pencil,)) for pencil in range(PENCILS + 1)]
    for pencil in pencils:
        pencil.start()
    for pencil in pencils:
        pencil.join()
    return recorded


async def look_on(port: int, round: int, pencil: int, over: Signal) -> list[Seen]:
    """One phone that follows the matches of a pencil: of each new page the length of the log, and when."""
    await asyncio.sleep(random.uniform(0, PACE))
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    seen, number = "0.0", 0
    pages: list[Seen] = []
    while not over.is_set():
        asked = f"GET /en/m/{id_of(round, pencil, number)} HTTP/1.1\r\nHost: localhost\r\nX-Seen: {seen}"
        writer.write(f"{asked}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        seen = re.search(r"X-Seen: ([\d.]+)", head)[1]  # type: ignore[index]  # or the bench fails
        if head.startswith("HTTP/1.1 200"):
            await reader.readexactly(int(re.search(r"Content-Length: (\d+)", head)[1]))  # type: ignore[index]
            pages.append((int(seen.partition(".")[0]), time.monotonic()))
        if seen == f"{BEFORE + LIMIT}.0":
            seen, number = "0.0", number + 1
        await asyncio.sleep(PACE * random.uniform(0.9, 1.1))
    writer.close()
    return pages


def look_on_all(port: int, round: int, pencil: int, over: Signal, reported: "Queue[list[Seen]]") -> None:
    """All phones that look on, in a process of their own."""

    async def gather() -> list[list[Seen]]:
        return await asyncio.gather(*(look_on(port, round, pencil, over) for _one in range(ONLOOKERS)))

    pages = asyncio.run(gather())
    assert min(map(len, pages)) > 1, "somebody saw nothing new"
    reported.put([item for phone in pages for item in phone])


def record_beside(port: int, cookie: str, round: int, pencil: int) -> tuple[Recorded, list[Seen]]:
    """Record while all of them look on at what a pencil writes; what they saw."""
    context = multiprocessing.get_context("spawn")
    over, reported = context.Event(), context.Queue()
    onlookers = context.Process(target=look_on_all, args=(port, round, pencil, over, reported))
    onlookers.start()
    time.sleep(2 * PACE)
    recorded = record(port, cookie, round)
    time.sleep(2 * PACE)  # what was written last is seen as well
    over.set()
    seen = reported.get(timeout=60)
    onlookers.join()
    return recorded, seen


def run() -> list[Row]:
    """How often an entry is written, how long a save takes, and when it is seen; turn and turn about."""
    alone: list[Recorded] = []
    calm: list[Recorded] = []
    storm: list[Recorded] = []
    waited: list[float] = []
    with running_server() as (port, instance):
        every = product(range(3 * ROUNDS + 1), range(PENCILS + 1), range(MATCHES))
        cookie = store_matches(instance, [id_of(*place) for place in every], BEFORE)
        record(port, cookie, 3 * ROUNDS)
        for round in range(0, 3 * ROUNDS, 3):
            alone.append(record(port, cookie, round))
            recorded, pages = record_beside(port, cookie, round + 1, PAUSING)
            calm.append(recorded)
            waited += [at - recorded.moments[seq] for seq, at in pages if seq in recorded.moments]
            storm.append(record_beside(port, cookie, round + 2, HURRYING)[0])
    what = f"{PENCILS} pencils beside {ONLOOKERS} onlookers"
    rows = compare(what, calm, alone) + compare(f"{what} of one of them", storm, alone)
    waited.sort()
    for part, share, limit in (("median", 0.5, 2.0), ("worst", 1.0, 4.0)):
        seconds = waited[min(int(len(waited) * share), len(waited) - 1)]
        rows.append((f"{what}: an entry is seen after, {part}", seconds, "what it may take", limit))
    return rows


def compare(what: str, beside: list[Recorded], alone: list[Recorded]) -> list[Row]:
    """Recording beside onlookers, with recording alone as its limit."""
    paces = [mean(SECONDS / len(item.taken) for item in rounds) for rounds in (beside, alone)]
    rows = [(f"{what}: an entry every", paces[0], f"the same alone, {1 / paces[1]:.0f}/s", paces[1])]
    saves = [sorted(taken for item in rounds for taken in item.taken) for rounds in (beside, alone)]
    for part, share in (("median", 0.5), ("slowest of 20", 0.95)):
        slow, fast = (save[int(len(save) * share)] for save in saves)
        rows.append((f"{what}: a save, {part}", slow, "the same alone", fast))
    return rows
