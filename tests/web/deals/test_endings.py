"""Deals that ended before anybody bid, opened for correction."""

import re
from typing import Any

import pytest
from plain_browser import PlainBrowser

from tests.web.browsers import Browser, fields

PLAYERS = ["Ewa", "Jan", "Ola", "Piotr"]
FOUR_SEVENS = {"type": "deal", "redeal": "four-sevens"}
PASSED_OUT = {"type": "deal", "thrown_in": True}


@pytest.mark.parametrize(
    ("head", "entry", "checked"),
    [
        ({"game": "deberts", "preset": "sets"}, FOUR_SEVENS, "four-sevens"),
        ({"game": "deberts", "preset": "deberc-rules"}, FOUR_SEVENS | {"by": "B"}, "four-sevens-B"),
        (
            {"game": "deberts-4-alone", "conventions": {"poor_hand": 14}},
            {"type": "deal", "redeal": "poor-hand", "by": "C"},
            "poor-hand-C",
        ),
        ({"game": "klaberjass"}, {"type": "deal", "redeal": "misdeal"}, "misdeal"),
        ({"game": "klaberjass"}, PASSED_OUT, "thrown-in"),
        (
            {"game": "bela"},
            {"type": "deal", "penalty": {"side": "B", "offence": "early-look"}},
            "early-look-B",
        ),
    ],
)
def test_how_a_deal_ended_is_shown_for_correction(
    client: Browser, head: dict[str, Any], entry: dict[str, Any], checked: str
) -> None:
    """The choice that was tapped is checked, and saving the form as it is writes nothing."""
    size = {"klaberjass": 2, "deberts": 2}.get(head["game"], 4)
    id = client.begin({"players": PLAYERS[:size], "first_dealer": "A", **head}, entry)
    page = PlainBrowser(client)
    page.open(f"/en/m/{id}/entries/1?edit=1")
    (radio,) = page.find('[name="bid"]:checked')
    assert radio.etree_element.get("value") == checked
    page.tap('button[name="do"][value="save"]')
    assert page.url == f"/en/m/{id}/entries/1"
    assert [event.payload for event in client.log(id)] == [entry]


def test_a_deal_passed_out_that_may_no_longer_be(client: Browser) -> None:
    """Where a correction before it forces the dealer to play, how it ended is still shown."""
    head = {"game": "deberts", "preset": "deberc-rules", "players": PLAYERS[:2], "first_dealer": "A"}
    id = client.begin(head, {"type": "deal", "redeal": "misdeal"}, PASSED_OUT, PASSED_OUT)
    page = PlainBrowser(client)
    page.open(f"/en/m/{id}/entries/1?edit=1")
    page.fill(bid="thrown-in")
    page.tap('button[name="do"][value="save"]')
    page.open(f"/en/m/{id}/entries/3?edit=1")
    assert page.find('[name="bid"][value="thrown-in"]:checked')


@pytest.mark.parametrize(
    ("game", "entry"),
    [
        ("klaberjass", PASSED_OUT),
        ("belote", PASSED_OUT),
        ("coinche", PASSED_OUT),
        ("contree", PASSED_OUT),
        ("bela", {"type": "deal", "redeal": "misdeal"}),
    ],
)
def test_a_deal_that_nobody_played_opens_as_a_new_one_would(
    client: Browser, game: str, entry: dict[str, Any]
) -> None:
    """Counted as new deals are, at this table and by this browser: another way has no field to fill in."""
    size = 2 if game == "klaberjass" else 4
    id = client.begin({"game": game, "players": PLAYERS[:size], "first_dealer": "A"}, entry)
    assert _countings(client, f"/en/m/{id}/entries/1?edit=1") == _countings(client, f"/en/m/{id}/deal")
    typed = {"bid": "A:H", "bid_points": "100", "counting": "totals", "total_A": "104", "total_B": "58"}
    assert client.send(id, typed, seq=1).status_code == 303
    ways, opened = _countings(client, f"/en/m/{id}/entries/1?edit=1")
    assert (ways, opened) == _countings(client, f"/en/m/{id}/deal")
    assert opened == "totals"


def _countings(client: Browser, address: str) -> tuple[list[str], str]:
    """The ways to count that a page offers, and the one that it opens in."""
    page = client.get(address).text
    return re.findall(r'value="counting:(\w+)"', page), fields(page)["counting"]
