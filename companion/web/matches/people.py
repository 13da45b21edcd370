"""Names and place put right: the head of a match, corrected without a word of it being lost."""

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.store import Stale
from companion.web.support import matches
from companion.web.support.forms import WritingForm

from .new_form import NewMatch

bp = Blueprint("names", __name__)


@bp.get("/m/<id>/names")
def names(id: str) -> str:
    """The form, with the names and the place as they are."""
    match = matches.get_own(id)
    return _page(match, NewMatch(match.game, _typed(match)))


@bp.post("/m/<id>/names")
def mend(id: str) -> Response | tuple[str, int]:
    """Write the names and the place anew; what they were stays in the history."""
    match, form = matches.get_own(id), WritingForm()
    typed = NewMatch(match.game, request.form.to_dict())
    players, place = typed.players(), typed.place()
    if typed.errors:
        return _page(match, typed), 422
    changes = {"players": players, "place": place or None}
    if any(match.head.get(key) != one for key, one in changes.items()):
        try:
            matches.mend(match, changes, form.seen(match.seq), form.key)
        except Stale as stale:
            return _page(matches.get(id), typed, stale), 409
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


def _typed(match: matches.Match) -> dict[str, str]:
    return {f"name-{seat}": name for seat, name in match.names.items()} | {
        "place": match.head.get("place", "")
    }


def _page(match: matches.Match, made: NewMatch, stale: Stale | None = None) -> str:
    changes = stale.events if stale else ()
    return render_template(
        "matches/people.html", match=match, made=made, form=WritingForm(formdata=None), changes=changes
    )
