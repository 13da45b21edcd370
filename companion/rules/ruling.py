"""Rulings on questions, and problems found in a record. Neither exists without a rule id."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .message import Message
from .rulebook import Rule


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that cannot be right: where it stands, which rule it breaks, and what would be right.

    `entry` counts from 1 (0: the record's head); `field` is a path such as `entries[2].count.cards`.
    """

    entry: int
    field: str
    rule: str
    reason: Message

    def plain(self) -> dict[str, Any]:
        """The four facts as JSON values."""
        return {"entry": self.entry, "field": self.field, "rule": self.rule, "reason": str(self.reason)}


class RuleViolation(Exception):
    """A new entry, or an amended one, that breaks a rule; carries every `Problem` found in it."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("; ".join(f"{p.field}: {p.reason} ({p.rule})" for p in problems))


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to one question: verdict, facts, why, and the rules it rests on (never none)."""

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
            "answer": _shown(self.answer),
            "why": str(self.why),
            "rules": [{"id": rule.id, "text": rule.text} for rule in self.rules],
        }


def _shown(value: Any) -> Any:
    """An answer as JSON values: sentences in it stand in plain English."""
    match value:
        case Message():
            return str(value)
        case Mapping():
            return {key: _shown(one) for key, one in value.items()}
        case list() | tuple():
            return [_shown(one) for one in value]
        case _:
            return value
