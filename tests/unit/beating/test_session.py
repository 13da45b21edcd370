"""A session without a page around it: its start, the guide for the coming bout, its state as JSON."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion import library
from companion.beating import bout, progress, turn
from companion.beating.arbiter.questions import BeatFacts, TurnFacts
from companion.beating.entries import Bout, Transfer
from companion.beating.match import Beating
from companion.beating.ruleset import BeatingRuleset, read_ruleset
from companion.rules.cards import parse_card
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.ruling import Ruling


def durak(players: int | None = 4, **conventions: Any) -> Any:
    """The family's game at a table of so many (None: nobody has counted them)."""
    return library.open_game("durak", None, conventions, players).family


def start(family: Any, **head: Any) -> Any:
    """The state of a new session in which A deals first, but for what is given."""
    names = [f"Player {seat}" for seat in family.ruleset.ring.seats]
    return family.start({"players": names, "first_dealer": "A"} | head)


def write(family: Any, state: Any, *entries: dict[str, Any]) -> Any:
    for n, entry in enumerate(entries):
        state = family.apply(state, family.read(entry, f"entries[{n}]"))
    return state


# --- the start -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "head", "sentence"),
    [
        (4, {"players": ["Ann", "Ben"]}, "players: must be 4 names, not 2"),
        (None, {"players": ["Ann", "Ben", "Cleo", "Dan"]}, "players: must be 4 names, not 4"),
        (4, {"first_dealer": "E"}, 'first_dealer: must be one of A, B, C, D, not "E"'),
    ],
)
def test_a_session_that_cannot_begin(players: int | None, head: dict[str, Any], sentence: str) -> None:
    """As many names as seats, at a table whose players have been counted, and one of them deals."""
    with pytest.raises(Unreadable) as refused:
        start(durak(players), **head)
    assert str(refused.value) == sentence


def test_where_nobody_has_said_who_deals_first_the_first_hand_may_say_it() -> None:
    """Any player may have dealt the first hand; until one is named nobody is due to deal or attack."""
    family = durak(first_hand="left-of-dealer")
    state = start(family, first_dealer=None)
    assert (state.next_dealer, state.start) == (None, None)
    after = write(family, state, {"type": "hand", "loser": "C", "dealer": "D", "first_attacker": "A"})
    assert (after.problems, after.rows[0].dealer) == ((), "D")
    wrong = write(family, state, {"type": "hand", "loser": "C", "dealer": "D", "first_attacker": "B"})
    assert [str(problem.reason) for problem in wrong.problems] == ["A attacks first, not B."]


def test_a_first_hand_that_anybody_may_deal_must_say_who_did() -> None:
    """A touch needs no dealer: whoever touched the cards deals from then on."""
    family = durak()
    state = start(family, first_dealer=None)
    assert [problem.field for problem in write(family, state, {"type": "hand", "loser": "C"}).problems] == [
        "entries[0].dealer"
    ]
    touched = write(family, state, {"type": "touch", "by": "B", "cards": "touched"})
    assert (touched.problems, touched.next_dealer) == ((), "B")


# --- the coming bout -----------------------------------------------------------------------------


def guide(family: Any, attacker: str | None, *bouts: Bout) -> Any:
    """What holds for the bout after these: who plays, who throws in, who draws, how many cards; or None."""
    found = family.guide(family.follow_hand(attacker, bouts))
    if found is None:
        return None
    roles = found.attacker + found.defender
    return roles, "".join(found.throwers), "".join(found.drawing), found.limit


def test_the_guide_of_a_transferred_bout() -> None:
    """Who transferred attacks the next, and draws first; the way of the attack is told, and its next."""
    family = durak(4, transfer="on")

    def roles(*transfers: Transfer, bouts: Sequence[Bout] = ()) -> tuple[str, str, str, str | None]:
        found = family.guide(family.follow_hand("A", bouts), transfers)
        throwers, drawing = "".join(found.throwers), "".join(found.drawing)
        return "".join(found.path), throwers, drawing, found.next_defender

    assert roles() == ("AB", "ACD", "ACDB", "C")
    assert roles(Transfer("B")) == ("ABC", "BDA", "BDAC", "D")
    assert roles(Transfer("B"), Transfer("C"), Transfer("D")) == ("ABCDA", "DBC", "DBCA", "B")
    out = [Bout("A", "B", "beaten-off", ("C",))]
    assert roles(Transfer("D"), bouts=out) == ("BDA", "DB", "DBA", "B")


