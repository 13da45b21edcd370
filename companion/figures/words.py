"""The names of a player's figures, and each figure in a few words."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from companion.rules.message import CountMessage, Message, show_trump

from .counting import CountedFigure, PlayerFigures
from .shares import find_interval

_SECTIONS = {
    "matches": (Message("Matches"), "played"),
    "deals": (Message("Deals"), "played"),
    "declarer": (Message("As declarer"), "deals"),
    "defender": (Message("As defender"), "deals"),
    "elder": (Message("As elder hand"), "deals"),
    "dealer": (Message("As dealer"), "deals"),
}
"""Sections by name: their titles, and the figure that others are a share of."""
_FACTS = {
    "played": Message("played {number}"),
    "won": Message("won {number}"),
    "lost": Message("lost {number}"),
    "drawn": Message("drawn {number}"),
    "open": Message("not finished {number}"),
    "thrown_in": Message("thrown in {number}"),
    "offers": Message("settled by offer {number}"),
    "void": Message("void {number}"),
    "deals": CountMessage("{count} deal", "{count} deals", 0),
    "made": Message("contract made {number}"),
    "baited": Message("bait {number}"),
    "tied": Message("tied {number}"),
    "other": Message("ended otherwise {number}"),
    "mean_made": Message("made on average {number}"),
    "mean_written": Message("written on average {number}"),
    "taken": Message("taken {number}"),
    "got": Message("points got {number}"),
    "given": Message("points given {number}"),
    "matches": CountMessage("{count} match", "{count} matches", 0),
    "hands": CountMessage("{count} hand", "{count} hands", 0),
    "fools": Message("fool {number}"),
    "draws": Message("drawn {number}"),
    "touches": Message("touched the cards {number}"),
    "matchsticks": CountMessage("{count} matchstick", "{count} matchsticks", 0),
    "known": Message("counted card by card {number}"),
    "declared": Message("declared {number}"),
    "stood": Message("counted {number}"),
    "per_deal": Message("in deals played {number}"),
    "per_offer": Message("in offers taken {number}"),
    "followed": Message("hands followed {number}"),
    "picked_up": Message("picked up {number}"),
    "beaten_off": Message("beaten off {number}"),
    "transfers": Message("transferred {number}"),
    "first": Message("first {number}"),
    "mean_place": Message("place on average {number}"),
    "raised": Message("raised {number}"),
    "corrected": Message("corrected {number}"),
    "ruled": Message("ruled on {number}"),
    "withdrawn": Message("withdrawn {number}"),
}
_HELD_AND_MELDS = {
    "held": Message("Held points"),
    "runs": Message("Runs"),
    "fours": Message("Fours"),
    "belas": Message("Belas"),
}
_SINGLE = {"best_deal": Message("Best deal"), "comeback": Message("Greatest comeback")}
"""Figures about a single deal."""
_SHARES = ("won", "made", "fools", "first")
"""Figures that are written as shares."""


class FigureFact(NamedTuple):
    """A figure in words, with the `name` that programs use.

    `label` and `value` can be used alone, `text` has both: `won`, `7/12`, `won 7/12`; `share` has the size of
    a share of many.
    """

    name: str
    label: Message | str
    value: object
    text: Message
    figure: CountedFigure
    share: Message | None = None


class FigureSection(NamedTuple):
    """Figures that belong together: `Deals: played 12, won 7/12`."""

    label: Message | str
    facts: list[FigureFact]


def describe_figures(figures: PlayerFigures) -> Iterator[FigureSection]:
    """Describe all figures that are not empty."""
    for label, facts in _list_sections(figures.sections):
        if found := list(facts):
            yield FigureSection(label, found)
    for name, single in _SINGLE.items():
        for source in figures.sections[name].sources:
            place = {"points": source.points, "file": source.match, "entry": source.entry}
            text = Message("{points} (file {file}, entry {entry})", **place)
            yield FigureSection(single, [FigureFact(name, "", source.points, text, figures.sections[name])])


def _list_sections(sections: Mapping[str, Any]) -> Iterator[tuple[Message | str, Iterator[FigureFact]]]:
    for name, (label, whole) in _SECTIONS.items():
        yield label, _list_facts(sections, name, whole)
    for trump in sections["suits"]:
        yield show_trump(trump), _list_facts(sections["suits"], trump, "deals", "suits.")
    yield Message("Offers"), _list_facts(sections, "offers")
    if sections["margin"]["per_offer"].places:
        yield Message("Difference on average"), _list_facts(sections, "margin")
    for name, label in _HELD_AND_MELDS.items():
        if name == "held" or sections[name]["declared"].value:
            yield label, _list_facts(sections, name)
    yield Message("Won in a row"), _list_facts(sections, "streaks")
    yield Message("Matchsticks"), _list_facts(sections, "hands", "hands")
    yield Message("Fool by seat"), _list_places(sections, "seats")
    yield Message("Fool by right-hand neighbour"), _list_places(sections, "after")
    yield Message("Going out"), _list_facts(sections, "out", "hands")
    yield Message("Bouts"), _list_facts(sections, "bouts")
    yield Message("Objections"), _list_facts(sections, "objections")


def _list_facts(
    sections: Mapping[str, Any], section: str, whole: str = "", path: str = ""
) -> Iterator[FigureFact]:
    """List every figure that is not zero; some as their share of the whole."""
    figures: Mapping[str, CountedFigure] = sections[section] or {}
    for name, figure in figures.items():
        if figure.value in (0, None):
            continue
        value: object = figure.value
        share = None
        if whole and name in _SHARES:
            part, of = len(figure.places), len(figures[whole].places)
            value, share = f"{part}/{of}", _describe_share(part, of)
        label, text = (_say_fact(_FACTS[name], figure.value, shown) for shown in ("", value))
        yield FigureFact(f"{path}{section}.{name}", label, value, text, figure, share)


def _list_places(sections: Mapping[str, Any], section: str) -> Iterator[FigureFact]:
    """List how often somebody was the fool, by seat; where never, the figure counts the hands."""
    for place, figures in sections[section].items():
        fools, hands = figures["fools"], figures["hands"]
        name = "fools" if fools.value else "hands"
        value = f"{fools.value}/{hands.value}"
        label, text = (Message("{name} {number}", name=place, number=number) for number in ("", value))
        share = _describe_share(fools.value, hands.value)
        yield FigureFact(f"{section}.{place}.{name}", label, value, text, figures[name], share)


def _say_fact(fact: Message, number: object, shown: object) -> Message:
    """Write the fact with the number that is `shown`, or without it, in the form for the `number`."""
    if isinstance(fact, CountMessage) and isinstance(number, int):
        return CountMessage(fact.template, fact.several, number, shown)
    return Message(fact.template, number=shown)


def _describe_share(part: int, whole: int) -> Message | None:
    """Write the share in per cent, with its interval; None if there are too few cases."""
    interval = find_interval(part, whole)
    if interval is None:
        return None
    shares = zip(("share", "least", "most"), (part / whole, *interval), strict=True)
    percent = {name: round(100 * share) for name, share in shares}
    return Message("{share}% ({least}–{most}%)", **percent)
