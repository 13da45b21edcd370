"""`python -m companion.offline_app.build`: make the files of the offline app, and print their sizes.

With `--quiet` nothing is printed about files that exist already; `--quick` packs in less time, not as small.
"""

import os
import signal
import sys
from collections.abc import Sequence

from .making import find_made, make
from .pyodide import NoPyodide

LEFT_OUT = 3
"""The exit status where the files cannot be made, and nothing else is wrong."""


def main(arguments: Sequence[str]) -> int:
    """Make them, and print their sizes; where Pyodide cannot be had, say why in one line."""
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
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # of a shell that starts it beside a server it has none
    sys.exit(main(sys.argv[1:]))
