"""The bidding: who speaks, which calls are allowed, and how it ends.

Two rounds: in the first only the turned suit can be chosen, in the second another one; or a single round in
which any suit is named; or elder hand names one and nobody bids. If the game has them, the dealer may ask
how many times elder hand means to pass, a player may schmeiss, or elder hand offer to throw the deal in for
points or further deals.
"""

from dataclasses import dataclass, replace

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Suit, parse_suit
from companion.rules.message import Message, SeatName, Word, show_trump
from companion.rules.schema import Integer, field
from companion.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class OfferTerms:
    """Terms for throwing a deal in: points for elder hand, further deals by the same dealer."""

    points: int = field(Integer(0, 9999), 0)
    deals: int = field(Integer(0, 99), 0)


@dataclass(frozen=True, slots=True)
class Auction:
    """The bidding so far.

    `phase` says what is to be answered: a round (`first`, `second`, or `single`), `ask`, a schmeiss of
    either round (`schmeiss`, `schmeiss-second`), `haggle`, or that a suit has to be named, after an offer
    (`must`) or a schmeiss (`forced`). `status` is `open`, `contract`, `thrown-in`, `offer` or `illegal`;
    `illegal` is then the number of the first wrong call, counted from 1. `speaker` is None once the bidding
    is over. `points` and `double` are of a bid where points are bid. `keys` are the rules it went by.
    """

    ruleset: JackNineRuleset
    elder: Seat
    turned_suit: str | None
    speaker: Seat | None
    phase: str = "first"
    status: str = "open"
    declarer: Seat | None = None
    trump: str | None = None
    points: int | str | None = None
    double: int = 1
    terms: OfferTerms | None = None
    keys: tuple[str, ...] = ()
    illegal: int | None = None
    why: Message = Message("Nobody has spoken yet.")

    @property
    def round(self) -> int | None:
        """The round of bidding, 1 or 2."""
        return 1 if self.phase in ("first", "single", "ask", "schmeiss") else 2

    @property
    def dealer(self) -> Seat:
        """The seat that deals, to the right of elder hand."""
        return self.ruleset.ring.left(self.elder, -1)

    @property
    def speaker_keys(self) -> tuple[str, ...]:
        """The keys of the rules that say what the speaker may say."""
        schmeiss = (self._schmeiss_key,) if "schmeiss" in self.legal() else ()
        last = self.ruleset.known_keys("bid.obligation") if self.is_last_bid else ()
        return tuple(dict.fromkeys((self.call_key, *schmeiss, *last)))

    @property
    def after_schmeiss(self) -> bool:
        """True if the deal was thrown in after a schmeiss."""
        return self.status == "thrown-in" and self.keys[-1].startswith("bid.schmeiss")

    @property
    def least(self) -> int | str | None:
        """The lowest number that may be bid; None in games without points to bid."""
        return None

    @property
    def turned(self) -> bool | None:
        """True if the turned suit was chosen; None if none is turned."""
        return self.trump == self.turned_suit if self.turned_suit is not None else None

    @property
    def is_last_bid(self) -> bool:
        """True if the last bidder of the only or the second round speaks."""
        last = self.elder if self.ruleset["bidding"] == "elder" else self.dealer
        return self.phase in ("second", "single") and self.speaker == last

    @property
    def _other(self) -> Seat:
        """The one of elder hand and the dealer who does not speak."""
        return self.dealer if self.speaker == self.elder else self.elder

    @property
    def _schmeiss_key(self) -> str:
        """The rule of a schmeiss, said now or answered: of elder hand’s in the first round, or any other."""
        by_elder = (self.speaker == self.elder) == (self.phase == "first")
        return "bid.schmeiss" if self.round == 1 and by_elder else "bid.schmeiss-full"

    def _may_schmeiss(self) -> bool:
        """True if the speaker of a round may schmeiss."""
        obliged = self.is_last_bid and self.ruleset["last_must"]
        return {
            "off": False,
            "on": self.phase == "first" and self.speaker == self.elder,
            "full": self.speaker in (self.elder, self.dealer) and not obliged,
        }[self.ruleset["schmeiss"]]

    def legal(self) -> tuple[str, ...]:
        """The calls that the speaker may make, as `play S`; offers without their terms."""
        if self.status not in ("open", "illegal") or self.speaker is None:
            return ()
        ruleset, is_elder, is_dealer = self.ruleset, self.speaker == self.elder, self.speaker == self.dealer
        match self.phase:
            case "first":
                asks = ("ask",) if ruleset["ask"] and is_dealer else ()
                return ("pass", "play", *asks, *["schmeiss"] * self._may_schmeiss())
            case "ask":
                return ("once", "twice")
            case "schmeiss" | "schmeiss-second":
                return ("force", "throw")
            case "haggle":
                return ("counter", "accept", "refuse")
        named = tuple("play" if suit == self.turned_suit else f"play {suit}" for suit in self._list_suits())
        named = tuple(sorted(named, key=lambda call: call != "play"))
        if self.phase not in ("second", "single"):
            return named
        passes = () if self.is_last_bid and ruleset["last_must"] else ("pass",)
        offers = ("offer",) if ruleset["offers"] and is_elder else ()
        return (*passes, *named, *["schmeiss"] * self._may_schmeiss(), *offers)

    def _list_suits(self) -> tuple[str, ...]:
        """The trumps that the speaker may choose."""
        if self.phase == "first":
            return () if self.turned_suit is None else (self.turned_suit,)
        if self.phase not in ("second", "must", "forced", "single"):
            return ()
        free = self.ruleset["second_round"] == "any"
        free = free or (self.is_last_bid and self.ruleset["last_suits"] == "any")
        suits = tuple(suit for suit in Suit if free or suit != self.turned_suit)
        return (*suits, NO_TRUMPS) if self.ruleset.no_trumps else suits

    def add_call(self, call: str) -> "Auction":
        """Add a call, such as `offer 20+1`; one not allowed makes the bidding `illegal`."""
        verb, _, rest = call.strip().partition(" ")
        if self.status != "open":
            return self._reject(Message("The bidding was over."), self.keys[-1])
        match verb, rest.strip():
            case ("play", ""):
                return self._play(self.turned_suit, call)
            case ("play", suit):
                return self._play(parse_trump(suit), call)
            case ("offer" | "counter", terms) if verb in self.legal():
                return self._offer(verb, terms)
            case (_, "") if verb in self.legal():
                return self._follow_call(verb)
        return self._reject(self._refuse(call), self._find_broken_key(verb))

    def _follow_call(self, verb: str) -> "Auction":
        """Follow an allowed call of one word."""
        match verb:
            case "pass":
                return self._pass()
            case "ask":
                return self._hand_over(self.elder, "ask", "bid.dealer-options", "bid.ask")
            case "once":
                return self._close_with_contract(self.dealer, self.turned_suit, "bid.ask")
            case "twice":
                return self._close_thrown_in("bid.ask")
            case "schmeiss":
                phase = "schmeiss" if self.phase == "first" else "schmeiss-second"
                return self._hand_over(self._other, phase, self._schmeiss_key)
            case "force" if self.phase == "schmeiss-second":
                return self._hand_over(self._other, "forced", self._schmeiss_key)
            case "force":
                answers = self.ruleset["schmeiss"] == "on" and self.ruleset["schmeiss_maker"] == "responder"
                maker = self.speaker if answers else self._other
                return self._close_with_contract(maker or self.elder, self.turned_suit, self._schmeiss_key)
            case "throw":
                return self._close_thrown_in(self._schmeiss_key)
            case "accept":
                return self._close("offer", "offer.accepted", Message("The offer is accepted."))
            case "refuse":
                return self._hand_over(self.elder, "must", "offer.refused")
            case unknown:
                raise UnknownOption(unknown)

    def _find_broken_key(self, verb: str) -> str:
        """Find the rule that a call breaks that is not allowed."""
        obliged = self.is_last_bid and self.ruleset["last_must"] and verb in ("pass", "schmeiss")
        key = "bid.obligation" if obliged else _KEY_OF_CALL.get(verb, "")
        return key if self.ruleset.known_keys(key) else self.call_key

    def _play(self, suit: str | None, call: str) -> "Auction":
        """Let the speaker choose trumps."""
        speaker = self.speaker or self.elder
        if suit is not None and suit in self._list_suits():
            return self._close_with_contract(speaker, suit, self.call_key)
        if self.phase == "first":
            said = self._show_call(call)
            why = Message("In the first round only the turned suit can be chosen, not {call}.", call=said)
        elif self.phase in ("second", "must", "forced"):
            why = Message("In the second round a suit other than the turned one must be named.")
        else:
            why = self._refuse(call)
        return self._reject(why, self.call_key)

    def _refuse(self, call: str) -> Message:
        """Explain that a call is not allowed now."""
        said, seat = self._show_call(call), SeatName(self.speaker or "")
        return Message("{seat} cannot say “{call}” here.", seat=seat, call=said)

    def _show_call(self, call: str) -> Message | Word | str:
        """Show a call as it is said at the table; other text as it was written."""
        verb, _, rest = call.strip().partition(" ")
        suit = parse_trump(rest)
        if verb == "play" and suit is not None:
            return Message("play {suit}", suit=show_suit(suit))
        if verb in self.ruleset.book.words:
            return Word(self.ruleset.book.words[verb])
        return _PLAIN_CALLS.get(verb, call)

    def _pass(self) -> "Auction":
        """Let the speaker pass; after both rounds the deal is passed out."""
        speaker = self.speaker or self.elder
        if speaker != self.dealer:
            return self._hand_over(self.ruleset.ring.left(speaker), self.phase, self.call_key)
        if self.phase == "first":
            return self._hand_over(self.elder, "second", self.call_key)
        return self._close_thrown_in("bid.passed-out")

    def _offer(self, verb: str, text: str) -> "Auction":
        """Let the speaker name terms, as an offer or in answer to one."""
        terms = read_terms(text)
        if terms is None:
            why = Message("An offer names points, further deals or both: 20, +1 or 20+1.")
            return self._reject(why, "offer.terms")
        fault = find_terms_fault(self.ruleset, terms)
        if fault:
            return self._reject(fault, "offer.terms")
        key = "offer.who" if verb == "offer" else "offer.haggle"
        return self._hand_over(self._other, "haggle", key, "offer.terms", terms=terms)

    def _hand_over(self, speaker: Seat, phase: str, *keys: str, terms: OfferTerms | None = None) -> "Auction":
        """Let another seat speak next."""
        why = Message("{seat} speaks.", seat=SeatName(speaker))
        return replace(self, speaker=speaker, phase=phase, terms=terms, keys=(*self.keys, *keys), why=why)

    def _close_with_contract(self, seat: Seat, suit: str | None, key: str) -> "Auction":
        """Close the bidding: a seat plays the suit."""
        why = Message("{seat} plays {suit}.", seat=SeatName(seat), suit=show_suit(suit))
        return replace(self._close("contract", key, why), declarer=seat, trump=suit)

    def _close_thrown_in(self, key: str) -> "Auction":
        """Close the bidding: the deal is thrown in."""
        return self._close("thrown-in", key, Message("The cards are thrown in."))

    def _close(self, status: str, key: str, why: Message) -> "Auction":
        """Close the bidding with a status."""
        return replace(self, status=status, speaker=None, keys=(*self.keys, key), why=why)

    def _reject(self, why: Message, key: str) -> "Auction":
        """Mark the last call as not allowed."""
        return replace(self, status="illegal", keys=(*self.keys, key), why=why)

    @property
    def call_key(self) -> str:
        """The key of the rule by which the next call is made."""
        if self.phase == "first" and self.ruleset["ask"] and self.speaker == self.dealer:
            return "bid.dealer-options"
        if self.is_last_bid and self.ruleset["last_must"]:
            return "bid.obligation"
        if self.phase in ("schmeiss", "schmeiss-second", "forced"):
            return self._schmeiss_key
        return _KEY_OF_PHASE[self.phase]


