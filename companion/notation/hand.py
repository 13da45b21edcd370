"""The hand that holds the pencil: stroke names to wavering SVG paths.

Lengths are in units of the drawing; a shape's box is WIDE by HIGH with the
origin at its upper left and y downwards. The hand's unsteadiness is drawn from
a seed and the name of what is being written, so a stroke never moves when
others join it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from struct import Struct

Point = tuple[float, float]

WIDE, HIGH = 34.0, 40.0
"""Size of a shape's box."""
DIGIT_WIDE, DIGIT_HIGH = 16.0, 28.0
"""Size of a numeral's box."""
GRAIN = 0.55
"""Greatest deviation of a pencil line's edge."""
DIGIT_PITCH = 22.0
"""Distance from the left edge of one digit to that of the next."""

# Straight strokes of the shapes, from start to end in a box of 1 by 1, and which of the two ends run a little
# past their corner.
_STRAIGHT: dict[str, tuple[Point, Point, bool, bool]] = {
    "left": ((0, 0), (0, 1), True, True),
    "right": ((1, 0), (1, 1), True, True),
    "bottom": ((0, 1), (1, 1), True, True),
    "top": ((0, 0), (1, 0), True, True),
    "v-down": ((0, 0), (0.5, 1), True, False),
    "v-up": ((0.5, 1), (1, 0), False, True),
    "caret-up": ((0, 1), (0.5, 0), True, False),
    "caret-down": ((0.5, 0), (1, 1), False, True),
    "lid": ((0, 0.06), (1, 0.06), True, True),
    "base": ((0, 0.95), (1, 0.95), True, True),
}
# Strokes written in one go turn at a common point, which wavers but does not gape.
_TURN = {"v-down": "v", "v-up": "v", "caret-up": "caret", "caret-down": "caret"}

