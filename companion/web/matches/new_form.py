"""The new-match form: what was typed, read into a head; every fault at its own field."""

import json
import re
import secrets
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flask_babel import gettext as _

from companion import library
from companion.rules.cards import parse_card
from companion.rules.errors import Unreadable
from companion.rules.rulebook import Convention, Rulebook, Value, json_word
from companion.rules.seats import Ring
from companion.web.support.text import translate

NAME_LIMIT, PLACE_LIMIT = 40, 200
DRAW = "draw"
"""What stands for "by drawn cards", or "by lot", among the seats that may deal first."""


@dataclass
class NewMatch:
    """A match about to begin: the game chosen, what was typed, and what is wrong with it by field."""

    game: library.Game
    typed: Mapping[str, str] = field(default_factory=dict)
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
    def waiting(self) -> dict[str, str]:
        """The fields of names typed for seats that this table has not; another one may have them."""
        places = {f"name-{seat}" for seat in Ring(6).seats if seat not in self.ring.seats}
        return {key: one for key, one in self.typed.items() if key in places and one}

    @property
    def ranks(self) -> tuple[str, ...]:
        """The ranks of the pack, in the order of a card pad."""
        return tuple(self.game.family.ruleset.orders.plain)

    def wrong(self, name: str, sentence: str) -> None:
        """Note what is wrong at a field."""
        self.errors.setdefault(name, []).append(sentence)

    def get(self, name: str) -> str:
        """What was typed into a field."""
        return self.typed.get(name, "").strip()

    def name(self, seat: str) -> str:
        """A player's name as typed, tidied: one line, no invisible controls."""
        return _one_line(self.get(f"name-{seat}"))

    def chosen(self, convention: Convention) -> str:
        """The value a convention shows: as typed, else as the preset has it."""
        usual = json_word(self.game.conventions[convention.name])
        return self.typed.get(f"rule-{convention.name}", usual)

    @property
    def by_lot(self) -> bool:
        """Whether the lot, and no drawn card, may say who deals first."""
        return not self.game.family.draws_for_deal

    @property
    def takes_over(self) -> bool:
        """Whether a match of this game can have been begun on paper."""
        return "opening" in self.game.family.entries

    @cached_property
    def shown_values(self) -> dict[str, Value]:
        """Every convention's value as the page shows it; an unreadable one as the preset has it."""
        found: dict[str, Value] = {}
        for name, one in self.book.conventions.items():
            typed, usual = self.chosen(one).strip(), self.game.conventions[name]
            if one.values:
                found[name] = next((value for value in one.values if json_word(value) == typed), usual)
            elif one.is_text:
                found[name] = typed
            else:
                number = _number(typed)
                found[name] = usual if number is None else number
        return found

    @property
    def asked(self) -> list[Convention]:
        """The conventions this table can choose about; how many play is settled before."""
        return [
            one
            for one in self.book.conventions.values()
            if one.name not in self.seating.conventions
            and len(one.values_for(self.game.players)) != 1
            and one.arises(self.game.conventions, self.game.players)
        ]

    @property
    def house_rules(self) -> list[tuple[Convention, bool, str]]:
        """The choices of the game, whether each matters beside the others, and what it needs for a script."""
        return [
            (one, one.matters(self.shown_values), json.dumps({k: json_word(v) for k, v in one.needs.items()}))
            for one in self.asked
        ]

    @property
    def from_paper(self) -> bool:
        """Whether totals were typed that stand on paper already."""
        told = any(self.get(f"total-{side}") for side in self.ring.sides) or bool(self.get("held"))
        return self.takes_over and told

    # --- reading -------------------------------------------------------------------------

    def read(self, now: str) -> tuple[dict[str, Any], dict[str, Any] | None] | None:
        """The match's head and, if it was begun on paper, its opening entry; None if something is wrong."""
        players = self.players()
        conventions = self._conventions()
        opened = self._open(conventions)
        dealer = self._dealer(opened)
        opening = self._opening() if self.from_paper else None
        place = self.place()
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

    def place(self) -> str:
        """Where it is played; may be empty."""
        place = self.get("place")
        if len(place) > PLACE_LIMIT:
            self.wrong("place", _("At most %(most)s characters.", most=PLACE_LIMIT))
        return place

    def players(self) -> list[str]:
        """The names, in the order of the seats."""
        names = [self.name(seat) for seat in self.ring.seats]
        for seat, name in zip(self.ring.seats, names, strict=True):
            if not name:
                self.wrong(f"name-{seat}", _("Required; a single letter will do."))
            elif len(name) > NAME_LIMIT:
                self.wrong(f"name-{seat}", _too_long(NAME_LIMIT, name))
            elif names.count(name) > 1 and names.index(name) < self.ring.seats.index(seat):
                self.wrong(f"name-{seat}", _("This name is taken; add a letter to tell the two apart."))
        return names

    def _conventions(self) -> dict[str, Value]:
        found = dict(self.seating.conventions)
        for convention in self.asked:
            value = self._value(convention, self.chosen(convention).strip())
            if value is not None and not self._left_out(convention, value):
                found[convention.name] = value
        return found

    def _value(self, convention: Convention, typed: str) -> Value | None:
        """What was typed for a convention; None, and a sentence at its field, if it cannot take that."""
        name = f"rule-{convention.name}"
        if convention.values:
            fitting = convention.values_for(self.game.players)
            choice = next((one for one in fitting if json_word(one) == typed), None)
            if choice is None:
                self.wrong(name, _("Choose one of these."))
            return choice
        if convention.is_text:
            line = _one_line(typed)
            if len(line) > convention.most:
                self.wrong(name, _too_long(convention.most, line))
            return line
        number = _number(typed)
        if number is None or not convention.least <= number <= convention.most:
            limits = {"least": convention.least, "most": convention.most}
            self.wrong(name, _("A whole number from %(least)s to %(most)s.", **limits))
            return None
        return number

    def _left_out(self, convention: Convention, value: Value) -> bool:
        """Whether a value that follows from others was left as the page proposed it."""
        follows = bool(convention.default_half_of or convention.default_when)
        return follows and value == self.game.conventions[convention.name]

    def _open(self, conventions: Mapping[str, Value]) -> library.Game:
        """The game with these conventions; with the page's own, and a sentence, where they do not agree."""
        try:
            return self._opened(conventions)
        except Unreadable as error:
            one = self.book.conventions[error.path.removeprefix("conventions.")]
        fitting = []
        for value, text in one.values_for(self.game.players).items():
            with suppress(Unreadable):
                self._opened({**conventions, one.name: value})
                fitting.append(translate(text))
        self.wrong(
            f"rule-{one.name}", _("With the other choices, only: %(values)s", values=" ".join(fitting))
        )
        return self.game

    def _opened(self, conventions: Mapping[str, Value]) -> library.Game:
        return library.open_game(self.game.name, self.game.preset, conventions, self.game.players)

    def _dealer(self, opened: library.Game) -> str | None:
        said = self.get("dealer")
        if said in self.ring.seats:
            return said
        if said != DRAW:
            by_lot = _("Say who deals first, or let the lot decide.")
            self.wrong("dealer", by_lot if self.by_lot else _("Say who deals first, or draw cards for it."))
            return None
        if not opened.family.draws_for_deal:
            return secrets.choice(self.ring.seats)
        drawn = {}
        for seat in self.ring.seats:
            try:
                drawn[seat] = parse_card(self.get(f"drawn-{seat}"))
            except ValueError:
                self.wrong("dealer", _("Tap the card that %(name)s drew.", name=self._called(seat)))
        if len(drawn) < self.ring.size:
            return None
        if len(set(drawn.values())) < len(drawn):
            self.wrong("dealer", _("Two players cannot have drawn the same card."))
            return None
        dealer: str | None = opened.family.first_dealer(drawn)
        if dealer is None:
            self.wrong("dealer", _("A tie: draw again."))
        return dealer

    def _called(self, seat: str) -> str:
        return self.name(seat) or _("Player %(number)s", number=self.ring.seats.index(seat) + 1)

    def _opening(self) -> dict[str, Any]:
        totals = {}
        for side in self.ring.sides:
            typed = self.get(f"total-{side}") or "0"
            number = _number(typed)
            if number is None or not -99_999 <= number <= 99_999:
                self.wrong(f"total-{side}", _("A whole number, such as 240."))
                number = 0
            totals[side] = number
        parts = re.split(r"[\s,;+]+", self.get("held").strip(" ,;+"))
        held = [_number(part) for part in parts if part]
        if any(one is None or not 0 < one <= 9999 for one in held):
            self.wrong("held", _("Whole numbers with a space between them, such as 30 45."))
        return {"type": "opening", "totals": totals, "held": held}


def _one_line(text: str) -> str:
    """A text tidied: one line, no invisible controls."""
    kept = unicodedata.normalize("NFC", text)
    kept = "".join(one for one in kept if unicodedata.category(one) not in ("Cc", "Cs", "Zl", "Zp"))
    return " ".join(kept.split())


def _too_long(most: int, text: str) -> str:
    return str(_("At most %(most)s characters; these are %(count)s.", most=most, count=len(text)))


def _number(text: str) -> int | None:
    text = text.replace("−", "-")
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else None
