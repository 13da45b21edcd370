"""The form of a deal, and its conversion to an entry and back. It parses; the family judges."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from re import match
from typing import Any, ClassVar, cast

from flask_babel import lazy_gettext as _l
from wtforms import (
    FieldList,
    Form,
    FormField,
    RadioField,
    SelectField,
    SelectMultipleField,
    StringField,
)
from wtforms.fields import Field
from wtforms.validators import Length, Optional, Regexp, ValidationError

from companion.jacknine.deals.read import infer_total
from companion.jacknine.entries import ODD_BIDS, Deal
from companion.jacknine.game_file import DEALING_OFFENCES
from companion.jacknine.match import JackNine
from companion.jacknine.phases.auction import Auction
from companion.jacknine.phases.bidding import (
    EVERY_TRICK,
    GENERALE,
    USUAL_BIDS,
    PointAuction,
    counts_every_trick,
)
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.state import JackNineState
from companion.library import Game
from companion.matches import EntryPlace, Match
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Suit
from companion.rules.message import Message, SideName
from companion.rules.seats import Ring, Seat
from companion.web.forms.table import FieldLine
from companion.web.shell.forms import EntryForm

COUNTINGS = ("count", "points", "totals", "cards")
"""Ways to enter the count: by words and card points, by points of tricks, by totals, or card by card."""
_POINT_FIELDS = {"count": "cards", "points": "points", "totals": "total"}
"""The name of a side's field, by the way to count."""
_COUNTED = {
    "count": ("count.cards", "count.jass", "count.nine", "count.last"),
    "points": ("count.points",),
    "totals": ("totals", "last"),
    "cards": ("tricks",),
}
"""The paths of an entry that hold the count, by the way to count."""
_PLAYED = (
    "runs", "fours", "bela", "call", "exchanged", "trickless", "alone", "false_melds", "forfeits", "penalty",
)  # fmt: skip
"""The other paths of a deal that was played."""
CHIPS = (0, 10, 20, 30, 40, 50)
"""Points of an offer that are one tap away."""
_THROWN_IN = "thrown-in"
_REDEALS = ("misdeal", "four-sevens", "poor-hand")
OFFER = "offer"
"""The value of `bid` for a deal that was ended on terms."""
_MAX_POINTS = 999
CARD = r"(10|[2-9AKQJ])[SHDC]"


def parse_sum(text: str | None) -> int | None:
    """The sum of points in a field, as `11+4+10`; None if it is empty.

    :raises ValueError: for anything but whole numbers joined by plus signs.
    """
    parts = [part.strip() for part in (text or "").strip().strip("+").split("+")]
    if parts == [""]:
        return None
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
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
    """The family of a game, as its own type."""
    return cast(JackNine, game.family)


def list_countings(ruleset: JackNineRuleset) -> tuple[str, ...]:
    """The usual ways to count in a game; with a capot of all cards a side adds up its tricks, not words."""
    by_tricks = ruleset.has_capot and ruleset.all_dealt
    return COUNTINGS[1:] if by_tricks else tuple(way for way in COUNTINGS if way != "points")


def deal_state(at: Match | EntryPlace) -> JackNineState:
    """The state of a match of the family, or the state before one of its entries."""
    return cast(JackNineState, at.state if isinstance(at, Match) else at.before)


