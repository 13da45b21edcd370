"""Put away, deleted, brought back: the owner's to do; what others see of it, and what comes after."""

from datetime import UTC, datetime

import pytest
from derda import DEAL, HEAD

from companion.matches import (
    Access,
    AddEntry,
    DeletedMatch,
    Invitations,
    Match,
    Matches,
    NoSuchMatch,
    NotTheWriter,
    Role,
    Submission,
)
from companion.store import ServerStore

from .conftest import ME, Invite, Write


@pytest.fixture
def store(server_store: ServerStore) -> ServerStore:
    """Phones do not share matches."""
    return server_store


@pytest.fixture
def jan(phones: Invitations, invite: Invite) -> str:
    secret = invite(Role.PENCIL, "B").secret
    assert secret is not None
    phones.join(secret, "jan", "")
    return "jan"


def test_only_the_owner_puts_away_and_deletes(matches: Matches, match: Match, jan: str) -> None:
    access, actions = matches.access(match, jan), matches.trash
    for action in (actions.put_away, actions.take_out, actions.delete):
        with pytest.raises(NotTheWriter):
            action(match, access)
    for action_by_id in (actions.bring_back, actions.erase):
        with pytest.raises(NoSuchMatch):
            action_by_id(match.id, jan)
    assert matches.open(match.id) == match


def test_nobody_opens_a_deleted_match_and_those_who_took_part_may_know_why(
    matches: Matches, match: Match, owner: Access, jan: str
) -> None:
    """Also where it is remembered. A stranger learns no more than of a match that never was."""
    matches.trash.delete(match, owner)
    with pytest.raises(DeletedMatch) as refused:
        matches.open(match.id)
    assert isinstance(refused.value, NoSuchMatch)
    took_part = [matches.trash.took_part(refused.value, who) for who in (ME, jan, "a stranger", None)]
    assert took_part == [True, True, False, False]
    assert matches.open_if_readable(match.id) is None
    assert matches.invitations.version(match.id) is None


def test_what_is_for_a_deleted_match_is_refused(
    matches: Matches, match: Match, owner: Access, jan: str
) -> None:
    """An entry that waited in a phone is answered as one for a match that is not there."""
    matches.trash.delete(match, owner)
    with pytest.raises(DeletedMatch):
        matches.write(match, AddEntry(DEAL), Submission(jan, 0, "form"))
    matches.trash.bring_back(match.id, ME)
    assert matches.open(match.id).events == ()


def test_a_deleted_match_comes_back_with_all_that_was_in_it(
    matches: Matches, match: Match, owner: Access, write: Write, jan: str
) -> None:
    before = write(match.id, AddEntry(DEAL))
    matches.trash.delete(before, owner)
    (listed,) = matches.trash.list_deleted(ME)
    summary = matches.summary(listed)
    assert summary is not None and summary.totals == [82, 65]
    matches.trash.bring_back(match.id, ME)
    assert matches.open(match.id) == before
    assert matches.access(before, jan).may_record
    assert matches.trash.list_deleted(ME) == []


def test_the_bin_shows_a_match_whose_summary_is_forgotten(
    matches: Matches, match: Match, store: ServerStore
) -> None:
    store.set_visibility(match.id, "deleted", matches.timestamp())
    (listed,) = matches.trash.list_deleted(ME)
    assert matches.summary(listed) is not None


def test_after_thirty_days_a_match_is_erased_by_whoever_looks(store: ServerStore) -> None:
    """At the list of the trash or at that of the matches; until then its owner can bring it back."""
    days = {"now": datetime(2026, 11, 1, tzinfo=UTC)}
    matches = Matches(store, "secret", lambda: days["now"])
    first, second = (matches.open(matches.start(HEAD, ME, form)) for form in ("one", "two"))
    matches.trash.delete(first, matches.access(first, ME))
    days["now"] = datetime(2026, 11, 20, tzinfo=UTC)
    matches.trash.delete(second, matches.access(second, ME))
    days["now"] = datetime(2026, 12, 1, tzinfo=UTC)
    found = [(item.id, matches.trash.erased_at(item)[:10]) for item in matches.trash.list_deleted(ME)]
    assert found == [(second.id, "2026-12-20"), (first.id, "2026-12-01")]
    days["now"] = datetime(2026, 12, 2, tzinfo=UTC)
    assert [match.id for match in matches.trash.list_deleted(ME)] == [second.id]
    days["now"] = datetime(2026, 12, 30, tzinfo=UTC)
    matches.list_page(ME, "", 20)
    assert store.load_match(second.id) is None
    with pytest.raises(NoSuchMatch) as refused:
        matches.open(second.id)
    assert not isinstance(refused.value, DeletedMatch)


def test_a_rematch_is_begun_anew_where_one_was_deleted(matches: Matches, match: Match, write: Write) -> None:
    """A rematch that was thrown away makes place for another, and stays in the trash."""
    over = write(match.id, AddEntry({"type": "concede", "side": "A"}))
    ids = []
    for _again in range(3):
        ids.append(matches.start_again(over))
        game = matches.open(ids[-1])
        matches.trash.delete(game, matches.access(game, ME))
        assert matches.successor(over) is None
    assert len(set(ids)) == 3
    matches.trash.bring_back(ids[1], ME)
    assert matches.start_again(over) == ids[1]


def test_an_evening_ends_at_a_match_that_was_deleted(
    matches: Matches, match: Match, owner: Access, write: Write
) -> None:
    over = write(match.id, AddEntry({"type": "concede", "side": "A"}))
    after = matches.open(matches.start_again(over))
    matches.trash.delete(over, owner)
    assert [match.id for match in matches.evening(after)] == [after.id]


def test_a_match_deleted_between_look_and_writing_is_gone(
    matches: Matches, match: Match, store: ServerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store refuses it under its lock; the answer is that of a match that is not there."""
    append = store.append_event

    def late(*arguments: object) -> object:
        store.set_visibility(match.id, "deleted", "x")
        return append(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "append_event", late)
    with pytest.raises(DeletedMatch):
        matches.write(match, AddEntry(DEAL), Submission(ME, 0, "form"))
