"""A ruling in words: the verdict, what follows from it, and what other tables would say."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask_babel import gettext as _

from companion import library
from companion.library.other_tables import JudgedQuestion
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message, SeatName, SideName
from companion.rules.rulebook import Convention, Value
from companion.rules.ruling import Ruling
from companion.rules.schema import fields_of
from companion.web.shell.text import capitalize, name_seats, phrase, render_message, signed, translate, word
from companion.wording import RulingWords
from companion.wording.rulings import (
    FORFEITS,
    JUDGED_CARDS,
    NEXT_STEPS,
    NO,
    ONLY_AFTER,
    PIECES,
    REMEDIES,
    SAYINGS,
    YES,
)

from .fields.base import QuestionContext
from .fields.bout import StepsField
from .fields.calls import CallsField
from .form import QuestionForm


@dataclass(frozen=True)
class OtherChoice:
    """What a table with another value of a convention would say.

    `verdict` None: the same; `if_so` is what it would say if something were so that matters there only.
    """

    text: str
    verdict: str | None
    if_so: tuple[tuple[str, str], ...] = ()

    @property
    def is_other(self) -> bool:
        """Whether it would say anything else, or might."""
        return self.verdict is not None or bool(self.if_so)


@dataclass(frozen=True)
class Custom:
    """A convention that bears on the ruling: its value here, and what other values would change."""

    convention: Convention
    value: Value
    here: str
    others: tuple[OtherChoice, ...]

    @property
    def decides(self) -> bool:
        """Whether another value would have changed the answer."""
        return any(other.is_other for other in self.others)


def find_customs(judged: JudgedQuestion, say_difference: Callable[[Ruling], str]) -> list[Custom]:
    """The conventions that belong to a cited rule, and any other that would change the answer; these first.

    :param say_difference: what another ruling comes to, in a sentence.
    """
    game, customs = judged.game, []
    cited = {rule.id for rule in judged.ruling.rules}
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
        custom = Custom(
            convention, value, translate((convention.values or convention.named).get(value, "")), others
        )
        open_here = bool(others) or not convention.values
        bears = convention.rule in cited and open_here and convention.matters(game.conventions, game.players)
        if bears or custom.decides:
            customs.append(custom)
    return sorted(customs, key=lambda custom: not custom.decides)


def _ask_other_choice(
    judged: JudgedQuestion,
    convention: Convention,
    value: Value,
    text: str,
    say_difference: Callable[[Ruling], str],
) -> OtherChoice | None:
    """What a table with another value says; None where it cannot be asked with these facts."""
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


SeatNamer = Callable[[str, bool], str]
"""A seat's name or, where the second is true, a side's."""


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


@dataclass(frozen=True)
class AnswerPiece:
    """One thing the answer says beside its verdict."""

    kind: str
    label: str
    value: Any


@dataclass(frozen=True)
class Answer:
    """A ruling and the form it answers.

    `judged` is what other tables can be asked with; None for a ruling that was given long ago.
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
        """The verdict as the head of a page, short."""
        return self._sentence(self.ruling, short=True)

    @property
    def judged_card(self) -> str:
        """The key of the fact that is the card the verdict is about; empty where it is about none."""
        return JUDGED_CARDS.get(self.ruling.question, "")

    @property
    def struck_cards(self) -> list[str]:
        """The card that was asked about, where it may not be played."""
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
        """Why, in a sentence or two."""
        return capitalize(render_message(self.ruling.why, self._show))

    @property
    def next_step(self) -> str:
        """What is to be done now, where the rest of the answer does not say it; else empty."""
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
                continue  # they stand by themselves
            if kind == "facts" and len(value) < 2:
                continue  # what cannot be by itself stands in the sentence
            pieces.append(AnswerPiece(kind, self._phrase(label, self.ruling), self._show_value(kind, value)))
        return pieces

    @property
    def line(self) -> list[tuple[str, list[str], str]]:
        """The tricks that break a claim: who leads, the cards, who takes it."""
        answer = self.ruling.answer
        takers = [self._context.name_of(seat) for seat in answer.get("takers") or ()]
        leader = str(self.form.facts_as_json().get("leader", ""))
        leaders = [self._context.name_of(leader), *takers]
        return list(zip(leaders, answer.get("line") or (), takers, strict=False))

    @property
    def dialogue(self) -> list[tuple[str, str]]:
        """What each player should say, in order."""
        lines = self.ruling.answer.get("dialogue") or ()
        return [(self._context.name_of(line["seat"]), self._phrase_saying(line["say"])) for line in lines]

    @property
    def proof(self) -> list[tuple[str, list[str], str]]:
        """A deal that comes to the counts: who leads, the cards, who takes them."""
        proof = self.ruling.answer.get("proof")
        if not proof:
            return []
        led = [self._context.name_of(seat) for seat in proof["leaders"]]
        last = next(side for side in self._context.ring.sides if proof["tricks"][-1][0] in proof[side])
        takers = [*led[1:], self._context.name_of(last, side=True)]
        return list(zip(led, proof["tricks"], takers, strict=True))

    @property
    def forfeits(self) -> list[str]:
        """What is lost for having declared wrongly."""
        lost = self.ruling.answer.get("forfeits") or ()
        needless = {rule.id for rule in self.ruling.rules if "run.rost-needless" in rule.keys}
        losses = ((loss["seat"], "needless" if loss["rule"] in needless else loss["what"]) for loss in lost)
        return [
            self._phrase(FORFEITS[what], self.ruling, seat=SeatName(seat))
            for seat, what in losses
            if what in FORFEITS
        ]

    @property
    def irregularities(self) -> list[DescribedIrregularity]:
        """What was wrong in a deal that was looked through."""
        return self._describe_irregularities(self.ruling)

    def _describe_irregularities(self, ruling: Ruling) -> list[DescribedIrregularity]:
        return describe_irregularities(
            ruling.answer.get("irregularities") or (),
            lambda message: render_message(message, self._show),
            lambda letter, side: self._context.name_of(letter, side=side),
        )

    @cached_property
    def customs(self) -> list[Custom]:
        """The conventions that belong to a cited rule, and any other that would change the answer."""
        return find_customs(self.judged, self._say_difference) if self.judged else []

    def _say_difference(self, ruling: Ruling) -> str:
        """In what another table's ruling differs from this one."""
        if ruling.verdict != self.ruling.verdict:
            return self._sentence(ruling, short=True)
        same = ruling.why == self.ruling.why
        return self._say_change(ruling) if same else render_message(ruling.why, self._show)

    def _say_change(self, ruling: Ruling) -> str:
        """The first fact of the answer that would be another one."""
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
        sentence = self._words.find_verdict(ruling, short=short)
        return ruling.verdict if sentence is None else self._phrase(sentence, ruling)

    def _phrase(self, message: Message, ruling: Ruling, **more: object) -> str:
        return phrase(self._words.fill(message, ruling, **more), self.form.book, self._show)

    @cached_property
    def _words(self) -> RulingWords:
        context = self._context
        return RulingWords(context.ruleset, context.question, self.form.facts_as_json())

    def _show_value(self, kind: str, value: Any) -> Any:
        match kind:
            case "seats" | "sides":
                return ", ".join(self._context.name_of(who, side=kind == "sides") for who in value)
            case "draws":
                return ", ".join(f"{self._context.name_of(item['seat'])}: {item['cards']}" for item in value)
            case "step":
                steps = next(field for field in self.form.fields if isinstance(field, StepsField))
                return f"{value}. {steps.phrase_step(value)}"
            case "limit":
                return self._show_limit(value)
            case "remedy":
                return render_message(REMEDIES[value])
            case "row":
                sides = (side for side in self._context.ring.sides if side in value)
                return {self._context.name_of(side, side=True): value[side] for side in sides}
            case "spans":
                spans = {side: _span(item) for side, item in value.items()}
                return self._show_value("row", spans)
            case "seat" | "side":
                return self._context.name_of(value, side=kind == "side")
            case "facts":
                labels = {field.key: field.label for field in self.form.fields} | {
                    key: render_message(Message("what was counted")) for key in ("made", "count")
                }
                return ", ".join(labels.get(key, key) for key in value)
            case "calls":
                calls = next((field for field in self.form.fields if isinstance(field, CallsField)), None)
                return [calls.phrase_call(item) if calls else item for item in value]
            case "bound":
                what = value["what"]
                name = self._context.name_of(what, side=True) if what in self._context.ring.sides else ""
                return f"{name} {_span(value)}".strip()
            case _:
                return value

    def _show_limit(self, limit: int) -> str:
        """How many cards may attack: what the table caps, or all that the defender held."""
        facts = self.form.facts_as_json()
        if limit != facts.get("defender_cards"):
            return str(limit)
        place = next(field.place for field in self.form.fields if field.key == "defender_cards")
        is_least = limit == place.few and place.key not in self._context.game.family.exact
        number = _("%(number)s or more", number=limit) if is_least else limit
        name = self._context.name_of(str(facts.get("defender")))
        return _("%(number)s, as many as %(name)s held", number=number, name=name)

    def _phrase_saying(self, text: str) -> str:
        """What is said, in the game's words: the name of a run, an answer, a rank."""
        book = self.form.book
        if text in book.words:
            return word(book, text)
        if text in SAYINGS:
            return render_message(SAYINGS[text])
        worth = self._context.family_rules.run_points
        named = next((f"run{length}" for length, points in worth.items() if str(points) == text), text)
        return word(book, named) if named in book.words else translate(text)


