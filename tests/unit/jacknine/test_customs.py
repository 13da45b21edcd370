"""What is done at a table and what is not, as pages ask for it."""

import pytest

from companion import library
from companion.jacknine.ruleset import JackNineRuleset


@pytest.mark.parametrize(
    ("game", "conventions", "swaps", "redeals", "punishes"),
    [
        ("derda", {}, True, False, False),
        ("klaberjass-4", {}, False, False, False),
        ("deberts", {"four_sevens": "redeal"}, True, True, True),
        ("deberts", {"four_sevens": "play"}, True, False, True),
    ],
)
def test_customs(game: str, conventions: dict[str, str], swaps: bool, redeals: bool, punishes: bool) -> None:
    """The seven is swapped, four sevens are dealt again, asking how high without need costs the runs."""
    ruleset = library.open_game(game, conventions=conventions).family.ruleset
    assert isinstance(ruleset, JackNineRuleset)
    customs = (ruleset.may_swap_seven(), ruleset.redeals_four_sevens(), ruleset.punishes_needless_rost())
    assert customs == (swaps, redeals, punishes)
