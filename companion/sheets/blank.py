"""The empty sheet, for a pencil."""

from typing import cast

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.game import PlayedGame
from companion.rules.message import Translate

from .common import list_house_rules, name_game
from .match import rank_word
from .model import BlankPage
from .running_totals import list_marks


def compose_blank(game: PlayedGame, translate: Translate, language: str, writing: str) -> BlankPage:
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
        game=name_game(game, translate),
        house_rules=list_house_rules(game, translate),
        sides=tuple(sum(ring.side(seat) == side for seat in ring.seats) for side in ring.sides),
        players=ring.size,
        held=translate(words["held"]) if "held" in words else "",
        order=tuple(translate(words[key]) for key in _list_counted_words(game)),
        worth=worth,
        writing=writing,
        legend=list_marks(game, translate, language),
    )


def _list_counted_words(game: PlayedGame) -> list[str]:
    """The words that this game, as it is played here, counts, in their order."""
    words, ruleset = game.book.words, cast(JackNineRuleset, game.family.ruleset)
    runs = [f"run{length}" for length in ruleset.run_points]
    melds = [*runs, "four"] if ruleset.fours else runs
    words_of_game = (key for key in (*melds, "bela", "jass", "nine", "last", "cards") if key in words)
    return sorted(words_of_game, key=rank_word)
