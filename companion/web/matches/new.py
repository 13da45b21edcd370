"""A new match: game, players, who deals first, house rules; or one begun on paper, taken over."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from flask import Blueprint, current_app, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_wtf.csrf import CSRFError
from werkzeug.wrappers import Response

from companion import library
from companion.matches import Match
from companion.rules.errors import Unreadable
from companion.rules.rulebook import json_word
from companion.rules.ruling import RuleViolation
from companion.web.support import browser
from companion.web.support.errors import say_cookies_needed
from companion.web.support.forms import WritingForm
from companion.web.support.matches import matches, open_match
from companion.web.support.text import name_of, render_message, requirement

from .new_form import DRAW, NewMatch

bp = Blueprint("new", __name__)

_CHIPS = 8
_COMPANIES = 3


@dataclass(frozen=True)
class Company:
    """Players who sat together before, side by side, and the match they played."""

    match: str
    sides: tuple[tuple[str, ...], ...]


@bp.get("/new")
def new() -> str:
    """The form, for `game`, `preset` and `table` if they are named, or for the match one is to be `like`."""
    like = request.args.get("like")
    fields = _fields_of_match(open_match(like)) if like else dict[str, str]()
    return _show_form(NewMatch(_open_game({**request.args, **fields} or {"game": _last_game()}), fields))


@bp.post("/new")
def start() -> Response | tuple[str, int] | str:
    """Begin the match; or only show the choices of another game, preset or table (`step`)."""
    fields = request.form.to_dict()
    game = _open_game(fields)
    seats_shown = fields.get("shown-table", "")
    fields = _drop_outdated_rules(fields, game)
    form, new_match = WritingForm(), NewMatch(game, fields)
    if fields.get("step") in ("show", "rules"):
        return _show_form(new_match)
    if seats_shown and seats_shown != new_match.seating.name and game.name == fields.get("shown-game"):
        new_match.add_error("", _("The players changed; check the seats, then start."))
        return _show_form(new_match), 422
    refusal = _refuse_browser()
    if refusal:
        new_match.add_error("", refusal)
        return _show_form(new_match), 400
    head_and_opening = new_match.read_head(matches().local_time())
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
    """Why no match can be started in this browser, so that the form is shown again; empty where one can."""
    try:
        if current_app.config["WTF_CSRF_ENABLED"]:
            current_app.extensions["csrf"].protect()
    except CSRFError:
        if request.cookies:
            return _("This form is no longer valid; look at it, then start once more.")
        return say_cookies_needed()
    if request.form.get("browser") == "anew":
        browser.begin_anew()
    if browser.identity().is_unreadable:
        return _("This browser cannot be recognised. Begin anew to start a match all the same.")
    return "" if browser.known_token() is not None else say_cookies_needed()


def _open_game(fields: Mapping[str, str]) -> library.Game:
    """The game that a form names, opened for the table it names; what is unknown as it is usual."""
    games = library.names()
    name = fields.get("game", "")
    name = name if name in games else games[0]
    preset = fields.get("preset")
    seatings = library.seatings(name)
    usual = library.open_game(name).family.ruleset.ring.size
    seating = next(
        (one for one in seatings if one.name == fields.get("table")),
        next(one for one in seatings if one.players == usual),
    )
    preset = preset if preset in library.shelf(name).presets else None
    return library.open_game(name, preset, seating.conventions, seating.players)


def _drop_outdated_rules(fields: Mapping[str, str], game: library.Game) -> dict[str, str]:
    """The fields as sent, without house rules that meant another game than the one now chosen.

    Of another table of the same game those go that were left as they had been proposed.
    """
    shown = {key: fields.get(f"shown-{key}", "") for key in ("game", "preset", "table")}
    if not any(shown.values()):
        return dict(fields)
    if (shown["game"], shown["preset"]) != (game.name, game.preset):
        return {key: one for key, one in fields.items() if not key.startswith("rule-")}
    before = _open_game(shown)
    if before is game:
        return dict(fields)
    proposed = {f"rule-{name}": json_word(value) for name, value in before.conventions.items()}
    impossible = {
        f"rule-{name}"
        for name, one in game.book.conventions.items()
        if one.values and fields.get(f"rule-{name}", "") not in map(json_word, one.values_for(game.players))
    }
    return {
        key: one for key, one in fields.items() if proposed.get(key) != one.strip() and key not in impossible
    }


def _fields_of_match(match: Match) -> dict[str, str]:
    """The fields of a match, as far as another match of the same players begins alike."""
    like = NewMatch(match.game)
    return {
        "game": match.game.name,
        "preset": match.game.preset,
        "table": like.seating.name,
        "place": match.head.get("place", ""),
        **{f"name-{seat}": name for seat, name in match.names.items()},
        **{f"rule-{one.name}": json_word(match.game.conventions[one.name]) for one in like.open_conventions},
    }


def _show_form(new_match: NewMatch) -> str:
    with suppress(browser.UnknownBrowser):
        browser.token()  # known from now on, so that two taps on *Start* are one browser's
    return render_template(
        "matches/new.html",
        new_match=new_match,
        form=WritingForm(),
        books=[library.shelf(name) for name in library.names()],
        names=_known_names()[:_CHIPS],
        companies=_companies(new_match.game.name)[:_COMPANIES],
    )


def _last_game() -> str:
    listed = matches().list_matches(browser.known_token())
    return str(listed[0].head["game"]) if listed else ""


def _companies(game: str) -> list[Company]:
    """Those who played a game in this browser with more than two, the last ones first, each once."""
    companies: dict[tuple[tuple[str, ...], ...], str] = {}
    for one in matches().list_matches(browser.known_token()):
        names = (one.summary or one.head)["players"]
        if one.head["game"] != game or len(names) <= 2:
            continue
        ring = library.seating(game, one.head.get("conventions", {}), len(names)).ring
        seated = dict(zip(ring.seats, names, strict=True))
        sides = tuple(
            tuple(name for seat, name in seated.items() if ring.side(seat) == side) for side in ring.sides
        )
        companies.setdefault(sides, one.id)
    return [Company(id, sides) for sides, id in companies.items()]


def _known_names() -> list[str]:
    """The players of this browser's matches: those of the last one first, then the most frequent."""
    listed = matches().list_matches(browser.known_token())
    players = [(one.summary or one.head).get("players", ()) for one in listed]
    last = list(players[0]) if players else []
    counted = Counter(name for names in players for name in names)
    return list(dict.fromkeys([*last, *(name for name, _count in counted.most_common())]))
