"""The form of a new match: what was entered, read into a head; every fault at its own field."""

import json
import re
import secrets
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flask_babel import gettext as _
from flask_babel import pgettext

from companion import library
from companion.record.visible import check_name, check_visible
from companion.rules.cards import parse_card
from companion.rules.errors import Unreadable
from companion.rules.rulebook import Convention, Rulebook, Value, json_word
from companion.rules.schema import check_text
from companion.rules.seats import Ring
from companion.web.support.text import requirement, translate

NAME_LIMIT, PLACE_LIMIT = 40, 200
DRAW = "draw"
"""What stands for "by drawn cards", or "by lot", among the seats that may deal first."""


_CARRIED = re.compile(r"(name|drawn|total)-[A-F]|held|aside/[\w-]+/[\w-]+/rule-\w+")


@dataclass(frozen=True)
class Fault:
    """The first of the things that are wrong, as it is said beside the button; how many `more` there are."""

    field: str
    label: str
    sentence: str
    more: int


@dataclass
class NewMatch:
    """A match about to begin: the game chosen, what was entered and what is wrong with it, both by field."""

    game: library.Game
    fields: Mapping[str, str] = field(default_factory=dict)
    errors: dict[str, list[str]] = field(default_factory=dict)

    @property
    def book(self) -> Rulebook:
        """The rulebook of the game."""
        return self.game.book

    @property
    def ring(self) -> Ring:
        """The seats there are to fill."""
        ring: Ring = self.game.family.ruleset.ring
        return ring

    @property
    def seatings(self) -> tuple[library.Seating, ...]:
        """The ways to sit down to the game."""
        return library.seatings(self.game.name)

    @property
    def seating(self) -> library.Seating:
        """The one of them that the game is opened for."""
        return library.seating(self.game.name, self.game.conventions, self.ring.size)

    @property
    def carried(self) -> dict[str, str]:
        """What was entered and has no field on this page, by field; another game or table may have one."""
        shown = {f"name-{seat}" for seat in self.ring.seats}
        if self.can_begin_on_paper:
            shown |= {f"total-{side}" for side in self.ring.sides} | {"held"}
        if not self.by_lot:
            shown |= {f"drawn-{seat}" for seat in self.ring.seats}
        return {
            key: one
            for key, one in self.fields.items()
            if one and key not in shown and _CARRIED.fullmatch(key)
        }

    @property
    def changed_rules(self) -> list[str]:
        """The labels of the house rules that are not as the game has them usually."""
        return [
            one.label
            for one in self.open_conventions
            if self.value_of(one).strip() != json_word(self.game.conventions[one.name])
            and one.matters(self.shown_values)
        ]

    @property
    def ranks(self) -> tuple[str, ...]:
        """The ranks of the pack, in the order of a card pad."""
        return tuple(self.game.family.ruleset.orders.plain)

    def add_error(self, name: str, sentence: str) -> None:
        """Add a sentence about what is wrong at a field."""
        self.errors.setdefault(name, []).append(sentence)

    @property
    def first_fault(self) -> Fault | None:
        """What is wrong first, in the order of the page."""
        labels = {f"name-{seat}": self.seat_label(seat) for seat in self.ring.seats}
        labels |= {"dealer": ""}
        labels |= {f"rule-{name}": translate(one.label) for name, one in self.book.conventions.items()}
        labels |= {f"total-{side}": _("Begun on paper") for side in self.ring.sides}
        labels |= {
            "held": translate(self.book.words.get("held")).capitalize(),
            "place": pgettext("where one plays", "Place"),
        }
        for name in ("", *labels):
            if self.errors.get(name):
                count = sum(map(len, self.errors.values()))
                return Fault(name, labels.get(name, ""), self.errors[name][0], count - 1)
        return None

    def text(self, name: str) -> str:
        """What was entered in a field, without spaces around it."""
        return self.fields.get(name, "").strip()

    def player_name(self, seat: str) -> str:
        """A player's name as entered, on one line."""
        return _one_line(self.text(f"name-{seat}"))

    def seat_label(self, seat: str) -> str:
        """What a player is called who has no name yet."""
        return str(_("Player %(number)s", number=self.ring.seats.index(seat) + 1))

    def value_of(self, convention: Convention) -> str:
        """The value a convention shows: as entered, else as the preset has it."""
        usual = json_word(self.game.conventions[convention.name])
        return self.fields.get(f"rule-{convention.name}", usual)

    @property
    def by_lot(self) -> bool:
        """Whether the lot, and no drawn card, may say who deals first."""
        return not self.game.family.draws_for_deal

    @property
    def can_begin_on_paper(self) -> bool:
        """Whether a match of this game can have been begun on paper."""
        return "opening" in self.game.family.entries

    @cached_property
    def shown_values(self) -> dict[str, Value]:
        """Every convention's value as the page shows it; as the preset has it, if unreadable or hidden."""
        values: dict[str, Value] = {}
        for name, one in self.book.conventions.items():
            entry, usual = self.value_of(one).strip(), self.game.conventions[name]
            if one.values:
                values[name] = next((value for value in one.values if json_word(value) == entry), usual)
            elif one.is_text:
                values[name] = entry
            else:
                number = _parse_number(entry)
                values[name] = usual if number is None else number
        idle = self.book.find_idle(values, self.game.players)
        return {name: self.game.conventions[name] if name in idle else one for name, one in values.items()}

    @property
    def open_conventions(self) -> list[Convention]:
        """The conventions this table can choose about; how many play is settled before."""
        return [
            one
            for one in self.book.conventions.values()
            if one.name not in self.seating.conventions
            and len(one.values_for(self.game.players)) != 1
            and self._ways(one)
        ]

    def _ways(self, convention: Convention) -> list[dict[str, str]]:
        """The choices beside one set of which it changes anything for those who sit here."""
        seated = {name: json_word(value) for name, value in self.seating.conventions.items()}
        return [
            {name: value for name, value in way.items() if name not in seated}
            for way in convention.ways(self.game.players)
            if all(seated.get(name, value) == value for name, value in way.items())
        ]

    @property
    def house_rules(self) -> list[tuple[Convention, bool, str]]:
        """The choices of the game, whether each matters beside the others, and beside which for a script."""
        idle = self.book.find_idle(self.shown_values, self.game.players)
        return [(one, one.name not in idle, json.dumps(self._ways(one))) for one in self.open_conventions]

    @property
    def is_begun_on_paper(self) -> bool:
        """Whether totals were entered that stand on paper already."""
        entered = any(self.text(f"total-{side}") for side in self.ring.sides) or bool(self.text("held"))
        return self.can_begin_on_paper and entered

    # --- reading -------------------------------------------------------------------------

    def read_head(self, now: str) -> tuple[dict[str, Any], dict[str, Any] | None] | None:
        """The match's head and, if it was begun on paper, its opening entry; None if something is wrong."""
        players = self.read_players()
        conventions = self._read_conventions()
        opened = self._open_game(conventions)
        dealer = self._read_dealer(opened)
        opening = self._read_opening() if self.is_begun_on_paper else None
        place = self.read_place()
        if self.errors:
            return None
        head = {
            "game": self.game.name,
            "preset": self.game.preset,
            "conventions": dict(opened.conventions),  # all of them: a later reading must not rescore
            "players": players,
            "first_dealer": dealer,
            "started": now,
        }
        if place:
            head["place"] = place
        if opening is not None:
            opening["dealer"] = dealer
        return head, opening

    def read_place(self) -> str:
        """Where it is played; may be empty."""
        place = _one_line(self.text("place"))
        if len(place) > PLACE_LIMIT:
            self.add_error("place", _say_too_long(PLACE_LIMIT, place))
        else:
            self._check("place", check_text, place, 0, PLACE_LIMIT)
        return place

    def read_players(self) -> list[str]:
        """The names, in the order of the seats."""
        names = [self.player_name(seat) for seat in self.ring.seats]
        for seat, name in zip(self.ring.seats, names, strict=True):
            if not name:
                self.add_error(f"name-{seat}", _("Required; a single letter will do."))
            elif len(name) > NAME_LIMIT:
                self.add_error(f"name-{seat}", _say_too_long(NAME_LIMIT, name))
            elif names.count(name) > 1 and names.index(name) < self.ring.seats.index(seat):
                self.add_error(f"name-{seat}", _("This name is taken; add a letter to tell the two apart."))
            else:
                self._check(f"name-{seat}", check_text, name, 1, NAME_LIMIT)
                self._check(f"name-{seat}", check_name, name)
        return names

    def _check(self, name: str, check: Callable[..., object], text: str, *limits: int) -> None:
        """Say at a field what the record would refuse in it."""
        try:
            check(text, name, *limits)
            check_visible(text, name)
        except Unreadable as error:
            if name not in self.errors:
                self.add_error(name, requirement(error))

    def _read_conventions(self) -> dict[str, Value]:
        values = dict(self.seating.conventions)
        for convention, matters, _ways in self.house_rules:
            if not matters:  # left on the page by another choice, which hides it
                continue
            value = self._read_value(convention, self.value_of(convention).strip())
            if value is not None and not self._keeps_proposal(convention, value):
                values[convention.name] = value
        return values

    def _read_value(self, convention: Convention, entry: str) -> Value | None:
        """The value entered for a convention; None, and a sentence at its field, if it cannot take that."""
        name = f"rule-{convention.name}"
        if convention.values:
            fitting = convention.values_for(self.game.players)
            choice = next((one for one in fitting if json_word(one) == entry), None)
            if choice is None:
                self.add_error(name, _("Choose one of these."))
            return choice
        if convention.is_text:
            line = _one_line(entry)
            if len(line) > convention.most:
                self.add_error(name, _say_too_long(convention.most, line))
            else:
                self._check(name, check_text, line, 0, convention.most)
            return line
        number = _parse_number(entry)
        if number is None or not convention.least <= number <= convention.most:
            limits = {"least": convention.least, "most": convention.most}
            self.add_error(name, _("A whole number from %(least)s to %(most)s.", **limits))
            return None
        return number

    def _keeps_proposal(self, convention: Convention, value: Value) -> bool:
        """Whether a value that follows from others was left as the page proposed it."""
        follows = bool(convention.default_half_of or convention.default_when)
        return follows and value == self.game.conventions[convention.name]

    def _open_game(self, conventions: Mapping[str, Value]) -> library.Game:
        """The game with these conventions; with the page's own, and a sentence, where they do not agree."""
        try:
            return self._open_with(conventions)
        except Unreadable as error:
            one = self.book.conventions[error.path.removeprefix("conventions.")]
        fitting = []
        for value, text in one.values_for(self.game.players).items():
            with suppress(Unreadable):
                self._open_with({**conventions, one.name: value})
                fitting.append(translate(text))
        self.add_error(
            f"rule-{one.name}", _("With the other choices, only: %(values)s", values=" ".join(fitting))
        )
        return self.game

    def _open_with(self, conventions: Mapping[str, Value]) -> library.Game:
        return library.open_game(self.game.name, self.game.preset, conventions, self.game.players)

    def _read_dealer(self, opened: library.Game) -> str | None:
        choice = self.text("dealer")
        if choice in self.ring.seats:
            return choice
        if choice != DRAW:
            by_lot = _("Say who deals first, or let the lot decide.")
            self.add_error(
                "dealer", by_lot if self.by_lot else _("Say who deals first, or draw cards for it.")
            )
            return None
        if not opened.family.draws_for_deal:
            return secrets.choice(self.ring.seats)
        drawn = {}
        for seat in self.ring.seats:
            try:
                drawn[seat] = parse_card(self.text(f"drawn-{seat}"))
            except ValueError:
                self.add_error("dealer", _("Tap the card that %(name)s drew.", name=self._player_label(seat)))
        if len(drawn) < self.ring.size:
            return None
        if len(set(drawn.values())) < len(drawn):
            self.add_error("dealer", _("Two players cannot have drawn the same card."))
            return None
        dealer: str | None = opened.family.first_dealer(drawn)
        if dealer is None:
            self.add_error("dealer", _("A tie: draw again."))
        return dealer

    def _player_label(self, seat: str) -> str:
        return self.player_name(seat) or self.seat_label(seat)

    def _read_opening(self) -> dict[str, Any]:
        totals = {}
        for side in self.ring.sides:
            entry = self.text(f"total-{side}") or "0"
            number = _parse_number(entry)
            if number is None or not -99_999 <= number <= 99_999:
                self.add_error(f"total-{side}", _("A whole number, such as 240."))
                number = 0
            totals[side] = number
        parts = re.split(r"[\s,;+]+", self.text("held").strip(" ,;+"))
        held = [_parse_number(part) for part in parts if part]
        if any(one is None or not 0 < one <= 9999 for one in held):
            self.add_error("held", _("Whole numbers with a space between them, such as 30 45."))
        return {"type": "opening", "totals": totals, "held": held}


def _one_line(text: str) -> str:
    """A text on one line, with one space wherever there were some; letters and their marks as one."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _say_too_long(most: int, text: str) -> str:
    return str(_("At most %(most)s characters; these are %(count)s.", most=most, count=len(text)))


def _parse_number(text: str) -> int | None:
    text = text.replace("−", "-")
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else None
