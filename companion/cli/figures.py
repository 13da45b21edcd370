"""`companion figures`: a player's figures over matches, as JSON or in lines to read."""

import argparse
from collections.abc import Iterator
from typing import Any

from companion import library
from companion.figures import (
    CountedMatch,
    FigureFact,
    PlayerFigures,
    clean_name,
    count_figures,
    describe_figures,
    summarize,
)
from companion.record.record import RecordChain
from companion.rules.message import Message

from .language import render
from .language import say as _
from .reading import print_json, read_document, refuse


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
        print("\n".join((player, *_list_lines(figures))))
    return 0


def _list_lines(figures: PlayerFigures) -> Iterator[str]:
    """The figures that are not empty, a line for each section, aligned."""
    rows = [
        (render(section.label), [*map(_describe, section.facts)]) for section in describe_figures(figures)
    ]
    width = max(len(label) for label, _facts in rows)
    yield from (f"{label:{width}}  {', '.join(facts)}" for label, facts in rows)


def _describe(fact: FigureFact) -> str:
    return render(fact.text) + (f" = {render(fact.share)}" if fact.share else "")
