"""The players of this browser's matches, and the standing between them over a span of days."""

from collections import Counter
from dataclasses import replace

from flask import Blueprint, Response, render_template
from flask_babel import gettext as _

from companion.people.evenings import EveningSums, add_evenings, add_up
from companion.sheets import FiguresOrder
from companion.sheets.evening import compose_columns
from companion.sheets.model import EveningColumn, SeasonPage
from companion.web.shell.language import current_language
from companion.web.shell.loaded import group_evenings, known_journal, load_matches
from companion.web.shell.printing import print_sheet
from companion.web.shell.text import translate

from .span import address_with, list_games, read_chosen, read_span, say_span

bp = Blueprint("players", __name__)


@bp.get("/players")
def players() -> str:
    """Show everybody who sat in a match of this browser, most matches first, and the standing."""
    sums, columns = _sum_season()
    return render_template(
        "figures/players.html",
        names=sums.players,
        columns=columns,
        span=list(say_span()),
        chosen=read_chosen(),
        choices={"game": list_games(load_matches())},
        address=address_with,
    )


@bp.get("/players/season.pdf")
def players_pdf() -> Response:
    """Print the same on paper."""
    sums, columns = _sum_season()
    page = SeasonPage(_("Season"), tuple(say_span()), sums.players, columns)
    return print_sheet(FiguresOrder(page, current_language()))


def _sum_season() -> tuple[EveningSums, tuple[EveningColumn, ...]]:
    """Sum up the matches in the span for each player, most matches first."""
    written, span, evening = known_journal().evenings, read_span(), read_chosen()["evening"]
    evenings = {
        id: [found.match for found in loaded if span.fits(found.match)]
        for id, loaded in group_evenings().items()
        if evening in (None, id)
    }
    sums = add_evenings([add_up(matches, written.of(id).stakes) for id, matches in evenings.items()])
    played, attended = Counter[str](), Counter[str]()
    for matches in evenings.values():
        played.update(name for match in matches for name in dict.fromkeys(match.players))
        attended.update({name for match in matches for name in match.players})
    sums = replace(sums, players=tuple(name for name, _number in played.most_common()))
    counts = [
        EveningColumn(label, tuple(str(counted[name]) for name in sums.players))
        for label, counted in ((_("Evenings"), attended), (_("Matches"), played))
    ]
    return sums, (*counts, *compose_columns(sums, translate, current_language()))