def test_who_only_showed_a_card_need_not_draw() -> None:
    """Among five with the neighbours: who laid a card draws, and the neighbours; who showed one has six."""
    family = durak(5, transfer="on", pass_card="on")
    shown = (Transfer("B", shown=True), Transfer("C"))
    found = family.guide(family.follow_hand("A", ()), shown)
    assert ("".join(found.throwers), "".join(found.drawing)) == ("CE", "CEAD")
    placed = family.guide(family.follow_hand("A", ()), (Transfer("B"), Transfer("C")))
    assert "".join(placed.drawing) == "CEABD"


def test_a_table_that_transfers_nothing_has_nobody_to_transfer_to() -> None:
    """Without transfers, and in a first bout that may not be transferred, the guide names nobody."""
    bout = Bout("A", "B", "beaten-off")
    first = durak(4, transfer="on", transfer_first="off")
    assert durak().guide(durak().follow_hand("A", ())).next_defender is None
    assert first.guide(first.follow_hand("A", ())).next_defender is None
    assert first.guide(first.follow_hand("A", [bout])).next_defender == "D"


def test_a_course_that_somebody_has_left() -> None:
    """Who has left is passed over from then on; the last one left alone has ended it."""
    family = durak(4, walk_out="plays-on")
    bouts = [Bout("A", "B", "beaten-off"), Bout("B", "D", "picked-up")]
    assert family.follow_hand("A", bouts, "C", 1).turn.attacker == "A"
    assert family.follow_hand("A", bouts, "A").out == ("A",)
    void = durak(4, walk_out="void").follow_hand("A", bouts[:1], "C")
    assert (void.over, void.turn.verdict) == (True, "void")
    before = family.follow_hand("A", (), "A")
    assert (before.turn.attacker, before.turn.defender) == ("B", "C")
    assert family.follow_hand(None, (), "A").turn is None
    alone = family.follow_hand("A", [Bout("A", "B", "beaten-off", ("A", "D"))], "B")
    assert (alone.over, alone.turn.verdict, alone.turn.keys) == (True, "void", ("end.walk-out",))


@pytest.mark.parametrize(
    ("chosen", "true"),
    [
        ({}, set()),
        ({"transfer": "on", "pass_card": "on"}, {"shows_trumps"}),
        ({"transfer": "on", "epaulettes": True}, {"writes_epaulettes"}),
        ({"five_of_a_suit": "redeal"}, {"redeals_five_suited"}),
        ({"transfer": "on", "transfer_cards": "several"}, {"transfers_several"}),
        ({"walk_out": "plays-on", "walk_out_bout": "cancelled"}, {"plays_on", "cancels_bouts"}),
        ({"six_of_a_colour": "redeal"}, {"redeals_six_coloured"}),
        ({"first_card": "lowest-trump"}, {"opens_with_lowest_trump"}),
        ({"walk_out": "plays-on"}, {"plays_on"}),
        ({"walk_out": "void"}, set()),
        ({"session_losses": 5}, {"session_losses"}),
        ({"severnyi": True}, {"changes_trumps"}),
        ({"forfeit": "tea"}, {"forfeit"}),
    ],
)
def test_what_others_ask_of_the_house_rules(chosen: dict[str, Any], true: set[str]) -> None:
    """Each is asked for by the name of the thing; what a table has not agreed on is nothing."""
    rules = durak(4, **chosen).ruleset
    asked = ["shows_trumps", "writes_epaulettes", "redeals_five_suited", "plays_on"]
    asked += ["transfers_several", "cancels_bouts", "redeals_six_coloured", "opens_with_lowest_trump"]
    asked += ["session_losses", "changes_trumps", "forfeit"]
    answers = {name: getattr(rules, name)() for name in asked}
    assert {name for name, answer in answers.items() if answer} == true
    assert [answers[name] for name in true & chosen.keys()] == [chosen[name] for name in true & chosen.keys()]


def test_an_option_is_one_of_some_values() -> None:
    assert durak(cut="free").ruleset.has_option("cut", "free", "required")
    assert not durak(cut="trap").ruleset.has_option("cut", "free", "required")
    assert not durak().ruleset.has_option("rotation", "left", "right")


def test_there_is_no_guide_without_an_attacker_or_after_the_end() -> None:
    """While nobody knows who attacks, and once the loser is known, nothing holds for a coming bout."""
    family = durak(2)
    assert guide(family, None) is None
    assert guide(family, "A", Bout("A", "B", "beaten-off", ("B",))) is None
    assert guide(family, None, Bout("A", "B", "beaten-off")) == ("BA", "B", "BA", 6)


@pytest.mark.parametrize(
    ("conventions", "key"), [({}, "turn.individual"), ({"format": "teams-4"}, "turn.teams")]
)
def test_a_course_begins_by_the_rule_of_turns(conventions: dict[str, Any], key: str) -> None:
    """Before any bout the rule by which somebody attacks is that of how turns go round."""
    assert durak(4, **conventions).follow_hand("A", ()).turn.keys == (key,)


