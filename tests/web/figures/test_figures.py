"""Players and their figures: counted from this browser's matches, the same as on the command line."""

import csv
import json
import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pypdfium2
import pytest
from derda import deal
from flask import Flask

from companion.cli import main
from tests.web.browsers import Browser, known_browser, words

FOOL = {"type": "hand", "loser": "A"}


@pytest.fixture
def evening(client: Browser) -> list[str]:
    """Three matches: two of Derda with Ewa, one of Durak at which she sat too."""
    first = client.start(deal(120, 42), deal(72, 90), deal(100, 62), deal(90, 72), rule_target="300")
    second = client.start(deal(81, 81), name_A="Ala", name_B="Ewa")
    return [first, second, client.sit(FOOL, FOOL | {"loser": "B"})]


def test_players_are_listed(client: Browser, evening: list[str]) -> None:
    """Who sat in most matches first, each leading to the figures; home leads there."""
    page = client.get("/en/players")
    found = re.findall(r"(\w+) Evenings: (\d) · Matches: (\d)", words(page))
    assert found[:2] == [("Ewa", "3", "3"), ("Jan", "2", "2")]
    assert 'href="/en/player?name=Ewa"' in page.text
    assert 'href="/en/players"' in client.get("/en/").text


def test_a_mean_has_the_decimal_mark_of_the_language(client: Browser, evening: list[str]) -> None:
    assert re.search(r"im Schnitt gemacht \d+,\d\d", client.read("/de/player?name=Ewa"))
    assert re.search(r"made on average \d+\.\d\d", client.read("/en/player?name=Ewa"))


def test_nobody_has_played_yet(client: Browser) -> None:
    assert "Nobody has played in this browser yet" in client.read("/en/players")
    assert 'href="/en/players"' not in client.get("/en/").text


def test_figures_are_those_of_the_command_line(
    client: Browser, evening: list[str], tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / f"{n}.json" for n in range(3)]
    for file, id in zip(files, evening, strict=True):
        file.write_text(client.get(f"/en/m/{id}/record.json").text, "utf-8")
    assert main(["figures", *map(str, files), "--player", "Ewa", "--json"]) == 0
    assert client.get("/en/player/figures.json?name=Ewa").get_json() == json.loads(capsys.readouterr().out)


def test_every_figure_leads_to_what_it_counts(client: Browser, evening: list[str]) -> None:
    """As many deals as it says, the last ones first, each to its entry; a match to its board."""
    page = client.get("/en/player?name=Ewa").text
    links = {unescape(link) for link in re.findall(r'href="(/en/player/deals[^"]*)"', page)}
    assert len(links) > 10
    for link in links:
        assert re.search(r'<li><a href="/en/m/', client.get(link).text), link
    won = client.get("/en/player/deals?name=Ewa&figure=deals.won")
    assert "Deals: 3/5 won" in words(won)
    assert re.findall(rf'href="/en/m/{evening[0]}/entries/(\d)"', won.text) == ["4", "3", "1"]
    played = client.get("/en/player/deals?name=Ewa&figure=matches.played").text
    assert f'href="/en/m/{evening[0]}"' in played


def test_a_withdrawn_deal_moves_no_link(client: Browser) -> None:
    """Deals are numbered on the page as they stand, and lead to the entry that was written."""
    id = client.start(deal(120, 42), deal(90, 72), deal(100, 62))
    client.fill(id, "entries/1", do="withdraw")
    page = client.get("/en/player/deals?name=Ewa&figure=best_deal")
    assert re.search(r"Deal 2 Ewa – Jan · \d+ \w+ \d+ 100 ", words(page))
    assert f'href="/en/m/{id}/entries/3"' in page.text


def test_matches_can_be_chosen(client: Browser, evening: list[str]) -> None:
    """By game, opponent and days; links keep the choice, and where nothing fits the page says so."""
    page = client.get("/en/player?name=Ewa&opponent=Ala&game=derda").text
    assert "opponent=Ala" in re.findall(r'href="(/en/player/deals[^"]*)"', page)[0]
    found = client.get("/en/player/figures.json?name=Ewa&opponent=Ala&game=derda").get_json()
    assert (found["deals"]["played"], found["deals"]["drawn"], found["durak"]) == (1, 1, None)
    assert "No match fits" in client.read("/en/player?name=Ewa&last=2020-01-01")
    new_year = f"{datetime.now(UTC):%Y}0101"  # a date without hyphens is the same day
    assert client.get(f"/en/player/figures.json?name=Ewa&first={new_year}").get_json()["deals"]["played"] == 5
    assert client.read("/en/player?name=Ewa&first=yesterday") == client.read("/en/player?name=Ewa")
    assert client.get("/en/player/deals?name=Ewa&figure=deals.what").status_code == 404


