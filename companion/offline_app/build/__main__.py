"""`python -m companion.offline_app.build`: build the files of the offline app, and print their sizes.

With `--quiet` nothing is printed about files that exist already; `--quick` packs in less time, not as small.
"""

import os
import signal
import sys
from collections.abc import Sequence

from .making import find_made, make
from .pyodide import NoPyodide

LEFT_OUT = 3
"""The exit status if the files cannot be built, and nothing else is wrong."""


def main(arguments: Sequence[str]) -> int:
    """Build the files, and print their sizes; if Pyodide cannot be had, say why in one line."""
    quickly = "--quick" in arguments
    if "--quiet" in arguments and find_made(quickly=quickly):
        return 0
    try:
        build = make(os.environ, quickly=quickly)
    except NoPyodide as problem:
        print(f"no offline app, all else works without it: {problem}", file=sys.stderr)
        return LEFT_OUT
    print(build.describe())
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell that starts it in the background takes it away
    sys.exit(main(sys.argv[1:]))
