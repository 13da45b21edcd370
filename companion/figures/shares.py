"""The uncertainty of shares."""

from math import sqrt

FEW = 20
"""The number of cases below which a share is written as a fraction."""
_Z = 1.959964
"""The quantile for intervals of which 95 % contain the true share."""


def find_interval(part: int, whole: int) -> tuple[float, float] | None:
    """Wilson's interval of a share; None if there are too few cases for a useful one.

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
