"""What an audit found, as it is read: what was wrong, what was due, when it was known, what it costs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _

from companion.rules.message import Message

from .text import signed

SeatNamer = Callable[[str, bool], str]
"""A seat's name or, where the second is true, a side's."""


@dataclass(frozen=True)
class DescribedIrregularity:
    """One irregularity in words.

    `due` are the cards that should have been played, `first_known` the number of the trick (from 1) in which
    it could first be known, `cost` a sentence, `rules` ids of rules, the broken one first.
    """

    text: str
    due: tuple[str, ...]
    first_known: int | None
    cost: str
    heavy: bool
    rules: tuple[str, ...]


def describe_irregularities(
    irregularities: Iterable[Mapping[str, Any]], say: Callable[[Message], str], name_seat: SeatNamer
) -> list[DescribedIrregularity]:
    """The irregularities of an audit's answer, in its order."""
    return [_describe_irregularity(irregularity, say, name_seat) for irregularity in irregularities]


def _describe_irregularity(
    irregularity: Mapping[str, Any], say: Callable[[Message], str], name_seat: SeatNamer
) -> DescribedIrregularity:
    cost = irregularity["cost"]
    return DescribedIrregularity(
        text=say(irregularity["why"]),
        due=tuple(irregularity.get("due", ())),
        first_known=irregularity.get("known"),
        cost=_describe_cost(irregularity, name_seat),
        heavy=cost["verdict"] in ("bait-on-cards", "replay"),
        rules=tuple(dict.fromkeys((irregularity["rule"], cost["rule"]))),
    )


def _describe_cost(one: Mapping[str, Any], name_seat: SeatNamer) -> str:
    """What it costs, in a sentence."""
    cost = one["cost"]
    match cost["verdict"]:
        case "bait-on-cards":
            scored = _list_by_side(cost["scored"], name_seat, str)
            return _("It costs the whole deal: %(scored)s.", scored=scored)
        case "replay":
            return _("The deal does not count and is played again.")
        case "runs-lost":
            return _("The runs of %(name)s do not count.", name=name_seat(one["seat"], False))
        case "corrected":
            moved = {side: points for side, points in cost["corrections"].items() if points}
            return _("Corrected: %(moved)s.", moved=_list_by_side(moved, name_seat, signed))
    if one["kind"] in ("run-unsaid", "bela-unsaid"):
        return _("It cannot be counted now, and costs nothing more.")
    return _("It does not count, and costs nothing more.")


def _list_by_side(points: Mapping[str, int], name_seat: SeatNamer, write: Callable[[int], str]) -> str:
    return ", ".join(f"{name_seat(side, True)} {write(point)}" for side, point in points.items())
