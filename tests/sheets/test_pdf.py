"""Sheets as PDF: what can be read off them, how they break, and that they fetch nothing."""

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest

from companion import sheets
from companion.sheets import html, pdf
from companion.sheets.model import MatchPage
from companion.sheets.printer import Printer, PrintInterrupted, compute_key


def text_of(made: bytes) -> list[str]:
    """The text of every page, on one line."""
    document = pypdfium2.PdfDocument(made)
    try:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]
    finally:
        document.close()


def size_of(made: bytes) -> tuple[int, int]:
    """Width and height of the first page, in millimetres."""
    document = pypdfium2.PdfDocument(made)
    try:
        width, height = document[0].get_size()
        return round(width / 72 * 25.4), round(height / 72 * 25.4)
    finally:
        document.close()


def figures(made: bytes) -> list[str]:
    """The text alternative of every figure."""
    with pikepdf.open(io.BytesIO(made)) as document:
        return [str(one.get("/Alt", "")) for one in tagged(document) if one.get("/S") == "/Figure"]


def tagged(document: pikepdf.Pdf) -> Iterator[Any]:
    """Every element of the document's structure."""
    todo: list[Any] = [document.Root.StructTreeRoot]
    while todo:
        one = todo.pop()
        if isinstance(one, pikepdf.Dictionary):
            yield one
            kids: Any = one.get("/K", [])
            todo += list(kids) if isinstance(kids, pikepdf.Array) else [kids]


def fonts(made: bytes) -> dict[str, bool]:
    """Every font by name, and whether it is embedded."""
    found = {}
    with pikepdf.open(io.BytesIO(made)) as document:
        for one in document.objects:
            if isinstance(one, pikepdf.Dictionary) and one.get("/Type") == "/FontDescriptor":
                embedded = any(name in one for name in ("/FontFile", "/FontFile2", "/FontFile3"))
                found[str(one.FontName)] = embedded
    return found


def test_the_sheet_can_be_read(five: Any) -> None:
    """Players, place, date, tallies' totals, deals, words, marks, notes and check code are text."""
    record, game = five
    text = text_of(sheets.print_sheet("match", game, record))[0]
    page = sheets.compose_page("match", game, record)
    assert isinstance(page, MatchPage)
    code = page.check
    named = ("Ewa – Jan", "Łódź", "20 November 2026, 19:05", "Ewa deals next.", "bajt", "sztajnbajt", code)
    for said in (*named, "231", "267", "minela 14", "Belo <powiedziane> późno; zgoda.", "♥", "♠", "♣"):
        assert said in text, said


@pytest.mark.parametrize(("paper", "size"), [("a4", (210, 297)), ("a5", (148, 210)), ("letter", (216, 279))])
def test_each_paper_has_its_size(five: Any, paper: str, size: tuple[int, int]) -> None:
    """A match of five deals fits one page of each paper."""
    record, game = five
    made = sheets.print_sheet("match", game, record, paper=paper)
    assert size_of(made) == size and len(text_of(made)) == 1


@pytest.mark.parametrize("paper", ["a4", "a5", "letter"])
def test_sixty_deals_break_between_rows_under_a_repeated_header(sixty: Any, paper: str) -> None:
    """Every page with deals begins with the table's head; each deal stands whole on one page."""
    record, game = sixty
    pages = text_of(sheets.print_sheet("match", game, record, paper=paper))
    assert 2 <= len(pages) <= 6
    with_deals = [page for page in pages if "bajt" in page]
    assert len(with_deals) >= 2
    assert all("No. Dealer Plays" in page and "made scored total" in page for page in with_deals)
    assert all(f"{n} / {len(pages)}" in page for n, page in enumerate(pages, 1))
    # The two rows of a deal with words stand together: as many counts as words on every page.
    for page in with_deals:
        assert page.count("minela 14") == len(re.findall(r"65 \+?\d+ \d+ 82 \+?\d+", page))


