"""The server: the app on this machine's address, with a code for the phone in the terminal."""

import errno
import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import segno
from gunicorn.app.base import BaseApplication

from companion import create_app
from companion.operate.metrics import forget_process
from companion.operate.settings import read_settings
from companion.rules.message import Message
from companion.store import CannotStart
from companion.store.engine import close_connections

from .log_lines import write_json_lines
from .metrics_exporter import Exporter
from .process import Process

EVERYWHERE = ("0.0.0.0", "::", "")
SHARED = sys.platform == "linux"
"""Whether each process listens on the port by itself, and the system shares connections out among them."""
_MOMENT = 3.0
"""Seconds."""


def serve(host: str, port: int, metrics_port: int | None = None, say: Callable[[Message], str] = str) -> int:
    """Serve until stopped; the exit code. What the terminal shows, `say` puts into a language.

    :raises CannotStart: when an address cannot be listened on, or the app lacks something.
    """
    settings = read_settings(os.environ, {"METRICS_PORT": metrics_port})
    fault = address_fault(host, port, patience=_MOMENT)
    if fault:
        raise CannotStart(fault)
    exporter = _make_exporter(settings)
    # The database is brought up to date once, before the processes start.
    app = create_app({"METRICS_PORT": metrics_port})
    with app.app_context():
        app.extensions["matches"].bin.erase_old()
        close_connections()  # the processes are forked after this: none of them may be shared
    server = _Server(host, port, settings)
    if exporter is not None:
        exporter.start(server.lifeline)
    if settings["LOG"] == "json":
        write_json_lines()
        logging.getLogger("companion").info("serving on port %d", port)
    else:
        print(greeting(host, port, settings["PREFIX"], say), flush=True)
    try:
        server.run()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def _make_exporter(settings: Mapping[str, Any]) -> Exporter | None:
    """Who tells the figures, if somebody wants them."""
    host, port = "127.0.0.1", settings["METRICS_PORT"]
    if port is None:
        return None
    fault = address_fault(host, port, patience=_MOMENT, option="--metrics-port")
    if fault:
        raise CannotStart(fault)
    return Exporter(host, port)


def address_fault(host: str, port: int, patience: float = 0, option: str = "--port") -> Message | None:
    """Why this address cannot be listened on, in a sentence; None when it can.

    Where it is in use it is tried again for `patience` seconds: the processes of a server that was killed end
    by themselves, a moment later.
    """
    until = time.monotonic() + patience
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
                    "{host}:{port} cannot be listened on: {told}",
                    host=host,
                    port=port,
                    told=error.strerror or error,
                )
    return None


def _try_to_listen(host: str, port: int) -> OSError | None:
    try:
        family, kind, _protocol, _name, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
            trial.listen()
    except OSError as error:
        return error
    return None


def greeting(host: str, port: int, prefix: str = "", say: Callable[[Message], str] = str) -> str:
    """What the terminal shows: where the app is, and a QR code of that address for a phone."""
    address = lan_address() if host in EVERYWHERE else host
    url = f"http://{f'[{address}]' if ':' in address else address}:{port}{prefix}/"
    lines = [say(Message("Companion is at {address}", address=url))]
    if address.startswith("127.") or address in ("::1", "localhost"):
        alone = Message(
            "Only this machine can reach it; with --host 0.0.0.0 phones on the same network can too."
        )
        lines.append(say(alone))
    else:
        code = draw_code(url) or say(Message("(this terminal cannot show it; type the address instead)"))
        lines += [say(Message("A phone on the same network can scan this code:")), "", code]
    lines.append(say(Message("Stop it with Ctrl+C.")))
    return "\n".join(lines)


def draw_code(text: str) -> str:
    """A QR code in half blocks, light on dark; nothing where the terminal cannot show those."""
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
    """This machine's address as its network sees it; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # An address reserved for documentation: a datagram socket only looks up the route.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _write_json_lines(_server: Any) -> None:
    write_json_lines()


def _forget_process(_server: Any, process: Any) -> None:
    forget_process(process.pid)


class _Server(BaseApplication):  # type: ignore[misc]  # the server brings no types
    """Two processes with threads, so that one slow phone holds up nobody."""

    def __init__(self, host: str, port: int, settings: Mapping[str, Any]) -> None:
        self._settings = settings
        self.lifeline = os.pipe()
        """Its second end is this process's alone: it closes when this ends, however that came about."""
        self.address = f"{f'[{host}]' if ':' in host else host}:{port}"
        super().__init__()

    def load_config(self) -> None:
        """Our settings; no configuration file is read."""
        settings: dict[str, Any] = {
            # A process that shares the port listens by itself, when it is ready.
            "bind": [] if SHARED else self.address,
            "workers": self._settings["PROCESSES"],
            "worker_class": Process,
            # Without it one process often takes every connection that is kept alive.
            "reuse_port": SHARED,
            "backlog": 1024,
            "timeout": 60,
            "graceful_timeout": 30,
            "control_socket_disable": True,
            "loglevel": "warning",
            "proc_name": "companion",
        }
        if self._settings["METRICS_PORT"]:
            settings["child_exit"] = _forget_process
        if self._settings["LOG"] == "json":
            settings["on_starting"] = _write_json_lines  # when its own log has been set up
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The app, made anew in each process."""
        try:
            return create_app({"DATABASE_EXISTS": True, "METRICS_PORT": self._settings["METRICS_PORT"]})
        except CannotStart as error:  # it could a moment ago
            print(f"error: {error}", file=sys.stderr, flush=True)
            time.sleep(_MOMENT)
            sys.exit(1)  # and another process is started
