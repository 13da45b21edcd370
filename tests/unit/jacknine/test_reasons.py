"""Every answer says why: in a whole sentence, with all its facts in it, whatever the case."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import Case, document, read_cases
from dealing import TRICK_GAMES

from companion import library
from companion.record import record as records
from companion.rules.errors import Missing, Unreadable
from companion.rules.message import Message

AGREED = "Agreed: {side} {points}. {reason}"
"""What the players have written themselves need be no sentence."""
CASES = list(read_cases(Path(__file__).parents[2] / "cases"))


def list_reasons(case: Case) -> Iterator[Any]:
    """Every reason in what a case comes to."""
    given = case.given
    try:
        if "question" in given:
            players = given["players"] if type(given.get("players")) is int else None
            game = library.open_game(case.game, given.get("preset"), given.get("conventions", {}), players)
            separate = ("game", "preset", "conventions")
            ruling = game.family.rule({key: value for key, value in given.items() if key not in separate})
            yield ruling.why
            yield from (fault["why"] for fault in ruling.answer.get("irregularities", ()))
        elif "drawn" not in given:
            record, game = records.read_record(document(case, library.open_game), library.open_game)
            state = records.fold_record(record, game.family)
            yield from (row.why for row in state.rows if row.why.template != AGREED)
            yield from (problem.reason for problem in state.problems)
    except Missing:
        return
    except Unreadable as error:
        yield error


def find_fault(reason: Any) -> str | None:
    """What is wrong with a reason; None where nothing is."""
    if isinstance(reason, Unreadable):
        said = str(reason.expected)
        whole = reason.path is not None and " " in said and "None" not in said
        return None if whole else f"nothing expected: {reason}"
    if not isinstance(reason, Message):
        return f"no sentence: {reason!r}"
    text = str(reason)
    whole = text == "" or (text.endswith(".") and "None" not in text and "{" not in text)
    return None if whole else f"not a whole sentence: {text!r}"


@pytest.mark.nightly
@pytest.mark.parametrize("game", TRICK_GAMES)
def test_every_answer_says_why(game: str) -> None:
    """A ruling, a row of the record, a problem and an irregularity have a sentence each; so has a refusal."""
    found = [
        f"{case}: {fault}"
        for case in CASES
        if case.game == game
        for reason in list_reasons(case)
        if (fault := find_fault(reason))
    ]
    assert found == []