def test_language_and_title_are_set(five: Any) -> None:
    """The PDF is tagged, says it is accessible, and shows its title."""
    record, game = five
    with pikepdf.open(io.BytesIO(sheets.print_sheet("match", game, record, language="pl"))) as document:
        assert document.Root.Lang == "pl" and document.docinfo["/Title"] == "Derda: Ewa – Jan"
        assert document.Root.MarkInfo.Marked and document.Root.ViewerPreferences.DisplayDocTitle
        assert document.open_metadata()["pdfuaid:part"] == "1"


def test_drawings_have_alternatives(five: Any) -> None:
    """Both tallies, the chart and the square code say in words what they show."""
    record, game = five
    found = figures(sheets.print_sheet("match", game, record, address="https://x.example/m/abc"))
    assert len(found) == 4 and all(found)
    assert any(one.startswith("Ewa: 231: ") for one in found) and "https://x.example/m/abc" in found


def test_fonts_are_embedded_and_ours(played: Callable[..., Any]) -> None:
    """Polish, Cyrillic, Czech and the suits are in our own font, which goes with the sheet."""
    record, game = played([], players=["Świętosława Źdźbło", "Юрій Щербаков-Ґудзь"], place="Děčín ♠♥♦♣")
    found = fonts(sheets.print_sheet("match", game, record))
    assert found and all(found.values()) and all("Companion" in name for name in found), found


def test_long_names_of_any_script_are_whole(played: Callable[..., Any]) -> None:
    """Forty characters without a space break, none is lost."""
    long = ["W" * 40, "Ж" * 40]
    record, game = played([], players=long)
    for paper in sheets.PAPERS:
        text = text_of(sheets.print_sheet("match", game, record, paper=paper))[0].replace(" ", "")
        assert all(name in text for name in long)


def test_twice_printed_is_the_same(five: Any) -> None:
    """The same record gives the same bytes, in another process too."""
    record, game = five
    document = html.write_document(sheets.compose_page("match", game, record), "en")
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
    """Whatever a document may name, only our own font is handed out."""
    monkeypatch.setattr("socket.create_connection", lambda *_, **__: pytest.fail("went out"))
    with pytest.raises(ValueError, match="fetches nothing"):
        pdf._make_fetcher().fetch(address)
    made = pdf.render_pdf(f'<html lang="en"><title>x</title><img alt="a" src="{address}"><p>here</p></html>')
    assert text_of(made)[0].startswith("here") or "here" in text_of(made)[0]


def test_our_font_is_handed_out() -> None:
    """Both weights are there to be embedded."""
    for weight in ("regular", "bold"):
        assert pdf._make_fetcher().fetch(f"companion-font:{weight}").read()[:4] == b"wOF2"


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


def test_a_blank_sheet_is_one_page_of_each_paper(five: Any) -> None:
    """The empty page has places for names, date and place, and the order of counting in the game's words."""
    for paper in sheets.PAPERS:
        pages = text_of(sheets.print_sheet("blank", five[1], paper=paper))
        assert len(pages) == 1
        for said in ("Derda", "Name", "Date", "Place", "50 · derda · belo · trump jack", "No. Dealer Plays"):
            assert said in pages[0], said


# --- the printer of the web ------------------------------------------------------------------


@pytest.fixture
def printer(tmp_path: Path) -> Iterator[Printer]:
    made = Printer(tmp_path / "sheets")
    yield made
    made.close()


