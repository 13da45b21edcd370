"""The head of a record, key by key: how long a text may be, what is refused and in which words."""

from typing import Any

import pytest
from derda import DEAL
from derda import RECORD as WHOLE

from companion import library
from companion.record import record as records
from companion.rules.errors import Missing, UnknownKey, Unreadable, quote_json

HEAD = {key: value for key, value in WHOLE.items() if key != "first_dealer"}
PLN = {"amount": "1", "currency": "PLN"}
OPENING = {"type": "opening", "totals": {"A": 100, "B": 80}}


def read(document: object) -> records.Record:
    return records.read_record(document, library.open_game)[0]


@pytest.mark.parametrize(("key", "most"), [("place", 200), ("started", 40), ("id", 80), ("follows", 80)])
def test_texts_of_the_head_have_a_limit(key: str, most: int) -> None:
    """A text that long is read and kept, one longer is not, and an empty one says nothing."""
    assert read(WHOLE | {key: "x" * most}).head[key] == "x" * most
    assert read(WHOLE | {key: "x"}).head[key] == "x"
    for text in ("", "x" * (most + 1)):
        with pytest.raises(Unreadable) as refused:
            read(WHOLE | {key: text})
        sentence = f"{key}: must be a text of 1 to {most} characters, not {quote_json(text)}"
        assert str(refused.value) == sentence


@pytest.mark.parametrize(("key", "most"), [("game", 40), ("preset", 40), ("first_dealer", 1)])
def test_names_of_the_head_have_a_limit(key: str, most: int) -> None:
    """Game, preset and dealer are looked up, up to this length."""
    with pytest.raises(Unreadable, match=rf"^{key}: must be one of"):
        read(WHOLE | {key: "X" * most})
    with pytest.raises(Unreadable, match=rf"^{key}: must be a text of 1 to {most} characters, not "):
        read(WHOLE | {key: "X" * (most + 1)})


@pytest.mark.parametrize(
    ("change", "kind", "sentence"),
    [
        ({"format": "pgn"}, Unreadable, 'format: must be companion-match, not "pgn"'),
        ({"version": 2}, Unreadable, "version: must be 1, not 2"),
        ({"version": True}, Unreadable, "version: must be 1, not true"),
        ({"version": 1.0}, Unreadable, "version: must be 1, not 1.0"),
        ({"game": "skat"}, Unreadable, "game: must be one of derda, "),
        ({"game": 5}, Unreadable, "game: must be "),
        ({"preset": "moscow"}, Unreadable, "preset: must be one of standard"),
        ({"preset": None}, Unreadable, "preset: must be "),
        ({"first_dealer": "C"}, Unreadable, "first_dealer: must be one of A, B"),
        ({"conventions": {"target": "500"}}, Unreadable, "conventions.target: must be a whole number"),
        ({"players": ["Ewa"]}, Unreadable, "players: must be 2 names, not 1"),
        ({"players": ["Ewa", "\ud800"]}, Unreadable, "players[1]: must be a text of valid Unicode"),
        ({"place": 3}, Unreadable, "place: must be a text"),
        ({"players": []}, Unreadable, "players: must be a list of names, not []"),
        ({"players": "Ewa"}, Unreadable, 'players: must be a list of names, not "Ewa"'),
        ({"players": ["Ewa", "x" * 41]}, Unreadable, "players[1]: must be a text of 1 to 40 characters"),
        ({"conventions": []}, Unreadable, "conventions: must be an object, not []"),
        ({"stake": []}, Unreadable, "stake: must be an object with the keys amount, currency, not []"),
        ({"stake": PLN | {"x": 1}}, Unreadable, "stake: must be an object with"),
        ({"stake": PLN | {"amount": 10}}, Unreadable, "stake.amount: must be a text"),
        ({"stake": {"amount": "1"}}, Missing, "stake.currency: required"),
        ({"stake": {"currency": "PLN"}}, Missing, "stake.amount: required"),
        ({"stake": PLN | {"amount": ""}}, Unreadable, "stake.amount: must be a text of 1 to 20 characters"),
        ({"stake": PLN | {"currency": "x" * 21}}, Unreadable, "stake.currency: must be a text of 1 to 20"),
        (
            {"result": "1-0"},
            UnknownKey,
            "result: unknown key; known keys are format, version, game, preset, conventions, players, "
            "first_dealer, stake, place, started, id, follows, rules, entries",
        ),
        ({"a\nb": 1}, UnknownKey, r"'a\nb': unknown key; known keys are"),
        ({"entries": [{}]}, Unreadable, "entries[0].type: must be one of deal, "),
        ({"entries": {}}, Unreadable, "entries: must be a list of entries, not {}"),
        ({"entries": [OPENING, 7]}, Unreadable, "entries[1]: must be an entry: an object with a type, not 7"),
    ],
)
def test_a_head_is_refused_in_words(change: dict[str, Any], kind: type[Unreadable], sentence: str) -> None:
    with pytest.raises(kind) as refused:
        read(WHOLE | change)
    assert str(refused.value).startswith(sentence)


