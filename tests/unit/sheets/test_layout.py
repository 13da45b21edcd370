"""Layout of sheets on paper: digits on the lines, the foot, rows kept together, sizes of print."""

import json
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from printing import compose_page, print_sheet
from tiers import mostly_at_night

from companion import library, sheets
from companion.record import record as records
from companion.sheets import html, pdf
from companion.sheets.model import MatchPage

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks

GOLDEN = Path(__file__).parents[2] / "golden"
ALONE = "deberts-4-alone-standard"


def read(name: str) -> Any:
    return records.read_record(json.loads((GOLDEN / f"{name}.json").read_text())["record"], library.open_game)


@lru_cache
def lay_out(name: str, language: str, paper: str, style: str = "") -> Any:
    record, game = read(name)
    kit = pdf._get_kit(paper)
    document = html.write_document(compose_page("match", game, record, language=language), language, paper)
    rendered = kit.lay_out(document, kit.parse_style(style))
    pdf._lower_feet(rendered.pages)
    return rendered


def find(page: Any, of_class: str) -> list[Any]:
    return [
        box
        for box in page._page_box.descendants()
        if box.element is not None and of_class in (box.element.get("class") or "").split()
    ]


def sizes(made: bytes) -> dict[float, str]:
    """The letters of a document by their size in points, rounded to tenths."""
    found: dict[float, str] = {}
    document = pypdfium2.PdfDocument(made)
    for page in document:
        text = page.get_textpage()
        for n in range(text.count_chars()):
            letter = chr(pdfium.FPDFText_GetUnicode(text, n))
            matrix = pdfium.FS_MATRIX()
            pdfium.FPDFText_GetMatrix(text, n, matrix)
            size = round(pdfium.FPDFText_GetFontSize(text, n) * abs(matrix.d or matrix.b), 1)
            if letter.strip():
                found[size] = found.get(size, "") + letter
    document.close()
    return found


@mostly_at_night("name", sorted(path.stem for path in GOLDEN.glob("*.json")), {"coinche-standard", ALONE})
def test_nothing_on_the_smallest_paper_is_hard_to_read(name: str) -> None:
    """No letter under 7.5 points on A5, be it in the table, in the chart or a second word."""
    record, game = read(name)
    found = sizes(print_sheet("match", game, record, language="hr", paper="a5"))
    assert found and not {size: letters for size, letters in found.items() if size < 7.5}


@mostly_at_night("paper", sheets.PAPERS, {"a5"})
@pytest.mark.parametrize("name", ["belote-standard", "klaberjass-3-standard"])
def test_running_totals_stand_on_the_lines_of_the_squares(name: str, paper: str) -> None:
    """Two squares a row, counted from the foot, where one square stays free."""
    page = lay_out(name, "en", paper).pages[0]
    (table,) = [box for box in find(page, "s-totals") if type(box).__name__ == "TableBox"]
    rows = [box for box in table.descendants() if box.element_tag == "tr"][1:]
    foot = table.padding_box_y() + table.padding_height()
    square = table.padding_bottom
    assert len(rows) > 8 and square == pytest.approx(html.PAPERS[paper].totals * 96 / 25.4)
    for n, row in enumerate(reversed(rows)):
        for cell in row.children:
            ruled = cell.border_bottom_width  # half of the target
            lines = [box for box in cell.descendants() if type(box).__name__ == "LineBox"]
            stands = [line.position_y + line.baseline + ruled for line in lines]
            assert stands == pytest.approx([foot - square * (1 + 2 * n)] * len(lines), abs=0.1 * square)


@mostly_at_night("paper", sheets.PAPERS, {"a5"})
@pytest.mark.parametrize("name", ["derda-standard", "deberts-moscow"])
def test_the_foot_is_at_the_foot_of_the_last_page(name: str, paper: str) -> None:
    *others, last = lay_out(name, "uk", paper).pages
    (foot,) = find(last, "sheet-foot")
    box = last._page_box
    assert foot.position_y + foot.margin_height() == pytest.approx(box.content_box_y() + box.height)
    assert not any(find(page, "sheet-foot") for page in others)
    assert find(last, "s-deal")  # the last line stays with it


def test_a_sheet_that_ends_shortly_after_a_page_is_written_closer() -> None:
    """Signatures have no page of their own."""
    record, game = read("belote-standard")
    assert len(lay_out("belote-standard", "en", "letter").pages) == 2
    made = print_sheet("match", game, record, paper="letter")
    with pypdfium2.PdfDocument(made) as document:
        assert len(document) == 1


@pytest.mark.parametrize("name", ["deberts-moscow"])
def test_no_deal_is_torn_across_pages(name: str) -> None:
    """Wherever a page ends: the parts of a count, and what was told after a deal, stand under that deal."""
    for height in range(10, 60, 6):
        style = f".sheet-head {{ padding-bottom: {height}mm }}"
        for before, after in pairwise(lay_out(name, "uk", "a4", style).pages):
            first = next(box for box in after._page_box.descendants() if box.element_tag == "tbody")
            assert first.element.get("class") == "s-deal", height
            assert first.children[0].element.get("class") != "s-parts", height
            assert find(before, "s-deal")


def test_partners_sign_beside_each_other() -> None:
    """The first pair on one side of the seal, the second one on the other."""
    record, game = read("belote-standard")
    page = compose_page("match", game, record)
    assert isinstance(page, MatchPage)
    assert [side.name for side in page.sides] == ["Ewa & Ola", "Jan & Piotr"]
    assert page.players == ("Ewa", "Ola", "Jan", "Piotr")


@pytest.mark.parametrize("name", ["derda-standard", "coinche-standard"])
def test_a_dealer_stands_on_one_line_of_small_paper(name: str) -> None:
    """Names of eight or nine letters are common, and none is broken in the column of dealers."""
    golden = json.loads((GOLDEN / f"{name}.json").read_text())["record"]
    names = ["Вероника", "Александр", "Екатерина", "Владимир"][: len(golden["players"])]
    record, game = records.read_record(golden | {"players": names}, library.open_game)
    document = html.write_document(compose_page("match", game, record, language="ru"), "ru", "a5")
    lines = [
        "".join(text.text for text in line.descendants() if hasattr(text, "text")).strip()
        for page in pdf._get_kit("a5").lay_out(document).pages
        for line in page._page_box.descendants()
        if type(line).__name__ == "LineBox"
    ]
    assert any(line == names[0] for line in lines)
    assert not {name[:cut] for name in names for cut in range(3, len(name))} & set(lines)


def test_names_of_three_partners_are_not_broken() -> None:
    """At the head of their column a line breaks between two names."""
    names = ["Анна", "Святослав", "Володимира", "Вера", "Олександр", "Зоя"]
    entries = [{"type": "hand", "loser": "A"}, {"type": "hand", "loser": "B"}]
    head = {"format": "companion-match", "version": 1, "game": "durak", "players": names, "first_dealer": "A"}
    teams = head | {"conventions": {"format": "teams-6"}, "entries": entries}
    record, game = records.read_record(teams, library.open_game)
    document = html.write_document(compose_page("match", game, record, language="ru"), "ru", "a5")
    (page,) = pdf._get_kit("a5").lay_out(document).pages
    lines = [
        "".join(text.text for text in line.descendants() if hasattr(text, "text")).strip()
        for line in page._page_box.descendants()
        if type(line).__name__ == "LineBox"
    ]
    for name in names:
        assert sum(name in line for line in lines) >= 4  # heading, tally, column, signature
