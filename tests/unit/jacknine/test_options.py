"""What the family asks of its games' files: a game must have what its code can ask for, and no more."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from dealing import TRICK_GAMES, open_jacknine

from companion import library
from companion.jacknine.game_file import FAMILY_DATA
from companion.library.validation import Meaning
from companion.rules.options import Condition, OptionScope, never
from companion.rules.schema import fields_of

FREE_RULES = {
    "deal.rest", "deal.wrong", "end.finish", "meld.set-aside", "play.partner", "run.rest", "seven.ask",
    "trick.look", "words.jass-once",
}  # fmt: skip
"""Keys of rules that a game may have without need: how the rest is dealt, when a wrong deal stands, how it is
said that one is out, that melds sharing a card are judged, that a partner’s card is like any other, what
further runs count, which tricks may be looked at, that the jass counts once."""
FREE_WORDS = {"deals"}


def open_scope(game: str) -> OptionScope:
    seen: list[OptionScope] = []
    entry = library.GAMES.entry(game)
    Meaning(entry.file, entry.book, replace(FAMILY_DATA, check_scope=seen.append)).check()
    return seen[0]


def required(conditions: Mapping[str, Condition], scope: OptionScope) -> set[str]:
    return {name for name, is_needed in conditions.items() if is_needed(scope)}


@pytest.mark.parametrize("game", TRICK_GAMES)
def test_a_game_must_have_what_it_has(game: str) -> None:
    """Without one of its rules, words or options it would be refused, but for what code never cites."""
    scope = open_scope(game)
    had = {key for rule in scope.book.rules.values() for key in rule.keys}
    cited = {key for key in had if FAMILY_DATA.keys[key] is not never}
    assert cited - required(FAMILY_DATA.keys, scope) <= FREE_RULES
    named = {word for word in scope.book.words if FAMILY_DATA.words[word] is not never}
    assert named - required(FAMILY_DATA.words, scope) <= FREE_WORDS
    needed = {name for name, option in FAMILY_DATA.options.items() if option.needed(scope)}
    assert set(open_jacknine(game).ruleset.options) & set(FAMILY_DATA.options) == needed


def test_what_names_its_rule_is_there() -> None:
    """Every number and order that names the rule it comes from is one that a file has."""
    fields = {
        f"{section}.{place.key}"
        for section, shape in FAMILY_DATA.sections.items()
        for place in fields_of(shape)
    }
    assert fields >= FAMILY_DATA.stated
    assert {name for name in fields if name.startswith("points.")} <= FAMILY_DATA.stated
