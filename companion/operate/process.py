"""One process of the server: Waitress's loop holds the connections, and only whole requests take a thread.

So a client that is slow to send or to read its answer costs a socket, and nobody else's time.
"""

import logging
import mmap
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from flask import Flask
from waitress import create_server, wasyncore
from waitress.channel import HTTPChannel
from waitress.task import WSGITask

from companion.store.folder import find_last_backup, measure_free_space

THREADS = 8
REQUEST_SECONDS = 30.0
"""Seconds that a request may take to arrive, unless it comes fast enough."""
IDLE_SECONDS = 30.0
"""Seconds that a connection may be silent, or leave its answer unread."""
CONNECTIONS = 1000
"""Connections that may be open at once; fewer if the system allows fewer files."""
STOP_SECONDS = 29.0
"""Seconds that requests in progress may take once the process is to stop."""
MAX_BODY = 24 * 1024 * 1024
"""Bytes of a request body; the app's own limit is lower, and answered with a page."""
MAX_HEAD = 64 * 1024
_MAX_IN_MEMORY = 3 * 1024 * 1024
"""Bytes of an answer that are held in memory until they are read; the rest is held on disk."""
_MIN_RATE = 4096
"""Bytes a second: faster clients may take longer than `REQUEST_SECONDS`."""
_RESERVED_FILES = 96
"""File descriptors for everything but connections: databases, logs, prints, static files."""
_MIN_CONNECTIONS = 16
"""The connections that are allowed however few files the system allows."""


class _Task(WSGITask):  # type: ignore[misc]  # Waitress brings no types
    """A request being answered; an answer without a body (304) leaves the connection open."""

    def set_close_on_finish(self) -> None:
        is_asked = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or is_asked or self.version != "1.1":
            super().set_close_on_finish()


class _Channel(HTTPChannel):  # type: ignore[misc]  # Waitress brings no types
    task_class = _Task


class Process:
    """Serves until a signal stops it, or until `beat`, called at least once a second, returns True."""

    def __init__(self, beat: Callable[[], bool]) -> None:
        self._beat = beat
        self._stopped_at: float | None = None
        self._sockets: dict[int, Any] = {}
        self._server: Any = None
        self._arrivals: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
        """The arrival times of requests that are still incomplete."""
        self._swept_at = 0.0
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        # For each event the loop waits until a computing thread releases the interpreter.
        sys.setswitchinterval(0.0005)

    def run(self, app: Flask, listener: socket.socket) -> None:
        """Serve requests from this socket; once stopped, finish requests in progress."""
        logging.getLogger("waitress.queue").disabled = True  # waiting requests need no log line
        self._limit = max(_MIN_CONNECTIONS, raise_file_limit(CONNECTIONS + _RESERVED_FILES) - _RESERVED_FILES)
        self._server = create_server(
            app,
            map=self._sockets,
            sockets=[listener],
            threads=THREADS,
            asyncore_use_poll=True,
            connection_limit=self._limit,
            channel_timeout=int(IDLE_SECONDS) + 1,  # connections are closed here, sooner
            ident=None,
            log_socket_errors=False,
            max_request_body_size=MAX_BODY,
            max_request_header_size=MAX_HEAD,
            outbuf_overflow=_MAX_IN_MEMORY,
            clear_untrusted_proxy_headers=False,  # the app knows which proxies are configured
        )
        self._server.channel_class = _Channel
        metrics = app.extensions["metrics"]
        if metrics is not None:
            self._add_gauges(app)
        while self._stopped_at is None and self._beat():
            self._step(1.0, metrics)
        app.extensions["health"].is_stopping = True
        self._server.del_channel()
        self._server.socket.close()
        until = time.monotonic() + STOP_SECONDS
        while self._server.active_channels and time.monotonic() < until and self._beat():
            for channel in list(self._server.active_channels.values()):
                if not channel.requests and not channel.total_outbufs_len:
                    channel.handle_close()
            self._step(0.1, metrics)

    def _stop(self, _number: int, _frame: Any) -> None:
        """Finish requests in progress; on a second signal, exit at once."""
        now = time.monotonic()
        self._stopped_at = self._stopped_at or now
        if now > self._stopped_at + 1:  # one Ctrl+C comes twice: from the terminal and from the parent
            os._exit(0)
        if self._server is not None:
            self._server.pull_trigger()

    def _step(self, seconds: float, metrics: Any) -> None:
        """Handle the next events; once a second, tidy up."""
        now = time.time()
        is_full = len(self._sockets) >= self._limit
        if is_full or not 0 <= now - self._swept_at < 1:
            self._swept_at = now
            self._close_overdue(now, is_full)
            if metrics is not None:
                metrics.refresh()
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._sockets, count=1)

    def _close_overdue(self, now: float, is_full: bool) -> None:
        """Close connections past their deadline; if there are too many, also those closest to it."""
        channels = self._server.active_channels.values()
        deadlines = {
            channel: self._find_deadline(channel, now) for channel in channels if not channel.requests
        }
        waiting = sorted(deadlines, key=deadlines.__getitem__)
        surplus = 1 + len(waiting) // 20 if is_full else 0
        for index, channel in enumerate(waiting):
            if index < surplus or deadlines[channel] < now:
                channel.handle_close()

    def _find_deadline(self, channel: Any, now: float) -> float:
        deadline: float = channel.last_activity + IDLE_SECONDS
        if channel.request is not None:
            began = self._arrivals.setdefault(channel.request, now)
            received = channel.request.header_bytes_received + channel.request.body_bytes_received
            deadline = min(deadline, began + REQUEST_SECONDS + received / _MIN_RATE)
        return deadline

    def _add_gauges(self, app: Flask) -> None:
        """Register the gauges that only this process knows."""
        server, dispatcher, folder = self._server, app.extensions["dispatcher"], Path(app.instance_path)
        add = app.extensions["metrics"].add_gauge
        add("connections", "Open connections.", lambda: len(server.active_channels))
        add("requests_waiting", "Requests that wait for a thread.", lambda: len(server.task_dispatcher.queue))
        add("heavy_work", "Claims, counts and sheets under way.", lambda: dispatcher.held)
        about = "Free space on the disk of the instance folder."
        add("disk_free_bytes", about, lambda: measure_free_space(folder), "min")
        about = "When the last backup was made; 0 where none was."
        add("last_backup_timestamp_seconds", about, lambda: find_last_backup(folder), "max")


