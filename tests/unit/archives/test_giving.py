"""A match in a link: what Python packs, Python and the script of the page read; nothing else is read."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from derda import DEAL, HEAD
from hypothesis import given
from hypothesis import strategies as st

from companion import archives
from companion.archives.giving import pack, unpack
from companion.matches import AddEntry, Matches, Undo
from companion.rules.errors import Unreadable

from .instances import JAN, ME, Write

READER = Path(__file__).parents[1] / "scripts/support/read_given.mjs"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
records = st.dictionaries(texts, values, max_size=6).map(lambda facts: {**facts, "format": "companion-match"})
Read = Callable[[str], Any]


@pytest.fixture(scope="module")
def read_in_page() -> Iterator[Read]:
    """Reads a link as the script of the page does; None for a damaged one."""
    with subprocess.Popen(["node", READER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        links, answers = node.stdin, node.stdout
        assert links is not None and answers is not None

        def read(link: str) -> Any:
            print(link, file=links, flush=True)
            return json.loads(answers.readline())

        yield read
        links.close()


def read_or_none(link: str) -> Any:
    try:
        return unpack(link)
    except Unreadable:
        return None


@given(record=records, shown=st.dictionaries(texts, values, max_size=3))
def test_both_sides_read_what_was_packed(read_in_page: Read, record: Any, shown: Any) -> None:
    link = f"https://cards.example/{pack(shown, record)}"
    assert unpack(link) == record
    assert read_in_page(link) == {"shown": shown, "record": record}


@given(record=records, data=st.data())
def test_a_damaged_link_is_read_as_it_was_or_not_at_all(
    read_in_page: Read, record: Any, data: st.DataObject
) -> None:
    """Cut off anywhere it is refused; a changed letter may only be one whose last bits mean nothing."""
    link = f"https://cards.example/{pack({}, record)}"
    first = link.index("=") + 1
    place = data.draw(st.integers(first, len(link) - 1))
    assert read_or_none(link[:place]) is None and read_in_page(link[:place]) is None
    changed = link[:place] + data.draw(st.sampled_from(LETTERS)) + link[place + 1 :]
    assert read_or_none(changed) in (None, record)
    assert read_in_page(changed) in (None, {"shown": {}, "record": record})


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("", "a link to a match"),
        ("https://cards.example/#give=", "a link to a match"),
        ("https://cards.example/#give=eJw", "its end is missing"),
        ("https://cards.example/" + pack({}, {"format": "companion-journal"}), "companion-match"),
    ],
)
def test_what_holds_no_match_is_refused(link: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        unpack(link)


def test_a_link_in_a_text_is_found() -> None:
    """As messengers pass it on, with words around it."""
    record = {"format": "companion-match", "players": ["Żaneta", "Jan"]}
    assert unpack(f"Look: https://cards.example/{pack({}, record)} , see you!") == record


def test_nothing_much_larger_than_a_match_is_unpacked() -> None:
    """A small link may not fill the memory."""
    with pytest.raises(Unreadable):
        unpack(pack({}, {"format": "companion-match", "place": " " * 5_000_000}))


@pytest.mark.parametrize("with_history", [True, False])
def test_a_match_arrives_as_it_was(here: Matches, there: Matches, write: Write, with_history: bool) -> None:
    """With its history it is the same match; without, its entries and scores are the same."""
    id = here.start(HEAD, ME, "form")
    match = write(here, id, AddEntry(DEAL), AddEntry(DEAL), Undo(), AddEntry(DEAL | {"note": "♥ Łucja"}))
    data = archives.format_json(unpack(archives.write_fragment(here, match, with_history)))
    plans = []
    for _time in range(2):
        [taken] = archives.import_found(there, JAN, archives.look_through(there, JAN, data))
        plans.append(taken.plan)
    assert plans == ["new", "skipped"]
    arrived = there.open(taken.id)
    assert (arrived.id, arrived.state.totals) == (id, match.state.totals)
    assert [event.kind for event in arrived.events] == (
        [event.kind for event in match.events] if with_history else ["add", "add"]
    )
    again = archives.format_json(unpack(archives.write_fragment(here, match)))
    [known] = archives.look_through(there, JAN, again)
    assert known.plan == ("skipped" if with_history else "copy")


def test_what_is_shown_is_the_score(here: Matches, write: Write, read_in_page: Read) -> None:
    match = write(here, here.start(HEAD, ME, "form"), AddEntry(DEAL), AddEntry(DEAL))
    shown = read_in_page(archives.write_fragment(here, match))["shown"]
    assert shown == {
        "sides": [[match.side_name(side), match.state.totals[side]] for side in "AB"],
        "entries": 2,
    }
