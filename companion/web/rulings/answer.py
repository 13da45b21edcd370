"""A ruling in words: the verdict, what follows from it, and what other tables would say."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask_babel import gettext as _

from companion import library
from companion.library.other_tables import JudgedQuestion
from companion.rules.conditions import Value
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message, SideName
from companion.rules.rulebook import Convention
from companion.rules.ruling import Ruling
from companion.rules.schema import fields_of
from companion.rules.texts import Text
from companion.sheets.common import describe_choices
from companion.web.shell.text import capitalize, name_seats, phrase, render_message, translate
from companion.wording import DescribedIrregularity, RulingWords, describe_irregularities
from companion.wording.rulings import (
    JUDGED_CARDS,
    NEXT_STEPS,
    NO,
    ONLY_AFTER,
    PIECES,
    YES,
)

from .fields.base import QuestionContext
from .fields.bout import StepsField
from .fields.calls import CallsField
from .form import QuestionForm


@dataclass(frozen=True)
class OtherChoice:
    """The ruling of a table with another value of a convention.

    `verdict` is None if it is the same; `if_so` names facts that matter there only, each with the verdict if
    it were so.
    """

    text: str
    verdict: str | None
    if_so: tuple[tuple[str, str], ...] = ()

    @property
    def is_other(self) -> bool:
        """True if the ruling would differ, or might."""
        return self.verdict is not None or bool(self.if_so)


@dataclass(frozen=True)
class Custom:
    """A convention that decides a ruling: its value here, and what other values would change."""

    convention: Convention
    value: Value
    here: str
    others: tuple[OtherChoice, ...]


def find_customs(judged: JudgedQuestion, say_difference: Callable[[Ruling], str]) -> list[Custom]:
    """The conventions of which another value would change the answer.

    :param say_difference: describes another ruling in a sentence.
    """
    game, customs = judged.game, []
    seatings = library.seatings(game.name, game.rules)
    seated = seatings[0].conventions if seatings[1:] else {}
    other_values: dict[str, list[Value]] = {}
    for name, other in judged.list_other_values():
        other_values.setdefault(name, []).append(other)
    for name, convention in game.book.conventions.items():
        if name in seated or convention.is_text:
            continue
        value, texts = game.conventions[name], convention.texts_for(game.players)
        others = tuple(
            other_rulings
            for other in other_values.get(name, ())
            if (other_rulings := _ask_other_choice(judged, convention, other, texts[other], say_difference))
        )
        if any(other.is_other for other in others):
            here = translate((convention.values or convention.named).get(value, ""))
            customs.append(Custom(convention, value, here, others))
    return customs


def _ask_other_choice(
    judged: JudgedQuestion,
    convention: Convention,
    value: Value,
    text: Text,
    say_difference: Callable[[Ruling], str],
) -> OtherChoice | None:
    """The ruling of a table with another value; None if these facts cannot be asked there."""
    try:
        try:
            ruling = judged.rule_otherwise(convention.name, value)
        except MissingFact:
            raise
        except Unreadable:
            ruling = judged.rule_unasked(convention.name, value)
    except MissingFact:
        return OtherChoice(translate(text), _("That depends on facts that were not given."))
    except Unreadable as fault:
        rests_on_it = convention.rule in [rule.id for rule in judged.ruling.rules]
        exists = not fault.path.startswith(("conventions", "players"))
        return (
            OtherChoice(translate(text), _("This situation could not arise."))
            if rests_on_it and exists
            else None
        )
    is_same = (ruling.verdict, ruling.answer) == (judged.ruling.verdict, judged.ruling.answer)
    shape = judged.game.family.questions[judged.ruling.question].shape
    labels = {place.key: place.label for place in fields_of(shape) if place.label}
    if_so = tuple(
        (phrase(labels[key], judged.game.book), say_difference(other))
        for key, other in judged.rule_if(convention.name, value)
    )
    return OtherChoice(translate(text), None if is_same else say_difference(ruling), if_so)


@dataclass(frozen=True)
class AnswerPiece:
    """One fact of the answer besides its verdict."""

    kind: str
    label: str
    value: Any


@dataclass(frozen=True)
class Answer:
    """A ruling and the form it answers.

    `judged` is used to ask other tables; None for a ruling that was given long ago.
    """

    form: QuestionForm
    ruling: Ruling
    judged: JudgedQuestion | None = None

    @property
    def _context(self) -> QuestionContext:
        return self.form.context

    @property
    def verdict(self) -> str:
        """The verdict in one line."""
        return self._sentence(self.ruling)

    @property
    def headline(self) -> str:
        """The verdict as a short head of a page."""
        return self._sentence(self.ruling, short=True)

    @property
    def judged_card(self) -> str:
        """The key of the fact that holds the card judged; empty if the verdict is about no card."""
        return JUDGED_CARDS.get(self.ruling.question, "")

    @property
    def struck_cards(self) -> list[str]:
        """The card that was asked about, if it may not be played."""
        return self._asked_cards if self.ruling.verdict in NO else []

    @property
    def playable_cards(self) -> list[str]:
        """The cards that may be played."""
        playable = self.ruling.answer.get("legal") if self.ruling.question == "play" else None
        return list(playable or (self._asked_cards if self.ruling.verdict in YES else ()))

    @property
    def _asked_cards(self) -> list[str]:
        facts: dict[str, Any] = self.form.facts_as_json()
        cards = facts.get(self.judged_card) or ()
        return [cards] if isinstance(cards, str) else list(cards)

    @property
    def why(self) -> str:
        """The reason, in a sentence or two."""
        return capitalize(self._render(self.ruling.why))

    @property
    def next_step(self) -> str:
        """The next step at the table, if the rest of the answer does not say it; else empty."""
        step = NEXT_STEPS.get((self.ruling.question, self.ruling.verdict))
        return self._phrase(step, self.ruling) if step else ""

    @cached_property
    def pieces(self) -> list[AnswerPiece]:
        """The facts of the answer that are worth reading."""
        facts: dict[str, Any] = {**self.form.facts_as_json(), **self.ruling.answer}
        pieces = []
        for (question, key), (kind, label) in PIECES.items():
            value = facts.get(key)
            if question != self.ruling.question or value is None or value is False or value in ([], ()):
                continue
            if (question, key) in ONLY_AFTER and self.ruling.verdict not in ONLY_AFTER[question, key]:
                continue
            if kind == "cards":
                continue  # they are shown by themselves
            if kind == "remedy" and facts.get("surplus"):
                continue  # the defender chooses what goes back
            if kind == "facts" and len(value) < 2:
                continue  # the sentence has said it
            pieces.append(AnswerPiece(kind, self._phrase(label, self.ruling), self._show_value(kind, value)))
        return pieces

    @property
    def line(self) -> list[tuple[str, list[str], str]]:
        """The tricks that break a claim: leader, cards, and taker of each."""
        answer = self.ruling.answer
        takers = [self._context.name_of(seat) for seat in answer.get("takers") or ()]
        leader = str(self.form.facts_as_json().get("leader", ""))
        leaders = [self._context.name_of(leader), *takers]
        return list(zip(leaders, answer.get("line") or (), takers, strict=False))

    @property
    def dialogue(self) -> list[tuple[str, str]]:
        """The words that each player should say, in order."""
        lines = self.ruling.answer.get("dialogue") or ()
        return [
            (self._context.name_of(line["seat"]), self._render(self._words.word_saying(line["say"])))
            for line in lines
        ]

    @property
    def proof(self) -> list[tuple[str, list[str], str]]:
        """A deal with these counts: leader, cards, and taker of each trick."""
        proof = self.ruling.answer.get("proof")
        if not proof:
            return []
        led = [self._context.name_of(seat) for seat in proof["leaders"]]
        last = next(side for side in self._context.ring.sides if proof["tricks"][-1][0] in proof[side])
        takers = [*led[1:], self._context.name_of(last, side=True)]
        return list(zip(led, proof["tricks"], takers, strict=True))

    @property
    def forfeits(self) -> list[str]:
        """The losses for having declared wrongly, in words."""
        return [capitalize(self._render(lost)) for lost in self._words.list_forfeits(self.ruling)]

    @property
    def irregularities(self) -> list[DescribedIrregularity]:
        """The irregularities of an audited deal, in words."""
        return self._describe_irregularities(self.ruling)

    def _describe_irregularities(self, ruling: Ruling) -> list[DescribedIrregularity]:
        return describe_irregularities(ruling.answer.get("irregularities") or (), self._render)

    @cached_property
    def customs(self) -> list[Custom]:
        """The conventions of which another value would change the answer."""
        return find_customs(self.judged, self._say_difference) if self.judged else []

    @cached_property
    def choices(self) -> dict[str, dict[str, Value]]:
        """The choices of the table on which each cited rule rests, by the rule's id, each choice once."""
        stated = set[str]()
        choices: dict[str, dict[str, Value]] = {}
        for rule in self.ruling.rules:
            choices[rule.id] = {name: value for name, value in rule.choices.items() if name not in stated}
            stated |= rule.choices.keys()
        return choices

    @property
    def table_lines(self) -> dict[str, str]:
        """Those choices in words, a line for each rule that has some."""
        game = self._context.game
        return {
            id: describe_choices(game, choices, translate) for id, choices in self.choices.items() if choices
        }

    def is_stated(self, convention: Convention) -> bool:
        """True if the choice for a convention is among those."""
        return any(convention.name in choices for choices in self.choices.values())

    def _say_difference(self, ruling: Ruling) -> str:
        """Say how another table's ruling differs from this one."""
        if ruling.verdict != self.ruling.verdict:
            return self._sentence(ruling, short=True)
        same = ruling.why == self.ruling.why
        return self._say_change(ruling) if same else self._render(ruling.why)

    def _say_change(self, ruling: Ruling) -> str:
        """Say the first fact of the answer that would differ."""
        costs = zip(self.irregularities, self._describe_irregularities(ruling), strict=False)
        other = next((other.cost for here, other in costs if other.cost != here.cost), None)
        if other is not None:
            return other
        for (question, key), (kind, label) in PIECES.items():
            value = ruling.answer.get(key)
            if question == ruling.question and value != self.ruling.answer.get(key):
                there = self._show_value(kind, value) if value is not None else ""
                if isinstance(there, Mapping):
                    there = ", ".join(f"{name} {points}" for name, points in there.items())
                return f"{self._phrase(label, ruling)}: {there}"
        return self._sentence(ruling, short=True)

    def _show(self, who: Any) -> str:
        of_side = isinstance(who, SideName)
        return name_seats(lambda letter: self._context.name_of(letter, side=of_side))(who)

    def _sentence(self, ruling: Ruling, *, short: bool = False) -> str:
        return capitalize(self._render(self._words.say_verdict(ruling, short=short)))

    def _phrase(self, message: Message, ruling: Ruling) -> str:
        return capitalize(self._render(self._words.fill(message, ruling)))

    def _render(self, said: object) -> str:
        if isinstance(said, str):  # of a saved ruling
            return translate(said)
        return Message("{what}", what=said).render(translate, self._show)

    @cached_property
    def _words(self) -> RulingWords:
        context = self._context
        return RulingWords(context.ruleset, context.question, self.form.facts_as_json())

    def _show_value(self, kind: str, value: Any) -> Any:
        match kind:
            case "step":
                steps = next(field for field in self.form.fields if isinstance(field, StepsField))
                return f"{value}. {steps.phrase_step(value)}"
            case "limit":
                return self._show_limit(value)
            case "calls":
                calls = next((field for field in self.form.fields if isinstance(field, CallsField)), None)
                return [calls.phrase_call(item) if calls else item for item in value]
            case "facts":
                labels = {field.key: field.label for field in self.form.fields} | {
                    key: render_message(Message("what was counted")) for key in ("made", "count")
                }
                return ", ".join(labels.get(key, key) for key in value)
            case "numbers" | "flag":
                return value
        said = self._words.word_value(kind, value)
        if isinstance(said, Mapping):
            sides = (side for side in self._context.ring.sides if side in said)
            return {self._context.name_of(side, side=True): said[side] for side in sides}
        return self._render(said)

    def _show_limit(self, limit: int) -> str:
        """Say how many cards may attack: the table's cap, or all that the defender held."""
        facts = self.form.facts_as_json()
        if limit != facts.get("defender_cards"):
            return str(limit)
        place = next(field.place for field in self.form.fields if field.key == "defender_cards")
        is_least = limit == place.few and place.key not in self._context.game.family.exact
        number = _("%(number)s or more", number=limit) if is_least else limit
        name = self._context.name_of(str(facts.get("defender")))
        return _("%(number)s, as many as %(name)s held", number=number, name=name)
