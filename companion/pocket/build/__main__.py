"""`python -m companion.pocket.build`: make the files of the pocket, unless they are there."""

import os
import sys

from .making import make
from .pyodide import NoPyodide

LEFT_OUT = 3
"""The exit status where there is no pocket, and nothing else is wrong."""


def main() -> int:
    """Make them, and print how large they are; where Pyodide cannot be had, say why in one line."""
    try:
        made = make(os.environ)
    except NoPyodide as problem:
        print(f"no pocket, all else works without it: {problem}", file=sys.stderr)
        return LEFT_OUT
    if made is not None:
        print(made.describe())
    return 0


if __name__ == "__main__":
    sys.exit(main())
