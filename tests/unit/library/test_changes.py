"""Game files changed at random: each is refused with its file, its key and a reason, or it can be played.

`CHANGES=5000` tries so many changes of each game instead of the usual few.
"""

import copy
import json
import os
import random
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from derda import RECORD
from tiers import FOUR_GAMES, is_nightly, mostly_at_night

from companion import library
from companion.library.files import GameFile, join_game_file
from companion.library.folder import FAMILIES, Game, ShelvedGame, open_entry, read_entry
from companion.record import record as records
from companion.rules.errors import Unreadable
from companion.rules.schema import Choice, Integer

TESTS = Path(__file__).parents[2]
CHANGES = int(os.environ.get("CHANGES", "40"))
FILES = {game: library.GAMES.entry(game).file for game in library.names()}
STRANGE: list[Any] = [None, True, False, -1, 0, 1, 2, 5, 7, 10_000, 1.5]
STRANGE += ["", "x", "A", "10", "on", [], ["A"], {}, {"A": 1}]


@cache
def situations(game: str) -> tuple[dict[str, Any], ...]:
    paths = sorted((TESTS / "cases" / game).glob("*.toml"))
    stated = [case["given"] for path in paths for case in tomllib.loads(path.read_text("utf-8"))["case"]]
    return tuple(given for given in stated if "drawn" not in given)


@cache
def golden(game: str) -> tuple[dict[str, Any], ...]:
    paths = sorted((TESTS / "golden").glob(f"{game}-*.json"))
    found = [json.loads(path.read_text("utf-8"))["record"] for path in paths]
    return tuple(given for given in found if given["game"] == game)


@cache
def relatives(game: str) -> tuple[str, ...]:
    """The games of the same family that as many play: what is told of them may be told of this one too."""
    file = FILES[game].document
    alike = ("family", "table")
    return tuple(
        name for name, other in FILES.items() if all(other.document[key] == file[key] for key in alike)
    )


# --- changes -------------------------------------------------------------------------------------


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every table or list in a document, with each of its keys or numbers."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def change(document: dict[str, Any], family: str, chance: random.Random) -> None:
    """Change one thing: leave it out, misspell it, say it twice, or put something else in its place."""
    sections = [key for key in document if isinstance(document[key], dict | list)]
    numbers = [key for key in ("cards", "points", "table", "when") if key in sections]
    section = chance.choice(numbers if numbers and chance.random() < 0.4 else sections)
    inside = [*places(document[section])]
    holder: Any
    key: Any
    holder, key = chance.choice(inside) if inside else (document, section)
    if chance.random() < 0.1:
        holder, key = document, chance.choice([*document])
    match chance.randrange(10):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[f"{key}s"] = holder.pop(key)
        case 1:
            holder.insert(key, copy.deepcopy(holder[key]))
        case 2:
            holder[key] = chance.choice(STRANGE)
        case 3:
            other, place = chance.choice([*places(document)])
            holder[key] = copy.deepcopy(other[place])
        case 4 | 5 | 6:
            _change_option(document, family, chance)
        case _:
            _change_slightly(holder, key, document, chance)


def _change_option(document: dict[str, Any], family: str, chance: random.Random) -> None:
    options = FAMILIES[family].data.options
    name = chance.choice([*options])
    kind = options[name].kind
    match kind:
        case Choice():
            value: Any = chance.choice(kind.values)
        case Integer():
            value = chance.randint(kind.least, kind.most)
        case _:
            value = chance.choice([True, False])
    if isinstance(document.get("procedures"), dict):
        document["procedures"][name] = value


def _change_slightly(holder: Any, key: Any, document: dict[str, Any], chance: random.Random) -> None:
    """Another number near by, other ranks, or what another game has there."""
    value = holder[key]
    if type(value) is int:
        holder[key] = value + chance.choice([-2, -1, 1, 2, 10])
    elif type(value) is bool:
        holder[key] = not value
    elif isinstance(value, list) and len(value) > 1:
        chance.shuffle(value)
    else:
        section = chance.choice(["table", "cards", "points", "words", "procedures", "sheet", "when"])
        other = FILES[chance.choice([*FILES])].document.get(section)
        if isinstance(other, dict) and isinstance(document.get(section), dict) and other:
            name = chance.choice([*other])
            document[section][name] = copy.deepcopy(other[name])


