"""The front page: the running match, the ones before, and a first visit that teaches."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion import library
from companion.web.matches import index
from tests.web.browsers import Browser, words

WON = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 110, "B": 40}}


def test_a_first_visit_teaches(client: Browser) -> None:
    """With no match yet, the page says what to do first, with one button for it, and nothing of matches."""
    page = client.get("/en/")
    text = words(page)
    assert "the phone keeps the score and settles the arguments" in text
    assert 'class="leaf"' in page.text and "ink new" in page.text
    assert page.text.count("primary") == 1
    assert 'href="/en/new">New match<' in page.text
    assert re.search('href="/en/move/here">.*<span>I have recovery words<', page.text)
    for absent in ("Continue the match", "Earlier matches", "Search"):
        assert absent not in text


def test_lists_say_what_is_played_and_how_it_stands(client: Browser) -> None:
    """Game, variety, time, and whether the match still runs: for the one that runs and for every other."""
    client.write(client.start(game="klaberjass", preset="zensa", rule_target="100"), WON)
    client.start(game="deberts", preset="one-deal")
    client.write(client.start(), WON, {"type": "abandon"})
    client.start(game="deberts", preset="moscow")
    text = client.read("/en/")
    for listed in ("Klaberjass, Zensa", "Deberts, One deal", "Derda"):
        state = {"Deberts, One deal": "in progress", "Derda": "abandoned"}.get(listed, "finished")
        assert re.search(rf"{listed} · \d\d:\d\d · {state}", text), listed
    assert "Continue the match Ewa 0 Jan 0 Deberts, Moscow · " in text
    assert "· koniec" in client.read("/pl/")


def test_the_running_match_comes_first(client: Browser) -> None:
    """One tap goes on with the match that is running; finished ones stand below with their winner."""
    client.start(WON, rule_target="100", name_A="Zofia")
    running = client.start()
    page = client.get("/en/")
    text = words(page)
    assert "Continue the match Ewa 0 Jan 0" in text
    assert f'href="/en/m/{running}"' in page.text
    assert 'standing-side won"><bdi class="player">Zofia</bdi> <b>110</b>' in page.text


def test_matches_of_this_evening_stand_before_the_others(
    client: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were written in within the last hours; the running match goes on with a tap."""
    client.start(WON, rule_target="100")
    client.write(client.start(), WON)
    text = client.read("/en/")
    assert "Go on, Deal 2" in text and "This evening" in text and "Earlier matches" not in text
    monkeypatch.setattr(index, "_EVENING", timedelta(0))
    text = client.read("/en/")
    assert "This evening" not in text and "Earlier matches" in text


def test_lists_keep_up_with_the_match(client: Browser) -> None:
    """A total in the list is the one on the board, after every deal."""
    id = client.start()
    assert "Ewa 0 Jan 0" in client.read("/en/")
    client.write(id, WON)
    assert "Ewa 110 Jan 40" in client.read("/en/")
    assert "Ewa 110 Jan 40" in client.read("/en/")


def test_the_search(client: Browser) -> None:
    """Names, places and days are found whatever the case; nothing found is said so, as text."""
    client.start(name_A="Łucja", place="Kawiarnia")
    client.start(name_A="Ola")
    assert "Łucja" in client.read("/en/?q=ŁUCJA")
    assert "Ola" not in client.read("/en/?q=ŁUCJA")
    assert "Łucja" in client.read("/en/?q=kawia")
    answer = client.get("/en/?q=<script>")
    assert "No match found for “<script>”" in words(answer).replace("&lt;", "<")
    assert "<script>”" not in answer.text


def test_what_was_searched_for_comes_first(client: Browser) -> None:
    """The matches found, or that there are none, stand before anything else, with the way back to all."""
    client.start(name_A="Zofia")
    for search, found in (("zofia", "Zofia 0 Jan 0"), ("nobody", "No match found")):
        page = client.get(f"/en/?q={search}")
        text = words(page)
        assert "A pencil that knows the rules" not in text
        assert text.index(f"Matches with “{search}”") < text.index(found) < text.index("New match")
        assert f'value="{search}"' in page.text
        assert 'href="/en/">All matches<' in page.text


def test_matches_of_others_are_not_listed(client: Browser, other: Browser) -> None:
    """Each browser lists its own matches only."""
    id = client.start(name_A="Zofia")
    assert "Zofia" in client.read("/en/")
    page = other.get("/en/").text
    assert "Zofia" not in page and id not in page


def session(client: Browser, **changes: str) -> str:
    """A session of four on their own."""
    return client.start(game="durak", table="4", name_C="Ala", name_D="Olek", **changes)


def test_a_session_shows_who_lost_how_often(client: Browser) -> None:
    """Losses stand by every player; while it runs nobody owes anything."""
    id = session(client, rule_forfeit="Kawa")
    client.write(
        id, {"type": "hand", "loser": "C"}, {"type": "hand", "loser": None}, {"type": "hand", "loser": "C"}
    )
    text = client.read("/en/")
    assert "Continue the match Ewa 0 Jan 0 Ala 2 Olek 0" in text
    assert "Kawa" not in text


