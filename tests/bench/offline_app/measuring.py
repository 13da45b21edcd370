"""What the app in a phone costs: to fetch, to start, to answer, in memory; beside the server's own answers.

The server is gone where the phone is measured. A start begins with no worker, and ends with a board that is
there as a whole.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from playwright.sync_api import Page, Playwright, expect, sync_playwright

sys.path.append(str(Path(__file__).parents[2] / "browser" / "support"))

from browsing import carried
from phone import Phone, Server, free_port

from offline_app import LONG, build, fetch_app, record_deal, snapshot_size, status, stop_worker

from .slowness import count_memory, count_time, describe, slowed

ROUNDS, STARTS, DEALS, SAVES = 15, 3, 12, 5
QUARTER = 4
"""So many times less of a processor; see `slowness`."""
Row = tuple[str, float, str, float]
_ASK = """async ([address, fields, rounds]) => {
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    const body = fields && new URLSearchParams(fields), began = performance.now();
    const answer = await fetch(address, { method: body ? "POST" : "GET", body, cache: "no-store" });
    await answer.text();
    if (!answer.ok) throw new Error(`${answer.status} ${address}`);
    taken.push(performance.now() - began);
  }
  return taken;
}"""
_FIELDS = """() => {
  const fields = new FormData(document.querySelector("form#deal"));
  const deal = { bid: "A:H", counting: "totals", total_A: "82", total_B: "80" };
  for (const [name, value] of Object.entries(deal)) fields.set(name, value);
  return [...fields];
}"""
_CLAIM = "asked=1&trump=H&leader=A&claimer=A&hands.A=9H&hands.A=AS&hands.B=JH&hands.B=7S"


def run() -> Iterator[Row]:
    """Each measurement as soon as there is one."""
    problem = build()
    if problem:
        raise SystemExit(f"no pocket to be measured: {problem}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), free_port())
        server.start()
        phone = make_phone(playwright, Path(folder) / "phone", server)
        try:
            yield from _measure(phone, server)
        finally:
            phone.close()
            server.stop()


def make_phone(playwright: Playwright, profile: Path, server: Server, **settings: Any) -> Phone:
    """A phone with a profile of its own; settings are those of contexts."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium") or ""
    pixel = {
        key: device for key, device in playwright.devices["Pixel 5"].items() if key != "default_browser_type"
    }
    return Phone(
        playwright,
        profile,
        server,
        {"executable_path": found, "args": ["--no-sandbox"]},
        {**pixel, "locale": "en-GB", "timezone_id": "Europe/Warsaw", **settings},
    )


def _measure(phone: Phone, server: Server) -> Iterator[Row]:
    page = phone.open()
    manifest = page.evaluate("async () => (await fetch('/pocket/manifest.json')).json()")
    program, beside = manifest["bytes"], sum(item["bytes"] for item in manifest["static"])
    before = count_memory(phone.context)
    began = perf_counter()
    fetch_app(page)
    yield "fetched and made ready, from this machine", perf_counter() - began, "", 1.0
    _say("to fetch, Brotli: the program", program)
    _say("to fetch: styles, scripts and fonts of its pages", beside)
    match = _begin(page)
    for _deal in range(DEALS):
        record_deal(page, match, 82)
    of_server = _ask_all(page, match)
    status(page, "deliver")
    server.stop()
    page.goto(match, timeout=LONG)
    of_phone = _ask_all(page, match)
    for name, seconds in of_phone.items():
        yield f"{name}, from the phone", seconds, "the server's", of_server[name]
    print(f"a quarter of the processor: {describe(QUARTER)}")
    with slowed(phone.context, QUARTER):
        of_slow_phone = _ask_all(page, match)
    for name, seconds in of_slow_phone.items():
        yield (
            f"{name}, with a quarter of the processor",
            seconds,
            "the phone's with all of it",
            of_phone[name],
        )
    yield from _start_both(phone, page, match, "from the snapshot")
    _say("memory of Python, as its snapshot", snapshot_size(page))
    _say("memory of the browser, beside what it had without", count_memory(phone.context) - before)
    snapshot_size(page, "none of use")
    yield from _start_both(phone, page, match, "without snapshot")
    page = phone.restart("about:blank")
    began = perf_counter()
    page.goto(f"{server.address}{match[match.index('/en/m/') :]}", timeout=LONG)
    expect(page.locator(".board")).to_be_visible()
    yield "board after the browser was closed, without snapshot", perf_counter() - began, "", 1.0


def _begin(page: Page) -> str:
    """A match that does not end so soon; its address."""
    sent: dict[str, str | float | bool] = {"game": "derda", "dealer": "A", "name-A": "Ewa", "name-B": "Jan"}
    sent |= {"rule-target": "9999", **carried(page.request.get("/en/new?game=derda").text())}
    answer = page.request.post("/en/new", form=sent)
    assert answer.ok, answer.text()
    return answer.url


def _start_both(phone: Phone, page: Page, match: str, how: str) -> Iterator[Row]:
    """A start with all of the processor and with a quarter; what it takes of one, whoever else is busy."""
    name = f"board after the worker ended, {how}"
    whole, worked = _start(phone, page, match, 1)
    yield name, whole, "", 1.0
    yield f"{name}: on a processor", worked, "", 1.0
    slow, _worked = _start(phone, page, match, QUARTER)
    yield f"{name}, a quarter", slow, "what it takes of a processor", worked


def _start(phone: Phone, page: Page, match: str, times: int) -> tuple[float, float]:
    """Seconds until the board is there, and those of a processor that it took."""
    taken, worked = [], []
    for _start in range(STARTS):
        stop_worker(phone, page)
        with slowed(phone.context, times):
            began, before = perf_counter(), count_time(phone.context)
            page.goto(match, timeout=LONG)
            taken.append(perf_counter() - began)
            worked.append(count_time(phone.context) - before)
    return median(taken), median(worked)


def _ask_all(page: Page, match: str) -> dict[str, float]:
    """How long answers take as a script of the page sees it, in seconds."""
    page.goto(f"{match}/deal?mode=totals", timeout=LONG)
    fields = page.evaluate(_FIELDS)
    address = page.locator("form#deal").get_attribute("data-preview")
    asked: dict[str, tuple[str | None, Any, int]] = {
        "board": (match, None, ROUNDS),
        "form": (f"{match}/deal?mode=totals", None, ROUNDS),
        "preview": (address, fields, ROUNDS),
        "ruling": (f"/en/ask/derda/claim?{_CLAIM}", None, ROUNDS),
        "rulebook": ("/en/rules/derda", None, ROUNDS),
    }
    taken = {name: median(page.evaluate(_ASK, [*value])) / 1000 for name, value in asked.items()}
    return taken | {"save": _save(page, match)}


def _save(page: Page, match: str) -> float:
    taken: list[float] = []
    for _deal in range(SAVES):
        page.goto(f"{match}/deal?mode=totals", timeout=LONG)
        fields = [*page.evaluate(_FIELDS), ["do", "save"]]
        taken += page.evaluate(_ASK, [f"{match}/deal", fields, 1])
    return median(taken) / 1000


def _say(what: str, size: float) -> None:
    print(f"{what:<64} {size / 1e6:9.2f} MB")
