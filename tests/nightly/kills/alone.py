"""Evenings at which a phone that has the app from a folder of files is killed while it records."""

from collections.abc import Callable
from typing import Any

from phone import Phone, Server
from static_host import AT, StaticHost

from .offline_app import TIRING, Evening, Failed, Tally, compare

KILLED, LONGEST = 0.6, 0.15
"""The share of pages and forms amid which the browser is killed; the most seconds until it is."""
_READ = "async (address) => { const answer = await fetch(address); return answer.ok ? answer.json() : null; }"


class NoLine:
    """Nothing is sent over any: the program on the phone answers."""

    fate: Any = None

    def cut(self) -> None: ...

    def mend(self) -> None: ...


class HostThatGoes(Server):
    """The host of the files, as an evening kills and starts it."""

    def __init__(self, host: StaticHost) -> None:
        self._host = host

    @property
    def is_running(self) -> bool:
        return self._host.is_running

    def start(self) -> None:
        if not self.is_running:
            self._host.start()

    def kill(self) -> None:
        self._host.stop()


class EveningAlone(Evening):
    """One match of a phone that nobody is behind, whose browser, worker and host end at random."""

    at = AT

    def __init__(self, phone: Phone, host: StaticHost, tally: Tally, seed: int) -> None:
        # These two have the verbs of a line and of a server that an evening uses.
        super().__init__(phone, NoLine(), HostThatGoes(host), tally, seed)  # type: ignore[arg-type]

    def _amid(self, job: Callable[[], Any], attempt: int) -> Any:
        """Do it; mostly the browser is killed meanwhile: nothing else can lose what the phone alone has."""
        if attempt <= TIRING and self.random.random() < KILLED:
            return self._kill_phone(job, self.random.uniform(0, LONGEST))
        return self._try(job)

    def _end(self) -> None:
        """Read what the phone has, after another start of its browser."""
        self._show(self.match)
        record = self._try(lambda: self.page.evaluate(_READ, f"{self.match}/record.json"))
        if record is None:
            raise Failed("the match cannot be read")
        for fault in compare(record["log"][1:], self.log):
            self._blame(fault)
