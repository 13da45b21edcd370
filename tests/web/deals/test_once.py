"""Saving a deal reads it once, applies it once and asks the database no more than it must."""

from collections import Counter
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine
from stores.postgres import ON_SQLITE

from companion.jacknine.match import JackNine
from tests.web.browsers import Browser

pytestmark = ON_SQLITE
DEAL = {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65"}
MAX_STATEMENTS = 7


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Counts what is done with entries, and the statements that are sent to a database."""
    counts: Counter[str] = Counter()

    def count_calls(name: str) -> None:
        verb = getattr(JackNine, name)

        def count_call(*arguments: Any) -> Any:
            counts[name] += 1
            return verb(*arguments)

        monkeypatch.setattr(JackNine, name, count_call)

    def count_statement(*_statement: object) -> None:
        counts["statements"] += 1

    count_calls("read")
    count_calls("apply")
    event.listen(Engine, "before_cursor_execute", count_statement)
    yield counts
    event.remove(Engine, "before_cursor_execute", count_statement)


@pytest.mark.parametrize("path", ["deal", "entries/1"])
def test_a_deal_that_is_saved(client: Browser, counted: Counter[str], path: str) -> None:
    """A new one, and a correction."""
    id = client.start()
    client.send(id, DEAL)  # opens the match
    counted.clear()
    assert client.send(id, DEAL | {"total_A": "85"}, path=path, seq=1).status_code == 303
    assert (counted["read"], counted["apply"]) == (1, 1)
    assert counted["statements"] <= MAX_STATEMENTS
    assert client.log(id)[1].payload["totals"] == {"A": 85, "B": 65}
