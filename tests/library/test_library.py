"""The shelf of games: every file is whole, and what it does not know it says."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from companion import library
from companion.beating.turn import BEATEN_OFF, PICKED_UP
from companion.jacknine.entries import has_calls
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Suit
from companion.rules.rulebook import Value, json_word
from companion.rules.schema import Unreadable


@pytest.mark.parametrize("game", library.names())
def test_a_game_is_whole(game: str) -> None:
    """Every convention names a rule and has a default it can take, and no key belongs to two rules."""
    book = library.shelf(game)
    for name, one in book.conventions.items():
        assert one.rule in book.rules
        assert one.check(one.default, name) == one.default
    keys = [key for rule in book.rules.values() for key in rule.keys]
    assert sorted(set(keys)) == sorted(keys)
    assert all(rule.keys and rule.text and rule.chapter for rule in book.rules.values())
    for preset in book.presets:
        assert library.open_game(game, preset).deviations() == []


NEEDED: Mapping[str, Callable[[JackNineRuleset], bool]] = {
    "bid.ask": lambda game: game["ask"],
    "bid.obligation": lambda game: game["last_must"],
    "bid.schmeiss": lambda game: game["schmeiss"] == "on",
    "cards.no-trumps": lambda game: game.no_trumps,
    "play.no-trumps": lambda game: game.no_trumps,
    "deal.four-sevens": lambda game: game["four_sevens"] == "redeal",
    "deal.new-game": lambda game: game["next_game_dealer"] == "winner",
    "deal.rest": lambda game: game.turned_card == "none",
    "dive.": lambda game: game["dive"] == "on",
    "end.baited": lambda game: game["finish"] == "announced",
    "end.concede": lambda game: len(game.ring.sides) > 2,
    "end.count": has_calls,
    "end.false": has_calls,
    "end.one-deal": lambda game: game["party"] == "one-deal",
    "end.third": lambda game: len(game.ring.sides) > 2,
    "fours.": lambda game: bool(game.fours),
    "offer.": lambda game: game["offers"],
    "penalty.corrections": lambda game: game["pencil"],
    "penalty.false-declaration": lambda game: game["rost"] == "strict",
    "penalty.halves": lambda game: len(game.ring.sides) > 2,
    "penalty.hundreds": lambda game: game["pencil"],
    "penalty.pencil": lambda game: game["pencil"],
    "play.bare-jass": lambda game: game["bare_jass"] == "on",
    "play.over-ruff": lambda game: game["play"] != "beat-trumps",
    "run.rest": lambda game: game["rost"] == "strict",
    "run.rost": lambda game: game["rost"] == "strict",
    "run.values-long": lambda game: max(game.run_points) > len(Suit),
    "score.bait-penalty": lambda game: "bait_penalty_every" in game.book.conventions,
    "score.halves": lambda game: len(game.ring.sides) > 2,
    "score.held": lambda game: game["tie"] in ("hang", "carry"),
    "score.held-end": lambda game: game["next_game_dealer"] == "winner" and game["tie"] == "hang",
    "score.rest": lambda game: game.all_dealt,
    "score.sides": lambda game: game.ring.partnerships,
    "sets.": lambda game: game.counts_sets,
    "words.jass": lambda game: game.honours(Suit.HEARTS)["jass"].rank != "J",
    "words.jass-as-card": lambda game: bool(game.trump_points.get(game.jass_rank)),
    "words.jass-once": lambda game: game["rost"] == "strict",
}
"""What a game must have for the family to cite these keys, and those that begin so."""

UNCITED = {"play.claim", "seven.ask", "format", "deal.six"}
"""What rules say of the play, or of the table, though nothing is ever decided by it."""


def composed(family: str, ruleset: Any) -> Iterator[str]:
    """The keys that a family's code puts together of two words."""
    match family:
        case "jacknine":
            yield from (f"penalty.{offence}" for offence in ruleset["offences"])
            yield from (f"run.{offence}" for offence in ruleset["offences_runs"])
        case "beating":
            yield from (f"{what}.{how}" for what in ("turn", "bout") for how in (BEATEN_OFF, PICKED_UP))
        case other:
            raise LookupError(other)


def _at_least(needs: Mapping[str, Value]) -> dict[str, Value]:
    return {name: 1 if value == "1.." else value for name, value in needs.items()}


def tables(game: str) -> list[Any]:
    """The rule sets of a game: of every preset, and with every value of a convention chosen."""
    book = library.shelf(game)
    chosen = [
        {**_at_least(one.needs), name: value}
        for name, one in book.conventions.items()
        for value in one.values or (one.default,)
    ]
    open_ = [library.open_game(game, preset) for preset in book.presets]
    open_ += [library.open_game(game, conventions=one) for one in chosen]
    return [one.family.ruleset for one in open_]


