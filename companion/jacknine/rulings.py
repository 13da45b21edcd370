"""The arbiter: one function per question, each from a situation to verdict, why, and rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..rules.message import Message, Word
from ..rules.ruling import Ruling
from ..rules.shapes import Choice, read
from . import questions
from . import score_rulings as score
from . import table_rulings as table
from .finding import Found
from .ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Question:
    """One question: in the players' words, the facts it takes, who answers it, and which games know it."""

    name: str
    asks: Message
    shape: type
    answer: Callable[[Ruleset, Any], Found]
    known: Callable[[Ruleset], bool] = lambda ruleset: True


def answer(ruleset: Ruleset, request: Mapping[str, Any]) -> Ruling:
    """The ruling on a request, which names its question.

    :raises Unreadable: for an unknown question, with those the game knows, and for facts that do not fit.
    """
    known = known_questions(ruleset)
    name = Choice(tuple(known)).read(request.get("question"), "question", ruleset.table)
    question = known[name]
    facts = {key: value for key, value in request.items() if key != "question"}
    found = question.answer(ruleset, read(question.shape, facts, "", ruleset.table))
    return Ruling(name, found.verdict, found.answer, found.why, ruleset.cite(*found.keys))


def known_questions(ruleset: Ruleset) -> Mapping[str, Question]:
    """The questions this game can answer, in the order in which they are usually asked."""
    return {name: one for name, one in QUESTIONS.items() if one.known(ruleset)}


QUESTIONS: Mapping[str, Question] = {
    one.name: one
    for one in (
        Question("play", Message("May I play this?"), questions.Play, table.may_play),
        Question("trick", Message("Who takes this trick?"), questions.Trick, table.who_takes),
        Question("runs", Message("Whose run stands?"), questions.Runs, table.whose_runs),
        Question(
            "bela", Message("Does {word} count?", word=Word("bela")), questions.Bela, table.does_bela_count
        ),
        Question("seven", Message("May the seven be swapped?"), questions.Seven, table.may_swap),
        Question("auction", Message("Is this bid allowed?"), questions.Bidding, table.how_bidding_stands),
        Question(
            "outcome", Message("What does this deal come to?"), questions.Outcome, score.what_it_comes_to
        ),
        Question(
            "finish",
            Message("Is it enough?"),
            questions.Finish,
            score.is_it_enough,
            lambda ruleset: "call" in ruleset.book.words,
        ),
        Question("winner", Message("Who has won?"), questions.Winner, score.who_has_won),
        Question("count", Message("Can these counts be right?"), questions.Counts, score.can_it_be),
        Question("penalty", Message("What does a revoke cost?"), questions.Penalty, score.what_it_costs),
        Question(
            "pencil",
            Message("What does a wrong writing move?"),
            questions.Pencil,
            score.what_it_moves,
            lambda ruleset: bool(ruleset["pencil"]),
        ),
        Question(
            "dive",
            Message("May the stake be doubled?"),
            questions.Dive,
            score.may_one_dive,
            lambda ruleset: "dive" in ruleset.book.conventions,
        ),
    )
}
