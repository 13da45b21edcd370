"""The rulebook of every game: each rule under its id, a table's own, two tables side by side, a search."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask_babel import gettext as _

from companion import library
from companion.rules.message import Message
from companion.rules.question import Question
from companion.rules.rulebook import Convention, Rule, Rulebook
from companion.web.rulings import question_about
from companion.web.support.text import phrase, render_message, translate

from .compare import differing_conventions, rules_only
from .search import RuleSearch
from .table import RuleTable, compared_tables, rule_table, sits

bp = Blueprint("rulebook", __name__)


ORDERS: Mapping[str, tuple[Message, Callable[[Any], Sequence[str]], str]] = {
    "cards.plain-order": (Message("Other suits"), lambda ruleset: ruleset.orders.plain, "S"),
    "cards.trump-order": (Message("Trumps"), lambda ruleset: ruleset.orders.trump, "H"),
    "cards.run-order": (Message("In runs"), lambda ruleset: ruleset.run_order, "C"),
    "fours.rank": (
        Message("Fours"),
        lambda ruleset: [one for one in ruleset.fours_order if one in ruleset.fours],
        "D",
    ),
    "deck": (Message("The pack"), lambda ruleset: ruleset.order, "S"),
}
"""By the key of a rule that tells an order: what the row is called, its ranks, the suit they are drawn in."""


@dataclass(frozen=True)
class ShownRule:
    """A rule on the page: the questions that ask about it, the conventions that leave it to the table."""

    rule: Rule
    questions: tuple[Question, ...]
    conventions: tuple[Convention, ...]
    orders: tuple[tuple[str, tuple[str, ...]], ...]
    """Rows of cards, each under its name where there are several."""
    applies: bool = True
    """Whether it applies at the table that the page is for."""


@bp.get("/rules")
def shelf() -> str:
    """The rulebooks there are; `q` searches all of them."""
    books = [library.shelf(name) for name in library.names()]
    search = _search()
    finds = [(book, [one for one in book.rules.values() if _found(book, one, search)]) for book in books]
    told: dict[tuple[str, str], str] = {}
    """Where a rule has been shown: a game that inherits it need not tell it again."""
    groups = []
    for book, rules in finds if search.words else ():
        own = [one for one in rules if told.setdefault((one.id, one.text), book.game) == book.game]
        if rules:
            groups.append((book, own, [one for one in rules if one not in own]))
    return render_template(
        "rulebook/shelf.html",
        books=books,
        search=search,
        groups=groups,
        count=len(told),
        english=lambda rule: _english(rule.text, search),
        hints=_hints(search, list(chain(*(book.rules.values() for book in books))), books[0])
        if search.words and not groups
        else [],
    )


@bp.get("/rules/<game>")
def rulebook(game: str) -> str:
    """The rules of a game, all of them, or those of a table: a `match`, a `preset`, so many `players`.

    `q` keeps those that hold all its words; `all=1` shows those too that do not apply at the table.
    """
    table = rule_table(game, request.args)
    book, search, whole = table.game.book, _search(), request.args.get("all") == "1"
    there = {rule.id for rule in table.rules()}
    found = [rule for rule in book.rules.values() if _found(book, rule, search)]
    kept = [rule for rule in found if whole or rule.id in there]
    chapters: dict[str, list[ShownRule]] = {}
    for rule in book.in_order(kept):
        chapters.setdefault(rule.chapter, []).append(entry(table, rule, rule.id in there, whole))
    shown = {rule.id for rule in kept}
    return render_template(
        "rulebook/rulebook.html",
        table=table,
        game=table.game,
        book=book,
        match=table.match,
        chapters=chapters,
        conventions=[] if search.words else [one for one in book.conventions.values() if table.matters(one)],
        usual=table.usual(),
        sources=list(dict.fromkeys(rule.source for rule in book.rules.values())),
        search=search,
        whole=whole,
        count=len(kept),
        shown=shown,
        left_out=[rule for rule in found if rule.id not in shown],
        hints=_hints(search, list(book.rules.values()), book) if search.words and not found else [],
        seatings=library.seatings(game),
        sits=sits,
        again=lambda **more: url_for(
            ".rulebook", **{"game": game, "q": search.text or None, **table.address, **more}
        ),
        asked=lambda question: phrase(question.asks, book),
        needs=lambda convention: needs(table.game, convention),
        english=lambda rule: _english(rule.text, search),
    )


@bp.get("/rules/<game>/compare")
def compare(game: str) -> str:
    """Two tables side by side: `a` and `b` are presets or `match:ID`; `all=1` shows what is alike too."""
    left, right = compared_tables(game, request.args)
    conventions = differing_conventions(left, right)
    matches = [table for table in (left, right) if table.match]
    titles = [one.players if len(matches) > 1 else one.title for one in (left, right)]
    return render_template(
        "rulebook/compare.html",
        game=left.game,
        book=left.game.book,
        left=left,
        right=right,
        titles=titles,
        cards={
            title: one.address or {"preset": one.game.preset}
            for title, one in zip(titles, (left, right), strict=True)
        },
        matches=matches,
        conventions=conventions,
        differing=sum(one.differs for one in conventions),
        only=[
            (titles[0], rules_only(left, right)),
            (titles[1], rules_only(right, left)),
        ],
        whole=request.args.get("all") == "1",
        again=lambda **more: url_for(
            ".compare",
            game=game,
            a=left.side,
            b=right.side,
            players=request.args.get("players") or None,
            **more,
        ),
    )


def entry(table: RuleTable, rule: Rule, applies: bool = True, whole: bool = False) -> ShownRule:
    """A rule with what belongs to it; at a table the conventions that matter there, `whole` all."""
    game = table.game
    conventions = (one for one in game.book.conventions.values() if one.rule == rule.id)
    kept = tuple(one for one in conventions if whole or not table.chosen or table.matters(one))
    return ShownRule(rule, _questions(game, rule), kept, _orders(game, rule), applies)


def _questions(game: library.Game, rule: Rule) -> tuple[Question, ...]:
    """The questions that are about this rule, as far as the game knows them."""
    known = game.family.questions
    names = [question_about(key, known) for key in rule.keys]
    return tuple(known[name] for name in dict.fromkeys(names) if name is not None and name in known)


def _orders(game: library.Game, rule: Rule) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The cards of a rule that says in which order they stand, drawn in some suit."""
    orders = (ORDERS[key] for key in rule.keys if key in ORDERS)
    found = ((render_message(name), ranks(game.family.ruleset), suit) for name, ranks, suit in orders)
    return tuple((name, tuple(f"{rank}{suit}" for rank in ranks)) for name, ranks, suit in found if ranks)


