"""Which rules apply at a table: those that its conventions do not switch off."""

import pytest

from companion import library
from companion.rules.rulebook import json_word


@pytest.mark.parametrize("game", library.names())
def test_every_condition_can_hold(game: str) -> None:
    """A rule that applies now and then names conventions of its game, with values that they can take."""
    book = library.read_rulebook(game)
    for rule in book.rules.values():
        for condition in rule.only_when:
            for part in condition.split(","):
                name, _, value = part.partition("=")
                values = list(map(json_word, book.conventions[name].values)) or ["1.."]
                assert value in values, rule.id


@pytest.mark.parametrize("game", library.names())
def test_a_convention_that_matters_has_its_rule(game: str) -> None:
    """What a table chooses beside the usual is told by a rule that applies there."""
    book = library.read_rulebook(game)
    for name, convention in book.conventions.items():
        for value in convention.values:
            if value == convention.default:
                continue
            needs = {other: 1 if what == "1.." else what for other, what in convention.needs.items()}
            chosen = book.resolve(None, {**needs, name: value}, "")
            off = [rule.id for rule in book.rules.values() if rule not in book.rules_for(chosen)]
            assert convention.rule not in off, (name, value)
