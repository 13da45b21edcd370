"""`companion replay`: a deal card by card, in JSON and in words."""

import json

import derda
import pytest
from derda import DEAL, RIGHT, WRONG, by_cards

from companion.jacknine import replay

from .instance import Run, Write

RECORD = derda.RECORD | {"entries": [DEAL, by_cards(RIGHT)]}
LAST = "Best play sees all hands; the players did not."


def test_a_replay_is_printed_as_one_object(run: Run, write: Write) -> None:
    code, out, err = run("replay", write(RECORD), "--deal", "2", "--json")
    found = json.loads(out)
    assert (code, err, out.count("\n")) == (0, "", 1)
    assert (found["entry"], found["made"], found["stopped"]) == (2, {"A": 84, "B": 38}, False)
    assert found["best"] == {"declarer": 83, "others": 39}
    assert found["tricks"][0]["cards"][1] == {
        "seat": "A",
        "card": "KC",
        "legal": ["AC", "KC", "JC"],
        "why": "♣ was led and must be followed with A♣, K♣, J♣.",
        "rules": ["derda.play.follow"],
        "best": {"declarer": 100, "others": 22},
        "cost": 0,
    }


def test_a_replay_in_words(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    record = write(RECORD)
    out = run("replay", record, "--deal", "2")[1].splitlines()
    assert out[:2] == ["Derda, 2: declarer A; trump ♥", "A Ewa: 9♥ A♥ 8♥ 7♥ 9♦ 7♦ A♣ K♣ J♣"]
    assert out[3] == " 1. B 9♣ (\N{MINUS SIGN}17), A K♣ → A 4"
    assert out[-2:] == ["Best play 83 : 39, made 84 : 38.", LAST]
    wrong = write(derda.RECORD | {"entries": [by_cards(WRONG)]}, "wrong.json")
    unknown = "What cards cost is not known: a card was not allowed, or nothing was counted."
    assert run("replay", wrong, "--deal", "1")[1].splitlines()[-1] == unknown
    monkeypatch.setattr(replay, "MAX_PLAYS", 100)
    assert (
        "Made 84 : 38; the search was stopped, costs are known from trick"
        in run("replay", record, "--deal", "2")[1]
    )


@pytest.mark.parametrize("n", ["0", "1", "3", "-1"])
def test_what_is_no_such_deal_is_refused(run: Run, write: Write, n: str) -> None:
    said = f"error: --deal: must be a deal that was recorded card by card to its end, not {n}\n"
    assert run("replay", write(RECORD), f"--deal={n}") == (2, "", said)
