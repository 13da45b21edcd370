"""Saved rulings: an address that shows the same answer later, and attachments to a match."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as Redirect

from companion import library
from companion.matches import AttachRuling, DetachRuling, Match, NotTheWriter
from companion.record import log
from companion.rules.conditions import json_word
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.rulebook import Rule, Rulebook
from companion.rules.ruling import Ruling
from companion.store import SavedRuling
from companion.web.shell.codes import draw_qr_code
from companion.web.shell.forms import WritingForm
from companion.web.shell.language import in_language
from companion.web.shell.matches import access, is_written, matches, open_match, open_written_match, write
from companion.web.shell.security import browser
from companion.web.shell.text import translate

from . import views
from .answer import Answer
from .fields.base import QuestionContext
from .form import QuestionForm

PINNED = ("game", "preset", "conventions", "players", "question", "rules")
"""The keys of a request besides its facts."""

_STRANGE = (LookupError, TypeError, ValueError, AttributeError)
"""The errors that words and facts saved by an older version may cause."""


@dataclass(frozen=True)
class ShownRuling:
    """A saved ruling as its page shows it; `players` replaces the names it was saved with."""

    saved: SavedRuling
    players: Mapping[str, str] | None = None

    def _object(self, key: str) -> dict[str, Any]:
        content = self.saved.content.get(key)
        return content if isinstance(content, dict) else {}

    @property
    def request(self) -> dict[str, Any]:
        """The whole request, as it was judged."""
        return dict(self._object("request"))

    @property
    def ruling(self) -> dict[str, Any]:
        """The ruling in plain values, as it was given."""
        return dict(self._object("ruling"))

    @property
    def facts(self) -> dict[str, str]:
        """The facts of the request, as they would be typed for the command line."""
        facts = self.request.items()
        return {key: json.dumps(fact, ensure_ascii=False) for key, fact in facts if key not in PINNED}

    @property
    def current_version(self) -> str:
        """The present version of that rulebook; empty if the game is gone."""
        name = self.request.get("game")
        return library.read_rulebook(name).version if name in library.names() else ""

    @property
    def names(self) -> Mapping[str, str]:
        """The players' names at that table; empty if nobody had one."""
        return self.players or self._object("names")

    @cached_property
    def game(self) -> library.Game | None:
        """The game with everything agreed then; None if today's game cannot be agreed so."""
        asked = self.request
        try:
            return library.reopen_game(
                str(asked.get("game")),
                asked.get("preset"),
                asked.get("conventions"),
                asked.get("players"),
                asked.get("rules"),
            )
        except (Unreadable, *_STRANGE):
            return None

    @cached_property
    def form(self) -> QuestionForm | None:
        """The question with its facts; None if today's game reads them differently."""
        if self.game is None:
            return None
        question = self.game.family.questions.get(str(self.request.get("question")))
        if question is None:
            return None
        seats = self.game.family.ruleset.ring.seats
        names = {seat: self.names.get(seat) or _("Player %(letter)s", letter=seat) for seat in seats}
        facts = {key: value for key, value in self.request.items() if key not in PINNED}
        try:
            typed = MultiDict([(str(key), str(value)) for key, value in self.saved.content.get("query", ())])
            form = QuestionForm(QuestionContext(self.game, question, names), typed)
            return form if copy_json(form.facts_as_json()) == facts else None
        except _STRANGE:
            return None

    @cached_property
    def original_answer(self) -> Answer | None:
        """The answer as it was given, in English; None if it cannot be put into words."""
        ruling, form = self.ruling, self.form
        if form is None:
            return None
        try:
            rules = tuple(_cite_as_said(form.book, cited["id"], cited["text"]) for cited in ruling["rules"])
            why = Message("{text}", text=str(ruling["why"]))
            return Answer(form, Ruling(ruling["question"], ruling["verdict"], ruling["answer"], why, rules))
        except _STRANGE:
            return None

    @cached_property
    def current_answer(self) -> Answer | None:
        """The answer by today's rulebook; None if it no longer knows the question as it was asked."""
        if self.form is None or not self.form.validate():
            return None
        try:
            judged = self.form.judge()
        except Unreadable:
            return None
        return Answer(self.form, judged.ruling, judged)

    @property
    def stands(self) -> bool:
        """True if today's rulebook gives the same answer."""
        if self.current_answer is None:
            return False
        now, given = copy_json(self.current_answer.ruling.plain()), self.ruling
        return all(now[key] == given.get(key) for key in ("verdict", "answer"))

    @property
    def title(self) -> str:
        """The question in the players' words."""
        if self.form is not None:
            return self.form.title
        return str(self.saved.content.get("asked") or self.request.get("question") or _("A ruling"))

    @property
    def verdict(self) -> str:
        """The verdict in one line; in English if today's words do not fit it."""
        try:
            if self.original_answer is not None:
                return self.original_answer.verdict
        except _STRANGE:
            pass
        return str(self.saved.content.get("said") or self.ruling.get("verdict") or "")

    @property
    def rules(self) -> list[Mapping[str, str]]:
        """The rules it rests on, as they read then, each with the choices of the table under it."""
        cited = self.ruling.get("rules")
        rules = cited if isinstance(cited, list) else []
        return [
            {
                "id": str(rule.get("id", "")),
                "text": str(rule.get("text", "")),
                "table": "; ".join(map(_describe_saved_choice, rule.get("table") or ())),
            }
            for rule in rules
        ]


