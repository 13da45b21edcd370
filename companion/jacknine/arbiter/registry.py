"""The questions that the arbiter answers: in the players' words, with their facts and functions."""

from collections.abc import Mapping

from companion.jacknine.solver.facts import CountFacts
from companion.rules.message import Message, Word
from companion.rules.question import Question

from . import audit, claims, counts, questions, score, table

QUESTIONS: Mapping[str, Question] = {
    question.name: question
    for question in (
        Question("play", Message("May I play this?"), questions.PlayFacts, table.rule_on_play),
        Question("trick", Message("Who takes this trick?"), questions.TrickFacts, table.rule_on_trick),
        Question(
            "runs",
            Message("Whose run stands?"),
            questions.RunsFacts,
            table.rule_on_runs,
            lambda ruleset: ruleset.knows_melds,
        ),
        Question(
            "bela", Message("Does {word} count?", word=Word("bela")), questions.BelaFacts, table.rule_on_bela
        ),
        Question(
            "look",
            Message("May I look at the last trick?"),
            questions.LookFacts,
            table.rule_on_look,
            lambda ruleset: ruleset.book.knows("trick.look"),
        ),
        Question("seven", Message("May the seven be swapped?"), questions.SevenFacts, table.rule_on_seven),
        Question("auction", Message("Is this bid allowed?"), questions.AuctionFacts, table.rule_on_auction),
        Question(
            "outcome", Message("What does this deal come to?"), questions.OutcomeFacts, score.rule_on_outcome
        ),
        Question(
            "finish",
            Message("Is it enough?"),
            questions.FinishFacts,
            score.rule_on_finish,
            lambda ruleset: "call" in ruleset.book.words,
        ),
        Question("winner", Message("Who has won?"), questions.WinnerFacts, score.rule_on_winner),
        Question(
            "count",
            Message("Can these counts be right?"),
            CountFacts,
            counts.rule_on_count,
            heavy=lambda facts: True,
        ),
        Question(
            "audit",
            Message("What was wrong in this deal?"),
            questions.AuditFacts,
            audit.rule_on_audit,
            heavy=lambda facts: True,
        ),
        Question(
            "claim",
            Message("Is the rest mine?"),
            questions.ClaimFacts,
            claims.rule_on_claim,
            heavy=claims.is_heavy,
        ),
        Question(
            "penalty",
            Message("What does a revoke or a misdeal cost?"),
            questions.PenaltyFacts,
            score.rule_on_penalty,
        ),
        Question(
            "pencil",
            Message("How is a writing mistake put right?"),
            questions.PencilFacts,
            score.rule_on_pencil,
            lambda ruleset: bool(ruleset["pencil"]),
        ),
        Question(
            "dive",
            Message("May the stake be doubled?"),
            questions.DiveFacts,
            score.rule_on_dive,
            lambda ruleset: "dive" in ruleset.book.conventions,
        ),
    )
}
