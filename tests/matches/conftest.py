"""The application on a store in memory, and a hand that writes in it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from stores import MemoryStore

from companion.matches import Change, Match, Matches, Submission

ME = "my browser"


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def matches(store: MemoryStore) -> Matches:
    """The application, with a clock that goes on by a minute at every look."""
    minutes = count()
    begin = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
    return Matches(store, "secret", lambda: begin + timedelta(minutes=next(minutes)))


@pytest.fixture
def write(matches: Matches) -> Callable[..., Match]:
    """Writes a change into a match as its owner, on the page as it is now."""
    keys = count()

    def go(id: str, change: Change, author: str = ME, seq: int | None = None, key: str = "") -> Match:
        match = matches.open(id)
        sent = Submission(author, match.seq if seq is None else seq, key or f"form {next(keys)}")
        return matches.write(match, change, sent)

    return go
