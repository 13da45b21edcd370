"""Rulings on questions, and problems in a record. Each cites a rule."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .message import Message
from .rulebook import Rule


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem in a record.

    `entry` is the entry's number, counted from 1 (0: the record's head); `field` its JSON path, such as
    `entries[2].count.cards`; `rule` the id of the game's rule that it breaks, empty where facts only
    contradict each other; `reason` a sentence.
    """

    entry: int
    field: str
    rule: str
    reason: Message

    @property
    def cited(self) -> str:
        """The rule in parentheses, to follow the reason; empty without a rule."""
        return f" ({self.rule})" if self.rule else ""

    def plain(self) -> dict[str, Any]:
        """The four facts as JSON values."""
        return {"entry": self.entry, "field": self.field, "rule": self.rule, "reason": str(self.reason)}


class RuleViolation(Exception):
    """Refusal of a new or amended entry that breaks a rule; `problems` are all that were found in it."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__(
            "; ".join(f"{problem.field}: {problem.reason}{problem.cited}" for problem in problems)
        )


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to one question.

    `verdict` is one word for programs, `answer` further facts (JSON values, cards, messages), `why` the
    sentence for people, `rules` its grounds, the decisive one first.

    :raises ValueError: without a rule.
    """

    question: str
    verdict: str
    answer: Mapping[str, Any]
    why: Message
    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        if not self.rules:
            raise ValueError(f"a ruling on {self.question!r} without a rule")

    def plain(self) -> dict[str, Any]:
        """The ruling as JSON values."""
        return {
            "question": self.question,
            "verdict": self.verdict,
            "answer": _to_plain(self.answer),
            "why": str(self.why),
            "rules": [_describe_rule(rule) for rule in self.rules],
        }


def _describe_rule(rule: Rule) -> dict[str, Any]:
    """A cited rule as JSON values, with the choices of the table on which it rests."""
    choices = rule.table.choices if rule.table else {}
    return {
        "id": rule.id,
        "text": str(rule.text),
        "chapter": rule.chapter,
        "source": rule.source,
        "table": [
            {"name": name, "value": value, "label": choices[name].label}
            for name, value in rule.choices.items()
        ],
    }


def _to_plain(value: Any) -> Any:
    """Convert an answer to JSON values; sentences in it become plain English."""
    match value:
        case Message():
            return str(value)
        case Mapping():
            return {key: _to_plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_to_plain(item) for item in value]
        case _:
            return value
