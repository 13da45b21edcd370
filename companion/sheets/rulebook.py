"""The rulebook of a table: orders, examples and sources, for its page and its booklet."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.i18n import alphabetical
from companion.rules.example import Example
from companion.rules.game import CountLine, PlayedGame
from companion.rules.message import Message, Translate
from companion.rules.rulebook import Rule

from .common import (
    WordList,
    describe_choice,
    describe_origin,
    format_day,
    make_namer,
    name_game,
    name_seats,
    name_sides,
)
from .match import rank_word
from .model import (
    BookletPage,
    BookletRule,
    CardConvention,
    CardRow,
    CardWord,
    ExampleRow,
    ExampleText,
)

ORDERS: Mapping[str, tuple[Message, Callable[[Any], Sequence[str]], str]] = {
    "cards.plain-order": (Message("Other suits"), lambda ruleset: ruleset.orders.plain, "S"),
    "cards.trump-order": (Message("Trumps"), lambda ruleset: ruleset.orders.trump, "H"),
    "cards.run-order": (Message("In runs"), lambda ruleset: ruleset.run_order, "C"),
    "fours.rank": (
        Message("Fours"),
        lambda ruleset: [rank for rank in ruleset.fours_order if rank in ruleset.fours],
        "D",
    ),
    "deck": (Message("The pack"), lambda ruleset: ruleset.order, "S"),
}
"""By the key of a rule about an order of cards: the row's name, its ranks, the suit they are drawn in."""
PLAYERS = Message("Anna, Max, Nora, Paul, Vera, Tom")
"""The players of examples, as many as any table has, by seat."""


def list_orders(game: PlayedGame, rule: Rule, translate: Translate) -> tuple[CardRow, ...]:
    """List the rows of cards of a rule about an order of cards, drawn in some suit."""
    orders = (ORDERS[key] for key in rule.keys if key in ORDERS)
    rows = ((translate(name), ranks(game.family.ruleset), suit) for name, ranks, suit in orders)
    return tuple(
        CardRow(name, tuple(f"{rank}{suit}" for rank in ranks)) for name, ranks, suit in rows if ranks
    )


def list_house_choices(game: PlayedGame, translate: Translate) -> tuple[CardConvention, ...]:
    """List the conventions that make a difference at a table, each with its choice in words.

    An empty text and a number that is 0 say that there is no such thing: left out where that is usual.
    """
    deviant = {convention.name for convention, _value in game.deviations()}
    return tuple(
        CardConvention(
            translate(convention.label),
            describe_choice(convention, game.conventions[name], translate),
            name in deviant,
        )
        for name, convention in game.book.conventions.items()
        if convention.matters(game.conventions, game.players)
        and len(convention.values) != 1
        and (convention.values or game.conventions[name] or name in deviant)
    )


# --- sources --------------------------------------------------------------------------------------


def find_main_source(rules: Iterable[Rule]) -> str:
    """Find the work that most of the rules are after."""
    works = Counter(work for rule in rules for work in dict.fromkeys(_list_works(rule.source)))
    return works.most_common(1)[0][0] if works else ""


def describe_source(rule: Rule, main: str, translate: Translate) -> str:
    """Describe the source of a rule; empty if that is the `main` one of its rulebook."""
    return "" if {*_list_works(rule.source)} == {main} else translate(rule.source)


def list_sources(rules: Sequence[Rule], translate: Translate) -> tuple[str, ...]:
    """List the works that rules are after, each once, that of most rules first."""
    names: dict[str, str] = {}
    works = Counter[str]()
    for rule in rules:
        parts, shown = _list_works(rule.source), translate(rule.source).split("; ")
        works.update([*dict.fromkeys(parts)])
        for part, name in zip(parts, shown if len(shown) == len(parts) else parts, strict=True):
            names.setdefault(part, name.partition(": ")[0].rstrip())
    return tuple(names[work] for work, _count in works.most_common())


def _list_works(source: str) -> list[str]:
    """List the works that a source names, without the section of each."""
    return [work.partition(": ")[0] for work in source.split("; ")]


# --- examples -------------------------------------------------------------------------------------


