"""Two instances in memory, and a hand that writes in them."""

from itertools import count

import pytest

from companion.matches import Change, Match, Matches, Submission

from .instances import Write, make_matches


@pytest.fixture
def here() -> Matches:
    return make_matches()


@pytest.fixture
def there() -> Matches:
    return make_matches("another secret")


@pytest.fixture
def write() -> Write:
    """Writes changes into a match, as its owner unless somebody else is named."""
    keys = count()

    def go(matches: Matches, id: str, *changes: Change, author: str | None = None) -> Match:
        for change in changes:
            match = matches.open(id)
            matches.write(match, change, Submission(author or match.owner, match.seq, f"form {next(keys)}"))
        return matches.open(id)

    return go