def _describe_saved_choice(choice: Mapping[str, Any]) -> str:
    """A choice of the table as a ruling was saved with it."""
    return f"{translate(choice.get('label'))}: {json_word(choice.get('value', ''))}"


@dataclass(frozen=True)
class AttachedRuling:
    """A ruling attached to a match: the entry it is about, the time, the question and the verdict."""

    entry: int | None
    at: str
    id: str
    title: str
    verdict: str
    rules: tuple[str, ...]

    @property
    def text(self) -> str:
        """Question and verdict."""
        return f"{self.title} {self.verdict}".strip()


def copy_json(value: Any) -> Any:
    """A value as it comes back from JSON."""
    return json.loads(json.dumps(value))


def attached_rulings(match: Match, entry: int | None = None, most: int = 0) -> list[AttachedRuling]:
    """The rulings attached to a match, or to one of its entries, in order: all, or the last `most`."""
    attached = [event for event in match.log.rulings if entry in (None, event.entry)]
    return [describe_ruling(match, event) for event in attached[-most:]]


def describe_ruling(match: Match, event: log.Event) -> AttachedRuling:
    """The ruling that an event attached."""
    payload = event.payload if isinstance(event.payload, dict) else {}
    id, rules = str(payload.get("id", "")), payload.get("rules", ())
    saved = matches().find_ruling(id)
    if saved is None:
        title, verdict = str(payload.get("question", "")), str(payload.get("verdict", ""))
    else:
        shown = ShownRuling(saved, match.names)
        title, verdict = shown.title, shown.verdict
    return AttachedRuling(event.entry, event.at, id, title, verdict, tuple(map(str, rules)))


bp = Blueprint("saved_rulings", __name__)


@bp.post("/ask/<game>/<question>/keep")
def keep(game: str, question: str) -> Redirect | tuple[str, int]:
    """Save the ruling on the question in the address."""
    page = views.question_page(game, question)
    if page.answer is None:
        return _refuse(page)
    return redirect(url_for("saved_rulings.look", id=_save(page, page.answer, WritingForm().key).id), 303)


@bp.post("/m/<id>/ask/<question>/keep")
def keep_of_match(id: str, question: str) -> Redirect | tuple[str, int]:
    """Save the ruling on a question about a match; with `attach`, attach it to the match too."""
    form, attach = WritingForm(), request.form.get("attach") == "1"
    match = open_match(id)
    page = views.match_question_page(match, question)
    if attach and not page.setting.may_attach:
        raise NotTheWriter(id)
    if page.answer is None:
        return _refuse(page)
    ruling, objection = _save(page, page.answer, form.key), page.setting.objection
    if attach:
        about = page.setting.entry or (match.standing_entries[-1].id if match.standing_entries else None)
        write(match, AttachRuling(log_ruling(ruling), about, objection), form)
        flash(_("Attached to the match; it appears on the sheet as a footnote."))
        if objection is not None:
            flash(_("That settles the objection."))
    return redirect(url_for("saved_rulings.look", id=ruling.id), 303)


