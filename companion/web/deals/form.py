"""The form of a deal, and how what is entered in it becomes an entry. It parses; the family judges."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from re import fullmatch, match
from typing import Any, cast

from flask_babel import lazy_gettext as _l
from wtforms import (
    FieldList,
    Form,
    FormField,
    RadioField,
    SelectField,
    SelectMultipleField,
    StringField,
    TextAreaField,
)
from wtforms.fields import Field
from wtforms.validators import Length, Optional, Regexp, ValidationError

from companion.jacknine.deals.read import infer_total
from companion.jacknine.game_file import DEALING_OFFENCES
from companion.jacknine.match import JackNine
from companion.jacknine.phases.auction import Auction
from companion.jacknine.phases.bidding import CAPOT, USUAL_BIDS
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.state import JackNineState
from companion.library import Game
from companion.matches import EntryPlace, Match
from companion.rules.cards import NO_TRUMPS
from companion.rules.message import Message, SideName
from companion.rules.seats import Ring, Seat
from companion.web.shell.forms import WritingForm

COUNTINGS = ("count", "points", "totals", "cards")
"""How the count is entered: by words and card points, by points of tricks, by totals, or card by card."""
_POINT_FIELDS = {"count": "cards", "points": "points", "totals": "total"}
"""What the field of a side is called, by how the count is entered."""
CHIPS = (0, 10, 20, 30, 40, 50)
"""Points of an offer that are one tap away."""
_THROWN_IN = "thrown-in"
_REDEALS = ("misdeal", "four-sevens", "poor-hand")
OFFER = "offer"
"""The value of `bid` for a deal that was ended on terms."""
_MAX_POINTS = 999
CARD = r"(10|[2-9AKQJ])[SHDC]"


def parse_sum(text: str | None) -> int | None:
    """The sum of points that a field holds, as `11+4+10`; None where it is empty.

    :raises ValueError: for anything but whole numbers joined by plus signs.
    """
    parts = [part.strip() for part in (text or "").strip().strip("+").split("+")]
    if parts == [""]:
        return None
    if not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in parts):
        raise ValueError(text)
    return sum(map(int, parts))


def _check_sum(form: Form, field: Field) -> None:
    try:
        points = parse_sum(field.data)
    except ValueError:
        raise ValidationError(_l("Whole numbers joined by plus signs: 11+4+10.")) from None
    if points is not None and points > _MAX_POINTS:
        raise ValidationError(_l("%(most)s points at most.", most=_MAX_POINTS))


def deal_game(game: Game) -> JackNine:
    """A game of the family, with all that it can be asked."""
    return cast(JackNine, game.family)


def list_countings(ruleset: JackNineRuleset) -> tuple[str, ...]:
    """The usual ways to count in a game: not by words where a side adds up all that its tricks bring."""
    return COUNTINGS[1:] if ruleset.has_capot else tuple(way for way in COUNTINGS if way != "points")


def deal_state(at: Match | EntryPlace) -> JackNineState:
    """How a match of the family stands, or stood before one of its entries."""
    return cast(JackNineState, at.state if isinstance(at, Match) else at.before)


def read_ending(bid: str) -> dict[str, Any] | None:
    """What an entry says of a deal that ended before anybody bid, by its value of `bid`; else None.

    The seat whose hand ended it may follow (`four-sevens-A`), or the side that pays for it (`misdeal-A`).
    """
    if bid == _THROWN_IN:
        return {"thrown_in": True}
    if bid in _REDEALS:
        return {"redeal": bid}
    ending, _dash, letter = bid.rpartition("-")
    if ending in DEALING_OFFENCES:
        return {"penalty": {"side": letter, "offence": ending}}
    return {"redeal": ending, "by": letter} if ending in _REDEALS else None


def ending_value(entry: Mapping[str, Any]) -> str:
    """The value of `bid` for such a deal, empty for any other: the inverse of `read_ending`."""
    penalty = entry.get("penalty", {})
    if penalty.get("offence") in DEALING_OFFENCES:
        return f"{penalty['offence']}-{penalty['side']}"
    if "thrown_in" in entry:
        return _THROWN_IN
    by = f"-{entry['by']}" if "by" in entry else ""
    return f"{entry['redeal']}{by}" if "redeal" in entry else ""


class SumField(StringField):
    """Points, perhaps still to be added up."""

    def __init__(self, label: Any = None, **more: Any) -> None:
        too_long = _l("At most 40 characters: enter the sum instead.")
        super().__init__(label, [Length(max=40, message=too_long), _check_sum], **more)

    @property
    def sum(self) -> int | None:
        """The points it comes to; None while it cannot be read."""
        try:
            return parse_sum(self.data)
        except ValueError:
            return None


class SeatField(RadioField):
    """One of the seats or sides, or nobody."""

    def __init__(self, label: Any = None, **more: Any) -> None:
        super().__init__(label, [Optional()], choices=[], validate_choice=False, default="", **more)


class LettersField(SelectMultipleField):
    """Any of the seats or sides, by letter; an empty value stands for nobody."""

    def __init__(self, label: Any = None, **more: Any) -> None:
        super().__init__(label, choices=[], validate_choice=False, **more)

    @property
    def letters(self) -> list[str]:
        """The seats or sides that were tapped."""
        return [letter for letter in self.data or () if letter]


EVERY_SIDE_HAD_ONE = "-"
"""Stands for null where it is asked who took no trick."""


def _read_trickless(letters: list[str]) -> dict[str, Any]:
    """Who took no trick, as an entry says it; nothing where nobody says it."""
    if EVERY_SIDE_HAD_ONE in letters:
        return {"trickless": None}
    return {"trickless": letters if len(letters) > 1 else letters[0]} if letters else {}


def _read_false_melds(form: "DealForm", ring: Ring) -> dict[str, Any]:
    """The points of melds that could not be shown, as an entry says them; nothing where there are none."""
    points = {seat: form[f"false_{seat}"].sum for seat in ring.seats}
    listed = [{"seat": seat, "points": number} for seat, number in points.items() if number]
    return {"false_melds": listed} if listed else {}


class FourForm(Form):
    """A declared four of a kind."""

    seat = StringField(validators=[Length(max=1)])
    rank = StringField(validators=[Length(max=2)])


class RunForm(Form):
    """A declared run."""

    seat = StringField(validators=[Length(max=1)])
    length = StringField(validators=[Regexp(r"\d{1,2}$")])
    top = StringField(validators=[Length(max=2)])
    suit = StringField(validators=[Length(max=2)])


class NumberedRows(FieldList):
    """Rows numbered by plain digits; fields with any other number are none of the form's."""

    def _extract_indices(self, prefix: str, formdata: Iterable[str]) -> Iterable[int]:
        numbered = [key for key in formdata if match(rf"{prefix}-[0-9]{{1,4}}-", key)]
        found: Iterable[int] = super()._extract_indices(prefix, numbered)
        return found


