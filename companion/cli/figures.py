"""`companion figures`: what a player's matches come to, as JSON or in lines to read."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from companion import library
from companion.figures import CountedFigure, CountedMatch, clean_name, count_figures, find_interval, summarize
from companion.record.record import RecordChain
from companion.rules.message import Message

from .language import render
from .language import say as _
from .reading import print_json, read_document, refuse
from .score import name_trump

_SECTIONS = {
    "matches": (Message("Matches"), "played"),
    "deals": (Message("Deals"), "played"),
    "declarer": (Message("As declarer"), "deals"),
    "defender": (Message("As defender"), "deals"),
    "elder": (Message("As elder hand"), "deals"),
    "dealer": (Message("As dealer"), "deals"),
}
"""Sections by name: what they are called, and the figure that others are a share of."""
_FACTS = {
    "played": Message("played {number}"),
    "won": Message("won {number}"),
    "lost": Message("lost {number}"),
    "drawn": Message("drawn {number}"),
    "open": Message("not finished {number}"),
    "thrown_in": Message("thrown in {number}"),
    "offers": Message("settled by offer {number}"),
    "void": Message("void {number}"),
    "deals": Message("deals {number}"),
    "made": Message("made {number}"),
    "baited": Message("bait {number}"),
    "tied": Message("tied {number}"),
    "other": Message("ended otherwise {number}"),
    "mean_made": Message("made on average {number}"),
    "mean_written": Message("written on average {number}"),
    "taken": Message("taken {number}"),
    "got": Message("points got {number}"),
    "given": Message("points given {number}"),
    "matches": Message("matches {number}"),
    "hands": Message("hands {number}"),
    "fools": Message("fool {number}"),
    "draws": Message("drawn {number}"),
    "touches": Message("touched {number}"),
    "matchsticks": Message("matchsticks {number}"),
}
_SHARES = ("won", "made", "fools")
"""What is said as a share."""


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    figures = commands.add_parser("figures", help=_("show what a player’s matches come to"))
    figures.add_argument("files", nargs="*", metavar="FILE", help=_("match record (- for standard input)"))
    figures.add_argument("--player", required=True, metavar="NAME", help=_("name, as it is in the records"))
    figures.add_argument("--json", action="store_true", help=_("print one JSON object"))
    figures.set_defaults(run=_figures)


def _figures(arguments: argparse.Namespace) -> int:
    if not arguments.files:
        raise refuse("FILE", Message("required; a match record (- for standard input)"))
    documents = [read_document(name) for name in arguments.files]
    chain = RecordChain(library.open_game, documents)
    matches = [CountedMatch.of(chain.fold(document)) for document in documents]
    player = clean_name(arguments.player)
    found = [summarize(match, seat) if (seat := match.find_seat(player)) else None for match in matches]
    if not any(found):
        known = sorted({name for match in matches for name in match.players})
        raise refuse("player", Message("must be one of {values}, not {value}", values=known, value=player))
    figures = count_figures(player, found)
    if arguments.json:
        print_json(figures.plain())
    else:
        print("\n".join((player, *_list_lines(figures.sections))))
    return 0


def _list_lines(sections: Mapping[str, Any]) -> Iterator[str]:
    """What is not empty, a line for each section, aligned."""
    rows = [(render(label), list(map(render, facts))) for label, facts in _list_rows(sections)]
    rows = [(label, facts) for label, facts in rows if facts]
    width = max(len(label) for label, _facts in rows)
    yield from (f"{label:{width}}  {', '.join(facts)}" for label, facts in rows)


def _list_rows(sections: Mapping[str, Any]) -> Iterator[tuple[Message | str, Iterator[Message]]]:
    for name, (label, whole) in _SECTIONS.items():
        yield label, _list_facts(sections[name], whole)
    for trump, suit in sections["suits"].items():
        yield name_trump(trump), _list_facts(suit, "deals")
    yield Message("Offers"), _list_facts(sections["offers"])
    yield Message("Won in a row"), _list_facts(sections["streaks"])
    yield Message("Best deal"), _locate(sections["best_deal"])
    yield Message("Greatest comeback"), _locate(sections["comeback"])
    yield Message("Matchsticks"), _list_facts(sections["hands"] or {}, "hands")


def _list_facts(section: Mapping[str, CountedFigure], whole: str = "") -> Iterator[Message]:
    """Every figure that is not zero; some as their share of the whole."""
    for name, figure in section.items():
        if figure.value in (0, None):
            continue
        is_share = whole and name in _SHARES
        value = _show_share(len(figure.sources), len(section[whole].sources)) if is_share else figure.value
        yield Message(_FACTS[name].template, number=value)


def _show_share(part: int, whole: int) -> Message | str:
    """A share: of few a fraction, of more with the interval that it lies in."""
    interval = find_interval(part, whole)
    if interval is None:
        return f"{part}/{whole}"
    shares = zip(("share", "least", "most"), (part / whole, *interval), strict=True)
    percent = {name: round(100 * share) for name, share in shares}
    return Message("{part}/{whole} = {share}% ({least}–{most}%)", part=part, whole=whole, **percent)


def _locate(figure: CountedFigure) -> Iterator[Message]:
    """The points of an entry, and where it stands."""
    for source in figure.sources:
        facts = {"points": source.points, "file": source.match, "entry": source.entry}
        yield Message("{points} (file {file}, entry {entry})", **facts)
