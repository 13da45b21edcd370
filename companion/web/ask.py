"""Ask the arbiter: pick a game and a question, tell the facts, read the answer; from a match or without."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from companion import library
from companion.rules.rulebook import Convention, Value, json_word
from companion.rules.shapes import Unreadable

from . import faces, matches
from .answer import Answer
from .phrases import phrase
from .question_form import QuestionForm, spelled
from .speech import said

bp = Blueprint("ask", __name__)


@dataclass
class Table:
    """Where a question is asked: a game by its rules of the house, and a match where there is one."""

    game: library.Game
    match: matches.Match | None = None
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        """The players by seat."""
        if self.match is not None:
            return self.match.names
        return {seat: _("Player %(letter)s", letter=seat) for seat in self.game.family.ruleset.ring.seats}

    @property
    def usual(self) -> dict[str, Value]:
        """The conventions as the preset has them."""
        return self.game.book.resolve(self.game.preset, {}, "")

    def to(self, question: str | None = None) -> str:
        """The address of a question here, or of their list."""
        if self.match is not None and question:
            return url_for("ask.match_question", id=self.match.id, question=question)
        if self.match is not None:
            return url_for("ask.match_questions", id=self.match.id)
        if question:
            return url_for("ask.question", game=self.game.name, question=question)
        return url_for("ask.game", game=self.game.name)

    def chosen(self, convention: Convention) -> str:
        """A convention's value here, as it is written."""
        return request.args.get(f"rule-{convention.name}", json_word(self.game.conventions[convention.name]))

    def asked(self, question: Any) -> str:
        """A question in the players' words."""
        return phrase(question.asks, self.game.book)


@bp.get("/ask")
def questions() -> str | Response:
    """Pick a game; where there is one game only, its questions."""
    games = [library.shelf(name) for name in library.names()]
    if len(games) == 1:
        return redirect(url_for("ask.game", game=games[0].game))
    return render_template("ask/games.html", games=games)


@bp.get("/ask/<game>")
def game(game: str) -> str:
    """The questions of a game, in the players' words."""
    return _list(Table(_opened(game)))


@bp.get("/m/<id>/ask")
def match_questions(id: str) -> str:
    """The questions of a match, with everything it knows filled in."""
    match = matches.get(id)
    return _list(Table(match.game, match))


def _list(table: Table) -> str:
    known_here = table.game.family.questions.values()
    return render_template("ask/questions.html", table=table, match=table.match, questions=known_here)


@bp.get("/ask/<game>/<question>")
def question(game: str, question: str) -> tuple[str, int]:
    """A question on its own: its form, and the answer once it is asked."""
    plain = _opened(game)
    errors: dict[str, str] = {}
    chosen = _house_rules(plain, request.args, errors)
    preset = request.args.get("preset", plain.preset)
    preset = preset if preset in plain.book.presets else plain.preset
    return _page(Table(library.open_game(game, preset, chosen), errors=errors), question, request.args)


@bp.get("/m/<id>/ask/<question>")
def match_question(id: str, question: str) -> tuple[str, int]:
    """A question about a match."""
    match = matches.get(id)
    table = Table(match.game, match)
    typed = request.args
    if not any(key for key in typed if key != "asked"):
        asked = match.game.family.questions.get(question)
        typed = MultiDict(spelled(faces.of(match).known(match, asked))) if asked else typed
    return _page(table, question, typed)


def _page(table: Table, name: str, typed: MultiDict[str, str]) -> tuple[str, int]:
    asked = table.game.family.questions.get(name)
    if asked is None:
        abort(404)
    form, answer, status = QuestionForm(table.game, asked, table.names, typed), None, 200
    if table.errors:
        status = 400
    elif form.asked:
        status = form.check()
        if status == 200:
            try:
                answer = Answer(form, library.rule(form.request()))
            except Unreadable as fault:
                status = form.refuse(fault)
    page = render_template("ask/question.html", table=table, match=table.match, form=form, answer=answer)
    return page, status


def _opened(name: str) -> library.Game:
    if name not in library.names():
        abort(404)
    return library.open_game(name)


def _house_rules(game: library.Game, typed: Mapping[str, str], errors: dict[str, str]) -> dict[str, Value]:
    """The conventions chosen in the address; what cannot be one stands in `errors`."""
    found: dict[str, Value] = {}
    for name, convention in game.book.conventions.items():
        text = typed.get(f"rule-{name}", "").strip()
        if not text:
            continue
        value: Any = next((one for one in convention.values if json_word(one) == text), text)
        if not convention.values and text.isascii() and text.isdigit():
            value = int(text)
        try:
            found[name] = convention.check(value, name)
        except Unreadable as fault:
            errors[name] = _("What is expected here: %(what)s.", what=said(fault.expected))
    return found
