"""The form of an objection: who objects, for what reason, what would be right, in what words."""

from collections.abc import Collection
from functools import cache

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from wtforms import RadioField, StringField
from wtforms.validators import Length

from companion.rules.seats import Ring
from companion.web.shell.forms import WritingForm

_MAX_TEXT = 300


class ObjectionForm(WritingForm):
    """An objection as it was typed; each side has a field for its figures, `total_A`."""

    side = RadioField(_l("Who objects"), choices=[], validate_choice=False)
    reason = RadioField(_l("Why"), choices=[], validate_choice=False)
    text = StringField(
        _l("In your words"),
        [Length(max=_MAX_TEXT, message=_l("At most 300 characters; the rest would be lost."))],
    )
    figure_sides: tuple[str, ...] = ()

    def check(self, sides: Collection[str], reasons: Collection[str], has_figures: bool) -> bool:
        """Whether an objection is complete; what is missing is said at its field."""
        self.validate()
        if len(sides) == 1:
            self.side.data = next(iter(sides))
        if self.side.data not in sides:
            _add_error(self.side, _("Tap who objects."))
        if self.reason.data not in reasons:
            _add_error(self.reason, _("Tap what is wrong."))
        if not has_figures:
            for side in self.figure_sides:
                self[f"total_{side}"].data = ""
        typed = self.typed_figures
        if typed and len(typed) < len(self.figure_sides):
            missing = next(side for side in self.figure_sides if side not in typed)
            _add_error(self[f"total_{missing}"], _("Fill in every side, or none."))
        for side, text in typed.items():
            if not (text.isascii() and text.isdigit() and len(text) <= 4):
                _add_error(self[f"total_{side}"], _("Must be a whole number from 0 to 9999."))
        return not self.errors

    @property
    def typed_figures(self) -> dict[str, str]:
        """The figures typed, by side."""
        typed = {side: (self[f"total_{side}"].data or "").strip() for side in self.figure_sides}
        return {side: text for side, text in typed.items() if text}

    @property
    def said_by(self) -> str:
        """The side that objects."""
        return str(self.side.data)

    @property
    def said_reason(self) -> str:
        """The key of the reason."""
        return str(self.reason.data)

    @property
    def said_text(self) -> str:
        """The objector's words, on one line."""
        return " ".join((self.text.data or "").split())

    @property
    def said_totals(self) -> dict[str, int] | None:
        """What each side should have, where that was said."""
        return {side: int(text) for side, text in self.typed_figures.items()} or None

    def refuse(self, path: str, text: str) -> None:
        """Show an error of the core at its field."""
        name = path.partition("[")[0].replace("totals.", "total_")
        if name in self:
            _add_error(self[name], text)
        else:
            self.form_errors.append(text)


def _add_error(field: RadioField | StringField, text: str) -> None:
    field.errors = [*field.errors, text]


@cache
def objection_form_class(ring: Ring) -> type[ObjectionForm]:
    """The form at a table with these sides."""
    fields = {f"total_{side}": StringField() for side in ring.sides}
    return type("SeatedObjectionForm", (ObjectionForm,), {**fields, "figure_sides": ring.sides})
