"""What a deal's page does with bad input, a second tap, a stale page and a stranger."""

import pytest

from companion.web.deals.form import parse_sum
from tests.web.browsers import Browser, fields, words

TOTALS = {"bid": "B:H", "counting": "totals", "total_A": "82", "total_B": "65"}
COUNT = {"bid": "B:H", "counting": "count", "jass": "B", "last": "B", "cards_A": "31", "cards_B": "52"}

BROKEN: dict[str, tuple[dict[str, str], str, str]] = {
    "no bidding": ({"bid": ""}, "bid", "Tap who plays which suit"),
    "one total": ({"total_B": ""}, "points-B", "Enter what Jan made."),
    "one total that is too high": ({"total_A": "8265", "total_B": ""}, "points-A", "999 points at most."),
    "a total with letters": ({"total_A": "eighty"}, "points-A", "11+4+10"),
    "a minus": ({"total_A": "82-2"}, "points-A", "11+4+10"),
    "a sum without end": ({"total_A": "1+" * 30 + "1"}, "points-A", "At most 40 characters"),
    "totals that no cards make": ({"total_A": "300"}, "points", "365 together is not possible"),
    "a total of one": ({"total_A": "1"}, "points-A", "1 for Ewa is not possible"),
    "a note too long": ({"note": "x" * 501}, "note", "At most 500"),
    "a seven that was not turned": (
        {"turned": "no", "exchanged": "A"},
        "turn_up",
        "can be swapped only when",
    ),
    "one card in two runs": (
        {
            "runs-0-seat": "A",
            "runs-0-length": "3",
            "runs-0-top": "A",
            "runs-0-suit": "S",
            "runs-1-seat": "A",
            "runs-1-length": "3",
            "runs-1-top": "Q",
            "runs-1-suit": "S",
        },
        "runs",
        "is in two runs",
    ),
    "no last trick": (COUNT | {"last": ""}, "last", "sztoch is 10"),
    "too many card points": (COUNT | {"cards_A": "111"}, "points", "together is not possible"),
    "an offer of nothing": ({"bid": "offer", "offer_chip": "0"}, "bid", "An offer asks for points"),
    "a bidding that is not over": ({"way": "calls", "calls": "pass"}, "bid", "not over"),
    "a call nobody may make": (
        {"way": "calls", "calls": "pass,once", "turn_up": "9H"},
        "bid",
        "cannot say “once”",
    ),
    "tricks that are wanting": ({"counting": "cards", "tricks": "AS 7S"}, "tricks", "9 tricks"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_deal_that_cannot_be_is_not_saved(client: Browser, case: str) -> None:
    """422: one sentence says what is wrong, its place is marked, what was typed stays, nothing is written."""
    change, slot, said = BROKEN[case]
    typed = (COUNT if "cards_A" in change else TOTALS) | change
    id = client.start()
    answer = client.send(id, typed)
    assert answer.status_code == 422
    assert f'id="at-{slot}" data-at="{slot}" data-wrong' in answer.text
    assert words(answer).count(said) == 1
    assert "Not saved." in words(answer)
    stored = fields(answer.text)
    assert {key: value for key, value in typed.items() if stored.get(key) != value and value} == {}
    assert client.log(id) == []


def test_a_missing_total_is_said_at_its_side_only(client: Browser) -> None:
    """Not once more under both."""
    assert "What each side made is missing" not in words(
        client.send(client.start(), TOTALS | {"total_B": ""})
    )


def test_a_broken_rule_is_linked(client: Browser) -> None:
    """The sentence at the field leads to the rule it rests on, in the rules of this match."""
    id = client.start()
    answer = client.send(id, TOTALS | {"total_A": "300"})
    assert f"?match={id}#derda.score.doubtful-count" in answer.text


@pytest.mark.parametrize(
    "text, points",
    [
        ("", None),
        ("  ", None),
        ("82", 82),
        ("11+4+10", 25),
        (" 11 + 4 ", 15),
        ("11+4+", 15),
        ("0", 0),
        ("+", None),
    ],
)
def test_points_are_added_up(text: str, points: int | None) -> None:
    """A sum is whole numbers joined by plus signs; a plus at the end waits for the next number."""
    assert parse_sum(text) == points


@pytest.mark.parametrize("text", ["11-4", "1.5", "1++2", "²", "١٢", "1234567890", "0x10", "1e3"])
def test_other_things_are_no_points(text: str) -> None:
    """What is no sum is refused, signs that only look like digits too."""
    with pytest.raises(ValueError):
        parse_sum(text)


@pytest.mark.parametrize(
    "typed",
    [
        {"bid": "Z:H"},
        {"bid": "A:X"},
        {"bela": "Z"},
        {"bela": "Z", "total_A": ""},
        {"turn_up": "9X"},
        {"offender": "A", "offence": "murder"},
        {"counting": "cards", "tricks": "AS XX"},
        {"runs-0-seat": "A", "runs-0-length": "9", "runs-0-top": "7"},
        {"trickless": "<script>"},
    ],
)
def test_a_form_that_no_page_sends_is_refused(client: Browser, typed: dict[str, str]) -> None:
    """Seats, suits and cards that do not exist are refused without a traceback, and nothing is written."""
    id = client.start()
    answer = client.send(id, TOTALS | typed)
    assert answer.status_code == (422 if "turn_up" in typed else 400)
    assert "<script>" not in answer.text
    assert client.log(id) == []


def test_a_finished_game_takes_no_more_deals(client: Browser) -> None:
    """After the end the page leads back to the board, and a deal sent all the same is refused."""
    id = client.start(rule_target="80")
    client.send(id, TOTALS)
    assert client.get(f"/en/m/{id}/deal").status_code == 302
    answer = client.send(id, TOTALS, seq=1)
    assert answer.status_code == 422
    assert "The game is over" in words(answer)


def test_a_note_is_shown_as_text(client: Browser) -> None:
    """Markup in a note is letters on the page."""
    id = client.start()
    client.send(id, TOTALS | {"note": "<b onclick=x>Zosia</b>"})
    page = client.get(f"/en/m/{id}/entries/1").text
    assert "<b onclick" not in page
    assert "&lt;b onclick=x&gt;Zosia" in page


@pytest.mark.parametrize("number", ["²", "①", "9" * 5000], ids=["square", "circled", "long"])
def test_fields_that_no_form_has_are_left_out(client: Browser, number: str) -> None:
    """Rows are numbered by plain digits; what is numbered otherwise is nobody's, and harms nothing."""
    id = client.start()
    strange = {f"runs-{number}-length": "3", f"fours-{number}-rank": "9"}
    assert client.send(id, TOTALS | strange).status_code == 303
    assert len(client.log(id)) == 1
