"""What happens in a worker process: it keeps within its limits, and stays no longer than the app."""

import contextlib
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_NICENESS = 5
"""Whoever only wants to look at a page goes first."""
_MEGABYTE = 1_000_000
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes, in which the system counts the memory of a process."""


@dataclass(frozen=True, slots=True)
class DoneWork:
    """An answer, or what was raised in its place; and how many megabytes its process has ever held."""

    answer: bytes
    fault: Exception | None
    megabytes: float


def begin(megabytes: float) -> None:
    """Get ready to work: the first thing a worker does."""
    for stop in (signal.SIGINT, signal.SIGTERM):  # sent to all processes at once; the app lets this one go
        signal.signal(stop, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    most = int(megabytes * _MEGABYTE)
    with contextlib.suppress(OSError, ValueError):  # where the system knows no such limit, or a lower one
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    threading.Thread(target=_follow_the_app, daemon=True).start()


def do_work(function: Callable[..., bytes], arguments: tuple[Any, ...]) -> DoneWork:
    """Do one piece of work."""
    answer, fault = b"", None
    try:
        answer = function(*arguments)
    except Exception as error:  # noqa: BLE001  # it is raised where it was asked
        fault = _make_portable(error)
    return DoneWork(answer, fault, _most_held() / _MEGABYTE)


def _most_held() -> int:
    """Bytes of memory that this process ever held.

    Linux counts in `getrusage` also what the process held that this one was started by.
    """
    with (
        contextlib.suppress(OSError),
        open("/proc/self/status", encoding="ascii", errors="replace") as status,
    ):
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT


def _make_portable(error: Exception) -> Exception:
    """What was raised, for another process: it says where that was."""
    where = traceback.format_exc()
    try:
        copy = pickle.loads(pickle.dumps(error.with_traceback(None)))
        fault = copy if isinstance(copy, Exception) else RuntimeError(repr(error))
    except Exception:  # noqa: BLE001  # whatever may be wrong with it
        fault = RuntimeError(repr(error))
    fault.add_note(where)
    return fault


def _follow_the_app() -> None:
    """End when the app's process is gone, whatever is being done."""
    app = multiprocessing.parent_process()
    if app is not None:
        with contextlib.suppress(OSError):
            app.join()
    os._exit(0)