def test_archived_matches_count_deleted_ones_do_not(client: Browser, evening: list[str]) -> None:
    client.fill(evening[0], "put-away")
    assert client.get("/en/player/figures.json?name=Ewa").get_json()["deals"]["played"] == 5
    client.fill(evening[0], "delete")
    assert client.get("/en/player/figures.json?name=Ewa").get_json()["deals"]["played"] == 1


def test_another_browser_has_none_of_it(app: Flask, client: Browser, evening: list[str]) -> None:
    other = known_browser(app, "somebody else")
    assert other.get("/en/player?name=Ewa").status_code == 404
    assert "Ewa" not in other.read("/en/players")


def test_a_long_list_is_turned_in_pages(client: Browser) -> None:
    client.start(*[deal(90, 72) for _n in range(60)], rule_target="9999")
    page = client.get("/en/player/deals?name=Ewa&figure=deals.played").text
    assert page.count("/entries/") == 50
    [older] = re.findall(r'<a class="btn[^>]*href="([^"]*skip=50[^"]*)"', page)
    assert client.get(unescape(older)).text.count("/entries/") == 10


def test_table_and_sheet_say_the_same(client: Browser, evening: list[str]) -> None:
    """As the JSON: each number by its name in the table, and on paper in the words of the page."""
    query = "name=Ewa&game=derda&first=2026-01-01"
    found = client.get(f"/en/player/figures.json?{query}").get_json()
    rows = dict(line.split(",") for line in client.get(f"/en/player/figures.csv?{query}").text.splitlines())
    assert rows["declarer.mean_made"] == found["declarer"]["mean_made"]
    for section in ("matches", "deals", "offers"):
        for name, value in found[section].items():
            assert rows[f"{section}.{name}"] == str(value)
    page = words(client.get(f"/en/player?{query}"))
    page = page[page.index("Figures Matches") : page.index("Which matches count")]
    with pypdfium2.PdfDocument(client.get(f"/en/player/figures.pdf?{query}&paper=a5").data) as printed:
        sheet = " ".join(printed[0].get_textpage().get_text_bounded().split())
    assert "Figures Ewa Derda 1 January 2026" in sheet
    assert {*page.split()} - {*sheet.split()} == set()


@pytest.mark.parametrize(
    ("language", "separator", "sign"), [("en", ",", "."), ("hr", ";", ","), ("uk", ";", ",")]
)
def test_the_table_is_for_the_spreadsheet_of_its_reader(
    client: Browser, evening: list[str], language: str, separator: str, sign: str
) -> None:
    """Cells are parted by semicolons where decimals begin with a comma."""
    table = client.get(f"/{language}/player/figures.csv?name=Ewa&game=derda").text
    rows = dict(csv.reader(table.splitlines(), delimiter=separator))
    mean = client.get("/en/player/figures.json?name=Ewa&game=derda").get_json()["declarer"]["mean_made"]
    assert "." in mean and rows["declarer.mean_made"] == mean.replace(".", sign)


def test_a_paper_that_does_not_exist_is_refused(client: Browser, evening: list[str]) -> None:
    assert client.get("/en/player/figures.pdf?name=Ewa&paper=a3").status_code == 400


def test_what_an_address_says_beside_is_not_carried_on(client: Browser, evening: list[str]) -> None:
    """Nor can it be taken for a page or a setting of the address itself."""
    page = client.get("/en/player?name=Ewa&endpoint=x&_external=1&values=1")
    assert page.status_code == 200
    assert "endpoint=x" not in page.text and "_external" not in page.text


def test_a_name_with_a_comma_is_one_cell(client: Browser) -> None:
    """Names stand in the table where figures go by the neighbour on the right."""
    client.sit(FOOL, names=("Ewa", "Jan", "Kowalski, Ala"))
    lines = client.get("/en/player/figures.csv?name=Ewa").text.splitlines()
    assert {len(row) for row in csv.reader(lines)} == {2}
    assert any("Kowalski, Ala" in line for line in lines)
