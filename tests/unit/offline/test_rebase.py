"""Laws of the rebase, a pure function of two logs: whatever either side wrote, nothing is lost or doubled."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from companion.matches import Change, Match
from companion.matches import match as match_module
from companion.offline.log import count_common
from companion.offline.rebase import ConflictReason, KeyedEvent, Rebased, rebase

from .test_changes import CLASSES, DEALS, HEAD, find_event, opened

Steps = list[tuple[type[Change], int]]
STEPS = st.lists(st.tuples(st.sampled_from(CLASSES), st.integers(0, 59)), max_size=8)


def write(match: Match, steps: Steps, author: str) -> tuple[Match, list[KeyedEvent]]:
    """The match after such of these changes as it can have, and their events."""
    events = list[KeyedEvent]()
    for kind, n in steps:
        event = find_event(match, kind, DEALS, n)
        if event is not None:
            event = replace(event, seq=match.seq + 1, author=author)
            match = match_module.continue_match(match, (event,))
            events.append(KeyedEvent(event, f"{author}-{match.seq}"))
    return match, events


@dataclass(frozen=True)
class Fork:
    """Two logs that others and this phone made of one: that of the server, and what is unsent here."""

    base: Match
    common: list[KeyedEvent]
    server: Match
    taken: list[KeyedEvent]
    theirs: list[KeyedEvent]
    match: Match
    unsent: list[KeyedEvent]

    @property
    def keys(self) -> list[str]:
        return list_keys(self.common, self.taken, self.theirs)

    def rebase(self, refused: Mapping[str, ConflictReason] | None = None) -> Rebased:
        """What is unsent, behind what the server has."""
        return rebase(self.server, self.keys, self.base.seq, self.unsent, refused)


def fork(before: Steps, others: Steps, own: Steps, arrived: int = 0) -> Fork:
    """The server took so many of the own, the answer was lost, and then others wrote."""
    base, common = write(opened(HEAD), before, "base")
    match, unsent = write(base, own, "mine")
    taken = unsent[:arrived]
    server = match_module.continue_match(base, tuple(keyed.event for keyed in taken)) if taken else base
    server, theirs = write(server, others, "theirs")
    return Fork(base, common, server, taken, theirs, match, unsent)


FORKS = st.builds(fork, STEPS, STEPS, STEPS)
ALONE = st.builds(fork, STEPS, st.just([]), STEPS)


def list_keys(*logs: list[KeyedEvent]) -> list[str]:
    return [keyed.key for log in logs for keyed in log]


def list_conflicts(result: Rebased) -> list[KeyedEvent]:
    return [keyed for keyed, _reason in result.conflicts]


def is_part(part: list[str], whole: list[str]) -> bool:
    """Whether these stand in the whole in the same order."""
    places = iter(whole)
    return all(key in places for key in part)


@given(FORKS)
def test_nothing_unsent_is_lost_and_the_order_is_kept(fork: Fork) -> None:
    """Each event is in the new log or in a conflict; only what both agreed to need not be said again."""
    result = fork.rebase()
    written, conflicts = list_keys(result.events), list_keys(list_conflicts(result))
    assert not {*written} & {*conflicts}
    for keyed in fork.unsent:
        assert keyed.key in {*written, *conflicts} or keyed.event.kind == "agree"
    assert is_part(written, list_keys(fork.unsent)) and is_part(conflicts, list_keys(fork.unsent))
    numbers = [keyed.event.seq for keyed in result.events]
    assert numbers == [*range(fork.server.seq + 1, fork.server.seq + 1 + len(numbers))]
    log = (*fork.server.events, *(keyed.event for keyed in result.events))
    assert result.match == opened(HEAD, log)  # as whoever opens that log sees it


@given(FORKS)
def test_rebasing_twice_changes_nothing(fork: Fork) -> None:
    once = fork.rebase()
    again = rebase(fork.server, fork.keys, fork.server.seq, once.events)
    assert (again.events, again.conflicts) == (once.events, [])


@given(ALONE)
def test_a_log_that_others_did_not_continue_is_unchanged(fork: Fork) -> None:
    result = fork.rebase()
    assert (result.events, result.conflicts, result.match) == (fork.unsent, [], fork.match)


@given(st.builds(fork, STEPS, STEPS, STEPS, st.integers(0, 8)))
def test_what_is_in_both_logs_counts_once(fork: Fork) -> None:
    result = fork.rebase()
    once = [*list_keys(result.events), *list_keys(list_conflicts(result))]
    assert len(once) == len({*once}) and not {*once} & {*fork.keys}
    assert all(result.numbers[keyed.event.seq] == keyed.event.seq for keyed in fork.taken)
    if not fork.theirs:
        behind = fork.unsent[len(fork.taken) :]
        assert (list_keys(result.events), result.conflicts) == (list_keys(behind), [])


@given(ALONE)
def test_what_is_refused_is_in_conflict(fork: Fork) -> None:
    """With its reason, and never in the log; all the rest is there or in conflict too."""
    if fork.unsent:
        result = fork.rebase({fork.unsent[0].key: "writer"})
        assert result.conflicts[0] == (fork.unsent[0], "writer")
        there = {*list_keys(result.events), *list_keys(list_conflicts(result))}
        assert all(keyed.key in there or keyed.event.kind == "agree" for keyed in fork.unsent)


@given(FORKS)
def test_logs_part_where_they_first_differ(fork: Fork) -> None:
    here = [*fork.common, *fork.unsent]
    assert count_common(here, [*fork.common, *fork.theirs]) == len(fork.common)
    assert count_common(here, fork.common) == len(fork.common)
