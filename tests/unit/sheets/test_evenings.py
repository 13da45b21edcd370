"""The sheet of an evening: its matches in order, how it stands between the players, who pays whom."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup
from tiers import mostly_at_night

from companion import cli, library, sheets
from companion.record.record import RecordChain, list_in_order
from companion.rules.errors import Unreadable
from companion.sheets import html
from companion.sheets.model import EveningPage
from tests.unit.sheets.reading import read_pages

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks

Capture = pytest.CaptureFixture[str]


def record(id: str, *entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A game of Deberts in sets, for ten złoty, unless it is said otherwise."""
    usual = {"game": "deberts", "preset": "sets", "players": ["Ewa", "Jan"]}
    stake = {"amount": "10.00", "currency": "PLN"}
    head = {"format": "companion-match", "version": 1, "id": id, "stake": stake, **usual, **more}
    return {**({} if "follows" in head else {"first_dealer": "A"}), **head, "entries": list(entries)}


def opening(a: int, b: int) -> dict[str, Any]:
    return {"type": "opening", "totals": {"A": a, "B": b}}


def deal(declarer: str, **totals: int) -> dict[str, Any]:
    return {"type": "deal", "contract": {"declarer": declarer, "trump": "H"}, "totals": totals}


ONE = record("one", opening(450, 200), deal("A", A=90, B=40), conventions={"mars": "on"})
TWO = record("two", opening(200, 460), deal("B", A=60, B=90), follows="one")
THREE = record("three", deal("A", A=90, B=60), follows="two")
HAND = {"type": "hand", "dealer": "A", "loser": "C"}
OF_THREE: dict[str, Any] = {"game": "durak", "preset": "standard", "players": ["Ewa", "Jan", "Ala"]}
DURAK = record("durak", HAND, {"type": "close"}, **OF_THREE)
OF_FOUR = OF_THREE | {"game": "klaberjass-4", "players": ["Ala", "Olek", "Ewa", "Jan"]}
EUROS = {"amount": "2.50", "currency": "EUR"}
PARTNERS = record("four", opening(450, 0), deal("A", A=90, B=72), **OF_FOUR, stake=EUROS)


def compose(*documents: dict[str, Any], language: str = "en") -> EveningPage:
    chain = RecordChain(library.open_game, documents)
    page = sheets.compose_evening_page(
        list_in_order([chain.fold(document) for document in documents]), language=language
    )
    assert isinstance(page, EveningPage)
    return page


def columns(page: EveningPage) -> dict[str, list[str]]:
    return {column.label: [cell.replace("\xa0", " ") for cell in column.cells] for column in page.columns}


def test_matches_stand_in_the_order_in_which_they_follow_each_other() -> None:
    """Whatever the order in which they are given; a game that goes on has no winner yet."""
    page = compose(THREE, TWO, ONE)
    assert [match.number for match in page.matches] == ["1", "2", "3"]
    assert [match.result.headline for match in page.matches] == ["Ewa wins", "Jan wins", "Still being played"]
    assert [match.result.figures for match in page.matches] == ["540 : 240", "550 : 260", "90 : 60"]
    assert [match.players for match in page.matches] == ["Ewa – Jan", "Jan – Ewa", "Ewa – Jan"]
    assert {match.game for match in page.matches} == {"Deberts, Sets"}


def test_sets_and_stakes_add_up_and_are_settled() -> None:
    """A win on mars is two sets and twice the stake; what was won back is taken off."""
    page = compose(ONE, TWO)
    stakes = ["+10.00 PLN", "−10.00 PLN"]
    assert columns(page) == {"Games won": ["1", "1"], "Sets": ["2", "1"], "Stakes": stakes}
    assert [payment.replace("\xa0", " ") for payment in page.payments] == ["Jan pays Ewa 10.00 PLN."]
    even = compose(TWO | {"first_dealer": "A"}, record("x", opening(460, 300), deal("A", A=90, B=60)))
    assert (even.settled, even.payments) == (True, ())


