"""The command line on sessions of hands: losses, house rules, who deals and attacks next, rulings."""

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
