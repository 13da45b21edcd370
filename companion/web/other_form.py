"""The forms of entries that are no deals: agreed adjustments, conceding, breaking off, a paper match."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flask_babel import lazy_gettext as _l
from wtforms import RadioField, SelectField, StringField, TextAreaField
from wtforms.validators import DataRequired, InputRequired, Length, Optional, Regexp

from companion.rules.seats import Ring

from .forms import WritingForm

_WHOLE = r"\s*[+-]?\d{1,4}\s*$"
_NATURAL = r"\s*\d{1,4}\s*$"
_NOTE = Length(max=500, message=_l("At most 500 characters; the rest would be lost."))


class AdjustForm(WritingForm):
    """Points agreed on apart from play; why has to be said."""

    side = RadioField(
        _l("Whose"), [InputRequired(_l("Tap whose points they are."))], choices=[], validate_choice=False
    )
    points = StringField(
        _l("Points, with a minus where they are taken off"),
        [
            DataRequired(_l("How many points is missing.")),
            Regexp(_WHOLE, message=_l("A whole number: 20, or -50.")),
        ],
    )
    reason = StringField(_l("Why"), [DataRequired(_l("Say why, for the sheet shows it.")), _NOTE])
    note = TextAreaField(_l("Note"), [_NOTE])

    def told(self, ring: Ring) -> dict[str, Any]:
        """The entry."""
        points = int(self.points.data or 0)
        return {
            "type": "adjust",
            "side": self.side.data,
            "points": points,
            "reason": self.reason.data.strip(),
        }


class ConcedeForm(WritingForm):
    """Who gives the game up."""

    side = RadioField(
        _l("Who gives up"), [InputRequired(_l("Tap who gives up."))], choices=[], validate_choice=False
    )
    note = TextAreaField(_l("Note"), [_NOTE])

    def told(self, ring: Ring) -> dict[str, Any]:
        """The entry."""
        return {"type": "concede", "side": self.side.data}


class AbandonForm(WritingForm):
    """The game is broken off."""

    note = TextAreaField(_l("Note"), [_NOTE])

    def told(self, ring: Ring) -> dict[str, Any]:
        """The entry."""
        return {"type": "abandon"}


class FinishForm(WritingForm):
    """The end announced, now that the result is written."""

    side = RadioField(
        _l("Who announces the end"),
        [InputRequired(_l("Tap who says so."))],
        choices=[],
        validate_choice=False,
    )
    note = TextAreaField(_l("Note"), [_NOTE])

    def told(self, ring: Ring) -> dict[str, Any]:
        """The entry."""
        return {"type": "finish", "side": self.side.data}


class DiveForm(WritingForm):
    """The stake offered to be doubled, and the answer."""

    by = RadioField(
        _l("Who offers to double"), [InputRequired(_l("Tap who offers."))], choices=[], validate_choice=False
    )
    accepted = RadioField(
        _l("The answer"), [InputRequired(_l("Tap the answer."))], choices=["yes", "no"], validate_choice=False
    )
    note = TextAreaField(_l("Note"), [_NOTE])

    def told(self, ring: Ring) -> dict[str, Any]:
        """The entry."""
        return {"type": "dive", "by": self.by.data, "accepted": self.accepted.data == "yes"}


class PencilForm(WritingForm):
    """A wrong writing found after the pencil was put down; `deal` is the number of the deal's entry."""

    by = RadioField(
        _l("Who wrote it"), [InputRequired(_l("Tap whose it is."))], choices=[], validate_choice=False
    )
    deal = SelectField(_l("In which deal"), [InputRequired(_l("Say which deal."))], validate_choice=False)
    wrote = StringField(
        _l("What was written"),
        [
            InputRequired(_l("What was written is missing.")),
            Regexp(_NATURAL, message=_l("A whole number, such as 87.")),
        ],
    )
    should = StringField(
        _l("What it should have been"),
        [
            InputRequired(_l("What is right is missing.")),
            Regexp(_NATURAL, message=_l("A whole number, such as 77.")),
        ],
    )
    note = TextAreaField(_l("Note"), [_NOTE])

    def told(self, ring: Ring) -> dict[str, Any]:
        """The entry."""
        deal = self.deal.data or ""
        told = {
            "type": "pencil",
            "by": self.by.data,
            "deal": int(deal) if deal.isascii() and deal.isdigit() else 0,
        }
        return {**told, "wrote": int(self.wrote.data or 0), "should": int(self.should.data or 0)}


class OpeningForm(WritingForm):
    """What stood on paper; `form_for` adds a total for each side."""

    held = StringField(
        _l("Held points, oldest first: 30 + 20"),
        [Optional(), Regexp(r"[\d+\s]{0,200}$", message=_l("Whole numbers joined by a plus: 30 + 20."))],
    )
    dealer = RadioField(_l("Who deals next"), [Optional()], choices=[], validate_choice=False, default="")
    note = TextAreaField(_l("Note"), [_NOTE])

    def told(self, ring: Ring) -> dict[str, Any]:
        """The entry."""
        totals = {side: int(self[f"total_{side}"].data or 0) for side in ring.sides}
        held = [int(part) for part in (self.held.data or "").replace("+", " ").split()]
        dealer = {"dealer": self.dealer.data} if self.dealer.data else {}
        return {"type": "opening", "totals": totals, **({"held": held} if held else {}), **dealer}


FORMS: Mapping[str, type[WritingForm]] = {
    "adjust": AdjustForm,
    "concede": ConcedeForm,
    "abandon": AbandonForm,
    "opening": OpeningForm,
    "finish": FinishForm,
    "dive": DiveForm,
    "pencil": PencilForm,
}


@lru_cache(maxsize=16)
def form_for(kind: str, ring: Ring) -> type[WritingForm] | None:
    """The form for an entry of this type, or None where there is none."""
    if kind != "opening":
        return FORMS.get(kind)
    total = [
        InputRequired(_l("The total is missing.")),
        Regexp(_WHOLE, message=_l("A whole number, such as 240.")),
    ]
    return type(
        "OpeningForm", (OpeningForm,), {f"total_{side}": StringField(validators=total) for side in ring.sides}
    )


def told(form: Any, ring: Ring) -> dict[str, Any]:
    """The entry that a form tells, with its note."""
    note = (form.note.data or "").strip()
    return {**form.told(ring), **({"note": note} if note else {})}


_PLAIN = ("side", "points", "reason", "note", "dealer", "by", "deal", "wrote", "should")
"""Fields that hold what the entry says as it stands."""


def typed(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The form's fields for an entry that is to be put right."""
    fields = {key: str(entry[key]) for key in _PLAIN if key in entry}
    if "accepted" in entry:
        fields["accepted"] = "yes" if entry["accepted"] else "no"
    fields |= {f"total_{side}": str(points) for side, points in entry.get("totals", {}).items()}
    return fields | ({"held": " + ".join(map(str, entry["held"]))} if entry.get("held") else {})
