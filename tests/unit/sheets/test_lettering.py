"""Names in letters that no font here has: what stands on paper for them, and what is said of it.

Which letters these are is set here, so that nothing depends on the fonts of the machine.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import cli, library, sheets
from companion.record.record import RecordChain, write_record
from companion.sheets import html, lettering
from companion.sheets.lettering import find_unprintable, spell_names
from companion.sheets.model import EveningPage, FiguresPage, MatchPage, SeasonPage, SessionPage
from companion.sheets.printer import FiguresOrder, PrintedSheet, SheetOrder, print_order
from tests.unit.sheets.reading import read_pages

Played = Callable[..., Any]
DEAL = {"type": "deal", "contract": {"declarer": "B", "trump": "H"}, "totals": {"A": 82, "B": 65}}
HAND = {"type": "hand", "dealer": "A", "loser": "B"}


@pytest.fixture(autouse=True)
def _latin_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fonts of this machine have Latin letters, and the signs that the sheets need."""
    signs = "\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2212\u2660\u2663\u2665\u2666\u2713\u0301"
    monkeypatch.setattr(lettering, "can_print", lambda letter: ord(letter) < 0x250 or letter in signs)


@pytest.mark.parametrize(
    ("names", "printed"),
    [
        (("Ewa", "Żółć"), ("Ewa", "Żółć")),
        (("王芳", "Ewa"), ("A", "Ewa")),
        (("Ewa", "😀", "प्रिया", "משה"), ("Ewa", "B", "C", "D")),
        (("Zoë 😀", "Ελένη"), ("Zoë", "B")),
        (("Li (王芳)", "王芳/Ma"), ("Li", "Ma")),
        (("😀 2", "😀!"), ("A", "B")),  # a figure or a mark is nobody's name
        (("𝓐𝓷𝓷𝓪", "Ｂｏ"), ("Anna", "Bo")),  # letters of ours in disguise
        (("Trần", "Lê Hoàng"), ("Tran", "Lê Hoàng")),
        (("王 Ma", "李 Ma"), ("Ma A", "Ma B")),
        (("B", "王芳"), ("B", "B B")),
    ],
)
def test_a_name_is_printed_as_far_as_it_can_be(names: tuple[str, ...], printed: tuple[str, ...]) -> None:
    """What is left of it, else the letter of its seat; no two look the same."""
    spelled = spell_names(names)
    assert tuple(spelled.get(name, name) for name in names) == printed


@given(st.lists(st.text("aB 王é😀\u0301प्", min_size=1, max_size=6), min_size=1, max_size=30, unique=True))
def test_no_name_is_printed_as_nothing(names: list[str]) -> None:
    """Whatever it is written in; what is printed is in letters that can be."""
    spelled = spell_names(names)
    for name, printed in spelled.items():
        assert lettering.find_missing(name) and printed.strip() and not lettering.find_missing(printed)


# --- sheets --------------------------------------------------------------------------------------


def compose_printed(played: Played, entries: list[Any], **head: Any) -> html.Page:
    record, game = played(entries, **head)
    return SheetOrder("match", game, record).compose_for_print()


def test_the_seat_stands_for_the_player(played: Played) -> None:
    """In heading, columns, sentences, chart and signatures; the page on a screen has the name."""
    names = ["Ewa", "王芳"]
    record, game = played([DEAL, {"type": "deal", "thrown_in": True, "dealer": "A"}], players=names)
    order = SheetOrder("match", game, record)
    page = order.compose_for_print()
    assert isinstance(page, MatchPage)
    assert page.title == "Derda: Ewa – B" and page.players == ("Ewa", "B") and page.respelled == ("王芳",)
    assert [(side.name, side.short) for side in page.sides] == [("Ewa", "Ewa"), ("B", "B")]
    assert page.lines[0].declarer == "B"
    assert "王" not in html.write_document(page, "en")
    shown = order.compose()
    assert isinstance(shown, MatchPage)
    assert shown.players == tuple(names) and shown.respelled == () and shown.check == page.check


def test_partners_are_named_one_by_one(played: Played) -> None:
    """Each by what is left of the name, or by the seat; also in what was written of them before."""
    names = ["Ewa", "王", "Zoë 😀", "王芳"]
    entry = DEAL | {"note": "王 was late"}
    record, game = played([entry], game="klaberjass-4", players=names)
    ruling = sheets.RulingNote(None, "May 王芳 play it? No.")
    page = SheetOrder("match", game, record, rulings=[ruling]).compose_for_print()
    assert isinstance(page, MatchPage)
    assert [side.name for side in page.sides] == ["Ewa & Zoë", "B & D"]
    assert set(page.footnotes) >= {"B was late", "May D play it? No."}


def test_a_session_of_six(played: Played) -> None:
    """Each in a column of their own."""
    names = ["Ελένη", "משה", "王芳", "😀", "Zoë 😀", "प्रिया"]
    page = compose_printed(played, [HAND], game="durak", players=names)
    assert isinstance(page, SessionPage)
    assert [side.short for side in page.sides] == ["A", "B", "C", "D", "Zoë", "F"]
    assert "A" in page.lines[0].dealer and not lettering.find_missing(html.write_document(page, "en"))


