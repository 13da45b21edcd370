"""The form of a new match: it is read into a head, with every error at its own field."""

import re
import secrets
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask import g
from flask_babel import gettext as _
from flask_babel import pgettext

from companion import library
from companion.matches import Match
from companion.people import fold_journal
from companion.record.head import NAME_LIMIT, check_name
from companion.rules.cards import parse_card
from companion.rules.conditions import json_word
from companion.rules.errors import Unreadable
from companion.rules.schema import check_text
from companion.store import ListedMatch
from companion.web.shell.matches import matches
from companion.web.shell.security import browser
from companion.web.shell.text import capitalize, translate

from .game_choice import GameChoice, one_line, parse_number, say_too_long

PLACE_LIMIT = 200
DRAW = "draw"
"""The value for "by drawn cards", or "by lot", among the seats that may deal first."""
_CARRIED = re.compile(r"(name|drawn|total)-[A-F]|held|aside/[\w-]+/[\w-]+/rule-\w+")


@dataclass(frozen=True)
class FieldError:
    """The first error, as shown beside the button, and how many `more` there are."""

    field: str
    label: str
    sentence: str
    more: int


class NewMatch(GameChoice):
    """A match about to begin: its game, its players, and its errors by field."""

    @property
    def carried(self) -> dict[str, str]:
        """The entered fields that this page does not have; another game or table may have them."""
        shown = {f"name-{seat}" for seat in self.ring.seats}
        if self.can_begin_on_paper:
            shown |= {f"total-{side}" for side in self.ring.sides}
        if self.ways_to_hold:
            shown.add("held")
        if not self.by_lot:
            shown |= {f"drawn-{seat}" for seat in self.drawing_seats}
        return {
            key: value
            for key, value in self.fields.items()
            if value and key not in shown and _CARRIED.fullmatch(key)
        }

    @property
    def first_error(self) -> FieldError | None:
        """The first error in the order of the page."""
        labels = {f"name-{seat}": self.seat_label(seat) for seat in self.ring.seats}
        labels = {"preset": _("Variant")} | labels | {"dealer": ""}
        labels |= {
            f"rule-{name}": translate(convention.label) for name, convention in self.book.conventions.items()
        }
        labels |= {f"total-{side}": _("Begun on paper") for side in self.ring.sides}
        labels |= {
            "held": capitalize(translate(self.book.words.get("held"))),
            "place": pgettext("where one plays", "Place"),
        }
        for name in ("", *labels):
            if self.errors.get(name):
                count = sum(map(len, self.errors.values()))
                return FieldError(name, labels.get(name, ""), self.errors[name][0], count - 1)
        return None

    def player_name(self, seat: str) -> str:
        """A player's name as entered, on one line."""
        return one_line(self.text(f"name-{seat}"))

    def seat_label(self, seat: str) -> str:
        """The label of a player who has no name yet."""
        return str(_("Player %(number)s", number=self.ring.seats.index(seat) + 1))

    @property
    def by_lot(self) -> bool:
        """True if the lot, and not a drawn card, may decide who deals first."""
        return not self.game.family.draws_for_deal

    @property
    def drawing_seats(self) -> tuple[str, ...]:
        """The seats that draw a card for the first deal: one of each side."""
        return tuple(self.ring.seats[: len(self.ring.sides)])

    @property
    def can_begin_on_paper(self) -> bool:
        """True if a match of this game can have been begun on paper."""
        return "opening" in self.game.family.entries

    @property
    def is_begun_on_paper(self) -> bool:
        """True if totals from paper were entered."""
        entered = any(self.text(f"total-{side}") for side in self.ring.sides) or bool(self._held)
        return self.can_begin_on_paper and entered

    @cached_property
    def ways_to_hold(self) -> list[dict[str, str]]:
        """The choices that each make a tie hold points, for a script; an empty one if it always does."""
        if not self.can_begin_on_paper:
            return []
        for convention in self.open_conventions:
            holds = {}
            for value in convention.values_for(self.game.players):
                with suppress(Unreadable):  # it needs another choice beside it
                    opened = self._open({**self.seating.conventions, convention.name: value})
                    holds[json_word(value)] = opened.family.ruleset.holds_points()
            if len({*holds.values()}) == 2:
                return [{convention.name: value} for value, does in holds.items() if does]
        return [{}] if self.game.family.ruleset.holds_points() else []

    @property
    def holds_points(self) -> bool:
        """True if a tie holds points by the choices that the page shows."""
        shown = {name: json_word(value) for name, value in self.shown_values.items()}
        return any(way.items() <= shown.items() for way in self.ways_to_hold)

    @property
    def _held(self) -> str:
        """The held points as entered; empty if they belong to another game or choice."""
        return self.text("held") if self.holds_points else ""

    def draw_teams(self) -> dict[str, str]:
        """Return the fields with the names at seats drawn by lot."""
        places = [f"name-{seat}" for seat in self.ring.seats]
        names = [self.text(place) for place in places]
        secrets.SystemRandom().shuffle(names)
        return {**self.fields, **dict(zip(places, names, strict=True))}

    # --- reading -------------------------------------------------------------------------

    def read_head(self, now: str) -> tuple[dict[str, Any], dict[str, Any] | None] | None:
        """Read the match's head and, if it was begun on paper, its opening entry; None after an error."""
        self.check_preset()
        players = self.read_players()
        conventions = self.read_conventions()
        opened = self.open_with(conventions)
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
        """Read the place where it is played; may be empty."""
        place = one_line(self.text("place"))
        if len(place) > PLACE_LIMIT:
            self.add_error("place", say_too_long(PLACE_LIMIT, place))
        else:
            self.check("place", check_text, place, 0, PLACE_LIMIT)
        return place

    def read_players(self) -> list[str]:
        """Read the names, in the order of the seats."""
        names = [self.player_name(seat) for seat in self.ring.seats]
        for seat, name in zip(self.ring.seats, names, strict=True):
            if not name:
                self.add_error(f"name-{seat}", _("Required; a single letter will do."))
            elif len(name) > NAME_LIMIT:
                self.add_error(f"name-{seat}", say_too_long(NAME_LIMIT, name))
            elif names.count(name) > 1 and names.index(name) < self.ring.seats.index(seat):
                self.add_error(f"name-{seat}", _("This name is taken; add a letter to tell the two apart."))
            else:
                self.check(f"name-{seat}", check_text, name, 1, NAME_LIMIT)
                self.check(f"name-{seat}", check_name, name)
        return names

    def _read_dealer(self, opened: library.Game) -> str | None:
        choice = self.text("dealer")
        if choice in self.ring.seats:
            return choice
        if choice != DRAW:
            by_lot = _("Say who deals first, or draw lots.")
            self.add_error(
                "dealer", by_lot if self.by_lot else _("Say who deals first, or draw cards for it.")
            )
            return None
        if not opened.family.draws_for_deal:
            return secrets.choice(self.ring.seats)
        drawn = {}
        for seat in self.drawing_seats:
            try:
                drawn[seat] = parse_card(self.text(f"drawn-{seat}"))
            except ValueError:
                name = self.player_name(seat) or self.seat_label(seat)
                self.add_error("dealer", _("Tap the card that %(name)s drew.", name=name))
        if len(drawn) < len(self.drawing_seats):
            return None
        if len(set(drawn.values())) < len(drawn):
            self.add_error("dealer", _("Two players cannot have drawn the same card."))
            return None
        dealer: str | None = opened.family.first_dealer(drawn)
        if dealer is None:
            self.add_error("dealer", _("A tie: draw again."))
        return dealer

    def _read_opening(self) -> dict[str, Any]:
        totals = {}
        for side in self.ring.sides:
            entry = self.text(f"total-{side}") or "0"
            number = parse_number(entry)
            if number is None or not -99_999 <= number <= 99_999:
                self.add_error(f"total-{side}", _("A whole number, such as 240."))
                number = 0
            totals[side] = number
        parts = re.split(r"[\s,;+]+", self._held.strip(" ,;+"))
        held = [parse_number(part) for part in parts if part]
        if any(number is None or not 0 < number <= 9999 for number in held):
            self.add_error("held", _("Whole numbers with a space between them, such as 30 45."))
        return {"type": "opening", "totals": totals, "held": held}


