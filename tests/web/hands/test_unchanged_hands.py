"""A hand whose form is opened and saved as it is: nothing of what was written is lost, nothing is added."""

from typing import Any

import pytest
from plain_browser import PlainBrowser

from tests.web.browsers import Browser
from tests.web.hands.entries import left, lost, misdeal

CANCELLED = {"walk_out": "plays-on", "walk_out_bout": "cancelled"}
PICKED_UP = {"attacker": "A", "defender": "B", "result": "picked-up"}


def cancelled(attacker: str, defender: str, seat: str) -> dict[str, Any]:
    """A bout in which somebody left the table."""
    return {"attacker": attacker, "defender": defender, "result": "cancelled", "out": [seat]}


@pytest.mark.parametrize(
    ("rules", "hand", "result"),
    [
        ({}, lost("B", note="late"), "B"),
        ({}, lost(None, trump="H"), "draw"),
        ({}, lost("C", order=["B", "A"]), "C"),
        ({"epaulettes": True}, lost("C", sixes=0), "C"),
        ({"five_of_a_suit": "redeal"}, misdeal("B"), "five-suited:B"),
        (
            {"six_of_a_colour": "redeal"},
            {"type": "hand", "misdeal": "six-coloured", "by": "C"},
            "six-coloured:C",
        ),
        ({}, left("A"), "left"),
        ({"walk_out": "plays-on"}, left("C", loser="D", bouts=[PICKED_UP], walked_after=0), "D"),
        (
            CANCELLED,
            {"type": "hand", "bouts": [cancelled("A", "B", seat) for seat in "DCB"]},
            "left",
        ),
    ],
)
def test_a_hand_saved_unchanged_stays_as_it_was_written(
    client: Browser, rules: dict[str, Any], hand: dict[str, Any], result: str
) -> None:
    """The choice that was tapped is checked, and the form as it is writes no event."""
    id = client.sit(lost("D"), hand, **rules)
    page = PlainBrowser(client)
    page.open(f"/en/m/{id}/entries/2?edit=1")
    (radio,) = page.find('[name="result"]:checked')
    assert radio.etree_element.get("value") == result
    page.tap('button[name="do"][value="save"]')
    assert page.url == f"/en/m/{id}/entries/2"
    assert [event.payload for event in client.log(id)][1:] == [hand]
