"""Undo and put back in a match: one form, one step."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.matches import AddEntry, Match, Matches, PutBack, Undo
from companion.store import StaleWrite

HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
ME = "my browser"


def deal(a: int, b: int) -> dict[str, Any]:
    return {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": a, "B": b}}


MADE, BAIT = deal(82, 65), deal(60, 85)


def test_what_was_undone_is_put_back(matches: Matches, write: Callable[..., Match]) -> None:
    """One form puts back one change, however often it is sent; the next one the change before it."""
    id = matches.start(HEAD, ME, "form")
    write(id, AddEntry(MADE))
    write(id, AddEntry(BAIT))
    assert matches.open(id).can_undo and matches.open(id).last_undo is None
    for _time in range(2):
        write(id, Undo())
    match = matches.open(id)
    assert not match.can_undo
    assert match.last_undo == match.events[3]
    for _time in range(2):
        match = write(id, PutBack(), seq=4, key="put back twice")
        assert (match.seq, match.state.totals) == (5, {"A": 82, "B": 65})
        assert match.last_undo == match.events[2]
    assert write(id, PutBack()).state.totals == {"A": 82, "B": 210}
    match = write(id, PutBack(), seq=4, key="put back twice")
    assert (match.seq, match.last_undo) == (6, None)
    assert write(id, PutBack()).seq == 6
    with pytest.raises(StaleWrite):
        write(id, PutBack(), seq=4)
