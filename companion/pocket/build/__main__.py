"""`python -m companion.pocket.build`: make the files of the pocket, unless they are there."""

import os
import sys

from .making import make
from .pyodide import NoPyodide


def main() -> int:
    """Make them; 1, and one line that says why, where that cannot be done."""
    try:
        made = make(os.environ)
    except NoPyodide as problem:
        print(f"no pocket, the rest works without it: {problem}", file=sys.stderr)
        return 1
    if made is not None:
        print(made.describe())
    return 0


if __name__ == "__main__":
    sys.exit(main())
