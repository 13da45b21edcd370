"""The form of a question, built from the schema of its facts.

It takes an address, shows its facts in fields (fields/), and parses them once; the arbiter judges what was
parsed. A fact's field is named after its path in the request, with dots for steps into it (`totals.A`,
`declared.0.top`); lists repeat their name. So an address is a question, and everybody who opens it sees the
same answer.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from companion.library.other_tables import JudgedQuestion
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.rulebook import Rulebook
from companion.rules.schema import Boolean, TrumpOf, fields_of, parse
from companion.rules.schema import Field as Place
from companion.web.forms.values import Fact, spell
from companion.web.shell import jobs
from companion.web.shell.text import phrase, render_message, requirement, without_stop
from companion.wording.calls import TERMS

from .fields.base import NOBODY, Address, FactField, QuestionContext, find_rows
from .fields.bout import ATTACKER, DEFENDER
from .fields.cards import CardField
from .fields.groups import GroupField, RowsField, collect_facts, make_field


class QuestionForm:
    """A question about to be asked: its fields, their content, and what is wrong with it.

    `changed` is the name of the field that a button has just changed; then nothing is asked yet. `status` is
    that of the answer: 200, 400 (something is wrong) or 422 (something is missing).
    """

    def __init__(self, context: QuestionContext, address: Address) -> None:
        self.context = context
        self.address, self.changed = press_button(address)
        self.status = 200
        self.faults: list[str] = []
        """Errors that belong to no field."""
        self._facts: object = None
        self.idle = context.game.family.irrelevant_facts(context.question.name)
        """The keys of facts that change nothing here; those stated are kept, for other tables."""
        places = [place for place in fields_of(context.question.shape) if self._has_place(place)]
        places.sort(key=lambda place: not isinstance(place.kind, TrumpOf))
        self.fields = [make_field(context, place, place.key, self.address) for place in places]
        self._stated = collect_facts(self.fields)
        self._connect_fields()

    def _has_place(self, place: Place) -> bool:
        """True if a fact has a field: it matters here, or is stated and may matter at other tables."""
        return place.key not in self.idle or (
            isinstance(place.kind, Boolean | TrumpOf) and bool(self.address.get(place.key))
        )

    def _connect_fields(self) -> None:
        """Let the fields know of each other, once all of them are read."""
        pads = [field for field in self.iter_fields() if isinstance(field, CardField)]
        for pad in pads:
            others = [other for other in pads if other is not pad and other.heap == pad.heap]
            pad.used = tuple(card for other in others for card in other.cards) if pad.heap is not None else ()
        for field in self.fields:
            field.connect({key: fact for key, fact in self._stated.items() if key != field.key})

    # --- what it asks --------------------------------------------------------------------

    @property
    def book(self) -> Rulebook:
        """The rulebook of the game."""
        return self.context.book

    @property
    def title(self) -> str:
        """The question in the players' words."""
        return phrase(self.context.question.asks, self.book)

    @property
    def is_asked(self) -> bool:
        """True if the facts were sent to be judged."""
        return "asked" in self.address and self.changed is None

    @property
    def main_fields(self) -> list[FactField]:
        """The fields that every such question needs."""
        return [field for field in self.fields if not field.place.folded and field.key not in self.idle]

    @property
    def side_fields(self) -> list[FactField]:
        """The fields that matter only sometimes."""
        return [field for field in self.fields if field.place.folded or field.key in self.idle]

    def iter_fields(self) -> Iterator[FactField]:
        """All fields, with those within others."""
        for field in self.fields:
            yield from field.iter_fields()

    @property
    def faulty_fields(self) -> list[FactField]:
        """Every field with something wrong, in order."""
        return [field for field in self.iter_fields() if field.errors]

    def find_field(self, path: str) -> FactField | None:
        """The field of a path such as `declared[1].cards[0]`, or the nearest one around it."""
        first, *steps = [step for step in path.replace("[", ".").replace("]", "").split(".") if step] or [""]
        field = next((field for field in self.fields if field.key == first), None)
        for step in steps:
            inner = field.find_field(step) if isinstance(field, GroupField | RowsField) else None
            if inner is None:
                break
            field = inner
        return field

    # --- what it comes to ----------------------------------------------------------------

    def facts_as_json(self) -> dict[str, Fact]:
        """The facts as JSON, without blank ones."""
        return self._stated

    def request(self) -> dict[str, Any]:
        """The request for a ruling, as the command line would read it."""
        game = self.context.game
        request: dict[str, Any] = {"game": game.name}
        if game.preset != next(iter(self.book.presets)):
            request["preset"] = game.preset
        changed = {convention.name: value for convention, value in game.deviations()}
        if changed:
            request["conventions"] = changed
        if game.players is not None:
            request["players"] = game.players
        return request | game.pinned | {"question": self.context.question.name} | self.facts_as_json()

    def query(self) -> list[tuple[str, str]]:
        """The pairs of an address that fills this form again, with the values it filled in by itself."""
        pairs = [
            pair for pair in self.address.items(multi=True) if pair[0] not in ("asked", "entry", "objection")
        ]
        return pairs + [(field.name, field.assumed) for field in self.iter_fields() if field.assumed]

    def validate(self) -> bool:
        """Parse the facts, and show at the fields what is wrong or missing; True if nothing is."""
        try:
            self._facts = parse(self.context.question.shape, self.facts_as_json(), "", self.context.table)
        except Unreadable as fault:
            self._refuse_fields(fault)
        return self.status == 200

    def judge(self) -> JudgedQuestion:
        """Rule on the facts, once they are validated.

        :raises Unreadable: if they contradict each other.
        :raises MissingFact: if the answer depends on one that is left out.
        """
        context = self.context
        return jobs.judge(context.game, context.question, self._facts, self.facts_as_json(), self.title)

    def _refuse_fields(self, first: Unreadable) -> None:
        """Check every field by itself, so that all errors and missing facts are shown at once."""
        for field in self.fields:
            try:
                field.check_fact()
            except Unreadable as fault:
                self.refuse(fault)
        missing = [missing_field for field in self.fields for missing_field in field.missing_fields()]
        self.status = 400 if self.faults or self.faulty_fields else 422
        for field in missing:
            if not field.errors:
                field.errors.append(_("This is needed for the answer."))
        if not self.faults and not self.faulty_fields:
            self.refuse(first)

    def refuse(self, fault: Unreadable) -> None:
        """Show an error of the core at its field, and set the status of the answer."""
        field = self.find_field(fault.path)
        is_missing = isinstance(fault, MissingFact) or (field is not None and field.is_blank)
        self.status = 422 if is_missing else 400
        if field is None:
            self.faults.append(f"{fault.path}: {without_stop(render_message(fault.requirement))}.")
        elif isinstance(fault, MissingFact):
            field.errors.append(_("The answer depends on this."))
        elif is_missing and field.place.needed:
            field.errors.append(_("This is needed for the answer."))
        else:
            field.errors.append(field.locate_fault(fault) + requirement(fault))