# Digits, and the signs that stand among them, in a box of 10 by 16. Each is a few strokes; a stroke is a few
# runs drawn without lifting, each smooth in itself, with a corner between two runs.
_SIGNS: dict[str, tuple[tuple[tuple[Point, ...], ...], ...]] = {
    "0": ((((6.2, 0.4), (2.6, 1.8), (0.6, 8), (2.2, 14.6), (5.2, 15.8), (8.6, 12.4),
            (9.2, 6), (7.6, 1.4), (5, 0.5)),),),
    "1": ((((2, 5), (6.2, 0.2)), ((6.2, 0.2), (5.8, 8), (5.9, 16))),),
    "2": ((((0.9, 3.6), (2.6, 0.9), (5.8, 0.2), (8.6, 2.2), (8.1, 6), (4.4, 11.2), (0.5, 15.6)),
           ((0.5, 15.6), (5, 15.1), (9.6, 15.5))),),
    "3": ((((1.2, 1.8), (4.8, 0.1), (8.3, 2.6), (7.2, 6), (3.8, 7.4)),
           ((3.8, 7.4), (7.8, 8.6), (8.9, 12), (5.6, 15.8), (0.6, 14))),),
    "4": ((((5.6, 0), (3.6, 5), (0.4, 10.6)), ((0.4, 10.6), (5, 10.3), (9.6, 10.6))),
          (((6.9, 5.6), (6.6, 11), (6.5, 16.2)),)),
    "5": ((((2, 0.6), (1.5, 6.8)),
           ((1.5, 6.8), (5, 5.7), (8.6, 8.6), (8.2, 13.2), (4.6, 15.9), (0.5, 14.4))),
          (((2, 0.6), (5.4, 0.7), (8.8, 0.2)),)),
    "6": ((((7.4, 0.2), (3.4, 4), (0.9, 10), (2.4, 14.9), (5.6, 15.7), (8.6, 12.6), (7.2, 9),
            (3.8, 8.8), (1.2, 11.6)),),),
    "7": ((((0.6, 1.4), (4.6, 1), (9.2, 0.6)), ((9.2, 0.6), (5.8, 8), (4, 16))),
          (((3, 8.5), (5.6, 8.2), (8.6, 8.3)),)),
    "8": ((((8, 2.4), (5, 0.2), (1.8, 2.6), (3.6, 6.4), (7.6, 9.8), (8.4, 13.4), (4.8, 15.9),
            (1.2, 13.4), (2.8, 9.2), (6.8, 5.8), (8, 2)),),),
    "9": ((((8.4, 3.4), (5.6, 0.3), (1.8, 2.2), (1.4, 6.4), (4.6, 8.2), (8, 5.6), (8.6, 2.6)),
           ((8.6, 2.6), (8.2, 9), (5.2, 16))),),
    "-": ((((0.8, 8.4), (4.6, 8), (8.6, 8.2)),),),
    "—": ((((0.2, 8.4), (4.8, 8), (9.8, 8.2)),),),
    "(": ((((5.4, -1), (2.4, 4), (2.2, 11), (5, 17)),),),
    ")": ((((4, -1), (7.2, 4), (7.4, 11), (4.4, 17)),),),
    "×": ((((1.5, 6.4), (5, 10.2), (8.4, 14)),), (((8.2, 6.2), (5, 10.2), (1.6, 14.2)),)),
    "B": ((((1, 0), (1.1, 8), (1, 16)),),
          (((1, 0.5), (6, 0.6), (7.6, 3.6), (5, 7.2), (1.2, 7.6)),
           ((1.2, 7.6), (7, 8.2), (8.8, 12), (6, 15.6), (1, 16)))),
    "Б": ((((8.6, 0.2), (5, 0.4), (1.2, 0.5)), ((1.2, 0.5), (1, 8), (1, 16)),
           ((1, 16), (6, 15.7), (8.7, 11.8), (6.4, 7.8), (1.1, 7.4))),),
    "T": ((((0.4, 0.6), (5, 0.3), (9.8, 0.2)),), (((5.1, 0.3), (4.9, 8), (5, 16)),)),
    "v": ((((1, 5.6), (3, 11), (4.6, 15.8)), ((4.6, 15.8), (6.4, 11), (8.4, 5.5))),),
    "s": ((((7.8, 6.8), (5, 5.4), (2.4, 7), (3.6, 9.8), (6.6, 11.4), (7.6, 13.6), (5, 15.9), (1.6, 14.6)),),),
    "в": ((((1.4, 5.6), (1.3, 11), (1.3, 15.8)),),
          (((1.4, 5.8), (5.6, 5.6), (6.6, 7.8), (4.8, 10), (1.5, 10.3)),
           ((1.5, 10.3), (6, 10.6), (7.4, 13), (5.4, 15.6), (1.3, 15.8)))),
    "с": ((((7.8, 7.4), (5, 5.5), (2, 8), (1.8, 13), (4.6, 15.8), (8, 14)),),),
    "♥": ((((5, 15.6), (1, 9), (0.8, 4.6), (3, 2.8), (5, 5.8)),
           ((5, 5.8), (7, 2.8), (9.2, 4.6), (9, 9), (5, 15.6))),),
    "♦": ((((5, 1.6), (7, 5), (9, 8.6)), ((9, 8.6), (7, 12.2), (5, 15.8)),
           ((5, 15.8), (3, 12.2), (1, 8.6)), ((1, 8.6), (3, 5), (5, 1.6))),),
    "♠": ((((5, 1.2), (1.6, 6), (0.6, 9.8), (2.4, 12.2), (4.9, 10.4)),
           ((4.9, 10.4), (7.6, 12.2), (9.4, 9.8), (8.4, 6), (5, 1.2))),
          (((5, 10.4), (4.8, 13), (3.2, 15.8)), ((3.2, 15.8), (5, 15.5), (7, 15.8)))),
    "♣": ((((4.9, 9.6), (2.6, 12.2), (0.6, 9.6), (2, 7.2), (4.5, 8.4)),
           ((4.5, 8.4), (2.8, 4.6), (5, 1.4), (7.2, 4.6), (5.5, 8.4)),
           ((5.5, 8.4), (8, 7.2), (9.4, 9.6), (7.4, 12.2), (5.1, 9.6))),
          (((5, 9.6), (4.8, 13), (3.2, 15.8)), ((3.2, 15.8), (5, 15.5), (7, 15.8)))),
}  # fmt: skip
_SIGNS["Т"] = _SIGNS["T"]  # the Cyrillic letter
SIGNS = frozenset(_SIGNS)
"""The signs that the hand can write."""

_WORDS = Struct(">16H")


