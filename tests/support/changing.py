"""Games with other numbers and orders, drawn at random wherever a file has some."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random
from typing import Any

from anything import without_irrelevant

from companion import library
from companion.library.files import overlay
from companion.library.folder import read_entry
from companion.rules.conditions import Value, split_condition
from companion.rules.errors import Unreadable
from companion.rules.rulebook import Rulebook

Document = Mapping[str, Any]
_WITHOUT_SUIT = ("no_trumps", "all_trumps")
"""Points of cards in deals without a trump suit; each way to count them has numbers of its own."""


def change_numbers(random: Random, game: str) -> dict[str, Any]:
    """The document of a game with its orders shuffled and all its numbers others than any that it has.

    A number that a convention names by its own value stays: *the jass counts twenty-two*.
    """
    document = library.GAMES.entry(game).file.document
    old = {*_list_numbers(document)}
    small, fresh = ([n for n in numbers if n not in old] for numbers in (range(1, 31), range(31, 201)))
    random.shuffle(small)
    random.shuffle(fresh)
    changes: dict[str, Any] = {"cards": _change_cards(random, document)}
    if "points" in document:
        changes["points"] = _renumber(document["points"], fresh)
        for cards in ("trump", "plain"):  # so that a side can write all that it made
            changes["points"][cards] = _renumber(document["points"][cards], small)
        changes["points"] |= _renumber_cards(random, document["points"], old)
        last, every = changes["points"]["last"], changes["points"].get("last_all")
        if every:  # all tricks count more than the last one
            changes["points"] |= {"last": min(last, every), "last_all": max(last, every)}
    base = {*_list_numbers([changes.get("points", {}).get(name, {}) for name in _WITHOUT_SUIT])}
    when = {}
    for condition, tables in document.get("when", {}).items():
        when[condition] = dict(tables)
        named = {value for _name, value in split_condition(condition)}
        if "points" in tables and not named & {*map(str, _list_numbers(tables))}:
            when[condition]["points"] = _renumber(tables["points"], fresh)
            when[condition]["points"] |= _renumber_cards(random, tables["points"], old | base)
        if "order" in tables.get("cards", {}):
            when[condition]["cards"] = {"order": _shuffle_inside(random, tables["cards"]["order"])}
    return overlay(document, changes) | {"when": when}


def _renumber_cards(random: Random, points: Mapping[str, Any], old: set[int]) -> dict[str, Any]:
    """Small numbers for the cards of deals without a trump suit, that may be those of other cards too."""
    small = [n for n in range(1, 41) if n not in old]
    return {
        name: _renumber(points[name], random.sample(small, len(small)))
        for name in _WITHOUT_SUIT
        if name in points
    }


def _list_numbers(value: Any) -> Iterator[int]:
    """All numbers in a part of a document."""
    if type(value) is int:
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _list_numbers(item)


def _renumber(points: Mapping[str, Any], fresh: list[int]) -> dict[str, Any]:
    """The same points with a fresh number for each; what counts nothing, or is not there, stays so."""
    return {
        name: _renumber(value, fresh) if isinstance(value, dict) else value and fresh.pop()
        for name, value in points.items()
    }


def _shuffle(random: Random, ranks: list[str]) -> list[str]:
    return random.sample(ranks, len(ranks))


def _shuffle_inside(random: Random, order: list[str]) -> list[str]:
    """Between the first and the last: of ace and six there are rules that call them so."""
    return [order[0], *_shuffle(random, order[1:-1]), order[-1]]


def _change_cards(random: Random, document: Document) -> dict[str, Any]:
    cards, table = document["cards"], document["table"]
    if "jokers" in cards:
        order = _shuffle_inside(random, cards["order"])
        return {"order": order, "hand": random.randint(2, 5), "most": random.randint(7, 12)}
    orders = [name for name in cards if name.endswith("order")]
    changed: dict[str, Any] = {name: _shuffle(random, cards[name]) for name in ("ranks", *orders)}
    if cards["hand"] * table["players"] + cards.get("discards", 0) < 4 * len(cards["ranks"]):
        changed["hand"] = cards["hand"] - 1  # so that it can hold all runs that rules speak of
        changed["first_hand"] = random.randint(2, changed["hand"] - 2)
    return changed


@contextmanager
def playing(document: Document) -> Iterator[None]:
    """Everybody plays a game by this document for a while."""
    entries, opened, game = library.GAMES._entries, library.GAMES._open, document["game"]
    former = library.GAMES.entry(game)
    entries[game] = read_entry(replace(former.file, document=document))
    opened.clear()
    try:
        yield
    finally:
        entries[game] = former
        opened.clear()


def random_choices(random: Random, book: Rulebook) -> dict[str, Value]:
    """Some conventions of a game, with any of their values."""
    chosen: dict[str, Value] = {}
    for item in random.sample([*book.conventions.values()], random.randint(0, 3)):
        highest = min(item.most, item.least + 200)
        values = item.values or ["a round" if item.is_text else random.randint(item.least, highest)]
        chosen[item.name] = random.choice([*values])
    return chosen


def any_table(random: Random, game: str) -> library.Game:
    """A game as some table plays it: a variety, perhaps with a few choices, for some number of players."""
    book, sizes = library.read_rulebook(game), library.GAMES.sizes(game)
    while True:
        players, preset = random.choice(sizes), random.choice([*book.presets])
        chosen = without_irrelevant(book, random_choices(random, book), preset, players)
        with suppress(Unreadable):
            return library.open_game(game, preset, chosen, players)