def raise_file_limit(wanted: int) -> int:
    """Raise this process's limit of open files to that many, if allowed; return the resulting limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)


GROUP_STOP_SECONDS = 30.0
"""Seconds that the processes may take to finish when they are to stop."""
HANG_SECONDS = 60.0
"""A process without a heartbeat for this many seconds is killed."""
_INTERVAL = 0.2
_LOG = logging.getLogger("companion.operate")


class Supervisor:
    """Keeps forked processes running that do the same work."""

    def __init__(self, number: int, work: Callable[[Process], None], forget: Callable[[int], None]) -> None:
        self._work, self._forget = work, forget
        self._processes: list[int | None] = [None] * number
        self._beats = memoryview(mmap.mmap(-1, 8 * number)).cast("d")  # shared with all of them
        self._signals = 0

    def run(self) -> None:
        """Serve until a signal to stop; in each of the processes this ends with `SystemExit`."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note_signal)
        while not self._signals:
            for index, pid in enumerate(self._processes):
                if pid is not None and self._beats[index] < time.monotonic() - HANG_SECONDS:
                    os.kill(pid, signal.SIGKILL)
                if pid is None or self._has_ended(pid):
                    self._processes[index] = self._start(index)
            time.sleep(_INTERVAL)
        self._stop()

    def _note_signal(self, _number: int, _frame: Any) -> None:
        self._signals += 1

    def _start(self, index: int) -> int:
        parent = os.getpid()
        self._beats[index] = time.monotonic()
        pid = os.fork()
        if pid:
            return pid

        def beat() -> bool:
            self._beats[index] = time.monotonic()
            return os.getppid() == parent  # the processes of a killed server end by themselves

        process = Process(beat)
        if not self._signals:  # which the parent has not passed on to this one
            self._work(process)
        sys.exit(0)

    def _has_ended(self, pid: int) -> bool:
        found, status = os.waitpid(pid, os.WNOHANG)
        if not found:
            return False
        self._forget(pid)
        if not self._signals:
            code = os.waitstatus_to_exitcode(status)
            how = signal.Signals(-code).name if code < 0 else f"code {code}"
            _LOG.warning("process %d has ended by %s; another one takes its place", pid, how)
        return True

    def _stop(self) -> None:
        """Wait for all processes to finish; signals that arrive meanwhile are passed on."""
        until, passed_on = time.monotonic() + GROUP_STOP_SECONDS, 0
        left = [pid for pid in self._processes if pid is not None]
        while left:
            if time.monotonic() > until:
                for pid in left:
                    os.kill(pid, signal.SIGKILL)
            elif passed_on < self._signals:
                passed_on = self._signals
                for pid in left:
                    os.kill(pid, signal.SIGTERM)
            left = [pid for pid in left if not self._has_ended(pid)]
            time.sleep(_INTERVAL / 4)
