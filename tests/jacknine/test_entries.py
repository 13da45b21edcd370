"""What a deal may state at a table: things of other games are refused, what this table left out is flagged."""

from dataclasses import replace
from typing import Any

import pytest

from companion import library
from companion.jacknine.entries import Deal, find_foreign_facts
from companion.rules.schema import parse

CONTRACT = {"contract": {"declarer": "A", "trump": "H"}}
PLAYED = {**CONTRACT, "totals": {"A": 100, "B": 62}}


@pytest.mark.parametrize(
    ("options", "deal", "found"),
    [
        ({"offers": False}, {"offer": {"points": 20}}, ("offer", "offer.who")),
        ({"four_sevens": "play"}, {"redeal": "four-sevens"}, ("redeal", "deal.four-sevens")),
        ({}, {**PLAYED, "fours": [{"seat": "A", "rank": "K"}]}, ("fours", "fours.values")),
        (
            {"finish": "none"},
            {**PLAYED, "call": {"seat": "A", "after_trick": 3}},
            ("call", "end.finish-when"),
        ),
        ({"rost": "free"}, {**PLAYED, "forfeits": ["B"]}, ("forfeits", "run.rost-needless")),
        ({}, {**PLAYED, "turn_up": "H"}, ("turn_up", "")),
        ({}, {**PLAYED, "trickless": ["B"]}, ("trickless", "")),
    ],
)
def test_what_is_not_done_at_a_table(
    options: dict[str, Any], deal: dict[str, Any], found: tuple[str, str]
) -> None:
    """The field is named, and the rule against it where the game has one."""
    ruleset = library.open_game("derda").family.ruleset
    table = replace(ruleset, options={**ruleset.options, **options})
    read = parse(Deal, {"type": "deal", **deal}, "", table.table)
    assert [(field, key) for field, key, _ in find_foreign_facts(table, read)] == [found]
