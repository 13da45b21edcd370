"""What browsers may keep of a page: of those with names only forms, to find what was typed by going back.

The app on the phone keeps more, in a place that only the pages of this browser's identity come from.
"""

from flask import g, request

TYPED_IN = {
    "deals.deal",
    "deals.enough",
    "deals.record",
    "entries.add",
    "entries.amend",
    "entries.more",
    "follow.follow",
    "follow.tap",
    "hands.hand",
    "hands.record",
    "new.new",
    "new.start",
    "people.correct_head",
    "people.people",
    "questions.match_question",
    "remarks.object_to",
}
"""Pages on which something is typed or tapped together."""

NAMELESS = {
    "questions.game",
    "questions.question",
    "questions.questions",
    "rulebook.compare",
    "rulebook.rulebook",
    "rulebook.catalogue",
    "sheets.blank",
    "sheets.card",
    "static",
}
"""Pages that hold nobody's name, unless they are about a match."""

WHATEVER_QUERY = {
    "deals.deal",
    "deals.enough",
    "entries.more",
    "follow.follow",
    "hands.hand",
    "scoreboard.scoreboard",
}
"""Pages of a match that are of use without what their address says behind the `?`."""

IN_PHONE = {
    *WHATEVER_QUERY,
    "entries.entry",
    "entries.more",
    "history.history",
    "importing.choose",
    "index.index",
    "kept.offline",
    "new.new",
    "people.people",
    "questions.game",
    "questions.match_question",
    "questions.match_questions",
    "questions.question",
    "questions.questions",
    "remarks.object_to",
    "rulebook.compare",
    "rulebook.rulebook",
    "rulebook.catalogue",
    "saved_rulings.look",
    "sheets.sheet",
}
"""Pages that the phone keeps for the time without network; those of a match for its owner alone."""


SEEN = "X-Seen"
"""The header of a page that asks whether it is still as it was: by what it says of its age, "LOG.ACCESS"."""


def choose_rule() -> str:
    """The `Cache-Control` of the page that is being answered."""
    return "private, no-cache" if _may_be_cached() else "private, no-store"


def is_background() -> bool:
    """Whether the phone fetches a page to keep it, or a part of it: nobody sees what can be seen once."""
    return "X-Keep" in request.headers or SEEN in request.headers


def _may_be_cached() -> bool:
    """Whether a browser may keep a page: one without names, or a form, to find it again by going back."""
    if request.endpoint in TYPED_IN or (request.endpoint == "entries.entry" and "edit" in request.args):
        return True
    return g.get("match") is None and request.endpoint in NAMELESS
