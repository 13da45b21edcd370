"""Matches of any length: lists come by pages, and what is on all pages together is all there is, once."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.datastructures import ImmutableMultiDict

from companion.record.log import Event
from companion.store import StoredMatch
from companion.web.shell.paging import LENGTH, turn_to_page
from tests.web.browsers import Browser

DERDA = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A", "conventions": {"target": 9999}}
DURAK = {"game": "durak", "players": ["Ewa", "Jan", "Ola"], "first_dealer": "A"}
CONTRACT = {"declarer": "A", "trump": "H"}
DEAL = {"type": "deal", "contract": CONTRACT, "totals": {"A": 82, "B": 65}}
TRICKS = [
    *(["JH", "7H"], ["9H", "8H"], ["AH", "QH"], ["AS", "7S"], ["10S", "8S"]),
    *(["KS", "9S"], ["7D", "AD"], ["10D", "8D"], ["AC", "7C"]),
]


@pytest.fixture
def store_match(app: Flask) -> Callable[..., str]:
    """Puts a log of these events into the store; the address of its board."""

    def store(head: dict[str, Any], events: Sequence[Event]) -> str:
        with app.app_context():
            app.extensions["matches"].store.create_match(
                StoredMatch("long-match", "me", head, tuple(events), "2026-11-20T19:05:00Z")
            )
        return "/en/m/long-match"

    return store


def added(entry: dict[str, Any], times: int) -> list[Event]:
    return [Event(0, "add", payload=entry, at="2026-11-20T19:05:00Z") for _n in range(times)]


def follow(client: FlaskClient, address: str, word: str) -> list[str]:
    """The page at an address and all that one comes to by the link that says this word."""
    pages = []
    while address:
        pages.append(client.get(address).get_data(as_text=True))
        link = re.search(rf'href="([^"]*)"[^>]*>{word}</a>', pages[-1])
        address = link[1].replace("&amp;", "&") if link else ""
    return pages


def entries_on(page: str) -> list[int]:
    main = page.partition("<main")[2].partition("</main>")[0]
    return [int(found) for found in re.findall(r'/entries/(\d+)"', main)]


# --- pages of a list -------------------------------------------------------------------------------


def turn(app: Flask, length: int, shown: Callable[[int], bool], **args: object) -> Any:
    with app.test_request_context("/", query_string=ImmutableMultiDict(args)):
        return turn_to_page(length, shown)


@given(st.integers(0, 260), st.integers(1, 5), st.integers(0, 4))
def test_older_pages_hold_every_line_once(length: int, every: int, left_out: int) -> None:
    """And newer ones lead back to the newest, though some numbers are no lines."""
    app = Flask("pages")

    def shown(n: int) -> bool:
        return n % 5 != left_out or n % every == 0

    page = turn(app, length, shown)
    found = [*page.numbers]
    assert not page.newer
    while page.older:
        page = turn(app, length, shown, before=page.last)
        found += page.numbers
        assert len(page.numbers) <= LENGTH and page.newer
    assert found == [n for n in range(length, 0, -1) if shown(n)]
    for _page in range(length):
        if not page.newer:
            break
        before = page.first
        page = turn(app, length, shown, after=before)
        assert page.first > before
    assert list(page.numbers) == found[:LENGTH]


@pytest.mark.parametrize(
    "args",
    [{"before": "x"}, {"before": 0}, {"before": -5}, {"after": 99}, {"after": 10**40}, {"before": 10**40}],
)
def test_a_strange_address_shows_the_newest_page(args: dict[str, object]) -> None:
    page = turn(Flask("pages"), 99, lambda n: True, **args)
    assert (page.first, page.last, page.older, page.newer) == (99, 50, True, False)


def test_the_oldest_page_begins_with_the_first_line() -> None:
    page = turn(Flask("pages"), 99, lambda n: True, after=0)
    assert (page.first, page.last, page.older, page.newer) == (50, 1, False, True)
    assert turn(Flask("pages"), 7, lambda n: True, after=0).numbers == (7, 6, 5, 4, 3, 2, 1)


# --- the pages of a match --------------------------------------------------------------------------


def test_the_history_by_pages(client: Browser, store_match: Callable[..., str]) -> None:
    """Every change but the drafts, once; the beginning stands on the last page only."""
    events = added(DEAL, 60)
    events += [Event(0, "draft", payload={"type": "deal"}), Event(0, "amend", 3, {**DEAL, "note": "x"})]
    board = store_match(DERDA, events + added(DEAL, 58))
    pages = follow(client, f"{board}/history", "Older")
    assert [len(entries_on(page)) for page in pages] == [50, 50, 19]
    assert [*map(entries_on, pages)] == [
        [*range(120, 70, -1)],
        [*range(70, 62, -1), 3, *range(60, 19, -1)],
        [*range(19, 0, -1)],
    ]
    assert ["The match was started." in page for page in pages] == [False, False, True]
    assert "Deal 118 written" in pages[0] and "Deal 1 written" in pages[2]
    oldest = re.search(r'href="([^"]*)"[^>]*>Oldest</a>', pages[0])
    assert oldest is not None
    back = follow(client, oldest[1], "Newer")
    assert entries_on(back[0]) == [*range(50, 0, -1)] and entries_on(back[-1]) == entries_on(pages[0])


def test_the_history_says_what_arrived_later(client: Browser, store_match: Callable[..., str]) -> None:
    """Where that was not in the same minute."""
    at, soon, late = (f"2026-11-20T19:{minute}+00:00" for minute in ("42:01.000", "42:09.000", "58:00.000"))
    events = [Event(0, "add", payload=DEAL, at=at, arrived=arrived) for arrived in ("", soon, late)]
    page = client.get(store_match(DERDA, events) + "/history").get_data(as_text=True)
    lines = page.partition('<ol class="list"')[2].split("<li>")[1:4]
    assert [re.findall(r"arrived <time[^>]*>[^<]*:58<", line) != [] for line in lines] == [True, False, False]
    assert page.count("arrived") == 1


def test_all_entries_by_pages(client: Browser, store_match: Callable[..., str]) -> None:
    board = store_match(DERDA, added(DEAL, 110))
    latest = client.get(board).get_data(as_text=True)
    assert "104 earlier entries" in latest and ">Older</a>" not in latest
    pages = follow(client, f"{board}?all=1", "Older")
    shown = [n for page in pages for n in re.findall(r'<td class="n">(\d+)', page)]
    assert shown == [str(n) for n in range(110, 0, -1)]


def test_a_short_match_has_no_pages(client: Browser, store_match: Callable[..., str]) -> None:
    board = store_match(DERDA, added(DEAL, 20))
    for path in ("", "?all=1", "/history", "/ask/audit"):
        assert 'class="row paging"' not in client.get(board + path).get_data(as_text=True)


def test_deals_to_audit_by_pages(client: Browser, store_match: Callable[..., str]) -> None:
    """Only those that were recorded card by card; one that is asked for is opened at once."""
    by_cards = {"type": "deal", "contract": {"declarer": "B", "trump": "H"}, "tricks": TRICKS}
    board = store_match(DERDA, [*added(DEAL, 2), *added(by_cards, 55)])
    pages = follow(client, f"{board}/ask/audit", "Older")
    assert [len(re.findall(r'/entries/\d+/audit"', page)) for page in pages] == [50, 5]
    assert client.get(f"{board}/ask/audit?entry=3").status_code == 302
    for none in (1, 0, 99):
        assert client.get(f"{board}/ask/audit?entry={none}").status_code == 200


def test_entries_that_do_not_fit_are_named_as_far_as_there_is_room(
    client: Browser, store_match: Callable[..., str]
) -> None:
    """Who has won is told all the same."""
    board = store_match(DERDA | {"conventions": {"target": 150}}, added(DEAL, 20))
    page = client.get(board).get_data(as_text=True)
    notice = re.search(r"The entries marked below.*?</p>", page, re.S)
    assert notice is not None
    assert re.findall(r">(Deal \d+)</a>", notice[0]) == [f"Deal {n}" for n in range(3, 9)]
    assert "and others after them" in notice[0]
    assert "Ewa wins" in page.partition('class="outcome"')[2].partition("</div>")[0]


@pytest.mark.parametrize("many", [6, 7])
def test_what_has_no_room_is_said_to_be_there(
    client: Browser, store_match: Callable[..., str], many: int
) -> None:
    """Of entries that do not fit the first six are named, of rulings the last six are shown."""
    said = [{"id": f"r{n}", "question": f"Question {n}", "verdict": "", "rules": []} for n in range(many)]
    rulings = [Event(0, "ruling", payload=payload, at="2026-11-20T19:05:00Z") for payload in said]
    events = [*added(DEAL, 2 + many), *rulings]
    page = client.get(store_match(DERDA | {"conventions": {"target": 150}}, events)).text
    assert re.findall(r'class="soft">(Question \d) ', page) == [f"Question {n}" for n in range(many)][-6:]
    for sentence in ("and others after them", "Earlier ones are in the history."):
        assert (sentence in page) == (many > 6), sentence


def test_an_entry_of_many_changes_shows_the_last(client: Browser, store_match: Callable[..., str]) -> None:
    changes = [Event(0, "amend", 1, {**DEAL, "note": str(n)}) for n in range(40)]
    page = client.get(store_match(DERDA, [*added(DEAL, 1), *changes]) + "/entries/1").get_data(as_text=True)
    assert "11 earlier changes are in the history." in page
    assert page.partition('id="head-changes"')[2].count("<li>") == 30


# --- drawings --------------------------------------------------------------------------------------


def test_a_long_tally_begins_anew(client: Browser, store_match: Callable[..., str]) -> None:
    """Write hundreds the pad has no room for as a number in front; together they are the total."""
    entry = {"type": "adjust", "side": "A", "points": 7, "reason": "x"}
    board = store_match(DERDA, added(entry, 250))
    for path in ("", "/big", "/turned"):
        page = client.get(board + path).get_data(as_text=True)
        title = re.search(r'<title id="tally-A-title">(\d+) \+ (\d+):', page)
        assert title is not None and int(title[1]) + int(title[2]) == 1750
        assert f'<p class="carried">{title[1]} +</p>' in page
    assert "carried" not in client.get(store_short(client, store_match)).get_data(as_text=True)


def store_short(client: FlaskClient, store_match: Callable[..., str]) -> str:
    """A match that is no longer than a page of its tally."""
    with client.application.app_context():
        client.application.extensions["matches"].store.create_match(
            StoredMatch("short-match", "me", DERDA, tuple(added(DEAL, 5)), "2026-11-20T19:05:00Z")
        )
    return "/en/m/short-match"


def test_many_matchsticks_are_carried_over(client: Browser, store_match: Callable[..., str]) -> None:
    events = added({"type": "hand", "loser": "A"}, 203) + added({"type": "hand", "loser": None}, 101)
    page = client.get(store_match(DURAK, events)).get_data(as_text=True)
    assert re.findall(r'(?:draws soft">Draws |class="carried">)(\d+) \+', page) == ["100", "200"]
    assert page.count('class="draw"') == 1 and page.count('<path class="match') == 3


def test_the_end_of_a_long_sheet_is_looked_at(client: Browser, store_match: Callable[..., str]) -> None:
    """Its lines have the numbers that they have on paper; there stands the check code."""
    board = store_match(DERDA, added(DEAL, 130))
    page = client.get(f"{board}/sheet").get_data(as_text=True)
    lines = re.findall(r'<tr class="s-deal[^>]*>\s*<th scope="row">(\d+)', page)
    assert lines == [str(n) for n in range(31, 131)]
    assert "30 earlier entries are only on the printed sheet." in page
    assert "Check code" not in page
