"""The record: what its head may say, and how entries are added, amended and withdrawn."""

from typing import Any

import pytest
from histories import withdraw_entry

from companion import library
from companion.record import record as records
from companion.rules.ruling import RuleViolation


def document(**more: Any) -> dict[str, Any]:
    """A record without an entry."""
    head = {"format": "companion-match", "version": 1, "game": "derda", "players": ["Ewa", "Jan"]}
    return head | {"first_dealer": "A", "entries": []} | more


def open_record(**more: Any) -> tuple[records.Record, Any]:
    """The record and the family of its game."""
    record, game = records.read_record(document(**more), library.open_game)
    return record, game.family


def deal(a: int, b: int, declarer: str = "A") -> dict[str, Any]:
    """A deal told by its totals."""
    return {"type": "deal", "contract": {"declarer": declarer, "trump": "H"}, "totals": {"A": a, "B": b}}


def test_an_entry_that_breaks_a_rule_is_not_added() -> None:
    """All that is wrong with a new entry is said at once, each with its place and its rule."""
    record, family = open_record(entries=[deal(82, 65)])
    wrong = {**deal(80, 60), "dealer": "B", "turn_up": "9S", "exchanged": "A"}
    with pytest.raises(RuleViolation) as refused:
        records.add_entry(record, family, wrong)
    assert [(problem.entry, problem.field, problem.rule) for problem in refused.value.problems] == [
        (2, "entries[1].exchanged", "derda.seven.exchange"),
        (2, "entries[1].dealer", "derda.deal.next"),
    ]
    assert "entries[1].dealer: A deals here, not B. (derda.deal.next)" in str(refused.value)


def test_amending_flags_what_later_entries_now_contradict() -> None:
    """An early deal may be put right; a later one that does not fit any more is flagged and kept."""
    record, family = open_record(entries=[deal(82, 65), {**deal(80, 60), "dealer": "A"}])
    amended = records.amend_entry(record, family, 1, deal(62, 85))
    state = records.fold_record(amended, family)
    assert [(problem.entry, problem.rule) for problem in state.problems] == [(2, "derda.deal.next")]
    assert state.totals == {"A": 80, "B": 207}
    assert [dict(row.scored) for row in state.rows] == [{"A": 0, "B": 147}, {"A": 80, "B": 60}]


def test_amending_may_end_the_game_early() -> None:
    """Deals after an end that an amendment brought forward are flagged, not lost."""
    record, family = open_record(conventions={"target": 100}, entries=[deal(82, 65), deal(70, 20)])
    amended = records.amend_entry(record, family, 1, deal(110, 65))
    state = records.fold_record(amended, family)
    assert (state.winner, dict(state.totals)) == ("A", {"A": 110, "B": 65})
    assert [(problem.entry, problem.field) for problem in state.problems] == [(2, "entries[1]")]
    assert withdraw_entry(amended, 2) == records.Record(amended.head, amended.entries[:1])


def test_an_amendment_that_breaks_a_rule_itself_is_refused() -> None:
    """Amending is as strict as adding."""
    record, family = open_record(entries=[deal(82, 65), deal(80, 60)])
    with pytest.raises(RuleViolation, match="doubtful-count"):
        records.amend_entry(record, family, 1, deal(300, 60))


def test_a_finished_game_is_mended_by_amending_its_deals() -> None:
    """Nothing can be added to a game that is over, and every deal of it can be put right."""
    record, family = open_record(conventions={"target": 100}, entries=[deal(110, 40)])
    with pytest.raises(RuleViolation, match=r"derda\.end\.target"):
        records.add_entry(record, family, deal(70, 60))
    mended = records.amend_entry(record, family, 1, deal(90, 40))
    assert records.fold_record(records.add_entry(mended, family, deal(70, 60)), family).winner == "A"
