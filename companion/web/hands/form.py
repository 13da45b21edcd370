"""The forms of this family's entries: how a hand ended, who touched the cards, the close."""

from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from wtforms import BooleanField, RadioField, SelectMultipleField, StringField
from wtforms.validators import InputRequired, ValidationError

from companion.rules.seats import Ring
from companion.web.shell.forms import EntryForm

DRAW = "draw"
"""Said in place of a loser where there is none."""
LEFT = "left"
"""Said in place of a loser where that follows from who left the table."""
MISDEAL = "misdeal"
"""Said in place of a loser where the hand was dealt again."""

_FIVE_SUITED = "five-suited"


class HandForm(EntryForm):
    """How a hand ended: `result` is the loser, in teams `team:dealer` or the team alone, or a draw.

    It is `misdeal:seat` where that player demanded a new deal, `left` where all follows from who left the
    table. `order` are the players in the order in which they went out, an empty place for whom nobody knows.
    `forget` leaves out the bouts that were followed.
    """

    result = StringField(validators=[InputRequired(_l("Tap who is the fool, or that it was a draw."))])
    dealer = StringField()
    trump = StringField()
    walked_out = StringField()
    walked_after = StringField()
    sixes = StringField()
    order = SelectMultipleField(choices=[], validate_choice=False)
    forget = BooleanField(false_values=("", None))

    @property
    def ending(self) -> str:
        """How the hand ended: the side that lost, or what is said in its place."""
        return (self.result.data or "").partition(":")[0]

    def validate_walked_out(self, field: StringField) -> None:
        """Where something hangs on who left the table, somebody did."""
        if not field.data and (self.ending == LEFT or self.walked_after.data):
            raise ValidationError(_("Tap who left the table."))

    def validate_walked_after(self, field: StringField) -> None:
        """A number of bouts, if any."""
        _check_number(field)

    def validate_sixes(self, field: StringField) -> None:
        """A number of cards, if any; nobody has epaulettes where nobody lost."""
        _check_number(field)
        if self.ending in (DRAW, MISDEAL) and field.data not in (None, "", "0"):
            raise ValidationError(_("Only the loser has epaulettes: tap 0, or tap who is the fool."))

    def validate_order(self, field: SelectMultipleField) -> None:
        """Nobody goes out twice, and nobody's place is left open before another's."""
        named = [seat for seat in field.data or () if seat]
        if len(set(named)) < len(named):
            raise ValidationError(_("Somebody is listed twice; each player goes out only once."))
        if named != (field.data or [])[: len(named)]:
            raise ValidationError(_("Fill the places in order, without gaps."))

    def validate_result(self, field: StringField) -> None:
        """Somebody demands a new deal, and then nothing is said of a play."""
        if field.data == MISDEAL:
            raise ValidationError(_("Tap who was dealt five of one suit."))
        if self.ending == MISDEAL and (self.walked_out.data or any(self.order.data or ())):
            why = _(
                "A hand that is dealt again was not played: take out who left the table and who went out."
            )
            raise ValidationError(why)

    def entry_content(self, ring: Ring) -> dict[str, Any]:
        """The hand as an entry, without its bouts."""
        ending, _colon, who = (self.result.data or "").partition(":")
        facts: dict[str, Any] = {"dealer": self.dealer.data, "trump": self.trump.data}
        match ending:
            case "misdeal":
                facts |= {"misdeal": _FIVE_SUITED, "by": who}
            case "left":
                facts |= {"deals": who}
            case _:
                facts |= {"deals": who, "loser": None if ending == DRAW else ending}
        facts |= {
            "walked_out": self.walked_out.data,
            "order": [seat for seat in self.order.data or () if seat],
        }
        facts |= {"walked_after": _read_number(self.walked_after), "sixes": _read_number(self.sixes)}
        if ending in (DRAW, MISDEAL):
            facts["sixes"] = None
        return {"type": "hand", **{key: fact for key, fact in facts.items() if _is_said(key, fact)}}

    @classmethod
    def field_data(cls, entry: Mapping[str, Any]) -> dict[str, Any]:
        """The fields for such an entry; one that has not ended says no result."""
        order = list(entry.get("order") or ())
        return {**super().field_data(entry), "result": _ending_value(entry), "order": order}


def _ending_value(entry: Mapping[str, Any]) -> str:
    """The `result` of the form for a hand; empty where it says nothing of its end."""
    if "misdeal" in entry:
        return f"{MISDEAL}:{entry.get('by', '')}"
    if "loser" not in entry and "walked_out" not in entry:
        return ""
    ending = (entry["loser"] or DRAW) if "loser" in entry else LEFT
    return ":".join(part for part in (ending, entry.get("deals")) if part)


def _is_said(key: str, value: Any) -> bool:
    return value not in (None, "", []) or (key == "loser" and value is None)


def _check_number(field: StringField) -> None:
    if field.data and not (field.data.isascii() and field.data.isdigit() and len(field.data) < 4):
        raise ValidationError(_("A whole number."))


def _read_number(field: StringField) -> int | None:
    return int(field.data) if field.data else None


class TouchForm(EntryForm):
    """Who touched the cards, or cut them."""

    of_seats = True

    by = RadioField(_l("Who"), [InputRequired(_l("Tap who it was."))], choices=[], validate_choice=False)
    cards = RadioField(
        _l("The cards were"),
        [InputRequired(_l("Tap what happened."))],
        choices=[],
        validate_choice=False,
        default="touched",
    )

    def entry_content(self, ring: Ring) -> dict[str, Any]:
        """The entry."""
        return {"type": "touch", "by": self.by.data, "cards": self.cards.data}


class CloseForm(EntryForm):
    """The session is over."""

    def entry_content(self, ring: Ring) -> dict[str, Any]:
        """The entry."""
        return {"type": "close"}


SIDE_FORMS: Mapping[str, type[EntryForm]] = {"touch": TouchForm, "close": CloseForm}
