"""This browser's matches with their summaries, its journal, and its evenings."""

from typing import NamedTuple

from flask import g
from jinja2.utils import LRUCache

from companion.figures import CountedMatch, clean_name, summarize
from companion.figures.match import Summary
from companion.matches import MatchSummary
from companion.people import Journal, Players, fold_journal
from companion.rules.seats import Ring
from companion.store import ListedMatch

from .matches import matches
from .security import browser

_SUMMARIES = LRUCache(1000)
"""Cached summaries of players in matches, by match, its last change, its players' names, and seat."""


class LoadedMatch(NamedTuple):
    """A match in this browser's lists, with its data for figures."""

    listed: ListedMatch
    summary: MatchSummary
    match: CountedMatch

    @property
    def begun(self) -> str:
        """The time at which it was begun according to its head, or else at which it was stored here."""
        return self.match.started or self.listed.created_at

    def summarize(self, player: str) -> Summary:
        """Summarize the match for a player who sat in it; cached until the match changes."""
        seat = self.match.find_seat(player)
        assert seat is not None
        key = (self.listed.id, self.listed.changed_at, self.match.players, seat)
        summary: Summary | None = _SUMMARIES.get(key)
        if summary is None:
            summary = _SUMMARIES[key] = summarize(self.match, seat)
        return summary


def load_matches() -> list[LoadedMatch]:
    """The matches that this browser began or joined, archived ones included, the first begun first.

    Those of a demo are left out: their players never sat at this table. Players have the names that the
    browser's owner gives them; the matches are loaded once for a request.
    """
    if "counted" not in g:
        g.counted = _load()
    counted: list[LoadedMatch] = g.counted
    return counted


def _load() -> list[LoadedMatch]:
    token = browser.known_token()
    listed = [*matches().list_matches(token), *matches().trash.list_put_away(token)] if token else []
    listed.sort(key=lambda match: (match.created_at, match.id))
    players = known_players()
    return [
        LoadedMatch(match, summary, _read(match, summary, players))
        for match in listed
        if not match.is_demo and (summary := matches().summary(match)) is not None
    ]


def known_journal() -> Journal:
    """The journal of this browser's owner, as it was at the beginning of the request."""
    if "journal" not in g:
        g.journal = fold_journal(matches().list_notes(browser.known_token()))
    journal: Journal = g.journal
    return journal


def known_players() -> Players:
    """The names that this browser's owner gives to the players of its matches."""
    return known_journal().players


def _read(listed: ListedMatch, summary: MatchSummary, players: Players) -> CountedMatch:
    names = tuple(players.find(clean_name(name)) for name in summary.players)
    ring = Ring(len(names), partnerships=len(summary.sides) < len(names))
    return CountedMatch(ring, names, summary.game, listed.head.get("started"), summary.counted)


def group_evenings() -> dict[str, list[LoadedMatch]]:
    """The matches of each evening by its id, in the order in which they were begun."""
    by_id = {found.listed.id: found for found in load_matches()}
    follows = {id: found.listed.head.get("follows") for id, found in by_id.items()}
    return {
        evening: [by_id[id] for id in ids] for evening, ids in known_journal().evenings.group(follows).items()
    }
