"""Figures: the sums of matches' summaries, each with the entries behind it."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from operator import itemgetter
from typing import Any, NamedTuple

from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Suit

from .match import Summary

_CONTRACT = ("deals", "made", "baited", "tied", "other", "mean_made", "mean_written")
_SECTIONS = {
    "matches": ("played", "won", "lost", "drawn", "open"),
    "deals": ("played", "won", "lost", "drawn", "thrown_in", "offers", "void"),
    "declarer": _CONTRACT,
    "defender": _CONTRACT,
    "elder": ("deals", "won"),
    "dealer": ("deals", "won"),
}
_ADDED = {
    "held": ("won", "lost"),
    "runs": ("known", "declared", "stood", "lost"),
    "fours": ("declared", "stood", "lost"),
    "belas": ("declared", "stood", "lost"),
    "margin": ("per_deal", "per_offer"),
    "bouts": ("followed", "picked_up", "beaten_off", "transfers"),
    "out": ("hands", "first", "mean_place"),
    "objections": ("raised", "corrected", "ruled", "withdrawn"),
}
"""The figures that come after the others in JSON."""
_BY_PLACE = ("hands", "fools")
_SUIT = ("deals", "made", "baited", "tied")
_OFFERS = ("taken", "got", "given")
_NAMED_AFTER_GAMES = {"hands": "durak"}
"""Sections that have the name of their game in JSON."""
_HANDS = ("hands", "fools", "draws", "touches", "matchsticks")
_MEANS = frozenset({"mean_made", "mean_written", "per_deal", "per_offer", "mean_place"})
_SUMS = frozenset({"offers.got", "offers.given", "hands.matchsticks"}) | {
    f"{section}.{name}" for section in ("held", "runs", "fours", "belas", "bouts") for name in _ADDED[section]
}


class Source(NamedTuple):
    """An entry that a figure counts, with its points; numbers from 1, `entry` 0 for the match itself."""

    match: int
    entry: int
    points: int


_Place = tuple[int, int, int]
"""The same without names, as there are many of them."""


class CountedFigure(NamedTuple):
    """A figure with the entries behind it: a number, a mean with two decimals, or several facts of one deal.

    It is None if nothing is counted.
    """

    value: int | str | Mapping[str, int] | None
    places: Sequence[_Place]

    @property
    def sources(self) -> list[Source]:
        """The entries that it counts; created on demand, as there may be very many."""
        return [*map(Source._make, self.places)]


class PlayerFigures(NamedTuple):
    """All figures of a player, in sections by name; a section that does not apply is None.

    `leads` are the declarer's deals by how much more the side made than the best of the others, in points.
    """

    player: str
    sections: Mapping[str, Any]
    leads: CountedFigure

    def plain(self) -> dict[str, Any]:
        """The figures as JSON values."""
        named = {_NAMED_AFTER_GAMES.get(name, name): part for name, part in self.sections.items()}
        return {"player": self.player, **_plain(named)}


def count_figures(player: str, summaries: Sequence[Summary | None]) -> PlayerFigures:
    """Count the figures over these matches, in this order; None stands for a match without the player."""
    places: dict[str, list[_Place]] = {}
    for match, summary in enumerate(summaries, 1):
        for name, counted in (summary or {}).items():
            places.setdefault(name, []).extend([(match, entry, points) for entry, points in counted])

    def count(section: str, names: Sequence[str]) -> dict[str, CountedFigure]:
        return {name: _count(f"{section}.{name}", places.get(f"{section}.{name}", [])) for name in names}

    sections: dict[str, Any] = {section: count(section, names) for section, names in _SECTIONS.items()}
    trumps = [trump for trump in (*Suit, NO_TRUMPS, ALL_TRUMPS) if f"suits.{trump}.deals" in places]
    sections["suits"] = {str(trump): count(f"suits.{trump}", _SUIT) for trump in trumps}
    sections["offers"] = count("offers", _OFFERS)
    sections["streaks"] = {
        part: _find_streak(places.get(f"{part}.played", []), places.get(f"{part}.won", []))
        for part in ("matches", "deals")
    }
    sections["best_deal"] = _find_most("written", places.get("deals.played", []))
    sections["comeback"] = _find_most("points", places.get("comeback", []))
    sections["hands"] = count("hands", _HANDS) if "hands.matchsticks" in places else None
    sections |= {section: count(section, names) for section, names in _ADDED.items()}
    for part in ("seats", "after"):
        found = [
            name[len(part) + 1 : -6]
            for name in places
            if name.startswith(f"{part}.") and name.endswith(".hands")
        ]
        sections[part] = {place: count(f"{part}.{place}", _BY_PLACE) for place in sorted(found)}
    return PlayerFigures(player, sections, count("declarer", ("lead",))["lead"])


def _count(name: str, places: Sequence[_Place]) -> CountedFigure:
    is_mean = name.rpartition(".")[2] in _MEANS
    if not is_mean and name not in _SUMS:
        return CountedFigure(len(places), places)
    total = sum(points for _match, _entry, points in places)
    return CountedFigure(_mean(total, len(places)) if is_mean else total, places)


def _mean(total: int, count: int) -> str | None:
    """The mean with two decimals, rounded half to even."""
    return str(Decimal(round(Fraction(100 * total, count))).scaleb(-2)) if count else None


def _find_streak(played: Sequence[_Place], won: Sequence[_Place]) -> CountedFigure:
    """The longest streak of successes, the first of equals."""
    successes, longest, begin = {*won}, range(0), 0
    for n, place in enumerate(played):
        if place not in successes:
            begin = n + 1
        elif n + 1 - begin > len(longest):
            longest = range(begin, n + 1)
    return CountedFigure(len(longest), [played[n] for n in longest])


def _find_most(name: str, places: Sequence[_Place]) -> CountedFigure:
    """The entry with the most points, the first of equals."""
    if not places:
        return CountedFigure(None, ())
    match, entry, points = most = max(places, key=itemgetter(2))
    return CountedFigure({name: points, "file": match, "entry": entry}, (most,))


def _plain(item: Any) -> Any:
    match item:
        case CountedFigure(value=value):
            return value
        case Mapping():
            return {name: _plain(part) for name, part in item.items()}
    return item
