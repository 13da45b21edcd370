"""Files of matches that were deleted here, which only a server does."""

import pytest
from derda import DEAL, HEAD
from flask import Flask

from companion import archives
from companion.matches import AddEntry, Match, Matches
from companion.store.sql import SqlStore

from .instances import JAN, ME, OTHER, OTHER_DEAL, RECORD, Write, make_matches, take


@pytest.fixture
def here(sqlite_app: Flask) -> Matches:
    return make_matches(store=SqlStore())


@pytest.fixture
def match(here: Matches, write: Write) -> Match:
    return write(here, here.start(HEAD, ME, "form"), AddEntry(DEAL), AddEntry(OTHER_DEAL))


def test_of_another_owners_deleted_match_nothing_is_told_either(here: Matches, match: Match) -> None:
    document = archives.write_match(here, match)
    before = take(make_matches(), document, OTHER)[0]
    here.trash.delete(match, here.access(match, ME))
    found, taken = take(here, document, OTHER)
    assert (before.plan, found.plan, taken.plan) == ("new", "copy", "copy")
    assert here.server_store.list_ids(OTHER) == [taken.id]


def test_ones_own_match_comes_back_out_of_the_bin(here: Matches, match: Match) -> None:
    document = archives.write_match(here, match)
    here.trash.delete(match, here.access(match, ME))
    found, taken = take(here, document)
    assert (found.plan, taken.plan, taken.id) == ("new", "new", match.id)
    assert here.open(match.id).events == match.events


def test_the_id_of_an_erased_match_is_not_taken_by_a_file(here: Matches) -> None:
    """Whoever exported it does not get its address, but a copy; its owner has it again."""
    _found, first = take(here, RECORD | {"id": "n" * 22})
    assert first.id == "n" * 22
    here.trash.delete(here.open(first.id), here.access(here.open(first.id), ME))
    here.trash.erase(first.id, ME)
    _found, foreign = take(here, RECORD | {"id": "n" * 22}, JAN)
    assert foreign.plan == "copy" and foreign.id != first.id
    _found, own = take(here, RECORD | {"id": "n" * 22})
    assert (own.plan, own.id) == ("new", first.id)