_REMEMBERED = 50
"""The most past matches to look at."""


def _listed() -> list[ListedMatch]:
    """This browser's last matches, the one last written in first; read once for a page."""
    if "listed" not in g:
        g.listed = _search()
    listed: list[ListedMatch] = g.listed
    return listed


def _search(sought: str = "") -> list[ListedMatch]:
    """The last matches that a search finds, without those of a demo."""
    listed = matches().list_matches(browser.known_token(), sought, _REMEMBERED)
    return [found for found in listed if not found.is_demo]


@dataclass(frozen=True)
class Company:
    """Players who sat together before, by side, and the match they played.

    `same_game` is true if that had the same game, variety and table.
    """

    match: str
    sides: tuple[tuple[str, ...], ...]
    same_game: bool


def last_match_fields(game: str | None = None) -> dict[str, str]:
    """The fields of the last match, or of the last one of a `game`; empty on a first visit.

    The place is left out: nobody checks it, and it may be another one today.
    """
    listed = _listed()
    if game in library.names() and all(earlier.head["game"] != game for earlier in listed):
        listed = _search(game)  # the last one is longer ago
    for earlier in listed:
        if game in (None, earlier.head["game"]):
            match = matches().open_if_readable(earlier.id)
            if match is not None:
                return {key: field for key, field in match_fields(match).items() if key != "place"}
    return {}


