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
    known = known_questions(questions, ruleset)
    name = Choice(tuple(known)).read(request.get("question"), "question", ruleset.table)
    question = known[name]
    facts = {key: value for key, value in request.items() if key != "question"}
    found = question.answer(ruleset, parse(question.shape, facts, "", ruleset.table))
    return Ruling(name, found.verdict, found.answer, found.why, ruleset.cite(*found.keys))


def check_distinct(cards: Iterable[Card], path: str) -> None:
    """Refuse a card that is named twice. :raises Unreadable: if one is."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise Unreadable(path, Message("different cards; {card} is named twice", card=card))
        seen.add(card)
