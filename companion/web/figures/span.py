"""The span of figures in an address: the game, an evening, the other players, the days."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from flask import request, url_for
from flask_babel import gettext as _
from markupsafe import Markup

from companion import library
from companion.figures import Span
from companion.sheets.common import format_day
from companion.web.shell.language import current_language
from companion.web.shell.loaded import LoadedMatch, group_evenings, known_journal
from companion.web.shell.text import day, translate

_SPAN = ("game", "evening", "opponent", "partner", "first", "last")
_ARGUMENTS = ("name", *_SPAN, "figure")
"""The parameters of these pages; others are not carried on."""
_OFFERED = 100
"""The number of evenings to choose from; earlier ones are reached from their own pages."""


def read_chosen() -> dict[str, str | None]:
    """The choices in the address; an invalid date counts as not given."""
    chosen = {key: request.args.get(key, "").strip() or None for key in _SPAN}
    for key in ("first", "last"):
        try:
            chosen[key] = date.fromisoformat(chosen[key] or "").isoformat()
        except ValueError:
            chosen[key] = None
    return chosen


def read_span() -> Span:
    """The span in the address, whatever the evening."""
    chosen = read_chosen()
    game, _slash, preset = (chosen["game"] or "").partition("/")
    others = {key: chosen[key] for key in ("opponent", "partner", "first", "last")}
    return Span(game=game or None, preset=preset or None, **others)


def say_span() -> Iterator[str]:
    """Describe the span in the address; nothing if all matches count."""
    span = read_span()
    if span.game in library.names():
        book = library.open_game(span.game).book
        preset = book.presets.get(span.preset or "")
        yield translate(book.title) + (f", {translate(preset.label)}" if preset else "")
    if span.opponent:
        yield _("against %(name)s", name=span.opponent)
    if span.partner:
        yield _("together with %(name)s", name=span.partner)
    if (evening := read_chosen()["evening"]) and (found := group_evenings().get(evening)):
        yield name_evening(evening, found)
    days = [format_day(end, current_language()) if end else "" for end in (span.first, span.last)]
    if any(days):
        yield "\N{EN DASH}".join(days)


def list_games(loaded: list[LoadedMatch]) -> list[tuple[str, str]]:
    """The games of matches, and their presets if there are several, as a span names them."""
    games: dict[str, dict[str, str]] = {}
    titles: dict[str, str] = {}
    for found in loaded:
        titles[found.match.game] = translate(found.summary.title)
        presets = games.setdefault(found.match.game, {})
        presets[found.match.shown["preset"]] = translate(found.summary.preset)
    choices = []
    for game, presets in games.items():
        choices.append((game, titles[game]))
        if len(presets) > 1:
            choices += [(f"{game}/{key}", f"{titles[game]}, {label}") for key, label in presets.items()]
    return choices


def list_evenings(name: str) -> list[tuple[str, str]]:
    """The last evenings of a player, the last one first."""
    attended = [
        (id, found)
        for id, found in group_evenings().items()
        if any(name in match.match.players for match in found)
    ]
    return [(id, name_evening(id, found)) for id, found in attended[: -_OFFERED - 1 : -1]]


def name_evening(id: str, found: list[LoadedMatch]) -> str:
    """The name of an evening, or else its day."""
    written = known_journal().evenings.of(id)
    return written.name or Markup(day(written.date or found[0].begun)).striptags()


def address_with(page: str, **changed: object) -> str:
    """This address with some arguments changed, for another of these pages."""
    known = {name: value for name, value in request.args.items() if name in _ARGUMENTS}
    arguments: dict[str, Any] = {**known, **changed}
    return url_for(page, **arguments)
