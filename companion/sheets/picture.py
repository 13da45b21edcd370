"""The picture of a match, to be shared: the main words and numbers of its sheet."""

import json
from html import escape

from companion.notation.matchsticks import carry_over
from companion.notation.picture import Picture, PictureSide, draw_picture, draw_standing
from companion.notation.running import RunningTotalsRow
from companion.notation.tally import write_last_page

from .html import write_tally
from .lettering import RARE
from .model import MatchPage, SessionPage, SessionSide, SheetSide
from .png import paint_png as paint_png


def draw_match(page: MatchPage | SessionPage, day: str, evening: str, joined: bool = True) -> str:
    """Draw the picture as an ``<svg>`` element; `day` is the day of the match, `evening` its last line.

    `joined` is for the painter; otherwise shapes that are alike are drawn once, for a page.
    """
    title = f"{page.title}. {page.result.headline} {page.result.figures}"
    target = page.target if isinstance(page, MatchPage) else None
    sides = tuple(map(_compose_side, page.sides))
    rows = _list_rows(page)
    drawing = draw_picture(Picture(title, page.game, day, sides, evening, page.seed, target, rows, joined))
    if not any(map(RARE.search, page.players)):
        return drawing
    # Whoever looks at the drawing has other fonts than the painter, who may have to rename them.
    players = escape(json.dumps(page.players))
    return drawing.replace("<svg", f'<svg data-players="{players}"', 1)


def draw_running_match(page: MatchPage | SessionPage) -> str:
    """Draw the standing of a match, as an ``<svg>`` element."""
    return draw_standing(page.title, tuple(map(_compose_side, page.sides)), page.seed, _list_rows(page))


def draw_sample(title: str, names: tuple[str, str]) -> str:
    """Draw a page in play as an ``<svg>`` element: the last deal of one of two is still new."""
    sides = []
    for name, history, is_new in zip(names, ((90, 70), (100, 150)), (True, False), strict=True):
        written = write_last_page(0, history)[1]
        before = written.before if is_new else None
        sides.append(PictureSide(name, sum(history), tally=written.tally, before=before))
    return draw_standing(title, tuple(sides), "a sample")


def _list_rows(page: MatchPage | SessionPage) -> tuple[RunningTotalsRow, ...] | None:
    """List the running totals of a match that is written in columns of them."""
    return page.running_totals if isinstance(page, MatchPage) and page.writing == "table" else None


def _compose_side(side: SheetSide | SessionSide) -> PictureSide:
    if isinstance(side, SessionSide):
        drawn = side.total - carry_over(side.total)
        marks = None if side.marks is None else side.marks[:drawn]
        return PictureSide(side.name, side.total, marks=marks)
    carried, tally = write_tally(side)
    return PictureSide(side.name, side.total, side.named, carried, tally, side.course)
