"""A new variety on trial: fifty lines of data and a dozen cases, in a folder of its own, and played."""

import json
from pathlib import Path

import pytest
from cases import Case, CaseCatalogue, complaint, result

from companion import library
from companion.jacknine.ruleset import JackNineRuleset
from companion.library import GameFolder
from companion.record import record as records

TESTS = Path(__file__).parents[2]
TRIAL = Path(__file__).parent / "trial"
GAMES = GameFolder(TRIAL / "games", (library.GAMES.folder,))
PARENTS = CaseCatalogue(library.GAMES, TESTS / "cases")
CATALOGUE = CaseCatalogue(GAMES, TRIAL / "cases", PARENTS)


def test_it_says_what_is_its_own() -> None:
    """Its values and its one other procedure are its own; all else is as in the games it extends."""
    ruleset = GAMES.open_game("harbour").family.ruleset
    parent = library.open_game("klaberjass-4").family.ruleset
    assert isinstance(ruleset, JackNineRuleset)
    assert isinstance(parent, JackNineRuleset)
    assert (ruleset.last_points, parent.last_points) == (20, 10)
    assert (ruleset["play"], parent["play"]) == ("over-ruff", "ruff-if-higher")
    assert ruleset.max_points == parent.max_points + 10
    assert ruleset.orders == parent.orders
    assert GAMES.names() == ("harbour",)


@pytest.mark.parametrize("case", CATALOGUE.cases, ids=str)
def test_case(case: Case) -> None:
    assert complaint(case, result(case, GAMES.open_game)) == ""


@pytest.mark.slow
def test_inherited_cases() -> None:
    found = [complaint(case, result(case, GAMES.open_game)) for case in CATALOGUE.inherited("harbour")]
    assert [complaint for complaint in found if complaint] == []


@pytest.mark.slow
def test_its_cases_show_everything() -> None:
    """Own and inherited cases together show every rule, every value of a convention and every question."""
    assert CATALOGUE.shown_rules("harbour") == set(GAMES.entry("harbour").book.rules)
    assert CATALOGUE.values_without_case("harbour") == []
    assert set(GAMES.open_game("harbour").family.questions) <= CATALOGUE.asked_questions("harbour")


@pytest.mark.slow
def test_a_case_of_what_differs_is_not_inherited() -> None:
    """No case that asks for what the variety changed is taken over from its parent."""
    held = {case.name for case in CATALOGUE.inherited("harbour")}
    changed = [case for case in PARENTS.of_game("klaberjass-4") if case.name not in held]
    asking = [case for case in changed if "klaberjass4.play.trumps" in case.rules]
    assert asking
    assert all("klaberjass4.play.trumps" not in case.rules for case in CATALOGUE.inherited("harbour"))


def test_playthrough() -> None:
    golden = json.loads((TRIAL / "harbour.json").read_text("utf-8"))
    record, game = records.read_record(golden["record"], GAMES.open_game)
    state = records.fold_record(record, game.family)
    assert state.problems == ()
    assert [{"result": row.result, "totals": dict(row.totals)} for row in state.rows] == golden["after"]
    assert state.status == "finished"
