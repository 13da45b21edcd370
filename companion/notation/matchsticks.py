"""Matchsticks: one for every loss, in bundles of five with the fifth across; a dot for a draw.

If the table writes epaulettes, each is a short dash beside its stick, and sticks leave room for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .hand import Handwriting, round_off
from .svg import SQUARE, frame_drawing

BUNDLE = 5
"""Matchsticks in a bundle, the last of them across the others."""
TALL = 2.2 * SQUARE
"""Length of a matchstick."""
SPACING = 0.55 * SQUARE
"""Distance from one matchstick of a bundle to the next."""
GAP = 1.1 * SQUARE
"""Distance between two bundles."""
ROOM = 0.4 * SQUARE
"""The additional distance of both if there may be epaulettes."""


MARK = "–"
"""An epaulette in text."""
PAGE = 100
"""The most matchsticks, or dots, that are drawn; earlier ones become a number in front."""


def carry_over(count: int, page: int = PAGE) -> int:
    """The part of a count that is no longer drawn: all full pages but the last.

    >>> carry_over(100), carry_over(101), carry_over(41, 20)
    (0, 100, 40)
    """
    return max(count - 1, 0) // page * page


def split_bundles(count: int) -> tuple[int, ...]:
    """Split matchsticks into bundles: full ones first, the rest last.

    :raises ValueError: for a negative number.
    """
    if count < 0:
        raise ValueError(f"{count} matchsticks: at least 0")
    full, rest = divmod(count, BUNDLE)
    return (BUNDLE,) * full + ((rest,) if rest else ())


def describe(count: int, draws: int = 0, epaulettes: int = 0) -> str:
    """Describe the matchsticks for those who cannot see them: ``7: 5 2``, and dots for draws: ``7: 5 2, ··``.

    >>> describe(3, epaulettes=2)
    '3: 3, ––'
    """
    bundles = " ".join(map(str, split_bundles(count)))
    text = f"{count}: {bundles}" if bundles else str(count)
    return ", ".join([text, *filter(None, (MARK * epaulettes, "·" * draws))])


def draw_matchsticks(
    count: int,
    draws: int = 0,
    *,
    seed: str,
    epaulettes: Sequence[int] | None = None,
    before: int | None = None,
    per_row: int = 4,
    prefix: str = "matchsticks",
    title: str | None = None,
    colour: str | None = None,
) -> str:
    """Draw matchsticks as an ``<svg>`` element, `per_row` bundles in a row, then a dot for each draw.

    A matchstick is a path of class ``match`` with a head of class ``head``; those beyond ``before``, if that
    is given, are ``new`` too. `epaulettes` are the marks beside each of them, from the first on, drawn as
    paths of class ``epaulette`` (None: the table writes none, and the sticks are closer together). `seed`,
    `prefix`, `title` and `colour` are as in `svg.draw_tally`.
    """
    hand = Handwriting(seed)
    bundles = split_bundles(count)
    dotted = -(-draws // 6)  # six dots are as wide as a bundle
    cells = max(1, len(bundles) + dotted)
    columns, rows = min(per_row, cells), -(-cells // per_row)
    room, marks = (0.0, ()) if epaulettes is None else (ROOM, tuple(epaulettes)[:count])
    spacing, gap = SPACING + room, GAP + room
    wide = (BUNDLE - 2) * spacing
    pitch = wide + gap
    missing = BUNDLE - 1 - bundles[-1] if bundles and rows == 1 and not draws else 0
    width = SQUARE * 2 + columns * pitch - gap + SQUARE * 0.4 + room - max(missing, 0) * spacing
    height = SQUARE * 1.6 + rows * TALL + (rows - 1) * SQUARE
    out = ['<g fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round">']

    def corner(index: int) -> tuple[float, float]:
        row, column = divmod(index, per_row)
        return SQUARE * 1.2 + column * pitch, SQUARE * 0.8 + row * (TALL + SQUARE)

    for bundle, size in enumerate(bundles):
        x, y = corner(bundle)
        for stick in range(size):
            at = bundle * BUNDLE + stick
            across = stick == BUNDLE - 1
            foot = (x - 0.35 * SQUARE, y + 0.72 * TALL) if across else (x + stick * spacing, y + TALL)
            head = (x + wide + 0.35 * SQUARE, y + 0.26 * TALL) if across else (x + stick * spacing, y)
            fresh = " new" if before is not None and at >= before else ""
            out += _draw_match(hand, at, foot, head, fresh)
            beside = (head[0], y + 0.6 * TALL) if across else foot
            out += _draw_epaulettes(hand, at, marks[at] if at < len(marks) else 0, beside, fresh)
    for dot in range(draws):
        x, y = corner(len(bundles) + dot // 6)
        shake = hand.waver(f"draw {dot}")
        cx = x + (dot % 3) * SPACING * 1.3 + 0.8 * shake[0]
        cy = y + TALL * (0.36 if dot % 6 < 3 else 0.72) + 0.8 * shake[1]
        out.append(
            f'<circle class="draw" cx="{round_off(cx)}" cy="{round_off(cy)}" r="2.6" fill="currentColor"/>'
        )
    out.append("</g>")
    words = describe(count, draws, sum(marks)) if title is None else title
    return frame_drawing("matchsticks", (width, height), prefix, words, colour, out)


@lru_cache(maxsize=2048)
def _draw_match(
    hand: Handwriting, at: int, foot: tuple[float, float], head: tuple[float, float], fresh: str
) -> tuple[str, ...]:
    shake = hand.waver(f"match {at}")
    lean = 1.1 * shake[0]
    tip = (head[0] + lean, head[1] + 0.8 * shake[1])
    long = ((tip[0] - foot[0]) ** 2 + (tip[1] - foot[1]) ** 2) ** 0.5
    neck = tuple(tip[i] + (foot[i] - tip[i]) * 5 / long for i in (0, 1))
    return (
        f'<path class="match{fresh}" pathLength="1" stroke-width="2.6"'
        f' d="{hand.draw_line(f"match {at} stick", foot, tip)}"/>',
        f'<path class="head{fresh}" stroke-width="5.2"'
        f' d="M{round_off(tip[0])} {round_off(tip[1])}L{round_off(neck[0])} {round_off(neck[1])}"/>',
    )


def _draw_epaulettes(
    hand: Handwriting, at: int, count: int, foot: tuple[float, float], fresh: str
) -> list[str]:
    """Draw the marks beside a stick, one above the other, from beside its foot."""
    x, y = foot[0] + 0.22 * SQUARE, foot[1]
    out = []
    for mark in range(count):
        up = y - (0.06 + 0.22 * mark) * SQUARE
        line = hand.draw_line(
            f"match {at} epaulette {mark}", (x, up), (x + 0.42 * SQUARE, up - 0.06 * SQUARE)
        )
        out.append(f'<path class="epaulette{fresh}" pathLength="1" stroke-width="2" d="{line}"/>')
    return out
