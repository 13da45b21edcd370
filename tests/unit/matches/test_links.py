"""Links that invite to a match, and the phones that joined: who may what, who is out, who has the pencil."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from derda import DEAL, HEAD
from stores.behind import Behind

from companion.matches import (
    Access,
    AddEntry,
    Agree,
    Invitation,
    Invitations,
    Match,
    Matches,
    NoSuchLink,
    NotTheWriter,
    Role,
    TooMany,
)
from companion.matches.sharing.invitations import MAX_LINKS, MAX_PHONES
from companion.store import Grant, ServerStore

from .conftest import ME, Invite, Write

PARTNERS = {"game": "klaberjass-4", "players": ["Ewa", "Jan", "Ala", "Olek"], "first_dealer": "A"}
YOU, THEY = "your browser", "their browser"
ANDROID = "Android, Chrome"


@pytest.fixture
def store(server_store: ServerStore) -> ServerStore:
    """Phones neither share matches nor put them away."""
    return server_store


def secret(invitation: Invitation) -> str:
    assert invitation.secret is not None
    return invitation.secret


@pytest.mark.parametrize(
    ("role", "side"),
    [
        (Role.OPPONENT, "B"),
        (Role.OPPONENT, "A"),
        (Role.PENCIL, None),
        (Role.PENCIL, "B"),
        (Role.SPECTATOR, None),
    ],
)
def test_a_link_gives_its_role(matches: Matches, match: Match, invite: Invite, role: Role, side: str) -> None:
    grant = matches.invitations.join(secret(invite(role, side)), YOU, ANDROID)
    access = matches.access(match, YOU)
    assert (access.role, access.side, access.grant) == (role, side, grant)
    assert (grant.phone, grant.match_id) == (ANDROID, match.id)
    assert [match.id for match in matches.list_matches(YOU)] == [match.id]


@pytest.mark.parametrize(
    ("role", "side"),
    [
        (Role.OWNER, None),
        (Role.OWNER, "A"),
        (Role.OPPONENT, None),
        (Role.OPPONENT, "C"),
        (Role.OPPONENT, ""),
        (Role.PENCIL, "C"),
        (Role.PENCIL, ""),
        (Role.SPECTATOR, "A"),
        ("king", "A"),
        ("opponent", None),
    ],
)
def test_no_link_gives_more_than_there_is(
    phones: Invitations, match: Match, owner: Access, role: Role, side: str | None
) -> None:
    """Nobody becomes an owner by a link, nor speaks for a side that does not sit there."""
    with pytest.raises(ValueError, match="no link for"):
        phones.make_link(match, owner, role, side, False, "form")
    assert phones.list_links(match, owner) == []


def test_sides_are_those_of_the_table(matches: Matches) -> None:
    """Four who play in partnerships are two sides; no link is for a single player of one."""
    match = matches.open(matches.start(PARTNERS, ME, "form"))
    assert match.state.ring.sides == ("A", "B")
    owner = matches.access(match, ME)
    matches.invitations.make_link(match, owner, Role.OPPONENT, "B", False, "one")
    with pytest.raises(ValueError, match="no link for"):
        matches.invitations.make_link(match, owner, Role.OPPONENT, "C", False, "two")


def test_a_form_makes_one_link(phones: Invitations, match: Match, owner: Access) -> None:
    """A double tap gives the same link as it is now; another form makes another one."""
    first = phones.make_link(match, owner, Role.OPPONENT, "B", True, "form")
    assert phones.make_link(match, owner, Role.OPPONENT, "B", True, "form") == first
    phones.join(secret(first), YOU, ANDROID)
    assert not phones.make_link(match, owner, Role.OPPONENT, "B", True, "form").is_usable
    other = phones.make_link(match, owner, Role.OPPONENT, "B", True, "another form")
    assert other.secret != first.secret
    assert len(phones.list_links(match, owner)) == 2


def test_links_of_two_matches_are_different(matches: Matches, match: Match, owner: Access) -> None:
    """Also when the same form asked for them: the key of a form is no secret."""
    other = matches.open(matches.start(HEAD, ME, "other match"))
    first = matches.invitations.make_link(match, owner, Role.SPECTATOR, None, False, "form")
    two = matches.invitations.make_link(other, owner, Role.SPECTATOR, None, False, "form")
    assert first.link.id != two.link.id
    assert first.secret != two.secret


def test_a_secret_is_stored_nowhere(behind: Behind, match: Match, invite: Invite) -> None:
    """What lies in the store opens no link, and what pages show of it is not the secret."""
    made = invite()
    stored = repr(behind.read_everything())
    assert len(secret(made)) >= 22, "128 bit at least"
    assert secret(made) not in stored
    assert made.link.id != made.secret


def test_a_link_can_be_shown_again(phones: Invitations, match: Match, owner: Access, invite: Invite) -> None:
    """The owner sees its secret later too, as long as the server knows the key that made it."""
    made = invite()
    assert phones.list_links(match, owner) == [made]
    other_key = Invitations(phones._store, lambda owner, key: [f"another {owner} {key}"], lambda: "now")
    assert [link.secret for link in other_key.list_links(match, owner)] == [None]
    assert other_key.find_link(secret(made), YOU) == made.link, "it works all the same"
    both = Invitations(phones._store, lambda *one: [f"another {one}", *phones._make_ids(*one)], lambda: "now")
    assert both.list_links(match, owner) == [made]


def test_who_used_a_link_is_shown(phones: Invitations, match: Match, owner: Access, invite: Invite) -> None:
    """With the kind of phone and when; also where that phone has joined by another one since."""
    once, many = invite(once=True), invite(Role.SPECTATOR, None)
    joined = phones.join(secret(once), YOU, ANDROID)
    again = phones.join(secret(many), YOU, "iPhone")
    phones.join(secret(many), THEY, "iPad")
    by = {
        link.link.id: [(g.browser, g.phone) for g in link.users] for link in phones.list_links(match, owner)
    }
    assert by[once.link.id] == [(YOU, "iPhone")]
    assert {*by[many.link.id]} == {(YOU, "iPhone"), (THEY, "iPad")}
    assert joined.id == again.id
    usable = {link.link.id: link.is_usable for link in phones.list_links(match, owner)}
    assert usable == {once.link.id: False, many.link.id: True}


@pytest.mark.parametrize("wrong", ["", "x", "\0", "\ud800", "ą" * 10_000, "../..", "%00"])
def test_a_wrong_secret_is_an_unknown_one(phones: Invitations, invite: Invite, wrong: str) -> None:
    made = invite()
    for guess in (wrong, secret(made) + wrong, secret(made)[:-1] + wrong, made.link.id, made.link.digest):
        if guess == secret(made):
            continue
        with pytest.raises(NoSuchLink) as refused:
            phones.find_link(guess, YOU)
        assert refused.value.args == ()
        with pytest.raises(NoSuchLink):
            phones.join(guess, YOU, ANDROID)


def test_used_revoked_and_unknown_links_answer_alike(
    matches: Matches, phones: Invitations, match: Match, owner: Access, invite: Invite
) -> None:
    """Which of them it is is nobody's business; who joined by a revoked one is out at once.

    Nor does one who was put out come back by the link of before; by a new one, with what that gives.
    """
    used, revoked, pencil = invite(once=True), invite(), invite(Role.PENCIL, "A")
    phones.revoke(match, owner, phones.join(secret(pencil), YOU, ANDROID).id)
    with pytest.raises(NoSuchLink):
        phones.find_link(secret(pencil), YOU)
    phones.join(secret(used), THEY, ANDROID)
    phones.join(secret(revoked), YOU, ANDROID)
    assert matches.access(match, YOU).role is Role.OPPONENT
    phones.revoke_link(match, owner, revoked.link.id)
    assert matches.list_matches(YOU) == [] and not matches.access(match, YOU).takes_part
    answers = set()
    for word in (secret(used), secret(revoked), "unknown"):
        with pytest.raises(NoSuchLink) as fault:
            phones.find_link(word, YOU)
        answers.add(repr(fault.value))
    assert len(answers) == 1


def test_looking_at_a_link_uses_nothing_up(phones: Invitations, invite: Invite) -> None:
    made = invite(once=True)
    for who in (None, YOU, THEY, ME):
        assert phones.find_link(secret(made), who) == made.link
    phones.join(secret(made), YOU, ANDROID)
    assert phones.find_link(secret(made), YOU) == made.link, "who has used it is let in again"


def test_how_many_links_there_can_be(
    phones: Invitations, match: Match, owner: Access, invite: Invite
) -> None:
    """So many that can be used; one that is revoked or used up makes room."""
    made = [invite(once=True, key=f"form {n}") for n in range(MAX_LINKS)]
    with pytest.raises(TooMany):
        invite(key="one more")
    assert invite(key="form 0") == made[0], "the second tap of a form is no new link"
    phones.revoke_link(match, owner, made[0].link.id)
    invite(key="one more")
    phones.join(secret(made[1]), YOU, ANDROID)
    invite(key="and another")


# --- the phones at a table -------------------------------------------------------------------------


def test_only_the_owner_shares(matches: Matches, match: Match, invite: Invite, behind: Behind) -> None:
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


def test_the_pencil_goes_round(matches: Matches, match: Match, owner: Access, invite: Invite) -> None:
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


def test_who_joined_and_who_ever_did(matches: Matches, match: Match, owner: Access, invite: Invite) -> None:
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
    invite: Invite,
    write: Write,
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
    assert write(next_id, AddEntry(DEAL), author=YOU).seq == 1


def test_how_many_phones_there_can_be(
    phones: Invitations, store: ServerStore, match: Match, invite: Invite
) -> None:
    made = invite()
    grant = Grant("g", match.id, "b", None, False, "", "")
    store.add_grants([replace(grant, id=f"g{n}", browser=f"b{n}") for n in range(MAX_PHONES - 1)])
    joined = phones.join(secret(made), YOU, ANDROID)
    with pytest.raises(TooMany):
        phones.join(secret(made), THEY, ANDROID)
    assert phones.join(secret(made), YOU, ANDROID).id == joined.id
    store.revoke_grant(match.id, "g7", "now")
    phones.join(secret(made), THEY, ANDROID)


def test_the_pencil_of_a_moment_ago(
    matches: Matches, match: Match, owner: Access, store: ServerStore, write: Write
) -> None:
    """A form that was opened with the pencil in hand is refused once that was taken back."""
    store.add_grants([Grant("b", match.id, YOU, "B", False, "", "")])
    matches.invitations.give_pencil(match, owner, "b")
    write(match.id, AddEntry(DEAL), author=YOU)
    matches.invitations.give_pencil(match, owner, "b", has_pencil=False)
    with pytest.raises(NotTheWriter):
        write(match.id, AddEntry(DEAL), author=YOU)
    matches.invitations.revoke(match, owner, "b")
    with pytest.raises(NotTheWriter):
        write(match.id, Agree(1, "B"), author=YOU)
