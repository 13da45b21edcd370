"""The shelf of games: every file is whole, and what it does not know it says."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion import library
from companion.beating.turn import BEATEN_OFF, PICKED_UP
from companion.jacknine.game_file import DEAL_OFFENCES, RUN_OFFENCES
from companion.library.files import join
from companion.library.folder import FAMILIES, open_entry, read_entry
from companion.rules.conditions import json_word, matches
from companion.rules.errors import Unreadable
from companion.rules.options import never
from companion.rules.schema import Choice


@pytest.mark.parametrize("game", library.names())
def test_a_game_is_whole(game: str) -> None:
    """Every convention names a rule and has a default it can take, and no key belongs to two rules."""
    book = library.read_rulebook(game)
    for name, convention in book.conventions.items():
        assert convention.rule in book.rules
        assert convention.check(convention.default, name) == convention.default
    keys = [key for rule in book.rules.values() for key in rule.keys]
    assert sorted(set(keys)) == sorted(keys)
    assert all(rule.keys and rule.text and rule.chapter for rule in book.rules.values())
    for preset in book.presets:
        assert library.open_game(game, preset).deviations() == []


def test_another_default_keeps_what_the_parent_says() -> None:
    """A convention that says anything else as well is a new one."""
    whole = {"name": "target", "label": "Target", "rule": "end", "default": 500, "least": 10}
    for own, joined in (
        ({"name": "target", "default": 301}, whole | {"default": 301}),
        (
            {"name": "target", "default": 301, "label": "To"},
            {"name": "target", "default": 301, "label": "To"},
        ),
    ):
        assert join({"conventions": [whole]}, {"conventions": [own]})["conventions"] == [joined]


def change_section(game: str, section: str, players: int | None = None, **numbers: Any) -> library.Game:
    """A game of ours with other numbers, at its usual table."""
    entry = library.GAMES.entry(game)
    document = {**entry.file.document, section: {**entry.file.document[section], **numbers}}
    changed = read_entry(replace(entry.file, document=document))
    return open_entry(changed, next(iter(changed.book.presets)), changed.book.resolve(None, {}, ""), players)


def test_a_run_that_is_called_by_its_number_is_called_by_that_of_the_game() -> None:
    """In rules and rulings; a name of its own stays."""
    game = change_section("derda", "points", runs={"3": 30, "4": 60})
    assert (game.book.words["run3"], game.book.words["run4"]) == ("derda", "60")
    assert str(game.book.rules["derda.run.rank"].text).startswith("A 60 beats a derda.")
    ruling = game.family.rule(
        {
            "question": "runs", "trump": "H", "elder": "A",
            "declared": [{"seat": "A", "length": 4, "top": "K", "suit": "S"}],
        }
    )  # fmt: skip
    assert ruling.answer["dialogue"][0] == {"seat": "A", "say": "60"}


def test_a_table_without_a_cap_of_its_own_is_judged_by_the_usual_rule() -> None:
    """Whatever the number is that the game calls usual."""
    game = change_section("durak", "cards", 3, most=8)
    table = [["7S"], ["7D"], ["7C"], ["7H"], ["8H", "8S"], ["9S", "8C"]]
    seats = {"attacker": "A", "defender": "B", "by": "A", "defender_cards": 7}
    ruling = game.family.rule({"question": "throw-in", **seats, "table": table, "card": "9C"})
    assert [rule.id for rule in ruling.rules] == ["durak.throw.limit"]


@pytest.mark.parametrize("game", library.names())
def test_a_convention_that_matters_has_its_rule(game: str) -> None:
    """What a table chooses beside the usual is told by a rule that applies there."""
    book = library.read_rulebook(game)
    for name, convention in book.conventions.items():
        for value in set(convention.values) - {convention.default}:
            # Some values change something only beside others.
            ways = (way for way in convention.ways(None) if name not in way or matches(value, way[name]))
            needs = dict[str, object](convention.value_needs.get(value, {}))
            for other, what in next(ways).items():
                values = {json_word(item): item for item in book.conventions[other].values}
                # Of a number, the least.
                needs[other] = values[what] if what in values else int(what.partition("..")[0])
            chosen = book.resolve(None, {**needs, name: value}, "")
            assert book.rules[convention.rule] in book.rules_for(chosen), (name, value)


def composed(family: str) -> Iterator[str]:
    """The keys that a family's code puts together of two words."""
    match family:
        case "jacknine":
            yield from (f"penalty.{offence}" for offence in DEAL_OFFENCES)
            yield from (f"run.{offence}" for offence in RUN_OFFENCES)
        case "beating":
            yield from (f"{what}.{how}" for what in ("turn", "bout") for how in (BEATEN_OFF, PICKED_UP))
            yield from (f"deal.{misdeal}" for misdeal in ("five-suited", "six-coloured"))
        case other:
            raise LookupError(other)


