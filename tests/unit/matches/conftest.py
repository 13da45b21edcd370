"""The application on an empty store, and a hand that writes in it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from derda import HEAD

from companion.matches import Access, Change, Invitation, Invitations, Match, Matches, Role, Submission
from companion.store import Store

ME = "my browser"
Write = Callable[..., Match]
Invite = Callable[..., Invitation]


@pytest.fixture
def matches(store: Store) -> Matches:
    """The application, with a clock that goes on by a minute at every look."""
    minutes = count()
    begin = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
    return Matches(store, "secret", lambda: begin + timedelta(minutes=next(minutes)))


@pytest.fixture
def write(matches: Matches) -> Write:
    """Writes a change into a match as its owner, on the page as it is now."""
    keys = count()

    def go(id: str, change: Change, author: str = ME, seq: int | None = None, key: str = "") -> Match:
        match = matches.open(id)
        sent = Submission(author, match.seq if seq is None else seq, key or f"form {next(keys)}")
        return matches.write(match, change, sent)

    return go


@pytest.fixture
def match(matches: Matches) -> Match:
    return matches.open(matches.start(HEAD, ME, "form"))


@pytest.fixture
def phones(matches: Matches) -> Invitations:
    return matches.invitations


@pytest.fixture
def owner(matches: Matches, match: Match) -> Access:
    return matches.access(match, ME)


@pytest.fixture
def invite(phones: Invitations, match: Match, owner: Access) -> Invite:
    def make(
        role: Role = Role.OPPONENT, side: str | None = "B", once: bool = False, key: str = ""
    ) -> Invitation:
        made = phones.list_links(match, owner)
        return phones.make_link(match, owner, role, side, once, key or f"form {len(made)}")

    return make
