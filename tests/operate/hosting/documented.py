"""The commands of docs/hosting, run as they stand, in folders of a test; what needs a machine is replaced."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .containerfile import ROOT

FOLDER = ROOT / "docs" / "hosting"
_PLACES = ("/opt/", "/etc/", "/var/lib/", "/var/backups/")
_BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
AS_ROOT = {
    "install": 'set -- $(echo " $*" | sed "s/ -[og] companion//g"); command install "$@"',
    "runuser": 'shift 3; "$@"',
    "apt-get": ":",
    "nice": '"$@"',
}
"""What is done by the user of the test, who may not be root and knows no user `companion`."""


def find_block(heading: str, says: str, document: Path = FOLDER / "README.md") -> str:
    """The first block of shell commands below a heading of a document that says something."""
    text = document.read_text()
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    blocks: list[str] = _BLOCK.findall(section)
    return next(block for block in blocks if says in block)


def find_commands(*units: str) -> str:
    """What units of systemd execute, those that are given later added to the first, as a script."""
    found: list[str] = []
    for line in "\n".join((FOLDER / unit).read_text() for unit in units).splitlines():
        name, equals, command = line.partition("=")
        if equals and name == "ExecStart":
            found = [*found, command] if command else [line for line in found if "ExecStartPost" in line]
        elif name == "ExecStartPost":
            found.append(f"{command}  # ExecStartPost")
    # As systemd does it: what comes after the start comes last, and a doubled per cent sign is one.
    found.sort(key=lambda line: "ExecStartPost" in line)
    return "\n".join(found).replace("%%", "%")


def run(script: str, root: Path, programs: Mapping[str, str], **environ: str) -> str:
    """Run commands that would be root's in a folder, which has their places; what they print.

    `programs` are functions of the shell in the place of what a test cannot have.

    :raises AssertionError: when one of them fails.
    """
    for place in _PLACES:
        (root / place[1:]).mkdir(parents=True, exist_ok=True)
        script = re.sub(rf"(?<![\w.]){place}", f"{root}{place}", script)
    functions = "".join(f"{name}() {{ {body}\n}}\n" for name, body in {**AS_ROOT, **programs}.items())
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", functions + script],
        cwd=root,
        env={**os.environ, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}"
    return done.stdout
