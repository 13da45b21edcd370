"""The main pages on the real server, beside an empty page of the same layout and beside `/healthz`."""

import http.client
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

from ._shared import Row, store_matches
from .serve import ID, running_server

MATCHES, DEALS, ROUNDS = 12, 5, 60
LONG, LONG_DEALS = "bench-pages-long", 60
EMPTY = "/en/nothing-is-here"
"""A page that is not found: the layout and one sentence."""
PAGES = {
    "the front page of a browser with 13 matches": "/en/",
    "*New match*": "/en/new",
    "a board of 12 deals": f"/en/m/{ID}",
    "a board of 60 deals": f"/en/m/{LONG}",
    "the form of a deal": f"/en/m/{ID}/deal",
    "a deal for correction": f"/en/m/{ID}/entries/1?edit=1",
    "the history of 60 deals": f"/en/m/{LONG}/history",
    "the rulebook of a game": "/en/rules/derda",
    "the form of a question": "/en/ask/derda/play",
    "the figures of a player": "/en/player?name=Ewa",
}


def run() -> list[Row]:
    """Each page by a connection that stays open, turn and turn about with what it is compared with."""
    ids = [f"bench-pages-{number:04}" for number in range(MATCHES - 1)]
    with running_server() as (port, instance):
        store_matches(instance, [LONG], LONG_DEALS)
        headers = {"Cookie": store_matches(instance, ids, DEALS)}
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

        def fetch(path: str, status: int = 200, **more: str) -> str:
            connection.request("GET", path, headers=headers | more)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status, (path, answer.status)
            return answer.headers.get("X-Seen", "")

        def compare(*asked: Callable[[], str]) -> list[float]:
            """The median seconds of each."""
            taken: list[list[float]] = [[] for _each in asked]
            for _round in range(ROUNDS):
                for times, ask in zip(taken, asked, strict=True):
                    began = perf_counter()
                    ask()
                    times.append(perf_counter() - began)
            return [median(times) for times in taken]

        rows: list[Row] = []
        for name, path in PAGES.items():
            fetch(path)
            page, empty, least = compare(
                partial(fetch, path), partial(fetch, EMPTY, 404), partial(fetch, "/healthz")
            )
            rows += [(name, page, "an empty page", empty), ("", page, "/healthz", least)]
        board = PAGES["a board of 12 deals"]
        seen = fetch(board, 200, **{"X-Seen": "0.0"})
        unchanged, least = compare(partial(fetch, board, 304, **{"X-Seen": seen}), partial(fetch, "/healthz"))
        return [*rows, ("asking whether a board has changed", unchanged, "/healthz", least)]
