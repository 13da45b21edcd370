"""The page of a hand that is being recorded or corrected."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from wtforms import BooleanField, Form, RadioField, SelectMultipleField, StringField
from wtforms.validators import InputRequired, ValidationError

from companion.beating.entries import MISDEALS, Close, Hand, Touch
from companion.beating.turn import CANCELLED
from companion.matches import EntryPlace
from companion.record.log import Event
from companion.rules.ruling import Problem
from companion.web.forms.table import FieldLine
from companion.web.shell.forms import EntryForm

from . import hand_state, list_dealers
from .followed_hand import FollowedHand

DRAW = "draw"
"""The value in place of a loser if nobody lost."""
LEFT = "left"
"""The value in place of a loser if that follows from who left the table."""


def _read_result(form: Form) -> dict[str, Any]:
    ending, _colon, who = (form.result.data or "").partition(":")
    if ending in MISDEALS:
        return {"misdeal": ending, **({"by": who} if who else {})}
    deals = {"deals": who} if who else {}
    return deals if ending == LEFT else {"loser": None if ending == DRAW else ending, **deals}


def _fill_result(entry: Mapping[str, Any]) -> dict[str, str]:
    """The `result` of a hand, empty if it has not ended; and who left the table, if that ended it."""
    if "misdeal" in entry:
        return {"result": f"{entry['misdeal']}:{entry.get('by', '')}"}
    left = [seat for seat in (*_who_left(entry), entry.get("walked_out")) if seat]
    if "loser" not in entry and not left:
        return {"result": ""}
    ending = (entry["loser"] or DRAW) if "loser" in entry else LEFT
    result = ":".join(part for part in (ending, entry.get("deals")) if part)
    return {"result": result, **({"walked_out": left[-1]} if ending == LEFT else {})}


def _who_left(entry: Mapping[str, Any]) -> list[str]:
    """The players who left the table in cancelled bouts."""
    return [seat for bout in entry.get("bouts", ()) if bout["result"] == CANCELLED for seat in bout["out"]]


class HandForm(EntryForm):
    """The end of a hand: `result` is the loser, in teams `team:dealer` or the team alone, or a draw.

    It is `reason:seat` if that player demanded a new deal, for one of the reasons of a misdeal, and `left` if
    all follows from who left the table. `order` are the players in the order of going out, with empty texts
    for unknown ones. `forget` leaves out the bouts that were followed.
    """

    shape = Hand
    lines = (FieldLine("result", _read_result, _fill_result),)
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
        """The end of the hand: the side that lost, or the value in its place."""
        return (self.result.data or "").partition(":")[0]

    def validate_walked_out(self, field: StringField) -> None:
        """Require the player who left if other fields depend on it."""
        if not field.data and (self.ending == LEFT or self.walked_after.data):
            raise ValidationError(_("Tap who left the table."))

    def validate_walked_after(self, field: StringField) -> None:
        """Require a number of bouts, if anything."""
        _check_number(field)

    def validate_sixes(self, field: StringField) -> None:
        """Require a number of cards, if anything; there are no epaulettes without a loser."""
        _check_number(field)
        if self.ending in (DRAW, *MISDEALS) and field.data not in (None, "", "0"):
            raise ValidationError(_("Only the loser has epaulettes: tap 0, or tap who is the fool."))

    def validate_order(self, field: SelectMultipleField) -> None:
        """Refuse a player who goes out twice, and gaps in the order."""
        named = [seat for seat in field.data or () if seat]
        if len(set(named)) < len(named):
            raise ValidationError(_("Somebody is listed twice; each player goes out only once."))
        if named != (field.data or [])[: len(named)]:
            raise ValidationError(_("Fill the places in order, without gaps."))

    def validate_result(self, field: StringField) -> None:
        """Require the player who demanded a new deal, and then exclude facts of a play."""
        if field.data in MISDEALS:
            raise ValidationError(_("Tap who demanded the new deal."))
        if self.ending in MISDEALS and (self.walked_out.data or any(self.order.data or ())):
            why = _(
                "A hand that is dealt again was not played: take out who left the table and who went out."
            )
            raise ValidationError(why)

    def read(self, paths: Iterable[str] | None = None) -> dict[str, Any]:
        """Read the hand as an entry, without its bouts; only a loser has epaulettes."""
        entry = super().read(paths)
        return {key: entry[key] for key in entry if key != "sixes" or self.ending not in (DRAW, *MISDEALS)}


def _check_number(field: StringField) -> None:
    if field.data and not (field.data.isascii() and field.data.isdigit() and len(field.data) < 4):
        raise ValidationError(_("A whole number."))


class TouchForm(EntryForm):
    """The player who touched the cards, or cut them."""

    shape = Touch
    of_seats = True

    by = RadioField(_l("Who"), [InputRequired(_l("Tap who it was."))], choices=[], validate_choice=False)
    cards = RadioField(
        _l("The cards were"),
        [InputRequired(_l("Tap what happened."))],
        choices=[],
        validate_choice=False,
        default="touched",
    )


class CloseForm(EntryForm):
    """The end of the session."""

    shape = Close


SIDE_FORMS: Mapping[str, type[EntryForm]] = {"touch": TouchForm, "close": CloseForm}


@dataclass(frozen=True)
class HandPage:
    """The page of a hand that is being recorded or corrected."""

    place: EntryPlace
    form: HandForm
    problems: tuple[Problem, ...] = ()
    changes: tuple[Event, ...] = ()

    @classmethod
    def begin(cls, place: EntryPlace) -> "HandPage":
        """Open the page of a hand, filled in with its known facts: as written, or as followed."""
        return cls(place, HandForm.show(cls(place, HandForm(formdata=None)).known_facts))

    @property
    def dealers(self) -> tuple[str, ...]:
        """The seats that may have dealt, if that does not follow, or was recorded."""
        state = hand_state(self.place)
        if state.next_dealer is not None and self.place.entry.get("dealer"):
            return state.ring.seats
        return list_dealers(state)

    @property
    def places(self) -> tuple[str, ...]:
        """The order of going out as far as it is filled in, with an empty text for each other player.

        Empty between two players: the loser decides it.
        """
        size, order = self.place.match.state.ring.size, tuple(self.form.order.data or ())
        return (*order, *("",) * (size - len(order))) if size > 2 or any(order) else ()

    @property
    def bout_count(self) -> int:
        """The number of bouts that were followed."""
        return len(self.known_facts.get("bouts", ()))

    @property
    def stays(self) -> tuple[str, ...]:
        """The numbers of bouts after which somebody may have left, if bouts are known or this is written."""
        most: int = max(self.bout_count, self.known_facts.get("walked_after", 0))
        asked = self.bout_count or "walked_after" in self.known_facts
        return tuple(map(str, range(most + 1))) if asked else ()

    @cached_property
    def known_facts(self) -> Mapping[str, Any]:
        """The known facts of the hand: as written, or as far as it was followed and has not ended."""
        if self.place.id is not None or not isinstance(self.place.match.draft, Mapping):
            return self.place.entry
        followed = FollowedHand(self.place.match, self.place.match.draft).to_entry(None)
        return {key: fact for key, fact in followed.items() if key != "loser" or fact is not None}

    def to_entry(self) -> dict[str, Any]:
        """The hand as an entry: the form's facts, and the bouts followed unless they are left out."""
        form, known = self.form, self.known_facts
        if form.forget.data:
            return {key: fact for key, fact in form.read().items() if key != "walked_after"}
        entry = form.to_entry(known)
        if "walked_out" not in known and entry.get("walked_out") in _who_left(known)[-1:]:
            del entry["walked_out"]  # the bouts say it
        return {key: entry[key] for key in entry if key != "first_attacker" or form.ending not in MISDEALS}
