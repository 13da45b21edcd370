"""The ways of attacks: past whom each went, whatever a record tells of its bouts."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion import library
from companion.beating.entries import Hand

SEATS = st.sampled_from("ABCD")
BOUTS = st.lists(
    st.fixed_dictionaries(
        {
            "attacker": SEATS,
            "defender": SEATS,
            "result": st.sampled_from(("beaten-off", "picked-up", "cancelled")),
            "out": st.lists(SEATS, max_size=2, unique=True),
            "transfers": st.lists(st.fixed_dictionaries({"by": SEATS}), max_size=5),
        }
    )
    .filter(lambda bout: bout["attacker"] != bout["defender"])
    .filter(lambda bout: bout["out"] or bout["result"] != "cancelled"),
    min_size=1,
    max_size=5,
)


def read_ways(bouts: list[dict[str, Any]], left: str | None = None, after: int | None = None) -> Any:
    """The ways of these bouts of a hand for four, whether they can have been or not."""
    family: Any = library.open_game("durak", None, {"transfer": "on", "walk_out": "plays-on"}, 4).family
    stated = {"walked_out": left, "walked_after": after} if left else {}
    facts = {key: fact for key, fact in stated.items() if fact is not None}
    hand: Hand = family.read({"type": "hand", "loser": None, "bouts": bouts, **facts}, "hand")
    return family.ways(hand.bouts, left, after)


@given(BOUTS, st.none() | SEATS, st.integers(0, 5))
def test_every_attack_has_a_way(bouts: list[dict[str, Any]], left: str | None, after: int) -> None:
    """Also that of a bout that cannot have been: a correction may leave one behind, and it is shown."""
    ways = read_ways(bouts, left, min(after, len(bouts)) if left else None)
    assert [len(way) for way in ways] == [2 + len(bout["transfers"]) for bout in bouts]
    assert [way[:2] for way in ways] == [(bout["attacker"], bout["defender"]) for bout in bouts]


def test_an_attack_goes_past_nobody_who_is_out_or_has_left() -> None:
    """Who left the table is passed over, and who went out before; who goes out in the bout is not."""
    first = {"attacker": "A", "defender": "B", "result": "picked-up", "out": ["D"]}
    second = first | {"result": "beaten-off", "transfers": [{"by": "B"}], "out": ["B"]}
    assert read_ways([first, second], "C", 1) == [("A", "B"), ("A", "B", "A")]
    assert read_ways([first | {"out": []}, second], "C", 1)[1] == ("A", "B", "D")
    assert read_ways([first | {"out": []}, second])[1] == ("A", "B", "C")


def test_who_left_in_a_cancelled_bout_was_still_in_it() -> None:
    """Also where the hand says by itself that this player left, and after how many bouts."""
    bout = {"attacker": "A", "defender": "B", "result": "cancelled", "out": ["C"], "transfers": [{"by": "B"}]}
    again = bout | {"result": "beaten-off", "out": []}
    assert read_ways([bout, again], "C", 0) == read_ways([bout, again]) == [("A", "B", "C"), ("A", "B", "D")]
