"""The phones that joined a match, as every page may name them."""

from flask import Flask, g
from flask_babel import gettext as _

from companion.matches import Match
from companion.store import Grant
from companion.web.shell.matches import matches


def init_app(app: Flask) -> None:
    """Templates ask `joined_phones(match)` and `name_phone(match, grant)`."""
    app.add_template_global(joined_phones)
    app.add_template_global(name_phone)


def joined_phones(match: Match) -> list[Grant]:
    """The phones that take part in a match beside the one it began on, the one that joined last first."""
    found: dict[str, list[Grant]] = g.setdefault("joined_phones", {})
    if match.id not in found:
        found[match.id] = matches().invitations.list_joined(match)
    return found[match.id]


def name_phone(match: Match, grant: Grant) -> str:
    """A phone that takes part: by the side that it speaks for, or by its kind."""
    if grant.side is not None:
        return str(_("%(name)s’s phone", name=match.side_name(grant.side)))
    return str(_("another phone (%(kind)s)", kind=grant.phone) if grant.phone else _("another phone"))
