"""A player's figures over the matches of this browser, and the deals behind every figure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request
from flask_babel import gettext as _
from markupsafe import Markup

from companion.figures import (
    FigureFact,
    FigureSection,
    PlayerFigures,
    Source,
    Span,
    clean_name,
    count_figures,
    describe_figures,
)
from companion.people.evenings import list_sides
from companion.rules.message import Message
from companion.sheets import FiguresOrder
from companion.sheets.charts import FigureChart, list_charts
from companion.sheets.model import FiguresPage, FiguresSection
from companion.web.shell.game_ui import name_entry
from companion.web.shell.language import current_language
from companion.web.shell.loaded import LoadedMatch, group_evenings, known_players, load_matches
from companion.web.shell.matches import address_of, matches
from companion.web.shell.printing import print_sheet
from companion.web.shell.spreadsheet import write_table
from companion.web.shell.text import mark_decimals, render_message

from .span import address_with, list_evenings, list_games, read_chosen, read_span, say_span

bp = Blueprint("figures", __name__)

_SHOWN = 50
"""The number of deals on a page of those that a figure counts."""
_HIGHLIGHTS = ("matches.won", "streaks.matches", "streaks.deals", "best_deal", "comeback")
_FOOL = "hands.fools"
"""The figures that people talk about the morning after; the last one needs no other words."""
_RIVALS = 3
"""The most opponents with whom the score is shown."""


@bp.get("/player")
def player() -> str:
    """Show a player's figures; each leads to the deals that it counts."""
    counted = _count()
    sections = list(describe_figures(counted.figures))
    return render_template(
        "figures/player.html",
        name=counted.figures.player,
        chosen=read_chosen(),
        span=list(say_span()),
        rivals=_list_rivals(counted),
        story=[
            (section.label if fact.name in _HIGHLIGHTS else "", fact)
            for section in sections
            for fact in section.facts
            if fact.name in (*_HIGHLIGHTS, _FOOL)
        ],
        sections=sections,
        charts=counted.list_charts(),
        choices=_list_choices(counted.figures.player, counted.loaded),
        address=address_with,
    )


@bp.get("/player/figures.json")
def figures_json() -> Response:
    """Send the figures for programs; a `file` in them is a match's place among all, the oldest first."""
    return jsonify(_count().figures.plain())


@bp.get("/player/figures.csv")
def figures_csv() -> Response:
    """Send the figures as a table, without the name of the player, which might be a formula."""
    table = write_table([("figure", "value"), *_flatten({**_count().figures.plain(), "player": {}})])
    return current_app.response_class(table, mimetype="text/csv")


