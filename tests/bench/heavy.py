"""Looking at the home page and recording while much that is heavy is asked at once; what workers keep of it.

Each kind is asked by as many browsers as there are requests, at once; each asks again while it is told to.
"""

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

from companion import create_app
from companion.web.rulings import query_of
from companion.web.shell.security.browser import COOKIE, sign

from ._shared import COUNTED, Row, ask, carried_fields, store_match
from .claim import deal_hands
from .serve import running_server

BROWSERS = 24
LONG, PRINTS = 5000, 4
"""Entries of a long match, and how many such matches are printed at once."""
CALM, PAUSE, LONGEST = 5.0, 0.2, 180.0
"""Seconds that are measured alone; between two looks at a page; and until whoever asks gives up."""
ENTRIES = (
    {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}},
    {"type": "adjust", "side": "A", "points": -82, "reason": "bench"},
    {"type": "adjust", "side": "B", "points": -65, "reason": "bench"},
)
"""What a long match has, again and again, so that it does not end."""
SHORT = 60
"""Matches to record in, one after the other."""
_SAVES = count()


@dataclass
class Felt:
    """What those felt who asked nothing heavy: seconds of each home page and of each save."""

    home: list[float] = field(default_factory=list)
    save: list[float] = field(default_factory=list)


def make_matches(instance: Path) -> list[str]:
    """Matches to record in, and long ones; the cookies of as many browsers as ask, after who records."""
    with create_app({"INSTANCE": str(instance)}).app_context():
        short = ((f"short-{n}", 12) for n in range(SHORT))
        for name, entries in [*short, *((f"long-{n}", LONG) for n in range(PRINTS))]:
            owner = "browser-0" if entries < LONG else "another"
            store_match(f"bench-heavy-{name}", entries, owner, ENTRIES)
        return [f"{COOKIE}={sign(f'browser-{n}')}" for n in range(BROWSERS + 1)]


def look_and_record(port: int, cookie: str, over: threading.Event) -> Felt:
    felt, session = Felt(), ""

    def look() -> None:
        while not over.is_set():
            began = time.perf_counter()
            answer, page = ask(port, "GET", "/en/", cookie)
            assert answer.status == 200, page
            felt.home.append(time.perf_counter() - began)
            time.sleep(PAUSE)

    def record() -> None:
        nonlocal session
        while not over.is_set():
            address = f"/en/m/bench-heavy-short-{next(_SAVES) // 60}/deal"
            form, page = ask(port, "GET", address, f"{cookie}; {session}")
            given = [item for item in form.headers.get_all("Set-Cookie", ()) if item.startswith("companion=")]
            session = given[0].partition(";")[0] if given else session
            typed = COUNTED | carried_fields(page)
            began = time.perf_counter()
            answer, page = ask(port, "POST", address, f"{cookie}; {session}", urlencode(typed))
            assert answer.status == 303, page
            felt.save.append(time.perf_counter() - began)
            time.sleep(PAUSE)

    at_once([look, record])
    return felt


def at_once(works: Sequence[Callable[[], object]]) -> None:
    """Do all of this at the same time."""
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for item in threads:
        item.join()


def ask_heavily(port: int, addresses: Sequence[str], cookies: Sequence[str]) -> tuple[float, Counter[int]]:
    """Ask all of this at once, each again while it is told to; seconds until the last, and how each ended."""
    ended: Counter[int] = Counter()
    began = time.perf_counter()

    def insist(address: str, cookie: str) -> None:
        while True:
            answer, _page = ask(port, "GET", address, cookie)
            again = answer.headers.get("Retry-After")
            is_late = time.perf_counter() - began > LONGEST
            if again is None or is_late or (answer.status == 503 and "Refresh" not in answer.headers):
                ended[answer.status] += 1
                return
            time.sleep(float(again))

    at_once(
        [
            lambda address=address, cookie=cookie: insist(address, cookie)  # type: ignore[misc]  # a lambda with defaults
            for address, cookie in zip(addresses, cookies, strict=True)
        ]
    )
    return time.perf_counter() - began, ended


def list_claims() -> list[str]:
    """Claims of three players with whole hands, no two alike: none takes longer."""
    claims = []
    for hands, trump in deal_hands("klaberjass-3", 9, BROWSERS):
        written = {seat: [str(card) for card in hand] for seat, hand in hands.items()}
        facts = {"hands": written, "leader": "A", "trump": trump, "claimer": "A"}
        claims.append(f"/en/ask/klaberjass-3/claim?{urlencode([*query_of(facts), ('asked', '1')])}")
    return claims


def list_cards() -> list[str]:
    """Table cards, no two alike: each of another game, paper, preset or language."""
    games = ("derda", "klaberjass", "darda", "bulka", "deberts", "durak")
    both = [(lang, paper) for lang in ("en", "pl") for paper in ("a4", "a5")]
    return [f"/{lang}/sheets/{game}/card.pdf?paper={paper}" for game in games for lang, paper in both]


def megabytes_of_workers() -> float:
    """What the processes hold that the server's processes have started."""
    family, parents = {os.getpid()}, {}
    for place in sorted(Path("/proc").glob("[0-9]*"), key=lambda place: int(place.name)):
        with suppress(OSError, ValueError):
            parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
    for _generation in range(4):
        family |= {pid for pid, parent in parents.items() if parent in family}
    held = 0.0
    for pid in family:
        with suppress(OSError, ValueError):
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                held += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1_000_000
    return held


def measure(port: int, cookies: Sequence[str], name: str, addresses: Sequence[str]) -> list[Row]:
    """What others feel while this is asked, beside what they feel while nothing is."""
    over = threading.Event()
    threading.Timer(CALM, over.set).start()
    alone, over = look_and_record(port, cookies[0], over), threading.Event()
    beside: list[Felt] = []
    before = megabytes_of_workers()
    felt = threading.Thread(target=lambda: beside.append(look_and_record(port, cookies[0], over)))
    felt.start()
    time.sleep(PAUSE)
    seconds, ended = ask_heavily(port, addresses, cookies[1 : len(addresses) + 1])
    over.set()
    felt.join()
    time.sleep(2)
    after = megabytes_of_workers()
    print(
        f"{name}: all answered after {seconds:.1f} s ({dict(ended)}); workers {before:.0f} → {after:.0f} MB"
    )
    rows: list[Row] = []
    for what in ("home", "save"):
        calm, busy = sorted(getattr(alone, what)), sorted(getattr(beside[0], what))
        for part, share in (("median", 0.5), ("95 of 100", 0.95), ("worst", 1.0)):
            ratio = (
                f"{what} beside {name}, {part} of {len(busy)}",
                busy[min(int(len(busy) * share), len(busy) - 1)],
                "the same alone",
                calm[min(int(len(calm) * share), len(calm) - 1)],
            )
            rows.append(ratio)
    return rows


def run() -> list[Row]:
    """Claims, table cards and long sheets, one kind after the other."""
    with running_server() as (port, instance):
        cookies = make_matches(instance)
        prints = [f"/en/m/bench-heavy-long-{n}/sheet.pdf" for n in range(PRINTS)]
        return [
            *measure(port, cookies, f"{BROWSERS} claims at once", list_claims()),
            *measure(port, cookies, f"{BROWSERS} table cards at once", list_cards()),
            *measure(port, cookies, f"{PRINTS} sheets of {LONG} entries", prints),
        ]
