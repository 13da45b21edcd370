"""`companion games`: all games with their presets and conventions, as JSON values or in lines to read."""

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any

from companion import library
from companion.rules.message import Message
from companion.rules.rulebook import json_word

from .language import render, say
from .language import say as _
from .reading import print_json


def list_game_lines(game: Mapping[str, Any]) -> Iterator[str]:
    """A game that was described, to read: its presets, and its conventions with their values."""
    yield f"{game['game']}: {say(game['title'])}. {say(game['summary'])}"
    for preset in game["presets"]:
        line = Message("preset {name}: {text}", name=preset["name"], text=say(preset["text"]))
        yield f"  {render(line)}"
    for convention in game["conventions"]:
        facts = {"values": _list_values(convention), "usual": ", ".join(_list_usual(convention))}
        usually = render(Message("{values}, usually {usual}", **facts))
        yield f"  {convention['name']} ({convention['rule']}): {usually}"


def _list_values(convention: Mapping[str, Any]) -> Message | str:
    if convention["values"]:
        return " | ".join(_show_value(convention, value) for value in convention["values"])
    return Message("a text") if isinstance(convention["default"], str) else Message("a number")


def _list_usual(convention: Mapping[str, Any]) -> Iterator[str]:
    yield json.dumps(convention["default"])
    for when, value in convention.get("default_when", {}).items():
        yield f"{json.dumps(value)} ({when})"


def _show_value(convention: Mapping[str, Any], value: Any) -> str:
    """A value of a convention, with the numbers of players that it is for, if not for all."""
    sizes = convention.get("players", {}).get(json_word(value))
    shown = json.dumps(value)
    return render(Message("{value} (players: {sizes})", value=shown, sizes=sizes)) if sizes else shown


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    games = commands.add_parser("games", help=_("list games, presets and conventions"))
    games.add_argument("--json", action="store_true", help=_("print them as JSON"))
    games.add_argument(
        "--flat", metavar="GAME", help=_("one game’s whole file, and where each of its values comes from")
    )
    games.set_defaults(run=_games)


def _games(arguments: argparse.Namespace) -> int:
    if arguments.flat is not None:
        print(library.flat(arguments.flat), end="")
        return 0
    described = [describe_game(name) for name in library.names()]
    if arguments.json:
        print_json(described)
    else:
        print("\n".join(line for game in described for line in list_game_lines(game)))
    return 0


def describe_game(name: str) -> dict[str, Any]:
    """A game as JSON values: what a program needs to fill in a record."""
    book = library.read_rulebook(name)
    return {
        "game": name,
        "title": book.title,
        "summary": book.summary,
        "version": book.version,
        "dated": book.dated,
        "presets": [
            {"name": preset.name, "text": preset.text, "conventions": book.resolve(preset.name, {}, "")}
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
