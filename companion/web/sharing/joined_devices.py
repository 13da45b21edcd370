"""The phones that joined a match or wrote in it, as every page may name them."""

from flask import Flask, g
from flask_babel import gettext as _

from companion.matches import Match
from companion.record.portable_log import AUTHOR
from companion.store import Grant
from companion.web.shell.matches import access, matches
from companion.web.shell.security import browser


def init_app(app: Flask) -> None:
    """Give templates `joined_phones(match)`, `has_left(match)`, `name_phone` and `name_author`."""
    for function in (joined_phones, has_left, name_phone, name_author):
        app.add_template_global(function)


def joined_phones(match: Match) -> list[Grant]:
    """The phones that take part in a match beside the one it began on, the one that joined last first."""
    found: dict[str, list[Grant]] = g.setdefault("joined_phones", {})
    if match.id not in found:
        found[match.id] = matches().invitations.list_joined(match)
    return found[match.id]


def has_left(match: Match) -> bool:
    """True if this browser took part in a match once, and does no longer: it left, or was removed."""
    who = browser.known_token()
    return who is not None and not access(match).takes_part and matches().invitations.has_left(match, who)


def name_phone(match: Match, grant: Grant) -> str:
    """The name of a phone that takes part: by the side that it speaks for, or by its kind."""
    if grant.side is not None:
        return str(_("%(name)s’s phone", name=match.side_name(grant.side)))
    return str(_("another phone (%(kind)s)", kind=grant.phone) if grant.phone else _("another phone"))


def name_author(match: Match, author: str) -> str:
    """The name of the phone that wrote.

    It is "you", "the scorekeeper", the side that it speaks for, or a letter.
    """
    if author == browser.known_token():
        return str(_("you"))
    if author == match.owner:
        return str(_("the scorekeeper"))
    side = _speakers(match).get(author)
    if side:
        return str(_("%(name)s’s phone", name=match.side_name(side)))
    if AUTHOR.fullmatch(author):  # it wrote before the match was imported
        return str(_("phone %(letter)s", letter=author.upper()))
    return str(_("somebody else"))


def name_borrowed_phone(match: Match, author: str, side: str) -> str:
    """The name of another's phone on which a side agreed or objected; empty for its own.

    It fits the middle of a sentence.
    """
    if author == match.owner:
        return str(_("the scorekeeper’s phone"))
    own = _speakers(match).get(author)
    if own == side:
        return ""
    return str(_("%(name)s’s phone", name=match.side_name(own)) if own else _("somebody else’s phone"))


def _speakers(match: Match) -> dict[str, str | None]:
    speakers: dict[str, dict[str, str | None]] = g.setdefault("speakers", {})
    if match.id not in speakers:
        speakers[match.id] = matches().invitations.speakers(match)
    return speakers[match.id]
