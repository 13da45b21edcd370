"""Prints a document as PDF. The only place that knows WeasyPrint, and only once something is printed."""

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from companion.rules.message import Message

from .html import PAPERS, TYPE, folder

_FONT = "companion-font:"
_FONTS = {"regular": 400, "bold": 700}
_LIBRARIES = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"

_PAPER = {
    "a4": "@page { size: A4; margin: 12mm 15mm 14mm } html { font-size: 10pt }",
    "a5": (
        "@page { size: A5; margin: 9mm 10mm 11mm } html { font-size: 7.5pt } "
        ".sheet { --square: 3.6mm } .s-pad, .s-many .s-pad { --square: 2.5mm }"
    ),
    "letter": "@page { size: Letter; margin: 11mm 16mm 14mm } html { font-size: 10pt }",
}
_RUNNING = f"""
html {{ font-family: {TYPE} }}
.sheet {{ string-set: running attr(aria-label) }}
@page {{
  @bottom-left {{ content: string(running); font: 0.8rem {TYPE}; color: #444; width: 85% }}
  @bottom-right {{ content: counter(page) " / " counter(pages); font: 0.8rem {TYPE}; color: #444 }}
}}
@page :first {{ @bottom-left {{ content: "" }} }}
"""


class CannotPrint(Exception):
    """The machine lacks something that printing needs; `reason` says what, and how to get it."""

    @property
    def reason(self) -> Message:
        """The sentence to tell; it comes through from the process that prints."""
        return self.args[0]  # type: ignore[no-any-return]  # args hold anything


def render(document: str, paper: str = "a4") -> bytes:
    """The PDF of a document: tagged, its fonts embedded, the same bytes every time.

    :raises CannotPrint: where a library of the system is missing.
    :raises KeyError: when there is no such paper.
    """
    kit = _kit(paper)
    html = kit.weasyprint.HTML(string=document, url_fetcher=kit.fetcher, media_type="print")
    made = html.write_pdf(
        stylesheets=kit.styles, font_config=kit.fonts, pdf_variant="pdf/ua-1", pdf_identifier=None
    )
    return bytes(made)


@lru_cache
def edition() -> str:
    """What a printed sheet depends on beside its document: style, fonts, and the printer itself."""
    from importlib.metadata import version

    parts = [version("weasyprint").encode(), _RUNNING.encode(), repr(_PAPER).encode(), _style().encode()]
    parts += [file.read_bytes() for file in _font_files().values()]
    return sha256(b"\0".join(parts)).hexdigest()


def _style() -> str:
    return (folder("static") / "css" / "sheet.css").read_text(encoding="utf-8")


def _font_files() -> dict[str, Path]:
    """Our own font, by weight; nothing where it was left out, then the system's is taken."""
    home = folder("static") / "fonts"
    files = {weight: home / f"companion-{weight}.woff2" for weight in _FONTS}
    return {weight: file for weight, file in files.items() if file.is_file()}


class _Kit:
    """What stays the same from one sheet to the next: parsed styles, fonts, the way to fetch them."""

    def __init__(self, paper: str) -> None:
        self.weasyprint: Any = _weasyprint()
        from weasyprint.text.fonts import FontConfiguration

        self.fetcher = _fetcher()
        self.fonts = FontConfiguration()
        faces = "".join(
            f"@font-face {{ font-family: Companion; font-weight: {number}; src: url({_FONT}{weight}) }}\n"
            for weight, number in _FONTS.items()
            if weight in _font_files()
        )
        self.styles = [
            self.weasyprint.CSS(
                string=text, url_fetcher=self.fetcher, font_config=self.fonts, media_type="print"
            )
            for text in (faces + _RUNNING, _style(), _PAPER[paper])
        ]


@lru_cache(maxsize=len(PAPERS))
def _kit(paper: str) -> _Kit:
    return _Kit(paper)


def _weasyprint() -> Any:
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


def _fetcher() -> Any:
    """Gives out our own font; refuses every other address, whatever a document may name."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class OwnFontOnly(URLFetcher):  # type: ignore[misc]  # it brings no types
        def fetch(self, url: str, headers: Any = None) -> Any:
            file = _font_files().get(url.removeprefix(_FONT)) if url.startswith(_FONT) else None
            if file is None:
                raise ValueError(f"a sheet fetches nothing: {url[:80]}")
            return URLFetcherResponse(url, file.read_bytes(), {"Content-Type": "font/woff2"})

    return OwnFontOnly()
