"""A series is a tuple to whoever reads it, however it came to be."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.series import Series

PARTS = st.lists(st.lists(st.integers(), max_size=150), max_size=4)


@given(PARTS, st.integers(-500, 500), st.slices(500))
def test_it_holds_what_a_tuple_holds(parts: list[list[int]], at: int, some: slice) -> None:
    series, plain = Series[int](), tuple[int, ...]()
    for part in parts:
        shorter, before = series, plain
        series, plain = series.lengthen(*part), plain + tuple(part)
        assert shorter == before, "the shorter one is as it was"
    assert series == plain and plain == tuple(series) and series == Series(plain)
    assert hash(series) == hash(plain)
    assert len(series) == len(plain) and bool(series) == bool(plain)
    assert tuple(reversed(series)) == plain[::-1]
    assert tuple(series[some]) == plain[some]
    assert series[some] == Series(plain[some])
    assert pickle.loads(pickle.dumps(series)) == series
    if -len(plain) <= at < len(plain):
        assert series[at] == plain[at]
    else:
        with pytest.raises(IndexError):
            series[at]


@given(PARTS, st.integers(0, 600), st.lists(st.integers(), max_size=70))
def test_two_go_on_from_the_same_one(parts: list[list[int]], length: int, more: list[int]) -> None:
    plain = tuple(item for part in parts for item in part)
    begun = Series(plain)[:length]
    one, other = begun.lengthen(*more), begun.lengthen(*more, 0)
    assert begun == plain[:length]
    assert one == (*plain[:length], *more) and other == (*plain[:length], *more, 0)


def test_it_is_nothing_but_a_series_or_a_tuple() -> None:
    assert Series([1]) != [1]
    assert Series([1]) != (2,)
    assert repr(Series("ab")) == "Series(['a', 'b'])"
