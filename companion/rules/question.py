"""What an arbiter is asked, and what it finds: the frame that every family's questions stand in.

A question is a pure function from a rule set and the facts of one situation to what is found there. Its
facts are a shape of JSON, so that web forms, the command line and the API all ask the same.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .cards import Card
from .message import Message
from .rulebook import Rule
from .ruling import Ruling
from .schema import Choice, Table, Unreadable, parse


class Rules(Protocol):
    """What answering needs of a rule set: the names at its table, and the game's rules for given keys."""

    @property
    def table(self) -> Table:
        """What seats, cards and suits mean at this table."""

    def cite(self, *keys: str) -> tuple[Rule, ...]:
        """The game's own rules for the family's keys."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a question's function finds: verdict, facts, why, and the family's rule keys."""

    verdict: str
    answer: Mapping[str, Any]
    why: Message
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One question: in the players' words, the facts it takes, who answers it, and which games know it."""

    name: str
    asks: Message
    shape: type
    answer: Callable[[Any, Any], Judgement]
    known: Callable[[Any], bool] = lambda ruleset: True


def known_questions(questions: Mapping[str, Question], ruleset: Rules) -> Mapping[str, Question]:
    """Those of the questions that this game can answer, in the order in which they are usually asked."""
    return {name: one for name, one in questions.items() if one.known(ruleset)}


def answer_question(questions: Mapping[str, Question], ruleset: Rules, request: Mapping[str, Any]) -> Ruling:
    """The ruling on a request, which names its question.

    :raises Unreadable: for an unknown question, with those the game knows, and for facts that do not fit.
    """
    question = _find_question(questions, ruleset, request.get("question"))
    facts = {key: value for key, value in request.items() if key != "question"}
    return _judge(question, ruleset, parse(question.shape, facts, "", ruleset.table))


def judge_facts(questions: Mapping[str, Question], ruleset: Rules, name: str, facts: object) -> Ruling:
    """The ruling on facts that have been parsed: an object of the shape of the question of this name.

    :raises Unreadable: for an unknown question, with those the game knows, and for facts that contradict
        each other or leave out what the answer depends on.
    """
    return _judge(_find_question(questions, ruleset, name), ruleset, facts)


def _find_question(questions: Mapping[str, Question], ruleset: Rules, name: object) -> Question:
    if isinstance(name, str) and name in questions and questions[name].known(ruleset):
        return questions[name]
    known = known_questions(questions, ruleset)
    return known[Choice(tuple(known)).read(name, "question", ruleset.table)]


def _judge(question: Question, ruleset: Rules, facts: object) -> Ruling:
    judgement = question.answer(ruleset, facts)
    rules = ruleset.cite(*judgement.keys)
    return Ruling(question.name, judgement.verdict, judgement.answer, judgement.why, rules)


def check_distinct(cards: Iterable[Card], path: str) -> None:
    """Refuse a card that is named twice. :raises Unreadable: if one is."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise Unreadable(path, Message("every card once"), str(card))
        seen.add(card)
