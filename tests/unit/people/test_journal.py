"""Notes of a journal: what they come to, and what undoing takes back."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.people import Note, Players, fold_journal

NAMES = ("Ewa", "Jan", "Jan K.", "Janek")
names = st.sampled_from(NAMES)
steps = st.one_of(
    st.tuples(st.just("rename"), st.fixed_dictionaries({"player": names, "name": names})),
    st.tuples(st.just("separate"), st.fixed_dictionaries({"spelling": names})),
)


def write(*steps: tuple[str, Mapping[str, object]]) -> list[Note]:
    """A journal with these notes, which go by their numbers."""
    return [Note(str(n), f"2026-11-20T19:{n:02}", kind, said) for n, (kind, said) in enumerate(steps, 1)]


@given(st.lists(steps, max_size=12))
def test_a_player_is_called_by_a_name_of_its_own(notes: list[tuple[str, dict[str, object]]]) -> None:
    """What a player is called is a name of that player, whatever was renamed and separated before."""
    players = fold_journal(write(*notes)).players
    for name in NAMES:
        assert players.find(players.find(name)) == players.find(name)


@given(st.lists(steps, max_size=8), steps)
def test_undone_is_as_never_written(
    before: list[tuple[str, dict[str, object]]], step: tuple[str, dict[str, object]]
) -> None:
    """In whatever order notes are read; and an undo that is undone has done nothing."""
    n = len(before) + 1
    undo, redo = ("undo", {"undoes": str(n)}), ("undo", {"undoes": str(n + 1)})
    assert fold_journal(write(*before, step, undo)[::-1]) == fold_journal(write(*before))
    assert fold_journal(write(*before, step, undo, redo)) == fold_journal(write(*before, step))


def test_players_are_merged_and_separated() -> None:
    """By renaming one to the name of another; a spelling that is separated is a player again."""
    players = Players().rename("Jan K.", "Jan").rename("Jan", "Janek")
    assert players.list_spellings("Janek", ("Jan", "Ewa", "Jan K.", "Jan")) == ["Jan", "Jan K."]
    assert players.rename("Janek", "Jan").find("Jan K.") == "Jan"
    assert players.rename("Ewa", "Jan").find("Ewa") == "Janek"
    assert players.separate("Jan K.").list_spellings("Janek", NAMES) == ["Jan", "Janek"]


@pytest.mark.parametrize(
    ("kind", "said"), [("of a later version", {}), ("rename", {}), ("rename", {"player": 1, "name": "x"})]
)
def test_what_cannot_be_read_is_passed_over(kind: str, said: dict[str, object]) -> None:
    """A journal may come from a file, or have been written by a later version."""
    rename: tuple[str, dict[str, object]] = ("rename", {"player": "Jan", "name": "Janek"})
    assert fold_journal(write((kind, said), rename)).players.find("Jan") == "Janek"
