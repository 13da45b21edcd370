"""The application on a store in memory, and a hand that writes in it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from stores import MemoryStore

from companion.matches import Access, Change, Invitation, Match, Matches, Phones, Role, Submission

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


@pytest.fixture
def match(matches: Matches) -> Match:
    return matches.open(
        matches.start({"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}, ME, "form")
    )


@pytest.fixture
def phones(matches: Matches) -> Phones:
    return matches.phones


@pytest.fixture
def owner(matches: Matches, match: Match) -> Access:
    return matches.access(match, ME)


@pytest.fixture
def invite(phones: Phones, match: Match, owner: Access) -> Callable[..., Invitation]:
    """Makes a link; each time another one."""

    def make(
        role: Role = Role.OPPONENT, side: str | None = "B", once: bool = False, key: str = ""
    ) -> Invitation:
        made = phones.list_links(match, owner)
        return phones.make_link(match, owner, role, side, once, key or f"form {len(made)}")

    return make
