"""The command line on sessions of hands: losses, house rules, who deals and attacks next, rulings."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from companion import cli

Write = Callable[..., str]
Feed = Callable[[str | Sequence[object]], None]
Capture = pytest.CaptureFixture[str]

SESSION: dict[str, Any] = {
    "format": "companion-match",
    "version": 1,
    "game": "durak",
    "conventions": {"format": "teams-4", "forfeit": "crow like a cockerel"},
    "players": ["Ewa", "Jan", "Ola", "Piotr"],
    "first_dealer": "A",
    "entries": [
        {"type": "hand", "loser": "B", "deals": "D", "trump": "H"},
        {"type": "touch", "by": "A", "cards": "cut"},
        {"type": "hand", "loser": None},
    ],
}
TURN = {
    "game": "durak",
    "question": "turn",
    "players": 4,
    "attacker": "A",
    "defender": "B",
    "result": "picked-up",
}


def test_a_session_of_beating_in_plain_words(write: Write, capsys: Capture) -> None:
    """Losses, who deals and attacks next; once it is closed, who owes what."""
    assert cli.main(["score", write(SESSION)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "durak: A Ewa, B Jan, C Ola, D Piotr",
        "  1. loss: dealer A; loser B; trump H; scored A 0 B 1 → A 0 B 1",
        "  2. touch: dealer D → A 0 B 1",
        "  3. draw: dealer A → A 0 B 1",
        "A 0 B 1 (playing; next dealer A; B attacks C)",
    ]
    assert cli.main(["score", write({**SESSION, "entries": [*SESSION["entries"], {"type": "close"}]})]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert (
        last
        == "A 0 B 1 (finished: the session was closed; lost most: B: crow like a cockerel; next dealer A)"
    )


def test_house_rules_of_beating_in_plain_words(write: Write, capsys: Capture) -> None:
    """A new deal, who went out in which order, epaulettes, a hand that somebody left."""
    rules = {"five_of_a_suit": "redeal", "epaulettes": True, "walk_out": "void"}
    entries = [
        {"type": "hand", "misdeal": "five-suited", "by": "C"},
        {"type": "hand", "loser": "B", "sixes": 2, "order": ["C", "A", "D"]},
        {"type": "hand", "walked_out": "A"},
    ]
    assert cli.main(["score", write({**SESSION, "conventions": rules, "entries": entries})]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  1. misdeal: dealer A → A 0 B 0 C 0 D 0",
        "  2. loss: dealer A; loser B; scored A 0 B 1 C 0 D 0; out C A D; sixes 2 → A 0 B 1 C 0 D 0",
        "  3. void: dealer B → A 0 B 1 C 0 D 0",
        "A 0 B 1 C 0 D 0 (playing; epaulettes A 0 B 2 C 0 D 0; next dealer B; C attacks D)",
    ]


def test_a_team_that_has_not_named_its_dealer(write: Write, capsys: Capture) -> None:
    """Nobody is said to deal, and nobody to attack."""
    assert cli.main(["score", write({**SESSION, "entries": [{"type": "hand", "loser": "B"}]})]) == 0
    assert capsys.readouterr().out.endswith("A 0 B 1 (playing; next dealer to be named)\n")


def test_a_session_of_beating_as_json(write: Write, capsys: Capture) -> None:
    """The whole state, with who attacks whom next and who has lost most."""
    assert cli.main(["score", write(SESSION), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [row["result"] for row in shown["entries"]] == ["loss", "touch", "draw"]
    assert (shown["next_dealer"], shown["next_attacker"], shown["next_defender"]) == ("A", "B", "C")
    assert (shown["losers"], shown["forfeit"], shown["winner"]) == (["B"], "crow like a cockerel", None)


def test_a_doubtful_session_of_beating_is_said(feed: Feed, write: Write, capsys: Capture) -> None:
    """The wrong bout is named by its path, with code 2; in lines it stands beside the state."""
    bouts = [{"attacker": "A", "defender": "D", "result": "beaten-off"}]
    doubtful = {**SESSION, "entries": [{"type": "hand", "loser": "B", "deals": "B", "bouts": bouts}]}
    assert cli.main(["score", write(doubtful)]) == 2
    said = "entries[0].bouts[0].defender: B defends now, not D. (durak.turn.teams)"
    assert capsys.readouterr().err == f"error: {said}\n"
    feed([doubtful, {**SESSION, "players": ["Ewa"]}, SESSION])
    assert cli.main(["score", "--lines"]) == 0
    flagged, refused, good = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (flagged["error"], flagged["totals"]) == (said, {"A": 0, "B": 1})
    assert refused["error"].startswith("conventions.format: must be one of individual for 1 players")
    assert "error" not in good


def test_the_dealer_of_a_session_is_taken_from_the_one_before(write: Write, capsys: Capture) -> None:
    """Who would deal next when a session ends deals first in the one that follows."""
    before = {**SESSION, "id": "one", "entries": SESSION["entries"][:1]}
    after = {key: value for key, value in SESSION.items() if key != "first_dealer"}
    files = [write({**after, "id": "two", "follows": "one"}, "two.json"), write(before, "one.json")]
    assert cli.main(["score", "--json", *files]) == 0
    second = json.loads(capsys.readouterr().out.splitlines()[0])
    assert second["entries"][0]["dealer"] == "D"


def test_a_ruling_on_beating(write: Write, feed: Feed, capsys: Capture) -> None:
    """A turn in plain words, as JSON, and line by line; what is missing is named."""
    assert cli.main(["rule", write(TURN)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("turn: next\nC attacks D.\nB picked up and loses the turn: C attacks D.\n")
    assert "  [durak.turn.picked-up] " in out
    assert cli.main(["rule", write(TURN), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)["answer"]
    assert answer == {"attacker": "C", "defender": "D", "loser": None}
    unseated = {key: value for key, value in TURN.items() if key != "players"}
    assert cli.main(["rule", write(unseated)]) == 2
    assert capsys.readouterr().err.startswith("error: players: required, as the answer depends on it")
    feed([unseated, TURN])
    assert cli.main(["rule", "--lines"]) == 0
    refused, ruling = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (list(refused), ruling["verdict"]) == (["error"], "next")
