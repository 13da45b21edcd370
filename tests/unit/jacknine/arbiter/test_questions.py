"""The facts that questions take: each has a name on the page, and numbers have their limits."""

from collections.abc import Iterator

import pytest

from companion import library
from companion.jacknine.arbiter.registry import QUESTIONS
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.schema import Field, ListOf, Nested, fields_of

TABLE = library.open_game("derda").family.ruleset.table
HOLDING = sorted(
    name for name, question in QUESTIONS.items() if any(f.key == "held" for f in fields_of(question.shape))
)


def list_fields(schema: type) -> Iterator[Field]:
    """The fields of some facts, and those of the facts within them."""
    for place in fields_of(schema):
        yield place
        kind = place.kind.kind if isinstance(place.kind, ListOf) else place.kind
        if isinstance(kind, Nested):
            yield from list_fields(kind.shape)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_fact_has_a_label(name: str) -> None:
    assert str(QUESTIONS[name].asks).endswith("?")
    fields = list(list_fields(QUESTIONS[name].shape))
    unlabelled = [place.key for place in fields if not isinstance(place.label, Message)]
    assert unlabelled == (["points"] if name == "count" else [])  # all that tricks bring: no form asks for it


@pytest.mark.parametrize("name", HOLDING)
def test_held_points_have_limits(name: str) -> None:
    """Up to fifty deals may hang, each for one point at least and four figures at most."""
    (held,) = (place.kind for place in fields_of(QUESTIONS[name].shape) if place.key == "held")
    assert held.read([1, 9999] * 25, "held", TABLE) == (1, 9999) * 25
    for wrong in ([0], [10_000], [1] * 51):
        with pytest.raises(Unreadable, match=r"^held"):
            held.read(wrong, "held", TABLE)


FOLDED = {
    "runs": "fours asked_rost hands trickless",
    "bela": "hand",
    "seven": "elder hand with turned",
    "outcome": "double trump held trickless last bela false_melds played alone melds",
    "finish": "at held",
    "winner": "last trickless played by_belote by_bela",
    "count": "trump out runs fours bela last tricks trickless exchanged turn_up shown taken",
    "audit": "held asked_rost",
    "claim": "trick wants points double declarer made",
    "penalty": "double bela held taken",
    "dive": "totals",
}
IN_ORDER = {"play": "trick", "trick": "trick", "bela": "played", "auction": "calls", "claim": "trick"}


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_seldom_known_stands_aside(name: str) -> None:
    """What most answers do without is asked for apart; what fell card by card is taken in that order."""
    fields = fields_of(QUESTIONS[name].shape)
    assert [place.key for place in fields if place.folded] == FOLDED.get(name, "").split()
    assert [place.key for place in fields if place.ordered] == IN_ORDER.get(name, "").split()
    assert all({place.folded, place.ordered} <= {True, False} for place in list_fields(QUESTIONS[name].shape))
