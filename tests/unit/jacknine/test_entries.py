"""What a deal may state at a table, and the rule that is against it where it may not."""

from dataclasses import replace
from typing import Any

import pytest
from dealing import TRICK_GAMES, open_jacknine

from companion.jacknine.entries import ENTRIES, Deal, find_foreign_facts, read_entry
from companion.rules.errors import Unreadable
from companion.rules.schema import parse

CONTRACT = {"contract": {"declarer": "A", "trump": "H"}}
CALL = {"seat": "A", "after_trick": 3}
PLAYED = {**CONTRACT, "totals": {"A": 100, "B": 62}}


@pytest.mark.parametrize(
    ("options", "deal", "found"),
    [
        ({"offers": False}, {"offer": {"points": 20}}, ("offer", "offer.who")),
        ({"four_sevens": "play"}, {"redeal": "four-sevens"}, ("redeal", "")),
        ({"finish": "none"}, {**PLAYED, "call": CALL}, ("call", "end.finish-when")),
        ({"rost": "free"}, {**PLAYED, "forfeits": ["B"]}, ("forfeits", "run.rost-needless")),
    ],
)
def test_what_is_not_done_at_a_table(
    options: dict[str, Any], deal: dict[str, Any], found: tuple[str, str]
) -> None:
    ruleset = open_jacknine("derda").ruleset
    table = replace(ruleset, options={**ruleset.options, **options})
    read = parse(Deal, {"type": "deal", **deal}, "", table.table)
    assert [(field, key) for field, key, _ in find_foreign_facts(table, read)] == [found]


TOTALS = {"A": 0, "B": 0}
SHORTEST: dict[str, dict[str, Any]] = {
    "deal": {"thrown_in": True},
    "opening": {"totals": TOTALS},
    "adjust": {"side": "A", "points": 20, "reason": "Agreed."},
    "concede": {"side": "A"},
    "abandon": {},
    "finish": {"side": "A"},
    "dive": {"by": "A", "accepted": True},
    "pencil": {"by": "A", "deal": 1, "wrote": 40, "should": 50},
}


@pytest.mark.parametrize("kind", ENTRIES)
def test_notes(kind: str) -> None:
    """A note beside any entry may run over several lines, up to 500 characters; without one there is none."""
    ruleset = open_jacknine("deberts").ruleset
    entry = {"type": kind, **SHORTEST[kind]}
    assert read_entry(ruleset, entry, "").note == ""
    long = "Two\n" + 496 * "o"
    assert read_entry(ruleset, {**entry, "note": long}, "").note == long
    with pytest.raises(Unreadable, match=r"^note"):
        read_entry(ruleset, {**entry, "note": long + "o"}, "")


@pytest.mark.parametrize(
    ("total", "can_be"), [(99_999, True), (-99_999, True), (100_000, False), (-100_000, False)]
)
def test_totals_have_five_figures(total: int, can_be: bool) -> None:
    ruleset = open_jacknine("deberts").ruleset
    entry = {"type": "opening", "totals": {"A": total, "B": 0}}
    if can_be:
        assert read_entry(ruleset, entry, "")
        return
    with pytest.raises(Unreadable, match=r"^totals\.A"):
        read_entry(ruleset, entry, "")


def test_an_entry_of_no_known_type() -> None:
    """What no entry is called is repeated, with what there is; a game without doubling knows no dive."""
    for kind, game in (("pass", "deberts"), ("dive", "derda")):
        with pytest.raises(Unreadable, match=rf'^type: must be one of deal, .*, not "{kind}"$'):
            read_entry(open_jacknine(game).ruleset, {"type": kind}, "")


@pytest.mark.parametrize(
    ("deal", "sentence"),
    [
        ({"fours": [{"seat": "A", "rank": "K"}]}, "fours: must be left out, as four of a kind is no meld in"),
        ({"turn_up": "H"}, 'turn_up: must be a card, such as 9H, not a suit alone, not "H"'),
        ({"trickless": ["B"]}, 'trickless: must be one side, not a list, not ["B"]'),
        ({"offer": {"points": 20}, "contract": None}, ""),
    ],
)
def test_what_no_table_of_the_game_can_state(deal: dict[str, Any], sentence: str) -> None:
    """It is refused with what would be right; what the game has at other tables is for the fold."""
    ruleset = open_jacknine("derda").ruleset
    stated = {key: fact for key, fact in {"type": "deal", **PLAYED, **deal}.items() if fact is not None}
    if not sentence:
        del stated["totals"]
        assert read_entry(ruleset, stated, "").type == "deal"
        return
    with pytest.raises(Unreadable) as refused:
        read_entry(ruleset, stated, "")
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("game", TRICK_GAMES)
def test_that_every_side_had_a_trick_may_be_said_anywhere(game: str) -> None:
    """Where nothing hangs on it too: in a record as in questions."""
    family = open_jacknine(game)
    points = {**dict.fromkeys(family.ruleset.ring.sides, 30), "A": 80}
    bid = {"points": 80} if family.ruleset.bids_points else {}
    contract = {"declarer": "A", "trump": "H", **bid}
    read_entry(
        family.ruleset, {"type": "deal", "contract": contract, "totals": points, "trickless": None}, ""
    )
    winner = {"question": "winner", "totals": points, "declarer": "A"}
    assert family.rule({**winner, "trickless": None}) == family.rule(winner)