# --- what others ask of it -----------------------------------------------------------------------


def test_what_a_table_can_write_and_ask() -> None:
    """The types of entries and the questions, and which of them need no players counted."""
    family = durak()
    assert (family.counted_entry, family.entries) == ("hand", ("hand", "touch", "close"))
    assert list(family.questions) == ["turn", "throw-in", "transfer", "beat", "bout", "six", "next-hand"]
    assert family.unseated == {"beat", "six"}
    assert (family.exact, durak(4, attack_cap=0).exact) == (frozenset(), {"defender_cards"})
    assert (durak(4, attack_cap=3).exact, durak(4, attack_cap=9).exact) == (frozenset(), {"defender_cards"})
    assert (family.draws_for_deal, family.first_dealer({"A": parse_card("AS")})) == (False, None)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("hand", 'entries[0]: must be an object, not "hand"'),
        ({}, "entries[0].type: required"),
        ({"type": "deal"}, 'entries[0].type: must be one of hand, touch, close, not "deal"'),
    ],
)
def test_what_is_no_entry(entry: Any, sentence: str) -> None:
    with pytest.raises(Unreadable) as refused:
        durak().read(entry, "entries[0]")
    assert str(refused.value) == sentence


def test_the_number_of_players_is_that_of_the_table() -> None:
    """A request may repeat how many play, and may not say otherwise."""
    request = {"question": "beat", "attack": "7S", "with": "8S", "trump": "H"}
    assert durak(3).rule(request | {"players": 3}).verdict == "beats"
    with pytest.raises(Unreadable) as refused:
        durak(3).rule(request | {"players": 4})
    assert str(refused.value) == "players: must be 3, the number of players, not 4"


def test_facts_that_were_read_already_are_judged() -> None:
    """The same ruling as for the request; what depends on the players is refused until they are counted."""
    beat = BeatFacts(parse_card("7S"), parse_card("8S"), "H")
    found: Ruling = durak(None).judge("beat", beat)
    assert (found.question, found.verdict, found.answer) == ("beat", "beats", {})
    facts = TurnFacts("A", "B", "beaten-off")
    assert durak(4).judge("turn", facts).answer == {"attacker": "B", "defender": "C", "loser": None}
    with pytest.raises(MissingFact) as refused:
        durak(None).judge("turn", facts)
    assert refused.value.path == "players"


def test_how_many_cards_are_left_to_draw() -> None:
    """The talon after the deal, with the face-up trump, for the packs and sizes that there are."""
    assert durak(2).ruleset.talon == 24
    assert durak(6).ruleset.talon == 0
    assert durak(6, deck=52).ruleset.talon == 16
    assert durak(2, deck=24).ruleset.talon == 12


def test_other_trumps_need_two_cards_in_the_talon() -> None:
    """In Severnyi one card is laid face down under the face-up trump, so five hands must leave two."""

    def cards_left(deck: int, hand: int) -> int:
        ruleset = durak(5, deck=deck).ruleset
        table = {"players": [5], "usual": 5, "partnerships": False}
        cards = {"order": ruleset.order, "hand": hand, "most": 6, "jokers": 0}
        tables = {"table": table, "cards": cards, "options": {"severnyi": True}}
        return read_ruleset(ruleset.book, tables).talon

    assert cards_left(deck=52, hand=10) == 2
    with pytest.raises(Unreadable) as refused:
        cards_left(deck=36, hand=7)  # leaves one
    assert refused.value.path == "conventions.severnyi"


def apply_hand(ruleset: BeatingRuleset, **hand: Any) -> object:
    family = Beating(ruleset)
    return write(family, start(family), {"type": "hand", **hand})


@pytest.mark.parametrize(
    ("option", "ask"),
    [
        ("first_attack", lambda ruleset: turn.later_hand_start(ruleset, "A", "deal.loser")),
        ("throwers", lambda ruleset: bout.eligible_throwers(ruleset, bout.Roles("A", "B"))),
        ("no_trump_start", lambda ruleset: turn.no_trump_attacker(ruleset, "A", None)),
        ("walk_out", lambda ruleset: progress.leave_table(ruleset, progress.HandProgress(None), "A")),
        ("walk_out", lambda ruleset: apply_hand(ruleset, walked_out="A")),
    ],
)
def test_a_way_of_doing_it_that_no_code_knows(option: str, ask: Callable[[BeatingRuleset], object]) -> None:
    """It is not taken for another one, and the error names it."""
    ruleset = durak().ruleset
    with pytest.raises(LookupError) as refused:
        ask(replace(ruleset, options=ruleset.options | {option: "otherwise"}))
    assert "otherwise" in refused.value.args[0]
