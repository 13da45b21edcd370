"""Heavy questions stop nobody: the server answers others meanwhile, and these in the end."""

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion import library

from .conftest import LONG, PAGE_TIMEOUT, RunningServer, ask, living, wait_until

pytestmark = pytest.mark.nightly

Run = Callable[..., RunningServer]
CLAIMS = 24


def list_claims(number: int) -> list[str]:
    """Claims of three players in the middle of a deal, no two alike."""
    random, rules, claims = Random(9), library.open_game("klaberjass-3").family.ruleset, []
    for _claim in range(number):
        pack = [str(card) for card in rules.pack]
        random.shuffle(pack)
        hands = "".join(f"&hands.{seat}={pack.pop()}" for _card in range(5) for seat in "ABC")
        claims.append(f"/en/ask/klaberjass-3/claim?asked=1&trump=H&leader=A&claimer=A{hands}")
    return claims


def insist(server: RunningServer, path: str) -> None:
    """Ask until the answer comes, whenever one is told to."""
    until = time.monotonic() + LONG
    while (reported := ask(server.port, path)[0]).status != 200:
        assert int(reported.headers["Retry-After"]) >= 1 and time.monotonic() < until
        time.sleep(0.1)


def workers(server: RunningServer) -> list[int]:
    return [pid for pid in server.family() if "spawn_main" in command_of(pid)]


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def test_whoever_asks_nothing_heavy_is_answered_meanwhile(run_server: Run) -> None:
    """Of 24 claims at once each is told how it stands while none can be answered; then the answers come."""
    server = run_server(constants={PAGE_TIMEOUT: 0.5}, WORKERS="1")
    first, reported = iter(list_claims(60)), list[int]()
    while len(workers(server)) < 2:  # one for each process of the server
        insist(server, next(first))
    stopped = workers(server)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    claims = list_claims(60 + CLAIMS)[60:]
    asking = [
        threading.Thread(target=lambda claim=claim: reported.append(server.get(claim)[0])) for claim in claims
    ]
    for item in asking:
        item.start()
    assert server.get("/en/")[0] == 200
    for thread in asking:
        thread.join()
    assert len(reported) == CLAIMS and set(reported) <= {202, 429} and 202 in reported
    assert server.get("/en/new")[0] == 200
    for pid in stopped:
        os.kill(pid, signal.SIGCONT)
    for claim in claims:
        insist(server, claim)


def test_a_worker_that_is_killed_costs_a_moment(run_server: Run) -> None:
    """What it was at is done by the next one, for whoever asks again."""
    server = run_server(constants={PAGE_TIMEOUT: 0})
    [claim] = list_claims(1)
    assert server.get(claim)[0] == 202
    serving = server.family()[:2]
    wait_until(lambda: bool(workers(server)))
    for pid in workers(server):
        os.kill(pid, signal.SIGKILL)
    insist(server, claim)
    assert living().keys() >= set(serving)
