"""Names of entries on pages: "Deal 3", "An adjustment"."""

from flask import Flask
from flask_babel import gettext as _

from companion.matches import Match

from .game_ui import game_ui


def init_app(app: Flask) -> None:
    """Give templates `name_entry(match, id)`."""
    app.add_template_global(name_entry)


def name_entry(match: Match, id: int | None) -> str:
    """An entry by its name; a withdrawn one has no number."""
    logged = match.entry(id) if id is not None else None
    if logged is None:
        return _("An entry")
    return name_entry_then(match, logged.payload.get("type", ""), match.counted_number(logged.id))


def name_entry_then(match: Match, kind: str, number: int | None) -> str:
    """An entry of a type by the number it had, if it is one of those that are counted."""
    if kind == match.game.family.counted_entry:
        return game_ui(match.game).name_counted(number)
    return name_entry_type(match, kind)


def name_entry_type(match: Match, kind: str) -> str:
    """The name of an entry without a number."""
    return game_ui(match.game).entry_names().get(kind) or _("An entry")
