"""The form of a question, made from the shape of its facts: what a request may hold is what is asked for.

Everything stands in the address. A fact's field is called as its place in the request, with dots for
steps into it (`totals.A`, `declared.0.top`); lists repeat their name. So an address is a question, and
whoever is sent it sees the same answer.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from companion.rules.rulebook import Rulebook
from companion.rules.schema import MissingFact, Unreadable, fields_of
from companion.rules.seats import Ring
from companion.web.rulings.fields.base import ABSENT, FactField
from companion.web.rulings.fields.bout import lay, play, take_back
from companion.web.rulings.fields.groups import Group, Rows, make
from companion.web.support.text import phrase, requirement

STEPS = ("add", "drop", "clear", "more", "say", "lay", "play", "undo")
"""What a button may do to the facts instead of asking: `add.trick=10H`, `more.declared=1`."""


@dataclass
class QuestionForm:
    """A question about to be asked: its fields, what stands in them, what is wrong with it.

    `names` are the players' by seat; `typed` is the query string.
    """

    game: Any
    question: Any
    names: Mapping[str, str]
    typed: MultiDict[str, str]
    errors: list[str] = field(default_factory=list)
    stepped: str | None = None
    """The field that a button changed; then nothing is asked yet."""

    def __post_init__(self) -> None:
        self._step()
        idle: frozenset[str] = self.game.family.idle
        shape = (place for place in fields_of(self.question.shape) if place.key not in idle)
        told = sorted(shape, key=lambda place: type(place.kind).__name__ != "TrumpOf")
        self.fields: list[FactField] = [make(self, place, place.key) for place in told]

    @property
    def book(self) -> Rulebook:
        """The rulebook of the game."""
        book: Rulebook = self.game.book
        return book

    @property
    def ruleset(self) -> Any:
        """The rule set the question is asked under."""
        return self.game.family.ruleset

    @property
    def ring(self) -> Ring:
        """The seats of the table."""
        ring: Ring = self.ruleset.ring
        return ring

    @property
    def ranks(self) -> tuple[str, ...]:
        """The ranks of the pack, in the order of a card pad."""
        return tuple(self.ruleset.orders.plain)

    @property
    def title(self) -> str:
        """The question in the players' words."""
        return phrase(self.question.asks, self.book)

    def called(self, letter: str, *, side: bool = False) -> str:
        """A seat, or a side, by its players' names."""
        if not side:
            return self.names.get(letter, letter)
        return " & ".join(self.names[seat] for seat in self.ring.seats if self.ring.side(seat) == letter)

    @property
    def asked(self) -> bool:
        """Whether the facts were sent to be judged."""
        return "asked" in self.typed and self.stepped is None

    @property
    def near(self) -> list[FactField]:
        """The fields that every such question needs."""
        return [one for one in self.fields if not one.aside]

    @property
    def far(self) -> list[FactField]:
        """The fields that matter now and then."""
        return [one for one in self.fields if one.aside]

    def _step(self) -> None:
        """Carry out what a button asks for on a copy of what was typed."""
        given = MultiDict(self.typed)
        for key in list(given):
            verb, _dot, name = key.partition(".")
            if verb not in STEPS or not name:
                continue
            value = given.poplist(key)[0]
            if self.stepped:
                continue
            self.stepped = name
            match verb:
                case "add":
                    given.add(name, value)
                case "drop" if value in given.getlist(name):
                    there = given.getlist(name)
                    del there[len(there) - 1 - there[::-1].index(value)]
                    given.setlist(name, there)
                case "clear":
                    given.poplist(name)
                case "more":
                    given[f"rows.{name}"] = value
                case "lay":
                    lay(given, name, value)
                case "play":
                    play(given, name, value)
                case "undo":
                    take_back(given, name)
                case "say":
                    given.add(
                        name, " ".join(value.split()) + _terms(given, name) if value in _OFFERS else value
                    )
                    given.poplist(f"points.{name}")
                    given.poplist(f"deals.{name}")
        self.typed = given

    # --- the request ---------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """The facts as JSON, those left blank left out."""
        told = ((one.key, one.value()) for one in self.fields)
        return {key: value for key, value in told if value is not ABSENT}

    def request(self) -> dict[str, Any]:
        """The ruling request, as the command line would read it."""
        asked: dict[str, Any] = {"game": self.game.name}
        if self.game.preset != next(iter(self.book.presets)):
            asked["preset"] = self.game.preset
        changed = {convention.name: value for convention, value in self.game.deviations()}
        if changed:
            asked["conventions"] = changed
        if self.game.players is not None:
            asked["players"] = self.game.players
        return asked | {"question": self.question.name} | self.facts()

    def check(self) -> int:
        """Look at every field by itself; the status of what was found: 200, 400 (wrong) or 422 (missing)."""
        for one in self.fields:
            value = one.value()
            if value is not ABSENT:
                try:
                    one.place.kind.read(value, one.key, self.ruleset.table)
                except Unreadable as fault:
                    self.refuse(fault)
        status = 400 if self.errors or self.faulty else 200
        blank = [one for each in self.fields for one in each.lacking()]
        for one in blank:
            if not one.errors:
                one.errors.append(_("This is needed for the answer."))
        return status if status != 200 or not blank else 422

    def refuse(self, fault: Unreadable) -> int:
        """Show what the core says is wrong at the field it speaks of; the status of such an answer."""
        at = self.at(fault.path)
        lacking = isinstance(fault, MissingFact) or (at is not None and at.blank())
        if at is None:
            self.errors.append(f"{fault.path}: {requirement(fault)}")
        elif lacking and isinstance(fault, MissingFact):
            at.errors.append(_("The answer depends on this."))
        elif lacking and at.needed:
            at.errors.append(_("This is needed for the answer."))
        else:
            at.errors.append(at.whereabouts(fault.path) + requirement(fault))
        return 422 if lacking else 400

    def at(self, path: str) -> FactField | None:
        """The field of a path such as `declared[1].cards[0]`, or the nearest one around it."""
        steps = [step for step in path.replace("[", ".").replace("]", "").split(".") if step]
        found = next((one for one in self.fields if steps and one.key == steps[0]), None)
        for step in steps[1:]:
            inner = found.child(step) if isinstance(found, Group | Rows) else None
            if inner is None:
                break
            found = inner
        return found

    @property
    def faulty(self) -> list[FactField]:
        """Every field with something wrong, in order."""
        return [one for each in self.fields for one in each.within() if one.errors]


