"""A host's folder with a game of its own, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion import library

HARBOUR = """\
extends = ["klaberjass-4"]
shelf = 99
game = "harbour"
title = "Harbour klab"
summary = "As Klaberjass for four, the last trick for {points.last}."
source = "an example"
omit_rules = ["klaberjass.cards.values"]

[points]
last = 20

[stated_in.points]
trump = "harbour.values"
plain = "harbour.values"
jass = "harbour.values"
nine = "harbour.values"
last = "harbour.values"

[[rules]]
id = "harbour.values"
chapter = "Cards"
keys = ["cards.values", "words.values", "words.taken"]
text = '''
Cards as in Klaberjass: in trumps the ace counts {points.trump.A}, the ten {points.trump.10}, the king \
{points.trump.K}, the queen {points.trump.Q}, the jack {points.full_jass}, the nine {points.full_nine}; \
in other suits {points.plain.A}, {points.plain.10}, {points.plain.K}, {points.plain.Q}, {points.plain.J}; \
the last trick is {points.last}.'''
"""
FOOL = """\
extends = ["durak"]
shelf = 99
game = "fool"
title = "Fool"
summary = "As Durak."
"""
CASES = """\
[[case]]
name = "With the last trick for 20 a deal of four holds 172."
rules = ["harbour.values"]
expect.entries = [{ result = "made", made = { A = 110, B = 62 } }]
[[case.given.entries]]
type = "deal"
contract = { declarer = "A", trump = "H" }
count = { cards = { A = 70 }, jass = "A", nine = "B", last = "A" }
"""
WORDS = """\
[[words]]
id = "quay"
source = "an example"
rules = ["harbour.values"]
en = { word = "quay", meaning = "The last trick." }
"""
FOUR = ["Ewa", "Jan", "Ala", "Olek"]
HEAD: dict[str, Any] = {
    "game": "harbour",
    "players": FOUR,
    "first_dealer": "A",
    "conventions": {"target": 100},
}
DEAL = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 112, "B": 60}}
CHANGED = HARBOUR.replace("last = 20\n", "last = 30\n")


def write_folder(folder: Path, game: str = HARBOUR, words: str = WORDS, cases: str = CASES) -> Path:
    """Write the game with its words and cases into a folder."""
    for place, text in {"": game, "words": words, "cases": cases}.items():
        (folder / place).mkdir(parents=True, exist_ok=True)
        (folder / place / "harbour.toml").write_text(text, "utf-8")
    return folder


@contextmanager
def hosted(*games: str) -> Iterator[list[str]]:
    """Have these texts as a host's game; what is wrong with them."""
    try:
        yield [str(fault) for game in games for fault in library.GAMES.take_host({"harbour.toml": game})]
    finally:
        library.take_host_folder(None)
