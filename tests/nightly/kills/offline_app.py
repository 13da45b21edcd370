"""Evenings at which a phone with the pocket records while the server and the browser are killed.

What is counted as acknowledged was answered to a script of the phone's own page, by the server or by the
pocket: that is to stand in the log once, in its order, at the server and in the phone, whatever is killed.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from random import Random
from secrets import token_urlsafe
from threading import Timer
from time import monotonic
from typing import Any

from line import Fate, Line
from offline_app import status, stop_worker
from phone import Phone, Server
from playwright.sync_api import Error as PlaywrightError

CHANCES: Mapping[Fate, int] = {"arrives": 6, "is lost": 3, "is answered in vain": 3, "is too much": 1}
"""How often a form that is sent on a bad line fares so."""
LONG = 60.0
"""Seconds until all is at the server that is on its way, on a machine that does much else."""
HOPELESS, TIRING = 16, 3
"""Attempts until a form will never be acknowledged; until the line is mended, and then the server started."""
_HIDDEN = re.compile(r'<input[^>]*name="(csrf_token|form_key|seq|owner)"[^>]*value="([^"]*)"')
_OPEN = """async (address) => {
  const answer = await fetch(address), page = await answer.text();
  const isBehind = answer.headers.has("X-Kept") || page.includes("<html data-lacking");
  return { status: answer.status, page, isBehind };
}"""
_LOOK = """async (match) => {
  const pages = [];
  for (const path of ["", "/history"]) {
    const answer = await fetch(`${match}${path}`);
    if (!answer.ok || answer.headers.has("X-Kept")) return null;
    pages.push(new DOMParser().parseFromString(await answer.text(), "text/html"));
  }
  const [board, history] = pages, flat = (part) => part.textContent.replace(/\\s+/g, " ").trim();
  // A clock is the reader's as far as scripts set it; when something came to the server only that knows.
  for (const element of history.querySelectorAll("ol.list small:last-child, ol.list time")) element.remove();
  return {
    isPocket: pages.every((page) => "pocket" in page.documentElement.dataset),
    said: [...board.querySelectorAll("[data-board]"), ...history.querySelectorAll("ol.list > li")].map(flat),
  };
}"""
_POST = """async ([action, fields]) => {
  const [script] = document.querySelectorAll('script[src*="offline/main.js"]');
  const { post } = await import(script.src.replace("main.js", "sending.js"));
  return post({ action, fields: Object.entries(fields), mark: document.documentElement.dataset.browser });
}"""


@dataclass
class Tally:
    """What all evenings came to."""

    actions: Counter[str] = field(default_factory=Counter)
    """What was done to phone, line and server, and how often."""
    matches: int = 0
    entries: int = 0
    """Those that were acknowledged."""
    delivered: int = 0
    """Of these entries the ones that the pocket recorded, and brought to the server."""
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Written:
    """An entry that was acknowledged: what its event says."""

    kind: str
    entry: int | None = None
    undoes: int | None = None
    said: Mapping[str, object] = field(default_factory=dict)
    """What its payload says, among other things."""


class Evening:
    """One match of a phone on a line to a server; `seed` tells all that happens but for who is quicker."""

    at = "/"
    """The path below which the app is."""

    def __init__(self, phone: Phone, line: Line, server: Server, tally: Tally, seed: int) -> None:
        self.phone, self.line, self.server, self.tally = phone, line, server, tally
        self.random, self.seed = Random(seed), seed
        self.log: list[Written] = []
        self.match = ""
        self.is_durak = self.random.random() < 0.3

    def run(self) -> None:
        """The evening from its beginning to its end; what was wrong about it is in the tally."""
        before = len(self.tally.faults)
        self.line.mend()
        self.server.start()
        self.page = self.phone.open(f"{self.at}en/", controlled=False)
        try:
            if self.random.random() < 0.5:
                self._fail()
            self._begin()
            for _entry in range(self.random.randrange(4, 9)):
                self._happen()
                self._record()
            self._end()
        except Failed as failure:
            self._blame(str(failure))
        if len(self.tally.faults) == before:
            with suppress(PlaywrightError):
                self.page.close()

    # --- what happens --------------------------------------------------------------------------------

    def _happen(self) -> None:
        """Between two entries, when mostly there has been time to learn what the server has."""
        if self.random.random() < 0.8:
            self._try(lambda: status(self.page, "deliver"))
        step = self.random.choice(
            [self._fail, self._fail, self._mend, self._stop_worker, self._reload, None, None]
        )
        if step is not None:
            step()

    def _fail(self) -> None:
        """There is no network, or a bad one, or no server."""
        match self.random.randrange(3):
            case 0:
                self._count("line cut")
                self.line.cut()
            case 1:
                self._count("line bad")
                self.line.fate = self._fate
            case _:
                self._kill_server()

    def _fate(self, method: str, path: str) -> Fate:
        if method == "GET":
            return self.random.choices(("arrives", "is lost"), (4, 1))[0]
        return self.random.choices(list(CHANCES), list(CHANCES.values()))[0]

    def _mend(self) -> None:
        self.line.mend()
        self.server.start()

    def _stop_worker(self) -> None:
        self._count("worker stopped")
        stop_worker(self.phone, self.page)

    def _reload(self) -> None:
        self._show(self.match)

    def _kill_server(self) -> None:
        if self.server.is_running:
            self._count("server killed")
            self.server.kill()

    def _amid(self, job: Callable[[], Any], attempt: int) -> Any:
        """Do it; perhaps something is killed meanwhile. None where nobody knows what became of it."""
        chosen, after = self.random.random(), self.random.uniform(0, 0.4)
        if attempt > TIRING:
            return self._try(job)
        if chosen < 0.1:
            return self._kill_phone(job, after)
        if chosen < 0.2 and self.server.is_running:
            axe = Timer(after, self._kill_server)
            axe.start()
            done = self._try(job)
            axe.join()
            return done
        return self._try(job)

    def _kill_phone(self, job: Callable[[], Any], after: float) -> Any:
        """Whatever was answered before the browser died counts."""
        done: list[Any] = []
        self._count("browser killed")
        self.phone.kill(lambda: done.append(job()), after)
        self._show(self.match or f"{self.at}en/")
        return done[0] if done else None

    def _try(self, job: Callable[[], Any]) -> Any:
        try:
            return job()
        except PlaywrightError:  # no network, or the page was loading itself anew
            return None

    def _show(self, address: str) -> None:
        """A page in a tab of the phone, wherever it comes from."""
        for attempt in range(1, HOPELESS):
            try:
                if self.phone.context.pages:
                    self.page = self.phone.context.pages[-1]
                    self.page.goto(address)
                else:
                    self.page = self.phone.open(address, controlled=False)
                if self.page.locator('script[src*="offline/main.js"]').count():
                    return
            except PlaywrightError:
                pass
            self._grow_tired(attempt)
        raise Failed(f"{address} cannot be shown")

    def _grow_tired(self, attempt: int) -> None:
        """A form that nobody acknowledges: after a while the network is looked for."""
        if attempt == TIRING:
            self.line.mend()
        elif attempt > TIRING:
            self._mend()
        with suppress(PlaywrightError):
            self.page.wait_for_timeout(50 * attempt)

    # --- what is recorded ------------------------------------------------------------------------------

    def _begin(self) -> None:
        """A match of two or three."""
        chosen = {"dealer": "A", "name-A": f"Ewa-{self.seed}", "name-B": "Jan"}
        if self.is_durak:
            chosen |= {"game": "durak", "table": "3", "shown-table": "3", "name-C": "Ala"}
        else:
            chosen |= {"game": "derda", "rule-target": "9999"}
        new = f"{self.at}en/new"
        reported = self._send(f"{new}?game={chosen['game']}", new, chosen)
        self.match = reported["to"].partition("?")[0].partition("#")[0]
        self.tally.matches += 1
        self._show(self.match)

    def _record(self) -> None:
        """One entry: a deal or a hand, a correction, or an undo."""
        standing = [
            n for n, value in enumerate(self.log, 1) if value.kind == "add" and not self._is_undone(n)
        ]
        last, chosen = self.log[-1] if self.log else None, self.random.random()
        note = f"{self.seed}-{len(self.log)}"
        if last is not None and last.undoes is None and chosen < 0.15:
            self._write(self.match, f"{self.match}/undo", {}, self._undo_last(last))
        elif standing and chosen < 0.35:
            entry = self.random.choice(standing)
            place = f"{self.match}/entries/{entry}"
            self._write(
                f"{place}?edit=1", place, self._choose(note), Written("amend", entry, said={"note": note})
            )
        else:
            place = f"{self.match}/{'hand' if self.is_durak else 'deal'}"
            self._write(place, place, self._choose(note), Written("add", said={"note": note}))

    def _is_undone(self, number: int) -> bool:
        return any(item.undoes == number for item in self.log)

    def _undo_last(self, last: Written) -> Written:
        """An undo of an entry withdraws it; of a correction it brings back what stood there before."""
        number = len(self.log)
        return (
            Written("withdraw", number, number)
            if last.kind == "add"
            else Written("amend", last.entry, number)
        )

    def _choose(self, note: str) -> dict[str, str]:
        """What a player chooses and types."""
        if self.is_durak:
            return {"result": self.random.choice("ABC"), "note": note}
        points = self.random.randrange(82, 99)
        deal = {"bid": "A:H", "counting": "totals", "do": "save", "note": note}
        return {**deal, "total_A": str(points), "total_B": str(162 - points)}

    def _write(self, page: str, action: str, fields: dict[str, str], written: Written) -> None:
        reported = self._send(page, action, fields)
        self.log.append(written)
        self.tally.entries += 1
        if reported["seq"] != len(self.log):
            self._blame(f"entry {len(self.log)} ({written}) acknowledged as number {reported['seq']}")

    def _send(self, page: str, action: str, chosen: Mapping[str, str]) -> dict[str, Any]:
        """Fill in a form and send it, unchanged, until it is acknowledged."""
        fields = {**self._open_form(page), **chosen}
        for attempt in range(1, HOPELESS):
            reported = self._amid(lambda: self.page.evaluate(_POST, [action, fields]), attempt)
            if reported and reported["outcome"] == "written":
                return dict(reported)
            if reported and reported["outcome"] == "refused":
                raise Failed(
                    f"{action} {fields} was refused: {reported['status']} {_text(reported['html'])[:300]}"
                )
            self._grow_tired(attempt)
        raise Failed(f"{action} {fields} is not acknowledged: {reported}")

    def _open_form(self, address: str) -> dict[str, str]:
        """What a form carries unseen. All that was acknowledged is in a page that does not say otherwise."""
        for attempt in range(1, HOPELESS):
            got = self._amid(lambda: self.page.evaluate(_OPEN, address), attempt)
            if got and got["status"] == 200 and not got["isBehind"]:
                fields = {name: unescape(value) for name, value in _HIDDEN.findall(got["page"])}
                shown = int(fields.get("seq") or 0)
                if self.match and shown != len(self.log):
                    raise Failed(f"{address} shows {shown} of {len(self.log)}: {got['page'][:120]}")
                return fields | {"form_key": token_urlsafe(12)}  # an evening played again is another one
            self._grow_tired(attempt)
        raise Failed(f"{address} cannot be opened: {got and (got['status'], got['isBehind'])}")

    # --- the end -----------------------------------------------------------------------------------------

    def _end(self) -> None:
        """The network is back for good: what the server has then, and what the phone has without it."""
        self._mend()
        self._show(self.match)
        until, reported = monotonic() + LONG, {"unsent": -1, "aside": 0}
        while reported["unsent"] and not reported["aside"] and monotonic() < until:
            reported = self._try(lambda: status(self.page, "deliver")) or reported
        if reported["unsent"] or reported["aside"]:
            raise Failed(f"{reported} after {LONG} seconds")
        answer = self.page.request.get(f"{self.match}/record.json")
        if not answer.ok:
            raise Failed(f"the match is not at the server: {answer.status}")
        log = answer.json()["log"][1:]
        self.tally.delivered += sum("arrived" in item for item in log)
        for fault in compare(log, self.log):
            self._blame(fault)
        there = self._look()
        self.line.cut()
        here = self._look()
        while (
            not (here and here["isPocket"]) and monotonic() < until
        ):  # it has not learnt of all that is there yet
            self.line.mend()
            self._try(lambda: status(self.page, "deliver"))
            self.line.cut()
            here = self._look()
        self.line.mend()
        if not here or not there or not here["isPocket"] or there["isPocket"]:
            raise Failed(f"the match cannot be seen on both sides: {there}, {here}")
        if here["said"] != there["said"]:
            self._blame(f"the phone says {here['said']}, and the server {there['said']}")

    def _look(self) -> Any:
        """What board and history say of the match, and whether the pocket made them."""
        return self._try(lambda: self.page.evaluate(_LOOK, self.match))

    def _count(self, step: str) -> None:
        self.tally.actions[step] += 1

    def _blame(self, fault: str) -> None:
        self.tally.faults.append(f"evening {self.seed}: {fault}")


class Failed(Exception):
    """An evening that cannot go on as it should."""


def compare(log: Sequence[Mapping[str, Any]], due: Sequence[Written]) -> list[str]:
    """What of a log, as the record tells it, is not as it was acknowledged; a sentence each."""
    found = []
    if [item["n"] for item in log] != list(range(1, len(due) + 1)):
        found.append(f"{len(log)} events where {len(due)} were acknowledged: {log}")
    for value, written in zip(log, due, strict=False):
        facts = (value["kind"], value.get("entry"), value.get("undoes"))
        is_so = facts == (written.kind, written.entry, written.undoes)
        if not is_so or not written.said.items() <= (value.get("payload") or {}).items():
            found.append(f"number {value['n']} is {value}, and not {written}")
    return found


def _text(page: str) -> str:
    main = page.partition("<main")[2] or page
    return re.sub(
        r"\s+", " ", re.sub(r"<(script|style|svg).*?</\1>|<[^>]*>", " ", f"<main{main}", flags=re.DOTALL)
    )
