"""What this browser's last matches offer a new one: the game, the players as they sat, the house rules."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import g

from companion import library
from companion.matches import Match
from companion.rules.rulebook import json_word
from companion.store import ListedMatch
from companion.web.shell.matches import matches
from companion.web.shell.security import browser

from .new_form import NewMatch

_REMEMBERED = 50
"""Matches that are looked back on, however many there are."""


def _listed() -> list[ListedMatch]:
    """This browser's last matches, the one last written in first; read once for a page."""
    if "listed" not in g:
        g.listed = matches().list_matches(browser.known_token(), limit=_REMEMBERED)
    listed: list[ListedMatch] = g.listed
    return listed


@dataclass(frozen=True)
class Company:
    """Players who sat together before, side by side, and the match they played.

    `same_game` says whether that was the very game, variety and table that is asked for.
    """

    match: str
    sides: tuple[tuple[str, ...], ...]
    same_game: bool


def last_match_fields(game: str | None = None) -> dict[str, str]:
    """The fields of the match that was last written in, or the last of one `game`; none on a first visit.

    The place is left out: nobody looks there, and it may be another one today.
    """
    listed = _listed()
    if game in library.names() and all(earlier.head["game"] != game for earlier in listed):
        listed = matches().list_matches(
            browser.known_token(), game, _REMEMBERED
        )  # the last one is longer ago
    for earlier in listed:
        if game in (None, earlier.head["game"]):
            match = matches().open_if_readable(earlier.id)
            if match is not None:
                return {key: field for key, field in match_fields(match).items() if key != "place"}
    return {}


def match_fields(match: Match) -> dict[str, str]:
    """The fields of a match, as far as another match of the same players begins alike."""
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
    """The fields of its players alone, in which they sit down to another game."""
    return {f"name-{seat}": name for seat, name in match.names.items()}


def known_names() -> list[str]:
    """The players of this browser's last matches: those of the last one first, then the most frequent."""
    listed = _listed()
    players = [(earlier.summary or earlier.head).get("players", ()) for earlier in listed]
    last = list(players[0]) if players else []
    counted = Counter(name for names in players for name in names)
    return list(dict.fromkeys([*last, *(name for name, _count in counted.most_common())]))


def other_companies(new_match: NewMatch) -> list[Company]:
    """Companies of as many players that sat together in this browser before, the last first, each once.

    More than two are a company; the one whose names are in the form already is left out.
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
    return library.seating(game.name, head.get("conventions", {}), new_match.ring.size) == new_match.seating


def _sit_down(new_match: NewMatch, names: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    ring = new_match.ring
    return tuple(
        tuple(name for seat, name in names.items() if ring.side(seat) == side) for side in ring.sides
    )
