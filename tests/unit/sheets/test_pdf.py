"""Sheets as PDF: what can be read off them, how they break, and that they fetch nothing."""

import gc
import io
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from derda import RECORD
from printing import compose_page, print_sheet
from tiers import mostly_at_night

from companion import library, sheets
from companion.i18n import LANGUAGES
from companion.sheets import html, pdf
from companion.sheets.model import MatchPage
from companion.sheets.printer import PrintedSheet, SheetOrder, print_order
from tests.unit.sheets.reading import read_pages

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks


def size_of(made: bytes) -> tuple[int, int]:
    """Width and height of the first page, in millimetres."""
    document = pypdfium2.PdfDocument(made)
    try:
        width, height = document[0].get_size()
        return round(width / 72 * 25.4), round(height / 72 * 25.4)
    finally:
        document.close()


def figures(made: bytes) -> list[str]:
    with pikepdf.open(io.BytesIO(made)) as document:
        return [str(each.get("/Alt", "")) for each in tagged(document) if each.get("/S") == "/Figure"]


def tagged(document: pikepdf.Pdf) -> Iterator[Any]:
    todo: list[Any] = [document.Root.StructTreeRoot]
    while todo:
        one = todo.pop()
        if isinstance(one, pikepdf.Dictionary):
            yield one
            kids: Any = one.get("/K", [])
            todo += list(kids) if isinstance(kids, pikepdf.Array) else [kids]


def fonts(made: bytes) -> dict[str, bool]:
    found = {}
    with pikepdf.open(io.BytesIO(made)) as document:
        for each in document.objects:
            if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/FontDescriptor":
                embedded = any(name in each for name in ("/FontFile", "/FontFile2", "/FontFile3"))
                found[str(each.FontName)] = embedded
    return found


def test_the_sheet_can_be_read(five: Any) -> None:
    """Players, place, date, tallies' totals, deals, words, marks, notes and check code are text."""
    record, game = five
    text = read_pages(print_sheet("match", game, record))[0]
    page = compose_page("match", game, record)
    assert isinstance(page, MatchPage)
    code = page.check
    named = ("Ewa – Jan", "Łódź", "20 November 2026, 19:05", "Ewa deals next.", "bajt", "sztajnbajt", code)
    for said in (*named, "231", "267", "minela 14", "Belo <powiedziane> późno; zgoda.", "♥", "♠", "♣"):
        assert said in text, said


@pytest.mark.parametrize(("paper", "size"), [("a4", (210, 297)), ("a5", (148, 210)), ("letter", (216, 279))])
def test_each_paper_has_its_size(five: Any, paper: str, size: tuple[int, int]) -> None:
    record, game = five
    made = print_sheet("match", game, record, paper=paper)
    assert size_of(made) == size and len(read_pages(made)) == 1


@mostly_at_night("paper", sheets.PAPERS, {"a5"})
def test_sixty_deals_break_between_rows_under_a_repeated_header(sixty: Any, paper: str) -> None:
    """Every page with deals begins with the table's head; each deal stands whole on one page."""
    record, game = sixty
    pages = read_pages(print_sheet("match", game, record, paper=paper))
    assert 2 <= len(pages) <= 6
    with_deals = [page for page in pages if "bajt" in page]
    assert len(with_deals) >= 2
    assert all("No. Dealer Plays" in page and "made scored total" in page for page in with_deals)
    assert all(f"{n} / {len(pages)}" in page for n, page in enumerate(pages, 1))
    # The two rows of a deal with words stand together: as many counts as words on every page.
    for page in with_deals:
        assert page.count("minela 14") == len(re.findall(r"65 \+?\d+ \d+ 82 \+?\d+", page))


def test_language_and_title_are_set(five: Any) -> None:
    record, game = five
    with pikepdf.open(io.BytesIO(print_sheet("match", game, record, language="pl"))) as document:
        assert document.Root.Lang == "pl" and document.docinfo["/Title"] == "Derda: Ewa – Jan"
        assert document.Root.MarkInfo.Marked and document.Root.ViewerPreferences.DisplayDocTitle
        assert document.open_metadata()["pdfuaid:part"] == "1"