BUTTONS = ("add", "drop", "clear", "more", "say", "lay", "play", "pass", "undo")
"""The buttons that change the facts instead of asking: `add.trick=10H`, `more.declared=1`."""


def press_button(address: Address) -> tuple[Address, str | None]:
    """Apply a button to an address; return it with the name of the field that changed, if any."""
    after = MultiDict(address)
    changed: str | None = None
    for key in list(after):
        verb, _dot, name = key.partition(".")
        if verb not in BUTTONS or not name:
            continue
        value = after.poplist(key)[0]
        if changed is None:
            changed = name
            _change_field(after, verb, name, value)
    return after, changed


def _change_field(address: Address, verb: str, name: str, value: str) -> None:
    match verb:
        case "add":
            address.add(name, value)
        case "drop":
            _drop_last(address, name, value)
        case "clear":
            address.poplist(name)
            for number in find_rows(address, name):
                _drop_row(address, name, number)
        case "more":
            address[f"rows.{name}"] = value
        case "lay":
            _lay_card(address, name, value)
        case "play":
            _play_step(address, name, value)
        case "pass" if value:
            address.add(f"{name}.{max(find_rows(address, name), default=-1) + 1}.by", value)
        case "undo":
            _take_back(address, name)
        case "say":
            words = " ".join(value.split()) + _read_terms(address, name) if value in TERMS else value
            address.add(name, words)
            address.poplist(f"points.{name}")
            address.poplist(f"deals.{name}")


