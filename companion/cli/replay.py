"""`companion replay`: a deal card by card with what each card cost, as JSON or in lines to read."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from companion import library
from companion.record.record import FoldedRecord, RecordChain
from companion.rules.cards import parse_card
from companion.rules.message import Message, show_card, show_trump
from companion.wording import list_findings

from .language import read_whole, render, say
from .language import say as _
from .reading import print_json, read_document, refuse


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    replay = commands.add_parser("replay", help=_("show a deal card by card, with what each card cost"))
    replay.add_argument("file", metavar="FILE", help=_("match record (- for standard input)"))
    number = _("number of the deal’s entry")
    replay.add_argument("--deal", type=read_whole, required=True, metavar="N", help=number)
    replay.add_argument("--json", action="store_true", help=_("print one JSON object"))
    replay.set_defaults(run=_replay)


def _replay(arguments: argparse.Namespace) -> int:
    document, n = read_document(arguments.file), arguments.deal
    folded = RecordChain(library.open_game, [document]).fold(document)
    family, state = folded.game.family, folded.state
    replay = family.show_replay(state, n) if 1 <= n <= len(state.rows) else None
    if replay is None:
        wanted = Message("must be a deal that was recorded card by card to its end, not {value}", value=n)
        raise refuse("--deal", wanted)
    if arguments.json:
        print_json({"entry": n, **replay})
    else:
        print("\n".join(_list_lines(folded, n, replay)))
    return 0


def _list_lines(folded: FoldedRecord[library.Game], n: int, replay: Mapping[str, Any]) -> Iterator[str]:
    names = folded.state.names
    facts = [
        Message("declarer {seat}", seat=replay["declarer"]),
        Message("trump {suit}", suit=show_trump(replay["trump"])),
    ]
    yield f"{say(folded.game.book.title)}, {n}: {'; '.join(map(render, facts))}"
    for seat, hand in replay["hands"].items():
        yield f"{seat} {names[seat]}: {' '.join(map(_show, hand))}"
    for number, trick in enumerate(replay["tricks"], 1):
        cards = ", ".join(map(_show_played, trick["cards"]))
        yield f"{number:2}. {cards} → {trick['taker']} {trick['points']}"
    yield from map(render, list_findings(replay, _show))


def _show(card: str) -> str:
    return show_card(parse_card(card), say)


def _show_played(played: Mapping[str, Any]) -> str:
    """Show a card, and the points that it cost, if any."""
    cost = f" (\N{MINUS SIGN}{played['cost']})" if played["cost"] else ""
    return f"{played['seat']} {_show(played['card'])}{cost}"