@bp.post("/m/<id>/rulings/<int:event>/off")
def take_off(id: str, event: int) -> Redirect:
    """Detach a ruling from its match; its page stays."""
    match, form = open_written_match(id), WritingForm()
    write(match, DetachRuling(event), form)
    flash(_("The ruling was withdrawn from the match; its page stays."))
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


@bp.post("/m/<id>/rulings/<int:event>/restore")
def restore(id: str, event: int) -> Redirect:
    """Attach a withdrawn ruling to its match and entry again."""
    match, form = open_written_match(id), WritingForm()
    taken = next((logged for logged in match.events if logged.seq == event and logged.kind == "ruling"), None)
    if taken is None or taken.payload is None:
        abort(404)
    place = redirect(url_for("saved_rulings.look", id=taken.payload["id"]), 303)
    if is_written(match, form):  # the second of two taps
        return place
    if log.find_detached_ruling(match.events, taken.payload["id"]) != taken:
        abort(404)
    write(match, AttachRuling(taken.payload, taken.entry), form)
    flash(_("The ruling is attached to the match again."))
    return place


@bp.get("/r/<id>")
def look(id: str) -> str:
    """Show a saved ruling, to anyone with its address."""
    shown = ShownRuling(_load(id))
    match = _find_match(shown)
    return render_template(
        "rulings/saved.html",
        shown=shown,
        match=match,
        attached=[event for event in match.log.rulings if (event.payload or {}).get("id") == id]
        if match
        else [],
        withdrawn=log.find_detached_ruling(match.events, id) if match else None,
        address=url_for("short_addresses.ruling", id=id, _external=True),
        writing=WritingForm(formdata=None),
    )


@bp.get("/r/<id>/code.svg")
def code(id: str) -> Response:
    """Draw the ruling's address as a code for another phone's camera."""
    return draw_qr_code(url_for("short_addresses.ruling", id=_load(id).id, _external=True))


def _refuse(page: views.QuestionPage) -> tuple[str, int]:
    text, status = page.render()
    return text, 422 if status == 200 else status


def _load(id: str) -> SavedRuling:
    ruling = matches().find_ruling(id)
    if ruling is None:
        abort(404)
    return ruling


def _find_match(shown: ShownRuling) -> Match | None:
    """The match it was asked in, if this browser takes part in it."""
    id = shown.saved.content.get("match")
    match = matches().open_if_readable(id)
    return match if match is not None and access(match).takes_part else None


def _save(page: views.QuestionPage, answer: Answer, form_key: str) -> SavedRuling:
    """Save an answer with all it depends on. The same form sent again is the same ruling."""
    form, match, game = page.form, page.setting.match, page.setting.game
    # Nothing is left to defaults: preset, every convention, the number of players.
    agreed = {"preset": game.preset, "conventions": dict(game.conventions)}
    pinned, me = copy_json(form.request() | agreed), browser.token()
    with in_language("en"):
        title, verdict, why = form.title, answer.verdict, answer.why
    content = {
        "request": pinned,
        "query": [list(pair) for pair in form.query()],
        "names": dict(match.names) if match else {},
        "ruling": copy_json(answer.ruling.plain()),
        "asked": title,
        "said": verdict,
        "why": why,
        "rulebook": form.book.version,
        "match": match.id if match else None,
    }
    return matches().save_ruling(me, f"{form_key}:{pinned}", content)


def _cite_as_said(book: Rulebook, id: str, text: str) -> Rule:
    """A rule as a saved ruling cites it: today's where it still says the same, which can be translated."""
    rule = book.rules.get(id, Rule(id, "", "", ""))
    return rule if str(rule.text) == text else replace(rule, text=text)


def log_ruling(ruling: SavedRuling) -> dict[str, Any]:
    """The facts of it that the match's log stores: enough to be read by itself."""
    content = ruling.content
    return {
        "id": ruling.id,
        "question": content["asked"],
        "verdict": content["said"],
        "why": content["why"],
        "rules": [rule["id"] for rule in content["ruling"]["rules"]],
        "rulebook": content["rulebook"],
    }
