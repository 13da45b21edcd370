"""The picture of a match, to be shared: the main words and numbers of its sheet."""

import json
from collections.abc import Sequence
from functools import partial
from html import escape
from itertools import accumulate

from companion.figures import CountedMatch
from companion.notation.matchsticks import carry_over
from companion.notation.picture import (
    EveningLine,
    EveningPicture,
    Picture,
    PictureSide,
    draw_picture,
    draw_standing,
)
from companion.notation.picture import draw_evening as draw_evening_leaf
from companion.notation.running import RunningTotalsRow
from companion.notation.tally import write_last_page
from companion.people.evenings import list_sides

from .evening import EveningWriter, say_score
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
    return _mark_rare(drawing, page.players)


def draw_evening(writer: EveningWriter, games: Sequence[str], caption: str, day: str, seed: str) -> str:
    """Draw the picture of an evening as an ``<svg>`` element; `games` are the titles of its matches.

    It has the score of opposed sides; of other evenings what every player won, or lost.
    """
    counts = ""
    if writer.opposed:
        sides = _count_sides(writer)
    else:
        counts, sides = _count_players(writer)
    wins = [{*side} for side in writer.opposed]
    said = say_score(writer.list_winners(), wins, writer.translate) if wins else ""
    score = ", ".join(f"{side.name} {side.total}" for side in sides)
    picture = EveningPicture(
        title=f"{caption}, {day}: {score}.",
        caption=caption,
        day=day,
        sides=sides,
        counts=counts,
        matches=tuple(map(partial(_compose_line, writer), writer.matches, games)),
        closing=tuple(filter(None, (said, *map(writer.say_payment, writer.open)))),
        seed=seed,
    )
    return _mark_rare(draw_evening_leaf(picture), writer.sums.players)


def _count_sides(writer: EveningWriter) -> tuple[PictureSide, ...]:
    """Count what each side won; the one with the most leads."""
    winners, sides = writer.list_winners(), writer.opposed
    courses = [tuple(accumulate(int(winner == {*side}) for winner in winners)) for side in sides]
    won = [winners.count({*side}) for side in sides]
    lead = _find_lead(won, max(won))
    return tuple(
        PictureSide(" & ".join(side), number, place == lead, course=course)
        for place, (side, number, course) in enumerate(zip(sides, won, courses, strict=True))
    )


def _count_players(writer: EveningWriter) -> tuple[str, tuple[PictureSide, ...]]:
    """Count what every player won, or lost if nothing can be won; with its name."""
    column, *_others = writer.compose_columns()
    counted = [int(cell or 0) for cell in column.cells]
    lead = _find_lead(counted, max(counted) if writer.sums.won else min(counted))
    return column.label, tuple(
        PictureSide(name, number, place == lead)
        for place, (name, number) in enumerate(zip(writer.sums.players, counted, strict=True))
    )


def _find_lead(counted: Sequence[int], best: int) -> int | None:
    """The place of the one who has the best number; None if several have it."""
    return counted.index(best) if counted.count(best) == 1 else None


def _compose_line(writer: EveningWriter, match: CountedMatch, game: str) -> EveningLine:
    """The line of a match: its winner, or the losers, or how far it has come."""
    shown, sides = match.shown, dict(list_sides(match))
    order = [side for names in writer.opposed for side, of in sides.items() if {*of} == {*names}] or [*sides]
    _ = writer.translate
    headline = _("in progress")
    if shown["winner"]:
        headline = " & ".join(sides[shown["winner"]])
    elif shown["status"] != "playing":
        names = ", ".join(" & ".join(sides[side]) for side in shown.get("losers", ()))
        headline = _("Lost most often: %(names)s") % {"names": names} if names else _("abandoned")
    return EveningLine(
        game,
        headline,
        tuple(str(shown["totals"][side]) for side in order),
        order.index(shown["winner"]) if shown["winner"] else None,
    )


def _mark_rare(drawing: str, players: Sequence[str]) -> str:
    """Name the players in a drawing that the painter may have to rename: whoever looks has other fonts."""
    if not any(map(RARE.search, players)):
        return drawing
    return drawing.replace("<svg", f'<svg data-players="{escape(json.dumps([*players]))}"', 1)


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