_KEY_OF_PHASE = {
    "first": "bid.first",
    "single": "bid.only",
    "ask": "bid.ask",
    "second": "bid.second",
    "haggle": "offer.haggle",
    "must": "offer.refused",
}
_KEY_OF_CALL = {
    "ask": "bid.dealer-options",
    "once": "bid.ask",
    "twice": "bid.ask",
    "schmeiss": "bid.schmeiss",
    "force": "bid.schmeiss",
    "throw": "bid.schmeiss",
    "offer": "offer.who",
    "counter": "offer.haggle",
    "accept": "offer.haggle",
    "refuse": "offer.haggle",
}
"""The rule broken by a call that is not allowed, in games that have the call."""


_PLAIN_CALLS = {
    "pass": Message("pass"),
    "play": Message("play"),
    "counter": Message("other terms"),
    "accept": Message("accept"),
    "refuse": Message("refuse"),
}
"""Calls that need no word of the game."""


def show_suit(suit: str | None) -> object:
    """Show the sign of a trump suit, or words for no-trumps, all trumps and an unknown suit."""
    return show_trump(suit) if suit else Message("the turned suit")


def parse_trump(text: str) -> str | None:
    """Read trumps as written; None for anything else."""
    if text.upper() in (NO_TRUMPS, ALL_TRUMPS):
        return text.upper()
    try:
        return parse_suit(text)
    except ValueError:
        return None


def read_terms(text: str) -> OfferTerms | None:
    """Read the terms of an offer: `20`, `+1`, `20+1`; None for anything else."""
    points, plus, deals = text.replace(" ", "").partition("+")
    if not all(part.isascii() and part.isdigit() and len(part) <= 4 for part in (points, deals) if part):
        return None
    if not points and not deals or plus and not deals:
        return None
    return OfferTerms(int(points or 0), int(deals or 0))


def find_terms_fault(ruleset: JackNineRuleset, terms: OfferTerms) -> Message | None:
    """Find what is wrong with the terms of an offer; None if nothing is. Rule key: `offer.terms`."""
    if terms.points == 0 and terms.deals == 0:
        return Message("An offer asks for points, for further deals, or for both.")
    most = ruleset["offer_deals_max"]
    if terms.deals > most:
        return Message("At this table an offer may ask for {most} further deals at most.", most=most)
    return None
