"""The arbiter: one function per question, each from a situation to verdict, why, and rules."""

from collections.abc import Mapping

from companion.jacknine.solver.facts import CountFacts
from companion.rules.message import Message, Word
from companion.rules.question import Question

from . import audit, claims, questions, score, table

QUESTIONS: Mapping[str, Question] = {
    one.name: one
    for one in (
        Question("play", Message("May I play this?"), questions.PlayFacts, table.may_play),
        Question("trick", Message("Who takes this trick?"), questions.TrickFacts, table.who_takes),
        Question("runs", Message("Whose run stands?"), questions.RunsFacts, table.whose_runs),
        Question(
            "bela",
            Message("Does {word} count?", word=Word("bela")),
            questions.BelaFacts,
            table.does_bela_count,
        ),
        Question("seven", Message("May the seven be swapped?"), questions.SevenFacts, table.may_swap),
        Question(
            "auction", Message("Is this bid allowed?"), questions.AuctionFacts, table.how_bidding_stands
        ),
        Question(
            "outcome", Message("What does this deal come to?"), questions.OutcomeFacts, score.what_it_comes_to
        ),
        Question(
            "finish",
            Message("Is it enough?"),
            questions.FinishFacts,
            score.is_it_enough,
            lambda ruleset: "call" in ruleset.book.words,
        ),
        Question("winner", Message("Who has won?"), questions.WinnerFacts, score.who_has_won),
        Question("count", Message("Can these counts be right?"), CountFacts, score.can_it_be),
        Question(
            "audit", Message("What was wrong in this deal?"), questions.AuditFacts, audit.what_was_wrong
        ),
        Question("claim", Message("Is the rest mine?"), questions.ClaimFacts, claims.is_the_rest_mine),
        Question("penalty", Message("What does a revoke cost?"), questions.PenaltyFacts, score.what_it_costs),
        Question(
            "pencil",
            Message("What does a wrong writing move?"),
            questions.PencilFacts,
            score.what_it_moves,
            lambda ruleset: bool(ruleset["pencil"]),
        ),
        Question(
            "dive",
            Message("May the stake be doubled?"),
            questions.DiveFacts,
            score.may_one_dive,
            lambda ruleset: "dive" in ruleset.book.conventions,
        ),
    )
}
