"""Rulings, and problems in a record, as JSON values and sentences."""

import pytest

from companion.rules.message import Message, SeatName
from companion.rules.rulebook import Rule
from companion.rules.ruling import Problem, RuleViolation, Ruling

FOLLOW = Rule("x.play.follow", "Follow suit.", "Play", "here")
PROBLEM = Problem(2, "entries[1].dealer", "x.deal.next", Message("{seat} deals.", seat=SeatName("A")))


def test_a_problem_as_json() -> None:
    place = {"entry": 2, "field": "entries[1].dealer"}
    assert PROBLEM.plain() == place | {"rule": "x.deal.next", "reason": "A deals."}


def test_a_violation_names_every_problem() -> None:
    other = Problem(2, "entries[1]", "x.end", Message("The game is over."))
    violation = RuleViolation((PROBLEM, other))
    assert violation.problems == (PROBLEM, other)
    assert str(violation) == (
        "entries[1].dealer: A deals. (x.deal.next); entries[1]: The game is over. (x.end)"
    )


def test_a_ruling_as_json() -> None:
    """Sentences anywhere in its answer are written out; its rules come with their texts."""
    who = Message("{seat} leads", seat=SeatName("B"))
    answer = {"who": who, "cards": ["AS", 7], "more": {"ways": (who, None)}}
    ruling = Ruling("follow", "allowed", answer, Message("Hearts were led."), (FOLLOW,))
    assert ruling.plain() == {
        "question": "follow",
        "verdict": "allowed",
        "answer": {"who": "B leads", "cards": ["AS", 7], "more": {"ways": ["B leads", None]}},
        "why": "Hearts were led.",
        "rules": [
            {"id": "x.play.follow", "text": "Follow suit.", "chapter": "Play", "source": "here", "table": []}
        ],
    }


def test_no_ruling_without_a_rule() -> None:
    with pytest.raises(ValueError, match=r"^a ruling on 'follow' without a rule$"):
        Ruling("follow", "allowed", {}, Message("So be it."), ())
