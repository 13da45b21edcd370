"""How sure a share is."""

from math import sqrt

FEW = 20
"""Of fewer than so many a share is said as a fraction."""
_Z = 1.959964
"""Of all such intervals 95 % hold the true share."""


def find_interval(part: int, whole: int) -> tuple[float, float] | None:
    """Wilson's interval of a share; None where it is of too few to have one that says anything.

    >>> find_interval(7, 12)
    >>> [round(end, 3) for end in find_interval(15, 30)]
    [0.332, 0.668]
    """
    if whole < FEW:
        return None
    share, square = part / whole, _Z * _Z / whole
    middle = (share + square / 2) / (1 + square)
    reach = _Z * sqrt(share * (1 - share) / whole + square / (4 * whole)) / (1 + square)
    return min(share, middle - reach), max(share, middle + reach)