def _flatten(figures: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


@bp.get("/player/figures.pdf")
def player_pdf() -> Response:
    """Print the figures on paper."""
    counted = _count()
    sections = tuple(
        FiguresSection(_say(section.label), tuple(map(_say_fact, section.facts)))
        for section in describe_figures(counted.figures)
    )
    name = counted.figures.player
    charts = tuple((chart.label, str(chart.svg)) for chart in counted.list_charts())
    facts, others = tuple(say_span()), (counted.span.opponent, counted.span.partner)
    page = FiguresPage(
        _("Figures of %(name)s", name=name), name, facts, sections, charts, tuple(filter(None, others))
    )
    return print_sheet(FiguresOrder(page, current_language()))


def _say_fact(fact: FigureFact) -> tuple[str, str, str]:
    return _say(fact.label).strip(), mark_decimals(fact.value), _say(fact.share or "")


class _DrawnChart(NamedTuple):
    """A picture with its table, in the language of the page."""

    label: str
    columns: list[str]
    rows: Sequence[tuple[object, ...]]
    svg: Markup


def _draw(chart: FigureChart) -> _DrawnChart:
    label = render_message(chart.label)
    svg = Markup(chart.draw(prefix=f"chart-{chart.name}", title=label))
    return _DrawnChart(label, [_say(column) for column in chart.columns], chart.rows, svg)


def _say(text: Message | str) -> str:
    return render_message(text) if isinstance(text, Message) else text


@bp.get("/player/deals")
def deals() -> str:
    """Show the deals, or matches, that one figure counts, the last ones first."""
    counted = _count()
    sought = request.args.get("figure", "")
    for section in describe_figures(counted.figures):
        for fact in section.facts:
            if fact.name == sought:
                return _show_deals(counted.figures.player, section, fact, counted.loaded)
    abort(404)


def _show_deals(name: str, section: FigureSection, fact: FigureFact, loaded: list[LoadedMatch]) -> str:
    skipped = max(request.args.get("skip", 0, int), 0)
    sources = fact.figure.sources[::-1]
    has_older = skipped + _SHOWN < len(sources)
    return render_template(
        "figures/deals.html",
        name=name,
        section=section,
        fact=fact,
        rows=[_describe(loaded[source.match - 1], source) for source in sources[skipped : skipped + _SHOWN]],
        back=address_with("figures.player", figure=None, skip=None),
        older=address_with("figures.deals", skip=skipped + _SHOWN) if has_older else None,
    )


class _Counted(NamedTuple):
    """The matches and figures that an address asks for; `chosen` has None for each match left out."""

    span: Span
    loaded: list[LoadedMatch]
    chosen: list[LoadedMatch | None]
    figures: PlayerFigures

    def list_charts(self) -> list[_DrawnChart]:
        """Draw the charts of the figures."""
        rival = None if self.span.opponent is None else _count_for(self.span.opponent, self.chosen)
        return [_draw(chart) for chart in list_charts(self.figures, rival)]


def _count() -> _Counted:
    """Count the figures of the player that the address names."""
    name, loaded = known_players().find(clean_name(request.args.get("name", ""))), load_matches()
    if not any(name in found.match.players for found in loaded):
        abort(404)
    span, evening = read_span(), read_chosen()["evening"]
    within = [*loaded] if evening is None else group_evenings().get(evening, [])
    ids = {found.listed.id for found in within}
    fitting = zip(loaded, span.select(name, [found.match for found in loaded]), strict=True)
    chosen = [found if match and found.listed.id in ids else None for found, match in fitting]
    return _Counted(span, loaded, chosen, _count_for(name, chosen))


def _count_for(name: str, chosen: list[LoadedMatch | None]) -> PlayerFigures:
    return count_figures(name, [found.summarize(name) if found else None for found in chosen])


def _list_rivals(counted: _Counted) -> list[tuple[str, int, int]]:
    """The most frequent opponents, each with the matches won against them and lost to them."""
    won, lost = Counter[str](), Counter[str]()
    for match in (found.match for found in counted.chosen if found):
        sides = dict(list_sides(match))
        own = next(side for side, names in sides.items() if counted.figures.player in names)
        winner = match.shown["winner"]
        if winner == own:
            won.update(name for side, names in sides.items() if side != own for name in names)
        elif winner:
            lost.update(sides[winner])
    return [(rival, won[rival], lost[rival]) for rival, _number in (won + lost).most_common(_RIVALS)]


def _list_choices(name: str, loaded: list[LoadedMatch]) -> dict[str, list[tuple[str, str]]]:
    """The choices that narrow the figures, by parameter: the games and people of this player's matches."""
    opponents, partners = Counter[str](), Counter[str]()
    own = [found for found in loaded if name in found.match.players]
    for match in (found.match for found in own):
        side = match.ring.side(match.ring.seats[match.players.index(name)])
        for other, seat in zip(match.players, match.ring.seats, strict=True):
            if other != name:
                (partners if match.ring.side(seat) == side else opponents)[other] += 1
    return {
        "game": list_games(own),
        "opponent": [(other, other) for other in opponents],
        "partner": [(other, other) for other in partners],
        "evening": list_evenings(name),
    }


def _describe(found: LoadedMatch, source: Source) -> dict[str, Any]:
    """An entry behind a figure, or the whole match, as a list shows it."""
    match = matches().open(found.listed.id)
    entry = match.standing_entries[source.entry - 1].id if source.entry else None
    return {
        "sides": found.summary.sides,
        "entry": "" if entry is None else name_entry(match, entry),
        "points": source.points,
        "begun": found.begun,
        "address": address_of(match, entry),
    }
