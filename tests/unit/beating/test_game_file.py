"""What is wrong in the file of a game of beating is refused; what it may leave out depends on the game."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion import library
from companion.beating.game_file import FAMILY_DATA, check_tables
from companion.library import GameFileError
from companion.library.files import join_game_file
from companion.library.folder import read_entry
from companion.rules.errors import Unreadable
from companion.rules.options import OptionScope

Document = dict[str, Any]
UNCITED = {"deal.six", "deal.ace-turned", "deck", "format", "throw.talk", "bout.surplus"}
"""Keys that no ruling cites: a game need not have a rule for them."""

ALONE = {"table": {"partnerships": False}, "cards": {"jokers": 2, "most": 6}}
TEAMS = {"table": {"partnerships": True}, "cards": {"jokers": 0, "most": 6}}
HOUSE_RULES: Mapping[str, frozenset[Any]] = {
    "severnyi": frozenset({True, False}),
    "transfer": frozenset({"off", "on"}),
    "transfer_first": frozenset({"on", "off"}),
    "pass_card": frozenset({"off", "on"}),
    "attack_cap": frozenset({6, 0, 36}),
    "cap_binds_taker": frozenset({True, False}),
    "transfer_cards": frozenset({"one", "several"}),
    "spade_turned": frozenset({"stays", "again"}),
    "trump_joker": frozenset({"by-colour", "highest-trump"}),
    "first_card": frozenset({"any", "lowest-trump"}),
    "walk_out_bout": frozenset({"finished", "cancelled"}),
    "first_defence_until": frozenset({"first-bout", "beaten-off"}),
    "throw_start": frozenset({"first-beaten", "at-once"}),
    "pick_up_ends": frozenset({False, True}),
    "lowest_beats_ace": frozenset({"off", "on"}),
    "spades_by_spades": frozenset({False, True}),
    "epaulettes": frozenset({False, True}),
}
HANGING = {
    "severnyi.change": "severnyi",
    "severnyi.deal": "severnyi",
    "transfer.draw": "transfer",
    "transfer.hand": "transfer",
    "transfer.unbeaten": "transfer",
    "transfer.first": "transfer_first",
    "transfer.pass-card": "pass_card",
    "bout.closed": "pick_up_ends",
    "beat.lowest-ace": "lowest_beats_ace",
    "beat.spades": "spades_by_spades",
    "score.epaulettes": "epaulettes",
    "throw.at-once": "throw_start",
    "throw.cap-taker": "cap_binds_taker",
    "transfer.several": "transfer_cards",
    "beat.spades-turned": "spade_turned",
    "beat.trump-joker": "trump_joker",
    "start.first-card": "first_card",
    "end.walk-out-bout": "walk_out_bout",
}
"""The keys that only one house rule needs, and which."""

NUMBERS: list[tuple[Mapping[str, Any], Mapping[str, Any], str]] = [
    ({"players": [4, 2]}, {}, "table.players: must be numbers that rise, each once, not [4, 2]"),
    ({"players": [2, 2]}, {}, "table.players: must be numbers that rise, each once, not [2, 2]"),
    ({"players": [2, 3]}, {}, "table.usual: must be one of 2, 3, not 4"),
    ({"partnerships": True}, {}, "table.players: must be 4 and 6 only, as teams play, not [2, 4, 6]"),
    ({"players": [4, 5], "partnerships": True}, {},
     "table.players: must be 4 and 6 only, as teams play, not [4, 5]"),
    ({}, {"order": ["A", "K", "A"]}, 'cards.order[2]: must be another rank, as each stands once, not "A"'),
    ({}, {"order": ["A", "1"]}, "cards.order[1]: must be a rank of the pack: A, K, Q, J, 10, 9"),
    ({}, {"hand": 7}, 'cards.order: must be enough ranks for 6 hands of 7, not "A K Q J 10 9 8 7 6"'),
]  # fmt: skip


def tables(table: Mapping[str, Any], cards: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a game for two, four or six with 36 cards, but for what is given."""
    usual = {"players": [2, 4, 6], "usual": 4, "partnerships": False}
    order = ["A", "K", "Q", "J", "10", "9", "8", "7", "6"]
    return {"table": usual | dict(table), "cards": {"order": order, "hand": 6, "most": 6} | dict(cards)}