@dataclass(frozen=True, slots=True)
class Handwriting:
    """A writer, known by a seed: the same seed always writes alike."""

    seed: str

    def waver(self, name: str) -> tuple[float, ...]:
        """Sixteen numbers from -1 to 1, determined by a name."""
        raw = hashlib.blake2b(f"{self.seed}\n{name}".encode(), digest_size=32).digest()
        return tuple([word / 32767.5 - 1 for word in _WORDS.unpack(raw)])

    def draw_stroke(self, position: int, name: str, origin: Point) -> str:
        """The path data of one stroke of the shape at a position of the row.

        The origin is the upper left corner of the shape's box.

        :raises KeyError: if there is no stroke of that name.
        """
        points = self._shake_stroke(f"shape {position}", name)
        seated = self._seat_points(points, self.waver(f"shape {position}"), origin, HIGH)
        return write_path([seated, roughen_edge(seated, self.waver(f"shape {position} {name} grain"))])

    def draw_model(self, name: str) -> str:
        """The path data of a stroke in its box, for every place at which `seat_model` puts it.

        :raises KeyError: if there is no stroke of that name.
        """
        points = self._shake_stroke("model", name)
        return write_path([points, roughen_edge(points, self.waver(f"model {name} grain"))])

    def seat_model(self, position: int, origin: Point) -> str:
        """The SVG transform of a box at a position of the row: no two of them lean or stand quite alike."""
        sit = self.waver(f"shape {position}")
        lean, tilt = self._slant(sit)
        x, y = origin[0] + lean * HIGH / 2 + 0.9 * sit[2], origin[1] + 0.9 * sit[3]
        return f"matrix(1 {tilt:.3f} {-lean:.3f} 1 {round_off(x)} {round_off(y)})"

    def _shake_stroke(self, shape: str, name: str) -> list[Point]:
        """The points of a stroke in its box, wavering as those of the named shape do."""
        shake = self.waver(f"{shape} {name}")
        if name == "ring":
            return _draw_ring(shake)
        start, end, over_start, over_end = _STRAIGHT[name]
        turn = self.waver(f"{shape} turn {_TURN[name]}") if name in _TURN else None
        return _rule_line(
            _miss_corner(start, shake[0:2] if over_start or turn is None else turn[0:2]),
            _miss_corner(end, shake[2:4] if over_end or turn is None else turn[0:2]),
            (1.1 + 1.1 * shake[4]) if over_start else 0.0,
            (1.5 + 1.3 * shake[5]) if over_end else 0.0,
            shake[6:],
        )

    def draw_line(self, name: str, start: Point, end: Point) -> str:
        """The path data of a free line from one point to another, wavering according to its name."""
        shake = self.waver(name)
        begin = (start[0] + 0.7 * shake[0], start[1] + 0.9 * shake[1])
        points = _rule_line(begin, (end[0] + 0.7 * shake[2], end[1] + 0.9 * shake[3]), 0.0, 0.0, shake[4:])
        return write_path([points, roughen_edge(points, self.waver(f"{name} grain"))])

    def draw_ring(self, name: str, origin: Point, size: tuple[float, float]) -> str:
        """The path data of a ring of that size around something; its box has the origin at its upper left."""
        points = [
            (origin[0] + x * size[0] / WIDE, origin[1] + y * size[1] / HIGH)
            for x, y in _draw_ring(self.waver(name))
        ]
        return write_path([points, roughen_edge(points, self.waver(f"{name} grain"))])

    def draw_digit(self, at: int | str, character: str, origin: Point) -> tuple[str, ...]:
        """The path data of each stroke of one of the `SIGNS`: a digit, a minus, a bracket, a suit.

        The position counts digits from the left, or names it in some other way;
        the origin is the upper left corner of the digit's box.

        :raises KeyError: for any other character.
        """
        sit = self.waver(f"digit {at} {character}")
        paths = []
        for number, runs in enumerate(_SIGNS[character]):
            shaken = []
            corner: Point | None = None
            for run_number, run in enumerate(runs):
                shake = self.waver(f"digit {at} {character} {number} {run_number}")
                points = [
                    (
                        x * DIGIT_WIDE / 10 + 0.42 * shake[2 * i % 16],
                        y * DIGIT_HIGH / 16 + 0.42 * shake[(2 * i + 1) % 16],
                    )
                    for i, (x, y) in enumerate(run)
                ]
                if corner is not None:
                    points[0] = corner
                corner = points[-1]
                shaken.append(self._seat_points(points, sit, origin, DIGIT_HIGH))
            back = [roughen_edge(run, self.waver(f"digit {at} {character} {number} grain")) for run in shaken]
            paths.append(write_path([*shaken, *reversed(back)]))
        return tuple(paths)

    def weight(self, name: str) -> float:
        """The pressure of the pencil for a name, about 1."""
        return 1 + 0.1 * self.waver(f"weight {name}")[0]

    def _seat_points(
        self, points: Sequence[Point], sit: Sequence[float], origin: Point, high: float
    ) -> list[Point]:
        """Map points of a box to the paper: leaning as the hand leans, a little off the line."""
        lean, tilt = self._slant(sit)
        return [
            (
                origin[0] + x + lean * (high - y) - lean * high / 2 + 0.9 * sit[2],
                origin[1] + y + tilt * x + 0.9 * sit[3],
            )
            for x, y in points
        ]

    def _slant(self, sit: Sequence[float]) -> tuple[float, float]:
        """Measure how far a box leans to the right, and its lines rise."""
        return 0.035 + 0.03 * self.waver("lean")[0] + 0.025 * sit[0], 0.014 * sit[1]


