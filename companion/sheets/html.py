"""A writer of pages as HTML: for the browser as it stands, or as a whole document to be printed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil
from pathlib import Path
from re import search, sub

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from companion.i18n import catalogue
from companion.notation import matchsticks
from companion.notation.running import RunningTotalsRow
from companion.notation.svg import (
    SQUARE,
    draw_line_chart,
    draw_seal,
    draw_tally,
    draw_underline,
    measure_width,
    thin_out,
)
from companion.notation.tally import PAGE as TALLY_PAGE
from companion.notation.tally import Tally, describe, write_last_page
from companion.rules.cards import Suit

from .common import has_right_to_left
from .model import (
    BlankPage,
    BookletPage,
    CardPage,
    EveningPage,
    FiguresPage,
    MatchPage,
    PlayedPage,
    SeasonPage,
    SessionPage,
    SheetSide,
)

PENCIL = "#333"
_SQUARES = Markup(
    '<svg class="s-squares" aria-hidden="true">'
    '<svg width="40em" height="40em" viewBox="0 0 40 40"><path d="{}"/></svg></svg>'
).format("".join(f"M{n} 0v40M0 {n}h40" for n in range(41)))
"""The squares of the paper as lines, which a browser prints where it leaves out backgrounds."""
TYPE = "Companion, 'DejaVu Sans', sans-serif"
"""The font family on paper: our own, and the system's for letters that ours lack."""

_HERE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Medium:
    """A medium, the screen or a size of paper: its squares, its charts, its room."""

    name: str
    square: float
    """Side of a square under the tally, in millimetres; 0: as large as the screen has room for."""
    chart: tuple[int, int, int]
    """Width, height and type size of the chart, in units of the drawing."""
    page: int
    """Width of the area to write on, in millimetres; 0 on a screen."""
    lines: int
    """Lines that fit below tallies in bands, each as high as five; with more, tallies stand side by side."""
    totals: float
    """Side of a square under running totals, in millimetres."""
    rows: int
    """Empty lines on a blank sheet with tallies."""
    more: int
    """Further lines on a blank sheet with a table."""
    card: float
    """Largest lettering of a table card: points, times the root of its letters; 0: as on the screen."""


SCREEN = Medium("screen", 0, (480, 220, 14), 0, 0, 0, 8, 8, 0)
PAPERS: Mapping[str, Medium] = {
    "a4": Medium("a4", 5, (680, 165, 12), 180, 22, 3.6, 16, 7, 660),
    "a5": Medium("a5", 3.6, (500, 135, 11), 128, 17, 2.5, 14, 5, 620),
    "letter": Medium("letter", 5, (710, 160, 12), 184, 22, 3.6, 13, 7, 640),
}
"""The supported sizes of paper."""

Page = MatchPage | SessionPage | BlankPage | CardPage | BookletPage | EveningPage | FiguresPage | SeasonPage
TEMPLATES: Mapping[type, str] = {
    MatchPage: "played.html",
    SessionPage: "played.html",
    BlankPage: "blank.html",
    CardPage: "card.html",
    BookletPage: "booklet.html",
    EveningPage: "evening.html",
    FiguresPage: "figures.html",
    SeasonPage: "season.html",
}


def find_folder(name: str) -> Path:
    """Find a folder of ours: inside the installed package, or beside it in a checkout."""
    return next(base / name for base in (_HERE, _HERE.parent) if (base / name).is_dir())


def write_sheet(page: Page, language: str, medium: Medium = SCREEN, number: int = 0) -> Markup:
    """Write the sheet alone, an ``<article>`` for a page of the browser.

    Drawings have names in a document; `number` keeps those of several sheets apart.
    """
    template = _make_environment(language).get_template(TEMPLATES[type(page)])
    squares = "" if medium is SCREEN else _SQUARES
    variables = _prepare_variables(page, medium, f"-{number}" if number else "")
    return Markup(template.render(variables, squares=squares))


def write_document(page: Page, language: str, paper: str = "a4", *more: Page) -> str:
    """Write the sheet as a document to be printed on a size of paper; `more` sheets come after it.

    :raises KeyError: if there is no such paper.
    """
    medium = PAPERS[paper]
    template = _make_environment(language).get_template("document.html")
    sheets = [write_sheet(each, language, medium, number) for number, each in enumerate((page, *more))]
    return template.render(title=page.title, language=language, sheets=sheets)


@lru_cache
def _make_environment(language: str) -> Environment:
    """Build the template environment of sheets in a language."""
    environment = Environment(
        loader=FileSystemLoader(find_folder("templates") / "sheets"),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"isolate": _isolate, "suits": str}
    environment.install_gettext_translations(catalogue(language), newstyle=True)  # type: ignore[attr-defined]  # by the extension
    return environment


def _isolate(name: str) -> str | Markup:
    """Isolate a name with a direction of its own: in an element only if it needs one."""
    return Markup("<bdi>{}</bdi>").format(name) if has_right_to_left(name) else name


