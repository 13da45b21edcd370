"""Games and matches as JSON values, for the command line and the API."""

from typing import Any

from companion import library
from companion.record.record import Record
from companion.rules.conditions import json_word
from companion.rules.game import GameState
from companion.rules.schema import to_json


def show_state(game: library.Game, record: Record, state: GameState) -> dict[str, Any]:
    """Show a record's result: conventions, players, entries, totals, next dealer, problems, remarks."""
    return {
        "game": game.name,
        "conventions": dict(game.conventions),
        "players": list(record.head["players"]),
        **game.family.show(state),
        "problems": [problem.plain() for problem in state.problems],
        **({"remarks": to_json(record.remarks)} if record.remarks else {}),
    }


def describe_game(name: str) -> dict[str, Any]:
    """Describe a game as JSON values: everything that a program needs to fill in a record."""
    book = library.read_rulebook(name)
    direction = library.open_game(name).family.ruleset.direction
    return {
        "game": name,
        "title": book.title,
        "summary": str(book.summary),
        "version": book.version,
        "dated": book.dated,
        **({} if direction == "clockwise" else {"direction": direction}),
        **({"of_host": book.of_host} if book.of_host else {}),
        "presets": [
            {"name": preset.name, "text": str(preset.text), "conventions": book.resolve(preset.name, {}, "")}
            for preset in book.presets.values()
        ],
        "conventions": [
            {
                "name": convention.name,
                "rule": convention.rule,
                "default": convention.default,
                "values": list(convention.values),
            }
            | ({} if convention.values else {"least": convention.least, "most": convention.most})
            | (
                {"players": {json_word(value): n for value, n in convention.sizes.items()}}
                if convention.sizes
                else {}
            )
            | ({"default_when": dict(convention.default_when)} if convention.default_when else {})
            | ({"needs": dict(convention.needs)} if convention.needs else {})
            | ({"only_when": list(convention.only_when)} if convention.only_when else {})
            for convention in book.conventions.values()
        ],
        "questions": list(library.open_game(name).family.questions),
    }
