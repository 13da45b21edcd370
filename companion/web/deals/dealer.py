"""Putting right who dealt first: each choice with what all deals come to then."""

from dataclasses import dataclass, replace

from flask import Blueprint, redirect, render_template, request

from companion.matches import CorrectHead, Match
from companion.record.record import fold_record
from companion.rules.game import GameState
from companion.rules.seats import Seat
from companion.web.shell.forms import WritingForm
from companion.web.shell.game_ui import PageAnswer
from companion.web.shell.matches import (
    WriteRefusal,
    address_of,
    is_written,
    open_written_match,
    try_to_write,
)

from . import FAMILY

bp = Blueprint("dealer", __name__)


@dataclass(frozen=True)
class FirstDealer:
    """A player who may have dealt first: the state that all entries come to then.

    `misfits` are the ids of the entries that fit now and would not fit then.
    """

    seat: Seat
    end: GameState
    misfits: tuple[int, ...]


@bp.route("/m/<id>/dealer", methods=["GET", "POST"])
def dealer(id: str) -> PageAnswer:
    """Show what follows from each first dealer, or correct it in the head of the match."""
    match, form = open_written_match(id, FAMILY), WritingForm()
    if request.method == "GET":
        return _show(match)
    if is_written(match, form):
        return redirect(address_of(match), 303)
    seat = request.form.get("first_dealer", "")
    if seat not in match.state.ring.seats:
        return _show(match), 422
    if seat != match.head.get("first_dealer"):
        outcome = try_to_write(match, CorrectHead({"first_dealer": seat}), form)
        if isinstance(outcome, WriteRefusal):
            return _show(outcome.match, outcome), outcome.status
    return redirect(address_of(match), 303)


def _show(match: Match, refusal: WriteRefusal | None = None) -> str:
    return render_template(
        "deals/dealer.html",
        match=match,
        dealers=[_try(match, seat) for seat in match.state.ring.seats],
        opening=_find_opening(match),
        former=_find_former(match),
        form=WritingForm(formdata=None),
        changes=refusal.changes if refusal else (),
    )


def _try(match: Match, seat: Seat) -> FirstDealer:
    head = {**match.record.head, "first_dealer": seat}
    end = fold_record(replace(match.record, head=head), match.game.family)
    wrong = {problem.entry for problem in end.problems if problem.entry and not match.problems(problem.entry)}
    return FirstDealer(seat, end, tuple(match.standing_entries[n - 1].id for n in sorted(wrong)))


def _find_former(match: Match) -> Seat | None:
    """The first dealer until that was corrected last; None if it never was."""
    heads = [match.written_head, *(event.payload for event in match.log.corrections if event.kind == "head")]
    said = [head["first_dealer"] for head in heads if head.get("first_dealer")]
    return next((seat for seat in reversed(said) if seat != match.head.get("first_dealer")), None)


def _find_opening(match: Match) -> int | None:
    """The id of the entry with the totals from paper, if it names a dealer, who then deals first."""
    first = next(iter(match.standing_entries), None)
    says = first is not None and first.payload.get("type") == "opening" and first.payload.get("dealer")
    return first.id if first is not None and says else None
