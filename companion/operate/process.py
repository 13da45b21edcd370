"""One process of the server: a loop holds the connections, and only whole requests take a thread.

Gunicorn starts, watches and replaces the processes; in each of them Waitress reads requests and writes
answers. So whoever sends slowly, or nothing, or does not read the answer costs a socket, and nobody else's
time.
"""

import os
import resource
import sys
import time
from typing import Any

from gunicorn.sock import create_sockets
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

from companion.operate.metrics import Metrics

from .log_lines import write_json_lines

THREADS = 8
REQUEST_SECONDS = 30.0
"""How long a request may take to arrive, unless it comes fast enough."""
IDLE_SECONDS = 30.0
"""How long a connection may say nothing, or leave its answer unread."""
CONNECTIONS = 1000
"""How many may be open at once in a process; fewer where the system allows fewer files."""
_LARGEST_BODY = 24 * 1024 * 1024
"""Bytes; the app takes less, and refuses more with a page of its own."""
_LARGEST_IN_MEMORY = 3 * 1024 * 1024
"""Bytes of an answer that lie in memory until they are read; what is larger lies on the disk."""
_LARGEST_HEAD = 64 * 1024
_SLOWEST = 4096
"""Bytes a second: whoever sends faster may take longer than `REQUEST_SECONDS`."""
_RESERVED_FILES = 96
"""File descriptors for all that is no connection: databases, logs, prints, static files."""
_MIN = 16
"""Connections, however few files the system allows."""


