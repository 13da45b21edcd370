"""Questions to the arbiter, asked the same way of every family.

A question is answered by a pure function from a rule set and the facts of one situation to a `Judgement`. A
schema describes the facts, so that web forms, the command line and the API all ask the same.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .cards import Card
from .errors import Unreadable, contradictions
from .message import Message
from .rulebook import Rule
from .ruling import Ruling
from .schema import Choice, Table, parse


class CitableRuleset(Protocol):
    """The part of a rule set that answering a question needs."""

    @property
    def table(self) -> Table:
        """The seats, cards and suits that facts may name."""

    def cite(self, *keys: str) -> tuple[Rule, ...]:
        """The game's own rules for the family's rule keys."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer to a question before it cites a game's rules.

    `verdict` is one word for programs (`allowed`, `B`), `answer` further facts as JSON values, cards or
    messages, `why` the sentence for people, `keys` the family's rule keys, the decisive one first.
    """

    verdict: str
    answer: Mapping[str, Any]
    why: Message
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One question that a family can answer.

    `name` is its word in a request (`throw-in`); `asks` the question in the players' words; `shape` the
    schema of its facts; `answer(ruleset, facts)` the function that rules on it, which raises `Unreadable` for
    facts that contradict each other and `MissingFact` for one it needs; `known(ruleset)` is true for games
    that can answer it; `heavy(facts)` is true if that may take longer than a page may compute (a twentieth of
    a second), so that pages have it answered by a job.
    """

    name: str
    asks: Message
    shape: type
    answer: Callable[[Any, Any], Judgement]
    known: Callable[[Any], bool] = lambda ruleset: True
    heavy: Callable[[Any], bool] = lambda facts: False


def known_questions(questions: Mapping[str, Question], ruleset: CitableRuleset) -> Mapping[str, Question]:
    """The questions that a game can answer, by name, in the usual order."""
    return {name: question for name, question in questions.items() if question.known(ruleset)}


def answer_question(
    questions: Mapping[str, Question], ruleset: CitableRuleset, request: Mapping[str, Any]
) -> Ruling:
    """Rule on a request: a JSON object of the `question`'s name and its facts.

    :raises Unreadable: for a question that the game cannot answer, and for facts that do not fit.
    :raises MissingFact: for a fact left out on which the answer depends.
    """
    question = _find_question(questions, ruleset, request.get("question"))
    facts = {key: value for key, value in request.items() if key != "question"}
    return _judge(question, ruleset, parse(question.shape, facts, "", ruleset.table))


def judge_facts(
    questions: Mapping[str, Question], ruleset: CitableRuleset, name: str, facts: object
) -> Ruling:
    """Rule on facts that have been parsed: an object of the shape of the question of this name.

    :raises Unreadable: for an unknown question, with those the game knows, and for facts that contradict
        each other or leave out what the answer depends on.
    """
    return _judge(_find_question(questions, ruleset, name), ruleset, facts)


def _find_question(questions: Mapping[str, Question], ruleset: CitableRuleset, name: object) -> Question:
    if isinstance(name, str) and name in questions and questions[name].known(ruleset):
        return questions[name]
    known = known_questions(questions, ruleset)
    with contradictions():  # it may be known at other tables
        return known[Choice(tuple(known)).read(name, "question", ruleset.table)]


def _judge(question: Question, ruleset: CitableRuleset, facts: object) -> Ruling:
    with contradictions():
        judgement = question.answer(ruleset, facts)
    rules = ruleset.cite(*judgement.keys)
    return Ruling(question.name, judgement.verdict, judgement.answer, judgement.why, rules)


def check_distinct(cards: Iterable[Card], path: str) -> None:
    """Check that no card is named twice. :raises Unreadable: at `path`, if one is."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise Unreadable(path, Message("different cards; {card} is named twice", card=card))
        seen.add(card)
