"""Sheets to look at, to print and to fill in by hand."""

from functools import partial

from flask import Blueprint, Response, abort, current_app, render_template, request, url_for
from markupsafe import Markup

from companion import archives, library, sheets
from companion.matches import Match
from companion.sheets import html
from companion.sheets.printer import SheetOrder, get_ready
from companion.web.rulebook import RuleSearch, find_words, rule_table
from companion.web.rulings import attached_rulings
from companion.web.shell import jobs
from companion.web.shell.codes import is_known_here_only
from companion.web.shell.hosts import current_host
from companion.web.shell.language import current_language
from companion.web.shell.matches import matches, open_match
from companion.web.shell.printing import print_sheet
from companion.web.shell.zone import phone_zone

bp = Blueprint("sheets", __name__)

_MAX_PRINTED = 450
"""The most characters of an address that a phone still reads from the square on a sheet, an inch wide."""

_SHOWN_ENTRIES = 100
"""The most entries on a sheet that is only looked at."""


@bp.get("/m/<id>/sheet")
def sheet(id: str) -> str:
    """Show the match's sheet as it will be printed; of a long match only its end."""
    match = open_match(id)
    played = sheets.PlayedPart(match.states, max(0, len(match.standing_entries) - _SHOWN_ENTRIES))
    page = order_sheet(match).compose(played)
    return render_template("matches/sheet.html", match=match, page=page, sheet=_show_sheet(page))


@bp.get("/m/<id>/sheet.pdf")
def sheet_pdf(id: str) -> Response:
    """Print the match's sheet on paper."""
    return print_sheet(order_sheet(open_match(id)))


@bp.get("/sheets/<game>")
def blank(game: str) -> str:
    """Show an empty sheet, and the paper to choose."""
    opened = _open_game(game)
    page = _order_blank(opened).compose()
    return render_template(
        "matches/blank.html", game=opened, page=page, sizes=library.sizes(game), sheet=_show_sheet(page)
    )


@bp.get("/sheets/<game>/blank.pdf")
def blank_pdf(game: str) -> Response:
    """Print an empty sheet on paper."""
    return print_sheet(_order_blank(_open_game(game)))


@bp.get("/sheets/<game>/card")
def card(game: str) -> str:
    """Show the table card, and the table and the paper to choose."""
    table = rule_table(game, request.args)
    page = SheetOrder("rules", table.game, language=current_language()).compose()
    return render_template(
        "matches/card.html",
        words=find_words(game, current_language(), RuleSearch()),
        table=table,
        game=table.game,
        page=page,
        seatings=library.seatings(game, table.game.rules),
        is_for=partial(library.is_for, game, rules=table.game.rules),
        sheet=_show_sheet(page),
    )


@bp.get("/sheets/<game>/card.pdf")
def card_pdf(game: str) -> Response:
    """Print the table card of a game, by the rules of a preset, for so many players, or of a `match`."""
    table = rule_table(game, request.args)
    words = library.glossary(game)
    return print_sheet(SheetOrder("rules", table.game, language=current_language(), words=words))


def _writing() -> str | None:
    """The way to write the score: `tally=0` as running totals, else the usual one.

    `tally=1` is in strokes, `tally=2` so that 18 stands as 20 less 2.
    """
    return {"0": "table", "1": "tally", "2": "tally-negative"}.get(request.args.get("tally", ""))


def _open_game(game: str) -> library.Game:
    """The game with this name and the address's preset and players; answers 404 without one."""
    if game not in library.names():
        abort(404)
    players = request.args.get("players", type=int)
    return library.open_game(game, request.args.get("preset"), players=players)


def _order_blank(game: library.Game) -> SheetOrder:
    return SheetOrder("blank", game, language=current_language(), writing=_writing())


def order_sheet(match: Match) -> SheetOrder:
    """The sheet of a match in the language of the page, by the clock of the phone."""
    zone = phone_zone()
    return SheetOrder(
        "match",
        match.game,
        match.to_record(),
        language=current_language(),
        address=_address(match),
        corrections=_corrections(match),
        rulings=_ruling_notes(match),
        writing=_writing(),
        zone=zone.key if zone is not None else sheets.LOCAL,
    )


def _address(match: Match) -> str:
    """The match's address for other phones; empty if the app is only known to this machine.

    Without a server it is the link that holds the match, if a square on paper has room for that.
    """
    if is_known_here_only():
        return ""
    if current_host().has_server:
        return url_for("short_addresses.match", id=match.id, _external=True)
    link = url_for("short_addresses.front_page", _external=True) + archives.write_fragment(
        matches(), match, with_history=False
    )
    return link if len(link) <= _MAX_PRINTED else ""


def _ruling_notes(match: Match) -> list[sheets.RulingNote]:
    """The notes on settled disputes: the question, the answer, and its rules.

    Rules are cited as on the table card, without the name of the game: `§ play.follow`, on one line.
    """
    notes = []
    for ruling in attached_rulings(match):
        ids = (id.partition(".")[2].replace("-", "\N{NON-BREAKING HYPHEN}") for id in ruling.rules)
        rules = " ".join(f"§\N{NO-BREAK SPACE}{id}" for id in ids)
        number = match.number(ruling.entry) if ruling.entry else None
        notes.append(sheets.RulingNote(number, f"{ruling.text} {rules}".strip()))
    return notes


def _corrections(match: Match) -> list[sheets.Correction]:
    """The corrections after an entry was written; one that was undone at once does not count."""
    corrections = []
    for id in sorted({event.about for event in match.log.corrections if event.about is not None}):
        logged, standing = match.entry(id), match.number(id)
        if logged is None:
            continue
        if standing is not None:
            if logged.is_corrected(match.game.family.later_facts):
                corrections.append(sheets.Correction(standing, logged.events[0].payload))
        elif match.log.place(id) and any(
            event.kind == "withdraw" and not event.undoes for event in logged.events
        ):
            corrections.append(sheets.Correction(match.log.place(id)))
    return corrections


def _show_sheet(page: html.Page) -> Markup:
    """Show the sheet, while a worker gets ready to print it."""
    if not current_app.testing:
        jobs.prepare(get_ready)
    return html.write_sheet(page, current_language())