class DealForm(WritingForm):
    """One deal from top to bottom, as it happened; `deal_form_class` adds the fields that each side has."""

    dealer = SeatField(_l("Who dealt"))
    way = SelectField(
        choices=["outcome", "calls"], default="outcome", validate_choice=False, label=_l("How it was bid")
    )
    bid = StringField(validators=[Length(max=20)])
    bid_points = StringField(validators=[Length(max=5)])
    bid_other = SumField(_l("Other points"))
    double = StringField(validators=[Length(max=1)])
    call_points = StringField(validators=[Length(max=5)])
    turned = SelectField(choices=["", "yes", "no"], default="", validate_choice=False)
    turn_up = StringField(validators=[Optional(), Regexp(f"({CARD}|[SHDC])$", message=_l("Tap one card."))])
    calls = StringField(validators=[Length(max=2000)])
    offer_chip = StringField(validators=[Length(max=4)])
    offer_other = SumField(_l("Other points"))
    offer_deals = StringField(validators=[Optional(), Regexp(r"\d{1,2}$", message=_l("A whole number."))])
    runs = NumberedRows(FormField(RunForm), max_entries=12)
    fours = NumberedRows(FormField(FourForm), max_entries=8)
    bela = SeatField()
    belot = SeatField()
    exchanged = SeatField(_l("Who swapped the seven"))
    counting = SelectField(
        choices=list(COUNTINGS),
        default="count",
        validate_choice=False,
        filters=[lambda way: way if way in COUNTINGS else "count"],
    )
    jass = SeatField()
    nine = SeatField()
    last = SeatField()
    tricks = StringField(validators=[Length(max=2000)])
    trickless = LettersField(_l("Took no trick"))
    forfeits = LettersField(_l("Whose runs are forfeited"))
    offender = SeatField(_l("Who broke the rules"))
    offence = StringField(validators=[Length(max=40)])
    caller = SeatField()
    after_trick = StringField(
        _l("After which trick"), [Optional(), Regexp(r"\d{1,2}$", message=_l("The number of the trick."))]
    )
    asked = StringField(validators=[Length(max=40)])  # the unusual count that the page asked about
    note = TextAreaField(
        _l("Note"), [Length(max=500, message=_l("At most 500 characters; the rest would be lost."))]
    )

    ends_by_call = False
    """Whether the deal was ended by a call, so that who made it, and when, has to be said."""

    def points(self, side: str) -> SumField:
        """The field of what a side has, in the way it is counted."""
        kind = _POINT_FIELDS.get(self.counting.data, "cards")
        return self[f"{kind}_{side}"]  # type: ignore[no-any-return]  # WTForms has no types

    @property
    def call_list(self) -> list[str]:
        """The calls so far."""
        return [call for call in (self.calls.data or "").split(",") if call.strip()][:99]

    @property
    def bid_number(self) -> int | str | None:
        """What was bid: the points entered in the field, or else those tapped, or `capot`."""
        text = self.bid_points.data or ""
        number = int(text) if text.isascii() and text.isdigit() else None
        return CAPOT if text == CAPOT and self.bid_other.sum is None else self.bid_other.sum or number

    @property
    def offer_terms(self) -> str:
        """The offer's terms as a call writes them: `20+1`."""
        points, deals = self.offered_points, self.offered_deals
        return f"{points or ''}{f'+{deals}' if deals else ''}" or "0"

    @property
    def offered_points(self) -> int:
        """Points offered: those entered in the field, or else those tapped."""
        chip = self.offer_chip.data or ""
        other = self.offer_other.sum
        return other if other is not None else int(chip) if chip.isascii() and chip.isdigit() else 0

    @property
    def offered_deals(self) -> int:
        """How many further deals are offered."""
        text = self.offer_deals.data or ""
        return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0