def _prepare_variables(page: Page, medium: Medium, suffix: str) -> dict[str, object]:
    """Prepare the variables of a page's template: the page itself, its drawings, and the room."""
    if isinstance(page, BlankPage):
        return {"page": page, "rows": _count_empty_rows(page, medium)}
    if isinstance(page, CardPage):
        return {"page": page, "size": choose_card_size(page, medium)}
    if isinstance(page, BookletPage):
        return {"page": page, "signs": {str(suit): suit.sign for suit in Suit}}
    if isinstance(page, SessionPage):
        return {"page": page, **_prepare_session(page, medium, suffix), **_draw_proof(page, suffix)}
    if isinstance(page, MatchPage):
        return {"page": page, **_prepare_match(page, medium, suffix), **_draw_proof(page, suffix)}
    if isinstance(page, EveningPage):
        seal = draw_seal(page.check, f"seal{suffix}", page.check, PENCIL)
        underline = draw_underline(page.check, "#000", page.columns[0].label if page.columns else "")
        return {"page": page, "seal": Markup(seal), "code": "", "underline": Markup(underline)}
    return {"page": page}


def _prepare_session(page: SessionPage, medium: Medium, suffix: str) -> dict[str, object]:
    return {
        "bands": True,
        "drawings": _draw_matchsticks(page, medium, suffix),
        "blocks": [],
        "beside": False,
        "chart": "",
        "underline": "",
    }


def _prepare_match(page: MatchPage, medium: Medium, suffix: str) -> dict[str, object]:
    blocks = _split_running_totals(page) if page.writing == "table" else []
    bands = not medium.square or _count_lines(page) + 5 * len(page.sides) <= medium.lines
    room = _measure_beside(page, medium) if len(blocks) == 1 else 0
    return {
        "bands": bands,
        "drawings": _draw_tallies(page, medium, suffix, bands) if page.writing != "table" else [],
        "blocks": blocks,
        "beside": bool(room),
        "chart": _draw_chart(page, medium, suffix, room or 1),
        "underline": Markup(draw_underline(page.seed, "#000", page.result.headline)),
    }


