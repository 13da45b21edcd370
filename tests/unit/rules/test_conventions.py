"""Conventions of a rulebook: what they can take, what they are where nobody says it, when they matter."""

from typing import Any

import pytest

from companion.rules.conditions import Value, holds, json_word
from companion.rules.errors import Unreadable, quote_json
from companion.rules.rulebook import Convention, Preset, Rule, Rulebook

TARGET = Convention("target", "Target", "x.target", 501, least=101, most=1001)
BELA = Convention("bela", "Bela", "x.bela", True, {True: "counts", False: "does not"})
FORMAT = Convention(
    "format",
    "Format",
    "x.format",
    "alone",
    {"alone": "Each alone", "pairs": "Two and two", "both": "As you like"},
    sizes={"pairs": (4, 6), "alone": (2, 3)},
)
PENALTY = Convention("penalty", "Penalty", "x.penalty", 0, default_half_of="target")
LIMIT = Convention(
    "limit",
    "Limit",
    "x.limit",
    5,
    default_when={"bela=false": 6, "format=pairs,players=6": 7, "target=101": 8},
)
FORFEIT = Convention("forfeit", "Forfeit", "x.forfeit", "", most=5)
RULES = [
    Rule("x.target", "Play to the target.", "End", "", keys=("end.target", "end")),
    Rule("x.cards", "The ace is high.", "Cards", "", keys=("cards.plain-order",)),
    Rule("x.bela", "Bela counts.", "Melds", "", keys=("bela",), only_when=("bela=true",)),
    Rule("x.six", "Six sit round.", "Table", "", only_when=("players=6", "format=pairs")),
    Rule("x.deck", "Thirty-six cards.", "Pack", "", keys=("deck",)),
    Rule("x.trump", "The nine is high.", "Cards", ""),
]
BOOK = Rulebook(
    "x",
    "X",
    "",
    "1",
    {rule.id: rule for rule in RULES},
    {convention.name: convention for convention in (TARGET, BELA, FORMAT, PENALTY, LIMIT, FORFEIT)},
    {"usual": Preset("usual", "", "", {"target": 301}), "short": Preset("short", "", "", {"limit": 3})},
    {},
)


@pytest.mark.parametrize(
    ("convention", "value"),
    [
        (TARGET, 101),
        (TARGET, 1001),
        (BELA, True),
        (BELA, False),
        (FORMAT, "pairs"),
        (FORFEIT, ""),
        (FORFEIT, "a cow"),
        (Convention("n", "", "", 1), 0),
        (Convention("n", "", "", 1), 9999),
    ],
)
def test_a_value_that_fits(convention: Convention, value: Value) -> None:
    """Bounds belong to it; without bounds a number goes from 0 to 9999."""
    assert convention.check(value, "path") is value


@pytest.mark.parametrize(
    ("convention", "value", "sentence"),
    [
        (TARGET, 100, "path: must be a whole number from 101 to 1001, not 100"),
        (TARGET, 1002, "path: must be a whole number from 101 to 1001, not 1002"),
        (TARGET, 501.0, "path: must be a whole number from 101 to 1001, not 501.0"),
        (PENALTY, True, "path: must be a whole number from 0 to 9999, not true"),
        (PENALTY, 10_000, "path: must be a whole number from 0 to 9999, not 10000"),
        (BELA, 1, "path: must be one of true, false, not 1"),
        (BELA, "true", 'path: must be one of true, false, not "true"'),
        (FORMAT, "six", 'path: must be one of alone, pairs, both, not "six"'),
        (FORFEIT, "a house", 'path: must be a text of 0 to 5 characters, not "a house"'),
        (FORFEIT, 5, "path: must be a text of 0 to 5 characters, not 5"),
    ],
)
def test_a_value_that_does_not_fit(convention: Convention, value: object, sentence: str) -> None:
    with pytest.raises(Unreadable) as refused:
        convention.check(value, "path")
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("players", "values"), [(None, "alone pairs both"), (2, "alone both"), (4, "pairs both"), (5, "both")]
)
def test_values_for_so_many_players(players: int | None, values: str) -> None:
    """A value without sizes is for all; where nobody has counted the players every value is there."""
    fitting = FORMAT.values_for(players)
    assert list(fitting) == values.split()
    assert all(text == FORMAT.values[value] for value, text in fitting.items())


@pytest.mark.parametrize(
    ("condition", "players", "result"),
    [
        ("bela=true", None, True),
        ("bela=false", None, False),
        ("target=501", None, True),
        ("format=pairs", None, True),
        ("bela=true,format=alone", None, False),
        ("bela=true,format=pairs", None, True),
        ("players=4", 4, True),
        ("players=4", 3, False),
        ("players=4", None, False),
        ("players=1..", None, False),
        ("players=1..", 2, True),
        ("forfeit=a=b", None, True),
        ("limit=1..", None, True),
        ("limit=1..5", None, True),
        ("limit=2..5", None, False),
        ("limit=5..1", None, False),
        ("limit=a..b", None, False),
        ("forfeit=a..b", None, False),
        ("forfeit=1..", None, False),
        ("penalty=0..1", None, True),
        ("penalty=1..", None, False),
        ("unheard=1", None, False),
    ],
)
def test_conditions(condition: str, players: int | None, result: bool) -> None:
    """All parts must hold; the number of players is one of the facts where it is known; a text may be any."""
    chosen: dict[str, Value] = {"bela": True, "target": 501, "format": "pairs"}
    chosen |= {"limit": 1, "penalty": 0, "forfeit": "a=b"}
    assert holds(condition, chosen, players) is result


