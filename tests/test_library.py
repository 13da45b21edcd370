"""The shelf of games: every file is whole, and what it does not know it says."""

import re
from importlib.resources import files

import pytest

from companion import library
from companion.rules.rulebook import json_word
from companion.rules.shapes import Unreadable


@pytest.mark.parametrize("game", library.names())
def test_a_game_is_whole(game: str) -> None:
    """Every convention names a rule and has a default it can take, and no key belongs to two rules."""
    book = library.shelf(game)
    for name, one in book.conventions.items():
        assert one.rule in book.rules
        assert one.check(one.default, name) == one.default
    keys = [key for rule in book.rules.values() for key in rule.keys]
    assert sorted(set(keys)) == sorted(keys)
    assert all(rule.id.startswith(f"{game}.") and rule.text and rule.chapter for rule in book.rules.values())
    for preset in book.presets:
        assert library.open_game(game, preset).deviations() == []


@pytest.mark.parametrize("game", library.names())
def test_every_rule_that_a_family_cites_is_in_each_of_its_games(game: str) -> None:
    """What code cites by a family's key is a rule of the game, and no rule is out of the code's reach."""
    keys = {key for rule in library.shelf(game).rules.values() for key in rule.keys}
    folder = files("companion") / library.open_game(game).family_name
    source = "\n".join(path.read_text("utf-8") for path in folder.iterdir() if path.name.endswith(".py"))
    chapters = "|".join(sorted({key.split(".")[0] for key in keys}))
    cited = set(re.findall(rf'"((?:{chapters})\.[a-z-]+)"', source)) - {"penalty.offence"}
    assert (cited - keys, keys - cited) == (set(), {"play.claim"})


def test_deviations() -> None:
    """A game tells the conventions in which it differs from its preset."""
    game = library.open_game("derda", conventions={"target": 300, "penalty": "bait-on-cards"})
    assert [(one.name, value) for one, value in game.deviations()] == [("target", 300)]
    assert game.preset == "standard"
    assert game is library.open_game("derda", "standard", {"target": 300})


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ([], "document: expected a ruling request, which is an object, not []"),
        ({}, "game: expected one of derda"),
        ({"game": "skat"}, "game: expected one of derda"),
        ({"game": ["derda"]}, "game: expected one of derda"),
        ({"game": "derda", "preset": 1}, "preset: expected one of standard, not 1"),
        ({"game": "derda", "preset": "moscow"}, "preset: expected one of standard, not 'moscow'"),
        ({"game": "derda", "conventions": None}, "conventions: expected an object, not null"),
        (
            {"game": "derda", "conventions": {"targt": 1}},
            "conventions.targt: expected a convention of this game: ",
        ),
        (
            {"game": "derda", "conventions": {"target": 5}},
            "conventions.target: expected a whole number from 10 to",
        ),
        ({"game": "derda", "question": "beat"}, "question: expected one of play, trick, runs"),
        ({"game": "derda"}, "question: expected one of play, trick, runs"),
        ({"game": "derda", "question": "winner"}, "totals: expected this to be given"),
        ({"game": "derda", "question": "winner", "x": 1}, "x: expected only the keys totals, declarer"),
    ],
)
def test_requests_that_cannot_be_read(request_: object, sentence: str) -> None:
    """What a request gets wrong is said with what would be right."""
    with pytest.raises(Unreadable) as refused:
        library.rule(request_)
    assert str(refused.value).startswith(sentence)


def test_values_as_they_are_written() -> None:
    """Booleans are written as JSON has them."""
    assert [json_word(value) for value in (True, False, 5, "best")] == ["true", "false", "5", "best"]
