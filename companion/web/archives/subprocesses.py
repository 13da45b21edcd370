"""A deed done by a process of its own: one that takes long must not take the time of those who show pages."""

import contextlib
import multiprocessing
import os
import resource
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

from flask import Flask

from companion.jobs import WorkerLimits

from .job_files import Progress

_NICENESS = 10
"""Whoever only wants to look at a page goes first."""
_SETTINGS = ("DATABASE", "SECRET_KEY", "SECRET_KEY_FALLBACKS")

AppFactory = Callable[[dict[str, Any]], Flask]
"""A function of a module that makes an app of its settings."""
Deed = Callable[..., Any]
"""A function of a module; its last argument is a `Progress`. What comes of it is JSON."""


class Interrupted(RuntimeError):
    """The process ended early, or what it did failed there."""


def do_elsewhere(
    app: Flask, create_app: AppFactory, deed: Deed, arguments: tuple[Any, ...], progress: Progress
) -> Any:
    """What comes of a deed that another process does, with an app like this one at hand.

    :raises Interrupted: when it ended before.
    """
    settings = {name: app.config[name] for name in _SETTINGS}
    settings |= {"INSTANCE": app.instance_path, "DATABASE_EXISTS": True}
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    most = WorkerLimits().worker_memory
    given = (there, most, create_app, settings, deed, arguments)
    process = context.Process(target=_do, args=given, daemon=True)
    process.start()
    there.close()
    try:
        while True:
            match here.recv():
                case ["progress", count, total]:
                    progress(count, total)
                case ["done", outcome]:
                    return outcome
                case ["failed", why]:
                    raise Interrupted(why)
    except EOFError:
        raise Interrupted("its process ended") from None
    finally:
        here.close()
        process.join()


def _do(
    there: Connection,
    megabytes: float,
    create_app: AppFactory,
    settings: Mapping[str, Any],
    deed: Deed,
    arguments: tuple[Any, ...],
) -> None:
    """What the process does, with so much memory at most: it tells how far it is, and what came of it."""
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    with contextlib.suppress(OSError, ValueError):  # where the system knows no such limit, or a lower one
        resource.setrlimit(resource.RLIMIT_AS, (int(megabytes * 1_000_000),) * 2)
    try:
        with create_app(dict(settings)).app_context():
            outcome = deed(*arguments, lambda count, total: there.send(["progress", count, total]))
        there.send(["done", outcome])
    except BrokenPipeError:
        os._exit(0)  # nobody listens any more
    except Exception as error:
        there.send(["failed", f"{type(error).__name__}: {error}"])
        raise
