"""Pages that are read most, on the real server, beside the smallest answer it gives: `/healthz`."""

import http.client
from statistics import median
from time import perf_counter

from ._shared import Row, store_matches
from .serve import ID, running_server

MATCHES, DEALS, ROUNDS = 12, 5, 60
PAGES = {
    "the front page of a browser with 12 matches": "/en/",
    "the rulebook of a game": "/en/rules/derda",
    "the form of a question": "/en/ask/derda/play",
    "a board of 12 deals": f"/en/m/{ID}",
}


def run() -> list[Row]:
    """Each page by a connection that stays open, turn and turn about with `/healthz`."""
    ids = [f"bench-pages-{number:04}" for number in range(MATCHES - 1)]
    with running_server() as (port, instance):
        headers = {"Cookie": store_matches(instance, ids, DEALS)}
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

        def fetch(path: str, status: int = 200, **more: str) -> str:
            connection.request("GET", path, headers=headers | more)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == status, (path, answer.status)
            return answer.headers.get("X-Seen", "")

        def seconds(path: str, status: int = 200, **more: str) -> tuple[float, float]:
            taken: tuple[list[float], list[float]] = [], []
            for _round in range(ROUNDS):
                for times, asked in zip(taken, (("/healthz", 200, {}), (path, status, more)), strict=True):
                    began = perf_counter()
                    fetch(asked[0], asked[1], **asked[2])
                    times.append(perf_counter() - began)
            return median(taken[0]), median(taken[1])

        rows = []
        for name, path in PAGES.items():
            fetch(path)
            least, page = seconds(path)
            rows.append((name, page, "/healthz", least))
        seen = fetch(PAGES["a board of 12 deals"], 200, **{"X-Seen": "0.0"})
        least, unchanged = seconds(f"/en/m/{ID}", 304, **{"X-Seen": seen})
        return [*rows, ("asking whether a board has changed", unchanged, "/healthz", least)]
