"""What the board shows of house rules: the way of an attack round the ring, epaulettes beside the sticks."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.matches import Change, KeepDraft, Match
from companion.rules.seats import Ring
from companion.web.hands.arrow import draw_way

Words = Callable[[Any], str]
Sit = Callable[..., str]
Post = Callable[..., Any]
Make = Callable[[str, Change], Match]

LOST = {"type": "hand", "loser": "D"}
"""A first hand, so that A attacks B in the next."""


def transfers(*by: str) -> list[dict[str, str]]:
    return [{"by": seat} for seat in by]


def read_ends(drawn: Any) -> tuple[list[float], list[float]]:
    """Where an arrow begins, and where its head is."""
    numbers = [float(one) for one in re.findall(r"[\d.]+", drawn.line)]
    assert all(0 <= float(one) <= 100 for one in re.findall(r"-?[\d.]+", drawn.line + drawn.head))
    return numbers[:2], numbers[-2:]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_the_arrow_goes_from_seat_to_seat(size: int) -> None:
    """It begins on the attacker's side of the table and ends on the defender's, within the drawing."""
    ring = Ring(size)
    ends = {seat: read_ends(*draw_way(ring, (seat, ring.left(seat)))) for seat in ring.seats}
    assert ends["A"][0] == [50, 90]
    for seat in ring.seats:
        assert ends[seat][1] == ends[ring.left(seat)][0]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_an_attack_that_is_transferred_goes_on_from_each_defender(size: int) -> None:
    """One arrow for each step, each from where the one before ended; only the last is not passed."""
    ring = Ring(size)
    path = [*"ABCDEF"[:size], *"ABCDEF"[:size]][:5]
    drawn = draw_way(ring, path)
    assert [one.passed for one in drawn] == [True] * (len(drawn) - 1) + [False]
    ends = [read_ends(one) for one in drawn]
    assert all(before[1] == after[0] for before, after in pairwise(ends))


def test_back_and_forth_between_two_lies_side_by_side() -> None:
    """With two players it comes back to who attacked, beside the way that it went."""
    there, back = draw_way(Ring(2), ("A", "B", "A"))
    middles = [re.findall(r"Q([\d.]+)", one.line)[0] for one in (there, back)]
    assert middles[0] != "50.0" != middles[1] and middles[0] != middles[1]


def test_the_ring_shows_the_bout_that_is_followed(
    sit: Sit, post: Post, client: FlaskClient, words: Words
) -> None:
    """After a bout it is no longer the first attack that the board shows."""
    id = sit(LOST, transfer="on")
    assert "Olek deals; Ewa attacks Jan." in words(client.get(f"/en/m/{id}"))
    post(id, "hand/follow", do="beaten-off")
    page = client.get(f"/en/m/{id}")
    assert "Now Jan attacks Ala. § durak.turn.beaten-off" in words(page)
    assert re.search(r'<li class=" attacks" data-seat="B"', page.text)
    assert "The way of the attack" not in words(page)


def test_the_ring_shows_the_way_of_the_last_bout(
    sit: Sit, client: FlaskClient, words: Words, change: Make
) -> None:
    """When all but one are out: past whom the last attack went, who attacked and defended at its end."""
    id = sit(LOST, transfer="on", names=("Ewa", "Jan", "Ala", "Olek"))
    bouts = [
        {
            "attacker": "A",
            "defender": "B",
            "result": "beaten-off",
            "transfers": transfers("B", "C"),
            "out": ["A", "B", "C"],
        }
    ]
    change(id, KeepDraft({"type": "hand", "dealer": "D", "bouts": bouts, "used_up": True}))
    page = client.get(f"/en/m/{id}")
    assert "Olek is the fool." in words(page)
    assert "The way of the attack: Ewa → then Jan → then Ala → then Olek" in words(page)
    assert re.search(r'<li class=" attacks" data-seat="C"', page.text)
    assert re.search(r'<li class=" deals defends" data-seat="D"', page.text)
    assert page.text.count('class="passed"') == 4  # two lines and their heads


def test_epaulettes_beside_the_sticks(sit: Sit, client: FlaskClient, words: Words) -> None:
    """A dash for each six, beside the loss it belongs to; they are counted apart from the losses."""
    lost = [
        {"type": "hand", "loser": "B", "sixes": 2},
        {"type": "hand", "loser": "B"},
        {"type": "hand", "loser": "C", "sixes": 1},
        {"type": "hand", "loser": "B", "sixes": 1},
    ]
    page = client.get(f"/en/m/{sit(*lost, epaulettes=True)}")
    assert page.text.count('class="epaulette"') + page.text.count('class="epaulette new"') == 4
    assert "3: 3, –––" in page.text and "1: 1, –<" in page.text
    assert "Jan 3 3 epaulettes" in words(page)
    assert "Ala 1 1 epaulette" in words(page)
    assert "Jan has lost most so far." in words(page)
    assert "Jan is the fool. 2 epaulettes" in words(page)


def test_no_room_for_epaulettes_where_none_are_written(sit: Sit, client: FlaskClient) -> None:
    """The sticks of other tables stand as close as ever."""
    lost = {"type": "hand", "loser": "B"}
    plain, marked = (
        re.search(r'class="matchsticks"[^>]*width="([\d.]+)em"', client.get(f"/en/m/{id}").text)
        for id in (sit(lost, lost), sit(lost, lost, epaulettes=True))
    )
    assert plain and marked and float(plain[1]) < float(marked[1])
