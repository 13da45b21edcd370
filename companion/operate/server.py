"""The server: the app on this machine's address, with a code for the phone in the terminal, and its log."""

import errno
import json
import logging
import os
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from types import TracebackType
from typing import Any

import segno

from companion import create_app
from companion.jobs import sweep
from companion.rules.message import Message
from companion.store import CannotStart
from companion.store.engine import close_connections

from .metrics import forget_process, serve_metrics, share_metrics
from .process import Process, Supervisor
from .settings import read_settings

_HOUSE = Path(__file__).resolve().parents[2]
_DEEPEST = 12
"""The most code locations that are reported for a fault."""


class JsonLines(logging.Formatter):
    """Writes each record as one object.

    For a fault it gives the kind and the location. The error message and the values of the request are left
    out, because they may contain names and tokens.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Format the line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": at, "level": record.levelname.lower()}
        fields = getattr(record, "fields", None)
        if fields is None:
            # The causes of an error are left out as well.
            text = str(record.msg) if record.exc_info else record.getMessage()
            fields = {"event": "fault" if record.exc_info else "told", "logger": record.name, "text": text}
        line |= fields
        if record.exc_info and record.exc_info[0] is not None:
            line |= {"error": record.exc_info[0].__name__, "at": _list_locations(record.exc_info[2])}
        return json.dumps(line, ensure_ascii=False)


def write_json_lines() -> None:
    """Make this process log lines of JSON to standard output."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    logger = logging.getLogger("companion")
    logger.handlers, logger.propagate = [], True
    logger.setLevel(logging.INFO)


def _list_locations(trace: TracebackType | None) -> list[str]:
    """List the code locations of a fault, the innermost last."""
    locations = extract_tb(trace)[-_DEEPEST:]
    return [f"{_shorten(location.filename)}:{location.lineno} {location.name}" for location in locations]


def _shorten(name: str) -> str:
    location = Path(name)
    if location.is_relative_to(_HOUSE / "companion"):
        return location.relative_to(_HOUSE).as_posix()
    return "/".join(location.parts[-2:])


EVERYWHERE = ("0.0.0.0", "::", "")
SHARED = sys.platform == "linux"
"""True if each process listens on the port by itself, and the system distributes connections among them."""
_RETRY_SECONDS = 3.0


def serve(host: str, port: int, metrics_port: int | None = None, say: Callable[[Message], str] = str) -> int:
    """Serve until stopped, and return the exit code. `say` translates the messages in the terminal.

    :raises CannotStart: if it cannot listen on an address, or the app lacks something.
    """
    settings = read_settings(os.environ, {"METRICS_PORT": metrics_port})
    _check_address(host, port, "--port")
    sweep()  # by now the processes of a killed server have ended
    metrics_folder = None
    if settings["METRICS_PORT"] is not None:
        _check_address("127.0.0.1", settings["METRICS_PORT"], "--metrics-port")
        metrics_folder = share_metrics()
    # The database is brought up to date once, before the processes start.
    app = create_app({"METRICS_PORT": metrics_port})
    with app.app_context():
        app.extensions["matches"].trash.erase_old()
        app.extensions["job_files"].delete_old()
        close_connections()  # the processes are forked after this: none of them may be shared
    if metrics_folder is not None:
        serve_metrics(metrics_folder, "127.0.0.1", settings["METRICS_PORT"])
    if settings["LOG"] == "json":
        write_json_lines()
        logging.getLogger("companion").info("serving on port %d", port)
    else:
        print(greeting(host, port, settings["PREFIX"], say, settings["PROXIES"] > 0), flush=True)
    # A process that shares the port listens by itself, when it is ready: were there one socket for all, one
    # process would often take every connection that is kept alive.
    listener = hold(host, port) if SHARED else listen(host, port)

    given = {"DATABASE_EXISTS": True, "HOST_FILES": app.config["HOST_FILES"]}

    def work(process: Process) -> None:
        try:
            app = create_app({**given, "METRICS_PORT": settings["METRICS_PORT"]})
            process.run(app, listen(host, port, shared=True) if SHARED else listener)
        except CannotStart as error:  # it was free a moment ago
            print(f"error: {error}", file=sys.stderr, flush=True)
            time.sleep(_RETRY_SECONDS)
            sys.exit(1)  # and another process is started

    Supervisor(settings["PROCESSES"], work, forget_process if metrics_folder else lambda _pid: None).run()
    sweep()  # left by workers that ended with their process
    return 0


