"""What an audit found, as it is read: what was wrong, what was due, when it was known, what it costs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import gettext as _

from companion.rules.message import Message

Called = Callable[[str, bool], str]
"""A seat's name or, where the second is true, a side's."""


@dataclass(frozen=True)
class DescribedIrregularity:
    """One thing that was wrong: cards that were due, a trick from 1, ids of rules, the broken one first."""

    text: str
    due: tuple[str, ...]
    known: int | None
    cost: str
    heavy: bool
    rules: tuple[str, ...]


def describe_irregularities(
    found: Iterable[Mapping[str, Any]], say: Callable[[Message], str], called: Called
) -> list[DescribedIrregularity]:
    """The irregularities of an audit's answer, in its order."""
    return [_finding(one, say, called) for one in found]


def _finding(one: Mapping[str, Any], say: Callable[[Message], str], called: Called) -> DescribedIrregularity:
    cost = one["cost"]
    return DescribedIrregularity(
        text=say(one["why"]),
        due=tuple(one.get("due", ())),
        known=one.get("known"),
        cost=_cost(one, called),
        heavy=cost["verdict"] in ("bait-on-cards", "replay"),
        rules=tuple(dict.fromkeys((one["rule"], cost["rule"]))),
    )


def _cost(one: Mapping[str, Any], called: Called) -> str:
    """What it costs, in a sentence."""
    cost = one["cost"]
    match cost["verdict"]:
        case "bait-on-cards":
            return _("It costs the whole deal: %(scored)s.", scored=_by_side(cost["scored"], called, "%d"))
        case "replay":
            return _("The deal does not count and is played again.")
        case "runs-lost":
            return _("The runs of %(name)s do not count.", name=called(one["seat"], False))
        case "corrected":
            moved = {side: points for side, points in cost["corrections"].items() if points}
            return _("Corrected: %(moved)s.", moved=_by_side(moved, called, "%+d"))
    if one["kind"] in ("run-unsaid", "bela-unsaid"):
        return _("It cannot be counted now, and costs nothing more.")
    return _("It does not count, and costs nothing more.")


def _by_side(points: Mapping[str, int], called: Called, shown: str) -> str:
    return ", ".join(f"{called(side, True)} {shown % one}" for side, one in points.items())
