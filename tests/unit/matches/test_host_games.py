"""A match of a host's game keeps the copy it was begun by, whatever becomes of the folder."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hosting import CHANGED, DEAL, HARBOUR, HEAD, hosted

from companion import archives, cli, library
from companion.matches import AddEntry, Matches
from companion.rules.errors import Unreadable
from companion.store import Store
from companion.store.memory import MemoryStore

from .conftest import ME, Write


@pytest.fixture(autouse=True)
def nobody_hosts_afterwards() -> Iterator[None]:
    yield
    library.take_host_folder(None)


def test_a_match_goes_on_by_its_copy(store: Store, matches: Matches, write: Write) -> None:
    """It opens, goes on and is exported when the file has changed, or is gone; nothing is scored anew."""
    with hosted(HARBOUR):
        id = matches.start(HEAD | {"conventions": {"target": 500}}, ME, "form")
        copy = library.rules("harbour")
        assert matches.open(id).head["rules"] == copy
        before = write(id, AddEntry(DEAL)).state.totals
        assert (matches.open(id).game_now, matches.open(id).rulebook) == (
            "same",
            matches.open(id).game.book.version,
        )
    for text, now in ((CHANGED, "changed"), ("", "gone")):
        with hosted(*[text] * bool(text)):
            afresh = Matches(store, "secret")  # another process, which remembers nothing
            match = afresh.open(id)
            assert (match.game_now, match.state.totals) == (now, before)
            assert "trick is 20" in str(match.game.book.rules["harbour.values"].text)
            write(id, AddEntry(DEAL))
            before = matches.open(id).state.totals
    assert before == {"A": 336, "B": 180}


def test_the_next_match_is_begun_by_what_the_host_has_now(matches: Matches, write: Write) -> None:
    """None by a copy: where the file has changed by a form, where it is gone not at all."""
    with hosted(HARBOUR):
        first = matches.start(HEAD, ME, "form")
        write(first, AddEntry(DEAL))
        second = matches.start_again(matches.open(first))
        assert matches.open(second).head["rules"] == library.rules("harbour")
        write(second, AddEntry(DEAL))
    for texts in ([CHANGED], []):
        with (
            hosted(*texts),
            pytest.raises(
                Unreadable, match=r"^game: must be a game that its host has neither changed nor removed since"
            ),
        ):
            matches.start_again(matches.open(second))
    with pytest.raises(Unreadable, match=r"^game: must be one of"):
        matches.start(HEAD, ME, "another form")


def test_a_record_is_imported_with_its_game(matches: Matches, write: Write) -> None:
    """A game that is not known here comes with its record, is judged as a file, and is marked."""
    with hosted(HARBOUR):
        id = matches.start(HEAD, ME, "form")
        write(id, AddEntry(DEAL))
        document = json.loads(archives.format_json(archives.write_match(matches, matches.open(id))))
    there = Matches(MemoryStore(), "another secret")
    [found] = archives.look_through(there, ME, archives.format_json(document), "match.json")
    [taken] = archives.import_found(there, ME, [found])
    copied = there.open(taken.id)
    assert copied.game.book.of_host == "an example"
    assert (copied.game_now, copied.state.totals) == ("gone", {"A": 112, "B": 60})
    assert copied.head["rules"] == document["rules"]
    for rules, refused in (
        (None, "game: must be one of"),
        (
            document["rules"].replace("last = 20", "last = -1"),
            "rules: must be the flat copy of a game; points.last",
        ),
        (3, "rules: must be a text of"),
    ):
        other = {key: value for key, value in document.items() if key not in ("rules", "log")}
        other |= {} if rules is None else {"rules": rules}
        [found] = archives.look_through(there, ME, archives.format_json(other), "match.json")
        assert str(found.problem).startswith(refused)


def test_a_ruling_is_given_by_the_copy(
    matches: Matches, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A request and a record that carry their game need no folder: to rule, to score, to print."""
    with hosted(HARBOUR):
        rules = library.rules("harbour")
    asked = {"game": "harbour", "rules": rules, "question": "score", "players": 4}
    with pytest.raises(Unreadable) as refused:
        library.rule(asked)
    assert refused.value.path != "game"
    record = {"format": "companion-match", "version": 1, **HEAD, "rules": rules, "entries": [DEAL]}
    file = tmp_path / "match.json"
    file.write_text(json.dumps(record), "utf-8")
    assert cli.main(["score", "--json", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["totals"] == {"A": 112, "B": 60}
    file.write_text(json.dumps({key: value for key, value in record.items() if key != "rules"}), "utf-8")
    assert cli.main(["score", str(file)]) == 2
    assert "game: must be one of" in capsys.readouterr().err
