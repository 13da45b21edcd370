"""Codes and recovery words: each makes one other phone the same person, in its time, and is then used up."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from derda import HEAD
from mnemonic import Mnemonic
from stores.behind import Behind

from companion.matches import Matches, Moves, NoSuchMove, UnreadableWords
from companion.matches.sharing.moves import WORDS, is_words, read_secret
from companion.store import ServerStore

from .conftest import ME

PHONE = "what only the new phone knows"
BEGIN = datetime(2026, 11, 22, 19, 42, tzinfo=UTC)
SEVEN = ["abandon", "ability", "able", "about", "above", "absent", "absorb"]


class Clock:
    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> datetime:
        return self.now

    def go_on(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(server_store: ServerStore) -> ServerStore:
    """Phones do not move anybody."""
    return server_store


@pytest.fixture
def moves(store: ServerStore, clock: Clock) -> Moves:
    return Moves(store, clock)


@pytest.mark.parametrize(("seconds", "works"), [(0, True), (599, True), (600, True), (600.001, False)])
def test_a_code_is_good_for_ten_minutes(moves: Moves, clock: Clock, seconds: float, works: bool) -> None:
    code = moves.make_code(ME)
    assert code.ends_at == "2026-11-22T19:52:00.000+00:00"
    clock.go_on(seconds=seconds)
    assert moves.is_left(code.secret) == works
    if works:
        assert moves.look_up(code.secret, PHONE) == moves.use(code.secret, PHONE) == ME
        assert not moves.is_left(code.secret)
    else:
        with pytest.raises(NoSuchMove):
            moves.use(code.secret, PHONE)


def test_codes_are_random(moves: Moves) -> None:
    """Each has 128 bits, and none is like another; a new one does not end those before it."""
    codes = [moves.make_code(ME).secret for _time in range(50)]
    assert len({*codes}) == 50
    assert {len(code) for code in codes} == {22}
    assert all(moves.is_left(code) for code in codes)


def test_only_digests_are_kept(moves: Moves, behind: Behind) -> None:
    moves.make_words(ME)
    moves.use(moves.make_code(ME).secret, PHONE)
    own = repr(behind.read_everything())  # “owner” and “code” are words, too
    code, words = moves.make_code(ME), moves.make_words(ME)
    moves.use(code.secret, PHONE)
    stored = repr(behind.read_everything())
    assert code.secret not in stored
    assert not [word for word in words if re.search(rf"\b{word}\b", stored) and word not in own]
    assert PHONE not in stored


def test_words_work_once(moves: Moves, clock: Clock) -> None:
    """They have no end but their use; then there are none, until new ones are made."""
    assert moves.words_since(ME) is None
    words = moves.make_words(ME)
    assert moves.words_since(ME) == "2026-11-22T19:42:00.000+00:00"
    clock.go_on(days=3000)
    assert moves.use(" ".join(words), PHONE) == ME
    assert moves.words_since(ME) is None
    with pytest.raises(NoSuchMove):
        moves.use(" ".join(words), "another phone")


def test_words_are_words(moves: Moves) -> None:
    known = Mnemonic("english").wordlist
    assert len({word[:4] for word in known}) == len(known) == 2048
    made = [moves.make_words(ME) for _time in range(20)]
    assert {len(words) for words in made} == {WORDS}
    assert {*known}.issuperset(word for words in made for word in words)
    assert len({tuple(words) for words in made}) == 20


@pytest.mark.parametrize("kind", ["code", "words"])
def test_an_answer_that_was_lost(moves: Moves, clock: Clock, kind: str) -> None:
    """The phone that used it may ask again for a day: it may not have heard of it. No other phone may."""
    given = moves.make_code(ME).secret if kind == "code" else " ".join(moves.make_words(ME))
    assert moves.use(given, PHONE) == ME
    clock.go_on(hours=23)
    for _time in range(2):
        assert moves.look_up(given, PHONE) == moves.use(given, PHONE) == ME
    with pytest.raises(NoSuchMove):
        moves.use(given, "another phone")
    clock.go_on(hours=2)
    with pytest.raises(NoSuchMove):
        moves.use(given, PHONE)


@pytest.mark.parametrize(
    "typed",
    [
        " ".join(SEVEN),
        " ".join(SEVEN).upper(),
        "  abandon\nability\r\nable\tabout, above; absent. absorb!",
        "abandon-ability-able-about-above-absent-absorb",
        "aban abil able abou abov abse abso",
        "1. abandon 2. ability 3. able 4. about 5. above 6. absent 7. absorb",
        "1)abandon 2)ability 3)able 4)about 5)above 6)absent 7)absorb",
        "Ąbandon ability áble abóut above absent absorb",
        "abandoned abilities able about above absentee absorbs",
    ],
)
def test_words_are_read_leniently(typed: str) -> None:
    """As people write: capitals, accents, numbers, commas, hyphens, and four letters of each."""
    assert is_words(typed)
    assert read_secret(typed) == SEVEN


def test_their_order_counts(moves: Moves) -> None:
    words = moves.make_words(ME)
    turned = [*words[1:], words[0]]
    assert turned != words
    with pytest.raises(NoSuchMove):
        moves.use(" ".join(turned), PHONE)


@pytest.mark.parametrize(
    ("typed", "strange", "count"),
    [
        ("", (), 0),
        ("1 2 3", (), 0),
        (" ".join(SEVEN[:6]), (), 6),
        (" ".join([*SEVEN, "able"]), (), 8),
        (" ".join([*SEVEN[:6], "xylophone"]), ("xylophone",), 7),
        ("żółw i kot", ("zołw", "i", "kot"), 3),
    ],
)
def test_what_can_be_nobodys(typed: str, strange: tuple[str, ...], count: int) -> None:
    """A slip is distinguished from words that are simply others: which word it is, or how many there are."""
    with pytest.raises(UnreadableWords) as refused:
        read_secret(typed)
    assert (refused.value.strange, refused.value.count) == (strange, count)


def test_a_code_may_be_pasted_with_its_address(moves: Moves) -> None:
    """Who cannot scan copies the address."""
    code = moves.make_code(ME)
    for address in (code.secret, f" {code.secret}\n", f"https://table.test/companion/move/{code.secret}"):
        assert not is_words(address)
        assert moves.look_up(address, PHONE) == ME


@pytest.mark.parametrize("junk", ["x" * 22, "\0" * 22, "\ud800" * 7, "/" * 400, "ß" * 22])
def test_junk(moves: Moves, junk: str) -> None:
    with pytest.raises((NoSuchMove, UnreadableWords)):
        moves.use(junk, PHONE)


def test_who_has_anything(moves: Moves, matches: Matches) -> None:
    assert not moves.has_anything(None)
    assert not moves.has_anything(ME)
    matches.start(HEAD, ME, "form")
    assert moves.has_anything(ME)
