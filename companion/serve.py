"""The server: the app on this machine's address, with a code for the phone in the terminal."""

import errno
import socket
import sys
from typing import Any

import segno
from gunicorn.app.base import BaseApplication

from . import create_app

EVERYWHERE = ("0.0.0.0", "::", "")
WORKERS, THREADS = 2, 8


def serve(host: str, port: int) -> int:
    """Serve until stopped; the exit code, 2 when the address cannot be listened on."""
    fault = address_fault(host, port)
    if fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2
    create_app()  # the database is brought up to date once, before the workers start
    print(greeting(host, port), flush=True)
    try:
        _Server(host, port).run()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def address_fault(host: str, port: int) -> str | None:
    """Why this address cannot be listened on, in a sentence; None when it can."""
    try:
        family, kind, _protocol, _name, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
            trial.listen()
    except OSError as error:
        match error.errno:
            case errno.EADDRINUSE:
                return f"port {port} is in use; try another: --port {port + 1}"
            case errno.EACCES | errno.EPERM:
                return f"port {port} may not be used here; choose one from 1024 on, such as --port 5000"
            case errno.EADDRNOTAVAIL:
                return f"{host} is not an address of this machine; 0.0.0.0 stands for all of them"
            case _:
                return f"{host}:{port} cannot be listened on: {error.strerror or error}"
    return None


def greeting(host: str, port: int) -> str:
    """What the terminal shows: where the app is, and a QR code of that address for a phone."""
    address = lan_address() if host in EVERYWHERE else host
    url = f"http://{f'[{address}]' if ':' in address else address}:{port}/"
    lines = [f"Companion is at {url}"]
    if address.startswith("127.") or address in ("::1", "localhost"):
        lines.append(
            "Only this machine can reach it; with --host 0.0.0.0 phones on the same network can too."
        )
    else:
        lines += ["A phone on the same network can scan this code:", "", draw_code(url)]
    lines.append("Stop it with Ctrl+C.")
    return "\n".join(lines)


def draw_code(text: str) -> str:
    """A QR code in half blocks, light on dark; a sentence where the terminal cannot show those."""
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
        return "(this terminal cannot show it; type the address instead)"
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


class _Server(BaseApplication):  # type: ignore[misc]  # the server brings no types
    """Two processes with threads, so that one slow phone holds up nobody."""

    def __init__(self, host: str, port: int) -> None:
        self._bind = f"{f'[{host}]' if ':' in host else host}:{port}"
        super().__init__()

    def load_config(self) -> None:
        """Our settings; no configuration file is read."""
        settings: dict[str, Any] = {
            "bind": self._bind,
            "workers": WORKERS,
            "threads": THREADS,
            "worker_class": "gthread",
            # Without it one process often takes every connection that is kept alive.
            "reuse_port": sys.platform == "linux",
            "keepalive": 15,
            "timeout": 60,
            "graceful_timeout": 10,
            "loglevel": "warning",
            "proc_name": "companion",
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The app, made anew in each process."""
        return create_app()
