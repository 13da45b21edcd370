"""What stands on a sheet, before it is set."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from printing import compose_page

from companion import sheets
from companion.record import record as records
from companion.sheets import common, html
from companion.sheets.common import compute_check_code
from companion.sheets.model import MatchPage

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks


def page(played: tuple[Any, Any], **more: Any) -> MatchPage:
    record, game = played
    made = compose_page("match", game, record, **more)
    assert isinstance(made, MatchPage)
    return made


def test_what_a_line_says(five: Any) -> None:
    """Who dealt and played, and what came of it: a bajt, a tie that hangs until won, words before cards.

    What was not played is a short line in words; an offer shows its points, a note is a numbered footnote.
    """
    made = page(five)
    line, nbsp = made.lines[0], "\u00a0"
    said = line.number, line.dealer, line.declarer, line.trump, line.mark
    assert said == ("1", "Ewa", "Ewa", "♥", "bajt")
    cells = [(cell.made, cell.scored, cell.total) for cell in line.cells]
    assert cells == [("65", "0", "0"), ("82", "+147", "147")]
    parts = [cell.parts.replace(nbsp, " ") for line in made.lines for cell in line.cells]
    assert parts[0] == "derda K♠ 20 · minela 14 · card points 31"
    assert "50 A♣ · belo 20 · trump jack 20 · sztoch 10 · card points 61" in parts
    assert made.hangs and [line.held for line in made.lines] == ["", "70", "70", "", ""]
    assert made.lines[2].text and not made.lines[2].counted
    assert made.lines[4].text and [cell.scored for cell in made.lines[4].cells] == ["", "+20"]
    assert [side.amounts for side in made.sides] == [(0, 0, 0, 231, 0), (147, 70, 0, 30, 20)]
    assert made.lines[3].notes == (1,) and made.footnotes == ("Belo <powiedziane> późno; zgoda.",)


def test_what_was_corrected_or_ruled_is_a_footnote(five: Any) -> None:
    """What stood there first, what was struck out, a dispute after its deal's note; twice the same, once."""
    before = {"type": "deal", "contract": {"declarer": "A", "trump": "S"}, "totals": {"A": 80, "B": 70}}
    made = page(five, corrections=[sheets.Correction(2, before), sheets.Correction(3)])
    assert [line.notes for line in made.lines] == [(), (1,), (2,), (3,), ()]
    assert "80 : 70" in made.footnotes[0] and "struck out" in made.footnotes[1]
    said = [(4, "May I? No."), (None, "Enough? Yes."), (1, "May I? No.")]
    made = page(five, rulings=[sheets.RulingNote(*note) for note in said])
    assert made.footnotes == ("May I? No.", "Belo <powiedziane> późno; zgoda.", "Enough? Yes.")
    assert made.lines[3].notes == (2, 1) and made.lines[0].notes == (1,)


def test_a_contradiction_is_a_footnote(played: Any) -> None:
    """A deal that cannot be right is flagged where it stands, and the sheet is printed all the same."""
    made = page(played([{"type": "deal", "dealer": "B", "thrown_in": True}]))
    assert made.lines[0].notes == (1,) and "Ewa" in made.footnotes[0]


def test_conventions_that_differ_are_house_rules(played: Any) -> None:
    assert page(played([])).house_rules == ()
    made = page(played([], conventions={"target": 300, "penalty": "replay"}))
    assert dict(made.house_rules)["Target"] == "300"
    assert dict(made.house_rules)["What a revoke costs"].startswith("The deal is void")


def test_what_came_of_a_match(won: Any, five: Any, played: Any) -> None:
    """Who won, how, and who pays; who deals next where it goes on; that it was broken off."""
    result = page(won).result
    assert result.headline == "Ewa wins" and result.figures == "535 : 347"
    assert result.details[0] == "The target was reached."
    assert result.details[-1].replace("\u00a0", " ") == "Stakes: Ewa +10.00 PLN, Jan −10.00 PLN."
    result = page(five).result
    assert result.headline == "Still being played" and result.details == ("Ewa deals next.",)
    assert page(played([{"type": "abandon"}])).result.headline == "Abandoned"


def test_what_is_no_deal_has_no_number(played: Any) -> None:
    """An adjustment stands between the deals, and in the chart at the deal before it."""
    deal = {"type": "deal", "contract": {"declarer": "A", "trump": "D"}, "totals": {"A": 90, "B": 40}}
    adjust = {"type": "adjust", "side": "B", "points": -15, "reason": "fine"}
    made = page(played([deal, adjust, deal]))
    assert [line.number for line in made.lines] == ["1", "", "2"]
    assert made.sides[1].course == (25, 65) and made.sides[1].totals == (40, 25, 65)


def test_the_check_code_changes_with_the_record(five: Any) -> None:
    """Eight characters in two groups; any change of the record changes them, and nothing else does."""
    record, game = five
    code = compute_check_code(record)
    assert len(code) == 9 and code[4] == " " and code == page(five).check == page(five, language="pl").check
    other = records.read_record(records.write_record(record) | {"place": "Lodz"}, lambda *_: game)[0]
    ticked = records.write_record(record) | {"remarks": [{"entry": 1, "by": "B", "kind": "agree"}]}
    agreed = records.read_record(ticked, lambda *_: game)[0]
    assert len({code, compute_check_code(other), compute_check_code(agreed)}) == 3


