"""`companion games`: list all games with their presets and conventions, and check files of one's own."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion import library
from companion.matches.plain import describe_game
from companion.operate.settings import read_folder
from companion.rules.conditions import PLAYERS, json_word, split_condition
from companion.rules.message import Message
from companion.rules.rulebook import Convention, Rulebook

from .cases import run_cases
from .language import render, say
from .language import say as _
from .reading import BAD_INPUT, print_json, refuse


def list_game_lines(book: Rulebook) -> Iterator[str]:
    """Describe a game: its presets, and its conventions with their values, each with its key in a record."""
    yield f"{say(book.title)} ({book.game}). {say(book.summary)}"
    for preset in book.presets.values():
        named = f"{say(preset.label)} ({preset.name})"
        line = Message("preset {name}: {text}", name=named, text=say(preset.text))
        yield f"  {render(line)}"
    for convention in book.conventions.values():
        named = f"{say(convention.label)} ({convention.name}, {convention.rule})"
        yield f"  {named}: {_describe(book, convention)}"
        for value, text in convention.values.items():
            sizes = convention.sizes.get(value)
            key = json_word(value)
            shown = render(Message("{value} (players: {sizes})", value=key, sizes=sizes)) if sizes else key
            yield f"    {shown}: {say(text)}"


def _describe(book: Rulebook, convention: Convention) -> str:
    """Describe the possible values, unless they are a list, and the default."""
    usual = "; ".join(_list_usual(book, convention))
    if convention.values:
        return render(Message("usually {usual}", usual=usual))
    if isinstance(convention.default, str):
        return render(Message("a text"))
    return render(Message("{values}, usually {usual}", values=Message("a number"), usual=usual))


def _list_usual(book: Rulebook, convention: Convention) -> Iterator[str]:
    yield json_word(convention.default)
    for when, value in convention.default_when.items():
        conditions = ", ".join(_name_condition(book, *part) for part in split_condition(when))
        yield f"{json_word(value)} ({conditions})"


def _name_condition(book: Rulebook, name: str, value: str) -> str:
    if name == PLAYERS:
        return render(Message("players: {number}", number=value))
    return f"{say(book.conventions[name].label)}: {value}"


def take_host_games(folder: str) -> list[str]:
    """Add a host's games to ours for this command; return the faults of those left out.

    :raises Refused: if there is no such folder.
    """
    try:
        return library.take_host_folder(read_folder(folder) if folder else None)
    except ValueError as error:
        raise refuse("COMPANION_GAMES", error.args[0]) from None


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    games = commands.add_parser("games", help=_("list games, presets and conventions"))
    games.add_argument("--json", action="store_true", help=_("print them as JSON"))
    games.add_argument(
        "--flat", metavar="GAME", help=_("one game’s whole file, and where each of its values comes from")
    )
    games.add_argument(
        "--check", nargs="+", metavar="FILE", help=_("check files of games of one’s own, and run their cases")
    )
    games.set_defaults(run=_games, faults=())


def _check_files(names: Sequence[str]) -> int:
    """Print a line for each game, or else for each fault; return the exit code."""
    checked = [_check(Path(name)) for name in names]
    faults = dict.fromkeys(fault for found, _line in checked for fault in found)
    if faults:
        print(*library.shorten([*faults]), sep="\n", file=sys.stderr)
        return BAD_INPUT
    print(*(line for _faults, line in checked), sep="\n")
    return 0


def _check(file: Path) -> tuple[list[str], str]:
    """Check the file of a game, its words and its cases: the faults, else its contents in a line."""
    game, folder = file.stem, file.parent
    files, unread = library.read_host_folder(folder)
    own = (game, f"words/{game}", f"cases/{game}")
    errors = [error for error in unread if error.file in own]
    if not errors and f"{game}.toml" not in files:
        return [f"{file}: {render(Message('no such file or directory'))}"], ""
    errors = errors or library.GAMES.take_host(files, game)
    # Faults of the game itself are reported alone: nobody asked about others.
    errors = [error for error in errors if error.file == game] or errors
    if not errors:
        errors, count = run_cases(game, files.get(f"cases/{game}.toml", ""))
    if errors:
        return [library.name_fault(error, folder, files) for error in errors], ""
    book = library.read_rulebook(game)
    facts = {"game": game, "title": say(book.title), "rules": len(book.rules), "cases": count}
    return [], render(Message("{game}: {title}; rules: {rules}; cases: {cases}", **facts))


def _games(arguments: argparse.Namespace) -> int:
    if arguments.check:
        return _check_files(arguments.check)
    for fault in arguments.faults:
        print(fault, file=sys.stderr)
    if arguments.flat is not None:
        print(library.flat(arguments.flat), end="")
        return 0
    if arguments.json:
        print_json([describe_game(name) for name in library.names()])
    else:
        books = map(library.read_rulebook, library.names())
        print("\n".join(line for book in books for line in list_game_lines(book)))
    return 0
