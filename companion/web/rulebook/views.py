"""The rulebook of every game: each rule under its id, a table's own, two tables side by side, a search."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from flask import Blueprint, Response, render_template, request, url_for
from flask_babel import gettext as _
from markupsafe import Markup

from companion import library
from companion.library.examples import find_examples
from companion.rules.example import Example
from companion.rules.question import Question
from companion.rules.rulebook import Convention, Preset, Rule, Rulebook
from companion.rules.texts import Text
from companion.sheets.common import describe_choice
from companion.sheets.model import CardRow, ExampleText
from companion.sheets.printer import SheetOrder
from companion.sheets.rulebook import (
    compose_examples,
    describe_source,
    find_main_source,
    list_orders,
    list_sources,
)
from companion.web.rulings import question_about
from companion.web.shell.fragments import cached_fragment
from companion.web.shell.game_list import list_games
from companion.web.shell.language import current_language
from companion.web.shell.printing import print_sheet
from companion.web.shell.text import phrase, translate

from .search import RuleSearch, find_words, fold_text
from .table import ANY_MATCH, RuleTable, compared_tables, differing_conventions, rule_table, rules_only_at

bp = Blueprint("rulebook", __name__)


@dataclass(frozen=True)
class ShownRule:
    """A rule on the page, with the conventions that leave it to the table."""

    rule: Rule
    conventions: tuple[Convention, ...]
    orders: tuple[CardRow, ...]
    """Rows of cards, each under its name if there are several."""
    examples: tuple[ExampleText, ...]
    source: str
    """Its source, if that is not the main one."""
    applies: bool
    """True if it applies at the page's table."""


@dataclass(frozen=True)
class ShownChapter:
    """A chapter on the page, and the questions about its rules."""

    title: str
    rules: tuple[ShownRule, ...]
    questions: tuple[Question, ...]


@bp.get("/rules")
def catalogue() -> str:
    """Show the rulebooks; `q` searches all of them."""
    books = [library.read_rulebook(name) for name in library.names()]
    search = _read_search()
    hits = [(book, [rule for rule in book.rules.values() if _is_hit(book, rule, search)]) for book in books]
    first_books: dict[tuple[str, str], str] = {}
    """The game that shows a rule, by the rule's id and text: one that inherits it need not repeat it."""
    groups = []
    words = {
        book.game: find_words(book.game, current_language(), search) if search.words else [] for book in books
    }
    for book, rules in hits if search.words else ():
        firsts = [first_books.setdefault((rule.id, str(rule.text)), book.game) for rule in rules]
        own = [rule for rule, first in zip(rules, firsts, strict=True) if first == book.game]
        if rules or words[book.game]:
            groups.append((book, own, [rule for rule in rules if rule not in own]))
    return render_template(
        "rulebook/catalogue.html",
        games=list_games(),
        search=search,
        groups=groups,
        count=len(first_books),
        words=words,
        english_match=lambda rule: _english_match(rule.text, search),
        hints=_shorter_hints(search, list(chain(*(book.rules.values() for book in books))), books[0])
        if search.words and not groups
        else [],
    )


@bp.get("/rules/<game>")
def rulebook(game: str) -> str:
    """Show the rules of a game, or those of a table: a `match`, a `preset`, so many `players`.

    `q` keeps those with all its words; `all=1` adds those that do not apply at the table.
    """
    table, search, whole = rule_table(game, request.args), _read_search(), request.args.get("all") == "1"
    if search.text:
        article = Markup(_render_article(table, search, whole))
    else:
        general = table.for_any_match()
        article = cached_fragment(
            ("rulebook", *table.cache_key, whole), lambda: _render_article(general, search, whole)
        )
        article = article.replace(ANY_MATCH, table.match.id) if table.match else article
    return render_template(
        "rulebook/rulebook.html", table=table, book=table.game.book, match=table.match, article=article
    )


def _render_article(table: RuleTable, search: RuleSearch, whole: bool) -> str:
    """Render the rules of a table that contain the words of a search, without the page around them."""
    book, game = table.game.book, table.game.name
    there = {rule.id for rule in table.rules()}
    hits = [rule for rule in book.rules.values() if _is_hit(book, rule, search)]
    listed = [rule for rule in hits if whole or rule.id in there]
    main, examples = find_main_source(table.rules()), find_examples(table.game)
    chapters: dict[str, list[ShownRule]] = {}
    for rule in book.in_order(listed):
        applies = rule.id in there
        chapters.setdefault(rule.chapter, []).append(
            _show_rule(table, rule, main, examples, applies=applies, whole=whole)
        )
    shown = {rule.id for rule in listed}
    words = find_words(game, current_language(), search)
    return render_template(
        "rulebook/article.html",
        table=table,
        game=table.game,
        book=book,
        match=table.match,
        chapters=[
            ShownChapter(title, tuple(rules), _find_questions(table.game, rules))
            for title, rules in chapters.items()
        ],
        words=words,
        conventions=[]
        if search.words
        else [convention for convention in book.conventions.values() if table.matters(convention)],
        varieties=[] if search.words or table.is_chosen else _describe_varieties(book),
        usual=table.usual_values(),
        sources=list_sources(listed if whole else table.rules(), translate),
        search=search,
        whole=whole,
        count=len(listed),
        shown=shown,
        left_out=[rule for rule in hits if rule.id not in shown],
        hints=_shorter_hints(search, list(book.rules.values()), book)
        if search.words and not hits and not words
        else [],
        seatings=library.seatings(game, table.game.rules),
        is_for=partial(library.is_for, game, rules=table.game.rules),
        same_page=lambda **more: url_for(
            ".rulebook", **{"game": game, "q": search.text or None, **table.address_values, **more}
        ),
        phrase_question=lambda question: phrase(question.asks, book),
        describe_needs=lambda convention: describe_needs(table.game, convention),
        english_match=lambda rule: _english_match(rule.text, search),
    )


