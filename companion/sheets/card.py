"""The table card: a game's rules as one table plays them, on one page."""

from companion.rules.game import PlayedGame
from companion.rules.message import Translate

from .common import describe_choice, name_game
from .model import CardConvention, CardPage, CardRule
from .names import format_day


def compose_card(game: PlayedGame, translate: Translate, language: str) -> CardPage:
    """The card of a game with its conventions chosen."""
    _, book = translate, game.book
    matters = [one for one in book.conventions.values() if one.matters(game.conventions, game.players)]
    deviant = {one.name for one, _value in game.deviations()}
    chapters: dict[str, list[CardRule]] = {}
    for rule in book.in_order(book.rules_for(game.conventions, game.players)):
        chapters.setdefault(translate(rule.chapter), []).append(CardRule(rule.id, translate(rule.text)))
    name = name_game(game, translate)
    return CardPage(
        title=f"{name}: {_('table card')}",
        game=name,
        summary=translate(book.summary),
        version=f"{_('Rulebook')} {book.version}, {format_day(book.dated, language)}",
        house_rules=tuple(
            CardConvention(
                translate(one.label),
                describe_choice(one, game.conventions[one.name], translate),
                one.name in deviant,
            )
            for one in matters
            if len(one.values) != 1 and game.conventions[one.name] != ""
        ),
        chapters=tuple((chapter, tuple(rules)) for chapter, rules in chapters.items()),
    )
