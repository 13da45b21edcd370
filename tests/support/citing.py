"""The rules that a ruling or a record cites, looked at: whether they apply, and what they rest on."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from companion import library


def rules_in_force(game: library.Game) -> set[str]:
    return {rule.id for rule in game.book.rules_for(game.conventions, game.players)}


def find_misplaced(game: library.Game, facts: Any) -> Iterator[str]:
    """List what is wrong with the rules that a ruling, or a row of a record, cites.

    One does not apply at the table or is cited twice, or it rests on a choice without which it would be the
    same.
    """
    for cited in find_cited(facts):
        ids = [rule if isinstance(rule, str) else rule["id"] for rule in cited]
        yield from (f"{id} is cited twice" for id in {*ids} if ids.count(id) > 1)
        yield from (f"{id} does not apply" for id in {*ids} - rules_in_force(game))
        for rule in cited:
            for choice in rule["table"] if isinstance(rule, dict) else ():
                if not rests_on(game, rule["id"], choice["name"]):
                    yield f"{rule['id']} does not rest on {choice['name']}"


def find_cited(value: Any) -> Iterator[list[Any]]:
    """List the rules cited in what a case comes to, and the rule of each problem."""
    match value:
        case dict():
            yield from [value["rules"]] if isinstance(value.get("rules"), list) else []
            yield from [[value["rule"]]] if value.get("rule") else []
            yield from chain.from_iterable(map(find_cited, value.values()))
        case list():
            yield from chain.from_iterable(map(find_cited, value))


def rests_on(game: library.Game, id: str, name: str) -> bool:
    """True if a rule would not apply, or say something else, if its table had chosen another value."""
    rule, convention = game.book.rules[id], game.book.conventions[name]
    assert rule.table is not None
    here = game.conventions[name]
    more = (int(here) + 1,) if type(here) is int else ()
    for value in (*convention.listed(), *more):
        there = rule.table.choosing({name: value})
        same = there.holds(*rule.only_when or ("",)) and str(rule.at(there).text) == str(rule.text)
        if value != here and not same:
            return True
    return False
