"""The names of players: renamed in all matches, merged with another player, separated again."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from companion.figures import clean_name
from companion.people import UNDO, Note, drop_undone
from companion.record.head import NAME_LIMIT, check_name
from companion.rules.errors import Unreadable
from companion.rules.schema import check_text
from companion.web.shell.forms import WritingForm
from companion.web.shell.loaded import known_players, load_matches
from companion.web.shell.matches import matches
from companion.web.shell.security import browser
from companion.web.shell.text import requirement

bp = Blueprint("player_names", __name__)

_KINDS = ("rename", "separate")


@bp.get("/player/names")
def names() -> str:
    """Show the forms, and the last change with its undo."""
    return _show(_find_player())


@bp.post("/player/names")
def change() -> Response | tuple[str, int]:
    """Rename, merge, separate, or undo the last of these; records of matches stay as they are."""
    player, sent, owner, form = _find_player(), request.form, browser.token(), WritingForm()
    if matches().has_note(owner, form.key):
        return redirect(url_for("player_names.names", name=player), 303)
    kind, said, called = "rename", {"player": player}, player
    match sent.get("do"):
        case "separate" if (spelling := sent.get("spelling")) in _list_others(player):
            kind, said = "separate", {"spelling": str(spelling)}
        case "undo" if (last := _find_last()) is not None and last.id == sent.get("note"):
            kind, said = UNDO, {"undoes": last.id}
            called = str(last.said.get("player") or last.said.get("spelling"))
        case "merge" if sent.get("other") in _list_players():
            said["name"] = called = sent["other"]
        case "rename":
            said["name"] = called = clean_name(sent.get("name", ""))
        case _:
            return _show(player, "", _("This has changed meanwhile: look again.")), 409
    problem = _find_problem(player, said["name"]) if "name" in said else ""
    if problem:
        return _show(player, sent.get("name", ""), problem), 422
    matches().add_note(owner, form.key, kind, said)
    return redirect(url_for("player_names.names", name=called), 303)


def _find_player() -> str:
    """The player that the address names; answers 404 for an unknown one."""
    player = known_players().find(clean_name(request.args.get("name", "")))
    if player not in _list_players():
        abort(404)
    return player


def _list_players() -> list[str]:
    return [*dict.fromkeys(name for found in load_matches() for name in found.match.players)]


def _list_others(player: str) -> list[str]:
    """The other spellings of a player's name."""
    seen = (clean_name(name) for found in load_matches() for name in found.summary.players)
    return [name for name in known_players().list_spellings(player, seen) if name != player]


def _find_problem(player: str, name: str) -> str:
    """The reason why a player cannot have this name; empty if it can."""
    try:
        check_text(name, "name", 1, NAME_LIMIT)
        check_name(name, "name")
    except Unreadable as error:
        return requirement(error)
    called = known_players().find(name)
    if called != player and any({called, player} <= {*found.match.players} for found in load_matches()):
        return _(
            "%(name)s and %(other)s played at the same table, so they are two people.",
            name=player,
            other=called,
        )
    return ""


def _find_last() -> Note | None:
    """The last change that counts, or None."""
    changes = [
        note for note in drop_undone(matches().list_notes(browser.known_token())) if note.kind in _KINDS
    ]
    return changes[-1] if changes else None


def _show(player: str, typed: str = "", problem: str = "") -> str:
    return render_template(
        "figures/names.html",
        name=player,
        typed=typed or player,
        problem=problem,
        others=sorted({*_list_players()} - {player}),
        spellings=_list_others(player),
        last=_find_last(),
        form=WritingForm(formdata=None),
        limit=NAME_LIMIT,
    )
