"""Ask the arbiter: pick a game and a question, tell the facts, read the answer; from a match or without."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from companion import library
from companion.matches import Match
from companion.rules.rulebook import Convention, Value, json_word
from companion.rules.schema import Unreadable, fields_of
from companion.web.support.forms import WritingForm
from companion.web.support.game_ui import game_ui
from companion.web.support.matches import open_match
from companion.web.support.text import phrase, requirement

from .answer import Answer
from .form import QuestionForm, query_of

bp = Blueprint("ask", __name__)


@dataclass
class QuestionSetting:
    """Where a question is asked: a game by its rules of the house, and a match where there is one."""

    game: library.Game
    match: Match | None = None
    errors: dict[str, str] = field(default_factory=dict)
    seating: library.Seating | None = None
    """How many sit here and with whom, where the game leaves that open."""
    entry: int | None = None
    """The entry of the match that is disputed, by its id; None where it is none of them."""

    @property
    def names(self) -> dict[str, str]:
        """The players by seat."""
        if self.match is not None:
            return self.match.names
        return {seat: _("Player %(letter)s", letter=seat) for seat in self.game.family.ruleset.ring.seats}

    @property
    def usual(self) -> dict[str, Value]:
        """The conventions as the preset has them for those who sit here."""
        seated = self.seating.conventions if self.seating else {}
        return self.game.book.resolve(self.game.preset, seated, "", self.game.players)

    @property
    def seatings(self) -> tuple[library.Seating, ...]:
        """The ways to sit down to the game."""
        return library.seatings(self.game.name)

    def sits(self, seating: library.Seating) -> str:
        """A way to sit down, as its button has it: how many, or how many against how many."""
        half = seating.players // 2
        return _("%(half)s v %(half)s", half=half) if seating.partnerships else str(seating.players)

    @property
    def rules(self) -> list[Convention]:
        """The house rules that may be chosen with a question."""
        seated, played = self.seating.conventions if self.seating else {}, self.game.conventions
        return [
            one
            for name, one in self.game.book.conventions.items()
            if len(one.values) != 1
            and not one.is_text
            and name not in seated
            and (one.matters(played, self.game.players) or self.chosen(one) != json_word(self.usual[name]))
        ]

    @property
    def changed(self) -> int:
        """How many of them are not as usual."""
        return sum(self.game.conventions[one.name] != self.usual[one.name] for one in self.rules)

    def to(self, question: str | None = None) -> str:
        """The address of a question here, or of their list."""
        if self.match is not None and question:
            return url_for("ask.match_question", id=self.match.id, question=question, entry=self.entry)
        if self.match is not None:
            return url_for("ask.match_questions", id=self.match.id, entry=self.entry)
        if question:
            return url_for("ask.question", game=self.game.name, question=question)
        return url_for("ask.game", game=self.game.name)

    def kept(self, question: str) -> str:
        """The address that keeps the ruling on this page: the page's own, facts and all."""
        if self.match is not None:
            address = url_for("kept.keep_of_match", id=self.match.id, question=question)
        else:
            address = url_for("kept.keep", game=self.game.name, question=question)
        return f"{address}?{request.query_string.decode()}"

    def chosen(self, convention: Convention) -> str:
        """A convention's value here, as it is written."""
        return request.args.get(f"rule-{convention.name}", json_word(self.game.conventions[convention.name]))

    def asked(self, question: Any) -> str:
        """A question in the players' words."""
        return phrase(question.asks, self.game.book)


@dataclass(frozen=True)
class QuestionPage:
    """A question as it was sent to a table: its form, the answer where there is one, the page's status."""

    table: QuestionSetting
    form: QuestionForm
    answer: Answer | None
    status: int

    def page(self) -> tuple[str, int]:
        """The form, or the answer."""
        page = render_template(
            "rulings/question.html",
            table=self.table,
            match=self.table.match,
            form=self.form,
            answer=self.answer,
            writing=WritingForm(formdata=None),
        )
        return page, self.status


@bp.get("/ask")
def questions() -> str | Response:
    """Pick a game; where there is one game only, its questions."""
    games = [library.shelf(name) for name in library.names()]
    if len(games) == 1:
        return redirect(url_for("ask.game", game=games[0].game))
    return render_template("rulings/games.html", games=games)


@bp.get("/ask/<game>")
def game(game: str) -> str:
    """The questions of a game, in the players' words."""
    return _list(QuestionSetting(_opened(game)))


@bp.get("/m/<id>/ask")
def match_questions(id: str) -> str:
    """The questions of a match, with everything it knows filled in."""
    match = open_match(id)
    return _list(QuestionSetting(match.game, match, entry=_entry(match)))