@bp.get("/rules/<game>/booklet.pdf")
def rulebook_pdf(game: str) -> Response:
    """Print the rules of a table as a booklet, those of the usual one if none was chosen."""
    table = rule_table(game, request.args)
    language, words, examples = current_language(), library.glossary(game), find_examples(table.game)
    order = SheetOrder("rulebook", table.game, language=language, words=words, examples=examples)
    return print_sheet(order, paper="a5")


@bp.get("/rules/<game>/compare")
def compare(game: str) -> str:
    """Show two tables side by side: `a` and `b` are presets or `match:ID`; `all=1` adds what is alike."""
    left, right = compared_tables(game, request.args)
    conventions = differing_conventions(left, right)
    matches = [table for table in (left, right) if table.match]
    titles = [table.players if len(matches) > 1 else table.title for table in (left, right)]
    return render_template(
        "rulebook/compare.html",
        game=left.game,
        book=left.game.book,
        left=left,
        right=right,
        titles=titles,
        cards={
            title: table.address_values or {"preset": table.game.preset}
            for title, table in zip(titles, (left, right), strict=True)
        },
        matches=matches,
        conventions=conventions,
        differing=sum(convention.differs for convention in conventions),
        only=[(titles[0], rules_only_at(left, right)), (titles[1], rules_only_at(right, left))],
        whole=request.args.get("all") == "1",
        same_page=lambda **more: url_for(
            ".compare",
            game=game,
            a=left.compared_as,
            b=right.compared_as,
            players=request.args.get("players") or None,
            **more,
        ),
    )


def _describe_varieties(book: Rulebook) -> list[tuple[Preset, list[tuple[Convention, str]]]]:
    """The varieties of a game side by side, each with its settings in words; empty for a single one."""
    varieties = []
    for preset in book.varieties if len(book.varieties) > 1 else ():
        sets = [(book.conventions[name], value) for name, value in preset.sets.items()]
        words = [(convention, describe_choice(convention, value, translate)) for convention, value in sets]
        varieties.append((preset, words))
    return varieties


def _show_rule(
    table: RuleTable, rule: Rule, main: str, examples: Sequence[Example], *, applies: bool, whole: bool
) -> ShownRule:
    """A rule with what belongs to it; of conventions only those that matter at the table, or the `whole`."""
    game = table.game
    conventions = (convention for convention in game.book.conventions.values() if convention.rule == rule.id)
    listed = (
        convention for convention in conventions if whole or not table.is_chosen or table.matters(convention)
    )
    return ShownRule(
        rule,
        tuple(listed),
        list_orders(game, rule, translate),
        compose_examples(game, rule, examples, translate),
        describe_source(rule, main, translate),
        applies,
    )


def _find_questions(game: library.Game, rules: Sequence[ShownRule]) -> tuple[Question, ...]:
    """The questions about these rules that the game has, each once."""
    questions = game.family.questions
    names = (question_about(key, questions) for shown in rules for key in shown.rule.keys)
    return tuple(questions[name] for name in dict.fromkeys(names) if name is not None and name in questions)


def describe_needs(game: library.Game, convention: Convention) -> list[tuple[str, str]]:
    """The other house rules that this one depends on, and the values that they need."""
    needs = []
    for name, value in convention.needs.items():
        other = game.book.conventions[name]
        text = other.values.get(value, "")
        needs.append((translate(other.label), translate(text) or _("at least %(number)s", number=1)))
    return needs


# --- the search -----------------------------------------------------------------------------------


def _read_search() -> RuleSearch:
    return RuleSearch(request.args.get("q", "").strip()[:80])


def _is_hit(book: Rulebook, rule: Rule, search: RuleSearch) -> bool:
    """True if the rule or its conventions contain all words, in the page's language or in English."""
    if not search.words:
        return True
    texts: list[Text] = [rule.text, rule.chapter]
    for convention in book.conventions.values():
        if convention.rule == rule.id:
            texts += [convention.label, convention.text, *convention.values.values()]
    return search.finds(rule.id, *map(str, texts), *map(translate, texts))


def _english_match(paragraph: Text, search: RuleSearch) -> str:
    """The English of a paragraph if only that contains a word of the search; else empty."""
    text, shown = str(paragraph), translate(paragraph)
    only_english = any(
        RuleSearch(word).finds(text) and not RuleSearch(word).finds(shown) for word in search.words
    )
    return text if only_english and text != shown else ""


def _shorter_hints(search: RuleSearch, rules: Sequence[Rule], book: Rulebook) -> list[tuple[str, int]]:
    """The longest shorter search for each word that finds something, with its number of rules."""
    hints: dict[str, tuple[str, int]] = {}
    texts = {rule.id: fold_text(f"{rule.id} {rule.text} {translate(rule.text)}")[0] for rule in rules}
    for shorter in search.shorter_searches():
        word = next(word for word in search.words if word.startswith(shorter.text))
        if word not in hints:
            count = sum(shorter.text in each for each in texts.values())
            if count:
                hints[word] = (shorter.text, count)
    return list(hints.values())
