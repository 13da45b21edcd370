"""A deal whose form is opened and saved as it is: nothing of what was written is lost, nothing is added."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import own_catalogue
from plain_browser import PlainBrowser
from tiers import FOUR_GAMES

from companion import library
from companion.cli.cases import document
from companion.record import record as records
from companion.rules.errors import Unreadable
from tests.web.browsers import Browser

GOLDEN = Path(__file__).parents[2] / "golden"
GAMES = [game for game in library.names() if library.open_game(game).family_name == "jacknine"]


def find_golden(game: str) -> Iterator[dict[str, Any]]:
    """The golden matches of a game."""
    for path in sorted(GOLDEN.glob("*.json")):
        record = json.loads(path.read_text("utf-8"))["record"]
        if record["game"] == game:
            yield record


def find_cases(game: str) -> Iterator[dict[str, Any]]:
    """The records that cases of a game give; those that a page could have written."""
    for case in own_catalogue().cases:
        if case.game != game or not {"question", "drawn"}.isdisjoint(case.given):
            continue
        record = document(case, library.open_game)
        try:
            state = records.fold_record(*_read(record))
        except Unreadable:
            continue
        if not state.problems and "follows" not in record:
            yield record


def _read(record: dict[str, Any]) -> tuple[records.Record, Any]:
    read, game = records.read_record(record, library.open_game)
    return read, game.family


Find = Callable[[str], Iterator[dict[str, Any]]]


def _choose_tier(game: str, find: Find) -> list[pytest.MarkDecorator]:
    if (game, find) == ("belote", find_golden):
        return []
    return [pytest.mark.nightly if find is find_golden or game in FOUR_GAMES else pytest.mark.release]


@pytest.mark.slow  # a page for each deal of a match
@pytest.mark.parametrize(
    ("game", "find"),
    [
        pytest.param(game, find, marks=_choose_tier(game, find))
        for game in GAMES
        for find in (find_golden, find_cases)
    ],
)
def test_a_deal_saved_unchanged_stays_as_it_was_written(client: Browser, game: str, find: Find) -> None:
    """Every deal of a golden match and of a case: its form, sent as the page has it, writes no event."""
    saved = 0
    for record in find(game):
        # A page asks who deals first; an opening that names another dealer decides.
        head = {"first_dealer": "A", **{key: value for key, value in record.items() if key != "entries"}}
        entries = record.get("entries", ())
        id = client.begin(head, *entries)
        for n, entry in enumerate(entries, 1):
            if entry["type"] != "deal":
                continue
            page = PlainBrowser(client)
            page.open(f"/en/m/{id}/entries/{n}?edit=1")
            page.tap('button[name="do"][value="save"]')
            assert page.url == f"/en/m/{id}/entries/{n}", (page.text("#comes-to"), entry)
            assert len(client.log(id)) == len(entries), (client.log(id)[-1].payload, entry)
            saved += 1
    assert saved
