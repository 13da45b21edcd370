"""What the rules come to: of every case, and of every match that was played to the end. For any Python."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from cases import read_cases

from companion import library
from companion.cli.cases import Case, result
from companion.record.record import fold_record, read_record


def list_work(tests: Path, every: int = 1) -> list[tuple[str, Callable[[], str]]]:
    """All there is to be judged, each with its name; of cases one out of so many."""
    work: list[tuple[str, Callable[[], str]]] = []
    for case in list(read_cases(tests / "cases"))[::every]:
        kind = "ruling" if "question" in case.given else "fold" if "entries" in case.given else "other"
        work.append((f"{kind}: {case}", partial(_judge_case, case)))
    for file in sorted((tests / "golden").glob("*.json")):
        reported = json.loads(file.read_text("utf-8"))
        work.append((f"golden: {file.stem}", partial(_play, reported["record"])))
    return work


def judge(work: list[tuple[str, Callable[[], str]]], start: int, most: int) -> list[tuple[str, str]]:
    """What some of it comes to, by name; of what goes wrong the fault."""
    found = []
    for name, do in work[start : start + most]:
        try:
            found.append((name, do()))
        except Exception as fault:  # noqa: BLE001 (it is compared, whatever it is)
            found.append((name, repr(fault)))
    return found


def _judge_case(case: Case) -> str:
    return _report(result(case, library.open_game).facts)


def _play(record: dict[str, Any]) -> str:
    """The state of a match after each of its entries."""
    states = []
    for n in range(1, len(record["entries"]) + 1):
        read, game = read_record(record | {"entries": record["entries"][:n]}, library.open_game)
        state = fold_record(read, game.family)
        states.append([game.family.show(state), [problem.plain() for problem in state.problems]])
    return _report(states)


def _report(value: Any) -> str:
    """As JSON, in the order in which it is held: that too is to be the same."""
    return json.dumps(value, ensure_ascii=False)
