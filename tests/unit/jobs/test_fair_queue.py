"""A queue in which everybody has a turn."""

import pytest

from companion.jobs import AskedTooMuch, QueueFull
from companion.jobs.pool import FairQueue

SHARE = 9


def fill(asked: str, in_all: int = 99) -> FairQueue[str]:
    """A queue in which this was asked: `a1 a2 b1` are two things of one browser and one of another."""
    queue: FairQueue[str] = FairQueue(in_all)
    for work in asked.split():
        queue.add(work[0], work, SHARE)
    return queue


def empty(queue: FairQueue[str]) -> str:
    taken = []
    while (work := queue.take()) is not None:
        taken.append(work)
    return " ".join(taken)


@pytest.mark.parametrize(
    ("asked", "done"),
    [
        ("", ""),
        ("a1 a2 a3", "a1 a2 a3"),
        ("a1 a2 a3 b1 c1", "a1 b1 c1 a2 a3"),
        ("a1 a2 b1 b2 c1 c2", "a1 b1 c1 a2 b2 c2"),
        ("b1 a1 a2 a3 b2", "b1 a1 b2 a2 a3"),
    ],
)
def test_each_browser_has_its_turn(asked: str, done: str) -> None:
    queue = fill(asked)
    places = {work: queue.count_before(work) for work in asked.split()}
    assert empty(queue) == done
    assert places == {work: place for place, work in enumerate(done.split())}


def test_who_comes_later_waits_for_one_of_each() -> None:
    queue = fill("a1 a2 a3")
    assert queue.take() == "a1"
    queue.add("b", "b1", SHARE)
    assert queue.count_before("b1") == 1
    assert empty(queue) == "a2 b1 a3"


def test_one_browser_has_so_much() -> None:
    """What is being done counts too, until it is done."""
    queue = fill("a1 a2")
    with pytest.raises(AskedTooMuch) as refused:
        queue.add("a", "a3", 2, wait=7)
    assert refused.value.wait == 7
    queue.add("b", "b1", SHARE)
    queue.take()
    with pytest.raises(AskedTooMuch):
        queue.add("a", "a3", 2)
    queue.finish("a")
    queue.add("a", "a3", 2)
    assert empty(queue) == "b1 a2 a3"


def test_all_have_so_much() -> None:
    """Then nobody is let in, whoever it is."""
    queue = fill("a1 b1 c1", in_all=3)
    with pytest.raises(QueueFull):
        queue.add("d", "d1", SHARE)
    queue.take()
    with pytest.raises(QueueFull):
        queue.add("d", "d1", SHARE)
    queue.finish("a")
    queue.add("d", "d1", SHARE)
    assert (len(queue), queue.held) == (3, 3)


def test_what_does_not_wait_has_no_place() -> None:
    queue = fill("a1 a2")
    queue.take()
    assert queue.count_before("a1") is None and queue.count_before("x") is None


def test_what_may_not_be_taken_yet_is_left() -> None:
    queue = fill("a1 a2 b1 b2")
    taken = [queue.take(lambda item: item != "a1") for _time in range(4)]
    assert taken == ["a2", "b1", "b2", None]
    assert queue.take() == "a1"
