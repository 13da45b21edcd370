"""The page of a deal that is being recorded: bidding, melds, count, and the result."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from flask_babel import gettext as _

from companion.jacknine.deals.read import find_doubtful_sides
from companion.jacknine.deals.unusual import explain_unusual
from companion.jacknine.game_file import DEALING_OFFENCES
from companion.jacknine.phases import melds
from companion.jacknine.phases.auction import Auction
from companion.jacknine.phases.bidding import (
    CAPOT,
    EVERY_TRICK,
    GENERALE,
    USUAL_BIDS,
    PointAuction,
    counts_every_trick,
    list_bids,
    show_bid,
)
from companion.jacknine.phases.count import complete_points
from companion.jacknine.phases.play import PlaySoFar, find_first_leader
from companion.matches import EntryPlace
from companion.record import record as records
from companion.record.log import Event
from companion.rules.cards import ALL_TRUMPS, Card, Suit
from companion.rules.errors import Unreadable
from companion.rules.message import Message, SeatName, SideName
from companion.rules.seats import Seat, Side
from companion.web.forms.table import keep_unchanged
from companion.web.shell.text import say, translate

from .faults import DealFault, list_form_errors
from .form import (
    CHIPS,
    COUNTINGS,
    OFFER,
    DealForm,
    FieldFaults,
    deal_game,
    deal_state,
    ending_value,
    fill_form,
    list_countings,
    read_deal,
)
from .names import TableNames
from .preview import EntryPreview, preview_entry


def _has_problems(place: EntryPlace, entry: Mapping[str, Any]) -> bool:
    """True if the entry would have problems if it were saved now, beside an answer that is still missing.

    False if it is unreadable.
    """
    try:
        after = records.try_entry(place.match.game.family, place.n, entry, place.before).after
    except Unreadable:
        return False
    return any(not problem.field.endswith(".alone") for problem in records.problems_of(after, place.n))


@dataclass(frozen=True)
class Proposal:
    """A meld that a hand holds and nobody has declared yet: one tap declares it."""

    kind: str
    seat: str
    text: str
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """The value of its button: `run:A:…`."""
        return ":".join((self.kind, self.seat, *(self.fields[key] for key in sorted(self.fields))))


class DealPage:
    """The deal on the page, as the templates show it."""

    chips = CHIPS

    def __init__(
        self,
        place: EntryPlace,
        form: DealForm,
        ends_by_call: bool = False,
        faults: Iterable[DealFault] = (),
        replaced: tuple[str, str] | None = None,
    ) -> None:
        """Set up the page; `replaced` is the contract that an end before the play has just replaced."""
        self.place, self.form, self.ends_by_call, self.replaced = place, form, ends_by_call, replaced
        form.ends_by_call = ends_by_call
        self.match, self.family = place.match, deal_game(place.match.game)
        self.ruleset, self.ring = self.family.ruleset, self.family.ruleset.ring
        self.faults = tuple(faults)
        self.changes: tuple[Event, ...] = ()

    @cached_property
    def names(self) -> TableNames:
        """The players' names, as they fit on buttons."""
        return TableNames(self.match)

    @cached_property
    def cards(self) -> dict[str, Card]:
        """The cards of the pack, by code."""
        return {str(card): card for card in self.ruleset.pack}

    @property
    def dealer(self) -> Seat | None:
        """The dealer that was entered, or else the one who follows from the deal before."""
        letter = self.form.dealer.data
        return letter if letter in self.ring.seats else self.place.before.next_dealer

    @property
    def elder(self) -> Seat:
        """The elder hand, who speaks and leads first; the first seat while the dealer is unknown."""
        return self.ring.left(self.dealer or self.ring.seats[-1])

    @cached_property
    def auction(self) -> Auction:
        """The state of the bidding after the calls so far."""
        return self._view_bidding(self.form.call_list)

    def _view_bidding(self, calls: list[str]) -> Auction:
        code = self.form.turn_up.data or ""
        turn_up = self.cards.get(code) or (code if self.prefers_suit and code in self.ruleset.suits else None)
        return self.family.bidding(self.elder, turn_up, calls)

    @cached_property
    def calls(self) -> list[tuple[str, str]]:
        """The calls so far, each after its speaker."""
        calls = self.form.call_list
        return [(self._view_bidding(calls[:at]).speaker or "", call) for at, call in enumerate(calls)]

    @cached_property
    def contract(self) -> tuple[str, str] | None:
        """The declarer and the suit, as far as they were entered."""
        if self.form.way.data == "calls":
            auction = self.auction
            is_bid = auction.status == "contract" and auction.declarer is not None
            return (auction.declarer or "", str(auction.trump)) if is_bid else None
        seat, colon, suit = (self.form.bid.data or "").partition(":")
        exists = seat in self.ring.seats and suit in self.ruleset.suits
        return (seat, suit) if colon and exists else None

    @property
    def is_forced(self) -> bool:
        """True if the dealer has to play the turned suit, so that nobody bids."""
        return deal_state(self.place).is_forced

    @property
    def callers(self) -> list[Seat]:
        """The seats that may choose trumps, elder hand first, with any other that was entered as declarer."""
        may = (self.dealer,) if self.is_forced else self.ruleset.list_callers(self.elder)
        entered = self.contract[0] if self.contract else None
        return [seat for seat in self.ring.around(self.elder) if seat in may or seat == entered]

    @cached_property
    def endings(self) -> dict[str, str]:
        """The ways the deal may end before the bidding, or has ended: values of `bid`, with names."""
        ruleset, endings = self.ruleset, list[Mapping[str, Any]]()
        if ruleset.may_throw_in() and not self.is_forced:
            endings.append({"thrown_in": True})
        endings.append({"redeal": "misdeal"})
        for redeal in ("four-sevens", "poor-hand"):
            if ruleset.redeals(redeal):
                endings += self._list_holders(redeal)
        if self.place.id is not None and {"thrown_in", "redeal"} & self.place.entry.keys():
            endings.append(self.place.entry)
        return {ending_value(ending): self._name_ending(ending) for ending in endings}

    def _list_holders(self, redeal: str) -> list[dict[str, Any]]:
        """List the entries of a redeal for a hand: one per seat if the holder has to be named."""
        if not self.ruleset.names_holder(redeal):
            return [{"redeal": redeal}]
        return [{"redeal": redeal, "by": seat} for seat in self.ring.seats]

    def _name_ending(self, ending: Mapping[str, Any]) -> str:
        if "thrown_in" in ending:
            return _("Thrown in") if self.ruleset.may_schmeiss() else _("Passed out")
        names = {"misdeal": _("Misdeal"), "four-sevens": _("Four sevens"), "poor-hand": _("Poor hand")}
        name = names[ending["redeal"]]
        return f"{name}: {self.match.names[ending['by']]}" if "by" in ending else name

    @cached_property
    def entry_and_faults(self) -> tuple[dict[str, Any], FieldFaults]:
        """The entry as far as it was entered, and its faults."""
        found = self._find_entry()
        if self.asks_tricks and self._is_answer_stale(found[0]):
            self.form.trickless.data = []
            found = self._find_entry()
        return found

    def _find_entry(self) -> tuple[dict[str, Any], FieldFaults]:
        entry, faults = self._read_form()
        if self.place.id is None:
            return entry, faults
        shown = DealPage(self.place, fill_form(self.match, self.place.entry), self.ends_by_call)
        return keep_unchanged(entry, shown._read_form()[0], self.place.entry), faults

    def _is_answer_stale(self, entry: Mapping[str, Any]) -> bool:
        """True if the answer who took no trick was given for other points, and cannot be true of these."""
        answer = entry.get("trickless", ())
        fits = bool(self.doubtful_sides) and set(answer or ()) <= set(self.doubtful_sides)
        return answer != () and not fits and _has_problems(self.place, entry)

    @property
    def asks_pairs(self) -> bool:
        """True if belotes of all trumps count here, or some were told anyway."""
        has_pairs = any(self.form[f"pairs_{seat}"].data for seat in self.ring.seats)
        return self.ruleset.all_trumps and (has_pairs or bool(self.ruleset.pairs(ALL_TRUMPS)))

    @property
    def asks_tricks(self) -> bool:
        """True if every trick counts more: who took none is asked beside the points."""
        return self.ruleset.has_capot

    @cached_property
    def doubtful_sides(self) -> list[Side]:
        """The sides asked about whether they took a trick, answered or not; empty without that question."""
        if not self.asks_tricks:
            return []
        answer, self.form.trickless.data = self.form.trickless.data, []
        unanswered, _faults = self._find_entry()
        self.form.trickless.data = answer
        return sorted(find_doubtful_sides(self.ruleset, unanswered, self.dealer))

    @property
    def trickless_choices(self) -> dict[str, bool]:
        """The sides that may be without a trick together, as letters, the most first; True if asked about."""
        sides = self.ring.sides
        groups = (group for size in range(len(sides) - 1, 0, -1) for group in combinations(sides, size))
        return {"".join(group): set(group) <= set(self.doubtful_sides) for group in groups}

    @property
    def lacks_answer(self) -> bool:
        """True if the page asks that and nobody has answered yet."""
        return bool(self.doubtful_sides) and "trickless" not in self.entry_and_faults[0]

    def _put_question(self, fault: DealFault) -> DealFault:
        """Word what is missing as the page asks for it, if it offers the answers."""
        if fault.slot != "trickless" or not self.doubtful_sides:
            return fault
        names = [SideName(side) for side in self.doubtful_sides]
        asked = Message("Whether {side} took a trick is missing.", side=names)
        return replace(fault, text=say(self.match, asked))

    @property
    def bids_capot(self) -> bool:
        """True if all tricks were bid, so that they decide the deal."""
        return self._points_bid in EVERY_TRICK

    @property
    def bids_alone(self) -> bool:
        """True if the bidder has to take every trick alone, by calls that were entered one by one."""
        return self.form.way.data == "calls" and self.auction.points == GENERALE

    @property
    def capot_points(self) -> int | None:
        """The points of all tricks together, for this bid and trump; None if cards are out of play."""
        if not self.ruleset.all_dealt:
            return None
        counts_more = self._points_bid is None or counts_every_trick(self.ruleset, self._points_bid)
        return self.ruleset.sum_deal(counts_more, self.contract[1] if self.contract else Suit.HEARTS)

    @property
    def _points_bid(self) -> int | str | None:
        return self.preview.row.points if self.preview.row is not None else None

    def _read_form(self) -> tuple[dict[str, Any], FieldFaults]:
        auction = self.auction if self.form.way.data == "calls" else None
        return read_deal(self.form, self.ruleset, self.dealer, auction)

    @cached_property
    def is_valid(self) -> bool:
        """True if the form accepts the fields as sent."""
        return bool(self.form.validate())

    @cached_property
    def preview(self) -> EntryPreview:
        """The result of the deal, as far as it was entered."""
        entry, faults = self.entry_and_faults
        preview = preview_entry(self.place, entry, faults)
        invalid = [] if not self.form.is_submitted() or self.is_valid else list_form_errors(self.form)
        invalid_slots = {fault.slot for fault in invalid}
        mistakes = (*invalid, *(fault for fault in preview.mistakes if fault.slot not in invalid_slots))
        # Bidding or play that is not over, or an offer without terms, is unfinished and no mistake yet.
        unfinished = {"bid"} if self.form.way.data == "calls" and self.auction.status == "open" else set()
        if self.form.bid.data == OFFER and self.form.offer_terms == "0" and "bid" not in invalid_slots:
            unfinished.add("bid")
        if self.course is not None and self.course.next is not None:
            unfinished.add("tricks")
        missing = (
            *(fault for fault in mistakes if fault.slot in unfinished),
            *(self._put_question(fault) for fault in preview.missing),
        )
        mistakes = (*(fault for fault in mistakes if fault.slot not in unfinished),)
        if any(slot.startswith("points") for slot in invalid_slots):  # the field is full, but not of points
            missing = (*(fault for fault in missing if not fault.slot.startswith("points")),)
        if "tricks" in unfinished:
            mistakes += tuple(self.misplays)
        return replace(preview, mistakes=mistakes, missing=missing)

    @property
    def begins(self) -> bool:
        """True while nothing of a new deal was entered: the page shows the score, and asks who plays."""
        form = self.form
        said = form.bid.data or form.way.data == "calls" or self.faults or self.match.draft
        return self.place.is_new and not self.ends_by_call and not said

    @property
    def becomes(self) -> dict[Side, str]:
        """The total of each side after the deal; empty while it is unknown."""
        preview = self.preview
        known = preview.after is not None and not (self.faults or preview.mistakes or preview.missing)
        return {
            side: str(preview.after.totals[side]) if preview.after is not None and known else ""
            for side in self.ring.sides
        }

    @cached_property
    def course(self) -> PlaySoFar | None:
        """The state of the play if it is entered card by card, or None."""
        if self.form.counting.data != "cards" or self.contract is None:
            return None
        codes = (self.form.tricks.data or "").split()
        cards = [self.cards[name] for name in codes if name in self.cards]
        if len(cards) < len(codes):
            return None
        size = self.ring.size
        tricks = [tuple(cards[at : at + size]) for at in range(0, len(cards), size)]
        if len(set(cards)) < len(cards) or len(tricks) > self.ruleset.hand:
            return None
        points = self.auction.points if self.form.way.data == "calls" else self.form.bid_number
        leader = find_first_leader(self.ruleset, self.elder, self.contract[0], points)
        return self.family.follow_play(leader, self.contract[1], tricks)

    @cached_property
    def misplays(self) -> list[DealFault]:
        """Faults of cards that could not be played, as far as the play shows it."""
        if self.course is None:
            return []
        return [
            DealFault(
                "tricks",
                say(
                    self.match,
                    Message(
                        "{seat} could not play {card}: {why}",
                        seat=SeatName(revoke.seat),
                        card=revoke.card,
                        why=revoke.due.why,
                    ),
                ),
                self.ruleset.cite_one(revoke.due.key),
            )
            for revoke in self.course.wrong
            if self.form.offender.data in (None, "")
        ]

    @property
    def first_fault(self) -> DealFault | None:
        """The first fault: only the line above the buttons says it."""
        return next(iter((*self.faults, *self.preview.mistakes)), None)

    @property
    def wrong_slots(self) -> set[str]:
        """The slots of the page that have a fault."""
        return {fault.slot for fault in (*self.faults, *self.preview.mistakes)}

    def faults_at(self, slot: str) -> list[DealFault]:
        """The further faults in one slot of the page."""
        said = {self.first_fault.text} if self.first_fault else set()
        shown = said | {fault.text for fault in self.faults}
        live = (fault for fault in self.misplays if fault.text not in shown)
        return [fault for fault in (*self.faults, *live) if fault.slot == slot and fault.text not in said]

    @cached_property
    def remaining_points(self) -> dict[str, int]:
        """Points that follow from the other side's, if all cards are dealt; shown, not entered."""
        row, entry = self.preview.row, self.entry_and_faults[0]
        empty = {side for side in self.ring.sides if self.form.points(side).entered is None}
        is_empty = len(empty) == len(self.ring.sides) and "points" not in entry.get("count", {})
        if row is None or not self.ruleset.all_dealt or is_empty:
            return {}
        count = {line.side: line.points for line in row.lines if line.word == "cards"}
        if row.trump is not None and self.ruleset.scales(row.trump):  # the fields hold what lies on the cards
            stated = entry.get("count", {}).get("points", {})
            count = complete_points(self.ruleset, stated, row.trump) if stated else {}
        totals: dict[str, int] = entry.get("totals") or count
        return {side: points for side, points in totals.items() if side in empty}

    @cached_property
    def unusual(self) -> str:
        """The reason to check a possible count again; empty if it is ordinary."""
        row = self.preview.row
        if row is None or self.preview.mistakes or self.preview.missing:
            return ""
        why = explain_unusual(self.ruleset, row)
        return say(self.match, why) if why is not None else ""

    @property
    def countings(self) -> list[str]:
        """The ways to count that the page offers, with the one in use."""
        usual = list_countings(self.ruleset)
        return [way for way in COUNTINGS if way in usual or way == self.form.counting.data]

    @property
    def unusual_count(self) -> str:
        """The unusual count, as the form remembers that it asked about it; empty if it is ordinary."""
        made = self.preview.row.made if self.preview.row is not None else None
        return "-".join(str(made[side]) for side in self.ring.sides) if made and self.unusual else ""

    @property
    def is_asked(self) -> bool:
        """True if the page asks about just this count, so that saving it once more saves it."""
        return bool(self.unusual_count) and self.form.asked.data == self.unusual_count

    @property
    def prefers_suit(self) -> bool:
        """True if a suit is preferred and no card turned up."""
        return self.ruleset.turns_suit and self.ruleset.turned_card == "none"

    # --- bids --------------------------------------------------------------------------------------

    def bid_chips(self, least: int | str | None = None) -> list[str]:
        """The bids with a button of their own, from the least that may be made, and capot."""
        first = least or list_bids(self.ruleset)[0]
        every = [CAPOT, *[GENERALE] * self.ruleset.has_option("generale", "on")]
        if first in EVERY_TRICK:
            return every[EVERY_TRICK.index(first) :]
        numbers = [points for points in list_bids(self.ruleset) if points >= int(first)]
        tens = [points for points in numbers if points % USUAL_BIDS.step == 0 or points == numbers[0]]
        return [*map(str, tens[: len(USUAL_BIDS)]), *every]

    @property
    def contract_said(self) -> str:
        """The bid as it stands behind the declarer: `110 coinché`; empty while it is unknown."""
        points, words = self.form.bid_number, self.match.game.book.words
        double = int(self.form.double.data) if self.form.double.data in ("2", "3", "4") else 1
        return say(self.match, show_bid(words, points, double)) if points is not None else ""

    @property
    def doublers(self) -> list[Seat]:
        """The seats that may double out of turn."""
        auction = self.auction
        may = auction.may_double if isinstance(auction, PointAuction) else lambda seat: False
        return [seat for seat in self.ring.seats if seat != auction.speaker and may(seat)]

    # --- melds -------------------------------------------------------------------------------------

    def word(self, name: str) -> str:
        """The game's word for a thing."""
        return str(self.match.game.book.words.get(name, name))

    @property
    def run_tops(self) -> dict[int, list[str]]:
        """The possible top ranks of a run, by length; empty where runs are no meld."""
        order = self.ruleset.run_order
        if not self.ruleset.run_points:
            return {}
        shortest = min(self.ruleset.run_points)
        return {
            length: list(order[: len(order) - length + 1])
            for length in range(shortest, min(len(order), self.ruleset.hand) + 1)
        }

    @property
    def false_melds(self) -> bool:
        """True if a meld that could not be shown is entered for any player."""
        return any(self.form[f"false_{seat}"].data for seat in self.ring.seats)

    @property
    def offences(self) -> list[str]:
        """The offences during the play that may have cost the deal."""
        after_bid = self.ruleset.has_option("misdeal", "after-bid")
        return [name for name in self.ruleset.offences() if after_bid or name not in DEALING_OFFENCES]

    @property
    def misdeals(self) -> dict[str, list[tuple[str, str, str]]]:
        """The offences that cost a deal before the bidding: values of `bid` with names, one for each side."""
        offences = DEALING_OFFENCES if self.ruleset.has_option("misdeal", "points") else ()
        sides = self.names.side_choices(None)
        return {
            offence: [
                (ending_value({"penalty": {"offence": offence, "side": side}}), text, whole)
                for side, text, whole in sides
            ]
            for offence in offences
            if offence in self.ruleset.offences()
        }

    @property
    def four_ranks(self) -> list[str]:
        """The ranks of which four together are a meld, the best first."""
        order, worth = self.ruleset.fours_order, self.ruleset.fours
        return sorted(worth, key=lambda rank: (-worth[rank], order.index(rank)))

    @property
    def longer_runs(self) -> list[tuple[str, str]]:
        """The lengths of the runs that are declared by the word of the longest, and so of that one first."""
        longest = max(self.ruleset.run_points)
        return [(str(length), str(length)) for length in self.run_tops if length >= longest]

    def run_word(self, length: int) -> str:
        """The name of a run of this length, in the page's language."""
        worth = self.ruleset.run_points
        if length in worth:
            return translate(self.match.game.book.words.get(f"run{length}", worth[length]))
        return f"{translate(self.word('run'))} ({length})"

    @cached_property
    def hands(self) -> dict[str, list[Card]]:
        """The hands, once every card of the deal has been played."""
        course = self.course
        if course is None or course.next is not None:
            return {}
        taken = [
            dict(zip(self.ring.around(trick.leader), trick.cards, strict=True)) for trick in course.taken
        ]
        return {seat: [cards[seat] for cards in taken] for seat in self.ring.seats}

    @cached_property
    def proposals(self) -> list[Proposal]:
        """Melds of known hands that nobody has entered yet."""
        proposals: list[Proposal] = []
        runs = {
            (run.seat.data, run["length"].data, run.top.data, suit)
            for run in self.form.runs
            for suit in ([run.suit.data] if run.suit.data else Suit)
        }
        fours = {four.rank.data for four in self.form.fours}
        trump = self.contract[1] if self.contract else None
        for seat, hand in self.hands.items():
            for meld in melds.find_melds(self.ruleset.at(trump), seat, hand):
                fields = {key: str(value) for key, value in meld.to_entry().items()}
                if "rank" in fields:
                    if fields["rank"] not in fours:
                        text = f"{translate(self.word('four'))}: {translate(fields['rank'])}"
                        proposals.append(Proposal("four", seat, text, fields))
                elif (seat, fields["length"], fields["top"], fields["suit"]) not in runs:
                    sign = Suit(fields["suit"]).sign
                    text = f"{self.run_word(int(fields['length']))}: {translate(fields['top'])}{sign}"
                    proposals.append(Proposal("run", seat, text, fields))
            pairs = self.ruleset.pairs(trump) if trump else ()
            number = self.form[f"pairs_{seat}"].data if len(pairs) > 1 else "1" * bool(self.form.bela.data)
            held = sum(set(pair) <= set(hand) for pair in pairs)
            if held > (int(number) if number in tuple("1234") else 0):
                proposals.append(Proposal("bela", seat, translate(self.word("bela"))))
        return proposals
