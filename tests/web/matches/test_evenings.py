"""Evenings: matches put together, stakes, payments ticked off and carried on."""

import re
from html import unescape
from typing import Any

import pytest
from derda import deal
from werkzeug.test import TestResponse

from companion.web.shell.forms import fresh_key
from tests.web.browsers import TOKEN, Browser, words

FOOL = {"type": "hand", "loser": "A"}


@pytest.fixture
def evening(client: Browser) -> str:
    """Ewa beat Jan; then she was the fool among three, in another game, which is put to the evening."""
    first = client.start(deal(120, 42), deal(100, 62), rule_target="200")
    fools = client.sit(FOOL, {"type": "close"})
    write(client, first, do="put", match=fools)
    return first


def write(client: Browser, id: str, **sent: str) -> TestResponse:
    return client.post(f"/en/evening/{id}", data=sent)


def read(client: Browser, id: str) -> str:
    return words(client.get(f"/en/evening/{id}"))


def ticks(client: Browser, id: str) -> list[str]:
    """What the buttons of the payments send."""
    page = client.get(f"/en/evening/{id}").text
    return [unescape(value) for value in re.findall(r'name="do" value="(\{[^"]*)"', page)]


def play_for(client: Browser, id: str, **worth: str) -> TestResponse:
    sent: dict[str, Any] = {f"worth-{kind}": amount for kind, amount in worth.items()}
    return write(client, id, do="stakes", currency="zł", **sent)


def test_evenings_are_listed(client: Browser, evening: str) -> None:
    """From home in two taps to an evening; who was there, how many matches."""
    assert 'href="/en/evenings"' in client.get("/en/").text
    page = client.get("/en/evenings")
    assert f'href="/en/evening/{evening}"' in page.text
    assert page.text.count('href="/en/evening/') == 1
    assert "2 matches" in words(page)


def test_games_of_all_kinds_stand_together(client: Browser, evening: str) -> None:
    """The leaf counts games won, the list of players the rest; nothing was agreed, so nobody pays."""
    page = read(client, evening)
    assert ">Games won</text>" in client.get(f"/en/evening/{evening}").text and "Ewa Losses 1" in page
    assert "Units" not in page and "Who pays whom" not in page


def test_an_evening_is_told(client: Browser, evening: str) -> None:
    """A line for each match, then what each has won."""
    page = client.get(f"/en/evening/{evening}/share").text
    assert "\nDerda: Ewa 220, Jan 104. Ewa wins.\nDurak: Ewa 1" in unescape(page)
    assert "\nGames won: Ewa 1, Jan 0." in page


def test_a_match_is_taken_out_again(client: Browser, evening: str) -> None:
    fools = client.get(f"/en/evening/{evening}").text
    ids = set(re.findall(r'href="/en/m/([\w-]+)"', fools)) - {evening}
    write(client, evening, do="take", match=ids.pop())
    assert "Losses" not in read(client, evening)
    assert client.get("/en/evenings").text.count('href="/en/evening/') == 2


def test_payments_are_ticked_off_and_taken_back(client: Browser, evening: str) -> None:
    """Who ticked it off, and when; undone, it is open again. A payment that is not owed is none."""
    play_for(client, evening, unit="3", matchstick="0,50")
    assert "Jan pays Ewa 1.50 zł." in read(client, evening).replace("\xa0", " ")
    ticked = ticks(client, evening)
    assert len(ticked) == 3
    write(client, evening, do=ticked[0], by="Jan")
    page = read(client, evening)
    assert "Ticked off by Jan" in page
    assert ticks(client, evening) == ticked[1:]
    assert write(client, evening, do=ticked[0], by="Jan").status_code == 422
    twice = [write(client, evening, do=ticked[1], form_key="one").status_code for _tap in range(2)]
    assert twice == [303, 303] and ticks(client, evening) == ticked[2:]
    note = re.search(r'name="note" value="([^"]+)"', client.get(f"/en/evening/{evening}").text)
    assert note
    write(client, evening, do="undo", note=note[1])
    assert len(ticks(client, evening)) == 2


def test_what_is_open_is_carried_to_the_next_evening(client: Browser, evening: str) -> None:
    """To one where all were who owe or are owed."""
    play_for(client, evening, unit="3")
    assert "Carry over to the next evening" not in read(client, evening)
    later = client.start(deal(120, 42))
    assert "Carry over to the next evening" in read(client, evening)
    write(client, evening, do="carry")
    assert "Nobody owes anybody anything." in read(client, evening)
    assert "Open from an earlier evening: Jan pays Ewa 3.00 zł." in read(client, later).replace("\xa0", " ")
    assert len(ticks(client, later)) == 1


def test_an_amount_that_is_none_is_shown_again(client: Browser, evening: str) -> None:
    answer = play_for(client, evening, unit="much", matchstick="1")
    assert answer.status_code == 422
    assert 'value="much"' in answer.text and "An amount such as 0.50" in answer.text
    assert "Who pays whom" not in read(client, evening)


def test_an_evening_has_a_name_and_more(client: Browser, evening: str) -> None:
    write(
        client, evening, do="describe", name="Andrzejki", place="u Oli", date="2026-11-28", note="with cake"
    )
    page = read(client, evening)
    for said in ("Andrzejki", "u Oli", "with cake"):
        assert said in page
    assert ">28 November 2026</text>" in client.get(f"/en/evening/{evening}").text
    assert "Andrzejki" in client.read("/en/evenings")


def test_its_day_is_that_of_the_phone(client: Browser) -> None:
    """In the list, in the calendar and in the form; what is no date in a note is in no calendar."""
    with client.application.app_context():
        matches = client.application.extensions["matches"]
        head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
        id = matches.start(head | {"started": "2026-11-20T23:30:00+00:00"}, TOKEN, fresh_key())  # a Friday
        other = matches.start(head, TOKEN, fresh_key())
        matches.add_note(TOKEN, fresh_key(), "evening", {"evening": other, "date": "soon"})
    client.set_cookie("zone", "Europe/Warsaw")
    page = client.get("/en/evenings")
    assert "21 Nov 2026" in words(page)
    assert re.findall(r'class="day" x="[^"]*" y="(\d+)"', page.text) == ["59"]  # Saturday, five squares down
    assert 'name="date" type="date" value="2026-11-21"' in client.get(f"/en/evening/{id}").text


def test_no_evening(client: Browser, evening: str) -> None:
    assert client.get("/en/evening/none").status_code == 404
    assert write(client, evening, do="put", match="none").status_code == 422
    assert write(client, evening, do="what").status_code == 422
