"""A hand that is being recorded or corrected, as its page shows it."""

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
"""Said in place of a loser where there is none."""
LEFT = "left"
"""Said in place of a loser where that follows from who left the table."""


def _read_result(form: Form) -> dict[str, Any]:
    ending, _colon, who = (form.result.data or "").partition(":")
    if ending in MISDEALS:
        return {"misdeal": ending, **({"by": who} if who else {})}
    deals = {"deals": who} if who else {}
    return deals if ending == LEFT else {"loser": None if ending == DRAW else ending, **deals}


def _fill_result(entry: Mapping[str, Any]) -> dict[str, str]:
    """The `result` for a hand, empty where it has not ended; and who left the table, if that ended it."""
    if "misdeal" in entry:
        return {"result": f"{entry['misdeal']}:{entry.get('by', '')}"}
    left = [seat for seat in (*_who_left(entry), entry.get("walked_out")) if seat]
    if "loser" not in entry and not left:
        return {"result": ""}
    ending = (entry["loser"] or DRAW) if "loser" in entry else LEFT
    result = ":".join(part for part in (ending, entry.get("deals")) if part)
    return {"result": result, **({"walked_out": left[-1]} if ending == LEFT else {})}


def _who_left(entry: Mapping[str, Any]) -> list[str]:
    """Who left the table in bouts that were cancelled."""
    return [seat for bout in entry.get("bouts", ()) if bout["result"] == CANCELLED for seat in bout["out"]]


class HandForm(EntryForm):
    """How a hand ended: `result` is the loser, in teams `team:dealer` or the team alone, or a draw.

    It is `reason:seat` where that player demanded a new deal, for one of the reasons of a misdeal, `left`
    where all follows from who left the table. `order` are the players in the order in which they went out, an
    empty place for whom nobody knows. `forget` leaves out the bouts that were followed.
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
        if self.ending in (DRAW, *MISDEALS) and field.data not in (None, "", "0"):
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
        if field.data in MISDEALS:
            raise ValidationError(_("Tap who demanded the new deal."))
        if self.ending in MISDEALS and (self.walked_out.data or any(self.order.data or ())):
            why = _(
                "A hand that is dealt again was not played: take out who left the table and who went out."
            )
            raise ValidationError(why)

    def read(self, places: Iterable[str] | None = None) -> dict[str, Any]:
        """The hand as an entry, without its bouts; only a loser has epaulettes."""
        entry = super().read(places)
        return {key: entry[key] for key in entry if key != "sixes" or self.ending not in (DRAW, *MISDEALS)}


def _check_number(field: StringField) -> None:
    if field.data and not (field.data.isascii() and field.data.isdigit() and len(field.data) < 4):
        raise ValidationError(_("A whole number."))


class TouchForm(EntryForm):
    """Who touched the cards, or cut them."""

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
    """The session is over."""

    shape = Close


SIDE_FORMS: Mapping[str, type[EntryForm]] = {"touch": TouchForm, "close": CloseForm}


@dataclass(frozen=True)
class HandPage:
    """A hand that is being recorded, as its page shows it."""

    place: EntryPlace
    form: HandForm
    problems: tuple[Problem, ...] = ()
    changes: tuple[Event, ...] = ()

    @classmethod
    def begin(cls, place: EntryPlace) -> "HandPage":
        """The page of a hand, filled in with what is known of it: as it is written, or as it was followed."""
        return cls(place, HandForm.show(cls(place, HandForm(formdata=None)).known_facts))

    @property
    def dealers(self) -> tuple[str, ...]:
        """Who may have dealt, where that does not follow, or was recorded."""
        state = hand_state(self.place)
        if state.next_dealer is not None and self.place.entry.get("dealer"):
            return state.ring.seats
        return list_dealers(state)

    @property
    def places(self) -> tuple[str, ...]:
        """The places of the order of going out, as far as they are filled in: one for every player.

        None, where only two play: there the loser says it.
        """
        size, order = self.place.match.state.ring.size, tuple(self.form.order.data or ())
        return (*order, *("",) * (size - len(order))) if size > 2 or any(order) else ()

    @property
    def bout_count(self) -> int:
        """How many bouts were followed."""
        return len(self.known_facts.get("bouts", ()))

    @property
    def stays(self) -> tuple[str, ...]:
        """After how many bouts somebody may have left, where bouts were followed or that is written."""
        most: int = max(self.bout_count, self.known_facts.get("walked_after", 0))
        asked = self.bout_count or "walked_after" in self.known_facts
        return tuple(map(str, range(most + 1))) if asked else ()

    @cached_property
    def known_facts(self) -> Mapping[str, Any]:
        """What is known of the hand: as it is written, or as far as it was followed and has not ended."""
        if self.place.id is not None or not isinstance(self.place.match.draft, Mapping):
            return self.place.entry
        followed = FollowedHand(self.place.match, self.place.match.draft).to_entry(None)
        return {key: fact for key, fact in followed.items() if key != "loser" or fact is not None}

    def to_entry(self) -> dict[str, Any]:
        """The hand as an entry: what the form says, and the bouts followed unless they are left out."""
        form, known = self.form, self.known_facts
        if form.forget.data:
            return {key: fact for key, fact in form.read().items() if key != "walked_after"}
        entry = form.to_entry(known)
        if "walked_out" not in known and entry.get("walked_out") in _who_left(known)[-1:]:
            del entry["walked_out"]  # the bouts say it
        return {key: entry[key] for key in entry if key != "first_attacker" or form.ending not in MISDEALS}
