"""Remarks of players on entries: agree, object, take an objection back. Play never waits for them."""

from collections.abc import Collection, Mapping
from functools import cache, partial
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.wrappers import Response
from wtforms import RadioField, StringField
from wtforms.validators import Length

from companion.matches import (
    Agree,
    AttachRuling,
    Match,
    NotTheWriter,
    Object,
    WithdrawObjection,
    find_agreeable_entry,
    list_changed_agreements,
)
from companion.record.log import Event
from companion.record.remarks import Agreement, Objection
from companion.rules.seats import Ring
from companion.store import StaleWrite
from companion.web.shell.forms import WritingForm
from companion.web.shell.game_ui import PageAnswer, game_ui, name_entry
from companion.web.shell.matches import WriteRefusal, access, is_written, open_match, try_to_write, write
from companion.web.shell.text import isolate_name, requirement, say

from .joined_devices import name_borrowed_phone

bp = Blueprint("remarks", __name__)


# --- agreeing --------------------------------------------------------------------------------------


@bp.post("/m/<id>/entries/<int:entry>/agree")
def agree(id: str, entry: int) -> Response:
    """Let a side agree to an entry as it stands."""
    match, form = open_match(id), WritingForm()
    side = access(match).side if "side" not in request.form else request.form["side"]
    if side is None or not access(match).may_remark(side):
        raise NotTheWriter(id)
    if not is_written(match, form) and side not in match.remarks.agreed(entry):
        write(match, Agree(entry, side), form)
        session["settling"] = id  # a second tap of the same thumb agrees to nothing else
    return redirect(_address_after(id, entry), 303)


# --- objecting -------------------------------------------------------------------------------------


_MAX_TEXT = 300


class ObjectionForm(WritingForm):
    """An objection as typed; each side has a field for its figures, `total_A`."""

    side = RadioField(_l("Who objects"), choices=[], validate_choice=False)
    reason = RadioField(_l("Why"), choices=[], validate_choice=False)
    text = StringField(
        _l("In your words"),
        [Length(max=_MAX_TEXT, message=_l("At most 300 characters; the rest would be lost."))],
    )
    figure_sides: tuple[str, ...] = ()

    def check(self, sides: Collection[str], reasons: Collection[str], has_figures: bool) -> bool:
        """True if an objection is complete; missing facts are shown at their fields."""
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
    """The form class at a table with these sides."""
    fields = {f"total_{side}": StringField() for side in ring.sides}
    return type("SeatedObjectionForm", (ObjectionForm,), {**fields, "figure_sides": ring.sides})


@bp.route("/m/<id>/entries/<int:entry>/object", methods=["GET", "POST"])
def object_to(id: str, entry: int) -> PageAnswer:
    """Let a side object to an entry: why, and what would be right."""
    match = open_match(id)
    sides = speaking_sides(match)
    if not sides:
        raise NotTheWriter(id)
    if match.entry(entry) is None:
        abort(404)
    make = objection_form_class(match.state.ring)
    if request.method == "POST":
        if request.form.get("side", "") in {*match.state.ring.sides} - {*sides}:
            raise NotTheWriter(id)
        return _object(match, entry, make())
    if match.number(entry) is None:
        abort(404)
    asked = request.args.get("side", sides[0] if len(sides) == 1 else "")
    return _show(match, entry, make(formdata=None, data={"side": asked}))


def _object(match: Match, entry: int, form: ObjectionForm) -> PageAnswer:
    if is_written(match, form):
        return redirect(_address_after(match.id, entry), 303)
    ui = game_ui(match.game)
    reasons, figures = ui.objection_reasons(match, entry), ui.disputed_figures(match, entry)
    if not form.check(speaking_sides(match), reasons, figures is not None):
        return _show(match, entry, form, 422)
    text = " ".join((form.text.data or "").split())
    totals = {side: int(figure) for side, figure in form.typed_figures.items()} or None
    change = Object(entry, str(form.side.data), str(form.reason.data), text, totals)
    outcome = try_to_write(match, change, form)
    if isinstance(outcome, WriteRefusal):
        if outcome.match.number(entry) is None:  # withdrawn meanwhile: there is nothing left to doubt
            raise StaleWrite(match.id, outcome.changes)
        if outcome.fault is not None:
            form.refuse(outcome.fault.path, requirement(outcome.fault, partial(say, match)))
        return _show(outcome.match, entry, form, outcome.status, outcome.changes)
    return redirect(_address_after(match.id, entry), 303)


def _show(
    match: Match, entry: int, form: ObjectionForm, status: int = 200, changes: tuple[Event, ...] = ()
) -> PageAnswer:
    html = render_template(
        "sharing/object.html",
        match=match,
        entry=entry,
        form=form,
        reasons=game_ui(match.game).objection_reasons(match, entry),
        figures=game_ui(match.game).disputed_figures(match, entry),
        changes=changes,
    )
    return html, status


