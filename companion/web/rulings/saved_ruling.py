"""A ruling that was kept, told later: in the reader's language while today's rulebook says the same."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from companion import library
from companion.matches import Match
from companion.record import log
from companion.rules.message import Message
from companion.rules.rulebook import Rule
from companion.rules.ruling import Ruling
from companion.rules.schema import Unreadable
from companion.store import SavedRuling
from companion.web.support.matches import matches

from .answer import Answer
from .form import QuestionForm

PINNED = ("game", "preset", "conventions", "players", "question")
"""What a request holds beside the facts."""

_STRANGE = (LookupError, TypeError, ValueError, AttributeError)
"""What may come of words and facts that an older version kept."""


@dataclass(frozen=True)
class RetoldRuling:
    """A kept ruling; `players` are the names to tell it with, where they are not those it was kept with."""

    kept: SavedRuling
    players: Mapping[str, str] | None = None

    def _told(self, key: str) -> Any:
        found = self.kept.content.get(key)
        return found if isinstance(found, dict) else {}

    @property
    def request(self) -> dict[str, Any]:
        """The whole request, as it was judged."""
        return dict(self._told("request"))

    @property
    def ruling(self) -> dict[str, Any]:
        """The ruling in plain values, as it was given."""
        return dict(self._told("ruling"))

    @property
    def facts(self) -> dict[str, str]:
        """The facts of the request, as they would be typed for the command line."""
        told = self.request.items()
        return {key: json.dumps(one, ensure_ascii=False) for key, one in told if key not in PINNED}

    @property
    def version(self) -> str:
        """The version of the rulebook it was given by."""
        return str(self.kept.content.get("rulebook", ""))

    @property
    def today_version(self) -> str:
        """The version of that rulebook as it is today; empty where there is none."""
        name = self.request.get("game")
        return library.shelf(name).version if name in library.names() else ""

    @property
    def names(self) -> Mapping[str, str]:
        """The players of that table; empty where nobody had a name."""
        return self.players or self._told("names")

    @cached_property
    def game(self) -> library.Game | None:
        """The game with everything agreed then; None where today's game knows no such agreement."""
        told = self.request
        try:
            return library.open_game(
                str(told.get("game")), told.get("preset"), told.get("conventions"), told.get("players")
            )
        except (Unreadable, *_STRANGE):
            return None

    @cached_property
    def form(self) -> QuestionForm | None:
        """The question with its facts; None where today's game would not read them as they were."""
        question = self.game and self.game.family.questions.get(str(self.request.get("question")))
        if self.game is None or question is None:
            return None
        seats = self.game.family.ruleset.ring.seats
        names = {seat: self.names.get(seat) or _("Player %(letter)s", letter=seat) for seat in seats}
        facts = {key: one for key, one in self.request.items() if key not in PINNED}
        try:
            typed = MultiDict([(str(key), str(one)) for key, one in self.kept.content.get("query", ())])
            form = QuestionForm(self.game, question, names, typed)
            return form if plain(form.facts()) == facts else None
        except _STRANGE:
            return None

    @cached_property
    def then(self) -> Answer | None:
        """The answer as it was given, its sentences in plain English; None where it cannot be told so."""
        told, form = self.ruling, self.form
        if form is None:
            return None
        try:
            rules = tuple(self._rule(form, one) for one in told["rules"])
            why = Message("{text}", text=str(told["why"]))
            return Answer(form, Ruling(told["question"], told["verdict"], told["answer"], why, rules))
        except _STRANGE:
            return None

    def _rule(self, form: QuestionForm, told: Mapping[str, str]) -> Rule:
        rule = form.book.rules.get(told["id"], Rule(told["id"], "", "", ""))
        return replace(rule, text=told["text"])

    @cached_property
    def today(self) -> Answer | None:
        """The answer by today's rulebook; None where it no longer knows the question as it was asked."""
        if self.form is None:
            return None
        try:
            return Answer(self.form, library.rule(self.request))
        except Unreadable:
            return None

    @property
    def stands(self) -> bool:
        """Whether today's rulebook says the same."""
        if self.today is None:
            return False
        now, then = plain(self.today.ruling.plain()), self.ruling
        return all(now[key] == then.get(key) for key in ("verdict", "answer"))

    @property
    def title(self) -> str:
        """The question in the players' words."""
        if self.form is not None:
            return self.form.title
        return str(self.kept.content.get("asked") or self.request.get("question") or _("A ruling"))

    @property
    def verdict(self) -> str:
        """The verdict in one line; in English where today's words do not fit it."""
        try:
            if self.then is not None:
                return self.then.verdict
        except _STRANGE:
            pass
        return str(self.kept.content.get("said") or self.ruling.get("verdict") or "")

    @property
    def why(self) -> str:
        """Why, in English as it was said then."""
        return str(self.kept.content.get("why") or self.ruling.get("why") or "")

    @property
    def rules(self) -> list[Mapping[str, str]]:
        """The rules it rests on, as they read then."""
        told = self.ruling.get("rules")
        found = told if isinstance(told, list) else []
        return [{"id": str(one.get("id", "")), "text": str(one.get("text", ""))} for one in found]


@dataclass(frozen=True)
class AttachedRuling:
    """A ruling at a match: the event that attached it (`seq`, `at`), the entry it is about, what it says."""

    seq: int
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


def plain(value: Any) -> Any:
    """A value as it comes back from JSON."""
    return json.loads(json.dumps(value))


def attached_rulings(match: Match) -> list[AttachedRuling]:
    """The rulings that are attached to a match, in order."""
    return [describe_ruling(match, event) for event in log.attached_rulings(match.events)]


def describe_ruling(match: Match, event: log.Event) -> AttachedRuling:
    """The ruling that an event attached."""
    payload = event.payload if isinstance(event.payload, dict) else {}
    id, rules = str(payload.get("id", "")), payload.get("rules", ())
    kept = matches().find_ruling(id)
    if kept is None:
        title, verdict = str(payload.get("question", "")), str(payload.get("verdict", ""))
    else:
        given = RetoldRuling(kept, match.names)
        title, verdict = given.title, given.verdict
    return AttachedRuling(event.seq, event.entry, event.at, id, title, verdict, tuple(map(str, rules)))
