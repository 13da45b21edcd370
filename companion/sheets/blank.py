"""The empty sheet, for a pencil."""

from typing import Any

from .common import game_name, house_rules
from .match import order_of
from .model import BlankPage
from .names import Translate
from .pad import marks


def page(game: Any, translate: Translate, language: str, writing: str) -> BlankPage:
    """The empty sheet for a game's number of players, with these conventions."""
    _ = translate
    words, ring = game.book.words, game.family.ruleset.ring
    try:
        worth = translate(game.book.cite("words.values")[0].text)
    except KeyError:
        worth = ""
    sheet = _("score sheet")
    return BlankPage(
        title=f"{translate(game.book.title)}: {sheet}",
        game=game_name(game, translate),
        house_rules=house_rules(game, translate),
        sides=tuple(sum(ring.side(seat) == side for seat in ring.seats) for side in ring.sides),
        players=ring.size,
        held=translate(words["held"]) if "held" in words else "",
        order=tuple(translate(words[key]) for key in _counted(game)),
        worth=worth,
        writing=writing,
        legend=marks(game, translate, language),
    )


def _counted(game: Any) -> list[str]:
    """The words that this game, as it is played here, counts, in their order."""
    words, ruleset = game.book.words, game.family.ruleset
    runs = [f"run{length}" for length in ruleset.run_points]
    melds = [*runs, "four"] if ruleset.fours else runs
    found = (key for key in (*melds, "bela", "jass", "nine", "last", "cards") if key in words)
    return sorted(found, key=order_of)
