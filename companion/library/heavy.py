"""Rulings that take long: what a worker is given, what it does, and what it returns."""

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.errors import Unreadable
from companion.rules.rulebook import Value
from companion.rules.ruling import Ruling
from companion.rules.schema import parse

from . import Game, reopen_game
from .other_tables import OtherRulings, judge_question


@dataclass(frozen=True)
class HeavyRuling:
    """A ruling, or what is wrong with what was asked; and those of other tables, where they were asked."""

    ruling: Ruling | Unreadable
    options_read: frozenset[str] = frozenset()
    other_rulings: OtherRulings | None = None

    def get_ruling(self) -> Ruling:
        """The ruling.

        :raises Unreadable: where there is none.
        """
        if isinstance(self.ruling, Unreadable):
            raise self.ruling
        return self.ruling


def is_heavy(game: Game, request: Mapping[str, Any]) -> bool:
    """Whether ruling on a request may take long; not where it cannot be read: that is refused at once."""
    question = game.family.questions.get(str(request.get("question")))
    if question is None:
        return False
    facts = {key: value for key, value in request.items() if key != "question"}
    try:
        return question.heavy(parse(question.shape, facts, "", game.family.ruleset.table))
    except Unreadable:
        return False


def judge_everywhere(
    name: str,
    preset: str,
    conventions: Mapping[str, Value],
    players: int | None,
    request: Mapping[str, Any],
    everywhere: bool,
) -> bytes:
    """A `HeavyRuling`, pickled: on a request, and `everywhere` else with one other convention."""
    game = reopen_game(name, preset, conventions, players)
    try:
        return pickle.dumps(_judge(game, request, everywhere))
    except Unreadable as fault:
        return pickle.dumps(HeavyRuling(fault))


def _judge(game: Game, request: Mapping[str, Any], everywhere: bool) -> HeavyRuling:
    if not everywhere:
        return HeavyRuling(game.family.rule(request))
    asked = {key: value for key, value in request.items() if key != "question"}
    question = game.family.questions[request["question"]]
    judged = judge_question(
        game, question.name, parse(question.shape, asked, "", game.family.ruleset.table), asked
    )
    other_rulings: dict[tuple[str, Value], Ruling | Unreadable] = {}
    for convention, value in judged.list_other_values():
        try:
            other_rulings[convention, value] = judged.rule_otherwise(convention, value)
        except Unreadable as fault:
            other_rulings[convention, value] = fault
    return HeavyRuling(judged.ruling, judged.options_read, other_rulings)