def raise_file_limit(wanted: int) -> int:
    """Let this process open that many files, or as many as it may; how many these are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else soft


class Process(Worker):  # type: ignore[misc]  # the server brings no types
    """One of the server's processes."""

    sockets: list[Any]
    _stopped_at: float | None = None
    _metrics: Metrics | None = None
    _refreshed_at = 0.0

    def init_process(self) -> None:
        """Get ready, then serve."""
        os.close(self.app.lifeline[1])  # only the parent has this end, and ends with it
        # For each event the loop waits until a thread that computes lets go of the interpreter.
        sys.setswitchinterval(0.0005)
        super().init_process()

    def load_wsgi(self) -> None:
        """Make the app; only then listen, for until then the other processes answer sooner."""
        super().load_wsgi()
        if self.wsgi.config["LOG"] == "json":
            write_json_lines()  # what the server has set up for itself before
        if self.cfg.reuse_port:
            self.cfg.set("bind", self.app.address)
            self.sockets = create_sockets(self.cfg, self.log)

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Finish what is under way, as for any other stop; asked a second time, do not."""
        now = time.monotonic()
        self._stopped_at = self._stopped_at or now
        if now > self._stopped_at + 1:  # one Ctrl+C comes twice: from the terminal and from the parent
            os._exit(0)
        self.alive = False

    def run(self) -> None:
        """Serve until told to stop, or until the process that started this one is gone."""
        sockets: dict[int, Any] = {}
        _Wire(self.PIPE[0], self, sockets)  # where signals are written
        _Wire(self.app.lifeline[0], self, sockets)
        settings, threads = _make_settings(), ThreadedTaskDispatcher()
        threads.queue_logger.disabled = True  # that requests wait for a thread is nothing to report
        threads.set_thread_count(THREADS)
        listeners = []
        for socket in self.sockets:
            about = (socket.sock.family, socket.sock.type, socket.sock.proto, socket.sock.getsockname())
            listener = _Listener(
                self.wsgi,
                sockets,
                sockinfo=about,
                _sock=socket.sock,
                bind_socket=False,
                dispatcher=threads,
                adj=settings,
            )
            listeners.append(listener)
        self._count(listeners, threads)
        while self.alive:
            self._look_after_itself()
            wasyncore.loop(timeout=1, use_poll=True, map=sockets, count=1)
        self.wsgi.extensions["health"].is_stopping = True
        self._finish(listeners, sockets)

    def _count(self, listeners: "list[_Listener]", threads: ThreadedTaskDispatcher) -> None:
        """Tell whoever counts what only this process knows."""
        self._metrics = self.wsgi.extensions["metrics"]
        if self._metrics is None:
            return
        dispatcher = self.wsgi.extensions["desk"]
        for name, about, read in (
            (
                "connections",
                "Open connections.",
                lambda: sum(len(listener.active_channels) for listener in listeners),
            ),
            ("requests_waiting", "Requests that wait for a thread.", lambda: len(threads.queue)),
            ("heavy_work", "Claims, counts and sheets under way.", lambda: dispatcher.held),
        ):
            self._metrics.add_gauge(name, about, read)

    def _look_after_itself(self) -> None:
        """Say that it lives; now and then how it does."""
        self.notify()
        now = time.monotonic()
        if self._metrics is not None and now >= self._refreshed_at + 1:
            self._refreshed_at = now
            self._metrics.refresh()

    def _finish(self, listeners: "list[_Listener]", sockets: dict[int, Any]) -> None:
        """Take nothing new, and finish what is under way."""
        for listener in listeners:
            listener.accepting = False
            listener.del_channel()
            listener.socket.close()
        until = time.monotonic() + self.cfg.graceful_timeout
        while any(listener.active_channels for listener in listeners) and time.monotonic() < until:
            for listener in listeners:
                listener.close_idle()
            self._look_after_itself()
            wasyncore.loop(timeout=0.1, use_poll=True, map=sockets, count=1)


def _make_settings() -> Adjustments:
    files = raise_file_limit(CONNECTIONS + _RESERVED_FILES)
    return Adjustments(
        asyncore_use_poll=True,
        cleanup_interval=1,
        connection_limit=max(_MIN, min(CONNECTIONS, files - _RESERVED_FILES)),
        ident=None,
        log_socket_errors=False,
        max_request_body_size=_LARGEST_BODY,
        max_request_header_size=_LARGEST_HEAD,
        outbuf_overflow=_LARGEST_IN_MEMORY,
        clear_untrusted_proxy_headers=False,  # the app knows which proxies were announced
    )


class _Task(WSGITask):  # type: ignore[misc]  # the server brings no types
    """One request that is answered."""

    def set_close_on_finish(self) -> None:
        """Close the connection afterwards; not for want of a length where there is no body to have one."""
        is_asked = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or is_asked or self.version != "1.1":
            super().set_close_on_finish()


class _Channel(HTTPChannel):  # type: ignore[misc]  # the server brings no types
    """A connection that knows since when it has been sending its request."""

    task_class = _Task
    began = 0.0

    def received(self, data: bytes) -> Any:
        if self.request is None:
            self.began = time.time()
        return super().received(data)

    @property
    def is_idle(self) -> bool:
        return not self.requests and not self.total_outbufs_len

    @property
    def deadline(self) -> float:
        """Until when it may stay open as it is; without end while it is being answered."""
        if self.requests:
            return float("inf")
        until: float = self.last_activity + IDLE_SECONDS
        if self.request is not None:
            received = self.request.header_bytes_received + self.request.body_bytes_received
            until = min(until, self.began + REQUEST_SECONDS + received / _SLOWEST)
        return until


class _Listener(TcpWSGIServer):  # type: ignore[misc]  # the server brings no types
    """A listening socket, and the connections that came in by it."""

    channel_class = _Channel

    def readable(self) -> bool:
        if self.accepting and len(self._map) >= self.adj.connection_limit:
            self._make_room()
        return bool(super().readable())

    def maintenance(self, now: float) -> None:
        """Close the connections whose time is over; asked once a second."""
        for channel in self.active_channels.values():
            if channel.deadline < now:
                channel.will_close = True

    def close_idle(self) -> None:
        """Close the connections that have nothing under way."""
        for channel in self.active_channels.values():
            if channel.is_idle:
                channel.will_close = True

    def _make_room(self) -> None:
        """Close some of those that would have to go first: of too many, who only waits must go."""
        channels = self.active_channels.values()
        if not any(channel.will_close for channel in channels):
            waiting = [channel for channel in channels if not channel.requests]
            waiting.sort(key=lambda channel: channel.deadline)
            for channel in waiting[: 1 + len(waiting) // 20]:
                channel.will_close = True


class _Wire(wasyncore.file_dispatcher):  # type: ignore[misc]  # the server brings no types
    """An end of a pipe that wakes the loop; when the other end closes, the process is to stop."""

    def __init__(self, file: int, process: Process, sockets: dict[int, Any]) -> None:
        self._process = process
        super().__init__(file, sockets)

    def writable(self) -> bool:
        return False

    def handle_read(self) -> None:
        self.recv(4096)

    def handle_close(self) -> None:
        self._process.alive = False
        self.del_channel()
