"""`python -m tests.nightly.offline`: compare a phone's Python with this one; figures at the end.

Every case and every match that was played to the end is judged in both, and the whole walk is taken through
the server's app and through the phone's, in Chromium. `--alone` takes the walk in this Python only, through
the app of a phone without a server's libraries. Words narrow it down to the sections that have them in their
names (`--alone rules uk`). Ends with 1 where something differs.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from playwright.sync_api import sync_playwright

sys.path.append(str(Path(__file__).resolve().parents[2] / "support"))
from tests.unit.offline_app.parity.apps import TESTS
from tests.unit.offline_app.parity.comparing import OfflineWalks, ServerWalks, compare
from tests.unit.offline_app.parity.plain import Step

from .chromium import Phone, start_phone
from .judging import judge, list_work

ZONE = "Europe/Warsaw"
_AT_ONCE = 200
_REPORTED = 5
"""How many differences of a section are told at once; all of them are at the end."""


class Walks(Protocol):
    """Whoever walks through a phone's app."""

    def walk(self, name: str, short: bool) -> list[Step]:
        """The steps of a section."""


def compare_rules(phone: Phone, counted: Counter[str]) -> Iterator[str]:
    """What is judged otherwise in the phone."""
    work = list_work(TESTS)
    for first in range(0, len(work), _AT_ONCE):
        here, there = judge(work, first, _AT_ONCE), phone.judge(1, first, _AT_ONCE)
        counted.update(name.partition(":")[0] for name, _reported in here)
        for value, other in zip(here, there, strict=True):
            if value != other:
                yield f"{value[0]}\n  here:  {value[1][:500]}\n  there: {other[1][:500]}"


def compare_walks(
    walks: Walks, server: ServerWalks, wanted: Iterable[str], counted: Counter[str]
) -> Iterator[str]:
    """What a phone answers otherwise, in the sections whose names have these words."""
    for name in server.names(short=False):
        if not {*wanted} <= {*name.replace(",", "").split()}:
            continue
        begun = time.monotonic()
        try:
            seen = compare(server.walk(name, short=False), walks.walk(name, short=False))
        except Exception as fault:  # noqa: BLE001  # the others are walked through all the same
            traceback.print_exc()
            yield f"{name}: broken off: {fault!r}"
            continue
        counted.update(sections=1, requests=seen.steps, pages=seen.pages, waiting=seen.waiting)
        took = f"{time.monotonic() - begun:.0f} s"
        print(f"{name}: {seen.steps} requests, {took}, {len(seen.differences)} differences", flush=True)
        for difference in seen.differences[:_REPORTED]:
            print(difference, flush=True)
        yield from (f"{name}: {difference}" for difference in seen.differences)


@contextmanager
def open_phone() -> Iterator[Phone]:
    """A phone in Chromium."""
    with sync_playwright() as playwright:
        path = os.environ.get("BROWSER_PATH") or shutil.which("chromium-headless-shell")
        root = ["--no-sandbox"] if sys.platform == "linux" and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=["--disable-quic", *root])
        with start_phone(browser, ZONE) as phone:
            yield phone
        browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.nightly.offline")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("wanted", nargs="*", metavar="WORD", help="of the names of sections")
    given = parser.parse_args()
    os.environ["TZ"] = ZONE
    time.tzset()
    counted, differences = Counter[str](), list[str]()
    server = ServerWalks(Path(tempfile.mkdtemp()))
    if given.alone:
        walks = OfflineWalks(server)
        differences += compare_walks(walks, server, given.wanted, counted)
        walks.close()
    else:
        with open_phone() as phone:
            print(phone.describe(), flush=True)
            differences += () if given.wanted else compare_rules(phone, counted)
            print(dict(counted), f"{len(differences)} differences", flush=True)
            differences += compare_walks(phone, server, given.wanted, counted)
    server.close()
    for difference in differences:
        print(difference)
    print(", ".join(f"{count} {what}" for what, count in counted.items()), f"{len(differences)} differences")
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
