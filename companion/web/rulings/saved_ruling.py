"""A saved ruling as it is read later: in the reader's language while today's rulebook says the same."""

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
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.rulebook import Rule
from companion.rules.ruling import Ruling
from companion.store import SavedRuling
from companion.web.shell.matches import matches

from .answer import Answer
from .fields.base import QuestionContext
from .form import QuestionForm

PINNED = ("game", "preset", "conventions", "players", "question")
"""What a request holds beside the facts."""

_STRANGE = (LookupError, TypeError, ValueError, AttributeError)
"""What may come of words and facts that an older version saved."""


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
    def version(self) -> str:
        """The version of the rulebook it was given by."""
        return str(self.saved.content.get("rulebook", ""))

    @property
    def today_version(self) -> str:
        """The version of that rulebook as it is today; empty where there is none."""
        name = self.request.get("game")
        return library.read_rulebook(name).version if name in library.names() else ""

    @property
    def names(self) -> Mapping[str, str]:
        """The players of that table; empty where nobody had a name."""
        return self.players or self._object("names")

    @cached_property
    def game(self) -> library.Game | None:
        """The game with everything agreed then; None where today's game knows no such agreement."""
        asked = self.request
        try:
            return library.reopen_game(
                str(asked.get("game")), asked.get("preset"), asked.get("conventions"), asked.get("players")
            )
        except (Unreadable, *_STRANGE):
            return None

    @cached_property
    def form(self) -> QuestionForm | None:
        """The question with its facts; None where today's game reads them differently."""
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
    def then(self) -> Answer | None:
        """The answer as it was given, in English; None where it cannot be put into words."""
        ruling, form = self.ruling, self.form
        if form is None:
            return None
        try:
            rules = tuple(self._rule(form, rule) for rule in ruling["rules"])
            why = Message("{text}", text=str(ruling["why"]))
            return Answer(form, Ruling(ruling["question"], ruling["verdict"], ruling["answer"], why, rules))
        except _STRANGE:
            return None

    def _rule(self, form: QuestionForm, cited: Mapping[str, str]) -> Rule:
        rule = form.book.rules.get(cited["id"], Rule(cited["id"], "", "", ""))
        return replace(rule, text=cited["text"])

    @cached_property
    def today(self) -> Answer | None:
        """The answer by today's rulebook; None where it no longer knows the question as it was asked."""
        if self.form is None or not self.form.validate():
            return None
        try:
            judged = self.form.judge()
        except Unreadable:
            return None
        return Answer(self.form, judged.ruling, judged)

    @property
    def stands(self) -> bool:
        """Whether today's rulebook says the same."""
        if self.today is None:
            return False
        now, then = copy_json(self.today.ruling.plain()), self.ruling
        return all(now[key] == then.get(key) for key in ("verdict", "answer"))

    @property
    def title(self) -> str:
        """The question in the players' words."""
        if self.form is not None:
            return self.form.title
        return str(self.saved.content.get("asked") or self.request.get("question") or _("A ruling"))

    @property
    def verdict(self) -> str:
        """The verdict in one line; in English where today's words do not fit it."""
        try:
            if self.then is not None:
                return self.then.verdict
        except _STRANGE:
            pass
        return str(self.saved.content.get("said") or self.ruling.get("verdict") or "")

    @property
    def why(self) -> str:
        """Why, in English as it was said then."""
        return str(self.saved.content.get("why") or self.ruling.get("why") or "")

    @property
    def rules(self) -> list[Mapping[str, str]]:
        """The rules it rests on, as they read then."""
        cited = self.ruling.get("rules")
        rules = cited if isinstance(cited, list) else []
        return [{"id": str(rule.get("id", "")), "text": str(rule.get("text", ""))} for rule in rules]


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
    return AttachedRuling(event.seq, event.entry, event.at, id, title, verdict, tuple(map(str, rules)))
