"""What measurements share: a match of Derda, what is typed to record a deal in it, requests to a server."""

import http.client
import re
from html import unescape
from pathlib import Path
from typing import Any

from companion import create_app
from companion.record.log import Event
from companion.store import StoredMatch
from companion.store.sql import SqlStore
from companion.web.shell.security.browser import COOKIE, sign

AT = "2026-11-20T19:05:00+01:00"
HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "B", "conventions": {"target": 9999}}
DEAL = {
    "type": "deal",
    "contract": {"declarer": "A", "trump": "H"},
    "count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"},
    "runs": [{"seat": "B", "length": 3, "top": "K"}],
}
COUNTED = {"total_A": "82", "total_B": "65", "counting": "totals", "bid": "A:H", "do": "save"}
"""What is typed to record a deal by its totals."""

Row = tuple[str, float, str, float]
"""A measurement: its name, its seconds, the name of its natural limit, the seconds of that."""


def store_match(
    id: str, deals: int, owner: str = "bench", entries: tuple[dict[str, Any], ...] = (DEAL,)
) -> None:
    """Store a match of so many deals, or of these entries again and again."""
    events = tuple(Event(0, "add", payload=entries[n % len(entries)], at=AT) for n in range(deals))
    SqlStore().create_match(StoredMatch(id, owner, HEAD, events, AT))


def store_matches(instance: Path, ids: list[str], deals: int) -> str:
    """Store matches of so many deals in an instance; the cookie of whoever records in them."""
    with create_app({"INSTANCE": str(instance)}).app_context():
        for id in ids:
            store_match(id, deals)
        return f"{COOKIE}={sign('bench')}"


def carried_fields(page: str) -> dict[str, str]:
    found = re.findall(r'name="(csrf_token|form_key|seq)"[^>]*value="([^"]*)"', page)
    return {name: unescape(value) for name, value in found}


def ask(
    port: int, method: str, path: str, cookie: str = "", body: str = ""
) -> tuple[http.client.HTTPResponse, str]:
    """One request by a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=180)
    try:
        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()
