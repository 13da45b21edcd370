"""Asking the arbiter: choose a game and a question, state the facts, read the answer.

A question can be asked within a match or without one.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from companion import library
from companion.matches import AttachRuling, Match
from companion.rules.conditions import Value, json_word
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.question import Question
from companion.rules.rulebook import Convention
from companion.rules.schema import fields_of
from companion.web.shell.forms import WritingForm
from companion.web.shell.game_list import list_games
from companion.web.shell.game_ui import game_ui
from companion.web.shell.matches import access, open_match
from companion.web.shell.security import browser
from companion.web.shell.text import phrase, requirement

from .answer import Answer
from .fields.base import Address, QuestionContext
from .form import QuestionForm, query_of

bp = Blueprint("questions", __name__)

_DIGITS = 10
"""More digits than any number of ours has."""
ABOUT = ("entry", "objection")
"""The keys of an address that name the dispute in the match, besides the facts."""


@dataclass
class QuestionSetting:
    """The setting of a question: a game by its house rules, and the match if there is one."""

    game: library.Game
    match: Match | None = None
    errors: dict[str, str] = field(default_factory=dict)
    """The errors in the house rules and the number of players, by name."""
    seating: library.Seating | None = None
    """The number of players and their teams, if the game leaves that open."""
    entry: int | None = None
    """The id of the disputed entry of the match, or None."""
    objection: int | None = None
    """The number of the objection that the ruling is to settle, or None."""

    @property
    def may_attach(self) -> bool:
        """True if this browser may attach the ruling to the match."""
        if self.match is None:
            return False
        return access(self.match).may_make(AttachRuling({}, self.entry, self.objection), self.match)

    @property
    def names(self) -> dict[str, str]:
        """The players' names by seat."""
        if self.match is not None:
            return self.match.names
        return {seat: _("Player %(letter)s", letter=seat) for seat in self.game.family.ruleset.ring.seats}

    @cached_property
    def usual_conventions(self) -> dict[str, Value]:
        """The conventions of the preset for this seating."""
        seated = self.seating.conventions if self.seating else {}
        return self.game.book.resolve(self.game.preset, seated, "", self.game.players)

    @property
    def seatings(self) -> tuple[library.Seating, ...]:
        """The possible seatings of the game."""
        return library.seatings(self.game.name, self.game.rules)

    @cached_property
    def house_rules(self) -> list[Convention]:
        """The house rules that may be chosen with a question."""
        seated, played = self.seating.conventions if self.seating else {}, self.game.conventions
        return [
            convention
            for name, convention in self.game.book.conventions.items()
            if len(convention.values) != 1
            and not convention.is_text
            and name not in seated
            and (
                convention.matters(played, self.game.players)
                or self.chosen_value(convention) != json_word(self.usual_conventions[name])
            )
        ]

    @property
    def changed_count(self) -> int:
        """The number of house rules that differ from the preset."""
        usual, played = self.usual_conventions, self.game.conventions
        return sum(played[rule.name] != usual[rule.name] for rule in self.house_rules)

    def chosen_value(self, convention: Convention) -> str:
        """A convention's value here, as an address has it."""
        return request.args.get(f"rule-{convention.name}", json_word(self.game.conventions[convention.name]))

    def address(self, question: str | None = None) -> str:
        """The address of a question here, or of their list."""
        if self.match is None:
            page = "questions.question" if question else "questions.game"
            return url_for(page, game=self.game.name, question=question)
        page = "questions.match_question" if question else "questions.match_questions"
        about: dict[str, Any] = {"entry": self.entry, "objection": self.objection}
        return url_for(page, id=self.match.id, question=question, **about)

    def saving_address(self, question: str) -> str:
        """The address that saves the ruling on this page: the page's own with its facts."""
        if self.match is not None:
            address = url_for("saved_rulings.keep_of_match", id=self.match.id, question=question)
        else:
            address = url_for("saved_rulings.keep", game=self.game.name, question=question)
        return f"{address}?{request.query_string.decode()}"

    def title(self, question: Question) -> str:
        """A question in the players' words."""
        return phrase(question.asks, self.game.book)

    def form(self, question: Question, address: Address) -> QuestionForm:
        """The form of a question in this setting, with the facts of an address."""
        return QuestionForm(QuestionContext(self.game, question, self.names), address)


