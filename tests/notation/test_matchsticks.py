"""Matchsticks: as many as there are losses, in fives, and told to those who cannot see them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.notation import matchsticks


@given(st.integers(0, 300), st.integers(0, 20))
def test_every_loss_is_one_match(losses: int, draws: int) -> None:
    """The bundles read back to the number; the drawing has a stick for each, and a dot for each draw."""
    lying = matchsticks.split_bundles(losses)
    assert matchsticks.count_bundled(lying) == losses
    assert all(count == matchsticks.BUNDLE for count in lying[:-1])
    drawn = matchsticks.draw_matchsticks(losses, draws, seed="an evening")
    assert drawn.count('class="match"') == drawn.count('class="head"') == losses
    assert drawn.count('class="draw"') == draws


@pytest.mark.parametrize(
    ("losses", "draws", "text"), [(0, 0, "0"), (0, 2, "0, ··"), (4, 0, "4: 4"), (12, 1, "12: 5 5 2, ·")]
)
def test_in_words(losses: int, draws: int, text: str) -> None:
    """The number, the bundles, and a dot for a draw."""
    assert matchsticks.describe(losses, draws) == text


def test_the_newest_match_is_told_apart() -> None:
    """Those that were not there before are new, and the others stay where they lay."""
    before, after = (matchsticks.draw_matchsticks(n, seed="an evening", before=6) for n in (6, 7))
    assert before.count("match new") == 0 and after.count("match new") == 1
    old = re.findall(r'class="match" [^>]* d="([^"]+)"', before)
    assert len(old) == 6 and all(path in after for path in old)


def test_fewer_than_none() -> None:
    """Nobody has lost less than never."""
    with pytest.raises(ValueError, match="at least 0"):
        matchsticks.split_bundles(-1)
