"""A match in a line, to be sent around."""

import json
from pathlib import Path
from typing import Any

import pytest
from printing import compose_page

from companion import library
from companion.i18n import translator
from companion.record import record as records
from companion.sheets.model import MatchPage, SessionPage
from companion.sheets.report import report_match

GOLDEN = Path(__file__).parents[2] / "golden"


def report(name: str, language: str = "en", entries: slice = slice(None), **head: Any) -> str:
    document = json.loads((GOLDEN / f"{name}.json").read_text())["record"]
    document |= {**head, "entries": document["entries"][entries]}
    record, game = records.read_record(document, library.open_game)
    page = compose_page("match", game, record, language=language)
    assert isinstance(page, MatchPage | SessionPage)
    return report_match(page, translator(language))


@pytest.mark.parametrize(
    ("name", "language", "line"),
    [
        ("coinche-standard", "en", "Coinche: Ewa & Ola 1330, Jan & Piotr 740. Ewa & Ola win."),
        ("coinche-standard", "fr", "Coinche\u00a0: Ewa & Ola 1330, Jan & Piotr 740. Ewa & Ola gagnent."),
        (
            "deberts-4-alone-standard",
            "en",
            "Deberts for four: Ola 612, Ewa 178, Jan 124, Piotr 108. Ola wins.",
        ),
        ("durak-standard", "en", "Durak: Ola 3, Ewa 1, Jan 2, Piotr 1. Ola lost most often."),
    ],
)
def test_the_winner_comes_first(name: str, language: str, line: str) -> None:
    """Whoever lost most where nobody wins; game, names, score, result."""
    assert report(name, language) == line


def test_a_match_that_goes_on_is_told_as_it_stands() -> None:
    assert report("derda-standard", entries=slice(1)) == "Derda: Ewa 82, Jan 65. Still being played."


def test_points_below_nothing_have_a_minus_sign() -> None:
    opening = {"type": "opening", "dealer": "A", "totals": {"A": -20, "B": 5}}
    document = {"format": "companion-match", "version": 1, "game": "derda", "players": ["Ewa-Maria", "Jan"]}
    record, game = records.read_record(document | {"entries": [opening]}, library.open_game)
    page = compose_page("match", game, record)
    assert isinstance(page, MatchPage)
    assert report_match(page, translator("en")) == "Derda: Ewa-Maria −20, Jan 5. Still being played."
