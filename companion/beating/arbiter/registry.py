"""The questions that the arbiter answers: in the players' words, with their facts and functions."""

from collections.abc import Mapping

from companion.rules.message import Message
from companion.rules.question import Question

from . import bouts, questions, table

UNSEATED = {"beat", "six"}
"""The names of the questions that are answered without knowing how many play."""

QUESTIONS: Mapping[str, Question] = {
    question.name: question
    for question in (
        Question("turn", Message("Who attacks now?"), questions.TurnFacts, bouts.rule_on_turn),
        Question(
            "throw-in", Message("May this be thrown in?"), questions.ThrowInFacts, table.rule_on_throw_in
        ),
        Question(
            "transfer", Message("May this be transferred?"), questions.TransferFacts, table.rule_on_transfer
        ),
        Question("beat", Message("Does this beat that?"), questions.BeatFacts, table.rule_on_beat),
        Question("bout", Message("Is it beaten off?"), questions.BoutFacts, bouts.rule_on_bout),
        Question("six", Message("May the lowest trump be swapped?"), questions.SixFacts, bouts.rule_on_six),
        Question(
            "next-hand",
            Message("Who deals and who starts?"),
            questions.NextHandFacts,
            bouts.rule_on_next_hand,
        ),
    )
}
