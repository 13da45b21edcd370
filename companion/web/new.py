"""A new match: game, players, who deals first, house rules; or one begun on paper, taken over."""

from collections import Counter

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion import library, store
from companion.rules.ruling import RuleViolation
from companion.rules.shapes import Unreadable

from . import matches, owner
from .forms import WritingForm
from .new_form import DRAW, NewMatch
from .speech import said

bp = Blueprint("new", __name__)

_CHIPS = 8


@bp.get("/new")
def new() -> str:
    """The form, for `game` and `preset` if they are named."""
    return _page(NewMatch(_game(request.args.get("game"), request.args.get("preset"))))


@bp.post("/new")
def start() -> Response | tuple[str, int] | str:
    """Begin the match; or only show another game's or preset's choices (`step`)."""
    typed = request.form.to_dict()
    game = _game(typed.get("game"), typed.get("preset"))
    if typed.get("step") in ("show", "rules"):
        if (typed.get("shown-game"), typed.get("shown-preset")) != (game.name, game.preset):
            typed = {key: value for key, value in typed.items() if not key.startswith("rule-")}
        return _page(NewMatch(game, typed))
    form, made = WritingForm(), NewMatch(game, typed)
    read = made.read(matches.local_time())
    if read is None:
        return _page(made), 422
    head, opening = read
    try:
        id = matches.start(head, form.key, opening)
    except Unreadable as error:
        made.wrong("", _("%(what)s is expected here.", what=said(error.expected)))
        return _page(made), 400
    except RuleViolation as error:
        for problem in error.problems:
            made.wrong("", said(problem.reason))
        return _page(made), 422
    if made.get("dealer") == DRAW:
        match = matches.get(id)
        who = match.show(match.head["first_dealer"])
        by_lot = made.by_lot
        flash(
            _("By lot %(name)s deals first.", name=who)
            if by_lot
            else _("By the drawn cards %(name)s deals first.", name=who)
        )
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


def _game(name: str | None, preset: str | None) -> library.Game:
    known = library.names()
    name = name if name in known else known[0]
    return library.open_game(name, preset if preset in library.shelf(name).presets else None)


def _page(made: NewMatch) -> str:
    return render_template(
        "new.html",
        made=made,
        form=WritingForm(),
        books=[library.shelf(name) for name in library.names()],
        names=_known_names()[:_CHIPS],
        can_draw=hasattr(made.game.family, "first_dealer") and not made.by_lot,
    )


def _known_names() -> list[str]:
    """The players of this browser's matches: those of the last one first, then the most frequent."""
    listed = store.listing(owner.known())
    players = [(one.cache or one.head).get("players", ()) for one in listed]
    last = list(players[0]) if players else []
    counted = Counter(name for names in players for name in names)
    return list(dict.fromkeys([*last, *(name for name, _count in counted.most_common())]))
