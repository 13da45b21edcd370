"""What is counted as lost, doubled or made up of an evening with the pocket."""

from .offline_app import Written, compare

DUE = [Written("add", said={"note": "a"}), Written("withdraw", 1, 1)]
RIGHT = [
    {"n": 1, "kind": "add", "payload": {"note": "a", "bid": None}},
    {"n": 2, "kind": "withdraw", "entry": 1, "undoes": 1},
]


def test_a_log_that_is_as_it_was_acknowledged() -> None:
    assert compare(RIGHT, DUE) == []


def test_what_is_missing_doubled_or_different_is_a_fault() -> None:
    doubled = [*RIGHT, {**RIGHT[1], "n": 3}]
    other = [{**RIGHT[0], "payload": {"note": "b"}}, RIGHT[1]]
    swapped = [{**RIGHT[1], "n": 1}, {**RIGHT[0], "n": 2}]
    assert [len(compare(log, DUE)) for log in (RIGHT[:1], doubled, other, swapped)] == [1, 1, 1, 2]
