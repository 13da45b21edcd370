"""What players say of entries, in words: who agrees, who objects to what, and how that ended."""

from collections.abc import Mapping

from flask_babel import gettext as _

from companion.matches import Match
from companion.record.log import Event
from companion.web.shell.authors import name_borrowed_phone
from companion.web.shell.game_ui import game_ui
from companion.web.shell.text import isolate_name, say


def describe_remark(match: Match, event: Event, entry: str) -> str:
    """A remark in words: by which side, about an entry of this name, on whose phone."""
    said = event.payload or {}
    match event.kind:
        case "agree":
            side = str(said["side"])
            text = _("%(what)s: %(name)s agreed", what=entry, name=_name(match, side))
        case "object":
            side = str(said["side"])
            words = game_ui(match.game).objection_words(match, event.entry or 0)
            text = _(
                "%(what)s: %(name)s objected – %(reason)s",
                what=entry,
                name=_name(match, side),
                reason=say(match, words.get(str(said["reason"])) or words["other"]),
            )
            claim = describe_claim(match, str(said.get("text", "")), said.get("totals"))
            text = f"{text}; {claim}" if claim else text
        case _:
            side = match.side_of_objection(said["objection"]) or ""
            text = _("%(what)s: %(name)s withdrew the objection", what=entry, name=_name(match, side))
    phone = name_borrowed_phone(match, event.author, side)
    return _("%(what)s (on %(phone)s)", what=text, phone=phone) if phone else text


def describe_claim(match: Match, text: str, totals: Mapping[str, int] | None) -> str:
    """What an objection says beside its reason: the figures held to be right, the objector's own words."""
    parts = []
    if totals:
        figures = ":".join(str(totals[side]) for side in match.state.ring.sides if side in totals)
        parts.append(_("should be %(figures)s", figures=figures))
    if text:
        parts.append(_("“%(text)s”", text=text))
    return ", ".join(parts)


def name_reason(match: Match, entry: int, reason: str) -> str:
    """The reason of an objection, in the words of the game."""
    ui = game_ui(match.game)
    reasons = ui.objection_reasons(match, entry)
    return reasons.get(reason) or reasons["other"]


def _name(match: Match, side: str) -> str:
    return isolate_name(match.side_name(side)) if side in match.state.ring.sides else side
