"""A server at whose tables something of each kind was written, and which fails in every way when asked to."""

from dataclasses import dataclass
from typing import Any

from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import RequestEntityTooLarge

from companion.jobs import NotTaken, Progress, UnderWay
from companion.matches import TooMany
from companion.store import StoreUnavailable
from companion.web.shell.security.browser import COOKIE, UnknownBrowser, sign
from tests.roles.world import World

FAULTS: dict[str, Exception] = {
    "expired": CSRFError(),
    "full": StoreUnavailable("full", "no room"),
    "busy": StoreUnavailable("busy", "locked"),
    "away": StoreUnavailable("away", "no answer"),
    "large": RequestEntityTooLarge(),
    "unknown": UnknownBrowser(),
    "phones": TooMany("phones", 40),
    "entries": TooMany("entries", 500),
    "own": RuntimeError("what nobody foresaw"),
    "queue": NotTaken(20),
    "under-way": UnderWay(Progress(240, 3)),
}
"""What a page may be answered with, by the last part of an address."""


@dataclass(frozen=True)
class Served:
    """A server of this process, and the world that it shows."""

    address: str
    world: World

    def cookies(self, role: str) -> list[Any]:
        """What the browser of a role is known by."""
        with self.world.app.app_context():
            return [{"name": COOKIE, "value": sign(self.world.token(role)), "url": self.address}]
