"""What browsers may keep of a page: of those with names only forms, to find what was typed by going back."""

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
}
"""Pages on which something is typed or tapped together."""

NAMELESS = {
    "questions.game",
    "questions.question",
    "questions.questions",
    "rulebook.compare",
    "rulebook.rulebook",
    "rulebook.shelf",
    "sheets.blank",
    "sheets.card",
    "static",
}
"""Pages that hold nobody's name, unless they are about a match."""


def choose_rule() -> str:
    """The `Cache-Control` of the page that is being answered."""
    return "private, no-cache" if _may_be_kept() else "private, no-store"


def _may_be_kept() -> bool:
    """Whether a browser may keep a page: one without names, or a form, to find it again by going back."""
    if request.endpoint in TYPED_IN or (request.endpoint == "entries.entry" and "edit" in request.args):
        return True
    return g.get("match") is None and request.endpoint in NAMELESS