def roughen_edge(points: Sequence[Point], shake: Sequence[float]) -> list[Point]:
    """The way back along a stroke, a little beside it, so that its edges are uneven."""
    back = []
    for i, (x, y) in enumerate(reversed(points)):
        back.append((x + GRAIN * shake[2 * i % 16], y + GRAIN * shake[(2 * i + 1) % 16]))
    return back


def write_path(runs: Sequence[Sequence[Point]]) -> str:
    """Write path data through the points of each run, smooth within a run.

    The runs follow one another without lifting the pencil.
    """
    parts = [f"M{round_off(runs[0][0][0])} {round_off(runs[0][0][1])}"]
    for run in runs:
        padded = [run[0], *run, run[-1]]
        for i in range(1, len(padded) - 2):
            before, start, end, after = padded[i - 1 : i + 3]
            control = (
                (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6),
                (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6),
                end,
            )
            parts.append("C" + " ".join(f"{round_off(x)} {round_off(y)}" for x, y in control))
    return "".join(parts)


def round_off(value: float) -> str:
    """Round a coordinate to one decimal, without a trailing zero or a minus zero."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _miss_corner(unit: Point, shake: Sequence[float]) -> Point:
    """Move a corner of the box by a little."""
    return (unit[0] * WIDE + 0.9 * shake[0], unit[1] * HIGH + 0.9 * shake[1])


def _rule_line(
    start: Point, end: Point, over_start: float, over_end: float, shake: Sequence[float]
) -> list[Point]:
    """Draw a ruled line by hand: past its ends, bowed, and not quite even."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    across = (-along[1], along[0])
    bow = 0.022 * length * shake[0]
    stations = (
        (-over_start, 0.0),
        (length * (0.3 + 0.05 * shake[1]), 0.8 * bow + 0.35 * shake[2]),
        (length * (0.68 + 0.05 * shake[3]), 0.85 * bow + 0.35 * shake[4]),
        (length + over_end, 0.3 * shake[5] if over_end else 0.0),
    )
    return [
        (start[0] + s * along[0] + t * across[0], start[1] + s * along[1] + t * across[1])
        for s, t in stations
    ]


def _draw_ring(shake: Sequence[float]) -> list[Point]:
    """Draw a circle in one go, begun near the top, with an end that passes its beginning."""
    begin = -pi / 2 + 0.55 + 0.3 * shake[0]
    sweep = 2 * pi + 0.3 + 0.14 * shake[1]
    count = 13
    points = []
    for i in range(count):
        part = i / (count - 1)
        angle = begin - sweep * part
        size = (
            1
            + 0.028 * shake[2] * sin(2 * angle + 3 * shake[3])
            + 0.018 * shake[4] * sin(3 * angle + 3 * shake[5])
            + (0.05 + 0.03 * shake[6]) * (0.5 - part)
        )
        points.append(
            (
                WIDE / 2 + 0.7 * shake[7] + (WIDE / 2 + 1.0) * size * cos(angle),
                HIGH / 2 + 0.5 * shake[8] + (HIGH / 2 + 0.2) * size * sin(angle),
            )
        )
    return points
