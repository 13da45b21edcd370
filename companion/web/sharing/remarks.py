"""What players say of entries: agree, object, take an objection back. Play never waits for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from flask import Blueprint, abort, flash, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

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
from companion.store import StaleWrite
from companion.web.shell.entry_names import name_entry
from companion.web.shell.forms import WritingForm
from companion.web.shell.game_ui import PageAnswer, game_ui
from companion.web.shell.matches import WriteRefusal, access, is_written, open_match, try_to_write, write
from companion.web.shell.text import requirement, say

from .objection_form import ObjectionForm, objection_form_class
from .wording import describe_claim, describe_remark, name_reason

bp = Blueprint("remarks", __name__)


# --- agreeing --------------------------------------------------------------------------------------


@bp.post("/m/<id>/entries/<int:entry>/agree")
def agree(id: str, entry: int) -> Response:
    """A side says that an entry is right as it stands."""
    match, form = open_match(id), WritingForm()
    side = access(match).side if "side" not in request.form else request.form["side"]
    if side is None or not access(match).may_remark(side):
        raise NotTheWriter(id)
    if not is_written(match, form) and side not in match.remarks.agreed(entry):
        write(match, Agree(entry, side), form)
        session["settling"] = id  # a second tap of the same thumb agrees to nothing else
    return redirect(_address_after(id, entry), 303)


# --- objecting -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ObjectionPage:
    """An objection that is being made, as its page shows it."""

    match: Match
    entry: int
    form: ObjectionForm
    changes: tuple[Event, ...] = ()

    @property
    def name(self) -> str:
        """The entry."""
        return name_entry(self.match, self.entry)

    @property
    def text(self) -> str:
        """What the entry came to."""
        return describe_entry(self.match, self.entry)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that may be the objector."""
        return speaking_sides(self.match)

    @property
    def reasons(self) -> Mapping[str, str]:
        """The reasons for which it can be objected to."""
        return game_ui(self.match.game).objection_reasons(self.match, self.entry)

    @property
    def figures(self) -> Mapping[str, int] | None:
        """What each side has by the entry; None where an objection has no figures."""
        return game_ui(self.match.game).disputed_figures(self.match, self.entry)


@bp.route("/m/<id>/entries/<int:entry>/object", methods=["GET", "POST"])
def object_to(id: str, entry: int) -> PageAnswer:
    """A side says that an entry is wrong: why, and what would be right."""
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
        return _object(ObjectionPage(match, entry, make()))
    if match.number(entry) is None:
        abort(404)
    asked = request.args.get("side", sides[0] if len(sides) == 1 else "")
    return _show(ObjectionPage(match, entry, make(formdata=None, data={"side": asked})))


def _object(page: ObjectionPage) -> PageAnswer:
    match, form = page.match, page.form
    if is_written(match, form):
        return redirect(_address_after(match.id, page.entry), 303)
    if not form.check(page.sides, page.reasons, page.figures is not None):
        return _show(page, 422)
    outcome = try_to_write(
        match, Object(page.entry, form.said_by, form.said_reason, form.said_text, form.said_totals), form
    )
    if isinstance(outcome, WriteRefusal):
        if outcome.match.number(page.entry) is None:  # withdrawn meanwhile: there is nothing left to doubt
            raise StaleWrite(match.id, outcome.changes)
        if outcome.fault is not None:
            form.refuse(outcome.fault.path, requirement(outcome.fault, partial(say, match)))
        return _show(ObjectionPage(outcome.match, page.entry, form, outcome.changes), outcome.status)
    return redirect(_address_after(match.id, page.entry), 303)


def _show(page: ObjectionPage, status: int = 200) -> PageAnswer:
    html = render_template("sharing/object.html", page=page, match=page.match, form=page.form)
    return html if status == 200 else (html, status)


@bp.post("/m/<id>/objections/<int:seq>/withdraw")
def withdraw(id: str, seq: int) -> Response:
    """The objection is taken back, by who made it or who keeps the score."""
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
    """Where to go next: the page of the form, which `back` names; else the board."""
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


@bp.app_template_global()
def changed_agreements(match: Match, side: str | None) -> list[Agreement]:
    """What a side agreed to before it was changed; nothing for a browser that speaks for no side."""
    return [] if side is None else list_changed_agreements(match, side)


@bp.app_template_global()
def describe_changed_agreement(match: Match, remark: Agreement, changes: str) -> str:
    """That an entry was changed after a side had agreed to it, and how."""
    what, name = name_entry(match, remark.entry), match.side_name(remark.side)
    if match.number(remark.entry) is None:
        return _("%(what)s was withdrawn after %(name)s agreed.", what=what, name=name)
    return _("%(what)s was changed after %(name)s agreed: %(changes)s", what=what, name=name, changes=changes)


@dataclass(frozen=True)
class ShownObjection:
    """An objection as pages show it, and what this browser can do about it."""

    match: Match
    objection: Objection

    @property
    def seq(self) -> int:
        """Its number."""
        return self.objection.seq

    @property
    def entry(self) -> int:
        """The entry that is doubted."""
        return self.objection.entry

    @property
    def reason(self) -> str:
        """Why."""
        return name_reason(self.match, self.entry, self.objection.reason)

    @property
    def claim(self) -> str:
        """The figures held to be right, and the objector's words."""
        return describe_claim(self.match, self.objection.text, self.objection.totals)

    @property
    def name(self) -> str:
        """Who objected to what for what reason, in one sentence."""
        event = self.match.events[self.seq - 1]
        return describe_remark(self.match, event, name_entry(self.match, self.entry))

    @property
    def may_withdraw(self) -> bool:
        """Whether this browser may take it back."""
        return access(self.match).may_make(WithdrawObjection(self.seq), self.match)

    @property
    def may_rule(self) -> bool:
        """Whether this browser may attach a ruling that settles it."""
        return access(self.match).may_make(AttachRuling({}, self.entry, self.seq), self.match)

    @property
    def question_address(self) -> str:
        """Where a ruling on it is asked for: the question that fits its reason, or the list of them."""
        question = game_ui(self.match.game).settling_question(self.match, self.entry, self.objection.reason)
        if question is None:
            return url_for(
                "questions.match_questions", id=self.match.id, entry=self.entry, objection=self.seq
            )
        return url_for(
            "questions.match_question",
            id=self.match.id,
            question=question,
            entry=self.entry,
            objection=self.seq,
        )


@bp.app_template_global()
def objections_of(match: Match, entry: int | None = None, all: bool = False) -> list[ShownObjection]:
    """The objections that are not settled, to every entry or to one; or `all` to that one."""
    found = match.remarks.of_entry(entry).objections if entry else match.remarks.open
    return [ShownObjection(match, objection) for objection in found if all or objection.settled is None]