@dataclass(frozen=True)
class QuestionPage:
    """A question as it was sent: its form, and its answer if there is one."""

    setting: QuestionSetting
    form: QuestionForm
    answer: Answer | None = None

    def render(self) -> tuple[str, int]:
        """Render the form, or the answer, with its status."""
        if self.answer is not None:
            with suppress(browser.UnknownBrowser):
                browser.token()  # it may be saved with the form on the page, by two taps too
        page = render_template(
            "rulings/question.html",
            setting=self.setting,
            match=self.setting.match,
            form=self.form,
            answer=self.answer,
            writing=WritingForm(formdata=None),
        )
        return page, 400 if self.setting.errors else self.form.status


@bp.get("/ask")
def questions() -> str | Response:
    """Show the games to choose from; with one game only, lead to its questions."""
    names = library.names()
    if len(names) == 1:
        return redirect(url_for("questions.game", game=names[0]))
    return render_template("rulings/games.html", games=list_games())


@bp.get("/ask/<game>")
def game(game: str) -> str:
    """Show the questions of a game, in the players' words."""
    return _list_questions(QuestionSetting(_open_game(game)))


@bp.get("/m/<id>/ask")
def match_questions(id: str) -> str:
    """Show the questions of a match, with everything it knows filled in."""
    match = open_match(id)
    return _list_questions(_open_match_setting(match))


def _list_questions(setting: QuestionSetting) -> str:
    questions = list(setting.game.family.questions.values())
    likely = game_ui(setting.match.game).likely_questions(setting.match) if setting.match else ()
    questions.sort(
        key=lambda question: likely.index(question.name) if question.name in likely else len(likely)
    )
    return render_template(
        "rulings/questions.html", setting=setting, match=setting.match, questions=questions
    )


@bp.get("/ask/<game>/<question>")
def question(game: str, question: str) -> tuple[str, int]:
    """Show a question on its own: its form, and the answer once it is asked."""
    return question_page(game, question).render()


@bp.get("/m/<id>/ask/<question>")
def match_question(id: str, question: str) -> tuple[str, int]:
    """Show a question about a match."""
    return match_question_page(open_match(id), question).render()


def question_page(game: str, name: str) -> QuestionPage:
    """The question about a game in this request's address."""
    plain = _open_game(game)
    errors: dict[str, str] = {}
    is_counted = name not in plain.family.unseated or "players" in request.args
    seating = _find_seating(plain, request.args, errors) if is_counted else None
    setting = _open_setting(plain, seating, request.args, errors)
    question = _find_question(setting.game, name)
    return _answer_page(setting, question, _with_usual_facts(setting, question, request.args))


def match_question_page(match: Match, name: str) -> QuestionPage:
    """The question about a match in this request's address."""
    setting = _open_match_setting(match)
    question, address = _find_question(match.game, name), request.args
    if not any(key for key in address if key not in ("asked", *ABOUT)):
        asked = [("asked", "1")] if "asked" in address else []
        facts = game_ui(match.game).prefill(match, question, setting.entry)
        address = MultiDict([*query_of(facts), *asked])
    return _answer_page(setting, question, address)


def _find_question(game: library.Game, name: str) -> Question:
    question: Question | None = game.family.questions.get(name)
    if question is None:
        abort(404)
    return question


def _open_match_setting(match: Match) -> QuestionSetting:
    """The setting of a question about a match: the disputed entry and the objection of the address."""
    entry, objection = (request.args.get(key, type=int) for key in ABOUT)
    made = match.remarks.objection(objection or 0)
    if made is not None:
        return QuestionSetting(match.game, match, entry=made.entry, objection=made.seq)
    is_known = entry is not None and match.entry(entry) is not None
    return QuestionSetting(match.game, match, entry=entry if is_known else None)