def test_the_printer_prints_in_a_process_of_its_own_once(
    printer: Printer, five: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time the sheet comes off the shelf, and it is the one printed directly."""
    record, game = five
    document = html.write_document(sheets.compose_page("match", game, record), "en", "a5")
    first = printer.print(document, "a5")
    monkeypatch.setattr(printer, "_print_afresh", lambda *_: pytest.fail("printed again"))
    assert printer.print(document, "a5") == first
    assert first.pdf == pdf.render_pdf(document, "a5") and first.key == compute_key(document, "a5")


def test_the_key_is_of_all_that_shows(five: Any, won: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another record, language, paper or style has another key."""
    documents = [
        html.write_document(sheets.compose_page("match", g, r, language=lang), lang)
        for r, g in (five, won)
        for lang in ("en", "pl")
    ]
    keys = {compute_key(document, paper) for document in documents for paper in sheets.PAPERS}
    assert len(keys) == 12
    before = compute_key(documents[0], "a4")
    pdf.compute_edition.cache_clear()
    monkeypatch.setattr(pdf, "_read_style", lambda: "p { color: red }")
    assert compute_key(documents[0], "a4") != before
    pdf.compute_edition.cache_clear()


def test_a_lost_process_is_replaced(printer: Printer) -> None:
    """A printing process that was killed costs a moment, not the sheet."""
    page = '<html lang="en"><title>x</title><p>{}</p></html>'
    printer.print(page.format(1), "a4")
    assert printer._pool is not None
    for process in list((printer._pool._processes or {}).values()):
        process.kill()
        process.join()
    assert printer.print(page.format(2), "a4").pdf.startswith(b"%PDF")


def test_so_many_wait_for_a_sheet_and_no_more(printer: Printer) -> None:
    """Of six at once the last is told so at once; the others get their sheets when their turn comes."""
    page = '<html lang="en"><title>x</title><p>{}</p></html>'
    printer.print(page.format("first"), "a4")
    assert printer._pool is not None
    [process] = (printer._pool._processes or {}).values()
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    printed: list[bytes] = []
    waiting = [
        threading.Thread(target=lambda at=at: printed.append(printer.print(page.format(at), "a4").pdf))
        for at in range(5)
    ]
    try:
        for one in waiting:
            one.start()
        while printer._queue.acquire(blocking=False):  # until all of them wait
            printer._queue.release()
            time.sleep(0.01)
        with pytest.raises(TimeoutError):
            printer.print(page.format("last"), "a4")
    finally:
        os.kill(process.pid, signal.SIGCONT)
        for one in waiting:
            one.join()
    assert [pdf[:4] for pdf in printed] == [b"%PDF"] * 5
    assert printer.print(page.format("last"), "a4").pdf.startswith(b"%PDF")


def test_warming_up_loads_what_every_paper_needs() -> None:
    """Afterwards a sheet finds styles and fonts made for each paper."""
    pdf._get_kit.cache_clear()
    pdf.warm_up()
    made = pdf._get_kit.cache_info().misses
    assert made == len(sheets.PAPERS)
    for paper in sheets.PAPERS:
        pdf.render_pdf('<html lang="en"><title>x</title><p>x</p></html>', paper)
    assert pdf._get_kit.cache_info().misses == made


def test_the_printer_gets_ready_once(printer: Printer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first call starts the process, which then prints; the second finds it and does nothing."""
    printer.warm_up()
    pool = printer._pool
    assert pool is not None
    monkeypatch.setattr(pool, "submit", lambda *_: pytest.fail("warmed up again"))
    printer.warm_up()
    monkeypatch.undo()
    assert printer.print('<html lang="en"><title>x</title><p>x</p></html>', "a4").pdf.startswith(b"%PDF")
    assert printer._pool is pool


def test_no_process_to_be_had_is_no_error_before_printing(
    printer: Printer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Warming up that fails leaves the printer as it was; printing says what is wrong."""

    def fail(*_: Any, **__: Any) -> None:
        raise BlockingIOError("no process")

    monkeypatch.setattr("companion.sheets.printer.ProcessPoolExecutor.submit", fail)
    printer.warm_up()
    assert printer._pool is None
    with pytest.raises(PrintInterrupted):
        printer.print("<p>x</p>", "a4")


def test_the_shelf_keeps_what_is_asked_for(printer: Printer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old sheets make room; a shelf that cannot be written on is no error."""
    monkeypatch.setattr("companion.sheets.printer._KEEP", 2)
    monkeypatch.setattr(printer, "_print_afresh", lambda document, paper: document.encode())
    for name in "abc":
        printer.print(name, "a4")
    assert len(list(printer._shelf.glob("*"))) == 2
    monkeypatch.setattr(printer, "_shelf", Path("/proc/nowhere"))
    assert printer.print("d", "a4").pdf == b"d"
