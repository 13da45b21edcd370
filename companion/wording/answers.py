"""A ruling in sentences: its verdict, what it answers besides, what each irregularity costs.

Whoever shows a sentence translates it, and puts names for seats and sides.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit, parse_card
from companion.rules.game import GameRules
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.question import Question
from companion.rules.ruling import Ruling
from companion.rules.schema import Kind, SeatOf, SideOf, fields_of

from .rulings import (
    FORFEITS,
    HEADLINES,
    OF_SIDES,
    REMEDIES,
    SAYINGS,
    SEATS,
    SIDES,
    VERDICTS,
)


@dataclass(frozen=True)
class RulingWords:
    """The words for rulings on a question that was asked by these rules, with these facts (as JSON)."""

    ruleset: GameRules
    question: Question
    asked: Mapping[str, Any]

    def say_verdict(self, ruling: Ruling, *, short: bool = False) -> Message:
        """Say the verdict in a sentence, `short` as at the head of a page; in one word if none is known."""
        question, verdict = ruling.question, ruling.verdict
        if question == "runs" and getattr(self.ruleset, "fours", None):
            question = "melds"
        if verdict == "tie" and self.ruleset.has_option("tie", "defender-wins"):
            verdict = "lost"  # where one deal is the game, nothing hangs
        sentence = VERDICTS.get((question, verdict))
        if short:
            sentence = HEADLINES.get((question, verdict), sentence)
        ring = self.ruleset.ring
        if sentence is None and verdict in (*ring.sides, *ring.seats):
            sentence = VERDICTS.get((question, "*"))
        return Message("{what}", what=verdict) if sentence is None else self.fill(sentence, ruling)

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

    def list_forfeits(self, ruling: Ruling) -> Iterator[Message]:
        """List what wrong declarations cost."""
        needless = {rule.id for rule in ruling.rules if "run.rost-needless" in rule.keys}
        for loss in ruling.answer.get("forfeits") or ():
            what = "needless" if loss["rule"] in needless else loss["what"]
            if what in FORFEITS:
                yield self.fill(FORFEITS[what], ruling, seat=SeatName(loss["seat"]))

    def word_saying(self, text: str) -> Message | Word:
        """Word what is said of runs as the game does: the name of a run, an answer, a rank."""
        words, worth = self.ruleset.book.words, getattr(self.ruleset, "run_points", {})
        if text in SAYINGS and text not in words:
            return SAYINGS[text]
        named = next((f"run{length}" for length, points in worth.items() if str(points) == text), text)
        return Word(words.get(text, words.get(named, text)))

    def word_value(self, kind: str, value: Any) -> Any:
        """Word a fact of an answer by its kind (`PIECES`), to stand in a sentence; of several sides, each."""
        match kind:
            case "seat" | "seats":
                return [*map(SeatName, value)]
            case "side" | "sides":
                return [*map(SideName, value)]
            case "draws":
                return [
                    Message("{seat}: {word}", seat=SeatName(draw["seat"]), word=draw["cards"])
                    for draw in value
                ]
            case "remedy":
                return REMEDIES[value]
            case "spans":
                return {side: _show_span(item) for side, item in value.items()}
            case "bound" if value["what"] in self.ruleset.ring.sides:
                return Message("{name} {number}", name=SideName(value["what"]), number=_show_span(value))
            case "bound":
                return _show_span(value)
        return value

    def _name_fact(self, key: str, value: Any) -> object:
        """Name a fact of the request or the answer for a sentence; None if it has no name."""
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
            name = {NO_TRUMPS: "no-trumps", ALL_TRUMPS: "all-trumps"}.get(value)
            return Word(self.ruleset.book.words.get(name, value)) if name else Suit(value).sign
        try:
            return parse_card(value)
        except ValueError:
            return None

    @cached_property
    def _kinds(self) -> dict[str, Kind]:
        """The kind of fact of each key of the question."""
        return {place.key: place.kind for place in fields_of(self.question.shape)}


def _show_span(value: Mapping[str, Any]) -> str:
    """Show the least and the most, or the one number that is left."""
    least, most = value["min"], value["max"]
    return str(least) if least == most else f"{least}–{most}"


@dataclass(frozen=True)
class DescribedIrregularity:
    """One irregularity in words.

    `due` are the cards that should have been played, `first_known` the number of the trick (from 1) in which
    it could first be known, `cost` a sentence.
    """

    text: str
    due: tuple[str, ...]
    first_known: int | None
    cost: str
    heavy: bool


def describe_irregularities(
    irregularities: Iterable[Mapping[str, Any]], say: Callable[[Message], str]
) -> list[DescribedIrregularity]:
    """Describe the irregularities of an audit's answer, in its order."""
    return [
        DescribedIrregularity(
            text=say(irregularity["why"]),
            due=tuple(irregularity.get("due", ())),
            first_known=irregularity.get("known"),
            cost=say(_word_cost(irregularity)),
            heavy=irregularity["cost"]["verdict"] in ("bait-on-cards", "replay"),
        )
        for irregularity in irregularities
    ]


def _word_cost(one: Mapping[str, Any]) -> Message:
    """Say what it costs, in a sentence."""
    cost = one["cost"]
    match cost["verdict"]:
        case "bait-on-cards":
            return Message("It costs the whole deal: {scored}.", scored=_list_by_side(cost["scored"]))
        case "replay":
            return Message("The deal does not count and is played again.")
        case "runs-lost":
            return Message("The runs of {name} do not count.", name=SeatName(one["seat"]))
        case "corrected":
            moved = {side: show_signed(points) for side, points in cost["corrections"].items() if points}
            return Message("Corrected: {moved}.", moved=_list_by_side(moved))
    if one["kind"] in ("run-unsaid", "bela-unsaid"):
        return Message("It cannot be counted now, and costs nothing more.")
    return Message("It does not count, and costs nothing more.")


def _list_by_side(points: Mapping[str, object]) -> list[Message]:
    return [Message("{name} {number}", name=SideName(side), number=many) for side, many in points.items()]


def show_signed(number: int) -> str:
    """Write a number that is added or taken off with its sign.

    >>> show_signed(20), show_signed(-1), show_signed(0)
    ('+20', '−1', '0')
    """
    return f"{number:+d}".replace("-", "−") if number else "0"