_OFFERS = ("offer", "counter")


def _terms(given: MultiDict[str, str], name: str) -> str:
    """The terms of an offer as they are written in a record, from its two fields: ` 20+1`."""
    points, deals = (given.get(f"{key}.{name}", "").strip() for key in ("points", "deals"))
    told = points + (f"+{deals}" if deals not in ("", "0") else "")
    return f" {told}" if told else ""


def query_of(facts: Mapping[str, Any], before: str = "") -> list[tuple[str, str]]:
    """Facts of a request as the query string that fills the form with them."""
    found: list[tuple[str, str]] = []
    for key, value in facts.items():
        found += _spelled(f"{before}{key}", value)
    return found


def _spelled(name: str, value: Any) -> list[tuple[str, str]]:
    match value:
        case dict() if any(isinstance(one, list) and _nested(one) for one in value.values()):
            return [(name, json.dumps(value, ensure_ascii=False))]
        case dict():
            return query_of(value, f"{name}.")
        case list() | tuple():
            told = [
                [(name, " ".join(map(str, one)))]
                if isinstance(one, list | tuple)
                else _spelled(f"{name}.{i}" if isinstance(one, dict) else name, one)
                for i, one in enumerate(value)
            ]
            return [pair for pairs in told for pair in pairs]
        case bool():
            return [(name, "yes" if value else "no")]
        case None:
            return [(name, "none")]
        case _:
            return [(name, str(value))]


def _nested(value: list[Any]) -> bool:
    """Whether a list holds lists, as the tricks of a deal do: an address can spell that as JSON only."""
    return any(isinstance(one, list) for one in value)