def test_beside_which_choices_a_convention_changes_anything() -> None:
    """Beside any by itself; else what it needs, with each condition for so many players."""
    plain = Convention("n", "", "", 1)
    bound = Convention(
        "n", "", "", 1, needs={"limit": "1.."}, only_when=("bela=false,players=4", "players=5", "bela=true")
    )
    assert plain.ways(3) == plain.ways(None) == ({},)
    needed = {"limit": "1.."}
    bela, no_bela = needed | {"bela": "true"}, needed | {"bela": "false"}
    assert [bound.ways(count) for count in (3, 4, 5)] == [(bela,), (no_bela, bela), (needed, bela)]
    assert bound.ways(None) == (no_bela, needed, bela)
    assert Convention("n", "", "", 1, only_when=("players=4",)).ways(3) == ()


@pytest.mark.parametrize(
    ("needs", "only_when", "sentence"),
    [
        ({"bela": True}, (), "bela is true"),
        ({"bela": True, "limit": "1.."}, (), "bela is true and limit is at least 1"),
        ({"limit": "1..5"}, (), "limit is 1 to 5"),
        ({}, ("players=4",), "4 play"),
        ({}, ("players=4", "players=6"), "4, 6 play"),
        ({}, ("players=3", "players=4", "players=5"), "3–5 play"),
        ({}, ("format=pairs,players=4", "format=both"), "format is pairs and 4 play or format is both"),
        ({"bela": False}, ("players=4",), "bela is false and 4 play"),
    ],
)
def test_where_a_convention_is_of_use(
    needs: dict[str, Value], only_when: tuple[str, ...], sentence: str
) -> None:
    assert str(Convention("n", "", "", 1, needs=needs, only_when=only_when).use) == sentence


@pytest.mark.parametrize(
    ("chosen", "players", "result"),
    [
        ({"bela": True, "limit": 1, "n": 1}, None, True),
        ({"bela": True, "limit": 5, "n": 1}, 4, True),
        ({"bela": True, "limit": 5, "n": 1}, 3, False),
        ({"bela": True, "limit": 0, "n": 1}, 4, False),
        ({"bela": False, "limit": 5, "n": 1}, None, False),
    ],
)
def test_when_a_convention_matters(chosen: dict[str, Value], players: int | None, result: bool) -> None:
    one = Convention("n", "", "", 1, needs={"bela": True, "limit": "1.."}, only_when=("players=4",))
    assert one.matters(chosen, players) is result


def test_defaults_of_the_first_preset() -> None:
    usual = {"target": 301, "bela": True, "format": "alone", "penalty": 151, "limit": 5, "forfeit": ""}
    assert BOOK.resolve(None, {}, "") == usual
    assert BOOK.resolve("short", {}, "")["limit"] == 3
    assert BOOK.resolve("short", {}, "")["target"] == 501


@pytest.mark.parametrize(
    ("preset", "chosen", "players", "name", "value"),
    [
        (None, {"target": 401}, None, "penalty", 201),
        (None, {"target": 400}, None, "penalty", 200),
        (None, {"penalty": 7}, None, "penalty", 7),
        (None, {"target": 700}, None, "target", 700),
        (None, {"bela": False}, None, "limit", 6),
        (None, {"bela": False, "limit": 9}, None, "limit", 9),
        ("short", {"bela": False}, None, "limit", 3),
        (None, {"format": "pairs"}, 6, "limit", 7),
        (None, {"format": "pairs"}, 4, "limit", 5),
        (None, {"target": 101, "bela": False}, None, "limit", 8),
    ],
)
def test_a_default_that_depends_on_others(
    preset: str | None, chosen: dict[str, object], players: int | None, name: str, value: Value
) -> None:
    """What preset or table say goes before it; of several conditions the last that holds decides."""
    assert BOOK.resolve(preset, chosen, "", players)[name] == value


@pytest.mark.parametrize(
    ("preset", "chosen", "players", "sentence"),
    [
        ("long", {}, None, 'preset: must be one of usual, short, not "long"'),
        (None, {"sevens": 1}, None, "conventions.sevens: must be a convention of this game: target, bela, "),
        (None, {"a\nb": 1}, None, r"conventions.'a\nb': must be a convention of this game"),
        (None, {"target": 1}, None, "conventions.target: must be a whole number from 101 to 1001, not 1"),
        (None, {"format": "pairs"}, 3, "conventions.format: must be one of alone, both for 3 players, not "),
        (None, {}, 4, 'conventions.format: must be one of pairs, both for 4 players, not "alone"'),
    ],
)
def test_choices_that_cannot_be_resolved(
    preset: str | None, chosen: dict[str, object], players: int | None, sentence: str
) -> None:
    with pytest.raises(Unreadable) as refused:
        BOOK.resolve(preset, chosen, "match.", players)
    assert str(refused.value).startswith(f"match.{sentence}")


