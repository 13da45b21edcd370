"""A walk through the server's app, the same through a phone's, and where the two differ."""

import json
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import unified_diff
from itertools import islice, zip_longest
from pathlib import Path
from zlib import decompress

from flask import Flask

from companion import create_app
from companion.offline_app.application import list_addresses
from companion.store.tables import Base, db
from companion.web.shell.hosts import Host

from .apps import KEY, TESTS, read_tour, walk_server
from .meant import is_about_itself, waits, without_host
from .plain import Step

_LINES = 20
"""Lines of a difference that are told."""


@dataclass(frozen=True)
class Seen:
    """What two walks through a section came to: how many steps, and in what way they differ."""

    steps: int
    pages: int
    waiting: int
    differences: tuple[str, ...]


class ServerWalks:
    """Walks through the app of a server."""

    def __init__(self, folder: Path) -> None:
        settings = {"INSTANCE": str(folder), "SECRET_KEY": KEY, "LIMITS": "off"}
        self.app: Flask = create_app(settings)
        self._tours = {short: read_tour(short) for short in (False, True)}
        self._walked: dict[tuple[str, bool], list[Step]] = {}

    @property
    def addresses(self) -> str:
        return json.dumps([asdict(address) for address in list_addresses(self.app)])

    @property
    def version(self) -> str:
        version: str = self.app.extensions["files"].version
        return version

    def names(self, short: bool) -> list[str]:
        return list(self._tours[short].sections)

    def walk(self, name: str, short: bool) -> list[Step]:
        if (name, short) not in self._walked:
            with self.app.app_context(), db.engine.begin() as connection:
                for table in reversed(Base.metadata.sorted_tables):
                    connection.execute(table.delete())
            self._walked[name, short] = walk_server(self.app, self._tours[short].sections[name])
        return self._walked[name, short]

    def close(self) -> None:
        with self.app.app_context():
            db.engine.dispose()


class OfflineWalks:
    """Walks through the app of a phone, in a process that has nothing of a server."""

    def __init__(self, server: ServerWalks, host: Host = Host.PHONE) -> None:
        module = "tests.unit.offline_app.parity.alone"
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, server.addresses, server.version, host],
            cwd=TESTS.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def walk(self, name: str, short: bool) -> list[Step]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"section": name, "short": short}) + "\n")
        self._process.stdin.flush()
        return read_steps(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(20)


def read_steps(text: str) -> list[Step]:
    """Steps that were told as JSON. :raises AssertionError: where the walk was broken off."""
    assert text, "the phone's app fell over; what it said is above"
    return [Step(**load) for load in json.loads(text)]


def compare(server: Sequence[Step], phone: Sequence[Step], host: Host = Host.PHONE) -> Seen:
    """What differs between two walks, but for what is meant to."""
    waiting = sum(item.status == 503 for item in phone)
    pages = sum(item.headers.get("Content-Type", "").startswith("text/html") for item in server)
    return Seen(len(server), pages, waiting, tuple(_list_differences(server, phone, host)))


def _list_differences(server: Sequence[Step], phone: Sequence[Step], host: Host) -> Iterator[str]:
    missing = 503 if host.has_server else 404
    for value, other in zip_longest(server, phone):
        if value is None or other is None or value.asked != other.asked:
            yield f"the ways part: {value and value.asked} and {other and other.asked}"
            return
        if is_about_itself(value.asked.split(" ")[1], host):
            if max(value.status, other.status) >= 500:
                yield f"{value.asked}: {value.status}, {other.status}"
        elif waits(value.asked.split(" ")[1]):
            if other.status != missing:
                yield f"{value.asked}: {other.status}, though a server alone has it"
        elif value != other and (here := _plain(value, host)) != (there := _plain(other, host)):
            yield "\n".join([f"{value.asked}: {value.status}, {other.status}", *_describe(here, there)])


def _plain(step: Step, host: Host) -> Step:
    """A step with its body as text, without what is meant to differ on this host."""
    body = decompress(b64decode(step.body)).decode()
    return replace(step, body=body if host.has_server else without_host(body))


def _describe(one: Step, other: Step) -> Iterator[str]:
    for name in sorted(one.headers.keys() | other.headers.keys()):
        if one.headers.get(name) != other.headers.get(name):
            yield f"  {name}: {one.headers.get(name)}, {other.headers.get(name)}"
    here, there = (each.body.replace("><", ">\n<").splitlines() for each in (one, other))
    yield from islice((f"  {line}" for line in unified_diff(here, there, n=0, lineterm="")), 2, 2 + _LINES)