@bp.post("/m/<id>/objections/<int:seq>/withdraw")
def withdraw(id: str, seq: int) -> Response:
    """Withdraw an objection, for its author or the scorekeeper."""
    match, form = open_match(id), WritingForm()
    made = match.remarks.objection(seq)
    change = WithdrawObjection(seq)
    if made is None:
        abort(404)
    if not access(match).may_make(change, match):
        raise NotTheWriter(id)
    if not is_written(match, form):
        if made.settled is None:
            write(match, change, form)
        else:
            flash(_("That objection was settled already."))
    return redirect(_address_after(id, made.entry), 303)


@bp.app_template_global("address_after")
def _address_after(id: str, entry: int) -> str:
    """The next address: the page of the form, which `back` names; else the board."""
    board = url_for("scoreboard.scoreboard", id=id)
    match request.values.get("back"):
        case "entry":
            return url_for("entries.entry", id=id, entry=entry)
        case "turned":
            return f"{board}/turned"
        case _:
            return board


# --- what pages show -------------------------------------------------------------------------------


@bp.app_template_global()
def speaking_sides(match: Match) -> tuple[str, ...]:
    """The sides for which this browser may agree and object."""
    return tuple(side for side in match.state.ring.sides if access(match).may_remark(side))


@bp.app_template_global()
def remark_form() -> WritingForm:
    """The hidden fields of a button that agrees or objects."""
    return WritingForm(formdata=None)


@bp.app_template_global()
def agreeable_text(match: Match, id: int) -> str:
    """An entry and its figures, as shown before agreeing: "Deal 7: 82:65"."""
    name, result = name_entry(match, id), describe_entry(match, id)
    return _("%(what)s: %(changes)s", what=name, changes=result) if result else name


@bp.app_template_global()
def describe_entry(match: Match, id: int) -> str:
    """The result of an entry that counts, in as few words as possible."""
    n = match.number(id)
    row = match.row(n) if n is not None else None
    return game_ui(match.game).describe_row(match, row) if row is not None else ""


@bp.app_template_global()
def find_agreeable(match: Match, side: str | None) -> int | None:
    """The entry that a side may agree to next; None for a browser that speaks for no side."""
    return None if side is None else find_agreeable_entry(match, side)


def forms_of_remarks(match: Match, side: str | None) -> tuple[str, ...]:
    """The addresses of the forms that a side may want next, for the time without network."""
    entry = find_agreeable(match, side)
    return (url_for("remarks.object_to", id=match.id, entry=entry),) if entry is not None else ()


bp.add_app_template_global(list_changed_agreements, "changed_agreements")


@bp.app_template_global()
def describe_changed_agreement(match: Match, remark: Agreement, changes: str) -> str:
    """Say that an entry was changed after a side had agreed to it, and how."""
    what, name = name_entry(match, remark.entry), match.side_name(remark.side)
    if match.number(remark.entry) is None:
        return _("%(what)s was withdrawn after %(name)s agreed.", what=what, name=name)
    return _("%(what)s was changed after %(name)s agreed: %(changes)s", what=what, name=name, changes=changes)


@bp.app_template_global()
def open_objections(match: Match, entry: int) -> list[Objection]:
    """The objections to an entry that are not settled."""
    return [objection for objection in match.remarks.of_entry(entry).objections if objection.settled is None]


@bp.app_template_global()
def describe_objection(match: Match, objection: Objection) -> str:
    """Describe an objection in one sentence: who objected to what, for what reason."""
    return describe_remark(match, match.events[objection.seq - 1], name_entry(match, objection.entry))


@bp.app_template_global()
def name_reason(match: Match, objection: Objection) -> str:
    """The reason of an objection, in the words of the game."""
    reasons = game_ui(match.game).objection_reasons(match, objection.entry)
    return reasons.get(objection.reason) or reasons["other"]


@bp.app_template_global()
def may_withdraw(match: Match, objection: Objection) -> bool:
    """True if this browser may withdraw an objection."""
    return access(match).may_make(WithdrawObjection(objection.seq), match)


@bp.app_template_global()
def may_rule(match: Match, objection: Objection) -> bool:
    """True if this browser may attach a ruling that settles an objection."""
    return access(match).may_make(AttachRuling({}, objection.entry, objection.seq), match)


@bp.app_template_global()
def question_address(match: Match, objection: Objection) -> str:
    """The address that asks for a ruling on an objection: the fitting question, or the list of them."""
    question = game_ui(match.game).settling_question(match, objection.entry, objection.reason)
    facts: dict[str, Any] = {"id": match.id, "entry": objection.entry, "objection": objection.seq}
    if question is None:
        return url_for("questions.match_questions", **facts)
    return url_for("questions.match_question", question=question, **facts)


def describe_remark(match: Match, event: Event, entry: str) -> str:
    """Describe a remark: by which side, about an entry of this name, on whose phone."""
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


@bp.app_template_global()
def describe_claim(match: Match, text: str, totals: Mapping[str, int] | None) -> str:
    """Describe an objection besides its reason: the figures held to be right, the objector's own words."""
    parts = []
    if totals:
        figures = ":".join(str(totals[side]) for side in match.state.ring.sides if side in totals)
        parts.append(_("should be %(figures)s", figures=figures))
    if text:
        parts.append(_("“%(text)s”", text=text))
    return ", ".join(parts)


def _name(match: Match, side: str) -> str:
    return isolate_name(match.side_name(side)) if side in match.state.ring.sides else side