def played_games() -> list[str]:
    """The games of this browser's last matches, the last one's first."""
    return [game for earlier in _listed() if (game := earlier.head["game"]) in library.names()]


def match_fields(match: Match) -> dict[str, str]:
    """The fields with which another match of the same players begins like this one."""
    like = NewMatch(match.game)
    return {
        "game": match.game.name,
        "preset": match.game.preset,
        "table": like.seating.name,
        "place": match.head.get("place", ""),
        **name_fields(match),
        **{
            f"rule-{convention.name}": json_word(match.game.conventions[convention.name])
            for convention in like.open_conventions
        },
    }


def name_fields(match: Match) -> dict[str, str]:
    """The fields of its players alone, who sit down to another game."""
    return {f"name-{seat}": name for seat, name in match.names.items()}


def known_names() -> list[str]:
    """The players of this browser's last matches: the last one's first, then the most frequent."""
    listed = _listed()
    find = fold_journal(matches().list_notes(browser.known_token())).players.find
    players = [[*map(find, (earlier.summary or earlier.head).get("players", ()))] for earlier in listed]
    last = list(players[0]) if players else []
    counted = Counter(name for names in players for name in names)
    return list(dict.fromkeys([*last, *(name for name, _count in counted.most_common())]))


def other_companies(new_match: NewMatch) -> list[Company]:
    """Groups of as many players who sat together in this browser before, the last first, each once.

    Groups have more than two players; the one whose names are in the form already is left out.
    """
    ring = new_match.ring
    if ring.size <= 2:
        return []
    seated = _sit_down(new_match, {seat: new_match.player_name(seat) for seat in ring.seats})
    companies: dict[tuple[tuple[str, ...], ...], Company] = {}
    for earlier in _listed():
        names = (earlier.summary or earlier.head)["players"]
        if len(names) == ring.size:
            sides = _sit_down(new_match, dict(zip(ring.seats, names, strict=True)))
            if sides != seated:
                companies.setdefault(
                    sides, Company(earlier.id, sides, _is_same_game(new_match, earlier.head))
                )
    return list(companies.values())


def _is_same_game(new_match: NewMatch, head: Mapping[str, Any]) -> bool:
    game = new_match.game
    if (head["game"], head.get("preset", game.preset)) != (game.name, game.preset):
        return False
    return (
        library.seating(game.name, head.get("conventions", {}), new_match.ring.size, game.rules)
        == new_match.seating
    )


def _sit_down(new_match: NewMatch, names: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    ring = new_match.ring
    return tuple(
        tuple(name for seat, name in names.items() if ring.side(seat) == side) for side in ring.sides
    )
