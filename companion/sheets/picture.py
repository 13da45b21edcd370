"""The picture of a match: what stands on its sheet, in as few words and numbers as one shows around."""

from companion.notation.matchsticks import carry_over
from companion.notation.picture import Picture, PictureSide, draw_picture

from .html import write_tally
from .model import MatchPage, SessionPage, SessionSide, SheetSide
from .png import paint_png as paint_png


def draw_match(page: MatchPage | SessionPage, day: str, evening: str) -> str:
    """The picture as an ``<svg>`` element; `day` is when it was played, `evening` its last line."""
    title = f"{page.title}. {page.result.headline} {page.result.figures}"
    target = page.target if isinstance(page, MatchPage) else None
    sides = tuple(map(_compose_side, page.sides))
    return draw_picture(Picture(title, page.game, day, sides, evening, page.seed, target))


def _compose_side(side: SheetSide | SessionSide) -> PictureSide:
    if isinstance(side, SessionSide):
        drawn = side.losses - carry_over(side.losses)
        marks = None if side.marks is None else side.marks[:drawn]
        return PictureSide(side.name, side.losses, marks=marks)
    carried, tally = write_tally(side)
    return PictureSide(side.name, side.total, side.named, carried, tally, side.course)
