"""The rulebook of every game: each rule under its id, the conventions with their values, a search."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, render_template, request
from flask_babel import gettext as _

from companion import library
from companion.rules.message import Message
from companion.rules.rulebook import Convention, Rule, Value

from . import matches
from .phrases import phrase
from .speech import said, translate
from .verdicts import settling

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
class Entry:
    """A rule on the page: the questions that ask about it, the conventions that leave it to the table."""

    rule: Rule
    questions: tuple[Any, ...]
    conventions: tuple[Convention, ...]
    orders: tuple[tuple[str, tuple[str, ...]], ...]
    """Rows of cards, each under its name where there are several."""


@bp.get("/rules")
def shelf() -> str:
    """The rulebooks there are."""
    return render_template("rules/shelf.html", books=[library.shelf(name) for name in library.names()])


@bp.get("/rules/<game>")
def rulebook(game: str) -> str:
    """The rules of a game; `q` keeps those that hold all its words, `match` shows what that table plays."""
    if game not in library.names():
        abort(404)
    match = matches.get(request.args["match"]) if request.args.get("match") else None
    if match is not None and match.game.name != game:
        abort(404)
    opened = match.game if match else library.open_game(game)
    search = request.args.get("q", "").strip()[:80]
    found = [entry(opened, rule) for rule in opened.book.rules.values()]
    kept = [one for one in found if _holds(one, search)]
    chapters: dict[str, list[Entry]] = {}
    for one in sorted(kept, key=lambda one: one.rule.chapter != _first_chapter(opened)):
        chapters.setdefault(one.rule.chapter, []).append(one)
    return render_template(
        "rules/rulebook.html",
        game=opened,
        book=opened.book,
        match=match,
        chapters=chapters,
        conventions=[] if search else list(opened.book.conventions.values()),
        usual=_usual(opened),
        sources=list(dict.fromkeys(rule.source for rule in opened.book.rules.values())),
        search=search,
        count=len(kept),
        asked=lambda question: phrase(question.asks, opened.book),
        needs=lambda convention: needs(opened, convention),
    )


def _usual(game: library.Game) -> dict[str, Value]:
    """What stands where nobody said anything, in the game's first preset, for as many players."""
    return {
        name: game.book.usual(name, None, game.conventions, game.players) for name in game.book.conventions
    }


def _first_chapter(game: library.Game) -> str:
    """The chapter on the cards: whatever a game inherits, it is read first."""
    key = next(key for key in ORDERS if game.book.knows(key))
    return game.book.cite(key)[0].chapter


def entry(game: library.Game, rule: Rule) -> Entry:
    """A rule with what belongs to it."""
    conventions = tuple(one for one in game.book.conventions.values() if one.rule == rule.id)
    return Entry(rule, _questions(game, rule), conventions, _orders(game, rule))


def _questions(game: library.Game, rule: Rule) -> tuple[Any, ...]:
    """The questions that are about this rule, as far as the game knows them."""
    known = game.family.questions
    names = [settling(key, known) for key in rule.keys]
    return tuple(known[name] for name in dict.fromkeys(names) if name in known)


def _orders(game: library.Game, rule: Rule) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The cards of a rule that says in which order they stand, drawn in some suit."""
    orders = (ORDERS[key] for key in rule.keys if key in ORDERS)
    found = ((said(name), ranks(game.family.ruleset), suit) for name, ranks, suit in orders)
    return tuple((name, tuple(f"{rank}{suit}" for rank in ranks)) for name, ranks, suit in found if ranks)


def needs(game: library.Game, convention: Convention) -> list[tuple[str, str]]:
    """The other house rules without which this one means nothing, and how they must stand."""
    found = []
    for name, value in convention.needs.items():
        other = game.book.conventions[name]
        said = other.values.get(value, "")
        found.append((translate(other.label), translate(said) or _("at least %(number)s", number=1)))
    return found


def _holds(one: Entry, search: str) -> bool:
    """Whether all the words stand in the rule, in the language of the page or in English."""
    rule = one.rule
    texts = [rule.id, rule.text, rule.chapter, translate(rule.text), translate(rule.chapter)]
    texts += [translate(convention.label) for convention in one.conventions]
    hay = " ".join(texts).casefold()
    return all(part in hay for part in search.casefold().split())
