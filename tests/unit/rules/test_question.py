"""Questions to the arbiter: found by name, read by a schema, answered by a function, with the rules cited."""

from dataclasses import dataclass
from typing import Any

import pytest

from companion.rules.cards import pack, parse_card
from companion.rules.errors import Missing, UnknownKey, Unreadable
from companion.rules.message import Message
from companion.rules.question import (
    Judgement,
    Question,
    answer_question,
    check_distinct,
    judge_facts,
    known_questions,
)
from companion.rules.rulebook import Rule
from companion.rules.ruling import Ruling
from companion.rules.schema import SeatOf, Table, field
from companion.rules.seats import Ring

RULES = {"deal": Rule("x.deal", "The loser deals.", "", ""), "seat": Rule("x.seat", "Sit down.", "", "")}


class Ruleset:
    table = Table(Ring(2), frozenset(pack(("A",))))

    def cite(self, *keys: str) -> tuple[Rule, ...]:
        return tuple(RULES[key] for key in keys)


@dataclass(frozen=True)
class Loser:
    loser: str = field(SeatOf())


def judge_dealer(ruleset: Any, facts: Loser) -> Judgement:
    return Judgement(
        facts.loser, {"seats": len(ruleset.table.ring.seats)}, Message("Lost."), ("deal", "seat")
    )


QUESTIONS = {
    "dealer": Question("dealer", Message("Who deals?"), Loser, judge_dealer),
    "elder": Question("elder", Message("Who leads?"), Loser, judge_dealer, lambda ruleset: False),
    "loser": Question(
        "loser", Message("Who lost?"), Loser, judge_dealer, lambda ruleset: "A" in ruleset.table.ring.seats
    ),
}
ANSWER = Ruling("dealer", "B", {"seats": 2}, Message("Lost."), (RULES["deal"], RULES["seat"]))


def test_a_request_is_answered_by_the_games_own_rules() -> None:
    """The ruling has the question's name, and every rule in the order of the keys."""
    assert answer_question(QUESTIONS, Ruleset(), {"question": "dealer", "loser": "B"}) == ANSWER


def test_facts_that_are_read_already_are_judged_alike() -> None:
    assert judge_facts(QUESTIONS, Ruleset(), "dealer", Loser("B")) == ANSWER


def test_the_questions_that_a_game_can_answer() -> None:
    """A question is for every game unless it says otherwise; they keep their order."""
    assert list(known_questions(QUESTIONS, Ruleset())) == ["dealer", "loser"]
    assert known_questions(QUESTIONS, Ruleset())["loser"] is QUESTIONS["loser"]


@pytest.mark.parametrize(
    ("request_", "kind", "sentence"),
    [
        ({"question": "elder"}, Unreadable, 'question: must be one of dealer, loser, not "elder"'),
        ({"question": "trump"}, Unreadable, 'question: must be one of dealer, loser, not "trump"'),
        ({"question": ["dealer"]}, Unreadable, 'question: must be one of dealer, loser, not ["dealer"]'),
        ({"loser": "A"}, Unreadable, "question: must be one of dealer, loser, not null"),
        ({"question": "dealer"}, Missing, "loser: required"),
        ({"question": "dealer", "loser": "C"}, Unreadable, 'loser: must be one of A, B, not "C"'),
        ({"question": "dealer", "loser": "A", "x": "S"}, UnknownKey, "x: unknown key; known keys are loser"),
    ],
)
def test_a_request_that_is_no_question(
    request_: dict[str, Any], kind: type[Unreadable], sentence: str
) -> None:
    """Unknown questions are answered with those that the game knows, facts by their schema."""
    with pytest.raises(kind) as refused:
        answer_question(QUESTIONS, Ruleset(), request_)
    assert str(refused.value) == sentence


def test_facts_for_an_unknown_question_are_refused() -> None:
    with pytest.raises(Unreadable, match=r"^question: must be one of dealer, loser"):
        judge_facts(QUESTIONS, Ruleset(), "elder", Loser("A"))


def test_no_card_is_named_twice() -> None:
    check_distinct(map(parse_card, ("AS", "AH", "KS")), "cards")
    with pytest.raises(Unreadable) as refused:
        check_distinct(map(parse_card, ("AS", "AH", "AH", "AS")), "cards")
    assert str(refused.value) == "cards: must be different cards; A♥ is named twice"
