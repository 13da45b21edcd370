"""Laws of the rebase, a pure function of two logs: whatever either side wrote, nothing is lost or doubled."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.matches import Change, Match, NoSuchEntry, TooMany
from companion.matches import match as match_module
from companion.offline.rebase import KeyedEvent, Rebased, count_common, rebase
from companion.rules.ruling import RuleViolation

from .test_changes import CLASSES, DEALS, HEAD, make_change, opened

STEPS = st.lists(st.tuples(st.sampled_from(CLASSES), st.integers(0, 59)), max_size=8)


def write(match: Match, steps: list[tuple[type[Change], int]], author: str) -> tuple[Match, list[KeyedEvent]]:
    """The match after such of these changes as it can have, and their events."""
    events = list[KeyedEvent]()
    for kind, n in steps:
        change = make_change(match, kind, DEALS, n)
        try:
            if change is not None:
                change.check(match)
        except (NoSuchEntry, RuleViolation, TooMany):
            continue
        event = None if change is None else change.event(match)
        if event is not None:
            event = replace(event, seq=match.seq + 1, author=author)
            match = match_module.continue_match(match, (event,))
            events.append(KeyedEvent(event, f"{author}-{match.seq}"))
    return match, events


def list_keys(*logs: list[KeyedEvent]) -> list[str]:
    return [keyed.key for log in logs for keyed in log]


def list_conflicts(result: Rebased) -> list[KeyedEvent]:
    return [keyed for keyed, _reason in result.conflicts]


def is_part(part: list[str], whole: list[str]) -> bool:
    """Whether these stand in the whole in the same order."""
    places = iter(whole)
    return all(key in places for key in part)


@given(STEPS, STEPS, STEPS)
def test_nothing_unsent_is_lost_and_the_order_is_kept(
    before: list[tuple[type[Change], int]],
    others: list[tuple[type[Change], int]],
    own: list[tuple[type[Change], int]],
) -> None:
    """Each event is in the new log or in a conflict; only what both agreed to need not be said again."""
    base, common = write(opened(HEAD), before, "base")
    server, theirs = write(base, others, "theirs")
    _match, unsent = write(base, own, "mine")
    result = rebase(server, list_keys(common, theirs), base.seq, unsent)
    written, conflicts = list_keys(result.events), list_keys(list_conflicts(result))
    assert not {*written} & {*conflicts}
    for keyed in unsent:
        assert keyed.key in {*written, *conflicts} or keyed.event.kind == "agree"
    assert is_part(written, list_keys(unsent)) and is_part(conflicts, list_keys(unsent))
    numbers = [keyed.event.seq for keyed in result.events]
    assert numbers == [*range(server.seq + 1, server.seq + 1 + len(numbers))]
    log = (*server.events, *(keyed.event for keyed in result.events))
    assert result.match == opened(HEAD, log)  # as whoever opens that log sees it


@given(STEPS, STEPS, STEPS)
def test_rebasing_twice_changes_nothing(
    before: list[tuple[type[Change], int]],
    others: list[tuple[type[Change], int]],
    own: list[tuple[type[Change], int]],
) -> None:
    base, common = write(opened(HEAD), before, "base")
    server, theirs = write(base, others, "theirs")
    _match, unsent = write(base, own, "mine")
    keys = list_keys(common, theirs)
    once = rebase(server, keys, base.seq, unsent)
    again = rebase(server, keys, server.seq, once.events)
    assert (again.events, again.conflicts) == (once.events, [])


@given(STEPS, STEPS)
def test_a_log_that_others_did_not_continue_is_unchanged(
    before: list[tuple[type[Change], int]], own: list[tuple[type[Change], int]]
) -> None:
    base, common = write(opened(HEAD), before, "base")
    match, unsent = write(base, own, "mine")
    result = rebase(base, list_keys(common), base.seq, unsent)
    assert (result.events, result.conflicts, result.match) == (unsent, [], match)


@given(STEPS, STEPS, STEPS, st.integers(0, 8))
def test_what_is_in_both_logs_counts_once(
    before: list[tuple[type[Change], int]],
    others: list[tuple[type[Change], int]],
    own: list[tuple[type[Change], int]],
    arrived: int,
) -> None:
    """The server took the first of them, the answer was lost, and then others wrote."""
    base, common = write(opened(HEAD), before, "base")
    _match, unsent = write(base, own, "mine")
    taken = unsent[:arrived]
    server = match_module.continue_match(base, tuple(keyed.event for keyed in taken)) if taken else base
    server, theirs = write(server, others, "theirs")
    keys = list_keys(common, taken, theirs)
    result = rebase(server, keys, base.seq, unsent)
    once = [*list_keys(result.events), *list_keys(list_conflicts(result))]
    assert len(once) == len({*once}) and not {*once} & {*keys}
    assert all(result.numbers[keyed.event.seq] == keyed.event.seq for keyed in taken)
    if not theirs:
        assert (list_keys(result.events), result.conflicts) == (list_keys(unsent[arrived:]), [])


@given(STEPS, STEPS)
def test_what_is_refused_is_in_conflict(
    before: list[tuple[type[Change], int]], own: list[tuple[type[Change], int]]
) -> None:
    """With its reason, and never in the log; all the rest is there or in conflict too."""
    base, common = write(opened(HEAD), before, "base")
    _match, unsent = write(base, own, "mine")
    if unsent:
        result = rebase(base, list_keys(common), base.seq, unsent, {unsent[0].key: "writer"})
        assert result.conflicts[0] == (unsent[0], "writer")
        there = {*list_keys(result.events), *list_keys(list_conflicts(result))}
        assert all(keyed.key in there or keyed.event.kind == "agree" for keyed in unsent)


@given(STEPS, STEPS, STEPS)
def test_logs_part_where_they_first_differ(
    before: list[tuple[type[Change], int]],
    others: list[tuple[type[Change], int]],
    own: list[tuple[type[Change], int]],
) -> None:
    base, common = write(opened(HEAD), before, "base")
    (_server, theirs), (_phone, mine) = write(base, others, "theirs"), write(base, own, "mine")
    assert count_common([*common, *mine], [*common, *theirs]) == len(common)
    assert count_common([*common, *mine], common) == len(common)
