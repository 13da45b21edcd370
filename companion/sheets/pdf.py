"""A printer of documents as PDF.

The only module that imports WeasyPrint, and only when something is printed.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from re import compile
from typing import Any

from companion.rules.errors import Explained
from companion.rules.message import Message

from . import paper as papers
from .html import PAPERS, find_folder
from .joining import JoinedPdf

_FONT = "companion-font:"
_FONTS = {"regular": 400, "bold": 700}
_LIBRARIES = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"

_CARD = compile(r'data-card="([\d.]+)"')
"""The approximate type size that a table card asks for, in points."""
_CARD_WORDS = compile(r'(?s)<section class="s-card-words">.*?</section>')
"""The words at the foot of a card, which are left out if they would make its letters too small."""
_LONG, _SECTION = 1000, 500
"""The lines from which on a sheet is printed in sections, and those that are laid out at once."""
_ROW = '<tbody class="s-deal'
_FRAME = '<div class="s-deals-frame"'
_TRIAL = """<!doctype html><html lang="en"><title>x</title><article class="sheet" aria-label="x">
<svg viewBox="0 0 9 9" role="img"><title>x</title><path stroke="#000" d="M0 0C0 0 9 9 9 9"/></svg>
<table><tr><td>x <b>x</b></td></tr></table></article></html>"""
"""A document with a little of everything that a sheet has."""


class CannotPrint(Explained):
    """An error for a machine that lacks something to print; the message names it and a way to get it.

    It is passed on from the process that prints.
    """


def render_pdf(document: str, paper: str = "a4") -> bytes:
    """Print a document as PDF: tagged, its fonts embedded, the same bytes every time.

    :raises CannotPrint: if a library of the system is missing.
    :raises KeyError: if there is no such paper.
    """
    kit = _get_kit(paper)
    fitted = _fit_card(kit, document, paper)
    with _pause_collector():
        if fitted.count(_ROW) > _LONG and fitted.count("<article") == 1:
            return _print_in_sections(kit, fitted)
        rendered = kit.lay_out(fitted)
        if len(rendered.pages) == 2 and _count_lines(rendered.pages[1]) <= papers.FEW:
            closer = kit.lay_out(fitted.replace('<article class="sheet', '<article class="sheet s-closer'))
            rendered = closer if len(closer.pages) == 1 else rendered
        _lower_feet(rendered.pages)
        return bytes(rendered.write_pdf(pdf_variant="pdf/ua-1", pdf_identifier=None))


def _lower_feet(pages: Sequence[Any]) -> None:
    """Lower the foot of a sheet, with its signatures, to the foot of the page that it is on."""
    for page in pages:
        box = page._page_box
        for foot in box.descendants():
            if foot.element_tag == "footer":
                room = box.content_box_y() + box.height - foot.position_y - foot.margin_height()
                foot.translate(dy=max(room, 0))
                break


def _print_in_sections(kit: "_Kit", document: str) -> bytes:
    """Print a sheet with thousands of lines: as one document it would take a gigabyte of memory.

    A section is laid out, its full pages are printed, and the next one begins with the line after them. Pages
    have numbers without their total, which is known only at the end.
    """
    before, *rows = document.split(_ROW)
    last, _end, after = rows.pop().partition("</table>")
    rows.append(last)
    again = before[: before.index(">", before.index("<article")) + 1] + before[before.index(_FRAME) :]
    joined, start = JoinedPdf(), 0
    gc.freeze()
    while start < len(rows):
        end = min(start + _SECTION, len(rows))
        body = "".join(_ROW + row for row in rows[start:end])
        closed = f"</table>{after}" if end == len(rows) else "</table></div></article></body></html>"
        rendered = kit.lay_out_section((again if start else before) + body + closed, joined.pages)
        pages = rendered.pages
        if end < len(rows):
            pages = pages[:-1]
            end = start + sum(map(_count_lines, pages))
        start = end
        _lower_feet(pages)
        rendered.copy(pages).write_pdf(BytesIO(), finisher=joined.add, pdf_variant="pdf/ua-1")
        del rendered, pages
        gc.collect()
        gc.freeze()  # the next collection need not look through what stays
    return joined.write()


def _count_lines(page: Any) -> int:
    """Count the table's lines on a page, none of which goes on to the next page.

    An `id` of each line would do it too, but then no two lines share their computed styles, and it takes
    twice the time.
    """
    return sum(
        box.element_tag == "tbody" and box.element.get("class", "").startswith("s-deal")
        for box in page._page_box.descendants()
    )


@contextmanager
def _pause_collector() -> Iterator[None]:
    """Pause garbage collection.

    All boxes of a document stay until its end, and of a long one there are so many that looking through them
    again and again takes a quarter of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()


def warm_up() -> None:
    """Load everything needed once, so that the first sheet takes no longer than any other.

    :raises CannotPrint: if a library of the system is missing.
    """
    for paper in PAPERS:
        _get_kit(paper)
    render_pdf(_TRIAL)


def _fit_card(kit: "_Kit", document: str, paper: str) -> str:
    """Letter a table card as large as its paper has room for; return any other document unchanged."""
    lettering = _CARD.search(document)
    if lettering is None:
        return document
    bare = _CARD_WORDS.sub("", document)
    for sides in range(1, papers.CARD_SIDES[paper] + 1):
        is_last = sides == papers.CARD_SIDES[paper]
        fitting = _fit_on(kit, document, sides, papers.CARD_LEAST) if bare != document else ""
        fitting = fitting or _fit_on(kit, bare, sides, 0 if is_last else papers.CARD_LEAST)
        if fitting:
            return fitting
    return _letter(bare, float(lettering[1]))