DECLARING = ("options.py", "game_file.py")
"""Where a family says what its code asks for; the code itself stands in all its other files."""


@cache
def trees(folder: str) -> tuple[ast.Module, ...]:
    """The modules of a package that ask a game's file for something."""
    paths = sorted((Path(library.__file__).parents[1] / folder).rglob("*.py"))
    return tuple(ast.parse(path.read_text("utf-8")) for path in paths if path.name not in DECLARING)


def nodes(family: str) -> Iterator[ast.AST]:
    """All that stands in the code of a family, and of the pages that ask a file too."""
    return (node for tree in (*trees(family), *trees("web")) for node in ast.walk(tree))


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_family_declares_every_key_that_it_cites(family: str) -> None:
    """The keys a family declares are those that its code cites, and the few of which nothing hangs."""
    declared = FAMILIES[family].data.keys
    chapters = {key.split(".")[0] for key in declared if "." in key}
    folder = Path(library.__file__).parents[1] / family
    source = "\n".join(path.read_text("utf-8") for path in folder.rglob("*.py") if path.name not in DECLARING)
    cited = set(re.findall(rf'"((?:{"|".join(sorted(chapters))})\.[a-z-]+)"', source)) - {"penalty.offence"}
    cited |= set(composed(family))
    assert sorted(cited - set(declared)) == []
    assert {key for key, needed in declared.items() if needed is never} == set(declared) - cited


def asked_option(node: ast.expr) -> str | None:
    """The option that a rule set is asked for by this expression, as in `ruleset["tie"]`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="has_option"), args=[ast.Constant(value=str(name)), *_]):
            return name
        case ast.Subscript(value=value, slice=ast.Constant(value=str(name))) if isinstance(
            value, ast.Name | ast.Attribute
        ):
            last = value.id if isinstance(value, ast.Name) else value.attr
            return name if last in ("self", "ruleset", "has", "rules") else None
    return None


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_family_declares_every_option_that_it_asks_for(family: str) -> None:
    """The options of a family are those that its code asks a rule set for, and no others."""
    expressions = (node for tree in trees(family) for node in ast.walk(tree) if isinstance(node, ast.expr))
    asked = {asked_option(node) for node in expressions}
    assert asked - {None} == set(FAMILIES[family].data.options)


def arms(family: str) -> Iterator[tuple[str, frozenset[object]]]:
    """Every match on an option, and every dict it is looked up in, with the values that have an arm there."""
    for node in nodes(family):
        match node:
            case ast.Match(subject=subject, cases=cases):
                patterns = [path for case in cases for path in ast.walk(case.pattern)]
                values = [pattern.value for pattern in patterns if isinstance(pattern, ast.MatchValue)]
            case ast.Subscript(value=ast.Dict(keys=keys), slice=subject):
                values = [key for key in keys if key is not None]
            case _:
                continue
        option = asked_option(subject)
        if option is not None:
            yield option, frozenset(value.value for value in values if isinstance(value, ast.Constant))


@pytest.mark.slow
def test_every_match_has_an_arm_for_every_declared_value() -> None:
    """A procedure that matches an option knows the values that are declared for it, and no others."""
    seen = set()
    for family in FAMILIES:
        options = FAMILIES[family].data.options
        for option, values in arms(family):
            if option in options:
                kind = options[option].kind
                assert isinstance(kind, Choice), option
                assert values == set(kind.values), option
                seen.add(option)
    assert len(seen) > 12


COMPARED = {
    2: "all_trumps_bela bait_cards bare_jass bela_kept dive doubled false_melds first_defence_until"
    " first_hand four_sevens generale last_suits lowest_beats_ace mars meld_cards next_game_dealer"
    " no_trump_start one_deal_tie party pass_card penalty_dealer rost schmeiss_maker"
    " schmeiss_redeal second_round seven_by throw_start transfer transfer_first trump_led underwrite written",
    3: "belot cut helps_bid meld_rank penalty rotation run_split schmeiss six_exchange",
    4: "bidding finish first_deal_order needs play run_tie seven trickless",
    6: "tie",
}
"""Options that are compared somewhere, by how many values they have.