def _span(value: Mapping[str, Any]) -> str:
    """From the least to the most, or the one number that is left."""
    least, most = value["min"], value["max"]
    return str(least) if least == most else f"{least}–{most}"


def describe_irregularities(
    irregularities: Iterable[Mapping[str, Any]], say: Callable[[Message], str], name_seat: SeatNamer
) -> list[DescribedIrregularity]:
    """The irregularities of an audit's answer, in its order."""
    return [
        DescribedIrregularity(
            text=say(irregularity["why"]),
            due=tuple(irregularity.get("due", ())),
            first_known=irregularity.get("known"),
            cost=_describe_cost(irregularity, name_seat),
            heavy=irregularity["cost"]["verdict"] in ("bait-on-cards", "replay"),
        )
        for irregularity in irregularities
    ]


def _describe_cost(one: Mapping[str, Any], name_seat: SeatNamer) -> str:
    """What it costs, in a sentence."""
    cost = one["cost"]
    match cost["verdict"]:
        case "bait-on-cards":
            scored = _list_by_side(cost["scored"], name_seat, str)
            return _("It costs the whole deal: %(scored)s.", scored=scored)
        case "replay":
            return _("The deal does not count and is played again.")
        case "runs-lost":
            return _("The runs of %(name)s do not count.", name=name_seat(one["seat"], False))
        case "corrected":
            moved = {side: points for side, points in cost["corrections"].items() if points}
            return _("Corrected: %(moved)s.", moved=_list_by_side(moved, name_seat, signed))
    if one["kind"] in ("run-unsaid", "bela-unsaid"):
        return _("It cannot be counted now, and costs nothing more.")
    return _("It does not count, and costs nothing more.")


def _list_by_side(points: Mapping[str, int], name_seat: SeatNamer, write: Callable[[int], str]) -> str:
    return ", ".join(f"{name_seat(side, True)} {write(point)}" for side, point in points.items())
