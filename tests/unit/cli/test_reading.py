"""The command line: files and standard input, JSON and plain text, one clear line for bad input."""

import json
from pathlib import Path
from typing import Any

import derda
import pytest
from derda import deal

from companion import cli, library

from .instance import Feed, Write

Capture = pytest.CaptureFixture[str]

RECORD = derda.RECORD | {
    "first_dealer": "B",
    "entries": [
        {
            "type": "deal",
            "auction": ["play"],
            "turn_up": "9H",
            "count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"},
            "runs": [{"seat": "B", "length": 3, "top": "K"}],
        }
    ],
}
REQUEST = {"game": "derda", "question": "trick", "leader": "A", "trump": "H", "trick": ["AH", "JH"]}


def test_score_prints_the_folded_record_as_json(write: Write, capsys: Capture) -> None:
    assert cli.main(["score", write(RECORD), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert {"A": 82, "B": 65} == shown["totals"]
    assert "A" == shown["next_dealer"]
    assert 500 == shown["conventions"]["target"]
    assert [] == shown["problems"]


def test_score_reads_standard_input(feed: Feed, capsys: Capture) -> None:
    feed([RECORD])
    assert cli.main(["score", "-"]) == 0
    assert "A 82 B 65 (playing; next dealer A)" in capsys.readouterr().out


def test_score_of_a_doubtful_record_says_the_first_problem(write: Write, capsys: Capture) -> None:
    """A count of exactly 1 is shown as far as it goes, with code 2 and one line on standard error."""
    assert cli.main(["score", write(RECORD | {"entries": [deal(1, 70)]}), "--json"]) == 2
    out, err = capsys.readouterr()
    assert {"A": 0, "B": 71} == json.loads(out)["totals"]
    assert err.startswith("error: entries[0].totals.A: ") and "(derda.score.doubtful-count)" in err
    assert 1 == len(err.splitlines())


def test_score_takes_the_first_dealer_from_the_game_before(write: Write, capsys: Capture) -> None:
    """The record that follows another, given in either order, begins with the dealer that one leaves."""
    before = {**RECORD, "id": "one"}
    after = RECORD | {"id": "two", "follows": "one"}
    del after["first_dealer"]
    files = [write(after, "two.json"), write(before, "one.json")]
    assert cli.main(["score", "--json", *files]) == 0
    second, first = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert "B" == first["entries"][0]["dealer"]
    assert "A" == second["entries"][0]["dealer"]


def test_score_tells_what_was_said_of_entries(write: Write, capsys: Capture) -> None:
    """Remarks go with the score, in JSON as they stand in the record, in plain words below their entry."""
    remarks = [
        {"entry": 1, "by": "B", "kind": "object", "reason": "count", "totals": {"A": 80, "B": 67}},
        {"entry": 1, "by": "B", "kind": "settled", "how": "withdrawn"},
        {"entry": 1, "by": "A", "kind": "object", "reason": "other", "text": "Whose trick?"},
        {"entry": 1, "by": "B", "kind": "agree", "at": "2026-11-22T19:05:00Z"},
    ]
    said = write({**RECORD, "remarks": remarks})
    assert cli.main(["score", "--json", said, write(RECORD, "silent.json")]) == 0
    shown, silent = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert shown.pop("remarks") == remarks and shown == silent
    assert cli.main(["score", said]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  1. made: dealer B; declarer A; trump ♥; made A 82 B 65; scored A 82 B 65 → A 82 B 65",
        "     B objects: wrong count, A 80 B 67",
        "     B: the objection is taken back",
        "     A objects: “Whose trick?”",
        "     B agrees",
        "A 82 B 65 (playing; next dealer A)",
    ]


def test_score_lines_answers_every_line_and_stops_at_none(feed: Feed, capsys: Capture) -> None:
    """Broken, doubtful and good lines are each answered by one JSON line, in order."""
    doubtful = RECORD | {"entries": [deal(1, 70)]}
    feed("{\n" + json.dumps(doubtful) + "\n\n" + json.dumps(RECORD) + "\n")
    assert cli.main(["score", "--lines"]) == 0
    broken, flagged, good = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert ["error"] == list(broken)
    assert flagged["error"].startswith("entries[0].totals.A") and flagged["totals"] == {"A": 0, "B": 71}
    assert "error" not in good


def test_a_line_that_goes_wrong_ends_no_other(
    feed: Feed, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody expected is told with the line, and on standard error; the lines after it are answered."""

    def fail(*_args: object) -> None:
        raise KeyError("C")

    feed([REQUEST | {"game": "klaberjass"}, REQUEST])
    ruled = library.rule
    monkeypatch.setattr(library, "rule", lambda asked: fail() if asked["game"] != "derda" else ruled(asked))
    assert cli.main(["rule", "--lines"]) == 0
    printed = capsys.readouterr()
    wrong, ruling = (json.loads(line) for line in printed.out.splitlines())
    assert wrong == {"error": "input line 1: unexpected error (KeyError('C'))"}
    assert ruling["verdict"] == "B" and "KeyError" in printed.err


def test_rule_tells_an_audit_in_plain_words(write: Write, capsys: Capture) -> None:
    fell = ["9C KC", "7H AS", "9H QH", "AH KH", "8H 7S", "AC 10C", "7D JD", "9S 9D", "8D JC"]
    played: dict[str, Any] = {"dealer": "A", "contract": {"declarer": "A", "trump": "H"}}
    played["tricks"] = [each.split() for each in fell]
    assert cli.main(["rule", write({"game": "derda", "question": "audit", "deal": played})]) == 0
    printed = capsys.readouterr().out
    assert "Trick 2: B could not play A♠: 7♥ must be beaten by Q♥, K♥. Also found: 2." in printed
    assert "\n  B held K♥, Q♥ and belo was not said.\n" in printed


def test_rule_lines(feed: Feed, capsys: Capture) -> None:
    """Requests a line, rulings a line; an unknown question is an error that names the known ones."""
    feed([REQUEST, {"game": "derda", "question": "beat"}])
    assert cli.main(["rule", "--lines"]) == 0
    ruling, refused = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert "B" == ruling["verdict"]
    assert "must be one of play, trick" in refused["error"]


def test_games_lists_every_convention_with_its_default(capsys: Capture) -> None:
    assert cli.main(["games", "--json"]) == 0
    derda = next(load for load in json.loads(capsys.readouterr().out) if load["game"] == "derda")
    assert ("2", "2026-11-29") == (derda["version"], derda["dated"])
    target = next(each for each in derda["conventions"] if each["name"] == "target")
    assert (500, "derda.end.target") == (target["default"], target["rule"])
    assert ["standard"] == [preset["name"] for preset in derda["presets"]]
    assert cli.main(["games"]) == 0
    assert "Target (target, derda.end.target)" in capsys.readouterr().out


def test_games_say_for_how_many_players_a_value_is(capsys: Capture) -> None:
    """A value for some tables only is listed with them, and so is a default; a text is no number."""
    assert cli.main(["games"]) == 0
    out = capsys.readouterr().out
    assert "    teams-4 (players: 4): Two against two" in out and "    24 (players: 2, 3): 24 cards" in out
    assert "usually all; neighbours (Who plays with whom: individual, players: 5)" in out
    assert "Forfeit (forfeit, durak.score.tally): a text\n" in out
    assert cli.main(["games", "--json"]) == 0
    game = next(load for load in json.loads(capsys.readouterr().out) if load["game"] == "durak")
    deck = next(each for each in game["conventions"] if each["name"] == "deck")
    assert deck["players"] == {"24": [2, 3]}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (b"{", "error: {path}: must be JSON; line 1, column 2: "),
        (b"[" * 100_000, "error: {path}: must be JSON with numbers"),
        (
            b'{"game": "derda", "game": "durak"}',
            'error: {path}: must be JSON in which no object has the key "game" twice',
        ),
        (b"\xff\xfe\x00\x01", "error: {path}: must be text in UTF-8"),
        (b"[]", "error: document: must be a match record"),
        (json.dumps({**RECORD, "players": ["Ewa"]}).encode(), "error: players: must be 2 names, not 1"),
    ],
)
def test_bad_records_are_refused_with_their_place(
    document: bytes, sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    """A file that cannot be read is named, and of a record the path, with what must stand there."""
    path = tmp_path / "record.json"
    path.write_bytes(document)
    assert cli.main(["score", str(path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(sentence.replace("{path}", str(path))) and 1 == len(err.splitlines())


def test_rule_answers_a_request(write: Write, capsys: Capture) -> None:
    """With the rules it rests on, as JSON or in plain words; what is missing is named."""
    assert cli.main(["rule", write(REQUEST), "--json"]) == 0
    ruling = json.loads(capsys.readouterr().out)
    assert ("B", "derda.play.trick") == (ruling["verdict"], ruling["rules"][0]["id"])
    assert cli.main(["rule", write(REQUEST)]) == 0
    assert "B takes it with J♥: 33." in capsys.readouterr().out
    turn = {"game": "durak", "question": "turn", "attacker": "A", "defender": "B", "result": "picked-up"}
    assert cli.main(["rule", write(turn)]) == 2
    assert capsys.readouterr().err.startswith("error: players: required, as the answer depends on it")
    assert cli.main(["rule", write(turn | {"players": 4})]) == 0
    out = capsys.readouterr().out
    assert out.startswith("turn: next\nC attacks D.\nB picked up and loses the turn: C attacks D.\n")
    assert "  [durak.turn.picked-up] " in out


# --- sessions of hands -----------------------------------------------------------------------------


def test_a_contract_is_told_with_its_double(write: Write, capsys: Capture) -> None:
    """And capot in the word of the game."""
    contract = {"declarer": "D", "trump": "H", "points": 90, "double": 2}
    entries = [
        {"type": "deal", "contract": contract, "totals": {"A": 80, "B": 82}},
        {
            "type": "deal",
            "contract": {"declarer": "A", "trump": "S", "points": "capot"},
            "totals": {"A": 150, "B": 12},
        },
    ]
    record = derda.RECORD | {"game": "coinche", "players": ["Ewa", "Jan", "Ola", "Piotr"], "entries": entries}
    assert cli.main(["score", write(record)]) == 0
    doubled, capot = capsys.readouterr().out.splitlines()[1:3]
    assert "declarer D; trump ♥; contract 90 ×2; made" in doubled
    assert "declarer A; trump ♠; contract capot; made" in capot


SESSION: dict[str, Any] = derda.RECORD | {
    "game": "durak",
    "conventions": {"format": "teams-4", "forfeit": "crow like a cockerel"},
    "players": ["Ewa", "Jan", "Ola", "Piotr"],
    "entries": [
        {"type": "hand", "loser": "B", "deals": "D", "trump": "H"},
        {"type": "touch", "by": "A", "cards": "cut"},
        {"type": "hand", "loser": None},
    ],
}


def test_a_session_of_beating_in_plain_words(write: Write, capsys: Capture) -> None:
    assert cli.main(["score", write(SESSION)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Durak: A Ewa, B Jan, C Ola, D Piotr",
        "  1. loss: dealer A; loser B; trump ♥; scored A 0 B 1 → A 0 B 1",
        "  2. touch: dealer D → A 0 B 1",
        "  3. draw: dealer A → A 0 B 1",
        "A 0 B 1 (playing; next dealer A; B attacks C)",
    ]
    assert cli.main(["score", write({**SESSION, "entries": [*SESSION["entries"], {"type": "close"}]})]) == 0
    owed = "finished: the session was closed; lost most: B: crow like a cockerel; next dealer A"
    assert capsys.readouterr().out.splitlines()[-1] == f"A 0 B 1 ({owed})"


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
    assert cli.main(["score", write({**SESSION, "entries": [{"type": "hand", "loser": "B"}]})]) == 0
    assert capsys.readouterr().out.endswith("A 0 B 1 (playing; next dealer to be named)\n")
