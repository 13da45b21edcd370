"""The JSON Schemas of records, questions and rulings: what can be read fits, what is malformed does not."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cases import own_catalogue, write_letters
from jsonschema_rs import Draft202012Validator

from companion import library
from companion.cli.cases import Case, document, result
from companion.matches import schemas
from companion.record.record import read_record
from companion.rules.errors import Unreadable

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("*.json"))
CASES = [case for case in own_catalogue().cases if "drawn" not in case.given]
MALFORMED = 200
SLOW = ("audits", "claims", "counts")
"""Files of cases that are worked out for a while."""


@cache
def validator(subject: str, game: str | None) -> Draft202012Validator:
    return Draft202012Validator(schemas.describe(subject, game))


def fits(subject: str, value: Any, game: str | None) -> bool:
    return validator(subject, game).is_valid(value)


def said(case: Case) -> tuple[str, Any]:
    """What a case gives as a document, and its subject; the suits of cards as schemas offer them."""
    if "question" in case.given:
        return "question", write_letters({"game": case.game, **case.given})
    return "record", write_letters(document(case, library.open_game))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_records_fit(path: Path) -> None:
    """Every golden record, alone and among those of all games, and each of its entries."""
    record = json.loads(path.read_text("utf-8"))["record"]
    for game in (record["game"], None):
        assert fits("record", record, game)
        assert all(fits("entry", entry, game) for entry in record["entries"])


def test_cases_fit_unless_they_are_refused() -> None:
    """What the cases say can be read fits."""
    for case in (case for case in CASES if "rule" not in case.given):
        subject, given = said(case)
        assert "error" in case.expect or fits(subject, given, case.game), f"{case}: {given}"


def test_rulings_fit() -> None:
    """What the arbiter answers fits, in every game."""
    quick = [case for case in CASES if "question" in case.given and case.file not in SLOW]
    for case in quick[::25]:
        ruling = json.loads(json.dumps(result(case, library.open_game).facts))
        assert "error" in ruling or fits("ruling", ruling, case.game), str(case)
        assert not fits("ruling", ruling | {"rules": []}, case.game)


def break_it(value: Any) -> list[Any]:
    """A document with one thing wrong each time: a member too many, one too few, a value of another kind."""
    broken: list[Any] = [{**value, "unknown": 1}]
    for key, item in value.items():
        broken.append({**value, key: {"unknown": [None]}})
        broken.append({name: other for name, other in value.items() if name != key})
        if isinstance(item, dict) and item:
            broken += [{**value, key: inner} for inner in break_it(item)]
        if isinstance(item, list) and item and isinstance(item[0], dict):
            broken += [{**value, key: [inner, *item[1:]]} for inner in break_it(item[0])]
    return broken


def test_malformed_documents_do_not_fit() -> None:
    """What is wrong in its form is refused by schema and reader alike, in at least so many documents."""
    both = 0
    for case in [case for case in CASES if case.file not in SLOW and "error" not in case.expect][::24]:
        subject, given = said(case)
        for broken in break_it(given):
            if broken.get("game") != case.game or fits(subject, broken, case.game):
                continue
            with pytest.raises(Unreadable):
                library.rule(broken) if subject == "question" else read_record(broken, library.open_game)
            both += 1
    assert both >= MALFORMED