def test_an_evening_has_one_letter_for_a_player() -> None:
    """Wherever they sat: in its matches, its standings, its payments."""
    head = {"format": "companion-match", "version": 1, "game": "derda", "first_dealer": "A"}
    stake = {"amount": "10.00", "currency": "PLN"}
    entries = [DEAL | {"totals": {"A": 590, "B": 0}}]
    documents = [
        {**head, "id": str(n), "players": names, "stake": stake, "entries": entries}
        for n, names in enumerate((["王芳", "Ewa"], ["Ewa", "王芳"]))
    ]
    chain = RecordChain(library.open_game, documents)
    page = sheets.compose_evening_page([chain.fold(document) for document in documents])
    assert isinstance(page, EveningPage)
    assert page.players == ("A", "Ewa") and page.title == "Evening: A · Ewa"
    assert [match.players for match in page.matches] == ["A – Ewa", "Ewa – A"]
    assert not lettering.find_missing(html.write_document(page, "en"))


def test_figures_and_a_season() -> None:
    """Whoever they are of, and whoever else is named; also in the pictures."""
    chart = ("Matches won, match by match", "<svg><text>王芳</text><text>&lt;李&gt;</text></svg>")
    figures = FiguresPage("Figures of 王芳", "王芳", ("against <李>",), (), (chart,), ("<李>",))
    page = FiguresOrder(figures).compose_for_print()
    assert isinstance(page, FiguresPage)
    assert (page.title, page.name, page.facts) == ("Figures of A", "A", ("against B",))
    assert page.charts[0][1] == "<svg><text>A</text><text>B</text></svg>"
    season = FiguresOrder(SeasonPage("Season", (), ("Ewa", "王芳"), ())).compose_for_print()
    assert isinstance(season, SeasonPage) and season.players == ("Ewa", "B")


# --- what is said of it --------------------------------------------------------------------------


def test_names_are_said_whole_and_with_the_packages() -> None:
    """What is missing elsewhere, once; what is no letter of any script has no package."""
    found = find_unprintable(["Ewa", "王芳", "משה"], "<p>王芳 東京 \U0010fffd</p>")
    assert found.words == ("王芳", "משה", "東京\U0010fffd")
    assert found.packages == ("fonts-noto-cjk", "fonts-noto-core")
    said = str(found.describe())
    assert "王芳, \u2068משה\u2069, 東京" in said and said.endswith("fonts-noto-cjk, fonts-noto-core.")
    assert find_unprintable(["😀"], "").packages == ("fonts-noto-color-emoji",)
    assert "Debian" not in str(find_unprintable(["\U0010fffd"], "").describe())
    assert not find_unprintable(["Ewa"], "Łódź")


def test_a_printed_sheet_says_what_is_not_on_it(played: Played) -> None:
    """Its key is another one once there are such fonts."""
    record, game = played([DEAL], players=["王芳", "Ewa"], place="東京")
    order = SheetOrder("match", game, record)
    printed = PrintedSheet.read(print_order(*order.to_arguments()))
    assert printed.title == "Derda: A – Ewa"
    assert printed.unprintable.words == ("王芳", "東京")
    [text] = read_pages(printed.pdf)
    assert text.startswith("Derda A – Ewa") and "王" not in text
    keys = {order.compute_key("")}
    with pytest.MonkeyPatch.context() as installing:
        installing.setattr(lettering, "can_print", lambda letter: True)
        keys.add(order.compute_key(""))
    assert len(keys) == 2


def test_the_command_says_it_too(played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, in the language that is spoken; the sheet is made."""
    record, _game = played([DEAL], players=["王芳", "Ewa"])
    file, out = tmp_path / "r.json", tmp_path / "sheet.pdf"
    file.write_text(json.dumps(write_record(record)), "utf-8")
    assert cli.main(["sheet", str(file), "-o", str(out)]) == 0
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith(
        f"{out}: No font on the machine that prints has all letters of: 王芳."
    )
    assert "fonts-noto-cjk" in said.err and out.read_bytes().startswith(b"%PDF")


# --- the fonts of this machine -------------------------------------------------------------------


def test_pango_is_asked_for_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """The letters of our fonts and of those of the machine; no font has one that nobody uses."""
    monkeypatch.undo()
    assert lettering.find_missing("Żółć Ёлка Ґ ♠♥♦♣ ✓\u200d\u2068\n") == ""
    assert lettering.find_missing("a\U0010fffd\U0010fffdb\ud800") == "\U0010fffd\ud800"


def test_our_fonts_have_what_is_not_looked_for() -> None:
    """Whatever is no letter that few sheets have, but for signs that cannot be seen."""
    usual = {chr(n) for n in range(0x10000)} - set(lettering.RARE.findall("".join(map(chr, range(0x10000)))))
    lacking = {letter for letter in usual if ord(letter) not in lettering.list_own_letters()}
    assert {letter for letter in lacking if category(letter) not in ("Cc", "Cf", "Zl", "Zp")} == set()


def test_without_pango_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is printed then, and the page of the PDF says why."""
    monkeypatch.undo()
    monkeypatch.setattr(lettering, "_load_counter", lambda: None)
    lettering.can_print.cache_clear()
    assert lettering.find_missing("王芳") == ""
    lettering.can_print.cache_clear()
