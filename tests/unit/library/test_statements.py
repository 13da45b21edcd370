"""The check that texts of a game say what its tables play."""

import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from tiers import FOUR_GAMES, mostly_at_night

from companion import library
from companion.library import GameFileError
from companion.library.files import join_game_file
from companion.library.folder import check_statements, read_entry

Document = dict[str, Any]


@pytest.mark.slow
@mostly_at_night("game", library.names(), FOUR_GAMES)
def test_our_games_say_what_their_tables_play(game: str) -> None:
    check_statements(library.GAMES.entry(game))


def fault_of(game: str, change: Callable[[Document], object]) -> str:
    """The first fault of a game's own file after a change."""
    document = tomllib.loads((library.GAMES.folder / f"{game}.toml").read_text("utf-8"))
    change(document)
    try:
        check_statements(read_entry(join_game_file(library.GAMES.folder, game, document)))
    except GameFileError as fault:
        return f"{fault.path}: {fault.reason}"
    return ""


def say(id: str, text: Any) -> Callable[[Document], object]:
    """The change of one rule's text."""

    def change(document: Document) -> None:
        next(rule for rule in document["rules"] if rule["id"] == id)["text"] = text

    return change


HANGS = "Both made the same: the declarer’s points hang."
FAULTS: dict[str, tuple[str, Callable[[Document], object], str]] = {
    "a digit": (
        "klaberjass",
        lambda document: document.update(summary="Two players. First to 500."),
        "summary: must be without digits: a placeholder for each, such as {points.last}, not "
        '"Two players. First to 500."',
    ),
    "a placeholder without a value": (
        "klaberjass",
        say("klaberjass.score.made", "The declarer has {points.lost}."),
        "rules[klaberjass.score.made].text: must be without {points.lost}, which has no value",
    ),
    "a condition that contradicts that of its rule": (
        "deberts",
        say("deberts.score.hanging-end", [{"when": "party=one-deal", "text": "Points go to nobody."}]),
        "rules[deberts.score.hanging-end].text: must be under a condition that can hold with those of",
    ),
    "a stake that is the table’s, and the rule does not say it": (
        "deberts",
        say("deberts.end.one-deal", "One deal is the game: more points win it."),
        "conventions[bait_stake]: must be told apart in deberts.end.one-deal, whose text is the same with "
        "2 and 1",
    ),
    "S2: what a variety counts is not what its rule says": (
        "klaberjass",
        say("klaberjass.zensa.melds", "Zensa: a run of five is fifty."),
        "conventions[zensa_nines]: must be told apart in klaberjass.zensa.melds, whose text is the same with "
        "0 and 150",
    ),
    "S3: the usual reading first, whatever the table chose": (
        "klaberjass",
        say("klaberjass.score.tie", HANGS),
        "conventions[tie]: must be told apart in klaberjass.score.tie, whose text is the same with "
        "declarer-loses and carry",
    ),
    "R11: another number under the sentence of before": (
        "klaberjass",
        say("klaberjass.bela", "{rank.bela_high} and {rank.bela_low} of trumps in one hand are twenty."),
        "points.bela: must be shown in the text of klaberjass.bela: with 21 it stays the same, not 20",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str) -> None:
    """Each is said with its rule, and with what would be right."""
    game, change, said = FAULTS[name]
    assert fault_of(game, change).startswith(said)