def _count_empty_rows(page: BlankPage, medium: Medium) -> int:
    """Count the lines that fit below the names, house rules and words of a blank sheet."""
    house, many = len(page.house_rules), len(page.sides) > 3
    if page.writing == "matchsticks":
        one_row = page.players < 5 and not many  # of boxes
        rows = medium.rows - house - bool(house) - 2 * max(page.sides) + (2 if one_row else 0)
    else:
        rows = medium.rows + (medium.more if page.writing == "table" else 0)
        rows -= house + 2 * (max(page.sides) - 1) + (5 if many else 0)
        rows -= (-(-len(page.worth) // 95) + len(page.legend[:1])) // 2
    return max(rows, 5)


def _count_lines(page: MatchPage) -> int:
    """Count the lines below the tallies."""
    return len(page.lines) + sum(line.itemised for line in page.lines) + len(page.footnotes)


def _draw_tallies(page: MatchPage, medium: Medium, suffix: str, bands: bool) -> list[Markup]:
    """Draw every side's tally, in `bands` or side by side, all to one scale and on paper of one height."""
    written = [write_tally(side, page.writing == "tally-negative") for side in page.sides]
    tallies = [tally for _front, tally in written]
    longest = max(len(tally.shapes) for tally in tallies)
    room = _BESIDE if bands else _HALF * 2 / len(page.sides)
    # In one row as long as its shapes are large enough to read, else in as few rows as possible.
    rows = next(n for n in range(1, longest + 2) if _find_scale(ceil(longest / n), room) >= _SMALLEST)
    columns = max(ceil(longest / rows), 1)
    drawings = [
        draw_tally(
            tally,
            seed=f"{page.seed} {index}",
            per_row=columns,
            prefix=f"tally{suffix}-{index}",
            title=f"{side.name}: {f'{front} + ' if front else ''}{describe(tally)}",
            colour=PENCIL,
            joined=medium is not SCREEN,
        )
        for index, ((front, tally), side) in enumerate(zip(written, page.sides, strict=True))
    ]
    scale = medium.square / SQUARE * _find_scale(columns, room)
    return _match_sizes([front for front, _tally in written], drawings, scale)


_BESIDE, _HALF = 27 * SQUARE, 17 * SQUARE
"""The room for strokes beside a name, and on one half of a page."""
_LARGEST, _SMALLEST = 1.4, 0.6
"""Shapes beside those of two squares: of 14 mm and of 6."""


def _find_scale(columns: int, room: float) -> float:
    """Find the scale at which these shapes fit in a row."""
    return min(_LARGEST, room / measure_width(columns))


def write_tally(side: SheetSide, negative_units: bool = False) -> tuple[int, Tally]:
    """Write the hundreds in front of a side's tally, and the tally of its last page."""
    totals, start = side.totals, max(len(side.totals) - 1, 0) // TALLY_PAGE * TALLY_PAGE
    amounts = [after - before for before, after in pairwise((0, *totals)[start:])]
    carried = totals[start - 1] if start else 0
    front, page = write_last_page(carried, amounts, negative_units=negative_units)
    return front, page.tally


def _match_sizes(fronts: Sequence[int], drawings: Sequence[str], scale: float) -> list[Markup]:
    """Give drawings paper of one size, each behind its part that is no longer drawn."""
    wide, tall = (max(_read_size(svg)[axis] for svg in drawings) for axis in (0, 1))
    return [
        (Markup('<p class="s-carried">{} +</p>').format(front) if front else Markup(""))
        + Markup(_resize(svg, wide, tall, scale))
        for front, svg in zip(fronts, drawings, strict=True)
    ]


def choose_card_size(page: CardPage, medium: Medium) -> str:
    """Choose the type size, in points, at which a card fills one page; on a screen none of its own."""
    if not medium.card:
        return ""
    # A letter takes room both ways, so the size goes with the root of what there is to print.
    return f"{min(10.5, medium.card / page.weight**0.5):.2f}"


def _draw_matchsticks(page: SessionPage, medium: Medium, suffix: str) -> list[Markup]:
    """Draw every side's matchsticks, all to one scale and on paper of one height."""
    spread = any(side.marks is not None for side in page.sides)  # with room for epaulettes
    per_row = 5 if spread else 7
    fronts = [matchsticks.carry_over(side.total) for side in page.sides]
    drawings = [
        matchsticks.draw_matchsticks(
            side.total - front,
            seed=f"{page.seed} {index}",
            epaulettes=side.marks,
            per_row=per_row,
            prefix=f"matchsticks{suffix}-{index}",
            title=f"{side.name}: {f'{front} + ' if front else ''}"
            + matchsticks.describe(side.total - front, epaulettes=sum(side.marks or ())),
            colour=PENCIL,
        )
        for index, (side, front) in enumerate(zip(page.sides, fronts, strict=True))
    ]
    return _match_sizes(fronts, drawings, medium.square / SQUARE)


def _split_running_totals(page: MatchPage) -> list[tuple[RunningTotalsRow, ...]]:
    """Split the running totals into blocks that stand side by side, all but the last of one height."""
    rows = page.running_totals
    count = -(-len(rows) // 12) or 1
    tall = max(-(-len(rows) // count), 6) if count < 4 else 15
    return [rows[at : at + tall] for at in range(0, len(rows), tall)]


_SIZE = r' width="([\d.]+)" height="([\d.]+)" viewBox="[^"]*"'


def _read_size(svg: str) -> tuple[float, float]:
    """Read width and height of a drawing, in its own units."""
    size = search(_SIZE, svg)
    assert size is not None
    return float(size[1]), float(size[2])


def _resize(svg: str, width: float, height: float, scale: float) -> str:
    """Resize a drawing to this height; `scale` is millimetres to a unit, 0 leaves it to the screen."""
    unit, times = ("mm", scale) if scale else ("", 1.0)
    size = f' width="{width * times:g}{unit}" height="{height * times:g}{unit}"'
    return sub(_SIZE, f'{size} viewBox="0 0 {width:g} {height:g}"', svg, count=1)


_LEAST_BESIDE = 0.45
"""The part of a page's width that a chart needs at least."""


def _measure_beside(page: MatchPage, medium: Medium) -> float:
    """Measure the room beside the running totals, as a part of the width; 0 if too little for a chart."""
    if not medium.page:
        return 1
    squares = 2 + len(page.sides) * (6 if len(page.sides) == 3 else 7)
    squares += 6 if any(row.bid for row in page.running_totals) else 0
    room = 1 - (squares * medium.totals + 4) / medium.page
    return room if room >= _LEAST_BESIDE else 0


def _draw_chart(page: MatchPage, medium: Medium, suffix: str, room: float) -> Markup:
    """Draw the chart of the totals for its `room`, a part of the width; empty without deals."""
    if not any(side.course for side in page.sides):
        return Markup("")
    width, height, type_size = medium.chart
    width = round(width * room)
    series = {side.short: side.course for side in page.sides}
    svg = draw_line_chart(
        series,
        page.target,
        width=width,
        height=height,
        type_size=type_size,
        prefix=f"chart{suffix}",
        title="; ".join(
            f"{side.name}: {', '.join(map(str, thin_out(side.course, 60)))}" for side in page.sides
        ),
        colour="#000",
    )
    # As wide as its place, and lettered like everything else.
    return Markup(sub(r' width="[\d.]+" height="[\d.]+"', f' font-family="{TYPE}"', svg, count=1))


def _draw_proof(page: PlayedPage, suffix: str) -> dict[str, object]:
    """Draw the seal between the signatures, and the square code if there is an address."""
    return {
        "seal": Markup(draw_seal(page.seed, f"seal{suffix}", page.check, PENCIL)),
        "code": _draw_code(page.address) if page.address else "",
    }


def _draw_code(address: str) -> Markup:
    """Draw the address as a square code, one path of filled squares."""
    matrix = [list(row) for row in segno.make_qr(address, error="m").matrix_iter(border=2)]
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
        '<svg xmlns="http://www.w3.org/2000/svg" class="s-code" role="img" viewBox="0 0 {0} {0}">'
        "<title>{1}</title>"
        '<path fill="#fff" d="M0 0h{0}v{0}h-{0}z"/><path fill="#000" d="{2}"/></svg>'
    ).format(size, address, "".join(way))
