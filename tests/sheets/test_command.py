"""What `companion sheet` refuses: nothing that is asked for is taken and then ignored."""

import pytest

from companion import cli

REFUSED: dict[str, tuple[list[str], str]] = {
    "sheet of a record and a game": (
        ["sheet", "-o", "x.pdf", "--game", "derda", "r.json"],
        "error: --game: must",
    ),
    "blank sheet of a record and a game": (
        ["sheet", "-o", "x.pdf", "--kind", "blank", "--game", "derda", "r.json"],
        "error: --game: must be left out beside records",
    ),
    "blank sheet of two records": (
        ["sheet", "-o", "x.pdf", "--kind", "blank", "r.json", "s.json"],
        "error: FILE: must be one record with --kind blank, not 2",
    ),
    "preset of no game": (
        ["sheet", "-o", "x.pdf", "--preset", "sets", "r.json"],
        "error: --preset and --players",
    ),
    "tally of an evening": (
        ["sheet", "-o", "x.pdf", "--kind", "evening", "--tally", "r.json"],
        "error: --tally: must",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_change_nothing(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused in one line, with code 2, before anything is read."""
    arguments, said = REFUSED[name]
    assert cli.main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(said) and len(error.splitlines()) == 1
