"""Texts that nobody can see, or that turn others round, are refused where they are new, and only there."""

import pytest
from amending import add_entry, amend_entry
from derda import DEAL, HEAD, RECORD

from companion import library
from companion.record.record import read_record, read_stored
from companion.rules.errors import Unreadable

UNSEEN = ["\u200b", "\u00ad", "\u2060\ufeff", "\u3164", "\u2800", "\u200d", "\ufe0f", "\u0301", "\U000e0041"]
TURNING = ["Ewa\u202e", "\u202aEwa\u202c", "\u2067Ewa\u2069", "\u202e"]
HIDDEN = ["Ewa\u200b", "E\u200dwa", "Ewa\ufe0f", "Ewa \u2800", "\u200eEwa", "Ewa\U000e0041"]
SEEN = ["Ż", "محمد عبد الله", "می‌خواهم", "क्‍ष", "👩‍🚒", "❤️", "李", "*", "e\u0301", "שרה"]


@pytest.mark.parametrize("name", [*UNSEEN, *TURNING, *HIDDEN], ids=ascii)
def test_a_name_that_looks_like_none_or_like_another(name: str) -> None:
    """A new record cannot have it; one that was stored before is read all the same."""
    document = {**RECORD, "players": [name, "Jan"]}
    with pytest.raises(Unreadable, match=r"^players\[0\]: must be a"):
        read_record(document, library.open_game)
    record, _game = read_stored({**HEAD, "players": [name, "Jan"]}, [], library.open_game)
    assert record.head["players"][0] == name


@pytest.mark.parametrize("name", SEEN, ids=ascii)
def test_a_name_in_any_script(name: str) -> None:
    """Joiners and selectors belong to some scripts and to pictures."""
    record, _game = read_record({**RECORD, "players": [name, "Jan"]}, library.open_game)
    assert record.head["players"][0] == name


@pytest.mark.parametrize("note", [*UNSEEN, *TURNING], ids=ascii)
def test_notes_and_places(note: str) -> None:
    """The same holds for all that is written beside the play: when it is imported, added or corrected."""
    for key, value in (("place", note), ("stake", {"amount": "1", "currency": note})):
        with pytest.raises(Unreadable, match=rf"^{key}[.\w]*: must be a text"):
            read_record({**RECORD, key: value}, library.open_game)
    entry = {**DEAL, "note": note}
    with pytest.raises(Unreadable, match=r"^entries\[0\].note: must be a text"):
        read_record({**RECORD, "entries": [entry]}, library.open_game)
    record, game = read_record({**RECORD, "entries": [DEAL]}, library.open_game)
    with pytest.raises(Unreadable, match=r"^entries\[1\].note: must be a text"):
        add_entry(record, game.family, entry)
    with pytest.raises(Unreadable, match=r"^entries\[0\].note: must be a text"):
        amend_entry(record, game.family, 1, entry)
    stored, _game = read_stored(HEAD, [entry], library.open_game)
    assert stored.entries[0]["note"] == note


@pytest.mark.parametrize("note", ["", "Ewa\u200b dealt", "two\nlines", "\ufeffpasted", "عربي"], ids=ascii)
def test_a_note_may_hold_what_pasting_brings(note: str) -> None:
    record, _game = read_record({**RECORD, "entries": [{**DEAL, "note": note}]}, library.open_game)
    assert record.entries[0].get("note", "") == note


def test_a_house_rule_that_nobody_sees() -> None:
    with pytest.raises(Unreadable, match=r"^conventions.forfeit: must be a text with visible characters"):
        read_record({**RECORD, "game": "durak", "conventions": {"forfeit": "\u200b"}}, library.open_game)