def test_what_is_no_record() -> None:
    with pytest.raises(Unreadable) as refused:
        read("x")
    assert str(refused.value) == 'document: must be a match record, which is a JSON object, not "x"'
    so_far: dict[str, Any] = {}
    for key in ("format", "version", "game", "players"):
        with pytest.raises(Missing, match=rf"^{key}: required$"):
            read(so_far)
        so_far[key] = WHOLE[key]


def test_the_game_is_opened_as_the_head_says() -> None:
    asked: list[tuple[Any, ...]] = []

    def open_game(*wanted: Any) -> library.Game:
        asked.append(wanted)
        return library.open_game(*wanted)

    records.read_record(WHOLE, open_game)
    records.read_record(WHOLE | {"preset": "standard", "conventions": {"target": 100}}, open_game)
    assert asked == [("derda", None, {}, 2), ("derda", "standard", {"target": 100}, 2)]


def test_who_deals_first_must_be_said_somewhere() -> None:
    """By the head, by the game that this one follows, or by an opening that takes over a score."""
    for entries in ([], [OPENING], [DEAL | {"dealer": "A"}], [DEAL, OPENING | {"dealer": "B"}]):
        with pytest.raises(Missing) as refused:
            read(HEAD | {"entries": entries})
        assert str(refused.value) == "first_dealer: required, unless an opening names the dealer"
    head = read(HEAD | {"entries": [OPENING | {"dealer": "B"}]}).head
    assert head == {"game": "derda", "players": ["Ewa", "Jan"]}
    assert "first_dealer" not in read(HEAD | {"follows": "x"}).head


def test_a_record_as_it_is_written() -> None:
    """Format and version first, then the head as it was, the entries last; none is an empty list."""
    stake = {"amount": "1" * 20, "currency": "x" * 20}
    whole = WHOLE | {"stake": stake, "place": "Łódź", "started": "2026-11-20", "id": "x"}
    assert records.write_record(read(whole)) == whole | {"entries": []}
    written = records.write_record(read(WHOLE))
    assert written == WHOLE | {"entries": []}
    assert list(written) == ["format", "version", "game", "players", "first_dealer", "entries"]


def test_the_game_before_leaves_the_first_deal_to_somebody() -> None:
    """Unless the record names its own dealer; when nobody can say, `follows` is refused."""
    follower = read(HEAD | {"follows": "x"})
    led = records.with_first_dealer(follower, "B")
    assert led == records.Record({**follower.head, "first_dealer": "B"}, follower.entries)
    assert "first_dealer" not in follower.head
    own = read(WHOLE | {"follows": "x"})
    assert records.with_first_dealer(own, "B") is own
    with pytest.raises(Unreadable) as refused:
        records.with_first_dealer(follower, None)
    assert str(refused.value) == (
        "follows: must be the id of a record read along with this one, unless first_dealer is given"
    )
