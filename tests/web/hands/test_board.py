"""What the board shows of house rules: the way of an attack round the ring, epaulettes beside the sticks."""

import re
from itertools import pairwise, permutations
from math import atan2, pi

import pytest

from companion.matches import KeepDraft
from companion.rules.seats import Ring
from companion.web.hands.arrow import Arrow, draw_way
from tests.web.browsers import Browser, words
from tests.web.hands.entries import LOST


def transfers(*by: str) -> list[dict[str, str]]:
    return [{"by": seat} for seat in by]


def read_ends(ring: Ring, drawn: Arrow) -> tuple[str, str]:
    """The seats nearest to where an arrow begins and where its head is; it stays within the drawing."""
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", drawn.line)]
    assert all(0 <= float(number) <= 100 for number in re.findall(r"-?[\d.]+", drawn.line + drawn.head))
    return nearest_seat(ring, numbers[:2]), nearest_seat(ring, numbers[-2:])


def nearest_seat(ring: Ring, point: list[float]) -> str:
    turn = (atan2(point[1] - 50, point[0] - 50) - pi / 2) / (2 * pi)
    return ring.seats[round(turn * ring.size) % ring.size]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_an_arrow_goes_from_seat_to_seat(size: int) -> None:
    """It begins on the attacker's side of the table and ends on the defender's, past whoever is out."""
    ring = Ring(size)
    for seat, other in permutations(ring.seats, 2):
        (drawn,) = draw_way(ring, (seat, other))
        assert read_ends(ring, drawn) == (seat, other)
        assert not drawn.passed


def test_teams_attack_the_shorter_way() -> None:
    """In teams the turn goes to and fro; an attack on the right-hand neighbour does not go all round."""
    ring = Ring(6, partnerships=True)
    (drawn,) = draw_way(ring, ("C", "B"))
    assert read_ends(ring, drawn) == ("C", "B")
    assert re.search(r" 0 0 0 ", drawn.line)  # the small bow, against the clock
    (whole,) = draw_way(Ring(6), ("C", "B"))
    assert re.search(r" 0 1 1 ", whole.line)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_an_attack_that_is_transferred_goes_on_from_each_defender(size: int) -> None:
    """One arrow for each step, each nearer to the middle than the one before; only the last is not passed."""
    ring = Ring(size)
    path = [*"ABCDEF"[:size], *"ABCDEF"[:size]][:5]
    drawn = draw_way(ring, path)
    assert [arrow.passed for arrow in drawn] == [True] * (len(drawn) - 1) + [False]
    assert [read_ends(ring, arrow) for arrow in drawn] == [*pairwise(path)]
    reaches = [float(re.findall(r"A([\d.]+)", arrow.line)[0]) for arrow in drawn]
    assert reaches == sorted(set(reaches), reverse=True)


def test_the_ring_shows_the_bout_that_is_followed(client: Browser) -> None:
    """After a bout it is no longer the first attack that the board shows."""
    id = client.sit(LOST, transfer="on")
    assert "Olek deals; Ewa attacks Jan." in client.read(f"/en/m/{id}")
    client.fill(id, "hand/follow", do="beaten-off")
    page = client.get(f"/en/m/{id}")
    assert "Now Jan attacks Ala." in words(page) and "durak.turn.beaten-off" in words(page)
    assert re.search(r'<li class="attacks" data-seat="B"', page.text)
    assert "The path of the attack" not in words(page)


def test_the_ring_shows_the_way_of_the_last_bout(client: Browser) -> None:
    """When all but one are out: past whom the last attack went, who attacked and defended at its end."""
    id = client.sit(LOST, transfer="on", names=("Ewa", "Jan", "Ala", "Olek"))
    bouts = [
        {
            "attacker": "A",
            "defender": "B",
            "result": "beaten-off",
            "transfers": transfers("B", "C"),
            "out": ["A", "B", "C"],
        }
    ]
    client.change(id, KeepDraft({"type": "hand", "dealer": "D", "bouts": bouts, "used_up": True}))
    page = client.get(f"/en/m/{id}")
    assert "Olek is the fool." in words(page)
    assert "The path of the attack: Ewa → then Jan → then Ala → then Olek" in words(page)
    assert re.search(r'<li class="attacks" data-seat="C"', page.text)
    assert re.search(r'<li class="deals defends" data-seat="D"', page.text)


def test_epaulettes_beside_the_sticks(client: Browser) -> None:
    """A dash for each six, beside the loss it belongs to; they are counted apart from the losses."""
    lost = [
        {"type": "hand", "loser": "B", "sixes": 2},
        {"type": "hand", "loser": "B"},
        {"type": "hand", "loser": "C", "sixes": 1},
        {"type": "hand", "loser": "B", "sixes": 1},
    ]
    page = client.get(f"/en/m/{client.sit(*lost, epaulettes=True)}")
    assert page.text.count('class="epaulette"') + page.text.count('class="epaulette new"') == 4
    assert "3: 3, –––" in page.text and "1: 1, –<" in page.text
    assert "Jan deals Losses: 3" in words(page)
    assert "Ala attacks Losses: 1" in words(page)
    assert "Jan is the fool. 2 epaulettes" in words(page)


def test_no_room_for_epaulettes_where_none_are_written(client: Browser) -> None:
    """The sticks of other tables stand as close as ever."""
    lost = {"type": "hand", "loser": "B"}
    plain, marked = (
        re.search(r'class="matchsticks"[^>]*width="([\d.]+)em"', client.get(f"/en/m/{id}").text)
        for id in (client.sit(lost, lost), client.sit(lost, lost, epaulettes=True))
    )
    assert plain and marked and float(plain[1]) < float(marked[1])
