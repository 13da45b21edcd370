"""A forgotten deal put in before a later one, and a wrong first dealer put right: what follows is shown."""

import re
from typing import Any

from tests.web.browsers import Browser, fields, words

DEAL = {"bid": "B:H", "counting": "totals", "total_A": "65", "total_B": "82"}
WRITTEN: dict[str, Any] = {
    "type": "deal",
    "contract": {"declarer": "A", "trump": "H"},
    "totals": {"A": 90, "B": 50},
    "dealer": "A",
}


def begin(client: Browser) -> str:
    """A match with two deals that name their dealer, so that another one contradicts them."""
    return client.start(WRITTEN, WRITTEN)


def test_a_forgotten_deal_is_put_in(client: Browser) -> None:
    """From the page of the later one; the preview counts all deals, and says which does not fit any more."""
    id = begin(client)
    assert f"/m/{id}/entries/2/before" in client.get(f"/en/m/{id}/entries/2").text
    page = client.get(f"/en/m/{id}/entries/2/before").text
    assert "Ewa deals" in words(page)
    assert 'value="draft"' not in page
    address = re.search(r'data-preview="[^"]*(deal/preview[^"]*)"', page)
    assert address and address[1] == "deal/preview?later=2"
    preview = words(client.send(id, DEAL, path=address[1], seq=2))
    assert "After all deals: Ewa 245 · Jan 182" in preview
    assert "Deal 2 would no longer fit" in preview
    assert client.send(id, DEAL, path="entries/2/before", seq=2).status_code == 303
    match = client.match(id)
    assert [entry.id for entry in match.standing_entries] == [1, 3, 2]
    assert match.state.totals == {"A": 245, "B": 182}
    assert [problem.entry for problem in match.state.problems] == [3]
    assert "Deal 2 written" in client.read(f"/en/m/{id}/history")
    client.send(id, {}, path="undo", seq=3)
    assert client.match(id).state.totals == {"A": 180, "B": 100}
    assert client.match(id).state.problems == ()


def test_it_is_not_put_in_before_what_does_not_count(client: Browser) -> None:
    id = begin(client)
    assert client.get(f"/en/m/{id}/entries/7/before").status_code == 404
    assert client.send(id, DEAL, do="draft", path="entries/2/before", seq=2).status_code == 400
    client.send(id, {}, do="withdraw", path="entries/2", seq=2)
    assert client.get(f"/en/m/{id}/entries/2/before").status_code == 404


def test_another_phone_was_quicker(client: Browser) -> None:
    """Keep a typed entry after the other phone’s own; saved again it is put in."""
    id = begin(client)
    page = client.send(id, DEAL, path="entries/2/before", seq=1)
    assert page.status_code == 409
    assert "The match has moved on." in words(page)
    again = fields(page.text)
    assert {key: again[key] for key in DEAL} == DEAL
    assert client.send(id, again, path="entries/2/before", seq=2).status_code == 303
    assert [entry.id for entry in client.match(id).standing_entries] == [1, 3, 2]


def test_the_first_dealer_is_put_right(client: Browser) -> None:
    """Each choice says who deals next, what all deals come to and which would not fit; history names both."""
    id = begin(client)
    page = words(client.get(f"/en/m/{id}/dealer"))
    assert "Ewa Ewa deals next. After all deals: 180 : 100 Jan" in page
    assert page.count("would no longer fit: Deal 1") == 1
    assert client.send(id, {"first_dealer": "C"}, path="dealer", seq=2).status_code == 422
    assert client.send(id, {"first_dealer": "B"}, path="dealer", seq=1).status_code == 409
    assert client.send(id, {"first_dealer": "B"}, path="dealer", seq=2).status_code == 303
    match = client.match(id)
    assert match.head["first_dealer"] == "B"
    assert [problem.entry for problem in match.state.problems] == [1]
    assert "First dealer: Ewa → Jan" in words(client.get(f"/en/m/{id}/history"))
    assert client.send(id, {"first_dealer": "B"}, path="dealer", seq=3).status_code == 303
    assert client.match(id).seq == 3


def test_a_correction_of_the_first_dealer_is_put_back_by_one_tap(client: Browser) -> None:
    """The page says who it was before; and so it does after that was put back."""
    id = begin(client)
    assert "Put back" not in words(client.get(f"/en/m/{id}/dealer"))
    for seq, (seat, former) in enumerate((("B", "A"), ("A", "B")), 2):
        client.send(id, {"first_dealer": seat}, path="dealer", seq=seq)
        page = client.get(f"/en/m/{id}/dealer").text
        assert f"Before the correction: {'Ewa' if former == 'A' else 'Jan'}. Put back" in words(page)
        assert f'<button class="btn" name="first_dealer" value="{former}">' in page
    assert client.match(id).state.problems == ()


def test_totals_from_paper_say_who_deals(client: Browser) -> None:
    id = client.start({"type": "opening", "totals": {"A": 10, "B": 20}, "dealer": "B"})
    page = client.get(f"/en/m/{id}/dealer").text
    assert f"/m/{id}/entries/1?edit=1" in page
    assert 'name="first_dealer"' not in page
