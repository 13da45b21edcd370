"""Ids of what forms make, in two steps, so that a phone knows its own; those of before are found again."""

import base64
import hmac
from hashlib import sha256

import pytest
from derda import HEAD

from companion.matches import Access, Invitations, Match, Matches, Role
from companion.store import Link, SavedRuling, Store, StoredMatch

from .conftest import ME, Write


def id_of_before(owner: str, form_key: str, secret: str = "secret") -> str:
    """As ids were made when there were no seeds."""
    digest = hmac.digest(secret.encode(), f"{owner}:{form_key}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def test_a_phone_makes_the_match_that_the_server_makes(store: Store) -> None:
    """Of the same form, with the seed that it was given; it knows itself by another name."""
    server = Matches(store, "secret")
    phone = Matches(store, seed=server.ids.seed(ME))
    assert server.start(HEAD, ME, "form") == phone.make_id("a mark", "form")
    assert phone.ids.seed("a mark") == server.ids.seed(ME)
    other = server.ids.seed("another browser")
    assert other != server.ids.seed(ME) != Matches(store, "another").ids.seed(ME)
    phone.ids.take_seed(other)
    assert phone.make_id("a mark", "form") == server.make_id("another browser", "form")


@pytest.mark.parametrize("former", [[], ["older"]])
def test_a_form_of_before_sent_again_makes_no_second_match(store: Store, former: list[str]) -> None:
    """Nor a second ruling, with today's secret or a former one."""
    matches = Matches(store, "secret", former=former)
    secret = former[0] if former else "secret"
    id = id_of_before(ME, "form", secret)
    store.create_match(StoredMatch(id, ME, HEAD, (), "2026-11-20T19:00:00.000+00:00", "1"))
    assert matches.start(HEAD, ME, "form") == id
    assert [match.id for match in matches.list_matches(ME)] == [id]
    assert matches.start(HEAD, ME, "another form") == matches.ids.make(ME, "another form")[0]
    ruling = SavedRuling(id_of_before(ME, "ruling", secret), ME, "2026", {"said": "yes"})
    store.save_ruling(ruling)
    assert matches.save_ruling(ME, "ruling", {"said": "yes"}) == ruling


def test_a_game_that_was_begun_after_another_before_has_no_second_one(
    store: Store, matches: Matches, write: Write
) -> None:
    first = matches.start(HEAD, ME, "form")
    head = HEAD | {"follows": first}
    id = id_of_before(ME, f"after {first}")
    store.create_match(StoredMatch(id, ME, head, (), "2026-11-20T19:00:00.000+00:00", "1"))
    assert matches.start_again(matches.open(first)) == id


@pytest.mark.parametrize("store", ["sqlite", "postgresql"], indirect=True)
def test_links_of_before_are_listed_and_open(
    matches: Matches, phones: Invitations, match: Match, owner: Access
) -> None:
    """Their addresses stand on paper and in messages; the form that made one makes no other."""
    id = id_of_before(ME, f"link {match.id} form")
    secret = id_of_before(ME, f"secret of link {id}")
    digest = sha256(f"link:{secret}".encode()).hexdigest()
    matches.server_store.add_link(Link(id, match.id, digest, Role.PENCIL, None, False, matches.timestamp()))
    assert [link.secret for link in phones.list_links(match, owner)] == [secret]
    assert phones.find_link(secret, "jan").id == id
    assert phones.join(secret, "jan", "a phone").has_pencil
    assert phones.make_link(match, owner, Role.PENCIL, None, False, "form").link.id == id
    fresh = phones.make_link(match, owner, Role.PENCIL, None, False, "another form")
    assert fresh.secret is not None and phones.find_link(fresh.secret, "ola") == fresh.link