def test_drawings_have_alternatives(five: Any) -> None:
    record, game = five
    found = figures(print_sheet("match", game, record, address="https://x.example/m/abc"))
    assert len(found) == 5 and all(found)
    assert any(each.startswith("Ewa: 231: ") for each in found) and "https://x.example/m/abc" in found


def test_fonts_are_embedded_and_ours(played: Callable[..., Any]) -> None:
    """Polish, Cyrillic, Czech and the suits are in our own font, which goes with the sheet."""
    record, game = played([], players=["Świętosława Źdźbło", "Юрій Щербаков-Ґудзь"], place="Děčín ♠♥♦♣")
    found = fonts(print_sheet("match", game, record))
    assert found and all(found.values()) and all("Companion" in name for name in found), found


def test_long_names_of_any_script_are_whole(played: Callable[..., Any]) -> None:
    long = ["W" * 40, "Ж" * 40]
    record, game = played([], players=long)
    for paper in sheets.PAPERS:
        text = read_pages(print_sheet("match", game, record, paper=paper))[0].replace(" ", "")
        assert all(name in text for name in long)


@pytest.mark.nightly
def test_twice_printed_is_the_same(five: Any) -> None:
    record, game = five
    document = html.write_document(compose_page("match", game, record), "en")
    one = pdf.render_pdf(document)
    program = (
        "import sys; from companion.sheets.pdf import render_pdf; "
        "sys.stdout.buffer.write(render_pdf(sys.stdin.read()))"
    )
    other = subprocess.run(
        [sys.executable, "-c", program], input=document.encode(), capture_output=True, check=True
    )
    assert one == pdf.render_pdf(document) == other.stdout


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:9/x.png", "file:///etc/hostname", "data:image/svg+xml,<svg/>", "companion-font:../x"],
)
def test_nothing_is_fetched(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.create_connection", lambda *_, **__: pytest.fail("went out"))
    with pytest.raises(ValueError, match="fetches nothing"):
        pdf._make_fetcher().fetch(address)
    made = pdf.render_pdf(f'<html lang="en"><title>x</title><img alt="a" src="{address}"><p>here</p></html>')
    assert read_pages(made)[0].startswith("here") or "here" in read_pages(made)[0]


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system lacks a library, a sentence says which one and how to get it."""

    class Lacking:
        def find_spec(self, name: str, *rest: Any) -> None:
            if name == "weasyprint":
                raise OSError(
                    "cannot load library 'libpango-1.0-0': libpango-1.0-0: cannot open shared object file"
                )

    for name in [name for name in sys.modules if name.partition(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Lacking(), *sys.meta_path])
    pdf._get_kit.cache_clear()
    with pytest.raises(sheets.CannotPrint, match=r"lacks libpango-1\.0-0.*apt-get install libpango"):
        pdf.render_pdf("<p>x</p>")


@pytest.mark.parametrize("fails", [False, True])
def test_no_garbage_is_looked_for_while_printing(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long sheet takes a quarter less of the processor; afterwards it is as before, also after an error."""
    seen = []

    class Watched:
        pages: tuple[Any, ...] = ()

        def lay_out(self, document: str) -> Any:
            seen.append(gc.isenabled())
            if fails:
                raise ValueError(document)
            return self

        def write_pdf(self, **_options: Any) -> bytes:
            seen.append(gc.isenabled())
            return b"%PDF"

    monkeypatch.setattr(pdf, "_get_kit", lambda _paper: Watched())
    with pytest.raises(ValueError, match="x") if fails else nullcontext():
        pdf.render_pdf("x")
    assert seen and not any(seen) and gc.isenabled()


@pytest.mark.nightly
def test_a_long_sheet_in_sections_has_the_same_pages(sixty: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages break and are numbered as in one piece, but for their count; its tags hold together."""
    record, game = sixty
    whole = read_pages(print_sheet("match", game, record))
    monkeypatch.setattr(pdf, "_LONG", 20)
    monkeypatch.setattr(pdf, "_SECTION", 35)
    made = print_sheet("match", game, record)
    pages = read_pages(made)
    assert len(pages) == len(whole) >= 3
    for n, (page, one) in enumerate(zip(pages, whole, strict=True), 1):
        assert page.split() == one.replace(f"{n} / {len(whole)}", str(n)).split()
    with pikepdf.open(io.BytesIO(made)) as document:
        assert not document.check_pdf_syntax()
        assert document.Root.Lang == "en" and document.docinfo["/Title"] == "Derda: Ewa – Jan"
        places = list(document.Root.StructTreeRoot.ParentTree.Nums)
        assert [int(page.obj.StructParents) for page in document.pages] == places[::2]
        cells = [each for each in tagged(document) if "/ID" in each]
        assert len({str(each.ID) for each in cells}) == len(cells)
        known = {page.objgen for page in document.pages}
        assert all(each.Pg.objgen in known for each in tagged(document) if "/Pg" in each)


@pytest.mark.nightly
def test_five_thousand_entries_need_little_memory(tmp_path: Path) -> None:
    """By the command line, in a process of its own: under 300 MB.

    Read from the kernel: `getrusage` also counts the process that started this one, which is larger at night.
    """
    entries = [{"type": "hand", "loser": "ABC"[n % 3]} for n in range(5000)]
    record = RECORD | {"game": "durak", "players": ["Ewa", "Jan", "Ola"], "entries": entries}
    (tmp_path / "long.json").write_text(json.dumps(record))
    program = (
        "import sys; from pathlib import Path; from companion.cli import main; status = main(sys.argv[1:]); "
        "print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]); sys.exit(status)"
    )
    command = ["sheet", str(tmp_path / "long.json"), "-o", str(tmp_path / "long.pdf")]
    done = subprocess.run(
        [sys.executable, "-c", program, *command], capture_output=True, check=True, text=True
    )
    assert int(done.stdout.split()[-1]) < 300 * 1024
    with pikepdf.open(tmp_path / "long.pdf") as document:
        assert len(document.pages) > 50 and not document.check_pdf_syntax()


# --- the printer of the web ------------------------------------------------------------------


def test_what_a_worker_prints_is_what_is_printed_directly(five: Any) -> None:
    """From an order that was sent to another process; with the title, for the name of a file."""
    record, game = five
    order = SheetOrder("match", game, record, language="pl", paper="a5")
    arguments = pickle.loads(pickle.dumps(order.to_arguments()))
    printed = PrintedSheet.read(print_order(*arguments))
    assert printed.title == "Derda: Ewa – Jan"
    assert printed.pdf == print_sheet("match", game, record, language="pl", paper="a5")


def test_the_key_is_of_all_that_shows(five: Any, won: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another record, language, paper, address, note, style or edition has another key."""
    orders = [
        SheetOrder("match", game, record, language=language, paper=paper)
        for record, game in (five, won)
        for language in LANGUAGES
        for paper in sheets.PAPERS
    ]
    _record, game = five
    plain = orders[0]
    orders += [
        SheetOrder("blank", game),
        SheetOrder("rules", game),
        replace(plain, address="https://x.example/m/abc"),
        replace(plain, writing="table"),
        replace(plain, corrections=[sheets.Correction(1)]),
        replace(plain, rulings=[sheets.RulingNote(1, "No.")]),
        replace(plain, game=library.open_game(game.book.game, conventions={"target": 300})),
    ]
    keys = [order.compute_key("edition") for order in orders]
    assert len(set(keys)) == len(orders)
    assert keys == [order.compute_key("edition") for order in orders]
    assert plain.compute_key("another") not in keys
    pdf.compute_edition.cache_clear()
    monkeypatch.setattr(pdf, "_read_style", lambda: "p { color: red }")
    assert plain.compute_key("edition") not in keys
    pdf.compute_edition.cache_clear()


def test_warming_up_loads_what_every_paper_needs() -> None:
    pdf._get_kit.cache_clear()
    pdf.warm_up()
    made = pdf._get_kit.cache_info().misses
    assert made == len(sheets.PAPERS)
    for paper in sheets.PAPERS:
        pdf.render_pdf('<html lang="en"><title>x</title><p>x</p></html>', paper)
    assert pdf._get_kit.cache_info().misses == made
