"""A ruling as it is read: the verdict in a sentence, what it comes to, and what other tables would say."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask_babel import gettext as _

from companion import library
from companion.rules.cards import Card, Suit, parse_card
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.rulebook import Convention, Value
from companion.rules.ruling import Ruling
from companion.rules.schema import MissingFact, Unreadable, fields_of
from companion.web.rulings.fields.bout import Steps
from companion.web.rulings.fields.cards import no_trumps
from companion.web.support.irregularities import DescribedIrregularity, describe_irregularities
from companion.web.support.text import phrase, said, shown, translate, word

from .form import QuestionForm
from .wording import (
    FORFEITS,
    NO,
    NOW,
    OF_SIDES,
    ONLY_AFTER,
    PIECES,
    REMEDIES,
    SAYINGS,
    SEATS,
    SIDES,
    VERDICTS,
    YES,
)


@dataclass(frozen=True)
class AnswerPiece:
    """One thing the answer says beside its verdict."""

    kind: str
    label: str
    value: Any


@dataclass(frozen=True)
class Elsewhere:
    """What a table with another value of a convention would say; `verdict` None: the same."""

    text: str
    verdict: str | None


@dataclass(frozen=True)
class Custom:
    """A convention that bears on the ruling: its value here, and what other values would change."""

    convention: Convention
    value: Value
    here: str
    others: tuple[Elsewhere, ...]

    @property
    def decides(self) -> bool:
        """Whether another value would have changed the answer."""
        return any(one.verdict is not None for one in self.others)


@dataclass(frozen=True)
class Answer:
    """A ruling and the form it answers."""

    form: QuestionForm
    ruling: Ruling

    @property
    def verdict(self) -> str:
        """The verdict in one line."""
        return self._sentence(self.ruling)

    @property
    def tone(self) -> str:
        """`yes`, `no`, or neither."""
        return "yes" if self.ruling.verdict in YES else "no" if self.ruling.verdict in NO else ""

    @property
    def why(self) -> str:
        """Why, in a sentence or two."""
        text = said(self.ruling.why, self._show)
        return text[:1].upper() + text[1:]

    @property
    def now(self) -> str:
        """What is to be done now, where the rest of the answer does not say it; else empty."""
        told = NOW.get((self.ruling.question, self.ruling.verdict))
        return self._phrase(told, self.ruling) if told else ""

    @cached_property
    def pieces(self) -> list[AnswerPiece]:
        """The facts of the answer that are worth reading."""
        asked, answer = self.form.facts(), self.ruling.answer
        found = []
        for (question, key), (kind, label) in PIECES.items():
            value = answer.get(key) if key in answer else asked.get(key)
            if question != self.ruling.question or value is None or value is False or value in ([], ()):
                continue
            if (question, key) in ONLY_AFTER and self.ruling.verdict not in ONLY_AFTER[question, key]:
                continue
            if kind == "told" and len(value) < 2:
                continue  # what cannot be by itself stands in the sentence
            found.append(AnswerPiece(kind, self._phrase(label, self.ruling), self._value(kind, value)))
        return found

    @property
    def rows(self) -> list[AnswerPiece]:
        """What there is for every side: lines of a table."""
        return [one for one in self.pieces if one.kind in ("row", "spans")]

    @property
    def line(self) -> list[tuple[str, list[str], str]]:
        """The tricks that break a claim: who leads, the cards, who takes it."""
        answer = self.ruling.answer
        takers = [self.form.called(seat) for seat in answer.get("takers") or ()]
        leaders = [self.form.called(self.form.facts().get("leader", "")), *takers]
        return list(zip(leaders, answer.get("line") or (), takers, strict=False))

    @property
    def dialogue(self) -> list[tuple[str, str]]:
        """What each player should say, in order."""
        lines = self.ruling.answer.get("dialogue") or ()
        return [(self.form.called(one["seat"]), self._say(one["say"])) for one in lines]

    @property
    def proof(self) -> list[tuple[str, list[str], str]]:
        """A deal that comes to the counts: who leads, the cards, who takes them; or piles alone."""
        found = self.ruling.answer.get("proof")
        if not found:
            return []
        sides = self.form.ring.sides
        if not found["tricks"]:
            return [("", found[side], self.form.called(side, side=True)) for side in sides if found[side]]
        led = [self.form.called(seat) for seat in found["leaders"]]
        last = next(side for side in sides if found["tricks"][-1][0] in found[side])
        takers = [*led[1:], self.form.called(last, side=True)]
        return list(zip(led, found["tricks"], takers, strict=True))

    @property
    def forfeits(self) -> list[str]:
        """What is lost for having declared wrongly."""
        lost = self.ruling.answer.get("forfeits") or ()
        needless = {rule.id for rule in self.ruling.rules if "run.rost-needless" in rule.keys}
        told = ((one["seat"], "needless" if one["rule"] in needless else one["what"]) for one in lost)
        return [
            self._phrase(FORFEITS[what], self.ruling, seat=SeatName(seat))
            for seat, what in told
            if what in FORFEITS
        ]

    @property
    def findings(self) -> list[DescribedIrregularity]:
        """What was wrong in a deal that was looked through."""
        return self._found(self.ruling)

    def _found(self, ruling: Ruling) -> list[DescribedIrregularity]:
        return describe_irregularities(
            ruling.answer.get("irregularities") or (),
            lambda message: said(message, self._show),
            lambda letter, side: self.form.called(letter, side=side),
        )

    @cached_property
    def customs(self) -> list[Custom]:
        """The conventions that belong to a cited rule, and any other that would change the answer."""
        cited = {rule.id for rule in self.ruling.rules}
        game, found = self.form.game, []
        seatings = library.seatings(game.name)
        seated = seatings[0].conventions if seatings[1:] else {}
        for name, convention in self.form.book.conventions.items():
            if name in seated or convention.is_text or not convention.arises(game.conventions, game.players):
                continue
            value = game.conventions[name]
            others = tuple(
                elsewhere
                for other, text in convention.values_for(game.players).items()
                if other is not value and other != value
                if (elsewhere := self._elsewhere(name, other, translate(text))) is not None
            )
            custom = Custom(convention, value, translate(convention.values.get(value, "")), others)
            open_here = bool(others) or not convention.values
            bears = convention.rule in cited and open_here and convention.matters(game.conventions)
            if bears or custom.decides:
                found.append(custom)
        return sorted(found, key=lambda one: not one.decides)

    def _elsewhere(self, name: str, value: Value, text: str) -> Elsewhere | None:
        """What a table says that has this otherwise; None where that cannot be asked with these facts."""
        game = self.form.game
        request = self.form.request() | {
            "preset": game.preset,
            "conventions": {**game.conventions, name: value},
        }
        try:
            ruling = library.rule(request)
        except MissingFact:
            return Elsewhere(text, _("That would depend on more than was told."))
        except Unreadable:
            return None
        if (ruling.verdict, ruling.answer) == (self.ruling.verdict, self.ruling.answer):
            return Elsewhere(text, None)
        if ruling.verdict != self.ruling.verdict:
            return Elsewhere(text, self._sentence(ruling))
        same = ruling.why == self.ruling.why
        return Elsewhere(text, self._changed(ruling) if same else said(ruling.why, self._show))

    def _changed(self, ruling: Ruling) -> str:
        """The first fact of the answer that would be another one."""
        costs = zip(self.findings, self._found(ruling), strict=False)
        other = next((one.cost for here, one in costs if one.cost != here.cost), None)
        if other is not None:
            return other
        for (question, key), (kind, label) in PIECES.items():
            value = ruling.answer.get(key)
            if question == ruling.question and value != self.ruling.answer.get(key):
                told = self._value(kind, value) if value is not None else ""
                if isinstance(told, Mapping):
                    told = ", ".join(f"{name} {points}" for name, points in told.items())
                return f"{self._phrase(label, ruling)}: {told}"
        return self._sentence(ruling)

    def _show(self, who: Any) -> str:
        of_side = isinstance(who, SideName)
        return shown(lambda letter: self.form.called(letter, side=of_side))(who)

    def _sentence(self, ruling: Ruling) -> str:
        question, verdict = ruling.question, ruling.verdict
        if question == "runs" and self.form.ruleset.fours:
            question = "melds"
        if verdict == "tie" and self.form.ruleset["tie"] == "defender-wins":
            verdict = "lost"  # where one deal is the game, nothing hangs
        known = VERDICTS.get((question, verdict))
        if known is None and ruling.verdict in (*self.form.ring.sides, *self.form.ring.seats):
            known = VERDICTS.get((question, "*"))
        return ruling.verdict if known is None else self._phrase(known, ruling)

    def _phrase(self, message: Message, ruling: Ruling, **more: object) -> str:
        facts: dict[str, object] = {key: Word(text) for key, text in self.form.book.words.items()}
        for key, value in (self.form.facts() | dict(ruling.answer)).items():
            fact = self._fact(key, value)
            if fact is not None:
                facts[key] = fact
        facts["verdict"] = Message("{name}", name=SeatName(ruling.verdict))
        if ruling.question in OF_SIDES and ruling.verdict in self.form.ring.sides:
            facts["verdict"] = self.form.called(ruling.verdict, side=True)
        wanted = {key: fact for key, fact in (facts | more).items() if f"{{{key}}}" in message.template}
        return phrase(Message(message.template, **(wanted | message.facts)), self.form.book, self._show)

    def _fact(self, key: str, value: Any) -> object:
        """A fact of the request or the answer as it stands in a sentence; None where it is no such thing."""
        if isinstance(value, list | tuple):
            cards = [self._fact("", one) for one in value]
            return cards if cards and all(isinstance(one, Card) for one in cards) else None
        if type(value) is int:
            return value
        if not isinstance(value, str):
            return None
        kind = self._kinds.get(key, "")
        if kind in ("SeatOf", "SideOf") or key in SEATS | SIDES:
            return self.form.called(value, side=kind == "SideOf" or (key in SIDES and kind != "SeatOf"))
        if key == "trump":
            return Suit(value).sign if value in tuple(Suit) else no_trumps(self.form.book)
        try:
            return parse_card(value)
        except ValueError:
            return None

    @cached_property
    def _kinds(self) -> dict[str, str]:
        """What kind of fact each key of the question is."""
        return {place.key: type(place.kind).__name__ for place in fields_of(self.form.question.shape)}

    def _value(self, kind: str, value: Any) -> Any:
        match kind:
            case "seats":
                return ", ".join(self.form.called(seat) for seat in value)
            case "draws":
                return ", ".join(f"{self.form.called(one['seat'])}: {one['cards']}" for one in value)
            case "step":
                steps = next(one for one in self.form.fields if isinstance(one, Steps))
                return f"{value}. {steps.said(value)}"
            case "remedy":
                return said(REMEDIES[value])
            case "row":
                sides = (side for side in self.form.ring.sides if side in value)
                return {self.form.called(side, side=True): value[side] for side in sides}
            case "spans":
                spans = {side: _span(one) for side, one in value.items()}
                return self._value("row", spans)
            case "seat" | "side":
                return self.form.called(value, side=kind == "side")
            case "told":
                labels = {one.key: one.label for one in self.form.fields} | {
                    key: said(Message("what was counted")) for key in ("made", "count")
                }
                return ", ".join(labels.get(key, key) for key in value)
            case "sides":
                return ", ".join(self.form.called(side, side=True) for side in value)
            case "calls":
                calls = next((one for one in self.form.fields if hasattr(one, "said")), None)
                return [calls.said(one) if calls else one for one in value]
            case "bound":
                what = value["what"]
                name = self.form.called(what, side=True) if what in self.form.ring.sides else ""
                return f"{name} {_span(value)}".strip()
            case _:
                return value

    def _say(self, text: str) -> str:
        """What is said, in the game's words: the name of a run, an answer, a rank."""
        book = self.form.book
        if text in book.words:
            return word(book, text)
        if text in SAYINGS:
            return said(SAYINGS[text])
        worth: Mapping[int, int] = self.form.ruleset.run_points
        named = next((f"run{length}" for length, points in worth.items() if str(points) == text), text)
        return word(book, named) if named in book.words else text


def _span(value: Mapping[str, Any]) -> str:
    """From the least to the most, or the one number that is left."""
    least, most = value["min"], value["max"]
    return str(least) if least == most else f"{least}–{most}"
