"""Writes a page as HTML: for the browser as it stands, or as a whole document to be printed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from re import sub
from typing import Any

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from companion.i18n import catalogue
from companion.notation.svg import draw_tally, line_chart
from companion.notation.tally import Tally, describe, write

from .model import BlankPage, MatchPage, Side

_HERE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Medium:
    """What a page is written for: how large a square of its paper is, and how wide a chart may be."""

    name: str
    square: float
    """Side of a square under the tally, in millimetres; 0: as large as the screen has room for."""
    chart: tuple[int, int, int]
    """Width, height and type size of the chart, in units of the drawing."""
    rows: int
    """Empty lines on a blank sheet."""


SCREEN = Medium("screen", 0, (480, 220, 14), 8)
PAPERS: Mapping[str, Medium] = {
    "a4": Medium("a4", 5, (680, 190, 12), 13),
    "a5": Medium("a5", 3.6, (500, 150, 11), 12),
    "letter": Medium("letter", 5, (710, 175, 12), 11),
}
"""The sizes of paper there are."""

Page = MatchPage | BlankPage


def folder(name: str) -> Path:
    """A folder of ours: inside the installed package, or beside it in a checkout."""
    return next(base / name for base in (_HERE, _HERE.parent) if (base / name).is_dir())


def body(page: Page, language: str, medium: Medium = SCREEN) -> Markup:
    """The sheet alone, to stand on a page of the browser."""
    name = "match" if isinstance(page, MatchPage) else "blank"
    return Markup(_environment(language).get_template(f"{name}.html").render(_given(page, medium)))


def document(page: Page, language: str, paper: str = "a4") -> str:
    """The sheet as a document of its own, to be printed on a size of paper.

    :raises KeyError: when there is no such paper.
    """
    medium = PAPERS[paper]
    template = _environment(language).get_template("document.html")
    return template.render(title=page.title, language=language, sheet=body(page, language, medium))


@lru_cache
def _environment(language: str) -> Environment:
    made = Environment(
        loader=FileSystemLoader(folder("templates") / "sheets"),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.install_gettext_translations(catalogue(language), newstyle=True)  # type: ignore[attr-defined]
    return made


def _given(page: Page, medium: Medium) -> dict[str, Any]:
    if isinstance(page, BlankPage):
        return {"page": page, "medium": medium}
    return {
        "page": page,
        "medium": medium,
        "tallies": [_tally(page, index, side, medium) for index, side in enumerate(page.sides)],
        "chart": _chart(page, medium),
        "code": _code(page.address) if page.address else "",
    }


def _tally(page: MatchPage, index: int, side: Side, medium: Medium) -> Markup:
    drawn = write(side.amounts).tally
    tally = drawn if side.total >= 0 else Tally((), side.total)
    columns = 5 if len(page.sides) <= 2 else 4
    svg = draw_tally(
        tally,
        seed=f"{page.seed} {index}",
        per_row=columns,
        prefix=f"tally-{index}",
        title=f"{side.name}: {describe(tally)}",
    )
    return Markup(_sized(svg, medium.square * (1 if len(page.sides) <= 2 else 0.8)))


def _sized(svg: str, square: float) -> str:
    """The drawing at the size of the paper's squares: 20 units of it are one square."""

    def to_scale(found: Any) -> str:
        width, height = (float(one) / 20 * square for one in found.groups())
        return f' width="{width:g}mm" height="{height:g}mm"' if square else ""

    return sub(r' width="([\d.]+)" height="([\d.]+)"', to_scale, svg, count=1)


def _chart(page: MatchPage, medium: Medium) -> Markup:
    if not any(side.totals for side in page.sides):
        return Markup("")
    width, height, type_size = medium.chart
    series = {side.short: side.totals for side in page.sides}
    return Markup(
        _unsized(
            line_chart(
                series, page.target, width=width, height=height, type_size=type_size, title=_running(page)
            )
        )
    )


def _running(page: MatchPage) -> str:
    """What the chart shows, for those who cannot see it."""
    return "; ".join(f"{side.name}: {', '.join(map(str, side.totals))}" for side in page.sides)


def _unsized(svg: str) -> str:
    return sub(r' width="[\d.]+" height="[\d.]+"', "", svg, count=1)


def _code(address: str) -> Markup:
    """The address as a square code, drawn as one path of filled squares."""
    matrix = list(segno.make_qr(address, error="m").matrix_iter(border=2))
    way = []
    for y, row in enumerate(matrix):
        x = 0
        while x < len(row):
            end = x
            while end < len(row) and row[end]:
                end += 1
            if end > x:
                way.append(f"M{x} {y}h{end - x}v1h-{end - x}z")
            x = end + 1
    size = len(matrix)
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="code" role="img" viewBox="0 0 {0} {0}">'
        "<title>{1}</title>"
        '<path fill="#fff" d="M0 0h{0}v{0}h-{0}z"/><path fill="#000" d="{2}"/></svg>'
    ).format(size, address, "".join(way))
