"""Who may do what is decided in one place: every role against every change."""

from dataclasses import replace

import pytest
from derda import HEAD, deal

from companion.matches import (
    Access,
    AddEntry,
    Agree,
    AmendEntry,
    AttachRuling,
    Change,
    CorrectHead,
    DetachRuling,
    KeepDraft,
    Matches,
    NotTheWriter,
    Object,
    PutBack,
    RestoreEntry,
    Role,
    Undo,
    WithdrawEntry,
    WithdrawObjection,
)
from companion.matches import changes as changes_module
from companion.matches.sharing.access import decide_access
from companion.store import Grant, Store, Token
from companion.store.memory import MemoryStore

from .conftest import ME, Write

RULING = {"id": "r", "question": "play", "verdict": "allowed"}


GRANTS = {
    "pencil": Grant("p", "", "pencil", None, True, "", ""),
    "pencil of A": Grant("pa", "", "pencil of A", "A", True, "", ""),
    "opponent of A": Grant("a", "", "opponent of A", "A", False, "", ""),
    "opponent of B": Grant("b", "", "opponent of B", "B", False, "", ""),
    "spectator": Grant("s", "", "spectator", None, False, "", ""),
}
WRITERS = {ME, "pencil", "pencil of A"}
EVERYBODY = [ME, *GRANTS, "revoked", "stranger"]


def test_a_token_gives_no_more_than_its_owner_has(matches: Matches) -> None:
    """In its role at most, for its side, in its match; elsewhere it only looks."""
    match = matches.open(matches.start(HEAD, ME, "form"))

    def decide(who: str, role: str, side: str | None = None, about: str | None = None) -> Access:
        token = Token("", "", who, about, role, side, "")
        return decide_access(match, who, GRANTS.get(who), token)

    assert decide(ME, "owner").may_share
    assert not decide(ME, "owner", about="another").may_record
    assert decide(ME, "pencil", about=match.id) == Access(Role.PENCIL)
    assert decide("pencil", "owner").role is Role.PENCIL
    assert decide("spectator", "pencil") == Access(Role.SPECTATOR)
    assert decide(ME, "opponent", "B") == Access(Role.OPPONENT, "B")
    assert decide("opponent of A", "opponent", "B") == Access(Role.SPECTATOR)
    assert decide(ME, "spectator") == Access(Role.SPECTATOR)


LENGTH = 6
"""Events of the match: deal 1, B's objection to it, A's, a ruling, deal 5, withdrawn."""
RECORDING: list[Change] = [
    AddEntry(deal(82, 65)),
    AmendEntry(1, deal(80, 67)),
    WithdrawEntry(1),
    RestoreEntry(5),
    KeepDraft({"type": "deal"}),
    CorrectHead({"place": "Łódź"}),
    Undo(),
    PutBack(),
    AttachRuling(RULING, 1),
    AttachRuling(RULING, None),
    DetachRuling(4),
]
OF_SIDE: dict[str, list[Change]] = {
    "A": [Agree(1, "A"), Object(1, "A", "count"), WithdrawObjection(3), AttachRuling(RULING, 1, objection=3)],
    "B": [Agree(1, "B"), Object(1, "B", "runs"), WithdrawObjection(2), AttachRuling(RULING, 1, objection=2)],
}


@pytest.fixture
def store() -> Store:
    """In memory: who may do what is decided before a store is asked, and all kinds of them agree."""
    return MemoryStore()


@pytest.fixture
def id(matches: Matches, store: Store, write: Write) -> str:
    """A match in which everybody has taken part, with something of each kind in it."""
    id = matches.start(HEAD, ME, "form")
    for change in (
        AddEntry(deal(82, 65)),
        Object(1, "B", "count"),
        Object(1, "A", "other", "why"),
        AttachRuling(RULING, 1),
        AddEntry(deal(90, 57)),
        WithdrawEntry(5),
    ):
        write(id, change)
    revoked = Grant("r", id, "revoked", "B", True, "", "", revoked_at="then")
    store.add_grants([*(replace(grant, match_id=id) for grant in GRANTS.values()), revoked])
    return id


def may(who: str, change: Change) -> bool:
    if who in WRITERS:
        return True
    return any(who == f"opponent of {side}" and change in changes for side, changes in OF_SIDE.items())


@pytest.mark.parametrize("change", [*RECORDING, *OF_SIDE["A"], *OF_SIDE["B"]], ids=repr)
@pytest.mark.parametrize("who", EVERYBODY)
def test_who_may_change_what(matches: Matches, id: str, write: Write, who: str, change: Change) -> None:
    """All that is written goes through one question, which has this answer; refused, nothing is written."""
    if may(who, change):
        assert {event.author for event in write(id, change, author=who).events[LENGTH:]} <= {who}
    else:
        with pytest.raises(NotTheWriter):
            write(id, change, author=who)
        assert matches.open(id).seq == LENGTH


def test_every_change_there_is_was_tried() -> None:
    """A change that is new has a line here."""
    tried = {type(change) for change in (*RECORDING, *OF_SIDE["A"])}
    classes = [var for var in vars(changes_module).values() if isinstance(var, type)]
    there = {var for var in classes if "event" in vars(var)}
    assert there - {Change} == tried


def test_what_each_role_may(matches: Matches, id: str) -> None:
    """What pages ask before they show a button is what writing answers."""
    match = matches.open(id)
    seen = {who: matches.access(match, who) for who in [*EVERYBODY, None]}
    roles = {ME: Role.OWNER, "pencil": Role.PENCIL, "pencil of A": Role.PENCIL}
    roles |= {"opponent of A": Role.OPPONENT, "opponent of B": Role.OPPONENT}
    assert {who: access.role for who, access in seen.items()} == dict.fromkeys(seen, Role.SPECTATOR) | roles
    assert {who for who, access in seen.items() if access.may_record} == WRITERS
    assert {who for who, access in seen.items() if access.may_share} == {ME}
    assert {who for who, access in seen.items() if access.may_remark("A")} == {*WRITERS, "opponent of A"}
    assert {who for who, access in seen.items() if access.may_remark("B")} == {*WRITERS, "opponent of B"}
    assert {who for who, access in seen.items() if not access.takes_part} == {"revoked", "stranger", None}
    assert seen["pencil of A"].side == "A"


def test_a_grant_of_the_owner_takes_nothing_from_it(matches: Matches, store: Store, id: str) -> None:
    store.add_grants([Grant("o", id, ME, "B", False, "", "")])
    assert matches.access(matches.open(id), ME) == Access(Role.OWNER)


def test_a_grant_of_another_match_is_none_here(matches: Matches, store: Store, id: str) -> None:
    other = matches.start(HEAD, ME, "other form")
    assert matches.access(matches.open(other), "pencil").role is Role.SPECTATOR


def test_a_browser_with_no_name_at_all(matches: Matches, store: Store) -> None:
    """An empty or an unspeakable token owns nothing, not even a match that has the same."""
    match = matches.open(matches.start(HEAD, ME, "form"))
    for who in ("", "\0", "żółw", ME + "x", ME[:-1]):
        assert matches.access(match, who).role is Role.SPECTATOR