def _letter(card: str, points: float) -> str:
    """Letter a card in this type size."""
    return _CARD.sub(f'style="--card: {points}pt"', card)


def _fit_on(kit: "_Kit", document: str, sides: int, least: float) -> str:
    """Letter a card as large as these sides have room for; empty if smaller than `least` points."""
    lettering = _CARD.search(document)
    assert lettering is not None
    usual, fitting = float(lettering[1]) * sides**0.5, ""
    low, high = round(max(usual * 8, least * 10)), round(min(papers.CARD_MAX, usual * 1.5) * 10)
    middle = low  # most that do not fit do not even so
    while low <= high:  # tenths of a point
        lettered = _letter(document, middle / 10)
        if kit.count_pages(lettered) > sides:
            if not fitting:
                return ""
            high = middle - 1
        else:
            low, fitting = middle + 1, lettered
        middle = (low + high + 1) // 2
    return fitting


@lru_cache
def compute_edition() -> str:
    """Compute a digest of everything that a print depends on beside its document: style, fonts, printer."""
    from importlib.metadata import version

    settings = repr((papers.FEW, papers.CARD_SIDES, papers.CARD_LEAST, papers.CARD_MAX))
    parts = [version("weasyprint"), settings, _read_style(), *map(papers.write_style, PAPERS)]
    files = [file.read_bytes() for file in _find_font_files().values()]
    return sha256(b"\0".join([*map(str.encode, parts), *files])).hexdigest()


def _read_style() -> str:
    """Read the style sheets of sheets, the first of which the browser gets too."""
    folder = find_folder("static") / "sheets"
    return "".join((folder / f"{name}.css").read_text(encoding="utf-8") for name in ("sheet", "booklet"))


def _find_font_files() -> dict[str, Path]:
    """Find our own font, by weight; empty if it was left out, then the system's is used."""
    home = find_folder("static") / "fonts"
    files = {weight: home / f"companion-{weight}.woff2" for weight in _FONTS}
    return {weight: file for weight, file in files.items() if file.is_file()}


class _Kit:
    """The parts that all sheets share: parsed styles, fonts, the fetcher of them."""

    def __init__(self, paper: str) -> None:
        self.weasyprint: Any = _import_weasyprint()
        self.fetcher, self.fonts = _make_fetcher(), _load_fonts()
        # In one piece: WeasyPrint looks every element up in every style sheet.
        self.style = self.parse_style(_read_style() + papers.write_style(paper))

    def parse_style(self, text: str) -> Any:
        """Parse a style sheet."""
        return self.weasyprint.CSS(
            string=text, url_fetcher=self.fetcher, font_config=self.fonts, media_type="print"
        )

    def parse_document(self, document: str) -> Any:
        """Parse a document that is about to be laid out for print."""
        return self.weasyprint.HTML(string=document, url_fetcher=self.fetcher, media_type="print")

    def lay_out_section(self, document: str, pages: int) -> Any:
        """Lay out a section that comes after these pages."""
        later = (
            f"@bottom-left {{ content: string(running) }} counter-reset: page {pages + 1}" if pages else ""
        )
        numbers = f"@page {{ @bottom-right {{ content: counter(page) }} }} @page :first {{ {later} }}"
        return self.lay_out(document, self.parse_style(numbers))

    def lay_out(self, document: str, *more: Any) -> Any:
        """Lay out a document, with `more` style sheets if it needs some."""
        return self.parse_document(document).render(
            stylesheets=[self.style, *more], font_config=self.fonts, pdf_variant="pdf/ua-1"
        )

    def count_pages(self, document: str) -> int:
        """Count the pages of a document."""
        return len(self.lay_out(document).pages)


@lru_cache(maxsize=len(PAPERS))
def _get_kit(paper: str) -> _Kit:
    """Get the kit for a size of paper, built once a process."""
    return _Kit(paper)


@lru_cache
def _load_fonts() -> Any:
    """Load WeasyPrint's list of fonts, with ours on it; the same for every paper."""
    from weasyprint.text.fonts import FontConfiguration

    fonts = FontConfiguration()
    faces = "".join(
        f"@font-face {{ font-family: Companion; font-weight: {number}; src: url({_FONT}{weight}) }}\n"
        for weight, number in _FONTS.items()
        if weight in _find_font_files()
    )
    _import_weasyprint().CSS(string=faces, url_fetcher=_make_fetcher(), font_config=fonts)
    return fonts


def _import_weasyprint() -> Any:
    """Import WeasyPrint when it is first needed.

    :raises CannotPrint: if a library of the system is missing.
    """
    try:
        import weasyprint
    except OSError as error:
        # The message is: cannot load library 'libpango-1.0-0': …
        library = str(error).partition("'")[2].partition("'")[0] or "a library"
        raise CannotPrint(
            Message(
                "Sheets cannot be printed here: the system lacks {library}. On Debian or Ubuntu, "
                "install it with: apt-get install {packages}. On macOS: brew install pango.",
                library=library,
                packages=_LIBRARIES,
            )
        ) from error
    return weasyprint


def _make_fetcher() -> Any:
    """Build a fetcher that gives out our own font, and refuses every other address of a document."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class OwnFontOnly(URLFetcher):  # type: ignore[misc]  # it brings no types
        def fetch(self, url: str, headers: Any = None) -> Any:
            file = _find_font_files().get(url.removeprefix(_FONT)) if url.startswith(_FONT) else None
            if file is None:
                raise ValueError(f"a sheet fetches nothing: {url[:80]}")
            return URLFetcherResponse(url, file.read_bytes(), {"Content-Type": "font/woff2"})

    return OwnFontOnly()