@pytest.mark.parametrize("game", library.names())
def test_every_rule_that_a_family_cites_is_in_each_of_its_games(game: str) -> None:
    """What code cites by a family's key is a rule of each game that has the thing; and no rule is uncited."""
    keys = {key for rule in library.shelf(game).rules.values() for key in rule.keys}
    family = library.open_game(game).family_name
    folder = Path(library.__file__).parents[1] / family
    source = "\n".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    rulesets = tables(game)
    chapters = {key.split(".")[0] for one in library.names() for key in _keys(one)}
    cited = set(re.findall(rf'"((?:{"|".join(chapters)})\.[a-z-]+)"', source)) - {"penalty.offence"}
    cited |= {key for key in keys if "." not in key and f'"{key}"' in source}
    cited |= set(composed(family, rulesets[0]))

    def needed(key: str) -> bool:
        names = sorted((name for name in NEEDED if key.startswith(name)), key=len)
        return not names or any(NEEDED[names[-1]](ruleset) for ruleset in rulesets)

    assert sorted(key for key in cited - keys if needed(key)) == []
    assert sorted(keys - cited - UNCITED) == []


@pytest.mark.parametrize("game", library.names())
def test_every_procedure_of_a_game_is_asked_for(game: str) -> None:
    """No file says how a thing is done that nobody asks; a convention is asked for, or changes a table."""
    source = "\n".join(path.read_text("utf-8") for path in Path(library.__file__).parents[1].rglob("*.py"))
    asked = set(re.findall(r'\["([a-z_]+)"\]', source))
    told = tomllib.loads((files("companion") / "games" / f"{game}.toml").read_text("utf-8"))
    changing = {one.partition("=")[0] for when in told.get("when", ()) for one in when.split(",")}
    assert set(told.get("procedures", ())) - asked == set()
    assert {one["name"] for one in told.get("conventions", ())} - asked - changing == set()


def _keys(game: str) -> set[str]:
    return {key for rule in library.shelf(game).rules.values() for key in rule.keys}


def test_deviations() -> None:
    """A game tells the conventions in which it differs from its preset."""
    game = library.open_game("derda", conventions={"target": 300, "penalty": "bait-on-cards"})
    assert [(one.name, value) for one, value in game.deviations()] == [("target", 300)]
    assert game.preset == "standard"
    assert game is library.open_game("derda", "standard", {"target": 300})


def test_what_follows_from_the_table_is_no_deviation() -> None:
    """A team of three throws in as is usual for teams, though six on their own would not."""
    game = library.open_game("durak", None, {"format": "teams-6"}, 6)
    assert [one.name for one, _value in game.deviations()] == ["format"]
    assert game.book.usual("throwers", None, game.conventions, 6) == "all"
    assert game.book.usual("throwers", None, {}, 6) == "neighbours"


@pytest.mark.parametrize("game", library.names())
def test_every_seating_can_be_played(game: str) -> None:
    """Each way to sit down has a name of its own, and the game opens for it with as many seats."""
    seatings = library.seatings(game)
    assert len({one.name for one in seatings}) == len(seatings)
    assert {one.players for one in seatings} == set(library.sizes(game))
    for one in seatings:
        opened = library.open_game(game, None, one.conventions, one.players)
        ring = opened.family.ruleset.ring
        assert (ring.size, ring.partnerships) == (one.players, one.partnerships)
        assert one.conventions.items() <= opened.conventions.items()


@pytest.mark.parametrize("game", library.names())
def test_what_matters_only_sometimes_does_so_somewhere(game: str) -> None:
    """A convention or a value that is only for some tables is for at least one, and not for all."""
    book = library.shelf(game)
    tables = [library.open_game(game, None, one.conventions, one.players) for one in library.seatings(game)]
    for one in book.conventions.values():
        arises = [one.arises(table.conventions, table.players) for table in tables]
        assert any(arises)
        assert all(arises) == (not one.only_when)
        for value in one.sizes:
            assert any(value in one.values_for(table.players) for table in tables)


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ([], "document: must be a ruling request, which is an object, not []"),
        ({}, "game: must be one of derda"),
        ({"game": "skat"}, "game: must be one of derda"),
        ({"game": ["derda"]}, "game: must be one of derda"),
        ({"game": "derda", "preset": 1}, "preset: must be one of standard, not 1"),
        ({"game": "derda", "preset": "moscow"}, 'preset: must be one of standard, not "moscow"'),
        ({"game": "derda", "conventions": None}, "conventions: must be an object, not null"),
        (
            {"game": "derda", "conventions": {"targt": 1}},
            "conventions.targt: must be a convention of this game: ",
        ),
        (
            {"game": "derda", "conventions": {"target": 5}},
            "conventions.target: must be a whole number from 10 to",
        ),
        ({"game": "derda", "question": "beat"}, "question: must be one of play, trick, runs"),
        ({"game": "derda"}, "question: must be one of play, trick, runs"),
        ({"game": "durak", "question": ["beat"]}, "question: must be one of turn, throw-in"),
        ({"game": "derda", "question": "winner"}, "totals: required"),
        ({"game": "derda", "question": "winner", "x": 1}, "x: unknown key; known keys are totals, declarer"),
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
