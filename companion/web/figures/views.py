"""The players of this browser's matches, what these come to for each, and the deals behind every figure."""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from io import StringIO
from typing import Any

from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request, url_for
from flask_babel import gettext as _

from companion import library
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
from companion.rules.message import Message
from companion.sheets import FiguresOrder
from companion.sheets.common import format_day
from companion.sheets.model import FiguresPage, FiguresSection
from companion.web.shell.game_ui import name_entry
from companion.web.shell.language import current_language
from companion.web.shell.loaded import LoadedMatch, known_players, load_matches
from companion.web.shell.matches import address_of, matches
from companion.web.shell.printing import Answer, print_sheet
from companion.web.shell.text import render_message, translate

bp = Blueprint("figures", __name__)

_ARGUMENTS = ("name", "opponent", "partner", "game", "first", "last", "figure")
"""What addresses of these pages say; others are not carried on."""
_SHOWN = 50
"""Deals on a page of those that a figure counts."""


@bp.get("/players")
def players() -> str:
    """Everybody who sat in a match of this browser, who sat in most of them first."""
    counted = Counter(name for found in load_matches() for name in dict.fromkeys(found.match.players))
    return render_template("figures/players.html", players=counted.most_common())


@bp.get("/player")
def player() -> str:
    """What the matches come to for a player; each figure leads to the deals that it counts."""
    span, loaded, figures = _count()
    return render_template(
        "figures/player.html",
        name=figures.player,
        span=span,
        sections=list(describe_figures(figures)),
        choices=_list_choices(figures.player, loaded),
        address=_address,
    )


@bp.get("/player/figures.json")
def figures_json() -> Response:
    """The same figures for programs; a `file` in them is the place of a match among all, the oldest first."""
    return jsonify(_count()[-1].plain())


@bp.get("/player/figures.csv")
def figures_csv() -> Response:
    """The same as a table, without the name of the player, which might be a formula."""
    text = StringIO()
    table = csv.writer(text)
    table.writerow(("figure", "value"))
    table.writerows(_flatten({**_count()[-1].plain(), "player": {}}))
    return current_app.response_class("\ufeff" + text.getvalue(), mimetype="text/csv")


def _flatten(figures: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


@bp.get("/player/figures.pdf")
def player_pdf() -> Answer:
    """The same on paper."""
    span, _loaded, figures = _count()
    sections = tuple(
        FiguresSection(_say(section.label), tuple(map(_say_fact, section.facts)))
        for section in describe_figures(figures)
    )
    title = _("Figures of %(name)s", name=figures.player)
    page = FiguresPage(title, figures.player, tuple(_say_span(span)), sections)
    return print_sheet(FiguresOrder(page, current_language()))


def _say_fact(fact: FigureFact) -> tuple[str, str, str]:
    return _say(fact.label).strip(), str(fact.value), _say(fact.share or "")


def _say(text: Message | str) -> str:
    return render_message(text) if isinstance(text, Message) else text


def _say_span(span: Span) -> Iterator[str]:
    """Which matches count, where these are not all."""
    if span.game:
        yield translate(library.open_game(span.game).book.title)
    if span.opponent:
        yield _("against %(name)s", name=span.opponent)
    if span.partner:
        yield _("together with %(name)s", name=span.partner)
    days = [format_day(day, current_language()) if day else "" for day in (span.first, span.last)]
    if any(days):
        yield "\N{EN DASH}".join(days)


@bp.get("/player/deals")
def deals() -> str:
    """The deals, or matches, that one figure counts, the last ones first."""
    _span, loaded, figures = _count()
    sought = request.args.get("figure", "")
    for section in describe_figures(figures):
        for fact in section.facts:
            if fact.name == sought:
                return _show_deals(figures.player, section, fact, loaded)
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
        back=_address("player", figure=None, skip=None),
        older=_address("deals", skip=skipped + _SHOWN) if has_older else None,
    )


def _address(page: str, **changed: object) -> str:
    """This address with something changed, for another of these pages."""
    known = {name: value for name, value in request.args.items() if name in _ARGUMENTS}
    arguments: dict[str, Any] = {**known, **changed}
    return url_for(f"figures.{page}", **arguments)


def _count() -> tuple[Span, list[LoadedMatch], PlayerFigures]:
    """Of the player that an address names: which matches count, all there are, the figures."""
    name, loaded = known_players().find(clean_name(request.args.get("name", ""))), load_matches()
    span = _read_span()
    chosen = zip(span.select(name, [found.match for found in loaded]), loaded, strict=True)
    summaries = [found.summarize(name) if match else None for match, found in chosen]
    if not any(name in found.match.players for found in loaded):
        abort(404)
    return span, loaded, count_figures(name, summaries)


def _read_span() -> Span:
    """Which matches count, by the address; a date that is none counts as not given."""
    wanted = {
        key: request.args.get(key, "").strip() or None
        for key in ("opponent", "partner", "game", "first", "last")
    }
    for key in ("first", "last"):
        try:
            wanted[key] = date.fromisoformat(wanted[key] or "").isoformat()
        except ValueError:
            wanted[key] = None
    return Span(**wanted)


def _list_choices(name: str, loaded: list[LoadedMatch]) -> dict[str, list[tuple[str, str]]]:
    """What the figures can be narrowed to: games, opponents and partners there have been, by what is sent."""
    games: dict[str, str] = {}
    opponents: Counter[str] = Counter()
    partners: Counter[str] = Counter()
    for found in loaded:
        match, seat = found.match, found.match.find_seat(name)
        if seat is None:
            continue
        games[match.game] = found.summary.title
        for other, other_seat in zip(match.players, match.ring.seats, strict=True):
            if other != name:
                is_beside = match.ring.side(other_seat) == match.ring.side(seat)
                (partners if is_beside else opponents)[other] += 1
    names = {"opponent": opponents, "partner": partners}
    return {"game": [*games.items()]} | {
        key: [(other, other) for other in counted] for key, counted in names.items()
    }


def _describe(found: LoadedMatch, source: Source) -> dict[str, Any]:
    """An entry behind a figure as a list shows it, or the whole match."""
    match = matches().open(found.listed.id)
    entry = match.standing_entries[source.entry - 1].id if source.entry else None
    return {
        "sides": found.summary.sides,
        "entry": "" if entry is None else name_entry(match, entry),
        "points": source.points,
        "begun": found.begun,
        "address": address_of(match, entry),
    }
