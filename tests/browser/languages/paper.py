"""A printed sheet read back: what it says, in which pieces, in which letters."""

import io
import re
from functools import cache
from pathlib import Path

import pikepdf
import pypdfium2
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parents[3] / "static" / "fonts"
OURS = re.compile(r"/?[A-Z]{6}\+Companion")


class Paper:
    """A PDF: its `runs` of text in one line and type, and all of its text as it is read."""

    def __init__(self, made: bytes) -> None:
        self.runs: list[str] = []
        self.text = ""
        self._made = made
        with pypdfium2.PdfDocument(made) as document:
            for page in document:
                text = page.get_textpage()
                self.runs += [text.get_text_bounded(*text.get_rect(n)) for n in range(text.count_rects())]
                self.text += _join(text.get_text_range()) + "\n"

    def says(self, words: str) -> bool:
        """Whether the words are there, however they were broken into lines."""
        return _bare(words) in _bare(self.text)

    def find_undrawn(self) -> set[str]:
        """Letters that the sheets' fonts have no drawing of: on paper they are boxes."""
        return {item for item in self.text if not item.isspace() and ord(item) not in _drawn()}

    def find_foreign_fonts(self) -> set[str]:
        """Fonts that are not the sheets' own: where those lack a letter another one is taken."""
        with pikepdf.open(io.BytesIO(self._made)) as document:
            named = {
                str(item.FontName)
                for item in document.objects
                if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/FontDescriptor"
            }
        return {name for name in named if not OURS.match(name)}


def _join(text: str) -> str:
    """Lines put together, words that were broken at their end among them."""
    return " ".join(re.sub(r"[\ufffe\x02\xad]\s*", "", text).split())


def _bare(text: str) -> str:
    return re.sub(r"[\s\ufffe\x02\xad-]+", "", text)


@cache
def _drawn() -> set[int]:
    return set.intersection(*(set(TTFont(font).getBestCmap()) for font in FONTS.glob("companion-*.woff2")))
