"""What was recorded without network: when that was, and when it came."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from derda import DEAL, HEAD

from companion.matches import AddEntry, Match, Matches, Submission
from companion.rules.errors import Unreadable
from companion.store import StaleWrite, Store

from .conftest import ME, Write

A_MINUTE_LATER = "2026-11-20T18:01:00.000+00:00"
LONG_AGO, FAR_AHEAD = "2026-11-20T18:00:00.000+00:00", "2031-01-01T00:00:00.000+00:00"


def test_an_event_says_when_it_was_made_and_when_it_came(matches: Matches) -> None:
    """By the phone's clock, and by the server's, which lists go by; what is written here has one."""
    id = matches.make_id(ME, "a form without network")
    matches.take_start(id, HEAD, ME, LONG_AGO)
    match = matches.open(id)
    written = matches.write(match, AddEntry(DEAL), Submission(ME, 0, "form", A_MINUTE_LATER))
    late = written.events[0]
    assert match.created_at == LONG_AGO < late.at == A_MINUTE_LATER < late.arrived == late.written_at
    assert matches.list_matches(ME)[0].changed_at == late.arrived
    now = matches.write(written, AddEntry(DEAL), Submission(ME, 1, "another form")).events[1]
    assert now.arrived == "" and now.written_at == now.at > late.arrived
    assert matches.open(match.id).events == (late, now)


def test_no_event_is_of_tomorrow(matches: Matches, match: Match) -> None:
    """A phone whose clock is fast has recorded it, or begun the match, when it came."""
    late = matches.write(match, AddEntry(DEAL), Submission(ME, 0, "form", FAR_AHEAD)).events[0]
    assert late.at == late.arrived < FAR_AHEAD
    id = matches.make_id(ME, "another form")
    matches.take_start(id, HEAD, ME, FAR_AHEAD)
    assert matches.open(id).created_at < FAR_AHEAD


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00.000+00:00", "2020-02-29T12:00:00.000+00:00"])
def test_a_phone_whose_clock_was_never_set(matches: Matches, match: Match, at: str) -> None:
    """What it recorded is there, not before what came before it; what it began began when it arrived."""
    written = matches.write(match, AddEntry(DEAL), Submission(ME, 0, "form", at))
    written = matches.write(written, AddEntry(DEAL), Submission(ME, 1, "another form"))
    written = matches.write(written, AddEntry(DEAL), Submission(ME, 2, "third form", at))
    first, second, third = (event.at for event in written.events)
    assert first == match.created_at < second == third < written.events[2].arrived
    id = matches.make_id(ME, "fourth form")
    matches.take_start(id, HEAD, ME, at)
    assert matches.open(id).created_at > third


def test_a_match_that_was_written_in_long_ago_is_the_last_one_as_it_arrives(
    matches: Matches, match: Match, write: Write
) -> None:
    """For who looks at the list it is new; so is one that was begun without network."""
    other = matches.start(HEAD, ME, "other form")
    write(other, AddEntry(DEAL))
    matches.write(match, AddEntry(DEAL), Submission(ME, 0, "form", LONG_AGO))
    assert [match.id for match in matches.list_matches(ME)] == [match.id, other]
    id = matches.make_id(ME, "third form")
    matches.take_start(id, HEAD, ME, LONG_AGO)
    assert [match.id for match in matches.list_matches(ME)] == [id, match.id, other]
    assert matches.open(id).created_at == LONG_AGO


def test_a_match_that_a_phone_began_is_there_once(store: Store, matches: Matches) -> None:
    id = matches.make_id(ME, "form")
    matches.take_start(id, HEAD, ME, LONG_AGO)
    before = matches.open(id)
    matches.take_start(id, HEAD, ME, LONG_AGO)
    assert matches.start(HEAD, ME, "form") == id
    assert matches.open(id) == before
    assert before.rulebook == matches.open(matches.start(HEAD, ME, "another form")).rulebook
    with pytest.raises(StaleWrite):
        matches.take_start(id, HEAD, "another browser", LONG_AGO)
    with pytest.raises(Unreadable, match="players"):
        matches.take_start(matches.make_id(ME, "x"), HEAD | {"players": []}, ME, LONG_AGO)
    assert matches.count_matches(ME) == 2


@pytest.mark.parametrize("store", ["sqlite", "postgresql"], indirect=True)
def test_a_game_that_was_begun_without_network_takes_the_phones_along(
    matches: Matches, match: Match, invite: Callable[..., Any]
) -> None:
    """As it does where its page asks for it; the pages of the one before lead to it."""
    matches.invitations.join(str(invite().secret), "jan", "a phone")
    version = matches.invitations.version(match.id)
    head = HEAD | {"follows": match.id}
    for _twice in range(2):
        matches.take_start("n" * 22, head, ME, LONG_AGO)
        assert [item.browser for item in matches.invitations.list_joined(matches.open("n" * 22))] == ["jan"]
    assert matches.invitations.version(match.id) != version
    matches.take_start("o" * 22, head, "somebody", LONG_AGO)
    assert matches.invitations.list_joined(matches.open("o" * 22)) == []


@pytest.mark.parametrize(
    ("search", "zone", "found"),
    [
        ("2026-11-30", "UTC", True),
        ("2026-12-01", "UTC", False),
        ("2026-11-30", "Europe/Warsaw", False),
        ("2026-12-01 ewa", "Europe/Warsaw", True),
        ("2026-12-01 nobody", "Europe/Warsaw", False),
        ("2026-12", "Europe/Warsaw", True),
        ("2026-11", "Europe/Warsaw", False),
        ("2026-11", "America/New_York", True),
        ("2026-11-31", "UTC", False),
    ],
)
def test_a_day_that_is_looked_for_is_the_readers(
    matches: Matches, monkeypatch: pytest.MonkeyPatch, search: str, zone: str, found: bool
) -> None:
    """By the clock of whoever looks; the same in every store."""
    monkeypatch.setattr(matches, "_now", lambda: datetime(2026, 11, 30, 23, 46, tzinfo=UTC))
    matches.start(HEAD, ME, "late")
    assert bool(matches.list_page(ME, search, 10, zone=ZoneInfo(zone)).listed) == found


def test_a_match_is_found_by_the_day_it_ended_too(
    matches: Matches, monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    """That is the day which lists show."""
    evening = datetime(2026, 11, 20, 22, 0, tzinfo=UTC)
    monkeypatch.setattr(matches, "_now", lambda: evening)
    id = matches.start(HEAD, ME, "late")
    monkeypatch.setattr(matches, "_now", lambda: evening + timedelta(days=2))
    write(id, AddEntry(DEAL))
    days = [f"2026-11-{day}" for day in range(19, 24)]
    found = [day for day in days if matches.list_page(ME, day, 10, zone=UTC).listed]
    assert found == ["2026-11-20", "2026-11-22"]
