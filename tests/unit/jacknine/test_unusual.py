"""Counts that are possible and far from ordinary: each game by its own cards and words."""

from typing import Any

import pytest

from companion import library
from companion.jacknine.deals.unusual import explain_unusual
from companion.rules.message import Message

CONTRACT = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}}


def explain(game: str, **deal: Any) -> str | None:
    family: Any = library.open_game(game).family
    head = {"players": list(family.ruleset.ring.seats), "first_dealer": "A"}
    state = family.apply(family.start(head), family.read(CONTRACT | deal, "entries[0]"))
    assert state.problems == ()
    why: Message | None = explain_unusual(family.ruleset, state.rows[-1])
    return None if why is None else why.render()


UNEQUAL_TOTALS = [(210, 20), (205, 27), (202, 3)]
ORDINARY = [(82, 65), (120, 12), (140, 30), (25, 82), (100, 95), (160, 20)]


@pytest.mark.parametrize("game", ["derda", "klaberjass", "bulka", "deberts"])
@pytest.mark.parametrize(("one", "other"), [*UNEQUAL_TOTALS, *ORDINARY])
def test_totals_far_apart_are_asked_about(game: str, one: int, other: int) -> None:
    """Over two hundred beside under twenty-eight; ordinary ones are not."""
    for totals in ({"A": one, "B": other}, {"A": other, "B": one}):
        assert (explain(game, totals=totals) is None) == ((one, other) in ORDINARY)


MANY, FEW = ({"A": 25, "B": 79}, "B"), ({"A": 20, "B": 8}, None)
COUNTS = {
    what: {"cards": cards, "jass": holder, "nine": holder, "last": "A"}
    if holder
    else {"cards": cards, "last": "A"}
    for what, (cards, holder) in {"many": MANY, "few": FEW}.items()
}
RUN = {"runs": [{"seat": "A", "length": 4, "top": "A"}], "bela": "A"}
REVOKE = {"penalty": {"side": "B", "offence": "revoke"}}
CALL = {"call": {"seat": "A", "after_trick": 2}, "count": {"cards": {"A": 10, "B": 4}}}


@pytest.mark.parametrize(
    ("game", "totals", "facts", "said"),
    [
        # a slip of the finger: 25 and 82 typed as 258 and 2; eighteen cards that seldom carry so few
        ("derda", (258, 2), {}, "Together 260; more than 216 is rare."),
        ("derda", (30, 8), {}, "Together 38; less than 44 is rare."),
        # counted word by word it is as rare; what was declared is not in the sum, and the sentence says so
        ("derda", (), {"count": COUNTS["few"]}, "Together 38; less than 44 is rare."),
        ("derda", (), {"count": COUNTS["many"]}, "Together 148; more than 146 is rare."),
        (
            "derda",
            (),
            {"count": COUNTS["many"], "bela": "B"},
            "Together 148 without what was declared; more than 146 is rare.",
        ),
        (
            "derda",
            (),
            {"count": COUNTS["few"], "bela": "B"},
            "Together 38 without what was declared; less than 44 is rare.",
        ),
        # melds that were declared, a side without a trick, a penalty and a call explain their points
        ("derda", (195, 10), RUN, None),
        ("derda", (200, 0), {"trickless": "B"}, None),
        ("derda", (230, 0), REVOKE, None),
        ("derda", (), CALL, None),
        # where all cards are dealt the sum is checked; only next to nothing beside much is asked about
        ("klaberjass-4", (152, 10), {}, None),
        ("klaberjass-4", (222, 10), {}, "222 for A needs runs, with almost nothing for the other side."),
        ("klaberjass-4", (100, 30), {"contract": {"declarer": "A", "trump": "NT"}}, None),
        # of three the sums are narrower; what the two others have is taken together
        ("klaberjass-3", (70, 40, 30), {}, None),
        ("klaberjass-3", (200, 10, 8), {}, "200 for A needs runs, with almost nothing for the other side."),
        ("klaberjass-3", (80, 9, 6), {}, "Together 95; less than 96 is rare."),
        ("deberts-3", (70, 40, 30), {}, None),
        ("deberts-4", (152, 10), {}, None),
    ],
)
def test_what_is_asked(game: str, totals: tuple[int, ...], facts: dict[str, Any], said: str | None) -> None:
    """In a sentence with the sum that is rare, unless what was told of the deal explains it."""
    stated = {"totals": dict(zip("ABC", totals, strict=False))} if totals else {}
    assert explain(game, **stated, **facts) == said
