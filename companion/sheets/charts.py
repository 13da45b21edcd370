"""The figures that are drawn, on a page or on paper, each with a table of the same data."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from companion.figures import CountedFigure, PlayerFigures
from companion.notation.charts import Bar, Place, draw_bars, draw_ring
from companion.notation.svg import draw_line_chart
from companion.rules.message import Message

_STEPS = (5, 10, 20, 50, 100, 200, 500, 1000)
_MAX_BARS = 16


class FigureChart(NamedTuple):
    """A picture and its table: the heads of its columns, and its rows.

    `draw` takes the `prefix` that keeps its ids apart, the text alternative as `title`, and the `colour`.
    """

    name: str
    label: Message
    columns: tuple[Message | str, ...]
    rows: Sequence[tuple[object, ...]]
    draw: Callable[..., str]


def list_charts(figures: PlayerFigures, rival: PlayerFigures | None = None) -> Iterator[FigureChart]:
    """List the pictures with data; with a `rival` over the same matches also those of the two."""
    if rival is not None and figures.sections["matches"]["played"].value:
        yield _chart_rivals(figures, rival)
    if figures.leads.places:
        yield _chart_leads(figures.leads, figures.sections["declarer"]["made"])
    if len(seats := figures.sections["seats"]) > 1:
        places = [Place(seat, part["fools"].value, part["hands"].value) for seat, part in seats.items()]
        yield FigureChart(
            "seats",
            Message("Fool by seat"),
            (Message("Seat"), Message("Fool"), Message("Hands")),
            places,
            partial(draw_ring, places),
        )


def _chart_rivals(*players: PlayerFigures) -> FigureChart:
    """Chart the matches that each had won after every one of them, in their order."""
    played, *wins_of_both = (
        [place[0] for place in part.places]
        for part in (
            players[0].sections["matches"]["played"],
            *(figures.sections["matches"]["won"] for figures in players),
        )
    )
    courses = {
        figures.player: [*accumulate(int(match in {*won}) for match in played)]
        for figures, won in zip(players, wins_of_both, strict=True)
    }
    rows = [(number, *wins) for number, wins in enumerate(zip(*courses.values(), strict=True), 1)]
    return FigureChart(
        "rivals",
        Message("Matches won, match by match"),
        (Message("Match"), *courses),
        rows,
        partial(draw_line_chart, courses, width=360, height=200),
    )


def _chart_leads(leads: CountedFigure, made: CountedFigure) -> FigureChart:
    """Chart the declarer's deals by the lead in points; at 0 the best of the others is equal."""
    counted = {place[:2] for place in made.places}
    points = {place[:2]: place[2] for place in leads.places}
    low, high = min(0, *points.values()), max(0, *points.values())
    step = next(step for step in _STEPS if high // step - low // step < _MAX_BARS or step == _STEPS[-1])
    bars = []
    for least in range(low // step * step, high + 1, step):
        inside = [place for place, lead in points.items() if least <= lead < least + step]
        good = sum(place in counted for place in inside)
        bars.append(Bar(least, good, len(inside) - good))
    return FigureChart(
        "leads",
        Message("Declarer’s lead in points made"),
        (Message("Lead from"), Message("Contract made"), Message("Contract not made")),
        bars,
        partial(draw_bars, bars),
    )