def read_ending(bid: str) -> dict[str, Any] | None:
    """The facts of a deal that ended before the bidding, by its value of `bid`; else None.

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
    """Points, or a sum to be added up."""

    def __init__(self, label: Any = None, **more: Any) -> None:
        too_long = _l("At most 40 characters: enter the sum instead.")
        super().__init__(label, [Length(max=40, message=too_long), _check_sum], **more)

    @property
    def entered(self) -> int | None:
        """The sum of the points; None if empty or unreadable."""
        try:
            return parse_sum(self.data)
        except ValueError:
            return None


class SeatField(RadioField):
    """One of the seats or sides, or nobody."""

    def __init__(self, label: Any = None, **more: Any) -> None:
        super().__init__(label, [Optional()], choices=[], validate_choice=False, default="", **more)


class LettersField(SelectMultipleField):
    """Any of the seats or sides, by letter, one value for one or several; an empty value is nobody."""

    def __init__(self, label: Any = None, **more: Any) -> None:
        super().__init__(label, choices=[], validate_choice=False, **more)

    @property
    def entered(self) -> list[str]:
        """The seats or sides that were tapped."""
        return [letter for letters in self.data or () for letter in letters]


EVERY_SIDE_HAD_ONE = "-"
"""The value for null, the answer that every side took a trick."""


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
    """Rows numbered by plain digits; fields with any other number are ignored."""

    def _extract_indices(self, prefix: str, formdata: Iterable[str]) -> Iterable[int]:
        numbered = [key for key in formdata if match(rf"{prefix}-[0-9]{{1,4}}-", key)]
        found: Iterable[int] = super()._extract_indices(prefix, numbered)
        return found


class DealForm(EntryForm):
    """One deal from top to bottom, as it happened; `deal_form_class` adds the fields of each side."""

    shape = Deal
    ring: ClassVar[Ring]
    run_order: ClassVar[tuple[str, ...]]
    """The ranks in the order of runs, the highest first."""

    dealer = SeatField(_l("Who dealt"))
    way = SelectField(
        choices=["outcome", "calls"], default="outcome", validate_choice=False, label=_l("How it was bid")
    )
    bid = StringField(validators=[Length(max=20)])
    bid_points = StringField(validators=[Length(max=8)])
    bid_other = SumField(_l("Other points"))
    double = StringField(validators=[Length(max=1)])
    call_points = StringField(validators=[Length(max=8)])
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
    alone = SelectField(choices=["", "yes", "no"], default="", validate_choice=False)
    forfeits = LettersField(_l("Whose runs are forfeited"))
    offender = SeatField(_l("Who broke the rules"))
    offence = StringField(validators=[Length(max=40)])
    caller = SeatField()
    after_trick = StringField(
        _l("After which trick"), [Optional(), Regexp(r"\d{1,2}$", message=_l("The number of the trick."))]
    )
    asked = StringField(validators=[Length(max=40)])  # the unusual count that the page asked about

    ends_by_call = False
    """True if the deal was ended by a call: then its caller and trick are required."""

    @classmethod
    def fill(cls, entry: Mapping[str, Any]) -> dict[str, Any]:
        """The data of the fields for an entry; runs are given by length and top card."""
        runs = [_name_run(run, cls.run_order) for run in entry.get("runs") or ()]
        return super().fill({**entry, "runs": runs})

    def points(self, side: str) -> SumField:
        """A side's field for its points, by the way to count."""
        kind = _POINT_FIELDS.get(self.counting.data, "cards")
        return self[f"{kind}_{side}"]  # type: ignore[no-any-return]  # WTForms has no types

    @property
    def call_list(self) -> list[str]:
        """The calls so far."""
        return [call for call in (self.calls.data or "").split(",") if call.strip()][:99]

    @property
    def bid_number(self) -> int | str | None:
        """The bid: the points entered in the field, or else those tapped, or `capot`."""
        text = self.bid_points.data or ""
        number = int(text) if text.isascii() and text.isdigit() else None
        if text in EVERY_TRICK and self.bid_other.entered is None:
            return text
        return self.bid_other.entered or number

    @property
    def offer_terms(self) -> str:
        """The offer's terms as a call writes them: `20+1`."""
        points, deals = self.offered_points, self.offered_deals
        return f"{points or ''}{f'+{deals}' if deals else ''}" or "0"

    @property
    def offered_points(self) -> int:
        """Points offered: those entered in the field, or else those tapped."""
        chip = self.offer_chip.data or ""
        other = self.offer_other.entered
        return other if other is not None else int(chip) if chip.isascii() and chip.isdigit() else 0

    @property
    def offered_deals(self) -> int:
        """The number of further deals offered."""
        text = self.offer_deals.data or ""
        return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0


@lru_cache(maxsize=16)
def _make_form_class(ring: Ring, run_order: tuple[str, ...]) -> type[DealForm]:
    fields: dict[str, Any] = {
        f"{kind}_{side}": SumField() for side in ring.sides for kind in _POINT_FIELDS.values()
    }
    fields |= {f"false_{seat}": SumField() for seat in ring.seats}
    fields |= {f"pairs_{seat}": SeatField() for seat in ring.seats}
    own = {"ring": ring, "run_order": run_order, "lines": tuple(_list_lines(ring))}
    return type("DealForm", (DealForm,), fields | own)


def deal_form_class(ruleset: JackNineRuleset) -> type[DealForm]:
    """The form class of a deal for a table, with the fields of each side and each seat."""
    return _make_form_class(ruleset.ring, ruleset.run_order)


