"""Which facts a table's conventions make matter: what is asked for, and what is noted beside it."""

from typing import Any

import pytest

from companion import library


def durak(players: int, **conventions: Any) -> Any:
    return library.open_game("durak", None, conventions, players).family


@pytest.mark.parametrize(
    ("question", "key", "matters_where"),
    [
        ("throw-in", "first_bout", {"first_defence_limit": 5}),
        ("throw-in", "none_beaten_off", {"first_defence_limit": 5, "first_defence_until": "beaten-off"}),
        ("transfer", "first_bout", {"transfer": "on", "transfer_first": "off"}),
        ("transfer", "shown", {"transfer": "on", "pass_card": "on"}),
        ("transfer", "shown_before", {"transfer": "on", "pass_card": "on"}),
        ("transfer", "trump", {"transfer": "on", "pass_card": "on"}),
        ("bout", "first_bout", {"first_defence_limit": 5}),
        ("bout", "first_bout", {"transfer": "on", "transfer_first": "off"}),
        ("bout", "none_beaten_off", {"first_defence_limit": 5, "first_defence_until": "beaten-off"}),
        ("throw-in", "shown_trump", {"first_card": "lowest-trump"}),
        ("bout", "shown_trump", {"first_card": "lowest-trump"}),
        ("turn", "transfers", {"transfer": "on"}),
        ("next-hand", "deals", {"format": "teams-4"}),
        ("next-hand", "lot", {"no_trump_start": "lot"}),
    ],
)
def test_a_fact_is_asked_for_where_it_matters(question: str, key: str, matters_where: dict[str, Any]) -> None:
    assert key in durak(4).irrelevant_facts(question)
    assert key not in durak(4, **matters_where).irrelevant_facts(question)


def test_a_fact_that_another_one_covers_is_not_asked_for() -> None:
    """A first bout has none before it; of two it is known who throws in; no lot without the lowest trump."""
    lasting = durak(4, first_defence_limit=5, first_defence_until="beaten-off")
    assert "first_bout" in lasting.irrelevant_facts("throw-in")
    assert {"stopped", "out"} <= durak(2).irrelevant_facts("throw-in")
    assert "out" not in durak(2).irrelevant_facts("turn")
    older = durak(4, first_hand="left-of-dealer")
    assert {"lowest_trump", "lot"} <= older.irrelevant_facts("next-hand")
    assert "exhausting_round" in durak(4, severnyi=True).irrelevant_facts("six")


@pytest.mark.parametrize(
    ("question", "key", "conventions"),
    [
        ("next-hand", "result", {"five_of_a_suit": "redeal"}),
        ("next-hand", "result", {"six_of_a_colour": "redeal"}),
        ("next-hand", "result", {"walk_out": "void"}),
        ("turn", "out", {"walk_out": "plays-on"}),
    ],
)
def test_a_fact_has_a_note_where_the_table_plays_otherwise(
    question: str, key: str, conventions: dict[str, Any]
) -> None:
    assert key not in durak(4).find_notes(question)
    assert key in durak(4, **conventions).find_notes(question)
