"""The findings about a deal that is replayed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.rules.message import Message, SeatName


def list_findings(replay: Mapping[str, Any], show_card: Callable[[str], str]) -> Iterator[Message]:
    """List what best play would have brought, as far as that is known; `replay` is what a family shows."""
    tricks = replay["tricks"]
    last = tricks[-1]["cards"][-1]["best"]
    if last is None:
        yield Message("What cards cost is not known: a card was not allowed, or nothing was counted.")
        return
    made = f"{last['declarer']} : {last['others']}"
    if replay["stopped"]:
        known = next(n for n, trick in enumerate(tricks, 1) if trick["cards"][-1]["best"])
        yield Message(
            "Made {made}; the search was stopped, costs are known from trick {n} on.", made=made, n=known
        )
    else:
        best = f"{replay['best']['declarer']} : {replay['best']['others']}"
        yield Message("Best play {best}, made {made}.", best=best, made=made)
    if replay["turning"]:
        trick = tricks[replay["turning"]["trick"] - 1]
        card = trick["cards"][replay["turning"]["card"] - 1]
        facts = {
            "n": replay["turning"]["trick"],
            "seat": SeatName(card["seat"]),
            "card": show_card(card["card"]),
        }
        yield Message("Turning point: trick {n}, {seat} {card}.", **facts)
    yield Message("Best play sees all hands; the players did not.")
