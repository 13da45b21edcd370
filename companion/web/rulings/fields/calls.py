"""The calls of a bidding: told one after another; what may be said next is what the arbiter says."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.rules.cards import NO_TRUMPS, Suit
from companion.rules.message import Message, Word
from companion.rules.schema import Unreadable
from companion.web.support.text import phrase

from .base import ABSENT, FactField
from .cards import no_trumps

TERMS = ("offer", "counter")
"""Calls that name terms."""

PLAIN = {"pass": Message("pass"), "play": Message("play")}
OWN = ("ask", "once", "twice", "offer", "schmeiss", "force", "throw")
"""Calls that the game has a word for, if it has them."""
HAGGLING = {"counter": Message("other terms"), "accept": Message("accept"), "refuse": Message("refuse")}


@dataclass(frozen=True)
class Call:
    """A call that was made, and by whom, as far as that can be told."""

    text: str
    said: str
    seat: str | None


class Calls(FactField):
    """The bidding so far."""

    widget = "calls"

    def value(self) -> Any:
        return self.typed or ([] if self.needed else ABSENT)

    def said(self, call: str) -> str:
        """A call as players say it."""
        verb, _blank, rest = call.partition(" ")
        book = self.form.book
        if verb == "play" and rest in tuple(Suit):
            return phrase(Message("play {suit}", suit=Suit(rest).sign), book)
        if verb == "play" and rest == NO_TRUMPS:
            return phrase(Message("play {what}", what=no_trumps(book)), book)
        if verb in OWN and verb in book.words:
            text = phrase(Message("{word}", word=Word(verb)), book)
        elif verb in PLAIN | HAGGLING:
            text = phrase((PLAIN | HAGGLING)[verb], book)
        else:
            return call
        return f"{text}: {_terms(rest, self.form)}" if rest else text

    @property
    def made(self) -> list[Call]:
        """Every call told, with its speaker."""
        calls = self.typed
        return [Call(one, self.said(one), self._speaker(calls[:n])) for n, one in enumerate(calls)]

    @cached_property
    def stand(self) -> Any:
        """The ruling on the bidding so far; None while elder hand or the turned card are not told."""
        return self._ruled(self.typed)

    @property
    def speaks(self) -> str | None:
        """Who is to speak, by name."""
        seat = self.stand.answer.get("speaks") if self.stand else None
        return self.form.called(seat) if seat else None

    @property
    def open(self) -> bool:
        """Whether something can be said yet."""
        return self.stand is not None and self.stand.verdict == "open"

    @property
    def legal(self) -> list[str]:
        """What may be said next, terms apart."""
        told = list(self.stand.answer["legal"]) if self.open else []
        return [one for one in told if one not in TERMS]

    @property
    def offers(self) -> str | None:
        """The call that names terms, where one may be made."""
        return next((one for one in self.stand.answer["legal"] if one in TERMS), None) if self.open else None

    @property
    def illegal(self) -> list[str]:
        """What may not be said next, though the game has it: somebody may have said it all the same."""
        words = self.form.book.words
        known = ["pass", "play", *(f"play {suit}" for suit in Suit)]
        known += [f"play {NO_TRUMPS}"] if self.form.ruleset.table.no_trumps else []
        known += [one for one in OWN if one in words and one not in TERMS]
        known += ["accept", "refuse"] if "offer" in words else []
        turned = self.form.facts().get("turn_up", "")[-1:]
        return (
            [one for one in known if one not in self.legal and one != f"play {turned}"] if self.open else []
        )

    def told(self) -> list[tuple[str, Any]]:
        pieces: list[tuple[str, Any]] = []
        for call in self.made:
            pieces += [("line", "")] if pieces else []
            pieces += [("text", f"{self.form.called(call.seat)}: {call.said}" if call.seat else call.said)]
        return pieces

    def _speaker(self, before: list[str]) -> str | None:
        ruling = self._ruled(before)
        return ruling.answer.get("speaks") if ruling else None

    def _ruled(self, calls: list[str]) -> Any:
        others = {one.key: one.value() for one in self.form.fields if one is not self}
        facts = {key: value for key, value in others.items() if value is not ABSENT}
        try:
            return self.form.game.family.rule(
                {"question": self.form.question.name} | facts | {self.key: calls}
            )
        except Unreadable:
            return None


def _terms(text: str, form: Any) -> str:
    points, _plus, deals = text.partition("+")
    more = phrase(Message("{word}", word=Word("deals")), form.book).lower() if deals else ""
    told = [points] if points else []
    told += [more if deals == "1" else f"{deals} × {more}"] if deals else []
    return " + ".join(told)
