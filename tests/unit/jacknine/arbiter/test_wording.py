"""What rulings and records say of tricks is so, and of held points where a table has them."""

import re
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from random import Random
from typing import Any

import pytest
from anything import without_irrelevant
from dealing import TRICK_GAMES, Table
from hypothesis import given
from hypothesis import strategies as st
from tiers import FOUR_GAMES, few_examples, mostly_at_night

from companion import library
from companion.record import record as records
from companion.rules.errors import Unreadable
from companion.rules.schema import fields_of

seeds = st.integers(0, 2**32)
every_game = mostly_at_night("game", TRICK_GAMES, FOUR_GAMES)


def random_table(random: Random, game: str, *names: str) -> Table:
    """A game with one value of each of these conventions at random, as far as it has them."""
    book = library.read_rulebook(game)
    chosen = {
        name: random.choice(list(book.conventions[name].values)) for name in names if name in book.conventions
    }
    return Table(game, None, tuple(without_irrelevant(book, chosen).items()))


# --- tricks --------------------------------------------------------------------------------------

TOOK = re.compile(
    r"(\w) took the last trick|(\w) gets the last trick|(\w) took no trick(?! \(\w+\), or only)"
)


def check_tricks(sentence: str, last: str | None, trickless: str | None, offender: str | None = None) -> None:
    """Check that a sentence says of tricks only what is stated, with the side whose penalty it was."""
    for took, gets, none in TOOK.findall(sentence):
        assert not took or took == last != trickless, sentence
        assert not gets or (last == offender and gets not in (last, "")), sentence
        assert not none or none == trickless != last, sentence


@every_game
@few_examples(40, 2000)
@given(seed=seeds)
def test_nobody_is_said_to_have_taken_what_another_took(game: str, seed: int) -> None:
    """In the winner, the outcome and the record of a deal around the target, with a penalty or without."""
    random = Random(seed)
    table = random_table(random, game, "both_over", "trickless", "finish", "words_need_trick")
    sides = table.rules.ring.sides
    last, trickless, offender = (random.choice([None, *sides]) for _ in range(3))
    stated = {key: side for key, side in (("last", last), ("trickless", trickless)) if side}
    totals = {side: table.rules["target"] + random.choice([-60, -20, 0, 0, 20]) for side in sides}
    made = {side: random.choice([0, 20, 62, 100]) for side in sides}
    bid = {"points": 80} if table.rules.bids_points else {}
    for facts in ({"question": "winner"}, {"question": "outcome", "dealer": "A", "made": made, **bid}):
        with suppress(Unreadable):
            asked = {**facts, "totals": totals, "declarer": random.choice(sides), **stated}
            check_tricks(str(table.family.rule(asked).why), last, trickless)
    penalty = {"penalty": {"side": offender, "offence": "revoke"}} if offender else {}
    contract = {"declarer": random.choice(sides), "trump": "H", **bid}
    deal = {"type": "deal", "contract": contract, "totals": made, **stated, **penalty}
    head = table.head(entries=[{"type": "opening", "totals": totals}, deal])
    record, opened = records.read_record(head, library.open_game)
    for row in records.fold_record(record, opened.family).rows:
        if last != trickless or last is None:  # else the record has a problem
            check_tricks(str(row.why), last, trickless, offender)


# --- held points ---------------------------------------------------------------------------------

REQUESTS: Mapping[str, Any] = {
    "outcome": {"declarer": "A", "dealer": "B"},
    "penalty": {"offence": "revoke", "by": "A", "dealer": "A", "points": {"cards": 110}},
    "finish": {"caller": "A", "at": "result"},
    "audit": {"deal": {"contract": {"declarer": "A", "trump": "H"}}},
}
"""The questions that may be told of held points, without what is stated by side."""


def holds_points(table: Table) -> bool:
    """Whether a tie holds points: always in Derda, elsewhere by what the table has agreed on."""
    conventions = table.game.conventions
    held = conventions.get("tie") in ("carry", "hang") or conventions.get("party") == "target"
    return held or table.name == "derda"


def is_held_refused(table: Table, request: Mapping[str, Any]) -> bool:
    """Whether held points are refused, with their rule, whatever else is wrong with the request."""
    try:
        table.family.rule({**request, "held": [30]})
    except Unreadable as refused:
        assert refused.path != "held" or "a tie holds no points at this table (" in str(refused)
        return refused.path == "held"
    return False


@every_game
@few_examples(3, 60)
@given(seed=seeds)
def test_held_points_are_for_tables_where_a_tie_holds_some(game: str, seed: int) -> None:
    """Elsewhere nobody is asked for them, they are refused with the rule, and no answer or record has any."""
    random = Random(seed)
    table = random_table(random, game, "tie", "party")
    holds, sides = holds_points(table), table.rules.ring.sides
    shares = {2: (81, 80 if game == "darda" else 81), 3: (54, 54, 54), 4: (41, 41, 40, 40)}
    made = dict(zip(sides, shares[len(sides)], strict=True))
    bids: Mapping[str, Any] = {"outcome": {"points": 80}, "penalty": {"points_bid": 80}}
    if not table.rules.bids_points:
        bids = {}
    by_side: Mapping[str, Any] = {"outcome": {"made": made}, "finish": {"totals": made}}
    for name, question in table.family.questions.items():
        if any(place.key == "held" for place in fields_of(question.shape)):
            request = {"question": name, **REQUESTS[name], **by_side.get(name, {}), **bids.get(name, {})}
            assert is_held_refused(table, request) is not holds, name
            assert ("held" in table.family.irrelevant_facts(name)) is not holds, name
    opening = {"type": "opening", "totals": made, "held": [30]}
    with nullcontext() if holds else pytest.raises(Unreadable, match=r"^held: must be left empty, for a tie"):
        table.family.read(opening, "")
    outcome = {"question": "outcome", **REQUESTS["outcome"], "made": made, **bids.get("outcome", {})}
    ruling = table.family.rule(outcome)
    spoken = [(str(ruling.why), ruling.answer["held"])]
    spoken += [
        (str(row.why), row.held) for row in records.fold_record(table.match(random), table.family).rows
    ]
    assert holds or not any(held or "held" in sentence for sentence, held in spoken)
