"""Examples of rulebooks: every table has them, and their numbers are those of its score."""

import tomllib
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from companion import library
from companion.jacknine.example import write_example_deals
from companion.jacknine.ruleset import JackNineRuleset
from companion.library.examples import find_examples
from companion.record.record import RecordChain
from companion.rules.conditions import Value
from companion.rules.errors import Unreadable

SITUATIONS = Path(library.__file__).parent.parent / "games" / "examples"


def list_tables(game: str) -> Iterator[library.Game]:
    """Every preset of a game at every seating that can play it."""
    for preset in library.read_rulebook(game).presets:
        for seating in library.seatings(game):
            if library.is_for(game, preset, seating):
                yield library.open_game(game, preset, seating.conventions, seating.players)


def list_house_rules(game: str) -> Iterator[library.Game]:
    """The usual table of a game with one house rule changed, for each value of each."""
    for convention in library.read_rulebook(game).conventions.values():
        for value in convention.listed():
            try:
                yield library.open_game(game, None, {convention.name: value})
            except Unreadable:
                continue  # it changes nothing here


@pytest.mark.parametrize("game", library.names())
def test_every_table_has_examples(game: str) -> None:
    """Have examples of taking a trick or beating a card, and of scoring, each at a rule in force."""
    for table in list_tables(game):
        examples = find_examples(table)
        applying = {rule.id for rule in table.book.rules_for(table.conventions, table.players)}
        assert {example.rule for example in examples} <= applying
        assert any(example.shown for example in examples)
        scored = [example for example in examples if any(example.scored.values()) and not example.shown]
        assert len(scored) == (2 if scored[0].made else 1), table.preset


def test_a_game_without_a_number_of_players_has_those_of_its_usual_table() -> None:
    usual = library.open_game("durak", players=4)
    assert find_examples(library.open_game("durak")) == find_examples(usual)


@pytest.mark.parametrize("game", library.names())
def test_a_count_adds_up(game: str) -> None:
    """List for each side no more and no less than it has made."""
    for table in list_tables(game):
        for example in find_examples(table):
            listed = dict.fromkeys(example.made, 0)
            for part in example.parts:
                listed[part.side] += part.points
            assert listed == example.made


def score(table: library.Game, entry: Mapping[str, Any]) -> Any:
    """The row of one deal, read and scored as the record of a match."""
    seats = table.family.ruleset.ring.seats
    head = {"format": "companion-match", "version": 1, "game": table.name, "preset": table.preset}
    more = {"conventions": dict(table.conventions), "players": list(seats), "first_dealer": seats[-1]}
    folded = RecordChain(library.open_game, []).fold({**head, **more, "entries": [entry]})
    assert not folded.state.problems
    return folded.state.rows[0]


@pytest.mark.parametrize(
    "game",
    [game for game in library.names() if isinstance(library.open_game(game).family.ruleset, JackNineRuleset)],
)
def test_whatever_the_table_has_agreed_the_numbers_are_those_of_its_score(game: str) -> None:
    (deal,) = tomllib.loads((SITUATIONS / "jacknine.toml").read_text("utf-8"))["deals"]
    for table in list_house_rules(game):
        ruleset = table.family.ruleset
        assert isinstance(ruleset, JackNineRuleset)
        rows = [score(table, entry) for entry in write_example_deals(ruleset, deal)]
        played = [example for example in find_examples(table) if example.scored and not example.shown]
        assert [dict(example.scored) for example in played] == [dict(row.scored) for row in rows]
        assert dict(played[0].made) == dict(rows[0].made)
        assert [example.why for example in played] == [(row.why,) for row in rows]


@pytest.mark.parametrize(
    ("conventions", "scored"),
    [
        ({}, [{"A": 230, "B": 70}, {"A": 290, "B": 0}]),
        ({"written": "bid"}, [{"A": 90, "B": 0}, {"A": 250, "B": 0}]),
        ({"rounding": "off"}, [{"A": 225, "B": 67}, {"A": 290, "B": 0}]),
    ],
)
def test_what_is_written_follows_the_table(
    conventions: dict[str, Value], scored: list[dict[str, int]]
) -> None:
    """For 90, with 135 to 67: what is made and the bid, or the bid alone, rounded or not."""
    table = library.open_game("coinche", conventions=conventions)
    deals = islice((example for example in find_examples(table) if not example.shown and example.scored), 2)
    assert [dict(example.scored) for example in deals] == scored


def test_an_example_shows_what_can_be_asked_there() -> None:
    """Melds where they count, a transfer where one may be made, calls where points are bid."""
    said = {
        game: {example.rule for example in find_examples(library.open_game(*game))}
        for game in (("belote", "standard"), ("belote", "annonces"), ("durak", "podkidnoy"))
    }
    assert "belote.meld.rank" in said["belote", "annonces"] - said["belote", "standard"]
    assert "durak.transfer" not in said["durak", "podkidnoy"]
    assert "durak.transfer" in {each.rule for each in find_examples(library.open_game("durak", "perevodnoy"))}
    (bid,) = (each for each in find_examples(library.open_game("coinche")) if each.said)
    assert [str(call) for _seat, call in bid.said] == ["pass", "80 ♥", "pass", "90 ♥", "pass", "pass", "pass"]
