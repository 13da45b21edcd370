"""A game written with everything it inherits, and where each value comes from."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion import cli, library
from companion.library import GameFolder
from companion.library.files import JOINING
from companion.library.flat import drop_dead_sentences


@pytest.mark.parametrize("game", library.names())
def test_it_is_the_whole_game(game: str, tmp_path: Path) -> None:
    """What comes out is TOML, says all that the file and its parents say, and is a game by itself."""
    flat = library.flat(game)
    document = library.GAMES.entry(game).file.document
    whole = {key: item for key, item in document.items() if key not in JOINING}
    rules = [drop_dead_sentences(document, rule) for rule in whole["rules"]]
    assert tomllib.loads(flat) == whole | {"rules": rules}
    (tmp_path / f"{game}.toml").write_text(flat, "utf-8")
    alone = GameFolder(tmp_path).open_game(game)
    inherited = library.open_game(game)
    assert alone.book == inherited.book
    assert alone.conventions == inherited.conventions


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("derda", "jass = 20                                         # derda, derda.words.values"),
        ("bulka", 'jass = "Q"                                        # parts/czech, czech.cards'),
        ("bulka", "last = 10                                         # klaberjass, czech.cards"),
        ("bulka", "bela = 40                                         # parts/czech, czech.bejle"),
        ("darda", "hand = 8                                          # klaberjass-4, klaberjass4.deal"),
        ("darda", "no_trumps = false                                 # darda, klaberjass4.bid"),
        ("darda", 'play = "ruff-if-higher"                           # klaberjass-4'),
        (
            "klaberjass",
            "5 = 100                                           # klaberjass, klaberjass.zensa.melds",
        ),
    ],
)
def test_where_a_value_comes_from(game: str, line: str) -> None:
    """Behind each value stands the file that sets it, and the rule that states it."""
    assert line in library.flat(game).splitlines()


def test_where_a_rule_comes_from() -> None:
    lines = library.flat("darda").splitlines()
    at = {lines[n + 2]: lines[n] for n, line in enumerate(lines) if lines[n + 1 : n + 2] == ["[[rules]]"]}
    assert at['id = "klaberjass4.bid"'] == "# darda"
    assert at['id = "klaberjass.play.follow"'] == "# klaberjass"
    assert at['id = "czech.bejle"'] == "# parts/czech"


def test_on_the_command_line(capsys: Any) -> None:
    """`companion games --flat GAME` prints it; an unknown game is refused with the known ones."""
    assert cli.main(["games", "--flat", "bulka"]) == 0
    assert capsys.readouterr().out == library.flat("bulka")
    assert cli.main(["games", "--flat", "whist"]) == 2
    assert capsys.readouterr().err.startswith("error: game: must be one of derda, klaberjass")