def _list(table: QuestionSetting) -> str:
    found = list(table.game.family.questions.values())
    likely = game_ui(table.match.game).likely_questions(table.match) if table.match else ()
    found.sort(key=lambda one: likely.index(one.name) if one.name in likely else len(likely))
    return render_template("rulings/questions.html", table=table, match=table.match, questions=found)


@bp.get("/ask/<game>/<question>")
def question(game: str, question: str) -> tuple[str, int]:
    """A question on its own: its form, and the answer once it is asked."""
    return answer_page(game, question).page()


@bp.get("/m/<id>/ask/<question>")
def match_question(id: str, question: str) -> tuple[str, int]:
    """A question about a match."""
    return match_answer_page(open_match(id), question).page()


def answer_page(game: str, question: str) -> QuestionPage:
    """The question of a game that this request's address holds."""
    plain = _opened(game)
    errors: dict[str, str] = {}
    counted = question not in plain.family.unseated or "players" in request.args
    seating = _seating(plain, request.args, errors) if counted else None
    table = _table(plain, seating, request.args, errors)
    return _judged(table, question, _with_usual(table, question, request.args))


def match_answer_page(match: Match, question: str) -> QuestionPage:
    """The question about a match that this request's address holds."""
    table = QuestionSetting(match.game, match, entry=_entry(match))
    typed = request.args
    if not any(key for key in typed if key not in ("asked", "entry")):
        asked = match.game.family.questions.get(question)
        typed = MultiDict(query_of(game_ui(match.game).prefill(match, asked))) if asked else typed
    return _judged(table, question, typed)


def _entry(match: Match) -> int | None:
    """The entry that the address says is disputed."""
    entry = request.args.get("entry", type=int)
    return entry if entry is not None and match.entry(entry) else None


def _judged(table: QuestionSetting, name: str, typed: MultiDict[str, str]) -> QuestionPage:
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
    return QuestionPage(table, form, answer, status)


def _opened(name: str) -> library.Game:
    if name not in library.names():
        abort(404)
    return library.open_game(name)


def _table(
    plain: library.Game,
    seating: library.Seating | None,
    typed: MultiDict[str, str],
    errors: dict[str, str],
) -> QuestionSetting:
    """The table that is meant by an address: who sits there, by which rules; what cannot be is told."""
    chosen = dict(seating.conventions if seating else {}) | _house_rules(plain, typed, errors)
    preset = typed.get("preset", plain.preset)
    preset = preset if preset in plain.book.presets else plain.preset
    shown = seating if len(library.seatings(plain.name)) > 1 else None
    while True:
        try:
            game = library.open_game(plain.name, preset, chosen, seating.players if seating else None)
        except Unreadable as fault:  # a value that is not for so many
            name = fault.path.removeprefix("conventions.")
            if name not in chosen:
                raise
            del chosen[name]
            errors[name] = requirement(fault)
        else:
            return QuestionSetting(game, errors=errors, seating=shown)


def _seating(game: library.Game, typed: MultiDict[str, str], errors: dict[str, str]) -> library.Seating:
    """How those sit whom an address means: by name (`teams-4`), or by their number and the house rules."""
    told, usual = typed.getlist("players")[-1:], game.family.ruleset.ring.size
    found = library.seatings(game.name)
    chosen = {**game.conventions, **_house_rules(game, typed, {})}
    fitting = [one for one in found if all(chosen[name] == it for name, it in one.conventions.items())]
    named = [one for one in found if [one.name] == told and one.partnerships]
    counted = [one for one in fitting if [str(one.players)] == told]
    if told and not named and not counted and found[1:]:
        words = ", ".join(one.name for one in fitting or found)
        errors["players"] = _("Must be one of %(values)s.", values=words)
    return next(iter([*named, *counted, *(one for one in fitting if one.players == usual), *fitting, *found]))


def _with_usual(table: QuestionSetting, name: str, typed: MultiDict[str, str]) -> MultiDict[str, str]:
    """An address with what a new question begins with: where nothing is told yet, or others have sat down."""
    asked, face = table.game.family.questions.get(name), game_ui(table.game)
    if asked is None or "asked" in typed:
        return typed
    keys, seated = {place.key for place in fields_of(asked.shape)}, typed.getlist("players")
    told = any(part in keys for key in typed for part in key.split(".")[:2])
    if told and len(seated) < 2:
        return typed
    kept = typed
    if told:  # what stands there still from those who sat here before
        plain, before = library.open_game(table.game.name), MultiDict([("players", seated[0])])
        left = _table(plain, _seating(plain, before, {}), before, {})
        gone = query_of(face.usual_facts(left.game, asked))
        kept = MultiDict(pair for pair in typed.items(multi=True) if pair not in gone)
    new = [pair for pair in query_of(face.usual_facts(table.game, asked)) if pair[0] not in kept]
    return MultiDict([*kept.items(multi=True), *new])


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
            errors[name] = requirement(fault)
    return found
