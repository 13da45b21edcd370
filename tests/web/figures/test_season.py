"""A season of forty evenings of all games: every figure tapped down to its deals, every span adds up."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from html import unescape
from itertools import count
from random import Random
from typing import Any

import pytest
from dealing import tables

from companion.matches import AddEntry, Submission
from companion.web.shell.forms import fresh_key
from tests.unit.beating.test_session_laws import session
from tests.web.browsers import TOKEN, Browser

NAMES = ("Ewa", "Jan", "Ola", "Piotr", "Zofia", "Adam")
PLAYER = "Ewa"


@pytest.fixture
def season(client: Browser) -> Browser:
    random = Random(40)
    for evening in range(40):
        earlier = None
        for number in range(random.randint(1, 3)):
            record = tables(random).match(random, 5) if random.random() < 0.7 else session(random, 5)[1]
            players = random.sample(NAMES, len(record.head["players"]))
            started = f"{date(2026, 1, 2) + timedelta(7 * evening)}T{19 + number}:00:00+01:00"
            head = {**record.head, "players": players, "started": started}
            earlier = play(client, head | ({"follows": earlier} if earlier else {}), record.entries)
    return client


def play(client: Browser, head: dict[str, Any], entries: Any) -> str:
    with client.application.app_context():
        matches = client.application.extensions["matches"]
        id: str = matches.start(head, TOKEN, fresh_key())
        for entry in entries:
            match = matches.open(id)
            matches.write(match, AddEntry(entry), Submission(TOKEN, match.seq, fresh_key()))
    return id


def find_links(page: str, pattern: str) -> list[str]:
    return [unescape(link) for link in re.findall(rf'href="({pattern})"', page)]


def list_deals(client: Browser, address: str) -> Iterator[str]:
    """The links of a figure's deals, from one page to the next."""
    for _page in count():
        page = client.get(address).text
        yield from find_links(page, r"/en/m/[^\"?]*")
        older = [link for link in find_links(page, '[^"]*') if "skip=" in link]
        if not older:
            return
        address = older[0]


@pytest.mark.nightly
def test_every_figure_is_tapped_down_to_its_deals(season: Browser) -> None:
    page = season.get(f"/en/player?name={PLAYER}").text
    found = re.findall(r'href="(/en/player/deals[^"]*)">.*?<b>([^<]*)</b></small></a>', page, flags=re.DOTALL)
    figures = {unescape(link): shown for link, shown in found}
    assert len(figures) > 50
    tapped = set[str]()
    for address, shown in figures.items():
        deals = list(list_deals(season, address))
        assert deals, address
        if "/" in shown:
            part, whole = map(int, shown.split("/"))
            assert len(deals) == part or part == 0 < len(deals) == whole, address
        tapped.update(deals)
    assert len(tapped) > 100
    assert {season.get(address).status_code for address in tapped} == {200}


@pytest.mark.nightly
def test_spans_add_up_to_the_whole(season: Browser) -> None:
    """Evenings to all there is, games too, presets to their game, the days of the year to the season."""
    page = season.get(f"/en/player?name={PLAYER}").text

    def count_in(**span: str) -> int:
        asked = {"name": PLAYER, **span}
        found = season.get("/en/player/figures.json", query_string=asked).get_json()
        return int(found["deals"]["played"] + (found["durak"] or {"hands": 0})["hands"])

    def list_options(name: str) -> list[str]:
        select = page[page.index(f'<select id="{name}"') :]
        return re.findall(r'<option value="([^"]+)"', select[: select.index("</select>")])

    whole, games = count_in(), list_options("game")
    assert whole > 100
    assert sum(count_in(evening=evening) for evening in list_options("evening")) == whole
    assert sum(count_in(game=game) for game in games if "/" not in game) == whole
    several = {game.split("/")[0] for game in games if "/" in game}
    assert several
    for game in several:
        presets = [choice for choice in games if choice.startswith(f"{game}/")]
        assert sum(count_in(game=preset) for preset in presets) == count_in(game=game)
    halves = count_in(last="2026-06-30") + count_in(first="2026-07-01")
    assert halves == whole


@pytest.mark.nightly
def test_the_table_of_the_season_says_what_figures_say(season: Browser) -> None:
    """Of each player as many matches as the figures count, at no more than the forty evenings."""
    rows = re.findall(r"(\w+) Evenings: (\d+) · Matches: (\d+)", season.read("/en/players"))
    assert {name for name, _evenings, _matches in rows} == {*NAMES}
    for name, evenings, played in rows:
        figures = season.get(f"/en/player/figures.json?name={name}").get_json()["matches"]
        assert int(played) == figures["played"] + figures["open"]
        assert 0 < int(evenings) <= min(int(played), 40)
