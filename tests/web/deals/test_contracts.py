"""Coinche on the page with no-trumps, all trumps, générale and a wrong deal for points."""

from typing import Any

import pytest
from plain_browser import PlainBrowser

from tests.web.browsers import Browser, words

PLAYERS = ["Ewa", "Jan", "Ola", "Piotr"]
ALL = {"game": "coinche", "conventions": {"contracts": "all", "generale": "on", "misdeal": "points"}}


def record(client: Browser, head: dict[str, Any], **fields: str) -> list[Any]:
    """The entries of a new match once its first deal was filled in and saved."""
    id = client.begin({"players": PLAYERS, "first_dealer": "A", **head})
    assert client.send(id, {"counting": "points", **fields}).status_code == 303
    return [event.payload for event in client.log(id)]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"bid": "B:NT", "bid_points": "90", "bela": "A", "points_B": "96"},
            {"contract": {"declarer": "B", "trump": "NT", "points": 90}, "count": {"points": {"B": 96}}},
        ),
        (
            {"bid": "A:AT", "bid_points": "100", "points_A": "101", "pairs_A": "2", "pairs_D": "1"},
            {
                "contract": {"declarer": "A", "trump": "AT", "points": 100},
                "bela": ["A", "A", "D"],
                "count": {"points": {"A": 101}},
            },
        ),
        (
            {"bid": "B:S", "bid_points": "generale", "alone": "yes"},
            {
                "contract": {"declarer": "B", "trump": "S", "points": "generale"},
                "count": {"points": {"B": 252}},
                "trickless": "A",
                "alone": True,
            },
        ),
        (
            {"bid": "B:S", "bid_points": "100", "offender": "A", "offence": "misdeal"},
            {
                "contract": {"declarer": "B", "trump": "S", "points": 100},
                "penalty": {"side": "A", "offence": "misdeal"},
            },
        ),
    ],
)
def test_a_deal_is_recorded_as_it_was_filled_in(
    client: Browser, fields: dict[str, str], expected: dict[str, Any]
) -> None:
    (entry,) = record(client, ALL, **fields)
    assert entry == {"type": "deal", **expected}


def test_a_belote_of_several_is_shown_for_correction(client: Browser) -> None:
    """Saved as it is, the deal stays the same."""
    deal = {
        "type": "deal",
        "contract": {"declarer": "A", "trump": "AT", "points": 100},
        "bela": ["A", "A", "D"],
        "count": {"points": {"A": 101}},
    }
    id = client.begin({"players": PLAYERS, "first_dealer": "A", **ALL}, deal)
    page = PlainBrowser(client)
    page.open(f"/en/m/{id}/entries/1?edit=1")
    assert page.find('[name="pairs_A"][value="2"]:checked')
    page.tap('button[name="do"][value="save"]')
    assert [event.payload for event in client.log(id)] == [deal]


def test_who_took_the_tricks_of_a_generale_is_asked_for(client: Browser) -> None:
    id = client.begin({"players": PLAYERS, "first_dealer": "A", **ALL})
    page = client.send(id, {"counting": "points", "bid": "B:S", "bid_points": "generale", "trickless": "A"})
    assert page.status_code == 422
    assert "took every trick alone is missing" in words(page.text)
    assert client.log(id) == []
