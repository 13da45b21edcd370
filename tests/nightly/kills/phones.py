"""Phones that record by the real server, and send again what was not answered, as the outbox does."""

import http.client
import json
import re
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from itertools import count
from random import Random
from typing import Any
from urllib.parse import urlencode, urlsplit

from .ledger import Ledger

PATIENCE = 4.0
"""Seconds until no answer counts as none."""
PAUSE = 0.2
"""Seconds until it is sent again."""
DEALS = 60
"""Deals of a match; after them the table begins another."""
COUNTED = {"total_A": "82", "total_B": "65", "counting": "totals", "bid": "A:H", "do": "save"}
_HIDDEN = re.compile(r'<input[^>]*name="(csrf_token|form_key|seq|owner)"[^>]*value="([^"]*)"')
_FORM = "application/x-www-form-urlencoded"


class Stopped(Exception):
    """The trial is over, and nothing is under way."""


@dataclass
class Answer:
    """What a server answered: of a form that was written, where it leads and which number it is."""

    status: int
    page: str
    written: Mapping[str, Any] | None = None


@dataclass
class Phone:
    """One browser: its cookies, and one connection at a time."""

    port: int
    over: threading.Event
    """Nothing new is begun."""
    gone: threading.Event
    """There is no server any more, and will be none."""
    _cookies: dict[str, str] = field(default_factory=dict)
    _connection: http.client.HTTPConnection | None = None

    def open(self, path: str) -> Answer:
        """A page; asked for until it comes. :raises Stopped: when the trial is over meanwhile."""
        while not self.over.is_set():
            answer = self._ask("GET", path)
            if answer is not None:
                return answer
            self.over.wait(PAUSE)
        raise Stopped

    def send(self, path: str, fields: Mapping[str, str]) -> Answer:
        """What became of a form: sent, unchanged, until it is known; also when the trial is over.

        :raises Stopped: when nobody will ever tell.
        """
        token = dict(fields)
        while not self.gone.is_set():
            answer = self._ask("POST", path, token)
            if answer is not None and answer.status == 400 and "X-Token" in self._reported:
                token["csrf_token"] = self._reported["X-Token"]  # made for an earlier session
                answer = self._ask("POST", path, token)
            if answer is not None:
                return answer
            self.gone.wait(PAUSE)
        raise Stopped

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, method: str, path: str, fields: Mapping[str, str] | None = None) -> Answer | None:
        """The answer; None where there is none, or none that settles anything."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        if fields is not None:
            headers |= {"X-Script": "1", "Content-Type": _FORM}
        try:
            self._connection.request(method, path, urlencode(fields) if fields else None, headers)
            got = self._connection.getresponse()
            page = got.read().decode()
        except (OSError, http.client.HTTPException):
            self.close()
            return None
        for cookie in got.headers.get_all("Set-Cookie") or ():
            name, _equals, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        self._reported = got.headers
        if "X-Version" not in got.headers or got.status >= 500 or got.status == 429:
            return None
        is_json = got.headers.get_content_type() == "application/json"
        return Answer(got.status, page, json.loads(page) if is_json else None)


@dataclass
class Table:
    """A table at which several phones record in the same matches, one after the other."""

    name: str
    phones: list[Phone]
    ledger: Ledger
    random: Random
    id: str = ""

    def begin(self, number: int) -> None:
        """The owner begins a match, and all other phones get a pencil."""
        owner, name = self.phones[0], f"{self.name}-{number}"
        self.ledger.begun[name] = None
        chosen = {"game": "derda", "name-A": name, "name-B": "Jan", "dealer": "A", "rule-target": "9999"}
        begun = owner.send("/en/new", read_hidden(owner.open("/en/new").page) | chosen)
        if begun.written is None:
            return self._report(f"{name} cannot begin a match", begun)
        self.id = urlsplit(begun.written["to"]).path.rpartition("/")[2]
        self.ledger.begun[name] = self.id
        there = f"/en/m/{self.id}/phones"
        link = read_hidden(owner.open(there).page) | {"as": "pencil", "use": "lasting"}
        made = owner.send(f"{there}/links", link)
        if made.written is None:
            return self._report(f"{name} cannot make a link", made)
        found = re.search(r"/join/[\w-]+", owner.open(made.written["to"].partition("#")[0]).page)
        assert found, "the page of a link shows its address"
        for phone in self.phones[1:]:
            joined = phone.send(f"/en{found[0]}", read_hidden(phone.open(f"/en{found[0]}").page))
            if joined.written is None:
                return self._report(f"{name}: cannot join", joined)

    def play(self) -> None:
        """Play matches until the trial is over; what was begun to be sent is sent until it is answered."""
        with suppress(Stopped):
            self._play_on()
        for phone in self.phones:
            phone.close()

    def _play_on(self) -> None:
        for number in count():
            self.begin(number)
            phones = [
                threading.Thread(target=self._record, args=(place, phone))
                for place, phone in enumerate(self.phones)
            ]
            for item in phones:
                item.start()
            for phone in phones:
                phone.join()

    def _record(self, place: int, phone: Phone) -> None:
        with suppress(Stopped):
            self._record_deals(place, phone)

    def _record_deals(self, place: int, phone: Phone) -> None:
        """One phone records deals, and corrects one now and then."""
        id, written = self.id, 0
        for number in range(DEALS // len(self.phones)):
            address, kind = f"/en/m/{id}/deal", "add"
            if written and self.random.random() < 0.15:
                address, kind = f"/en/m/{id}/entries/{written}", "amend"
            for attempt in count():
                shown = phone.open(f"{address}?edit=1" if kind == "amend" else address)
                if shown.status != 200:
                    return self._report(f"{address} cannot be seen", shown)
                note = f"{self.name} {id} {place}-{number}-{attempt}"
                self.ledger.send(id, kind, note)
                answer = phone.send(address, read_hidden(shown.page) | COUNTED | {"note": note})
                if answer.written is not None:
                    self.ledger.acknowledge(note, answer.written["seq"])
                    written = answer.written["seq"] if kind == "add" else written
                    break
                if answer.status != 409:
                    return self._report(f"{note} was refused", answer)
                self.ledger.refuse(note)

    def _report(self, what: str, answer: Answer) -> None:
        self.ledger.faults.append(f"{what}: {answer.status} {_first_words(answer.page)}")


def read_hidden(page: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _HIDDEN.findall(page)}


def _first_words(page: str) -> str:
    text = re.sub(r"<(script|style|svg).*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
    return " ".join(unescape(text).split())[:300]
