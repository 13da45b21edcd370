"""The new-match form: what was typed, read into a head; every fault at its own field."""

import json
import re
import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flask_babel import gettext as _

from companion import library
from companion.rules.cards import parse_card
from companion.rules.rulebook import Convention, Rulebook, Value, json_word
from companion.rules.seats import Ring

NAME_LIMIT, PLACE_LIMIT = 40, 200
DRAW = "draw"
"""What stands for "by drawn cards", or "by lot", among the seats that may deal first."""
LOT = "lot"


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
        text = unicodedata.normalize("NFC", self.get(f"name-{seat}"))
        text = "".join(one for one in text if unicodedata.category(one) not in ("Cc", "Cs", "Zl", "Zp"))
        return " ".join(text.split())

    def chosen(self, convention: Convention) -> str:
        """The value a convention shows: as typed, else as the preset has it."""
        usual = json_word(self.game.conventions[convention.name])
        return self.typed.get(f"rule-{convention.name}", usual)

    @property
    def by_lot(self) -> bool:
        """Whether the lot, and no drawn card, says who deals first."""
        return bool(self.game.family.ruleset["first_deal_order"] == LOT)

    @cached_property
    def shown_values(self) -> dict[str, Value]:
        """Every convention's value as the page shows it; an unreadable one as the preset has it."""
        found: dict[str, Value] = {}
        for name, one in self.book.conventions.items():
            typed, usual = self.chosen(one).strip(), self.game.conventions[name]
            if one.values:
                found[name] = next((value for value in one.values if json_word(value) == typed), usual)
            else:
                number = _number(typed)
                found[name] = usual if number is None else number
        return found

    @property
    def house_rules(self) -> list[tuple[Convention, bool, str]]:
        """The choices of the game, whether each matters beside the others, and what it needs for a script."""
        return [
            (one, one.matters(self.shown_values), json.dumps({k: json_word(v) for k, v in one.needs.items()}))
            for one in self.book.conventions.values()
            if len(one.values) != 1
        ]

    @property
    def from_paper(self) -> bool:
        """Whether totals were typed that stand on paper already."""
        return any(self.get(f"total-{side}") for side in self.ring.sides) or bool(self.get("held"))

    # --- reading -------------------------------------------------------------------------

    def read(self, now: str) -> tuple[dict[str, Any], dict[str, Any] | None] | None:
        """The match's head and, if it was begun on paper, its opening entry; None if something is wrong."""
        players = self.players()
        conventions = self._conventions()
        opened = library.open_game(self.game.name, self.game.preset, conventions)
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
                self.wrong(f"name-{seat}", _("A name is needed, even a single letter."))
            elif len(name) > NAME_LIMIT:
                self.wrong(
                    f"name-{seat}",
                    _("At most %(most)s characters; these are %(count)s.", most=NAME_LIMIT, count=len(name)),
                )
            elif names.count(name) > 1 and names.index(name) < self.ring.seats.index(seat):
                self.wrong(f"name-{seat}", _("This name is taken; add a letter to tell the two apart."))
        return names

    def _conventions(self) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for name, convention in self.book.conventions.items():
            typed = self.chosen(convention).strip()
            if convention.values:
                value = next((one for one in convention.values if json_word(one) == typed), None)
                if value is None:
                    self.wrong(f"rule-{name}", _("One of the choices is needed."))
            else:
                value = _number(typed)
                if value is None or not convention.least <= value <= convention.most:
                    value = None
                    limits = {"least": convention.least, "most": convention.most}
                    self.wrong(f"rule-{name}", _("A whole number from %(least)s to %(most)s.", **limits))
            if value is not None and not self._left_out(convention, value):
                found[name] = value
        return found

    def _left_out(self, convention: Convention, value: Value) -> bool:
        """Whether a number that is half of another was left as the page proposed it."""
        return bool(convention.default_half_of) and value == self.game.conventions[convention.name]

    def _dealer(self, opened: library.Game) -> str | None:
        said = self.get("dealer")
        if said in self.ring.seats:
            return said
        if said != DRAW:
            self.wrong("dealer", _("Say who deals first, or draw cards for it."))
            return None
        if opened.family.ruleset["first_deal_order"] == LOT:
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
            self.wrong("dealer", _("Equal cards: draw again."))
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


def _number(text: str) -> int | None:
    text = text.replace("−", "-")
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else None
