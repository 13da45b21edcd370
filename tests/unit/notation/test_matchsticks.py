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
    assert sum(lying) == losses
    assert all(count == matchsticks.BUNDLE for count in lying[:-1])
    drawn = matchsticks.draw_matchsticks(losses, draws, seed="an evening")
    assert drawn.count('class="match"') == drawn.count('class="head"') == losses
    assert drawn.count('class="draw"') == draws


@pytest.mark.parametrize(
    ("losses", "draws", "text"), [(0, 0, "0"), (0, 2, "0, ··"), (4, 0, "4: 4"), (12, 1, "12: 5 5 2, ·")]
)
def test_in_words(losses: int, draws: int, text: str) -> None:
    assert matchsticks.describe(losses, draws) == text
    assert matchsticks.describe(6, 2, epaulettes=3) == "6: 5 1, –––, ··"


def test_the_newest_match_is_told_apart() -> None:
    """Those that were not there before are new, and the others stay where they lay."""
    before, after = (matchsticks.draw_matchsticks(n, seed="an evening", before=6) for n in (6, 7))
    assert before.count("match new") == 0 and after.count("match new") == 1
    old = re.findall(r'class="match" [^>]* d="([^"]+)"', before)
    assert len(old) == 6 and all(path in after for path in old)


@given(st.lists(st.integers(0, 4), max_size=60))
def test_epaulettes_stand_beside_their_matches(sixes: list[int]) -> None:
    """As many dashes as there were sixes, on the right of the stick they belong to; all in the drawing."""
    drawn = matchsticks.draw_matchsticks(len(sixes), seed="an evening", epaulettes=sixes)
    assert drawn.count('class="epaulette"') == sum(sixes)
    wide = float(re.findall(r'width="([\d.]+)"', drawn)[0])
    beside: list[int] = []
    foot = tip = 0.0
    for kind, path in re.findall(r'class="(match|head|epaulette)"[^>]* d="([^"]+)"', drawn):
        ends = [float(x) for x in re.findall(r"[MC ]([\d.]+) ", path)]
        match kind:
            case "match":
                beside.append(0)
                foot = ends[0]
            case "head":
                tip = ends[0]
            case _:
                beside[-1] += 1
                assert (tip if len(beside) % matchsticks.BUNDLE == 0 else foot) < ends[0] < max(ends) < wide
    assert beside == sixes


def test_a_match_stays_where_it_lies_when_epaulettes_are_written() -> None:
    """A table that writes epaulettes leaves room for them from the first stick on."""
    before = matchsticks.draw_matchsticks(2, seed="an evening", epaulettes=(0, 0))
    after = matchsticks.draw_matchsticks(3, seed="an evening", epaulettes=(0, 0, 3), before=2)
    old = re.findall(r'class="match" [^>]* d="([^"]+)"', before)
    assert len(old) == 2 and all(path in after for path in old)
    assert after.count('class="epaulette new"') == 3 and 'class="epaulette"' not in after