def fill_form(match: Match, entry: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> DealForm:
    """Fill the form of a deal from an entry, and from the defaults for what it leaves out."""
    form_class = deal_form_class(deal_game(match.game).ruleset)
    return form_class(formdata=None, data={**(defaults or {}), **(form_class.fill(entry) if entry else {})})


# --- which field stands for which path of the entry ----------------------------------------------


def _list_lines(ring: Ring) -> Iterator[tuple[str, str] | FieldLine]:
    """List the fields with their paths, in the order in which an entry is written."""
    yield FieldLine("auction", _read_calls, _fill_calls)
    yield FieldLine("bid", _read_bid, _fill_bid)
    yield "turned", "contract.turned"
    yield FieldLine("contract.points", _read_points_bid, _fill_points_bid)
    yield from ((key, key) for key in ("dealer", "turn_up", "belot", "runs", "fours"))
    yield FieldLine("bela", _read_bela, _fill_bela)
    yield "caller", "call.seat"
    yield "after_trick", "call.after_trick"
    yield FieldLine("tricks", _read_tricks, _fill_tricks)
    yield FieldLine("", lambda form: {}, _fill_counting)
    yield "last", "last"
    for way, kind in _POINT_FIELDS.items():
        yield from ((f"{kind}_{side}", f"{_COUNTED[way][0]}.{side}") for side in ring.sides)
    yield from ((word, f"count.{word}") for word in ("jass", "nine", "last"))
    yield "exchanged", "exchanged"
    yield FieldLine("trickless", _read_trickless, _fill_trickless)
    yield FieldLine("alone", _read_alone, _fill_alone)
    yield FieldLine("false_melds", _read_false_melds, _fill_false_melds)
    yield "forfeits", "forfeits"
    yield "offender", "penalty.side"
    yield "offence", "penalty.offence"


def _read_calls(form: DealForm) -> Mapping[str, Any]:
    return {"auction": form.call_list} if form.call_list else {}


def _fill_calls(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"way": "calls", "calls": ",".join(entry["auction"])} if "auction" in entry else {}


def _read_bid(form: DealForm) -> Mapping[str, Any]:
    """Read who plays which suit, on which terms the deal was ended, or how it ended before the bidding."""
    if form.bid.data == OFFER:
        terms = {"points": form.offered_points, "deals": form.offered_deals}
        return {"offer": {key: value for key, value in terms.items() if value}}
    seat, colon, suit = (form.bid.data or "").partition(":")
    return {"contract": {"declarer": seat, "trump": suit}} if colon else read_ending(seat) or {}


def _fill_bid(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    if "contract" in entry:
        return {"bid": f"{entry['contract']['declarer']}:{entry['contract']['trump']}"}
    if "offer" in entry:
        points = entry["offer"].get("points", 0)
        chip, other = (str(points), "") if points in CHIPS else ("", str(points))
        deals = str(entry["offer"].get("deals") or "")
        return {"bid": OFFER, "offer_chip": chip, "offer_other": other, "offer_deals": deals}
    ending = ending_value(entry)
    unsaid = {"offender": "", "offence": ""} if ending and "penalty" in entry else {}
    return {} if "auction" in entry else {"bid": ending, **unsaid}


def _read_points_bid(form: DealForm) -> Mapping[str, Any]:
    """Read how much was bid, and whether that was doubled."""
    double = int(form.double.data) if form.double.data in ("2", "3", "4") else None
    bid = {"contract.points": form.bid_number, "contract.double": double}
    return {path: number for path, number in bid.items() if number is not None}


def _fill_points_bid(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    points, double = (entry.get("contract", {}).get(key) for key in ("points", "double"))
    listed = points in EVERY_TRICK or points in (*USUAL_BIDS, *ODD_BIDS)
    chip, other = (points, "") if listed else ("", points or "")
    double = "" if double in (None, 1) else double
    return {"bid_points": str(chip), "bid_other": str(other), "double": str(double)}


def _read_bela(form: DealForm) -> Mapping[str, Any]:
    return {"bela": form.bela.data} if form.bela.data else {}


def _fill_bela(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    seats = list(entry.get("bela") or ())
    return {"bela": seats[0] if seats else ""} | {f"pairs_{seat}": str(seats.count(seat)) for seat in seats}


def _name_run(run: Mapping[str, Any], run_order: Sequence[str]) -> Mapping[str, Any]:
    """Describe a run by its length and top card, even if it names its cards."""
    if "cards" not in run:
        return run
    top = min(run["cards"], key=lambda card: run_order.index(card[:-1]))
    return {"seat": run["seat"], "length": len(run["cards"]), "top": top[:-1], "suit": top[-1]}


def _read_tricks(form: DealForm) -> Mapping[str, Any]:
    cards, size = (form.tricks.data or "").split(), form.ring.size
    return {"tricks": [cards[at : at + size] for at in range(0, len(cards), size)]} if cards else {}


def _fill_tricks(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"tricks": " ".join(card for trick in entry.get("tricks", ()) for card in trick)}


def _fill_counting(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Fill in how an entry was counted, if it says so, and who took the last trick by that count."""
    by_points = "points" in entry.get("count", {})
    ways = {"tricks": "cards", "totals": "totals", "count": "points" if by_points else "count"}
    said = [way for key, way in ways.items() if key in entry][:1]
    last = (entry if said == ["totals"] else entry.get("count", {})).get("last")
    return {"last": last or "", **({"counting": said[0]} if said else {})}


def _read_trickless(form: DealForm) -> Mapping[str, Any]:
    sides = form.trickless.entered
    if EVERY_SIDE_HAD_ONE in sides:
        return {"trickless": None}
    return {"trickless": sides if len(sides) > 1 else sides[0]} if sides else {}


def _fill_trickless(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    sides = entry.get("trickless", [])
    return {"trickless": list(EVERY_SIDE_HAD_ONE if sides is None else sides)}


def _read_alone(form: DealForm) -> Mapping[str, Any]:
    return {"alone": form.alone.data == "yes"} if form.alone.data in ("yes", "no") else {}


def _fill_alone(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    answer = entry.get("alone")
    return {"alone": "" if answer is None else "yes" if answer else "no"}


def _read_false_melds(form: DealForm) -> Mapping[str, Any]:
    points = {seat: form[f"false_{seat}"].entered for seat in form.ring.seats}
    melds = [{"seat": seat, "points": number} for seat, number in points.items() if number]
    return {"false_melds": melds} if melds else {}


def _fill_false_melds(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    texts: dict[str, list[str]] = {}
    for meld in entry.get("false_melds") or ():
        texts.setdefault(f"false_{meld['seat']}", []).append(str(meld["points"]))
    return {name: "+".join(points) for name, points in texts.items()}


# --- the deal that the form comes to --------------------------------------------------------------

FieldFaults = dict[str, list[object]]
"""Faults as sentences, by the path of the entry that they are about: `totals.A`, `runs[0]`."""


def read_deal(
    form: DealForm, ruleset: JackNineRuleset, dealer: Seat | None, auction: Auction | None
) -> tuple[dict[str, Any], FieldFaults]:
    """Read the form as a JSON entry of a deal, with the faults of missing and unreadable fields.

    `auction` is the state of the bidding, if it is entered call by call.
    """
    paths = {"dealer", "turn_up", "note", *_list_bid_paths(form, ruleset)}
    was_played = _was_played(form, auction)
    if was_played:
        paths |= {"belot"} if form.belot.data else {*_PLAYED, *_COUNTED[form.counting.data]}
    entry, faults = form.read(paths), FieldFaults()
    if "auction" in paths and "auction" not in entry:
        faults["auction"] = [_l("Tap each call, elder hand first.")]
    if "bid" in paths and "contract" not in entry and was_played:
        passed = _l("Tap who plays which suit, or how the deal was passed.")
        faults["contract"] = [_l("Tap who plays which suit.") if form.ends_by_call else passed]
    if "contract.points" in paths and "points" not in entry["contract"]:
        faults["contract"] = [_l("Tap how much was bid.")]
    if "count.cards" in paths and "count" in entry:
        entry["count"] = {"cards": {}, **entry["count"]}
    trump = auction.trump if auction is not None else entry.get("contract", {}).get("trump")
    _use_answer(entry, form, auction)
    if entry.get("penalty", {}).get("offence") in DEALING_OFFENCES:
        played = (*_PLAYED, *(path.partition(".")[0] for path in _COUNTED[form.counting.data]))
        return {key: fact for key, fact in entry.items() if key == "penalty" or key not in played}, faults
    if trump in (NO_TRUMPS, ALL_TRUMPS):
        _drop_trump_words(entry)
        _count_pairs(entry, form, trump)
    every = len(form.ring.sides) == 2 and entry.get("trickless") in form.ring.sides
    if "count.points" in paths and "count" not in entry and every:
        _count_every_trick(entry, ruleset, auction, trump)
    _drop_unfinished(entry, faults, asks_caller=form.ends_by_call and "call" in paths)
    if "totals" in entry and len(entry["totals"]) < len(form.ring.sides):
        entry["totals"] |= infer_total(ruleset, entry, dealer)
        absent = [side for side in form.ring.sides if side not in entry["totals"]]
        if absent:
            del entry["totals"]
        for side in absent:
            faults[f"totals.{side}"] = [Message("Enter what {side} made.", side=SideName(side))]
    return entry, faults


def _list_bid_paths(form: DealForm, ruleset: JackNineRuleset) -> Iterator[str]:
    """The paths of the entry for the bidding."""
    if form.way.data == "calls":
        yield "auction"
        return
    yield "bid"
    if ":" in (form.bid.data or ""):
        yield "contract.turned"
        if ruleset.bids_points:
            yield "contract.points"


def _was_played(form: DealForm, auction: Auction | None) -> bool:
    """True if the deal was played, as far as the form says how it was bid."""
    if form.way.data == "calls":
        return auction is None or auction.status not in ("thrown-in", "offer")
    return form.bid.data != OFFER and read_ending(form.bid.data or "") is None


def _count_every_trick(
    entry: dict[str, Any], ruleset: JackNineRuleset, auction: Auction | None, trump: str | None
) -> None:
    """Count every trick for the side that took them, where that was told instead of points."""
    bid = auction.points if isinstance(auction, PointAuction) else entry.get("contract", {}).get("points")
    counts_more = bid is None or counts_every_trick(ruleset, bid)
    points = ruleset.sum_deal(counts_more, trump or Suit.HEARTS)
    if trump is not None and ruleset.scales(trump):
        points = ruleset.sum_cards(trump) + ruleset.last_points
    taker = next(side for side in ruleset.ring.sides if side != entry["trickless"])
    entry["count"] = {"points": {taker: points}}


def _drop_trump_words(entry: dict[str, Any]) -> None:
    """Drop what was tapped before no trump suit was chosen: there is no bela, no jass and no nine then."""
    entry.pop("bela", None)
    for word in ("jass", "nine"):
        entry.get("count", {}).pop(word, None)


def _use_answer(entry: dict[str, Any], form: DealForm, auction: Auction | None) -> None:
    """Use the answer that the bidder took every trick alone: then the others took none.

    It is dropped where nothing hangs on it.
    """
    contract = entry.get("contract", {})
    points, declarer = (
        (auction.points, auction.declarer) if auction else map(contract.get, ("points", "declarer"))
    )
    if points != GENERALE:
        entry.pop("alone", None)
    elif entry.get("alone") and declarer and not {"trickless", "count"} & entry.keys():
        entry["trickless"] = form.ring.others(form.ring.side(declarer))[0]


def _count_pairs(entry: dict[str, Any], form: DealForm, trump: str) -> None:
    """Count the pairs that each seat has with all trumps."""
    if trump != ALL_TRUMPS:
        return
    numbers = {seat: form[f"pairs_{seat}"].data or "" for seat in form.ring.seats}
    seats = [seat for seat, number in numbers.items() if number in "1234" for _ in range(int(number or 0))]
    if seats:
        entry["bela"] = seats if len(seats) > 1 else seats[0]


def _drop_unfinished(entry: dict[str, Any], faults: FieldFaults, *, asks_caller: bool) -> None:
    """Drop incomplete facts, and report what each lacks."""
    needed = {"runs": ("top", _l("Tap the highest card of the run.")), "fours": ("rank", _l("Tap the rank."))}
    for name, (key, text) in needed.items():
        rows = entry.get(name, ())
        faults |= {f"{name}[{n}]": [text] for n, row in enumerate(rows) if key not in row}
        entry[name] = [row for row in rows if key in row]
        if not entry[name]:
            del entry[name]
    if asks_caller and "seat" not in entry.get("call", {}):
        faults["call"] = [_l("Tap who said it.")]
    parts = {
        "call": ("seat", "after_trick", _l("Tap the trick after which it was said.")),
        "penalty": ("side", "offence", _l("Tap the offence.")),
    }
    for name, (who, what, text) in parts.items():
        if not {who, what} <= entry.get(name, {}).keys() and who in entry.pop(name, {}):
            faults[name] = [text]
