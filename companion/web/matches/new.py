"""A new match: game, players, first dealer, house rules; or one continued from paper."""

from collections.abc import Mapping
from contextlib import suppress

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion import library
from companion.rules.conditions import json_word
from companion.rules.errors import Unreadable
from companion.rules.ruling import RuleViolation
from companion.web.shell.errors import say_cookies_needed
from companion.web.shell.forms import WritingForm
from companion.web.shell.game_list import list_games
from companion.web.shell.matches import matches, open_match
from companion.web.shell.security import browser, headers
from companion.web.shell.text import name_of, render_message, requirement
from companion.web.shell.zone import phone_zone

from . import new_form
from .game_choice import remembered_prefix
from .new_form import DRAW, NewMatch

bp = Blueprint("new", __name__)

_STEPS = ("show", "rules", "usual", "teams")
"""Steps of the form that begin no match: other choices; other house rules; the usual ones; other teams."""
_AS = "as-"
"""The start of the step that chooses a preset, which follows it."""
_CHIPS = 8
_COMPANIES = 3


@bp.get("/new")
def new() -> str:
    """Show the form, filled from the last match, from the one it is to be `like`, or from the address.

    The address names `game`, `preset` and `table`; with `like` too, the players of that match sit down to
    that game.
    """
    asked = {key: arg for key, arg in request.args.items() if key in ("game", "preset", "table")}
    like = request.args.get("like")
    if like:
        match = open_match(like)
        fields = asked | new_form.name_fields(match) if asked else new_form.match_fields(match)
    else:
        fields = _begin_with(asked)
    return _show_form(NewMatch(_open_game(fields), fields))


def _begin_with(asked: Mapping[str, str]) -> dict[str, str]:
    """The fields of the last match if it was of the game asked for; otherwise only its names."""
    last = new_form.last_match_fields(asked.get("game"))
    if not last or asked.keys() & {"preset", "table"}:
        last = last or new_form.last_match_fields()
        last = {key: value for key, value in last.items() if key.startswith("name-")}
    return {**last, **asked}


@bp.post("/new")
def start() -> Response | tuple[str, int] | str:
    """Begin the match; or only show the choices of another game, preset or table (`step`)."""
    fields = request.form.to_dict()
    step = fields.get("step", "")
    if step.startswith(_AS):
        fields["preset"] = step.removeprefix(_AS)
    game = _open_game(fields)
    seats_shown = fields.get("shown-table", "")
    fields = _carry_rules(fields, game)
    if step == "usual":
        fields = {key: field for key, field in fields.items() if not key.startswith("rule-")}
    form, new_match = WritingForm(), NewMatch(game, fields)
    if step == "teams":
        new_match = NewMatch(game, new_match.draw_teams())
    if step in _STEPS or step.startswith(_AS):
        return _show_form(new_match)
    if seats_shown and seats_shown != new_match.seating.name and game.name == fields.get("shown-game"):
        new_match.add_error("", _("The players changed; check the seats, then start."))
        return _show_form(new_match), 422
    refusal = _refuse_browser()
    if refusal:
        new_match.add_error("", refusal)
        return _show_form(new_match), 400
    head_and_opening = new_match.read_head(matches().local_time(phone_zone()))
    if head_and_opening is None:
        return _show_form(new_match), 422
    head, opening = head_and_opening
    try:
        id = matches().start(head, browser.token(), form.key, opening)
    except Unreadable as error:
        new_match.add_error("", requirement(error))
        return _show_form(new_match), 400
    except RuleViolation as error:
        for problem in error.problems:
            new_match.add_error("", render_message(problem.reason))
        return _show_form(new_match), 422
    if new_match.text("dealer") == DRAW:
        match = open_match(id)
        who = name_of(match, match.head["first_dealer"])
        by_lot = new_match.by_lot
        flash(
            _("By lot, %(name)s deals first.", name=who)
            if by_lot
            else _("By the cards drawn, %(name)s deals first.", name=who)
        )
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


def _refuse_browser() -> str:
    """The reason why no match can be started in this browser; empty if one can."""
    if not headers.is_form_ours():
        if request.cookies:
            return _("This form is no longer valid; check it, then start again.")
        return say_cookies_needed()
    if request.form.get("browser") == "anew":
        browser.begin_again()
    if browser.identity().is_unreadable:
        return _("This browser cannot be recognised. Start over to begin a match anyway.")
    return "" if browser.known_token() is not None else say_cookies_needed()


def _open_game(fields: Mapping[str, str]) -> library.Game:
    """Open the game that a form names, for the table that it names; unknown names stand for the usual ones.

    A variety that is not for this table is left out, and the form says so.
    """
    games = library.names()
    name = fields.get("game", "")
    name = name if name in games else list_games().all[0].name
    book, preset = library.read_rulebook(name), fields.get("preset", "")
    seatings = library.seatings(name)
    usual = library.open_game(name).family.ruleset.ring.size
    seating = next(
        (seating for seating in seatings if seating.name == fields.get("table")),
        next(seating for seating in seatings if seating.players == usual),
    )
    variety = book.variety(preset).name if preset in book.presets else None
    with suppress(Unreadable):
        return library.open_game(name, variety, seating.conventions, seating.players)
    return library.open_game(name, None, seating.conventions, seating.players)


def _carry_rules(fields: Mapping[str, str], game: library.Game) -> dict[str, str]:
    """The fields as sent, with the house rules of the game now chosen.

    House rules chosen for another game or table are put aside if this one lacks them, and come back once they
    apply again. Between tables of a game, those that were left as proposed are dropped.
    """
    shown = {key: fields.get(f"shown-{key}", "") for key in ("game", "preset", "table")}
    if not any(shown.values()):
        return dict(fields)
    before = _open_game(shown)
    if before is game:
        return dict(fields)
    proposed = {f"rule-{name}": json_word(value) for name, value in before.conventions.items()}
    chosen = {key: field for key, field in fields.items() if proposed.get(key) != field.strip()}
    there, here = remembered_prefix(before), remembered_prefix(game)
    if there != here:
        chosen = {there + key if key.startswith("rule-") else key: value for key, value in chosen.items()}
    back = {key.removeprefix(here): value for key, value in chosen.items() if key.startswith(here)}
    chosen = back | {key: value for key, value in chosen.items() if not key.startswith(here)}
    return {key if _has_choice(game, key, value) else here + key: value for key, value in chosen.items()}


def _has_choice(game: library.Game, key: str, entry: str) -> bool:
    """True if a field may stay: it is no house rule, or one that this table can choose."""
    if not key.startswith("rule-"):
        return True
    offered = {convention.name: convention for convention in NewMatch(game).open_conventions}
    convention = offered.get(key.removeprefix("rule-"))
    if convention is None:
        return False
    return not convention.values or entry in map(json_word, convention.values_for(game.players))


def _show_form(new_match: NewMatch) -> str:
    if "preset" not in new_match.errors:
        new_match.check_preset()
    with suppress(browser.UnknownBrowser):
        browser.token()  # known from now on, so that two taps on *Start* are one browser's
    return render_template(
        "matches/new.html",
        new_match=new_match,
        form=WritingForm(),
        games=list_games(new_form.played_games()),
        names=new_form.known_names()[:_CHIPS],
        companies=new_form.other_companies(new_match)[:_COMPANIES],
    )