def _check_address(host: str, port: int, option: str) -> None:
    """Raise `CannotStart` if it is impossible to listen on an address."""
    problem = find_address_problem(host, port, _RETRY_SECONDS, option)
    if problem:
        raise CannotStart(problem)


def find_address_problem(
    host: str, port: int, retry_seconds: float = 0, option: str = "--port"
) -> Message | None:
    """Explain in a sentence why it is impossible to listen on this address; None if it is possible.

    An address in use is retried for some seconds: the processes of a killed server end by themselves a moment
    later.
    """
    until = time.monotonic() + retry_seconds
    while error := _try_to_listen(host, port):
        match error.errno:
            case errno.EADDRINUSE:
                if time.monotonic() < until:
                    time.sleep(0.1)
                    continue
                return Message(
                    "port {port} is in use; try another: {option} {next}",
                    port=port,
                    option=option,
                    next=port + 1,
                )
            case errno.EACCES | errno.EPERM:
                return Message(
                    "port {port} may not be used here; choose one from 1024 on, such as {option} 5000",
                    port=port,
                    option=option,
                )
            case errno.EADDRNOTAVAIL:
                return Message(
                    "{host} is not an address of this machine; 0.0.0.0 stands for all of them", host=host
                )
            case _:
                return Message(
                    "{host}:{port} cannot be listened on: {detail}",
                    host=host,
                    port=port,
                    detail=error.strerror or error,
                )
    return None


def _try_to_listen(host: str, port: int) -> OSError | None:
    try:
        listen(host, port).close()
    except OSError as error:
        return error
    return None


def listen(host: str, port: int, shared: bool = False) -> socket.socket:
    """Open a listening socket on this address, which other processes may share.

    :raises OSError: if that fails.
    """
    family, address = _resolve(host, port)
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    return socket.create_server(address, family=family, backlog=1024, reuse_port=shared, dualstack_ipv6=both)


def hold(host: str, port: int) -> socket.socket:
    """Reserve this address against other servers until a process that shares it listens.

    The socket accepts no connection itself.
    """
    family, address = _resolve(host, port)
    held = socket.socket(family, socket.SOCK_STREAM)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # and not SO_REUSEADDR, as they have as well
    if family == socket.AF_INET6 and socket.has_dualstack_ipv6():
        held.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    with suppress(OSError):  # for a minute after another program used the port: its last connections
        held.bind(address)
    return held


def _resolve(host: str, port: int) -> tuple[socket.AddressFamily, tuple[Any, ...]]:
    family, _kind, _protocol, _name, address = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    return family, address[:2]


def greeting(
    host: str, port: int, prefix: str = "", say: Callable[[Message], str] = str, has_proxy: bool = False
) -> str:
    """The start message: the app's address, and a QR code of it for a phone."""
    address = lan_address() if host in EVERYWHERE else host
    url = f"http://{f'[{address}]' if ':' in address else address}:{port}{prefix}/"
    lines = [say(Message("Companion is at {address}", address=url))]
    if has_proxy:
        lines.append(say(Message("Phones reach it at the address of the proxy.")))
    elif address.startswith("127.") or address in ("::1", "localhost"):
        alone = Message(
            "Only this machine can reach it; with --host 0.0.0.0 phones on the same network can too."
        )
        lines.append(say(alone))
    else:
        code = draw_code(url) or say(Message("(this terminal cannot show it; type the address instead)"))
        lines += [say(Message("A phone on the same network can scan this code:")), "", code]
        plain = Message(
            "At an address with http:// phones keep no pages, cannot have the whole app, let the screen go"
            " dark and do not share. How to have https://, and an address that stays: {document}",
            document="docs/using/at-home.md",
        )
        lines.append(say(plain))
    lines.append(say(Message("Stop it with Ctrl+C.")))
    return "\n".join(lines)


def draw_code(text: str) -> str:
    """Draw a QR code in half blocks, light on dark; empty if the terminal cannot show those."""
    rows = [list(row) for row in segno.make(text, error="l", micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    drawn = [
        "".join(blocks[bool(above), bool(below)] for above, below in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]
    try:
        "█▀▄".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    if sys.stdout.isatty():  # black and white, whatever the colours of the terminal
        drawn = [f"\x1b[40;97m{row}\x1b[0m" for row in drawn]
    return "\n".join(drawn)


def lan_address() -> str:
    """This machine's address as seen by its network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # An address reserved for documentation: a datagram socket only looks up the route.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