def needs(game: library.Game, convention: Convention) -> list[tuple[str, str]]:
    """The other house rules without which this one means nothing, and how they must stand."""
    found = []
    for name, value in convention.needs.items():
        other = game.book.conventions[name]
        said = other.values.get(value, "")
        found.append((translate(other.label), translate(said) or _("at least %(number)s", number=1)))
    return found


# --- the search -----------------------------------------------------------------------------------


def _search() -> RuleSearch:
    return RuleSearch(request.args.get("q", "").strip()[:80])


def _found(book: Rulebook, rule: Rule, search: RuleSearch) -> bool:
    """Whether all words stand in the rule or its conventions, in the language of the page or in English."""
    if not search.words:
        return True
    texts = [rule.text, rule.chapter]
    for one in book.conventions.values():
        if one.rule == rule.id:
            texts += [one.label, one.text, *one.values.values()]
    return search.finds(rule.id, *texts, *map(translate, texts))


def _english(text: str, search: RuleSearch) -> str:
    """The English of a paragraph where only that holds the words."""
    there = translate(text)
    found = [
        word for word in search.words if RuleSearch(word).finds(text) and not RuleSearch(word).finds(there)
    ]
    return text if found and text != there else ""


def _hints(search: RuleSearch, rules: Sequence[Rule], book: Rulebook) -> list[tuple[str, int]]:
    """Shorter searches that find something, each with how many rules: for every word the longest."""
    hints: dict[str, tuple[str, int]] = {}
    for one in search.shorter():
        word = next(word for word in search.words if word.startswith(one.text))
        if word not in hints:
            texts = {rule.id: (rule.id, rule.text, translate(rule.text)) for rule in rules}
            count = sum(one.finds(*each) for each in texts.values())
            if count:
                hints[word] = (one.text, count)
    return list(hints.values())
