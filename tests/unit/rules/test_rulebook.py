"""Which rules apply at a table: those that its conventions do not switch off."""

import json
from pathlib import Path

import pytest

from companion import library
from companion.record import record as records
from companion.rules.rulebook import json_word

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.json"))


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


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_entries_go_by_rules_that_apply(path: Path) -> None:
    """No entry of a played match was judged by a rule that its table has switched off."""
    stated = json.loads(path.read_text("utf-8"))
    record, game = records.read_record(stated["record"], library.open_game)
    applies = {rule.id for rule in game.book.rules_for(game.conventions, game.players)}
    state = records.fold_record(record, game.family)
    cited = {rule for row in state.rows for rule in row.rules}
    assert cited and cited <= applies


def test_one_deal_has_no_target() -> None:
    """A preset's conventions switch rules off and on."""
    shown = {
        preset: {rule.id for rule in game.book.rules_for(game.conventions)}
        for preset in ("moscow", "one-blow")
        if (game := library.open_game("deberts", preset))
    }
    assert "deberts.end.one-deal" in shown["one-blow"] - shown["moscow"]
    assert "deberts.end.both" in shown["moscow"] - shown["one-blow"]
