"""The taps that build a deal up, as plain forms: each changes the page, none writes in the match."""

from typing import Any

import pytest

from tests.web.browsers import Browser, fields, words


def tap(client: Browser, id: str, *steps: str, typed: dict[str, str] | None = None) -> Any:
    """Tap one button after another, each on the page the one before came back with."""
    now, answer = dict(typed or {}), None
    for step in steps:
        answer = client.send(id, now, do=step)
        assert answer.status_code == 200
        now = fields(answer.text)
    return answer


def test_calls_are_tapped_in_order(client: Browser) -> None:
    """Who speaks is shown, only what may be said is offered, and the last call can be taken back."""
    id = client.start()
    page = tap(client, id, "way:calls", "turn:9H")
    assert "Jan speaks" in words(page)
    assert 'value="call:ask"' not in page.text
    page = tap(client, id, "call:pass", typed=fields(page.text))
    assert "Ewa speaks" in words(page)
    assert 'value="call:ask"' in page.text
    page = tap(client, id, "call:ask", typed=fields(page.text))
    assert "once" in words(page)
    assert fields(page.text)["calls"] == "pass,ask"
    page = tap(client, id, "uncall", typed=fields(page.text))
    assert fields(page.text)["calls"] == "pass"
    assert client.log(id) == []


def test_an_offer_is_haggled_over(client: Browser) -> None:
    """Terms are tapped for an offer and for the counter-proposal; what it comes to is said when accepted."""
    id = client.start()
    page = tap(client, id, "way:calls", "turn:9H", "call:pass", "call:pass")
    now = fields(page.text) | {"offer_chip": "30", "offer_deals": "1"}
    page = tap(client, id, "call:offer", typed=now)
    now = fields(page.text) | {"offer_chip": "", "offer_other": "15", "offer_deals": ""}
    page = tap(client, id, "call:counter", "call:accept", typed=now)
    assert fields(page.text)["calls"] == "pass,pass,offer 30+1,counter 15,accept"
    assert "Jan +15" in words(page)


@pytest.mark.parametrize(
    "step", ["call:ask", "call:dance", "call:", "turn:1H", "card:AS", "run:C:3", "run:A:99"]
)
def test_what_cannot_be_tapped_changes_nothing(client: Browser, step: str) -> None:
    """A step that the page never offered is passed over."""
    id = client.start()
    before = tap(client, id, "look", typed={"way": "calls", "turn_up": "9H"})
    after = tap(client, id, step, typed={"way": "calls", "turn_up": "9H"})
    assert fields(after.text) == fields(before.text)


def test_runs_are_added_and_removed(client: Browser) -> None:
    """A tap adds a run of that length; the page asks for its highest card; another tap takes it out."""
    id = client.start()
    page = tap(client, id, "run:A:3", "run:B:4", "run:B:5", typed={"bid": "A:H"})
    assert [fields(page.text)[f"runs-{at}-length"] for at in range(3)] == ["3", "4", "5"]
    assert page.text.count('name="runs-1-top"') == 5  # A to 10: a 50 cannot start lower
    now = fields(page.text) | {"runs-2-top": "A", "runs-2-suit": "C"}
    page = tap(client, id, "unrun:0", typed=now)
    assert fields(page.text)["runs-1-top"] == "A"
    assert "runs-2-seat" not in fields(page.text)
    answer = client.send(id, fields(page.text) | {"counting": "totals", "total_A": "82", "total_B": "65"})
    assert answer.status_code == 422
    assert "Tap the highest card of the run." in words(answer)


def test_cards_are_tapped_as_they_fall(client: Browser) -> None:
    """The pad says whose card comes, greys what fell, marks the trumps, and takes a card back."""
    id = client.start()
    page = tap(client, id, "card:AS", "card:7S", "card:10D", typed={"bid": "B:H", "counting": "cards"})
    assert fields(page.text)["tricks"] == "AS 7S 10D"
    said = words(page)
    assert "Trick 2" in said
    assert "Ewa plays" in said
    assert 'value="card:AS" disabled' in page.text
    assert 'class="cardpad-row trump"' in page.text
    page = tap(client, id, "card:AS", "uncard", typed=fields(page.text))
    assert fields(page.text)["tricks"] == "AS 7S"
    assert client.log(id) == []


def test_an_illegal_card_is_pointed_out_when_the_play_shows_it(client: Browser) -> None:
    """A plain card on a plain suit that turns out to have been held is named at once, with its rule."""
    id = client.start()
    steps = ("card:AS", "card:KH", "card:8D", "card:9S")
    page = tap(client, id, *steps, typed={"bid": "B:D", "counting": "cards"})
    assert "Ewa could not play K♥: ♠ was led and must be followed with 9♠." in words(page)
    assert "play.follow" in page.text


def test_the_card_pad_waits_for_the_trumps(client: Browser) -> None:
    """Without a contract nothing can be recorded card by card; the page says what comes first."""
    page = tap(client, client.start(), "counting:cards")
    assert "First tap who plays which suit" in words(page)
    assert 'value="card:AS"' not in page.text


def test_a_stored_draft_opens_at_its_trick(client: Browser) -> None:
    """Only a page that is opened goes there by itself, not the one after a tap."""
    id = client.start()
    draft = {"bid": "B:H", "counting": "cards", "tricks": "AH 7H"}
    assert client.send(id, draft, do="draft").status_code == 303
    page = client.get(f"/en/m/{id}/deal").text
    assert page.partition('class="tricks"')[2].partition("</ol>")[0].count(" autofocus") == 1
    assert "autofocus" not in client.send(id, fields(page), do="card:9H", seq=1).text


def test_the_ways_of_counting_keep_what_was_entered(client: Browser) -> None:
    """Going from the words to the totals and the cards and back loses nothing."""
    typed = {"bid": "A:H", "counting": "count", "jass": "A", "last": "B", "cards_A": "11+4", "cards_B": "30"}
    page = tap(
        client,
        client.start(),
        "counting:totals",
        "counting:cards",
        "counting:count",
        typed=typed,
    )
    assert typed.items() <= fields(page.text).items()
    page = tap(client, client.start(), "way:calls", "way:outcome", typed=typed)
    assert typed.items() <= fields(page.text).items()


def test_a_script_gets_the_form_alone(client: Browser) -> None:
    """The same tap, asked for in part, answers with the form and no page around it."""
    answer = client.post(f"/en/m/{client.start()}/deal", data={"do": "way:calls"}, headers={"X-Part": "form"})
    assert answer.text.lstrip().startswith('<form id="deal"')
    assert "<html" not in answer.text


@pytest.mark.parametrize("number", ["²", "①", "٣", "-1", "", "x", "1.0", "9" * 5000, "\0"], ids=ascii)
def test_a_number_that_is_none(client: Browser, number: str) -> None:
    """A button or a field that holds no place and no length changes nothing, and breaks nothing."""
    id = client.start()
    run = {"runs-0-seat": "A", "runs-0-length": "3", "runs-0-top": "K"}
    four = {"fours-0-seat": "A", "fours-0-rank": "A"}
    for do in ("unrun", "unfour"):
        answer = client.post(f"/en/m/{id}/deal", data=run | four | {"do": f"{do}:{number}", "seq": "0"})
        assert answer.status_code == 200
        assert 'name="runs-0-length" value="3"' in answer.text
    sent = run | {"runs-0-length": number, "do": "save", "bid": "A:H", "seq": "0"}
    assert client.post(f"/en/m/{id}/deal", data=sent).status_code in (400, 422)
    assert client.log(id) == []
