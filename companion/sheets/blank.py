"""The empty sheet, for a pencil."""

from typing import Any

from .match import COUNTING, game_name, house_rules
from .model import BlankPage
from .names import Translate


def page(game: Any, translate: Translate) -> BlankPage:
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
        order=tuple(translate(words[key]) for key in COUNTING if key in words),
        worth=worth,
    )
