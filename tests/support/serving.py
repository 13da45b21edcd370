"""The server in a process of its own, with some of the program's constants changed.

Tests import what starts it; run as a program, this is the command line with those constants.
"""

import importlib
import json
import os
import sys
from collections.abc import Mapping

_CONSTANTS = "TEST_CONSTANTS"


def serve_command(port: int) -> list[str]:
    """The command that serves on this port, of the source in the folder it is run in."""
    return [sys.executable, __file__, "serve", "--host", "127.0.0.1", "--port", str(port)]


def change_constants(values: Mapping[str, float]) -> dict[str, str]:
    """Variables of the environment that change constants, each by module and name."""
    return {_CONSTANTS: json.dumps(values)}


if __name__ == "__main__":
    sys.path[0] = os.getcwd()
    for place, value in json.loads(os.environ.get(_CONSTANTS, "{}")).items():
        module, _dot, constant = place.rpartition(".")
        setattr(importlib.import_module(module), constant, value)
    from companion.cli import main

    sys.exit(main())
