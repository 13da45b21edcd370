"""Renewed identities: one phone stays, all other secrets of its owner end. Tokens end by themselves."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from derda import HEAD

from companion.matches import Matches, NoSuchMove, RenewedMeanwhile, Role, TokenEnded
from companion.store import Move, Renewal, ServerStore, Token

from .conftest import ME

YOU = "your browser"
BEGIN = datetime(2026, 11, 22, 19, 42, tzinfo=UTC)


class Clock:
    now = BEGIN

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def served(server_store: ServerStore, clock: Clock) -> Matches:
    """The application of a server; phones renew nobody."""
    return Matches(server_store, "secret", clock)


def test_everything_of_the_owner_ends_but_matches(served: Matches) -> None:
    """Tokens, words and codes of this owner, and of nobody else; the match is still the owner's."""
    id = served.start(HEAD, ME, "form")
    tokens = {who: served.tokens.make(who, Role.OWNER, "token") for who in (ME, YOU)}
    words = {who: " ".join(served.moves.make_words(who)) for who in (ME, YOU)}
    codes = {who: served.moves.make_code(who).secret for who in (ME, YOU)}
    assert served.identities.renew(ME, 0, "form") == 1
    assert served.tokens.find(tokens[ME]) is None and served.tokens.find(tokens[YOU]) is not None
    for secret in (words[ME], codes[ME]):
        with pytest.raises(NoSuchMove):
            served.moves.use(secret, "phone")
    assert served.moves.use(words[YOU], "phone") == served.moves.use(codes[YOU], "phone") == YOU
    assert served.open(id).owner == ME
    assert served.moves.use(served.moves.make_code(ME, 1).secret, "phone") == ME, "the way back in"
    assert served.tokens.find(served.tokens.make(ME, Role.OWNER, "token", generation=1)) is not None
    assert served.identities.generations([ME, YOU]) == {ME: 1, YOU: 0}


def test_a_phone_that_used_a_code_may_not_ask_again(served: Matches) -> None:
    """Its answer was lost; after the renewal it is not given again."""
    code = served.moves.make_code(ME).secret
    assert served.moves.use(code, "phone") == ME
    served.identities.renew(ME, 0, "form")
    with pytest.raises(NoSuchMove):
        served.moves.use(code, "phone")


def test_what_is_written_late_ends_as_well(served: Matches, server_store: ServerStore) -> None:
    """A request of before the renewal makes words, a code or a token, or notes that a token was used."""
    secret = served.tokens.make(ME, Role.OWNER, "token")
    before = server_store.list_tokens(ME)[0]
    served.identities.renew(ME, 0, "form")
    server_store.change_token(replace(before, used_at="2027"))
    late = served.moves.make_code(ME).secret, " ".join(served.moves.make_words(ME))
    assert served.tokens.find(secret) is None
    assert served.tokens.find(served.tokens.make(ME, Role.OWNER, "late")) is None
    for move in late:
        with pytest.raises(NoSuchMove):
            served.moves.use(move, "phone")
    assert served.moves.words_since(ME) is None


def test_a_revoked_token_stays_revoked(served: Matches, server_store: ServerStore) -> None:
    """Also where a request that began before notes its use after."""
    secret = served.tokens.make(ME, Role.OWNER, "token")
    before = server_store.list_tokens(ME)[0]
    served.tokens.revoke(ME, before.id)
    server_store.change_token(replace(before, used_at="2027"))
    assert served.tokens.find(secret) is None


def test_a_store_of_before_catches_up(served: Matches) -> None:
    """Put back to what it was, it learns the generation from a cookie that was signed since."""
    served.identities.renew(ME, 0, "form")
    served.identities.catch_up(ME, 7)
    assert served.identities.generations([ME]) == {ME: 7}
    with pytest.raises(RenewedMeanwhile):
        served.identities.renew(ME, 1, "former")


def test_a_form_renews_once(served: Matches) -> None:
    """Sent twice it is the same renewal, also by the browser that heard of it; another form is refused."""
    assert [served.identities.renew(ME, have, "form") for have in (0, 0, 1)] == [1, 1, 1]
    with pytest.raises(RenewedMeanwhile):
        served.identities.renew(ME, 0, "another form")
    assert served.identities.renew(ME, 1, "another form") == 2
    with pytest.raises(RenewedMeanwhile):
        served.identities.renew(ME, 0, "form")


def test_a_renewal_is_stored_once(server_store: ServerStore) -> None:
    """An earlier one of the same generation holds, and nothing is ended by the later."""
    first = Renewal(ME, 1, "form", "2026-11-22T19:42:00.000+00:00")
    assert server_store.renew(first) == first
    server_store.add_move(Move("words", ME, "words", "2026"))
    assert server_store.renew(Renewal(ME, 1, "other", "2027")) == first
    assert server_store.renew(Renewal(ME, 5, "form", "2027")) == first, "the same form"
    assert server_store.find_words(ME) is None
    assert server_store.find_renewals([ME, YOU]) == [first]


@pytest.mark.parametrize(("days", "holds"), [(364.9, True), (365, False)])
def test_a_token_ends_after_a_year(served: Matches, clock: Clock, days: float, holds: bool) -> None:
    """As is said of it; then it is listed no more, and its form makes no other of the same secret."""
    secret = served.tokens.make(ME, Role.OWNER, "form")
    assert [token.ends_at for token in served.tokens.list_valid(ME)] == ["2027-11-22T19:42:00.000+00:00"]
    clock.now += timedelta(days=days)
    assert (served.tokens.find(secret) is not None, len(served.tokens.list_valid(ME))) == (holds, holds)
    if holds:
        assert served.tokens.make(ME, Role.OWNER, "form") == secret
    else:
        with pytest.raises(TokenEnded):
            served.tokens.make(ME, Role.OWNER, "form")


def test_a_token_of_before_holds_for_a_year(served: Matches, server_store: ServerStore, clock: Clock) -> None:
    """It says no end; the year counts from when it was made."""
    made = "2025-11-22T19:42:01.000+00:00"
    server_store.add_token(Token("digest", "id", ME, None, "owner", None, made))
    assert [token.ends_at for token in served.tokens.list_valid(ME)] == ["2026-11-22T19:42:01.000+00:00"]
    clock.now += timedelta(seconds=1)
    assert served.tokens.list_valid(ME) == []


def test_a_revoked_tokens_form_shows_nothing(served: Matches) -> None:
    """Sent again it would show a secret that no longer works."""
    served.tokens.make(ME, Role.OWNER, "form")
    served.tokens.revoke(ME, served.tokens.list_valid(ME)[0].id)
    with pytest.raises(TokenEnded):
        served.tokens.make(ME, Role.OWNER, "form")
