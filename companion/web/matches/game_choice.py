"""The choice of a game: its variety, the seating, and the house rules, as a form has them."""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from flask_babel import gettext as _
from flask_babel import ngettext

from companion import library
from companion.record.head import check_visible
from companion.rules.conditions import Value, json_word
from companion.rules.errors import Clash, Unreadable
from companion.rules.message import Message
from companion.rules.rulebook import Convention, Rulebook
from companion.rules.schema import check_text
from companion.rules.seats import Ring
from companion.web.shell.text import capitalize, render_message, requirement, translate


@dataclass(frozen=True)
class HouseRule:
    """A house rule that a table can choose.

    `matters` is true if it makes a difference beside the other choices, `changed` if it is not the usual one.
    `ways` are the choices beside which it matters, as JSON for a script; empty if it always does.
    """

    convention: Convention
    matters: bool
    changed: bool
    ways: str

    @property
    def field(self) -> str:
        """The name of its field."""
        return f"rule-{self.convention.name}"


@dataclass
class GameChoice:
    """The chosen game as it is opened, the fields as they were entered, and the errors by field."""

    game: library.Game
    fields: Mapping[str, str] = field(default_factory=dict)
    errors: dict[str, list[str]] = field(default_factory=dict)

    @property
    def book(self) -> Rulebook:
        """The rulebook of the game."""
        return self.game.book

    @property
    def ring(self) -> Ring:
        """The seats to fill."""
        ring: Ring = self.game.family.ruleset.ring
        return ring

    @property
    def seatings(self) -> tuple[library.Seating, ...]:
        """The possible seatings of the game."""
        return library.seatings(self.game.name, self.game.rules)

    @property
    def seating(self) -> library.Seating:
        """The seating that the game is opened for."""
        return library.seating(self.game.name, self.game.conventions, self.ring.size, self.game.rules)

    @property
    def preset(self) -> str:
        """The variety that was chosen; the game is opened by the usual one if it is not for this table."""
        chosen = self.fields.get("preset", "")
        return self.book.variety(chosen if chosen in self.book.presets else self.game.preset).name

    def check_preset(self) -> None:
        """Report that the chosen variety is not for this table, and for which tables it is."""
        if self.preset == self.book.variety(self.game.preset).name:
            return
        sets = self.book.presets[self.preset].sets
        rules = [
            translate(self.book.conventions[name].label)
            for name in sets
            if not self.book.conventions[name].fits(self.seating.conventions, self.ring.size)
        ]
        facts = {
            "variety": translate(self.book.presets[self.preset].label),
            "rules": ", ".join(rules),
            "tables": _describe_tables(
                [
                    seating
                    for seating in self.seatings
                    if library.is_for(self.game.name, self.preset, seating, self.game.rules)
                ]
            ),
        }
        sentence = _("%(variety)s does not suit this table: “%(rules)s” is only for %(tables)s.", **facts)
        self.add_error("preset", sentence)

    @property
    def remembered_choices(self) -> list[tuple[str, str]]:
        """The labels and values of house rules that were chosen before and that this table lacks."""
        prefix, found = remembered_prefix(self.game), []
        for name, convention in self.book.conventions.items():
            entry = self.fields.get(f"{prefix}rule-{name}")
            if entry is not None and convention.values:
                texts = [
                    translate(text) for value, text in convention.values.items() if json_word(value) == entry
                ]
                found += [(translate(convention.label), text) for text in texts]
        return found

    def add_error(self, name: str, sentence: str) -> None:
        """Add a sentence about an error at a field."""
        self.errors.setdefault(name, []).append(sentence)

    def text(self, name: str) -> str:
        """The text entered in a field, without spaces around it."""
        return self.fields.get(name, "").strip()

    def value_of(self, convention: Convention) -> str:
        """The value a convention shows: as entered, else as the preset has it."""
        usual = json_word(self.game.conventions[convention.name])
        return self.fields.get(f"rule-{convention.name}", usual)

    @cached_property
    def shown_values(self) -> dict[str, Value]:
        """Every convention's value as the page shows it; the usual one if unreadable or hidden."""
        values: dict[str, Value] = {}
        for name, convention in self.book.conventions.items():
            entry, usual = self.value_of(convention).strip(), self.game.conventions[name]
            if convention.values:
                values[name] = next(
                    (value for value in convention.values if json_word(value) == entry), usual
                )
            elif convention.is_text:
                values[name] = entry
            else:
                number = parse_number(entry)
                values[name] = usual if number is None else number
        idle = self.book.irrelevant_facts(values, self.game.players)
        return {
            name: self.game.conventions[name] if name in idle else value for name, value in values.items()
        }

    @cached_property
    def _settled(self) -> dict[str, Value]:
        """The conventions that nobody is asked about: the seating, and those with one value only."""
        single = {}
        for name, convention in self.book.conventions.items():
            values = [*convention.values_for(self.game.players)]
            if len(values) == 1:
                single[name] = values[0]
        return {**single, **self.seating.conventions}

    @property
    def open_conventions(self) -> list[Convention]:
        """The conventions that this table can choose."""
        return [
            convention
            for convention in self.book.conventions.values()
            if convention.name not in self._settled and self._ways(convention)
        ]

    def _ways(self, convention: Convention) -> list[dict[str, str]]:
        """The choices beside which a convention changes anything for this seating, one set each."""
        settled = {name: json_word(value) for name, value in self._settled.items()}
        return [
            {name: value for name, value in way.items() if name not in settled}
            for way in convention.ways(self.game.players)
            if all(settled.get(name, value) == value for name, value in way.items())
        ]

    @cached_property
    def house_rules(self) -> list[HouseRule]:
        """The house rules that this table can choose."""
        idle = self.book.irrelevant_facts(self.shown_values, self.game.players)
        return [
            HouseRule(
                item,
                item.name not in idle,
                self._is_changed(item),
                json.dumps(ways) if {} not in (ways := self._ways(item)) else "",
            )
            for item in self.open_conventions
        ]

    @property
    def house_groups(self) -> dict[Message, list[HouseRule]]:
        """The house rules by the heads under which the family has them; no head without one."""
        return {
            head: rules
            for head, names in self.game.groups.items()
            if (rules := [rule for rule in self.house_rules if rule.convention.name in names])
        }

    @cached_property
    def words_for_differing(self) -> list[str]:
        """The words beside a fold, by the number of its house rules that differ from the preset."""
        several = (
            ngettext("%(num)s differs", "%(num)s differ", number)
            for number in range(1, len(self.house_rules) + 1)
        )
        return [str(_("as usual")), *map(str, several)]

    def _is_changed(self, convention: Convention) -> bool:
        """True if a house rule that matters differs from the game's usual one."""
        usual = json_word(self.game.conventions[convention.name])
        return self.value_of(convention).strip() != usual and convention.matters(self.shown_values)

    def check(self, name: str, check: Callable[..., object], text: str, *limits: int) -> None:
        """Add an error at a field if the record would refuse its text."""
        try:
            check(text, name, *limits)
            check_visible(text, name)
        except Unreadable as error:
            if name not in self.errors:
                self.add_error(name, requirement(error))

    def _check_offered(self) -> None:
        """Report a house rule that was sent though this table has no such choice."""
        offered = {rule.convention.name for rule in self.house_rules} | self.seating.conventions.keys()
        for name, convention in self.book.conventions.items():
            entry = self.text(f"rule-{name}")
            if name not in offered and entry and entry != json_word(self.game.conventions[name]):
                label = translate(convention.label)
                self.add_error("", _("This table has no such house rule: %(rule)s.", rule=label))

    def read_conventions(self) -> dict[str, Value]:
        """The house rules that were chosen, by name, and those of the seating."""
        self._check_offered()
        values = dict(self.seating.conventions)
        for rule in self.house_rules:
            convention = rule.convention
            if not rule.matters:  # left on the page by another choice, which hides it
                continue
            value = self._read_value(convention, self.value_of(convention).strip())
            if value is not None and not self._keeps_proposal(convention, value):
                values[convention.name] = value
        return values

    def _read_value(self, convention: Convention, entry: str) -> Value | None:
        """The value entered for a convention; None, and an error at its field, if it is invalid."""
        name = f"rule-{convention.name}"
        if convention.values:
            fitting = convention.values_for(self.game.players)
            choice = next((value for value in fitting if json_word(value) == entry), None)
            if choice is None:
                self.add_error(name, _("Choose one of these."))
            return choice
        if convention.is_text:
            line = one_line(entry)
            if len(line) > convention.most:
                self.add_error(name, say_too_long(convention.most, line))
            else:
                self.check(name, check_text, line, 0, convention.most)
            return line
        number = parse_number(entry)
        if number is None or not convention.least <= number <= convention.most:
            limits = {"least": convention.least, "most": convention.most}
            self.add_error(name, _("A whole number from %(least)s to %(most)s.", **limits))
            return None
        return number

    def _keeps_proposal(self, convention: Convention, value: Value) -> bool:
        """True if a value that follows from other choices was left as the page proposed it."""
        follows = bool(convention.default_half_of or convention.default_when)
        return follows and value == self.game.conventions[convention.name]

    def open_with(self, conventions: Mapping[str, Value]) -> library.Game:
        """The game with these conventions; if they contradict each other, the page's game and an error."""
        try:
            return self._open(conventions)
        except Unreadable as error:
            convention = self.book.conventions[error.path.removeprefix("conventions.")]
            why = f"{capitalize(render_message(error.why))}." if isinstance(error, Clash) else ""
        fitting = []
        for value, text in convention.values_for(self.game.players).items():
            with suppress(Unreadable):
                self._open({**conventions, convention.name: value})
                fitting.append(translate(text))
        only = _("With your other choices only these are possible: %(values)s", values=" ".join(fitting))
        self.add_error(f"rule-{convention.name}", f"{why} {only}".strip())
        return self.game

    def _open(self, conventions: Mapping[str, Value]) -> library.Game:
        game = self.game
        return library.open_game(game.name, game.preset, conventions, game.players, game.rules)


def remembered_prefix(game: library.Game) -> str:
    """The prefix of fields whose house rules wait for a table that has them."""
    return f"aside/{game.name}/{game.preset}/"


def _describe_tables(seatings: Sequence[library.Seating]) -> str:
    """Describe tables in short: how many players play alone, and which teams."""
    alone = ", ".join(str(seating.players) for seating in seatings if not seating.partnerships)
    words = [_("%(sizes)s players, each for themselves", sizes=alone)] if alone else []
    for seating in seatings:
        if seating.partnerships:
            words.append(
                _("%(some)s against %(others)s", some=seating.players // 2, others=seating.players // 2)
            )
    return " · ".join(words)


def one_line(text: str) -> str:
    """The text on one line, with single spaces; letters and their marks are composed."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def say_too_long(most: int, text: str) -> str:
    """The message at a field with too long a text."""
    return str(_("At most %(most)s characters; these are %(count)s.", most=most, count=len(text)))


def parse_number(text: str) -> int | None:
    """A whole number as typed; None for anything else."""
    text = text.replace("−", "-")
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else None
