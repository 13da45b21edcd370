"""The forms of this family's entries: how a hand ended, who touched the cards, the close."""

from collections.abc import Mapping
from typing import Any

from flask_babel import lazy_gettext as _l
from wtforms import BooleanField, RadioField, StringField
from wtforms.validators import InputRequired

from companion.rules.seats import Ring
from companion.web.support.forms import EntryForm

DRAW = "draw"
"""Said in place of a loser where there is none."""


class HandForm(EntryForm):
    """How a hand ended: `result` is the loser, in teams `team:dealer` or the team alone, or a draw.

    `forget` leaves out the bouts that were followed.
    """

    result = StringField(validators=[InputRequired(_l("Tap who is the fool, or that it was a draw."))])
    dealer = StringField()
    trump = StringField()
    forget = BooleanField(false_values=("", None))

    def entry_content(self, ring: Ring) -> dict[str, Any]:
        """The hand as an entry, without its bouts."""
        side, _colon, deals = self.result.data.partition(":")
        optional = {"deals": deals, "dealer": self.dealer.data, "trump": self.trump.data}
        return {
            "type": "hand",
            "loser": None if side == DRAW else side,
            **{key: one for key, one in optional.items() if one},
        }

    @classmethod
    def field_data(cls, entry: Mapping[str, Any]) -> dict[str, Any]:
        """The fields for such an entry."""
        ended = [entry["loser"], entry.get("deals")] if entry.get("loser") else [DRAW]
        return {**super().field_data(entry), "result": ":".join(one for one in ended if one)}


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