def changed(file: GameFile, chance: random.Random) -> dict[str, Any]:
    """A game's file, or all that it comes to without its parents, with one to three changes."""
    whole = {key: item for key, item in file.document.items() if not key.startswith("omit")}
    document = copy.deepcopy(dict(chance.choice([file.own, whole])))
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        change(document, file.document["family"], chance)
    return document


# --- playing -------------------------------------------------------------------------------------


def any_conventions(entry: ShelvedGame, chance: random.Random) -> dict[str, Any]:
    names = chance.sample([*entry.book.conventions], min(len(entry.book.conventions), chance.randrange(4)))
    found = {}
    for name in names:
        one = entry.book.conventions[name]
        number = one.default if one.is_text else chance.choice([one.default, one.least, one.most])
        found[name] = chance.choice([*one.values]) if one.values else number
    return found


def play(entry: ShelvedGame, chance: random.Random) -> int:
    """Fold golden records and answer some questions under conventions at random; how many could be read."""

    def open_game(
        name: str | None, preset: str | None, conventions: Mapping[str, object], players: int | None
    ) -> Game:
        size = players if len(entry.sizes) > 1 else None
        named = preset if preset in entry.book.presets else None
        known = {key: convention for key, convention in conventions.items() if key in entry.book.conventions}
        plain = next(iter(entry.book.presets))
        return open_entry(
            entry, named or plain, entry.book.resolve(named, known, "", size, strict=False), size
        )

    read = 0
    chosen = any_conventions(entry, chance)
    name = entry.file.name
    given_here = [chance.choice(golden(name)), *chance.sample(situations(name), 4)]
    given_there = chance.sample(situations(chance.choice(relatives(name))), 3)
    for situation in [*given_here, *given_there]:
        given = {**situation, "conventions": {**situation.get("conventions", {}), **chosen}}
        try:
            if "question" in given:
                game = open_game(None, None, given.pop("conventions"), given.get("players"))
                game.family.rule({key: value for key, value in given.items() if key != "preset"})
            else:
                size = given.get("players", entry.seatings[0].players)
                names = [f"Player {n}" for n in range(size)] if isinstance(size, int) else size
                head = RECORD | {"game": entry.book.game}
                record, game = records.read_record({**head, **given, "players": names}, open_game)
                json.dumps(game.family.show(records.fold_record(record, game.family)))
            read += 1
        except Unreadable:
            continue
    return read


@mostly_at_night("game", FILES, FOUR_GAMES)
def test_a_changed_file_is_refused_or_can_be_played(game: str) -> None:
    """Whatever is changed in a file, it is refused with file, key and reason, or everything in it works."""
    refused = played = read = 0
    number_of_changes = CHANGES if is_nightly() else CHANGES // 4
    for number in range(number_of_changes):
        chance = random.Random(f"{game} {number}")
        document = changed(FILES[game], chance)
        try:
            entry = read_entry(join_game_file(library.GAMES.folder, game, document))
        except library.GameFileError as error:
            assert error.file in FILES[game].ancestors
            assert error.path and error.reason
            assert str(error) == f"games/{error.file}.toml: {error.path}: {error.reason}"
            refused += 1
            continue
        try:
            read += play(entry, chance)
        except Exception as error:
            raise AssertionError(f"change {number} of {game} was accepted") from error
        played += 1
    print(f"{game}: {refused} refused, {played} played with {read} records and questions read")
    assert min(refused, played) > number_of_changes // 20
    assert read > played


@pytest.mark.parametrize("game", FILES)
def test_the_file_unchanged_can_be_played(game: str) -> None:
    """Without a change nothing is refused, and most of what is put to the game is read."""
    assert play(read_entry(FILES[game]), random.Random(game)) > 2
