"""Work for workers to do in tests; each is a function of a module, as a new process has to find it."""

import os
import signal
import time
from pathlib import Path

from companion.jobs import JobFiles
from companion.rules.message import Message
from companion.sheets.pdf import CannotPrint


def echo(text: str) -> bytes:
    return text.encode()


def name_process() -> bytes:
    """Which process does it."""
    return str(os.getpid()).encode()


def wait_for(file: str) -> bytes:
    """Ready once there is such a file; until then there is one beside it that names the process."""
    Path(f"{file}.begun").write_text(str(os.getpid()))
    while not Path(file).exists():
        time.sleep(0.01)
    return b"waited"


def report(files: JobFiles, gate: str) -> bytes:
    """Says that a quarter of it is done, then waits for the gate."""
    files.report_progress("made")(3, 12)
    wait_for(gate)
    return b"reported"


def note(file: str, text: str) -> bytes:
    """Writes a line into a file."""
    with Path(file).open("a") as notes:
        notes.write(f"{text}\n")
    return b"noted"


def die(*asked: object) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def die_once(file: str) -> bytes:
    """The system ends the process, the first time."""
    if not Path(file).exists():
        Path(file).write_text("")
        return die()
    return b"alive"


def take_memory(megabytes: int) -> bytes:
    """Needs so much at once."""
    block = bytearray(megabytes * 1_000_000)
    block[::4096] = b"x" * len(block[::4096])
    return str(os.getpid()).encode()


def lack_library(order: object) -> bytes:
    """Cannot print here."""
    raise CannotPrint(Message("the system lacks {library}", library="libpango-1.0-0"))


class Wrong(Exception):
    """Cannot be pickled: it is made from two things."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail(portable: bool) -> bytes:
    """Raises an error, of a kind that can be sent or not."""
    raise ValueError("no such thing") if portable else Wrong(1, 2)