def compose_examples(
    game: PlayedGame, rule: Rule, examples: Iterable[Example], translate: Translate
) -> tuple[ExampleText, ...]:
    """Compose those of some examples that are for a rule."""
    return tuple(_compose_example(game, each, translate) for each in examples if each.rule == rule.id)


def _compose_example(game: PlayedGame, example: Example, translate: Translate) -> ExampleText:
    """Compose an example in a language, with names for its players."""
    ring = game.family.ruleset.ring
    players = translate(PLAYERS).split(", ")[: ring.size]
    names, sides = name_seats(ring, players), name_sides(ring, name_seats(ring, players))
    say = make_namer(names, sides)

    def render(message: Message) -> str:
        return message.render(translate, say)

    points = {side: number for side, number in example.scored.items() if number}
    return ExampleText(
        begins=render(example.begins) if example.begins else "",
        shown=tuple(CardRow(names.get(each.seat or "", ""), each.cards) for each in example.shown),
        said=tuple((names[seat], render(call)) for seat, call in example.said),
        sides=tuple(sides[side] for side in ring.sides) if example.made else (),
        rows=tuple(_list_rows(game, example, translate, render)) if example.made else (),
        sentence=" ".join(map(render, example.why)),
        points=() if example.made else tuple((sides[side], number) for side, number in points.items()),
    )


def _list_rows(
    game: PlayedGame, example: Example, translate: Translate, render: Callable[[Message], str]
) -> Iterator[ExampleRow]:
    """List what was counted by sides, the sums, and the points written if they are others."""
    ring, words = game.family.ruleset.ring, game.book.words
    rows: dict[str, dict[str, int]] = {}
    for line in sorted(example.parts, key=lambda line: rank_word(line.word)):
        row = rows.setdefault(_name_part(line, words, translate, render), {})
        row[line.side] = row.get(line.side, 0) + line.points
    for label, points in rows.items():
        yield ExampleRow(label, tuple(str(points.get(side, "")) for side in ring.sides))
    _ = translate
    yield ExampleRow(_("made"), tuple(str(example.made.get(side, 0)) for side in ring.sides), is_sum=True)
    if dict(example.made) != dict(example.scored):
        scored = tuple(str(example.scored.get(side, 0)) for side in ring.sides)
        yield ExampleRow(_("scored"), scored, is_sum=True)


def _name_part(
    line: CountLine, words: Mapping[str, str], translate: Translate, render: Callable[[Message], str]
) -> str:
    """Name what was counted, a run with its highest card."""
    card = [render(line.detail)] if line.detail is not None else []
    return " ".join([translate(words.get(line.word, line.word)), *card])


# --- the booklet ----------------------------------------------------------------------------------


def compose_booklet(
    game: PlayedGame,
    translate: Translate,
    language: str,
    words: WordList | None = None,
    examples: Sequence[Example] = (),
) -> BookletPage:
    """Compose the whole rulebook of a table, with these examples and the meanings of all `words`."""
    _, book = translate, game.book
    rules = book.in_order(book.rules_for(game.conventions, game.players))
    main = find_main_source(rules)
    deviant = {convention.name for convention, _value in game.deviations()}
    chapters: dict[str, list[BookletRule]] = {}
    for rule in rules:
        chapters.setdefault(translate(rule.chapter), []).append(
            BookletRule(
                rule.id,
                translate(rule.text),
                unusual=not deviant.isdisjoint(rule.choices),
                source=describe_source(rule, main, translate),
                orders=list_orders(game, rule, translate),
                examples=compose_examples(game, rule, examples, translate),
            )
        )
    explained = words.said_by(language) if words else ()
    name, booklet, rulebook = name_game(game, translate), _("rulebook"), _("Rulebook")
    return BookletPage(
        title=f"{name}: {booklet}",
        game=translate(book.title),
        table="" if name == translate(book.title) else translate(book.presets[game.preset].label),
        also=book.also,
        summary=translate(book.summary),
        version=f"{rulebook} {book.version}, {format_day(book.dated, language)}",
        origin=describe_origin(game, translate),
        house_rules=list_house_choices(game, translate),
        chapters=tuple((title, tuple(rules)) for title, rules in chapters.items()),
        words=tuple(
            CardWord(word.word, word.meaning)
            for word in sorted(explained, key=lambda word: alphabetical(word.word, language))
        ),
        sources=list_sources(rules, translate),
    )
