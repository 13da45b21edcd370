"""The calls of a bidding, one after another; the arbiter says what may be called next."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.library.kinds import CAPOT, GENERALE, list_usual_bids
from companion.rules.cards import NO_TRUMPS, Suit
from companion.rules.errors import Unreadable
from companion.rules.ruling import Ruling
from companion.web.forms.values import ABSENT, Absence, Fact
from companion.web.shell.text import phrase, word
from companion.wording.calls import TERMS, word_call
from companion.wording.rulings import OWN_CALLS

from .base import FactField, Piece, join_lines


@dataclass(frozen=True)
class SpokenCall:
    """A call in words, with its speaker if known."""

    text: str
    words: str
    seat: str | None


class CallsField(FactField):
    """The bidding so far."""

    macro = "calls"
    standing: Ruling | None = None
    """The ruling on the bidding so far; None while elder hand or the turned card is unknown."""
    turned_suit = ""
    """The suit of the turned card, if known."""
    calls: tuple[SpokenCall, ...] = ()
    """Every call made, with its speaker."""

    @property
    def fact(self) -> Fact | Absence:
        return list[Fact](self.texts) or ([] if self.place.needed else ABSENT)

    def connect(self, facts: Mapping[str, Fact]) -> None:
        """Judge the bidding, call by call."""
        turned = facts.get("turn_up")
        self.turned_suit = turned[-1:] if isinstance(turned, str) else ""
        rulings = [self._judge(facts, self.texts[:n]) for n in range(len(self.texts) + 1)]
        self.standing = rulings[-1]
        self.calls = tuple(
            SpokenCall(text, self.phrase_call(text), ruling.answer.get("speaks") if ruling else None)
            for text, ruling in zip(self.texts, rulings, strict=False)
        )

    def _judge(self, facts: Mapping[str, Fact], calls: list[str]) -> Ruling | None:
        request = {"question": self.context.question.name, **facts, self.key: calls}
        try:
            ruling: Ruling = self.context.game.family.rule(request)
        except Unreadable:
            return None
        return ruling

    def phrase_call(self, call: str) -> str:
        """Word a call as players say it."""
        verb, _blank, rest = call.partition(" ")
        book, said = self.context.book, word_call(self.context.book, call)
        if said is None:
            return call
        text = phrase(said, book, lambda who: self.context.name_of(who.seat))
        return f"{text}: {self._phrase_terms(rest)}" if rest and verb in TERMS else text

    def _phrase_terms(self, text: str) -> str:
        points, _plus, deals = text.partition("+")
        terms = [points] if points else []
        if deals:
            cards = word(self.context.book, "deals")
            terms.append(cards if deals == "1" else f"{deals} × {cards}")
        return " + ".join(terms)

    @property
    def speaker(self) -> str | None:
        """The name of the player who is to speak, or None."""
        seat = self.standing.answer.get("speaks") if self.standing else None
        return self.context.name_of(seat) if seat else None

    @property
    def is_open(self) -> bool:
        """True if something can be said yet."""
        return self.standing is not None and self.standing.verdict == "open"

    @property
    def _legal(self) -> list[str]:
        return list(self.standing.answer["legal"]) if self.standing and self.is_open else []

    @property
    def _words(self) -> tuple[str, ...]:
        return (CAPOT, *[GENERALE] * self.context.family_rules.has_option("generale", "on"))

    @property
    def _suits(self) -> tuple[str, ...]:
        return (*Suit, *self.context.table.further_trumps)

    @property
    def legal(self) -> list[str]:
        """The calls that may be said next, without those of terms; of bids the lowest, and capot."""
        least = self.standing.answer.get("least") if self.standing else None
        numbers = dict.fromkeys((least, *self._words)) if least else ()
        bids = [f"bid {number} {suit}" for number in numbers for suit in self._suits]
        return [call for call in self._legal if call not in (*TERMS, "bid")] + bids

    @property
    def offer(self) -> str | None:
        """The call that names terms, if one may be made."""
        return next((call for call in self._legal if call in TERMS), None)

    @property
    def illegal(self) -> list[str]:
        """Calls of the game that are not allowed next: somebody may have made one anyway."""
        if not self.is_open:
            return []
        words = self.context.book.words
        if self.context.family_rules.bids_points:
            numbers = list_usual_bids(self.context.family_rules)
            higher = [f"bid {number} {suit}" for number in numbers for suit in self._suits]
            beside = [f"double {seat}" for seat in self.context.ring.seats]
            calls = ["pass", *higher, "double", *beside, "redouble"]
            return [call for call in calls if call not in self.legal]
        calls = ["pass", "play", *(f"play {suit}" for suit in Suit)]
        calls += [f"play {NO_TRUMPS}"] if self.context.table.no_trumps else []
        calls += [call for call in OWN_CALLS if call in words and call not in TERMS]
        calls += ["accept", "refuse"] if "offer" in words else []
        return [call for call in calls if call not in (*self.legal, f"play {self.turned_suit}")]

    def describe(self) -> list[Piece]:
        """Describe the calls, one a line, each with its speaker."""
        names = (f"{self.context.name_of(call.seat)}: " if call.seat else "" for call in self.calls)
        spoken = zip(names, self.calls, strict=True)
        return join_lines([("text", f"{name}{call.words}")] for name, call in spoken)
