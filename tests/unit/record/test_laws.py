"""Laws of records that hold whatever is played: of folding, amending, writing and reading back."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from amending import amend_entry
from dealing import tables
from histories import withdraw_entry
from hypothesis import given
from hypothesis import strategies as st
from tiers import few_examples

from companion import library
from companion.record import record as records
from tests.unit.beating.test_session_laws import session

Drawn = tuple[records.Record, Any]
seeds = st.integers(0, 2**32)
few = few_examples(10, 60)


def draw_match(random: Random) -> Drawn:
    table = tables(random)
    return table.match(random, 4), table.family


def draw_session(random: Random) -> Drawn:
    _rules, record, family = session(random, 5)
    return record, family


each_family = pytest.mark.parametrize("draw", [draw_match, draw_session])
Draw = Callable[[Random], Drawn]


@each_family
@few
@given(seed=seeds, data=st.data())
def test_folding_a_part_and_then_the_rest_is_folding_all(draw: Draw, seed: int, data: st.DataObject) -> None:
    record, family = draw(Random(seed))
    cut = data.draw(st.integers(0, len(record.entries)))
    part = records.fold_record(records.Record(record.head, record.entries[:cut]), family)
    rest = records.fold_record(records.Record(record.head, record.entries[cut:]), family, part)
    assert rest == records.fold_record(record, family)
    assert rest.rows[:cut] == part.rows


@each_family
@few
@given(seed=seeds)
def test_what_is_amended_with_itself_or_written_is_the_same(draw: Draw, seed: int) -> None:
    """Every entry may be amended with its own content; the record is read back, and written once more."""
    record, family = draw(Random(seed))
    for n, entry in enumerate(record.entries, 1):
        assert amend_entry(record, family, n, entry) == record
    document = json.loads(json.dumps(records.write_record(record)))
    again, _game = records.read_record(document, library.open_game)
    assert again == record
    assert records.write_record(again) == document


@each_family
@few
@given(seed=seeds, data=st.data())
def test_editing_an_early_entry_flags_and_loses_nothing(draw: Draw, seed: int, data: st.DataObject) -> None:
    """After an early entry was changed or withdrawn, every later one still has its row."""
    record, family = draw(Random(seed))
    if not record.entries:
        return
    n = data.draw(st.integers(1, len(record.entries)))
    other = {"type": "deal", "redeal": "misdeal"} if draw is draw_match else {"type": "hand", "loser": None}
    state = records.fold_record(amend_entry(record, family, n, other), family)
    assert len(state.rows) == len(record.entries)
    assert all(problem.entry > n for problem in state.problems)
    assert len(records.fold_record(withdraw_entry(record, n), family).rows) == len(record.entries) - 1
