"""Questions asked from a match: what it fills in, its own rules, its players' names."""

import re
from urllib.parse import urlencode

import pytest

from companion.matches import KeepDraft
from companion.web.rulings import query_of
from tests.web.browsers import Browser, words

DEAL = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}


def test_a_match_fills_in_what_it_knows(client: Browser) -> None:
    """Totals and who deals come from the match; players are called by name."""
    id = client.start(DEAL)
    page = client.get(f"/en/m/{id}/ask/outcome")
    assert 200 == page.status_code
    assert re.search(r'name="totals.A" value="82"', page.text)
    assert re.search(r'name="dealer" value="A" checked', page.text)
    assert "Ewa" in words(page) and "Player A" not in words(page)


def test_a_match_answers_by_its_own_rules(client: Browser) -> None:
    """A match to 300 says so, in the players' names."""
    id = client.start(rule_target="300")
    facts = [*query_of({"totals": {"A": 310, "B": 200}, "declarer": "A"}), ("asked", "1")]
    page = client.get(f"/en/m/{id}/ask/winner?{urlencode(facts)}")
    assert "Ewa wins." in words(page)
    assert f'/en/rules/derda?match={id}#derda.end.target"' in page.text


def test_a_deal_in_progress_is_known(client: Browser) -> None:
    """The bidding of a deal in progress gives calls, trumps and declarer to the questions."""
    id = client.start()
    draft = {"type": "deal", "auction": ["pass", "play"], "turn_up": "9H", "tricks": [["AH", "JH"], ["7S"]]}
    client.change(id, KeepDraft(draft))
    page = client.get(f"/en/m/{id}/ask/play").text
    assert re.search(r'name="trump" value="H" checked', page)
    assert 'name="trick" value="7S"' in page
    assert 'name="calls" value="play"' in client.get(f"/en/m/{id}/ask/auction").text
    assert re.search(r'name="cards_played" value="3"', client.get(f"/en/m/{id}/ask/seven").text)
    assert re.search(r'name="leader" value="A" checked', client.get(f"/en/m/{id}/ask/trick").text)
    assert re.search(r'name="after_trick" value="1"', client.get(f"/en/m/{id}/ask/finish").text)


def test_names_with_markup_are_text(client: Browser) -> None:
    """A player called like a tag is shown as typed, in labels and in verdicts."""
    id = client.start(name_A="<b>E</b>")
    facts = [*query_of({"totals": {"A": 530, "B": 200}, "declarer": "A"}), ("asked", "1")]
    page = client.get(f"/en/m/{id}/ask/winner?{urlencode(facts)}").text
    assert "<b>E</b>" not in page
    assert "&lt;b&gt;E&lt;/b&gt; wins." in page


@pytest.mark.parametrize("question", ["play", "trick", "claim", "bela", "seven"])
def test_asked_of_a_match_with_nothing_picked(client: Browser, question: str) -> None:
    """It says what is missing, and keeps what the match knows."""
    answer = client.get(f"/en/m/{client.start()}/ask/{question}?asked=1")
    assert answer.status_code in (400, 422)
    assert "No answer yet." in words(answer)
    assert 'class="problems" role="alert"' in answer.text and 'href="#field-' in answer.text


def test_a_deal_that_is_written_is_known(client: Browser) -> None:
    """About an entry its own facts are filled in, and the totals before it; not the deal in progress."""
    id = client.start()
    client.write(
        id, DEAL, {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 60, "B": 102}}
    )
    page = client.get(f"/en/m/{id}/ask/outcome?entry=2").text
    for filled in ('"declarer" value="B" checked', '"made.A" value="60"', '"made.B" value="102"'):
        assert f"name={filled}" in page
    for filled in ('"totals.A" value="82"', '"totals.B" value="65"', '"dealer" value="A" checked'):
        assert f"name={filled}" in page
    assert 'name="totals.A" value="142"' in client.get(f"/en/m/{id}/ask/winner?entry=2").text
    assert 'name="totals.A" value="0"' in client.get(f"/en/m/{id}/ask/outcome?entry=1").text


def test_how_a_written_deal_was_counted_is_known(client: Browser) -> None:
    """A count by words goes into the question as it was counted; bids and calls too, as they were said."""
    id = client.start()
    count = {"cards": {"A": 60, "B": 26}, "jass": "A", "nine": "A", "last": "A"}
    run = {"seat": "A", "length": 3, "top": "K"}
    bid = {"auction": ["pass", "play"], "turn_up": "9H"}
    client.write(id, {"type": "deal", **bid, "count": count, "runs": [run]}, DEAL)
    page = client.get(f"/en/m/{id}/ask/count?entry=1").text
    assert 'name="count.cards.A" value="60"' in page and not re.search(r'name="made.A" value="\d', page)
    auction = client.get(f"/en/m/{id}/ask/auction?entry=1").text
    assert 'name="calls" value="play"' in auction and 'name="elder" value="B" checked' in auction
    runs = client.get(f"/en/m/{id}/ask/runs?entry=1").text
    assert re.search(r'name="declared.0.seat" value="A" checked', runs)


def test_a_hand_that_is_written_is_known(client: Browser) -> None:
    """Its last bout and its trumps, or how it ended."""
    bouts = [
        {"attacker": "B", "defender": "C", "result": "beaten-off"},
        {"attacker": "C", "defender": "D", "result": "picked-up", "out": ["C"]},
    ]
    hand = {"type": "hand", "loser": "B", "trump": "S", "dealer": "A", "first_attacker": "B", "bouts": bouts}
    id = client.sit({k: value for k, value in hand.items() if k != "dealer"}, {"type": "hand", "loser": "A"})
    turn = client.get(f"/en/m/{id}/ask/turn?entry=1").text
    for filled in (
        '"attacker" value="C" checked',
        '"defender" value="D" checked',
        '"result" value="picked-up" checked',
    ):
        assert f"name={filled}" in turn
    assert 'name="trump" value="S" checked' in client.get(f"/en/m/{id}/ask/beat?entry=1").text
    next_hand = client.get(f"/en/m/{id}/ask/next-hand?entry=1").text
    assert 'name="loser" value="B" checked' in next_hand and 'name="result" value="loss" checked' in next_hand


def test_a_number_of_deals_is_no_fact_of_a_wrong_deal(client: Browser) -> None:
    """Deals played are told to the question what a deal comes to, and not where cards were played."""
    id = client.start(game="belote", name_C="Ala", name_D="Olek", rule_deals="3")
    assert 'name="played" value="1"' in client.get(f"/en/m/{id}/ask/outcome").text
    assert 'name="played"' not in client.get(f"/en/m/{id}/ask/penalty").text


@pytest.mark.parametrize("trickless", ["B", None])
def test_who_had_no_trick_is_known_of_a_written_deal(client: Browser, trickless: str | None) -> None:
    """Also that every side had one: the question is answered, and shows what was said."""
    deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "count": {"points": {"A": 162}}}
    id = client.start(game="belote", name_C="Ala", name_D="Olek")
    client.write(id, deal | {"trickless": trickless})
    said = trickless or "none"
    page = client.get(f"/en/m/{id}/ask/outcome?entry=1").text
    assert re.findall(r'name="trickless" value="(\w*)" checked', page) == [said]
    answer = client.get(f"/en/m/{id}/ask/outcome?entry=1&asked=1")
    assert answer.status_code == 200
    assert ("252 to 0" if trickless else "162 to 0") in words(answer)