def _drop_last(address: Address, name: str, value: str) -> None:
    values = address.getlist(name)
    if value in values:
        del values[len(values) - 1 - values[::-1].index(value)]
        address.setlist(name, values)


def _read_terms(address: Address, name: str) -> str:
    """The terms of an offer from its two fields, as a record has them: ` 20+1`."""
    points, deals = (address.get(f"{key}.{name}", "").strip() for key in ("points", "deals"))
    terms = points + (f"+{deals}" if deals not in ("", "0") else "")
    return f" {terms}" if terms else ""


def _lay_card(address: Address, name: str, card: str) -> None:
    """Put a card on the table: as an attack, or on the attack card that it beats."""
    pairs, onto = address.getlist(name), "".join(address.poplist(f"next.{name}")[:1])
    if onto and onto in pairs:
        pairs[pairs.index(onto)] = f"{onto} {card}"
        address.setlist(name, pairs)
    else:
        address.add(name, card)


def _play_step(address: Address, name: str, step: str) -> None:
    """Add a step: a card by the player who is next, or a whole step; a role stands for its player."""
    chosen = "".join(address.poplist(f"next.{name}")[:1]) or ATTACKER
    who, _blank, what = (step if " " in step else f"{chosen.partition(' ')[0]} {step}").partition(" ")
    onto = "" if " " in step else chosen.partition(" ")[2]
    seat = address.get(who, "") if who in (ATTACKER, DEFENDER) else who
    if seat and what:
        address.add(name, f"{seat} {what} {onto}".strip())


def _drop_row(address: Address, name: str, number: int) -> None:
    for key in find_rows(address, name).get(number, {}).values():
        address.poplist(key)


def _take_back(address: Address, name: str) -> None:
    """Take the last card or row back; a card on the table that it beat stays there."""
    _drop_row(address, name, max(find_rows(address, name), default=0))
    values = address.poplist(name)
    last = values.pop().split() if values else []
    is_pair = len(last) == 2 and len(last[0]) > 1  # two cards, not a player with one
    for value in [*values, *(last[:1] if is_pair else [])]:
        address.add(name, value)


def query_of(facts: Mapping[str, Any], before: str = "") -> list[tuple[str, str]]:
    """The pairs of a query string that fills the form with the facts of a request (JSON).

    >>> query_of({"trump": "H", "trick": ["AH", "KS"], "totals": {"A": 82}, "last": True})
    [('trump', 'H'), ('trick', 'AH'), ('trick', 'KS'), ('totals.A', '82'), ('last', 'yes')]
    """
    return [pair for key, value in facts.items() for pair in _spell_fact(f"{before}{key}", value)]


def _spell_fact(name: str, value: Any) -> list[tuple[str, str]]:
    match value:
        case dict() if any(isinstance(item, list) and _is_nested(item) for item in value.values()):
            return [(name, json.dumps(value, ensure_ascii=False))]
        case dict():
            return query_of(value, f"{name}.")
        case list() | tuple():
            spelled = [
                [(name, " ".join(map(str, item)))]
                if isinstance(item, list | tuple)
                else _spell_fact(f"{name}.{i}" if isinstance(item, dict) else name, item)
                for i, item in enumerate(value)
            ]
            return [pair for pairs in spelled for pair in pairs]
        case None:
            return [(name, NOBODY)]
        case _:
            return [(name, spell(value))]


def _is_nested(value: list[Any]) -> bool:
    """True if a list holds lists, as the tricks of a deal do: an address can spell that as JSON only."""
    return any(isinstance(item, list) for item in value)
