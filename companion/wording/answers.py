"""A ruling in sentences: which one tells its verdict, and the facts that stand in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.rules.cards import NO_TRUMPS, Card, Suit, parse_card
from companion.rules.game import GameRules
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.question import Question
from companion.rules.ruling import Ruling
from companion.rules.schema import Kind, SeatOf, SideOf, fields_of

from .rulings import OF_SIDES, SEATS, SIDES, VERDICTS


@dataclass(frozen=True)
class RulingWords:
    """The words for rulings on a question that was asked by these rules, with these facts (as JSON)."""

    ruleset: GameRules
    question: Question
    asked: Mapping[str, Any]

    def find_verdict(self, ruling: Ruling) -> Message | None:
        """The sentence for a verdict, its facts still left out; None where there is none."""
        question, verdict = ruling.question, ruling.verdict
        if question == "runs" and getattr(self.ruleset, "fours", None):
            question = "melds"
        if verdict == "tie" and self.ruleset.has_option("tie", "defender-wins"):
            verdict = "lost"  # where one deal is the game, nothing hangs
        if ruling.answer.get("proved") is False:
            verdict = "undecided"
        sentence = VERDICTS.get((question, verdict))
        ring = self.ruleset.ring
        if sentence is None and ruling.verdict in (*ring.sides, *ring.seats):
            sentence = VERDICTS.get((question, "*"))
        return sentence

    def fill(self, message: Message, ruling: Ruling, **more: object) -> Message:
        """A sentence with the facts that were asked and answered, in the words of the game."""
        words = self.ruleset.book.words
        facts: dict[str, object] = {key: Word(text) for key, text in words.items()}
        for key, value in {**self.asked, **ruling.answer}.items():
            fact = self._name_fact(key, value)
            if fact is not None:
                facts[key] = fact
        is_side = ruling.question in OF_SIDES and ruling.verdict in self.ruleset.ring.sides
        facts["verdict"] = SideName(ruling.verdict) if is_side else SeatName(ruling.verdict)
        wanted = {key: fact for key, fact in (facts | more).items() if f"{{{key}}}" in message.template}
        own = {
            key: Word(words.get(fact.text, fact.text)) if isinstance(fact, Word) else fact
            for key, fact in message.facts.items()
        }
        return Message(message.template, **(wanted | own))

    def _name_fact(self, key: str, value: Any) -> object:
        """A fact of the request or the answer as it stands in a sentence; None where it is no such thing."""
        if isinstance(value, list | tuple):
            cards = [self._name_fact("", item) for item in value]
            return cards if cards and all(isinstance(card, Card) for card in cards) else None
        if type(value) is int:
            return value
        if not isinstance(value, str):
            return None
        kind = self._kinds.get(key)
        if isinstance(kind, SeatOf | SideOf) or key in SEATS | SIDES:
            is_side = isinstance(kind, SideOf) or (key in SIDES and not isinstance(kind, SeatOf))
            return SideName(value) if is_side else SeatName(value)
        if key == "trump":
            words = self.ruleset.book.words
            none = words.get("no-trumps", words.get(NO_TRUMPS, NO_TRUMPS))
            return Suit(value).sign if value in tuple(Suit) else Word(none)
        try:
            return parse_card(value)
        except ValueError:
            return None

    @cached_property
    def _kinds(self) -> dict[str, Kind]:
        """What kind of fact each key of the question is."""
        return {place.key: place.kind for place in fields_of(self.question.shape)}