def test_games_of_all_kinds_stand_together() -> None:
    """Players are known by name; partners win and pay like their side; each currency is settled by itself."""
    page = compose(ONE, PARTNERS, DURAK)
    assert page.players == ("Ewa", "Jan", "Ala", "Olek")
    found = columns(page)
    assert found["Games won"] == ["2", "0", "1", "0"]
    assert found["Losses"] == ["0", "0", "1", ""]
    stakes = [column.cells for column in page.columns if column.label == "Stakes"]
    assert [[cell.replace("\xa0", " ") for cell in cells] for cells in stakes] == [
        ["+20.00 PLN", "−20.00 PLN", "", ""],
        ["+2.50 EUR", "−2.50 EUR", "+2.50 EUR", "−2.50 EUR"],
    ]
    assert len(page.payments) == 3


def test_who_won_most_and_the_longest_streak_are_told() -> None:
    """Partners lead together; nobody does where all won as many, and one win is no streak."""
    again = record("again", opening(450, 0), deal("A", A=90, B=72), **OF_FOUR, stake=EUROS)
    ahead = compose(PARTNERS, again, ONE)
    assert ahead.leaders == ("Ewa",) and ahead.streak == "Longest streak: Ala, Ewa, 2."
    text = html.write_sheet(ahead, "en")
    assert text.count('<span class="s-winner">') == 1 and "Longest streak" in text
    even = compose(ONE, TWO)
    assert even.leaders == () and even.streak == ""


def test_without_a_stake_units_are_told_and_nobody_pays() -> None:
    page = compose({key: value for key, value in ONE.items() if key != "stake"})
    assert columns(page)["Units"] == ["+2", "−2"]
    assert not page.settled and page.payments == ()
    assert "Settlement" not in html.write_sheet(page, "en")


def test_the_check_code_is_that_of_all_matches() -> None:
    other = {**TWO, "entries": [opening(200, 460), deal("B", A=61, B=90)]}
    assert compose(ONE, TWO).check == compose(ONE, TWO).check != compose(ONE, other).check


def test_what_stands_on_the_sheet() -> None:
    """Matches, standings, payments with a box to tick, and a line for everybody to sign."""
    text = html.write_sheet(compose(ONE, TWO, language="pl"), "pl")
    assert isinstance(text, Markup)
    for word in ("Wieczór", "Wygrywa Ewa", "Stan", "Rozliczenie", "Jan → Ewa: 10,00", "540 : 240"):
        assert word in text
    assert text.count('s-signature"') == 2
    assert text.count('class="s-tick"') == 1


# --- the command line ----------------------------------------------------------------------------


@pytest.fixture
def write(tmp_path: Path) -> Callable[[dict[str, Any]], str]:
    def go(document: dict[str, Any]) -> str:
        file = tmp_path / f"{document['id']}.json"
        file.write_text(json.dumps(document), "utf-8")
        return str(file)

    return go


Write = Callable[[dict[str, Any]], str]


def test_a_sheet_finds_the_record_that_is_followed(write: Write, tmp_path: Path) -> None:
    out = tmp_path / "out.pdf"
    assert cli.main(["sheet", write(TWO), write(ONE), "-o", str(out)]) == 0
    texts = read_pages(out.read_bytes())
    assert ["Jan wins" in texts[0], "Ewa wins" in texts[-1], len(texts)] == [True, True, 2]


@pytest.mark.parametrize("kind", ["match", "evening"])
def test_a_record_that_lacks_another_is_refused(
    write: Write, tmp_path: Path, capsys: Capture, kind: str
) -> None:
    out = tmp_path / "out.pdf"
    assert cli.main(["sheet", write(TWO), "-o", str(out), "--kind", kind]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: follows: must be the id of a record read along with this one")
    assert cli.main(["score", write(TWO)]) == 2
    assert capsys.readouterr().err == said
    assert not out.exists()


def test_records_that_follow_each_other_in_a_circle() -> None:
    """Each is there once, in the order given, where one of them says who deals first."""
    page = compose(TWO, {**ONE, "follows": "two"})
    assert [match.result.headline for match in page.matches] == ["Jan wins", "Ewa wins"]
    with pytest.raises(Unreadable, match="follows"):
        compose({**TWO, "follows": "three"}, {**THREE, "follows": "two"})


@mostly_at_night("paper", sheets.PAPERS, {"a5"})
def test_an_evening_is_printed(write: Write, tmp_path: Path, paper: str) -> None:
    out = tmp_path / "out.pdf"
    files = [write(record) for record in (ONE, TWO, THREE, DURAK, PARTNERS)]
    assert cli.main(["sheet", *files, "-o", str(out), "--kind", "evening", "--paper", paper]) == 0
    assert out.read_bytes().startswith(b"%PDF-")