@pytest.mark.parametrize(("table", "cards", "sentence"), NUMBERS, ids=[number[2] for number in NUMBERS])
def test_numbers_that_do_not_fit(table: Mapping[str, Any], cards: Mapping[str, Any], sentence: str) -> None:
    """Each is refused in a sentence that says where, what is wanted, and what stands there."""
    with pytest.raises(Unreadable) as refused:
        check_tables(tables(table, cards), [2, 4, 6])
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(
    ("table", "cards", "sizes"),
    [
        ({}, {}, [2, 4, 6]),  # six hands of six are the whole pack
        ({}, {"hand": 7}, [2, 4]),
        ({"players": [4, 6], "partnerships": True}, {}, [4, 6]),
        ({"players": [4]}, {"hand": 9}, [4]),
    ],
)
def test_numbers_that_fit(table: Mapping[str, Any], cards: Mapping[str, Any], sizes: list[int]) -> None:
    """The pack may be dealt to its last card, and teams may be two or three of a side."""
    check_tables(tables(table, cards), sizes)


def read_changed(change: Callable[[Document], object]) -> str:
    """Why the file of durak is refused once it has been changed; empty where it is not."""
    document = copy.deepcopy(dict(library.GAMES.entry("durak").file.own))
    change(document)
    try:
        read_entry(join_game_file(library.GAMES.folder, "durak", document))
    except GameFileError as error:
        return str(error)
    return ""


def test_a_rule_must_be_there_for_what_is_cited() -> None:
    """Where everything can be played, only the keys that nothing cites need no rule."""
    book = library.GAMES.entry("durak").book
    scope = OptionScope(book, HOUSE_RULES, [ALONE, TEAMS])
    assert {key for key, needed in FAMILY_DATA.keys.items() if not needed(scope)} == UNCITED


@pytest.mark.parametrize("word", FAMILY_DATA.words)
def test_a_game_has_its_words(word: str) -> None:
    refusal = f"games/durak.toml: words.{word}: must be given: the game's word for it"
    assert read_changed(lambda document: document["words"].pop(word)) == refusal


@pytest.mark.parametrize(
    ("seatings", "needed"),
    [
        ([ALONE], {"end.fool", "turn.individual"}),
        ([TEAMS], {"end.team", "turn.teams"}),
        ([ALONE, TEAMS], {"end.fool", "turn.individual", "end.team", "turn.teams"}),
    ],
)
def test_only_who_plays_so_needs_the_rule(seatings: list[Any], needed: set[str]) -> None:
    """Rules of teams are for games in which teams can play, rules of a fool for those in which he can be."""
    scope = OptionScope(library.GAMES.entry("durak").book, {}, seatings)
    all_four = {"end.fool", "turn.individual", "end.team", "turn.teams"}
    assert {key for key in all_four if FAMILY_DATA.keys[key](scope)} == needed


@pytest.mark.parametrize(("key", "option"), HANGING.items())
def test_only_a_house_rule_needs_its_rules(key: str, option: str) -> None:
    """A game in which a thing is never done has no rule of it; one in which it may be done has."""
    book = library.GAMES.entry("durak").book
    usual = library.open_game("durak").conventions[option]
    (other,) = HOUSE_RULES[option] - {usual}
    for possible in ({usual}, {other}, {usual, other}):
        scope = OptionScope(book, {**HOUSE_RULES, option: frozenset(possible)}, [ALONE])
        assert FAMILY_DATA.keys[key](scope) == (other in possible)


def test_only_who_may_transfer_needs_what_hangs_on_it() -> None:
    """Without transfers no first bout is apart from the others in that, and no card is shown."""
    book = library.GAMES.entry("durak").book
    scope = OptionScope(book, {**HOUSE_RULES, "transfer": frozenset({"off"})}, [ALONE])
    hanging = ("transfer.first", "transfer.pass-card", "transfer.several")
    assert not any(FAMILY_DATA.keys[key](scope) for key in hanging)


def test_only_other_caps_need_their_rule() -> None:
    """A game without jokers has no rule of them, one with the usual caps alone none of others."""
    book = library.GAMES.entry("durak").book
    capped = {**HOUSE_RULES, "attack_cap": frozenset({6}), "first_defence_until": frozenset({"first-bout"})}
    for options in (capped, {**capped, "attack_cap": frozenset({0})}, HOUSE_RULES):
        needed = FAMILY_DATA.keys["throw.cap"](OptionScope(book, options, [ALONE]))
        assert needed == (options is not capped)
        has_own = FAMILY_DATA.keys["throw.cap-any"](OptionScope(book, options, [ALONE]))
        assert has_own == (options is HOUSE_RULES)
    assert not FAMILY_DATA.keys["beat.joker"](OptionScope(book, HOUSE_RULES, [TEAMS]))