def test_a_closed_session_shows_who_owes(client: Browser) -> None:
    """Closed, it stands among the earlier ones, with the forfeit and everybody who shares it."""
    id = session(client, rule_forfeit="<b>Kawa</b>")
    client.write(id, {"type": "hand", "loser": "C"}, {"type": "hand", "loser": "B"}, {"type": "close"})
    page = client.get("/en/")
    assert "Continue the match" not in words(page)
    assert "Ewa 0 Jan 1 Ala 1 Olek 0 Owed by Jan , Ala : <b>Kawa</b>" in words(page)
    assert "<b>Kawa" not in page.text
    assert page.text.count('class="standing-side lost"') == 2


def test_a_session_without_a_forfeit(client: Browser) -> None:
    """A team that lost the agreed number of hands is named; a session without a loss names nobody."""
    id = client.start(game="durak", table="teams-4", name_C="Ala", name_D="Olek", rule_session_losses="1")
    client.write(id, {"type": "hand", "loser": "B", "deals": "D"})
    assert "Ewa & Ala 0 Jan & Olek 1 Lost most often: Jan & Olek" in client.read("/en/")
    client.write(session(client), {"type": "close"})
    assert client.read("/en/").count("Lost most often") == 1


def test_the_first_games_of_the_shelf_are_on_the_front_page(client: Browser) -> None:
    """A newcomer finds them with how many play each, and the way to all of them."""
    page = client.get("/en/")
    shown = re.findall(r'class="btn" href="/en/new(?:\?game=([\w-]+))?"', page.text)
    assert shown == [*library.names()[:6], ""]
    assert "Durak 2–6" in words(page)


def listed(page: Any) -> list[str]:
    """The names of the first players in the lines of a page, from the top."""
    return re.findall(r'<span class="standing-side[^"]*"><bdi class="player">(No\.\d+)</bdi>', page.text)


def follow(client: FlaskClient, page: Any, label: str) -> Any:
    """The page behind a link, as a tap opens it."""
    found = re.search(rf'<a [^>]*href="([^"]+)"[^>]*>{label}</a>', page.text)
    assert found is not None, label
    return client.get(unescape(found[1]), follow_redirects=True)


def test_a_long_list_is_turned_over(client: Browser) -> None:
    """Older and newer matches are pages of links; every match is on one of them, and on one only."""
    for number in range(45):
        client.start(name_A=f"No.{number}", name_B="Jan")
    everyone = [f"No.{number}" for number in reversed(range(45))]
    page = first = client.get("/en/")
    seen = listed(page)
    assert seen == everyone[:11]
    assert "Newer" not in words(first)
    while "Older" in words(page):
        page = follow(client, page, "Older")
        assert 0 < len(listed(page)) <= 20
        seen += listed(page)
    assert seen == everyone
    newer = follow(client, page, "Newer")
    assert listed(newer) == everyone[11:31]
    assert words(follow(client, newer, "Newer")) == words(first)
    assert "Continue the match" not in words(newer)


def test_what_was_found_is_turned_over(client: Browser) -> None:
    """The words that were searched for go along from page to page."""
    for number in range(15):
        client.start(name_A=f"No.{number}", name_B="Łucja" if number % 5 else "Ola")
    page = client.get("/en/?q=ŁUCJA")
    assert listed(page) == [f"No.{number}" for number in reversed(range(15)) if number % 5][:10]
    assert "Newer" not in words(page)
    further = follow(client, page, "Older")
    assert listed(further) == ["No.2", "No.1"]
    assert "Matches with “ŁUCJA”" in words(further)
    assert words(follow(client, further, "Newer")) == words(page)


@pytest.mark.parametrize("place", ["~", "x~y", "2026~\0", "~" * 500, "9" * 200 + "~", "\ud800~", "nowhere"])
def test_a_place_that_is_none(client: Browser, place: str) -> None:
    """An address that was cut off or made up shows some page of the list."""
    client.start()
    for side in ("older", "newer"):
        address = {side: place.encode("utf-8", "surrogatepass").decode("utf-8", "replace")}
        assert client.get("/en/", query_string=address, follow_redirects=True).status_code == 200


def test_names_that_were_put_right_are_found(client: Browser) -> None:
    """By the name of before and by the new one, before any list has shown the match."""
    id = client.start(name_A="Zofja")
    form = {"name-A": "Żaneta", "name-B": "Jan", "place": "Łódź", "form_key": "k", "seq": "0"}
    assert client.post(f"/en/m/{id}/names", data=form).status_code == 303
    for search in ("żanETA", "zofja", "łódź jan"):
        assert f"/en/m/{id}" in client.get("/en/", query_string={"q": search}).text, search


def test_names_of_long_ago_are_offered_no_more(client: Browser) -> None:
    """A new match looks back on the last fifty; a game that was last played before that is still known."""
    client.start(game="durak", table="3", name_A="Dawny", name_C="Gość")
    for number in range(51):
        client.start(name_A="Ewa", name_B="Jan", form_key=f"k{number}")
    assert "Dawny" not in client.get("/en/new").text
    assert 'value="Dawny"' in client.get("/en/new?game=durak").text