def _answer_page(setting: QuestionSetting, question: Question, address: Address) -> QuestionPage:
    form = setting.form(question, address)
    if not setting.errors and form.is_asked and form.validate():
        try:
            judged = form.judge()
        except Unreadable as fault:
            form.refuse(fault)
        else:
            return QuestionPage(setting, form, Answer(form, judged.ruling, judged))
    return QuestionPage(setting, form)


def _open_game(name: str) -> library.Game:
    if name not in library.names():
        abort(404)
    return library.open_game(name)


def _open_setting(
    plain: library.Game, seating: library.Seating | None, address: Address, errors: dict[str, str]
) -> QuestionSetting:
    """The setting in an address: who sits there, by which rules; errors are added to `errors`."""
    chosen = dict(seating.conventions if seating else {}) | _read_house_rules(plain, address, errors)
    preset = address.get("preset", plain.preset)
    preset = preset if preset in plain.book.presets else plain.preset
    shown = seating if len(library.seatings(plain.name)) > 1 else None
    while True:
        try:
            game = library.open_game(plain.name, preset, chosen, seating.players if seating else None)
        except Unreadable as fault:  # a value that is not for so many players
            name = fault.path.removeprefix("conventions.")
            if name not in chosen:
                raise
            del chosen[name]
            errors[name] = requirement(fault)
        else:
            return QuestionSetting(game, errors=errors, seating=shown)


def _find_seating(game: library.Game, address: Address, errors: dict[str, str]) -> library.Seating:
    """The seating in an address: by name (`teams-4`), or by number of players and house rules."""
    players, usual = address.getlist("players")[-1:], game.family.ruleset.ring.size
    seatings = library.seatings(game.name)
    chosen = {**game.conventions, **_read_house_rules(game, address, {})}
    fitting = [
        seating for seating in seatings if all(chosen[name] == it for name, it in seating.conventions.items())
    ]
    named = [seating for seating in seatings if [seating.name] == players and seating.partnerships]
    counted = [seating for seating in fitting if [str(seating.players)] == players]
    if players and not named and not counted and seatings[1:]:
        names = Message("one of {values}", values=[seating.name for seating in fitting or seatings])
        errors["players"] = requirement(Unreadable("players", names))
    others = (seating for seating in fitting if seating.players == usual)
    return next(iter([*named, *counted, *others, *fitting, *seatings]))


def _with_usual_facts(setting: QuestionSetting, question: Question, address: Address) -> Address:
    """Fill an address with usual facts, for a new question or when the players change."""
    ui = game_ui(setting.game)
    if "asked" in address:
        return address
    keys, seated = {place.key for place in fields_of(question.shape)}, address.getlist("players")
    has_facts = any(part in keys for key in address for part in key.split(".")[:2])
    if has_facts and len(seated) < 2:
        return address
    remaining = address
    if has_facts:  # drop the usual facts of the former players
        plain, before = library.open_game(setting.game.name), MultiDict([("players", seated[0])])
        left = _open_setting(plain, _find_seating(plain, before, {}), before, {})
        gone = query_of(ui.usual_facts(left.game, question))
        remaining = MultiDict(pair for pair in address.items(multi=True) if pair not in gone)
    new = [pair for pair in query_of(ui.usual_facts(setting.game, question)) if pair[0] not in remaining]
    return MultiDict([*remaining.items(multi=True), *new])


def _read_house_rules(game: library.Game, address: Address, errors: dict[str, str]) -> dict[str, Value]:
    """The conventions chosen in the address; invalid ones are added to `errors`."""
    chosen: dict[str, Value] = {}
    for name, convention in game.book.conventions.items():
        text = address.get(f"rule-{name}", "").strip()
        if not text:
            continue
        value: Value = next((value for value in convention.values if json_word(value) == text), text)
        if not convention.values and text.isascii() and text.isdigit() and len(text) < _DIGITS:
            value = int(text)
        try:
            chosen[name] = convention.check(value, name)
        except Unreadable as fault:
            errors[name] = requirement(fault)
    return chosen
