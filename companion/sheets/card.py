"""The table card: a game's rules as one table plays them, on one page."""

from companion.i18n import alphabetical
from companion.rules.game import PlayedGame
from companion.rules.message import Translate

from .common import WordList, describe_origin, format_day, name_game
from .model import CardPage, CardRule, CardWord
from .rulebook import list_house_choices


def compose_card(
    game: PlayedGame, translate: Translate, language: str, words: WordList | None = None
) -> CardPage:
    """Compose the card of a game with its conventions, and the meanings of those of its `words` on it."""
    _, book = translate, game.book
    chapters: dict[str, list[CardRule]] = {}
    for rule in book.in_order(book.rules_for(game.conventions, game.players)):
        chapters.setdefault(translate(rule.chapter), []).append(CardRule(rule.id, translate(rule.text)))
    house_rules = list_house_choices(game, translate)
    said = [rule.text for rules in chapters.values() for rule in rules]
    said += [text for rule in house_rules for text in (rule.label, rule.value)]
    explained = words.said_in("\n".join(said), language) if words else ()
    name, card, rulebook = name_game(game, translate), _("table card"), _("Rulebook")
    return CardPage(
        title=f"{name}: {card}",
        game=name,
        summary=translate(book.summary),
        version=f"{rulebook} {book.version}, {format_day(book.dated, language)}",
        origin=describe_origin(game, translate),
        house_rules=house_rules,
        chapters=tuple((chapter, tuple(rules)) for chapter, rules in chapters.items()),
        words=tuple(
            CardWord(word.word, word.meaning)
            for word in sorted(explained, key=lambda word: alphabetical(word.word, language))
        ),
    )
