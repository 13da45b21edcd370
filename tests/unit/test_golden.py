"""One whole match of every game and preset, entry by entry, with what `companion score --json` says after it.

`REGENERATE=1` writes what stands beside the entries anew; the difference is then to be read.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from citing import find_misplaced

from companion import library
from companion.cli import Scorer
from companion.record import record as records

FOLDER = Path(__file__).parents[1] / "golden"
PRESETS = [(game, preset) for game in library.names() for preset in library.read_rulebook(game).presets]


def playthrough(stated: dict[str, Any]) -> dict[str, Any]:
    """The record of a golden file with the state after each of its entries."""
    record, after = stated["record"], []
    for n in range(1, len(record["entries"]) + 1):
        state = Scorer().score(record | {"entries": record["entries"][:n]})
        row = state.pop("entries")[-1]
        unchanging = {"game", "conventions", "players"}
        after.append({"entry": row} | {key: fact for key, fact in state.items() if key not in unchanging})
    head = Scorer().score(record)
    return {"record": record, "conventions": head["conventions"], "after": after}


def written(stated: dict[str, Any]) -> str:
    """A golden file: each entry, and what came of it, on a line of its own."""

    def lines(many: list[Any]) -> str:
        return ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in many)

    head = json.dumps(
        {key: value for key, value in stated["record"].items() if key != "entries"}, ensure_ascii=False
    )
    return (
        f'{{"record": {head[:-1]}, "entries": [\n{lines(stated["record"]["entries"])}\n]}},\n'
        f'"conventions": {json.dumps(stated["conventions"])},\n'
        f'"after": [\n{lines(stated["after"])}\n]}}\n'
    )


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_playthrough(game: str, preset: str) -> None:
    """Every game and preset has a whole match on file, and it still comes to the same, entry by entry."""
    path = FOLDER / f"{game}-{preset}.json"
    stated = json.loads(path.read_text("utf-8"))
    found = playthrough(stated)
    if os.environ.get("REGENERATE"):
        path.write_text(written(found), "utf-8")
        stated = found
    assert stated["after"] == found["after"]
    assert stated == found
    assert (stated["record"]["game"], stated["record"].get("preset", preset)) == (game, preset)
    assert found["after"][-1]["status"] == "finished"
    _record, opened = records.read_record(stated["record"], library.open_game)
    assert [*find_misplaced(opened, found["after"])] == []
    assert all(after["problems"] == [] for after in found["after"])
    table = library.open_game(game, preset, found["conventions"], len(stated["record"]["players"]))
    in_force = {rule.id for rule in table.book.rules_for(table.conventions, table.players)}
    assert {rule for after in found["after"] for rule in after["entry"]["rules"]} <= in_force
