"""Logs that tests of the store begin and add to."""

from typing import Any

from companion.record.log import Event
from companion.store import Store, StoredMatch

HEAD = {"game": "any", "players": ["Ewa", "Żaneta"], "place": "Łódź"}


def create(
    store: Store,
    id: str,
    owner: str = "me",
    at: str = "2026-11-20T18:00:00+00:00",
    head: dict[str, Any] = HEAD,
    events: tuple[Event, ...] = (),
    rulebook: str = "",
) -> str:
    store.create_match(StoredMatch(id, owner, head, events, at, rulebook))
    return id


def deal(number: int, at: str = "2026-11-20T19:00:00+00:00") -> Event:
    return Event(0, "add", payload={"type": "deal", "n": number}, author="me", at=at)
