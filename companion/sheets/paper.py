"""The papers that sheets are printed on, and the style that goes with each, for WeasyPrint and browsers."""

from re import sub

from .html import PAPERS, TYPE, Page, choose_card_size
from .model import CardPage

_SIZES = {"a4": (210, 297), "a5": (148, 210), "letter": (215.9, 279.4)}
"""Width and height of papers, in millimetres."""
_MARGINS = {"a4": (12, 15, 14), "a5": (9, 10, 11), "letter": (11, 16, 14)}
_CARD_MARGINS = (8, 9, 9)
"""The margins above, at both sides and below, in millimetres."""
_LETTERING = {
    "a4": "html { font-size: 10pt }",
    "a5": (
        "html { font-size: 7.5pt } "
        ".sheet { --square: 3.6mm; --note: 1rem; --fine: 1rem; --raised: 1em; --aside: 1em } "
        ".s-totals, .s-many .s-totals { --square: 2.5mm } "
        ".s-c-dealer, .s-c-plays { width: 14% } "
        ".sides-4 .s-deals :is(.s-n, .s-words) { padding-inline: 0.15rem } "
        ".s-of-4 .s-signature { margin-right: 0.6rem !important }"
    ),
    "letter": "html { font-size: 10pt }",
}
CARD_SIDES = {"a4": 1, "letter": 1, "a5": 2}
"""Sides of paper that a card may take."""
CARD_LEAST, CARD_MAX = 6.8, 12.0
"""Points: smaller letters would rather have another side, larger ones are not needed."""
FEW = 3
"""The lines for which a second page is not worth it."""


def write_style(paper: str, running: str = "string(running)") -> str:
    """Write the style of a paper; `running` is what stands at the foot of each page but the first.

    :raises KeyError: if there is no such paper.
    """
    (width, height), font = _SIZES[paper], f"font: 7.5pt {TYPE}; color: #444"
    return f"""
@page {{
  size: {width}mm {height}mm; margin: {_write_margins(_MARGINS[paper])};
  @bottom-left {{ content: {running}; {font}; width: 85% }}
  @bottom-right {{ content: counter(page) " / " counter(pages); {font} }}
}}
@page :first {{ @bottom-left {{ content: "" }} }}
@page card {{ margin: {_write_margins(_CARD_MARGINS)} }}
.sheet-card {{ page: card }}
html {{ font-family: {TYPE} }}
.sheet {{ string-set: running attr(aria-label) }}
{_LETTERING[paper]}
"""


def _write_margins(margins: tuple[float, ...]) -> str:
    return " ".join(f"{margin}mm" for margin in margins)


def write_browser_style(page: Page, paper: str) -> str:
    """Write the style by which a browser prints a sheet; it knows no running strings, so the title is in it.

    A script letters a card as large as there is room; without one it has its approximate size.
    """
    title = sub(r"[^\w ]", lambda found: f"\\{ord(found[0]):x} ", page.title)
    card = ""
    if isinstance(page, CardPage):
        card = f".sheet-card {{ --card: {choose_card_size(page, PAPERS[paper])}pt }}"
    style = write_style(paper, f'"{title}"')
    return f"@media print {{{style}{card}}}"


def describe_room(page: Page, paper: str) -> dict[str, float]:
    """Describe the room on a page for the script that fits a sheet to it.

    `width` and `height` in millimetres; `few`, the lines not worth a second page; of a card the `sides` it
    may take, and its `least` and `most` lettering in points.
    """
    width, height = _SIZES[paper]
    above, beside, below = _CARD_MARGINS if isinstance(page, CardPage) else _MARGINS[paper]
    return {
        "width": width - 2 * beside,
        "height": height - above - below,
        "few": FEW,
        "sides": CARD_SIDES[paper],
        "least": CARD_LEAST,
        "most": CARD_MAX,
    }
