"""The table card: every rule that applies at a table, and what it has agreed, on one page."""

import io
from pathlib import Path

import pypdfium2
import pytest

from companion import cli, library, sheets
from companion.sheets.model import CardPage

PRESETS = [(game, preset) for game in library.names() for preset in library.shelf(game).presets]


def read(pdf: bytes) -> list[str]:
    """What stands on every page."""
    document = pypdfium2.PdfDocument(io.BytesIO(pdf))
    texts = [" ".join(one.get_textpage().get_text_range().split()) for one in document]
    document.close()
    return texts


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_a_card_is_one_page(game: str, preset: str) -> None:
    """On A4 and Letter, with every rule that applies; on A5 the two sides of a leaf at most."""
    opened = library.open_game(game, preset)
    made = sheets.page("rules", opened)
    assert isinstance(made, CardPage)
    rules = {rule.id for _chapter, rules in made.chapters for rule in rules}
    assert rules == {rule.id for rule in opened.book.rules_for(opened.conventions)}
    for paper, most in (("a4", 1), ("letter", 1), ("a5", 2)):
        assert len(read(sheets.print_sheet("rules", opened, paper=paper))) <= most


def test_what_is_agreed_stands_in_front() -> None:
    """Every convention that matters with its value; what differs from the preset has a star."""
    game = library.open_game("derda", conventions={"target": 300})
    page = sheets.page("rules", game)
    assert isinstance(page, CardPage)
    told = {one.label: (one.value, one.unusual) for one in page.house_rules}
    assert told["Target"] == ("300", True)
    assert [label for label, (_value, unusual) in told.items() if unusual] == ["Target"]
    (text,) = read(sheets.print_sheet("rules", game))
    assert "Target: 300 *" in text and "other than usual" in text and "Rulebook 1" in text


def test_in_polish() -> None:
    """Rules and choices in the reader's language, in the game's words."""
    game = library.open_game("derda")
    assert read(sheets.print_sheet("rules", game, language="pl")) != read(sheets.print_sheet("rules", game))


def test_the_command_line_prints_a_card(tmp_path: Path) -> None:
    """Without a record, by a preset's rules."""
    out = tmp_path / "card.pdf"
    told = ["sheet", "--kind", "rules", "--game", "deberts", "--preset", "kharkov", "-o", str(out)]
    assert cli.main(told) == 0
    assert "kharkov" in read(out.read_bytes())[0].casefold()