IDLE = Rulebook(
    "y",
    "Y",
    "",
    "1",
    {},
    {
        convention.name: convention
        for convention in (
            TARGET,
            Convention("mars", "", "", "off", {"off": "", "on": ""}, needs={"target": 501}),
            Convention("line", "", "", 251, default_half_of="target", needs={"mars": "on"}),
            Convention("left", "", "", 1, only_when=("players=3", "players=4")),
        )
    },
    {"usual": Preset("usual", "", "", {}), "long": Preset("long", "", "", {"line": 300})},
    {},
)


@pytest.mark.parametrize(
    ("preset", "chosen", "players"),
    [
        (None, {"mars": "on", "line": 9}, None),
        (None, {"mars": "off", "line": 251}, None),
        (None, {"target": 301, "line": 151}, None),
        (None, {"target": 301, "line": 251, "mars": "off"}, None),
        ("long", {"line": 300}, None),
        (None, {"left": 2}, None),
        (None, {"left": 2}, 3),
        (None, {"left": 1}, 2),
    ],
)
def test_what_changes_something_or_is_usual_can_be_chosen(
    preset: str | None, chosen: dict[str, object], players: int | None
) -> None:
    """A value that would stand there anyway, by default or by the preset, does no harm."""
    assert IDLE.resolve(preset, chosen, "", players).items() >= chosen.items()


@pytest.mark.parametrize(
    ("preset", "chosen", "players", "requirement"),
    [
        (None, {"line": 9}, None, "251, as it matters only where mars is on"),
        ("long", {"line": 9}, None, "300, as it matters only where mars is on"),
        (None, {"mars": "on", "target": 301}, None, "off, as it matters only where target is 501"),
        (None, {"left": 2}, 2, "1, as it matters only where 3, 4 play"),
    ],
)
def test_what_changes_nothing_is_refused(
    preset: str | None, chosen: dict[str, object], players: int | None, requirement: str
) -> None:
    """With what would stand there, and where it would change anything; a kept table may have it."""
    name, value = next(iter(chosen.items()))
    with pytest.raises(Unreadable) as refused:
        IDLE.resolve(preset, chosen, "", players)
    assert str(refused.value) == f"conventions.{name}: must be {requirement}, not {quote_json(value)}"
    assert IDLE.resolve(preset, chosen, "", players, strict=False).items() >= chosen.items()


def test_what_hangs_on_something_idle_is_idle_too() -> None:
    values: dict[str, Value] = {"target": 301, "mars": "on", "line": 9, "left": 1}
    assert IDLE.irrelevant_facts(values) == {"mars", "line"}
    assert IDLE.irrelevant_facts({**values, "target": 501}, 2) == {"left"}


def test_what_is_usual_where_nobody_says_it() -> None:
    chosen: dict[str, Any] = {"target": 401, "penalty": 9, "format": "pairs", "limit": 1}
    assert BOOK.usual("penalty", None, chosen) == 201
    assert BOOK.usual("limit", None, chosen, 6) == 7
    assert BOOK.usual("target", "short", chosen) == 501
    with pytest.raises(Unreadable, match=r"^preset: "):
        BOOK.usual("target", "long", chosen)


def test_rules_that_apply() -> None:
    plain = ["x.target", "x.cards", "x.deck", "x.trump"]
    assert [rule.id for rule in BOOK.rules_for({"bela": False})] == plain
    whole = ["x.target", "x.cards", "x.bela", "x.six", "x.deck", "x.trump"]
    assert [rule.id for rule in BOOK.rules_for({"bela": True}, 6)] == whole
    assert "x.six" in [rule.id for rule in BOOK.rules_for({"format": "pairs"}, 4)]


def test_the_chapters_on_the_cards_come_first() -> None:
    """The chapters of the rules on rank and pack, whole, and the others after them as they stood."""
    ordered = ["x.cards", "x.deck", "x.trump", "x.target", "x.bela", "x.six"]
    assert [rule.id for rule in BOOK.in_order(RULES)] == ordered


def test_rules_are_cited_by_key() -> None:
    cited = BOOK.cite("bela", "end", "end.target", "deck")
    assert [rule.id for rule in cited] == ["x.bela", "x.target", "x.deck"]
    assert BOOK.knows("end.target")
    assert not BOOK.knows("x.target")
    with pytest.raises(KeyError):
        BOOK.cite("end", "unheard")


def test_values_as_a_record_writes_them() -> None:
    assert [json_word(value) for value in (True, False, 501, "Pairs")] == ["true", "false", "501", "Pairs"]