@lru_cache(maxsize=8)
def deal_form_class(ring: Ring) -> type[DealForm]:
    """The form of a deal for a table, with the fields that each side and each seat has."""
    fields = {f"{kind}_{side}": SumField() for side in ring.sides for kind in _POINT_FIELDS.values()}
    fields |= {f"false_{seat}": SumField() for seat in ring.seats}
    return type("DealForm", (DealForm,), fields)


def fill_form(match: Match, entry: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> DealForm:
    """The form of a deal, filled with what an entry says and, where it is silent, with the defaults."""
    data = field_data(entry, deal_game(match.game).ruleset.run_order) if entry else {}
    return deal_form_class(match.state.ring)(formdata=None, data={**(defaults or {}), **data})


FieldFaults = dict[str, list[object]]
"""Sentences by the path of the entry that they are about: `totals.A`, `runs[0]`."""


def to_entry(
    form: DealForm,
    ruleset: JackNineRuleset,
    dealer: Seat | None,
    auction: Auction | None,
) -> tuple[dict[str, Any], FieldFaults]:
    """The deal that the form comes to, as a JSON entry, and what is missing or unreadable in it.

    `auction` is how the bidding stands, where it is entered call by call.
    """
    ring = ruleset.ring
    entry: dict[str, Any] = {"type": "deal"}
    faults: FieldFaults = {}
    is_played = _add_bidding(form, auction, entry, faults)
    if ruleset.bids_points and "contract" in entry:
        _add_bid(form, entry["contract"], faults)
    if form.dealer.data:
        entry["dealer"] = form.dealer.data
    if form.turn_up.data:
        entry["turn_up"] = form.turn_up.data
    if is_played:
        trump = auction.trump if auction is not None else entry.get("contract", {}).get("trump")
        if form.belot.data:
            return entry | {"belot": form.belot.data} | _read_note(form), faults
        _add_melds(form, entry, faults)
        _add_count(form, ring, entry, faults)
        if trump == NO_TRUMPS:
            _drop_trump_words(entry)
        if form.exchanged.data:
            entry["exchanged"] = form.exchanged.data
        entry |= _read_trickless(form.trickless.letters)
        entry |= _read_false_melds(form, ring)
        if form.forfeits.letters:
            entry["forfeits"] = form.forfeits.letters
        _add_penalty(form, entry, faults)
    if "totals" in entry and len(entry["totals"]) < len(ring.sides):
        entry["totals"] |= infer_total(ruleset, entry, dealer)
        absent = [side for side in ring.sides if side not in entry["totals"]]
        if absent:
            del entry["totals"]
        for side in absent:
            faults[f"totals.{side}"] = [Message("Enter what {side} made.", side=SideName(side))]
    return entry | _read_note(form), faults


def _read_note(form: DealForm) -> dict[str, str]:
    note = (form.note.data or "").strip()
    return {"note": note} if note else {}


def _add_bidding(form: DealForm, auction: Auction | None, entry: dict[str, Any], faults: FieldFaults) -> bool:
    """Put into the entry how it was bid; whether the deal was played."""
    if form.way.data == "calls":
        if form.call_list:
            entry["auction"] = form.call_list
        else:
            faults["auction"] = [_l("Tap each call, elder hand first.")]
        return auction is None or auction.status not in ("thrown-in", "offer")
    bid = form.bid.data or ""
    if bid == OFFER:
        offer_terms = {"points": form.offered_points, "deals": form.offered_deals}
        entry["offer"] = {key: value for key, value in offer_terms.items() if value}
        return False
    ending = read_ending(bid)
    if ending is not None:
        entry |= ending
        return False
    seat, colon, suit = bid.partition(":")
    if colon:
        turned = {"yes": {"turned": True}, "no": {"turned": False}}.get(form.turned.data or "", {})
        entry["contract"] = {"declarer": seat, "trump": suit, **turned}
    else:
        passed = _l("Tap who plays which suit, or how the deal was passed.")
        faults["contract"] = [_l("Tap who plays which suit.") if form.ends_by_call else passed]
    return True


def _add_bid(form: DealForm, contract: dict[str, Any], faults: FieldFaults) -> None:
    """Put into a contract how much was bid, and whether that was doubled."""
    if form.bid_number is None:
        faults["contract"] = [_l("Tap how much was bid.")]
    else:
        contract["points"] = form.bid_number
    if form.double.data in ("2", "3", "4"):
        contract["double"] = int(form.double.data)


def _add_melds(form: DealForm, entry: dict[str, Any], faults: FieldFaults) -> None:
    runs = []
    for place, run in enumerate(form.runs):
        length = run["length"].data or ""
        declared = {
            "seat": run.seat.data,
            "length": int(length) if fullmatch("[0-9]{1,2}", length) else 0,
            "top": run.top.data,
        }
        if run.suit.data:
            declared["suit"] = run.suit.data
        if run.top.data:
            runs.append(declared)
        else:
            faults[f"runs[{place}]"] = [_l("Tap the highest card of the run.")]
    if runs:
        entry["runs"] = runs
    fours = []
    for place, four in enumerate(form.fours):
        if four.rank.data:
            fours.append({"seat": four.seat.data, "rank": four.rank.data})
        else:
            faults[f"fours[{place}]"] = [_l("Tap the rank.")]
    if fours:
        entry["fours"] = fours
    if form.bela.data:
        entry["bela"] = form.bela.data


def _drop_trump_words(entry: dict[str, Any]) -> None:
    """Take out what was tapped before no trumps was chosen: there is no bela, no jass and no nine then."""
    entry.pop("bela", None)
    for word in ("jass", "nine"):
        entry.get("count", {}).pop(word, None)


def _add_count(form: DealForm, ring: Ring, entry: dict[str, Any], faults: FieldFaults) -> None:
    if form.caller.data:
        after = form.after_trick.data or ""
        if after.isascii() and after.isdigit() and len(after) < 3:
            entry["call"] = {"seat": form.caller.data, "after_trick": int(after)}
        else:
            faults["call"] = [_l("Tap the trick after which it was said.")]
    elif form.ends_by_call:
        faults["call"] = [_l("Tap who said it.")]
    if form.counting.data == "cards":
        if form.tricks.data:
            cards, size = form.tricks.data.split(), ring.size
            entry["tricks"] = [cards[at : at + size] for at in range(0, len(cards), size)]
        return
    points = {side: form.points(side).sum for side in ring.sides if form.points(side).sum is not None}
    if form.counting.data == "totals":
        if form.last.data:
            entry["last"] = form.last.data
        if points:
            entry["totals"] = points
        return
    if form.counting.data == "points":
        if points:
            entry["count"] = {"points": points}
        return
    words = {key: form[key].data for key in ("jass", "nine", "last") if form[key].data}
    if points or words:
        entry["count"] = {"cards": points, **words}


def _add_penalty(form: DealForm, entry: dict[str, Any], faults: FieldFaults) -> None:
    if form.offender.data:
        if form.offence.data:
            entry["penalty"] = {"side": form.offender.data, "offence": form.offence.data}
        else:
            faults["penalty"] = [_l("Tap the offence.")]


def field_data(entry: Mapping[str, Any], run_order: Sequence[str]) -> dict[str, Any]:
    """The data of the fields for an entry that is to be continued or corrected: the inverse of `to_entry`.

    `run_order` are the ranks in the order of runs, the highest first.
    """
    fields: dict[str, Any] = {
        key: entry[key] for key in ("dealer", "turn_up", "bela", "belot", "exchanged", "note") if key in entry
    }
    trickless = entry.get("trickless", [])
    trickless = [EVERY_SIDE_HAD_ONE] if trickless is None else trickless
    fields["trickless"] = [trickless] if isinstance(trickless, str) else trickless
    fields["forfeits"] = list(entry.get("forfeits") or ())
    fields["fours"] = list(entry.get("fours") or ())
    for meld in entry.get("false_melds") or ():
        name = f"false_{meld['seat']}"
        fields[name] = "+".join([*([fields[name]] if name in fields else []), str(meld["points"])])
    fields |= _bidding_data(entry)
    fields["runs"] = [_run_data(run, run_order) for run in entry.get("runs", ())]
    if "call" in entry:
        fields |= {"caller": entry["call"]["seat"], "after_trick": str(entry["call"]["after_trick"])}
    if "penalty" in entry and entry["penalty"]["offence"] not in DEALING_OFFENCES:
        fields |= {"offender": entry["penalty"]["side"], "offence": entry["penalty"]["offence"]}
    if "tricks" in entry:
        fields |= {
            "counting": "cards",
            "tricks": " ".join(card for trick in entry["tricks"] for card in trick),
        }
    elif "totals" in entry:
        fields |= {"counting": "totals", "last": entry.get("last") or ""}
        fields |= {f"total_{side}": str(points) for side, points in entry["totals"].items()}
    elif "count" in entry and "points" in entry["count"]:
        fields["counting"] = "points"
        fields |= {f"points_{side}": str(points) for side, points in entry["count"]["points"].items()}
    elif "count" in entry:
        count = entry["count"]
        fields |= {"counting": "count", **{key: count.get(key) or "" for key in ("jass", "nine", "last")}}
        fields |= {f"cards_{side}": str(points) for side, points in count["cards"].items()}
    return fields


def _bidding_data(entry: Mapping[str, Any]) -> dict[str, Any]:
    if "auction" in entry:
        return {"way": "calls", "calls": ",".join(entry["auction"])}
    if "contract" in entry:
        contract = entry["contract"]
        turned = {True: "yes", False: "no"}.get(contract.get("turned"), "")
        points, double = contract.get("points"), contract.get("double", 1)
        listed = points == CAPOT or points in USUAL_BIDS
        return {
            "bid": f"{contract['declarer']}:{contract['trump']}",
            "turned": turned,
            "bid_points": str(points) if listed else "",
            "bid_other": "" if listed or points is None else str(points),
            "double": str(double) if double != 1 else "",
        }
    if "offer" in entry:
        points = entry["offer"].get("points", 0)
        return {
            "bid": OFFER,
            "offer_chip": str(points) if points in CHIPS else "",
            "offer_other": "" if points in CHIPS else str(points),
            "offer_deals": str(entry["offer"].get("deals") or ""),
        }
    return {"bid": ending_value(entry)}


def _run_data(run: Mapping[str, Any], run_order: Sequence[str]) -> dict[str, Any]:
    if "cards" in run:
        cards = sorted(run["cards"], key=lambda card: run_order.index(card[:-1]))
        return {"seat": run["seat"], "length": str(len(cards)), "top": cards[0][:-1], "suit": cards[0][-1]}
    return {**run, "length": str(run["length"]), "suit": run.get("suit", "")}


def keep_untouched(
    entry: Mapping[str, Any], shown: Mapping[str, Any], earlier: Mapping[str, Any]
) -> dict[str, Any]:
    """The entry as the form has it now; what it showed from the first stays as it was written.

    `shown` is what the form came to before anything was changed in it, `earlier` the entry that it showed.
    """
    absent = object()
    stays = {key: fact for key, fact in earlier.items() if entry.get(key, absent) == shown.get(key, absent)}
    return stays | {key: fact for key, fact in entry.items() if fact != shown.get(key, absent)}
