"""The phones at a table: who takes part, who is put out or leaves, who has the pencil, and who says so."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from stores.behind import Behind

from companion.matches import (
    Access,
    AddEntry,
    Invitation,
    Invitations,
    Match,
    Matches,
    NoSuchLink,
    NotTheWriter,
    Role,
    TooMany,
)
from companion.matches.sharing.invitations import MAX_PHONES
from companion.store import Grant, Store

HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
PARTNERS = {"game": "klaberjass-4", "players": ["Ewa", "Jan", "Ala", "Olek"], "first_dealer": "A"}
OWNER, YOU, THEY = "my browser", "your browser", "their browser"
ANDROID = "Android, Chrome"


def secret(invitation: Invitation) -> str:
    assert invitation.secret is not None
    return invitation.secret


def test_a_phone_that_was_put_out_stays_out(
    matches: Matches, match: Match, owner: Access, invite: Callable[..., Invitation]
) -> None:
    """Not by the link it came by, as one that left may; by a new one, with what that gives."""
    made = invite(Role.PENCIL, "A")
    grant = matches.invitations.join(secret(made), YOU, ANDROID)
    matches.invitations.revoke(match, matches.access(match, YOU), grant.id)
    assert not matches.access(match, YOU).takes_part
    assert matches.invitations.join(secret(made), YOU, ANDROID).id == grant.id
    matches.invitations.revoke(match, owner, grant.id)
    with pytest.raises(NoSuchLink):
        matches.invitations.find_link(secret(made), YOU)
    with pytest.raises(NoSuchLink):
        matches.invitations.join(secret(made), YOU, ANDROID)
    matches.invitations.join(secret(invite(Role.SPECTATOR, None)), YOU, ANDROID)
    assert matches.access(match, YOU).role is Role.SPECTATOR
    assert matches.access(match, YOU).side is None


def test_only_the_owner_shares(
    matches: Matches, match: Match, invite: Callable[..., Invitation], behind: Behind
) -> None:
    """Neither a pencil nor anybody else makes, sees or ends links, or says who has the pencil."""
    made = invite(Role.PENCIL, None)
    pencil = matches.invitations.join(secret(made), YOU, ANDROID)
    other = matches.invitations.join(secret(invite()), THEY, ANDROID)
    before = behind.read_everything()
    phones = matches.invitations
    for who in (YOU, THEY, "stranger", None):
        access = matches.access(match, who)
        own = access.grant.id if access.grant else ""
        actions: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
            (phones.make_link, (Role.OPPONENT, "A", False, "key")),
            (phones.list_links, ()),
            (phones.revoke_link, (made.link.id,)),
            (phones.give_pencil, (own,)),
        ]
        for id in {pencil.id, other.id} - {own}:
            actions += [(phones.give_pencil, (id, has_pencil)) for has_pencil in (True, False)]
            actions += [(phones.revoke, (id,))]
        for action, arguments in actions:
            with pytest.raises(NotTheWriter):
                action(match, access, *arguments)
    assert behind.read_everything() == before


def test_the_pencil_goes_round(
    matches: Matches, match: Match, owner: Access, invite: Callable[..., Invitation]
) -> None:
    """Handed to a phone that joined, given back by it or taken back; it keeps the side it speaks for."""
    grant = matches.invitations.join(secret(invite()), YOU, ANDROID)
    matches.invitations.give_pencil(match, owner, grant.id)
    access = matches.access(match, YOU)
    assert (access.role, access.side) == (Role.PENCIL, "B")
    matches.invitations.give_pencil(match, access, grant.id, has_pencil=False)
    assert matches.access(match, YOU).role is Role.OPPONENT
    matches.invitations.revoke(match, owner, grant.id)
    assert matches.invitations.give_pencil(match, owner, grant.id) is None, "it has left meanwhile"
    assert matches.invitations.give_pencil(match, owner, "unknown") is None


def test_who_joined_and_who_ever_did(
    matches: Matches, match: Match, owner: Access, invite: Callable[..., Invitation]
) -> None:
    """The list is of those who may do something now; whose phone wrote is known of the others too."""
    first = matches.invitations.join(secret(invite()), YOU, ANDROID)
    two = matches.invitations.join(secret(invite(Role.SPECTATOR, None)), THEY, ANDROID)
    assert [grant.id for grant in matches.invitations.list_joined(match)] == [two.id, first.id]
    matches.invitations.revoke(match, owner, first.id)
    assert matches.invitations.list_joined(match) == [two]
    assert matches.invitations.speakers(match) == {YOU: "B", THEY: None}


def test_phones_go_along_to_the_next_game(
    matches: Matches,
    match: Match,
    owner: Access,
    invite: Callable[..., Invitation],
    write: Callable[..., Match],
) -> None:
    """Whoever takes part does the same in the game that follows; the link was for this one."""
    made = invite(Role.PENCIL, "B")
    matches.invitations.join(secret(made), YOU, ANDROID)
    out = matches.invitations.join(secret(invite()), THEY, ANDROID)
    matches.invitations.revoke(match, owner, out.id)
    next_id = matches.start_again(match)
    assert matches.start_again(match) == next_id
    following = matches.open(next_id)
    access = matches.access(following, YOU)
    assert (access.role, access.side) == (Role.PENCIL, "B")
    assert not matches.access(following, THEY).takes_part
    assert access.grant is not None
    assert access.grant.id != matches.invitations.list_joined(match)[0].id, "an id names one grant"
    matches.invitations.revoke_link(match, owner, made.link.id)
    assert matches.access(following, YOU).role is Role.PENCIL
    assert write(next_id, AddEntry(deal()), author=YOU).seq == 1


def deal() -> dict[str, Any]:
    return {
        "type": "deal",
        "contract": {"declarer": "A", "trump": "H"},
        "totals": {"A": 82, "B": 65},
    }


def test_the_version_changes_with_whatever_a_page_may_show(
    matches: Matches,
    match: Match,
    owner: Access,
    invite: Callable[..., Invitation],
    write: Callable[..., Match],
) -> None:
    """The log's length and the changes of access; unchanged by looking."""
    phones = matches.invitations
    assert phones.version(match.id) == "0.0"
    made = invite()
    phones.find_link(secret(made), YOU)
    assert phones.version(match.id) == "0.1"
    grant = phones.join(secret(made), YOU, ANDROID)
    phones.give_pencil(match, owner, grant.id)
    assert phones.version(match.id) == "0.3"
    write(match.id, AddEntry(deal()))
    assert phones.version(match.id) == "1.3"
    assert phones.version("nowhere") is phones.version("\0") is None


def test_how_many_phones_there_can_be(
    phones: Invitations, store: Store, match: Match, invite: Callable[..., Invitation]
) -> None:
    """So many at a time; one that is in may open its link again."""
    made = invite()
    grant = Grant("g", match.id, "b", None, False, "", "")
    store.add_grants([replace(grant, id=f"g{n}", browser=f"b{n}") for n in range(MAX_PHONES - 1)])
    joined = phones.join(secret(made), YOU, ANDROID)
    with pytest.raises(TooMany):
        phones.join(secret(made), THEY, ANDROID)
    assert phones.join(secret(made), YOU, ANDROID).id == joined.id
    store.revoke_grant(match.id, "g7", "now")
    phones.join(secret(made), THEY, ANDROID)