A comparison has a silent default: before an option moves down this list, look at each of its comparisons.
"""


@pytest.mark.slow
def test_every_compared_value_is_declared() -> None:
    counted = {}
    for family in FAMILIES:
        options = FAMILIES[family].data.options
        for node in nodes(family):
            if not isinstance(node, ast.Compare):
                continue
            option = asked_option(node.left)
            kind = options[option].kind if option is not None and option in options else None
            if option is None or not isinstance(kind, Choice):
                continue
            words = [
                path for part in node.comparators for path in ast.walk(part) if isinstance(path, ast.Constant)
            ]
            assert {word.value for word in words} <= set(kind.values), option
            counted[option] = len(kind.values)
    assert counted == {option: number for number, names in COMPARED.items() for option in names.split()}


def test_deviations() -> None:
    game = library.open_game("derda", conventions={"target": 300, "penalty": "bait-on-cards"})
    assert [(path.name, value) for path, value in game.deviations()] == [("target", 300)]
    assert game.preset == "standard"
    assert game is library.open_game("derda", "standard", {"target": 300})


def test_what_follows_from_the_table_is_no_deviation() -> None:
    """A team of three throws in as is usual for teams, though six on their own would not."""
    game = library.open_game("durak", None, {"format": "teams-6"}, 6)
    assert [path.name for path, _value in game.deviations()] == ["format"]
    assert game.book.usual("throwers", None, game.conventions, 6) == "all"
    assert game.book.usual("throwers", None, {}, 6) == "neighbours"


@pytest.mark.parametrize("game", library.names())
def test_every_seating_can_be_played(game: str) -> None:
    """Each way to sit down has a name of its own, and the game opens for it with as many seats."""
    seatings = library.seatings(game)
    assert len({seating.name for seating in seatings}) == len(seatings)
    assert {seating.players for seating in seatings} == set(library.sizes(game))
    for seating in seatings:
        opened = library.open_game(game, None, seating.conventions, seating.players)
        ring = opened.family.ruleset.ring
        assert (ring.size, ring.partnerships) == (seating.players, seating.partnerships)
        assert seating.conventions.items() <= opened.conventions.items()


@pytest.mark.parametrize("game", library.names())
def test_what_matters_only_sometimes_does_so_somewhere(game: str) -> None:
    """A convention or a value that is only for some tables is for at least one, and not for all."""
    book = library.read_rulebook(game)
    tables = [
        library.open_game(game, None, seating.conventions, seating.players)
        for seating in library.seatings(game)
    ]
    for convention in book.conventions.values():
        ways = [convention.ways(table.players) for table in tables]
        assert any(ways)
        if not convention.only_when:
            assert all(ways)
        for value in convention.sizes:
            assert any(value in convention.values_for(table.players) for table in tables)


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ([], "document: must be a ruling request, which is an object, not []"),
        ({}, "game: must be one of derda"),
        ({"game": ["derda"]}, "game: must be one of derda"),
        ({"game": "derda", "preset": 1}, "preset: must be one of standard, not 1"),
        ({"game": "derda", "conventions": None}, "conventions: must be an object, not null"),
        ({"game": "derda", "conventions": {"targt": 1}}, "conventions.targt: must be a convention of this"),
        ({"game": "derda"}, "question: must be one of play, trick, runs"),
        ({"game": "derda", "question": "winner", "x": 1}, "x: unknown key; known keys are totals, declarer"),
    ],
)
def test_requests_that_cannot_be_read(request_: object, sentence: str) -> None:
    with pytest.raises(Unreadable) as refused:
        library.rule(request_)
    assert str(refused.value).startswith(sentence)
