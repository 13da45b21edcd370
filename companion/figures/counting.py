"""Figures: what summaries of matches add up to, each with the entries behind it."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from companion.rules.cards import NO_TRUMPS, Suit

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
_SUIT = ("deals", "made", "baited", "tied")
_OFFERS = ("taken", "got", "given")
_NAMED_AFTER_GAMES = {"hands": "durak"}
"""Sections that have the name of their game where programs read them."""
_HANDS = ("hands", "fools", "draws", "touches", "matchsticks")
_MEANS = frozenset({"mean_made", "mean_written"})
_SUMS = frozenset({"got", "given", "matchsticks"})


class Source(NamedTuple):
    """An entry that a figure counts, with its points: `match` is its place among all, from 1, `entry` its
    number there; 0 is the match itself.
    """

    match: int
    entry: int
    points: int


class CountedFigure(NamedTuple):
    """A figure and what it is counted from: a number, a mean with two decimals, or several facts of one deal.

    It is None over nothing.
    """

    value: int | str | Mapping[str, int] | None
    sources: Sequence[Source]


class PlayerFigures(NamedTuple):
    """All figures of a player, in sections by name; a section that does not apply is None."""

    player: str
    sections: Mapping[str, Any]

    def plain(self) -> dict[str, Any]:
        """The figures as JSON values."""
        named = {_NAMED_AFTER_GAMES.get(name, name): part for name, part in self.sections.items()}
        return {"player": self.player, **_plain(named)}


def count_figures(player: str, summaries: Sequence[Summary | None]) -> PlayerFigures:
    """The figures over these matches, in this order; None stands for a match without the player."""
    sources: dict[str, list[Source]] = {}
    for match, summary in enumerate(summaries, 1):
        for name, counted in (summary or {}).items():
            sources.setdefault(name, []).extend(Source(match, entry, points) for entry, points in counted)

    def count(section: str, names: Sequence[str]) -> dict[str, CountedFigure]:
        return {name: _count(name, sources.get(f"{section}.{name}", [])) for name in names}

    sections: dict[str, Any] = {section: count(section, names) for section, names in _SECTIONS.items()}
    trumps = [trump for trump in (*Suit, NO_TRUMPS) if f"suits.{trump}.deals" in sources]
    sections["suits"] = {str(trump): count(f"suits.{trump}", _SUIT) for trump in trumps}
    sections["offers"] = count("offers", _OFFERS)
    sections["streaks"] = {
        part: _find_streak(sources.get(f"{part}.played", []), sources.get(f"{part}.won", []))
        for part in ("matches", "deals")
    }
    sections["best_deal"] = _find_most("written", sources.get("deals.played", []))
    sections["comeback"] = _find_most("points", sources.get("comeback", []))
    sections["hands"] = count("hands", _HANDS) if "hands.matchsticks" in sources else None
    return PlayerFigures(player, sections)


def _count(name: str, sources: Sequence[Source]) -> CountedFigure:
    if name not in _MEANS | _SUMS:
        return CountedFigure(len(sources), sources)
    total = sum(source.points for source in sources)
    return CountedFigure(total if name in _SUMS else _mean(total, len(sources)), sources)


def _mean(total: int, count: int) -> str | None:
    """With two decimals, half to even."""
    return str(Decimal(round(Fraction(100 * total, count))).scaleb(-2)) if count else None


def _find_streak(played: Sequence[Source], won: Sequence[Source]) -> CountedFigure:
    """The longest row of successes, the first of equals."""
    successes, longest, begin = {*won}, range(0), 0
    for n, source in enumerate(played):
        if source not in successes:
            begin = n + 1
        longest = max(longest, range(begin, n + 1), key=len)
    return CountedFigure(len(longest), [played[n] for n in longest])


def _find_most(name: str, sources: Sequence[Source]) -> CountedFigure:
    """The entry of most points, the first of equals."""
    if not sources:
        return CountedFigure(None, ())
    most = max(sources, key=lambda source: source.points)
    return CountedFigure({name: most.points, "file": most.match, "entry": most.entry}, (most,))


def _plain(item: Any) -> Any:
    match item:
        case CountedFigure(value=value):
            return value
        case Mapping():
            return {name: _plain(part) for name, part in item.items()}
    return item


def list_figures(sections: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, CountedFigure]]:
    """Every figure with its name: `deals.won`, `suits.H.made`."""
    for name, part in sections.items():
        if isinstance(part, CountedFigure):
            yield path + name, part
        elif part is not None:
            yield from list_figures(part, f"{path}{name}.")
