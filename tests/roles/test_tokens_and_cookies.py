"""No answer to a program's token brings its owner's cookie, by which it could do everything the owner can."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest

from companion.matches import Role
from companion.store import StoreUnavailable
from companion.web.shell.errors import TooOften
from tests.roles.routes import ROUTES
from tests.roles.world import World

pytestmark = pytest.mark.slow  # every route is sent in every way

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
KINDS = {
    "of all, owner": (Role.OWNER, None, False),
    "owner": (Role.OWNER, None, True),
    "pencil": (Role.PENCIL, None, True),
    "opponent": (Role.OPPONENT, "B", True),
    "spectator": (Role.SPECTATOR, None, True),
}
"""Tokens of the owner of the match: role, side, and whether for that match alone."""


@dataclass(frozen=True)
class Fault:
    """A way in which a request goes wrong: what it is sent with, or the error that it meets."""

    sent: Mapping[str, Any] = field(default_factory=dict)
    query: str = ""
    error: Callable[[World], Exception] | None = None


def _too_often(_world: World) -> Exception:
    return TooOften("Too many", "At most 60.", "Wait.", 10)


JSON = {"Content-Type": "application/json"}
FAULTS: dict[str, Fault] = {
    "none": Fault({"headers": {"If-Match": "*"}, "json": {}}),
    "no number": Fault({"json": {"type": "deal", "thrown_in": True}}),
    "stale": Fault({"headers": {"If-Match": '"0"'}, "json": {"type": "deal", "thrown_in": True}}),
    "no JSON": Fault({"headers": JSON, "data": b"{"}),
    "a form": Fault({"data": {"name": "value"}}),
    "too large": Fault({"headers": JSON, "data": b" " * 70_000}),
    "far too large": Fault({"headers": JSON, "data": b" " * 600_000}),
    "too long": Fault(query="x" * 17_000),
    "unknown query": Fault(query="unknown=1"),
    "wrong host": Fault({"headers": {"Host": "elsewhere.example"}}),
    "page wanted": Fault({"headers": {"Accept": "text/html"}}),
    "too often": Fault(error=_too_often),
    "store away": Fault(error=lambda _world: StoreUnavailable("away", "planted")),
    "our fault": Fault(error=lambda _world: RuntimeError("planted")),
}


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.nightly)])
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """A table, with a place at which errors are planted, and one host that it answers to."""
    made = World(
        request.getfixturevalue("postgres_address") if request.param == "postgresql" else None,
        HOSTS=("localhost",),
        LIMITS="on",
    )
    made.begin()
    made.app.extensions["limits"].clear()  # whoever sends thousands of requests would get one answer only
    yield made
    made.close()


API_PATHS, OTHER_PATHS = (
    sorted({route.path for route in ROUTES if route.path.startswith("/api") is api} | more)
    for api, more in (
        (True, {"/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v1/matches/<m>/nothing"}),
        (False, {"/nothing", "/en/nothing"}),
    )
)


def test_no_cookie_by_the_api(world: World) -> None:
    """Every address below /api by every method, each with one of the faults and one kind of token."""
    tokens = _make_tokens(world)
    assert [cookie for request in _draw(API_PATHS) for cookie in _send(world, tokens, *request)] == []


@pytest.mark.nightly
def test_no_cookie_elsewhere(world: World) -> None:
    """Every other address likewise: a program is nobody there, and gets nobody's cookies at most."""
    tokens = _make_tokens(world)
    found = [cookie for request in _draw(OTHER_PATHS) for cookie in _send(world, tokens, *request)]
    assert [cookie for cookie in found if world.token("owner") in cookie] == []


@pytest.mark.nightly
@pytest.mark.parametrize("fault", FAULTS)
def test_no_cookie_whatever_goes_wrong(world: World, fault: str) -> None:
    """Every address below /api by every method, with every fault; the kinds of tokens take turns."""
    tokens = _make_tokens(world)
    requests = [(path, method, fault, kind) for path, method, _fault, kind in _draw(API_PATHS)]
    assert [cookie for request in requests for cookie in _send(world, tokens, *request)] == []


def _draw(paths: list[str]) -> Iterator[tuple[str, str, str, str]]:
    """Every path with every method; the faults and the kinds of tokens take turns, in all pairs."""
    faults, kinds = list(FAULTS), list(KINDS)
    for number, (path, method) in enumerate(product(paths, METHODS)):
        # One more for each path: with as many faults as methods each method would meet the same ones.
        turn = number + number // len(METHODS)
        yield path, method, faults[turn % len(faults)], kinds[turn % len(kinds)]


def _send(
    world: World, tokens: Mapping[str, str], path: str, method: str, fault: str, kind: str
) -> list[str]:
    """Send a request that goes wrong in this way; the cookies of its answer."""
    chosen, address = FAULTS[fault], world.places.fill(path)
    if chosen.query:
        address += ("&" if "?" in address else "?") + chosen.query
    headers = {**chosen.sent.get("headers", {}), "Authorization": f"Bearer {tokens[kind]}"}
    planted = world.app.before_request_funcs.setdefault(None, [])

    def meet() -> None:
        assert chosen.error is not None
        raise chosen.error(world)

    if chosen.error is not None:
        planted.append(meet)
    try:
        client = world.app.test_client()
        answer = client.open(address, method=method, **{**chosen.sent, "headers": headers})
    finally:
        if chosen.error is not None:
            planted.remove(meet)
    answer.close()
    return [f"{method} {path}, {fault}: {cookie}" for cookie in answer.headers.getlist("Set-Cookie")]


def _make_tokens(world: World) -> dict[str, str]:
    with world.app.app_context():
        matches = world.app.extensions["matches"]
        match = matches.open(world.places.values["m"])
        may = matches.access(match, match.owner)
        return {
            name: matches.tokens.make(match.owner, role, name, side, match if of_match else None, may)
            for name, (role, side, of_match) in KINDS.items()
        }