def test_names_are_cut_for_narrow_columns() -> None:
    assert common.shorten_names({"A": "Ewa", "B": "Jan Kowalski"}) == {"A": "Ewa", "B": "Jan"}
    assert common.shorten_names({"A": "Jan Nowak", "B": "Jan Kowalski"}) == {"A": "Jan Nowak", "B": "Jan"}
    assert common.shorten_names({"A": "Jan A. Nowak", "B": "Jan Kowalski"}) == {"A": "Jan A", "B": "Jan B"}
    assert common.shorten_names({"A": "Przybysławicz-Nowy"})["A"] == "Przybysła…"


@pytest.mark.parametrize(
    ("started", "zone", "written"),
    [
        ("2026-11-22T23:46:00+00:00", "Europe/Warsaw", "23 November 2026, 00:46 (Europe/Warsaw)"),
        ("2026-11-23T00:46:00+01:00", "Europe/Warsaw", "23 November 2026, 00:46"),
        ("2026-11-23T00:46:00+01:00", "America/New_York", "22 November 2026, 18:46 (America/New_York)"),
        ("0001-01-01T00:00:00+00:00", "America/New_York", "1 January 1, 00:00"),
        ("2026-11-22T23:46:00Z", "", "22 November 2026, 23:46 (UTC)"),
        ("2026-11-22T23:46:00Z", "Europe/London", "22 November 2026, 23:46"),
        ("2026-07-22T23:46:00+01:00", "Europe/London", "22 July 2026, 23:46"),
        ("2026-11-20", "Asia/Tokyo", "20 November 2026"),
        ("2026-11-20T19:05:00", "Asia/Tokyo", "20 November 2026, 19:05"),
        ("yesterday", "", ""),
        (None, "", ""),
    ],
)
def test_days_are_those_of_whoever_prints(started: str | None, zone: str, written: str) -> None:
    """The zone is named where it is another one than that of the table; so is UTC, if nobody lives by it."""
    assert common.format_day(started, "en", zone) == written


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", "23 November 2099, 00:46"),
        ("pl", "23 listopada 2099, 00:46"),
        ("ru", "23 ноября 2099 г., 00:46"),
        ("uk", "23 листопада 2099 р., 00:46"),
        ("cs", "23. listopadu 2099, 0:46"),
        ("de", "23. November 2099, 00:46"),
        ("fr", "23 novembre 2099, 00:46"),
        ("hr", "23. studenoga 2099., 00:46"),
    ],
)
def test_a_day_is_written_as_scripts_write_it(language: str, written: str) -> None:
    """The same days are in `tests/unit/scripts/offline/zone.test.mjs`."""
    said = common.format_day("2099-11-23T00:46:00+01:00", language)
    assert " ".join(said.split()) == written


@pytest.mark.parametrize(
    ("started", "moment"),
    [
        ("2026-11-23T00:46:00+01:00", "2026-11-23T00:46:00+01:00"),
        ("20261122T2346Z", "2026-11-22T23:46:00+00:00"),
        ("2026-11-20T19:05:00", ""),
        ("2026-11-20", ""),
        ("<b>", ""),
    ],
)
def test_a_moment_is_given_to_a_phones_clock(played: Callable[..., Any], started: str, moment: str) -> None:
    """As scripts can read it; the place is none."""
    sheet = html.write_sheet(page(played([], started=started)), "en")
    assert (
        re.findall(r'<time datetime="(.*?)" data-form="sheet">[^<]+, \d\d:\d\d', sheet)
        == [moment][: bool(moment)]
    )
    assert "<bdi>Łódź</bdi>" in sheet and sheet.count("<time") == bool(moment)


# --- as HTML ---------------------------------------------------------------------------------


def test_names_and_notes_are_text_never_markup(played: Callable[..., Any]) -> None:
    evil = "<script>alert(1)</script>"
    deal = {"type": "deal", "thrown_in": True, "note": evil}
    made = page(played([deal], players=[evil, "Jan & <b>"], place=evil))
    text = html.write_document(made, "en") + html.write_sheet(made, "en")
    assert "<script" not in text and "<b>Jan" not in text and text.count("&lt;script&gt;") >= 6


def test_every_drawing_says_in_words_what_it_shows(five: Any, played: Callable[..., Any]) -> None:
    """Each tally, the chart, and the square code where there is an address; nothing of a match not begun."""
    text = html.write_sheet(page(five, address="https://x.example/m/abc"), "en")
    assert text.count("<svg") == text.count("<title") == 5
    for said in ("Ewa: 231: ", "Jan: 147, 217, 217, 247, 267", "https://x.example/m/abc"):
        assert said in text
    text = html.write_sheet(page(five), "en")
    assert "s-code" not in text and page(five).check in text
    text = html.write_sheet(page(played([])), "en")
    assert "No deal has been written yet." in text and "<table" not in text and "chart" not in text


def test_the_same_match_is_drawn_the_same(five: Any) -> None:
    """Two makings are one document; another match has another hand."""
    record, game = five
    one, two = (html.write_document(page(five), "en") for _ in range(2))
    other = replace(record, head={**record.head, "started": "2026-11-21T19:05:00+01:00"})
    assert one == two
    drawn = [
        html.write_sheet(page(item), "en").partition("tally-0")[2].partition("</svg>")[0]
        for item in (five, (other, game))
    ]
    assert drawn[0] != drawn[1]


def test_a_name_in_the_table_keeps_its_direction(played: Callable[..., Any]) -> None:
    """An element of its own for one read from right to left and for long ones, which are set smaller."""
    entries = [{"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}]
    cells = {"אווה": "<bdi>אווה</bdi> ♥", "Ewa": "Ewa ♥", "Aleksandra": "<bdi>Aleksandra</bdi> ♥"}
    for name, cell in cells.items():
        written = html.write_sheet(page(played(entries, players=[name, "Jan"])), "en")
        assert f'<td class="s-who">{cell}</td>' in " ".join(written.split())
