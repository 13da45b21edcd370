"""Laws of games whose numbers and orders are others: their rules say the new ones, in every language."""

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tiers import few_examples

from companion import library
from companion.i18n import LANGUAGES, translator
from companion.library.folder import open_entry, read_entry
from companion.rules.errors import Unreadable

seeds = st.integers(0, 2**32)
UNUSUAL = range(211, 400)
"""Numbers that no game of ours has, so that none of them is another's."""


def numbers_of(game: str) -> Iterator[tuple[str, str | None, str]]:
    """The numbers of points of a game that a rule states: name, key of a table, and the rule."""
    document = library.GAMES.entry(game).file.document
    for name, id in document["stated_in"].get("points", {}).items():
        value = document["points"].get(name)
        if type(value) is int and value:
            yield name, None, id
        elif isinstance(value, dict):
            yield from ((name, key, id) for key, item in value.items() if type(item) is int and item)


def change(game: str, name: str, key: str | None, number: int) -> Any:
    """The usual table of a game with another number; None if such a game is refused."""
    entry = library.GAMES.entry(game)
    value = number if key is None else {**entry.file.document["points"][name], key: number}
    document = {**entry.file.document, "points": {**entry.file.document["points"], name: value}}
    try:
        changed = read_entry(replace(entry.file, document=document))
        preset = next(iter(changed.book.presets))
        return open_entry(changed, preset, changed.book.resolve(None, {}, ""), None)
    except Unreadable:
        return None


@few_examples(60, 1500)
@given(seeds)
def test_a_rule_says_another_number_in_every_language(seed: int) -> None:
    """The rule that states a number has the new one, alone or in a sum."""
    random = Random(seed)
    game = random.choice(
        [name for name in library.names() if library.GAMES.entry(name).file.document["family"] == "jacknine"]
    )
    name, key, id = random.choice([*numbers_of(game)])
    changed = change(game, name, key, random.choice(UNUSUAL))
    if changed is None:
        return
    usual = library.open_game(game)
    for language in LANGUAGES:
        said, before = (translator(language)(each.book.rules[id].text) for each in (changed, usual))
        new, old = (set(re.findall(r"\d+", text)) for text in (said, before))
        assert new - old, (game, name, key, language, said)
        assert "{" not in said
