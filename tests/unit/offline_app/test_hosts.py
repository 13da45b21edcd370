"""The seams between the app and its host: whatever implements one keeps the same promises."""

import json
from typing import Any

import pytest

from companion.matches import Matches
from companion.offline.delivery import Delivery, Exchange, NoExchange
from companion.offline_app.application import Address, InlineDispatcher
from companion.offline_app.bridge import Bridge
from companion.store.memory import MemoryStore
from companion.web.shell.hosts import Host
from tests.unit.offline.table import EWA, HEAD

from .test_bridge import STATE, Visitor, begin, deal


@pytest.mark.parametrize("host", Host)
def test_each_host_says_what_it_can_do(host: Host) -> None:
    """Only a server prints, only a phone alone has no server; a phone is where its browser is."""
    assert (host.has_server, host.is_phone, host.prints_pdf) == {
        "server": (True, False, True),
        "phone": (True, True, False),
        "alone": (False, True, False),
    }[host]


@pytest.mark.parametrize("kind", [Delivery, NoExchange])
def test_an_exchange_ends(kind: type[Delivery] | type[NoExchange]) -> None:
    """What is unsent goes out in deliveries, listed in advance, until nothing is left; then none is offered.

    News change nothing of that, and what it reports can be stored.
    """
    store = MemoryStore()
    exchange: Exchange = Delivery(store, "1") if kind is Delivery else NoExchange()
    exchange.me = EWA
    Matches(store, seed="5eed" * 16).start(HEAD, EWA, "a form")
    assert sum(sent["count"] for sent in exchange.list_outgoing()) == exchange.count_unsent()
    while (sent := exchange.next()) is not None:
        answer = {"taken": len(sent["body"]["events"]), "length": 0}
        exchange.take_answer(sent["id"], 200, json.loads(json.dumps(answer)))
    news: dict[str, Any] = {
        "version": "1",
        "me": EWA,
        "more": False,
        "matches": [],
        "gone": [],
        "rulings": [],
    }
    exchange.take_news(news)
    assert (exchange.count_unsent(), exchange.count_conflicts(), exchange.list_outgoing()) == (0, 0, [])
    assert not exchange.is_outdated
    assert [*json.loads(json.dumps(exchange.have()))] in ([], [*store.tables.matches])
    assert len(store.tables.matches) == 1


@pytest.fixture
def alone(addresses: list[Address]) -> Visitor:
    """The browser of a phone that has the app from a folder of files."""
    return Visitor(Bridge(addresses, "v1", Host.ALONE))


def test_a_phone_alone_has_nothing_to_send(alone: Visitor) -> None:
    """It records like any other; no page says of it that something is not yet at a server."""
    match = begin(alone)
    assert alone.post(f"{match}/deal", deal(alone, match))[0] == 303
    reported = json.loads(alone.bridge.take_state())
    assert (reported["unsent"], reported["aside"], reported["outgoing"]) == (0, 0, [])
    assert alone.bridge.next_delivery() is None
    pages = [alone.get(path) for path in (match, f"{match}/history", "/en/")]
    assert {status for status, _headers, _page in pages} == {200}
    assert not any("not yet on the server" in page or "data-pocket" in page for *_rest, page in pages)


def test_an_update_of_the_folder_stops_nobody(alone: Visitor) -> None:
    """There is no server that would have to be asked first."""
    match = begin(alone)
    fields = deal(alone, match)
    alone.bridge.hear(STATE["seed"], STATE["token"], "v2")
    assert alone.post(f"{match}/deal", fields)[0] == 303


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("/en/m/ID/phones", "Other phones need a server"),
        ("/en/join/secret", "Other phones need a server"),
        ("/en/tokens", "Other phones need a server"),
        ("/en/move", "Moving to another phone needs a server"),
        ("/en/api", "This needs a server"),
    ],
)
def test_what_needs_a_server_is_not_there(alone: Visitor, path: str, heading: str) -> None:
    """Nothing waits for a network that would bring it; a form is refused for good: no outbox keeps it."""
    for answer in (alone.get(path), alone.post(path, {})):
        assert answer[0] in (404, 405)
        assert "network" not in answer[2]
    assert f"<h1>{heading}</h1>" in alone.get(path)[2]


def test_jobs_of_a_phone_are_done_at_once() -> None:
    """Once each; what a job raises is raised."""
    from companion.jobs import Job

    done = []

    def note(text: str) -> bytes:
        done.append(text)
        if text == "wrong":
            raise ValueError(text)
        return text.encode()

    dispatcher = InlineDispatcher()
    dispatcher.prepare(lambda: note("ready"))
    assert [dispatcher.ask(Job("a", note, ("right",)), "browser") for _n in range(2)] == [b"right", b"right"]
    with pytest.raises(ValueError, match="wrong"):
        dispatcher.ask(Job("b", note, ("wrong",)), "browser")
    assert done == ["right", "wrong"]
