"""The forms of entries other than deals: adjustments, concessions, breaking off, totals from paper."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flask_babel import lazy_gettext as _l
from wtforms import RadioField, SelectField, StringField
from wtforms.validators import DataRequired, InputRequired, Optional, Regexp

from companion.jacknine import entries
from companion.rules.game import GameRules
from companion.web.shell.forms import NOTE_LENGTH, EntryForm

_INTEGER = r"\s*[+-]?\d{1,4}\s*$"
_NATURAL = r"\s*\d{1,4}\s*$"


def required_choice(label: Any, missing: Any) -> RadioField:
    """Make the field of a required choice; the template lists the choices."""
    return RadioField(label, [InputRequired(missing)], choices=[], validate_choice=False)


class AdjustForm(EntryForm):
    """Points agreed on outside play; a reason is required."""

    shape = entries.Adjustment
    side = required_choice(_l("Whose points"), _l("Tap whose points they are."))
    points = StringField(
        _l("Points, with a minus to take them off"),
        [DataRequired(_l("Required.")), Regexp(_INTEGER, message=_l("A whole number: 20, or -50."))],
    )
    reason = StringField(_l("Why"), [DataRequired(_l("Required: the sheet shows the reason.")), NOTE_LENGTH])


class ConcedeForm(EntryForm):
    """A side that gives the game up."""

    shape = entries.Concession
    side = required_choice(_l("Who gives up"), _l("Tap who gives up."))


class AbandonForm(EntryForm):
    """The game is broken off."""

    shape = entries.Abandonment


class FinishForm(EntryForm):
    """The announcement of the end, once the result is written."""

    shape = entries.Finish
    side = required_choice(_l("Who announces the end"), _l("Tap who announces it."))


class DiveForm(EntryForm):
    """An offer to double the stake, and the answer."""

    shape = entries.Dive
    by = required_choice(_l("Who offers to double"), _l("Tap who offers."))
    accepted = RadioField(
        _l("The answer"), [InputRequired(_l("Tap the answer."))], choices=["yes", "no"], validate_choice=False
    )


class PencilForm(EntryForm):
    """A writing mistake found after the pencil was put down; `deal` is the number of the deal's entry."""

    shape = entries.Pencil
    by = required_choice(_l("Who wrote it"), _l("Tap who wrote it."))
    deal = SelectField(
        _l("In which deal"), [InputRequired(_l("Required: choose the deal."))], validate_choice=False
    )
    wrote = StringField(
        _l("What was written"),
        [InputRequired(_l("Required.")), Regexp(_NATURAL, message=_l("A whole number, such as 87."))],
    )
    should = StringField(
        _l("What it should have been"),
        [InputRequired(_l("Required.")), Regexp(_NATURAL, message=_l("A whole number, such as 77."))],
    )


class OpeningForm(EntryForm):
    """The totals from paper.

    `side_form_class` adds a field for each side, and omits `held` if a tie holds no points.
    """

    shape = entries.Opening
    held = StringField(
        _l("Held points, oldest first: 30 + 20"),
        [Optional(), Regexp(r"[\d+\s]{0,200}$", message=_l("Whole numbers joined by plus signs: 30 + 20."))],
    )
    dealer = RadioField(_l("Who deals next"), [Optional()], choices=[], validate_choice=False, default="")


FORMS: Mapping[str, type[EntryForm]] = {
    "adjust": AdjustForm,
    "concede": ConcedeForm,
    "abandon": AbandonForm,
    "opening": OpeningForm,
    "finish": FinishForm,
    "dive": DiveForm,
    "pencil": PencilForm,
}


@lru_cache(maxsize=16)
def side_form_class(kind: str, ruleset: GameRules) -> type[EntryForm] | None:
    """The form for an entry of this type, or None."""
    if kind != "opening":
        return FORMS.get(kind)
    total = [InputRequired(_l("Required.")), Regexp(_INTEGER, message=_l("A whole number, such as 240."))]
    totals = {f"total_{side}": f"totals.{side}" for side in ruleset.ring.sides}
    fields: dict[str, Any] = {name: StringField(validators=total) for name in totals}
    fields |= {"lines": tuple(totals.items())} | ({} if ruleset.holds_points() else {"held": None})
    return type("OpeningForm", (OpeningForm,), fields)
