"""The port on which Prometheus fetches metrics: a small process beside those that serve."""

import os
import shutil
import signal
import tempfile
import time
from pathlib import Path
from wsgiref.simple_server import WSGIServer

from companion.operate import metrics


class Exporter:
    """Adds up the metrics of all processes, and serves them at `/metrics` on a separate port."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self.folder = Path(tempfile.mkdtemp(prefix="companion-metrics-"))
        os.environ[metrics.FOLDER] = str(self.folder)  # from now on what is counted is counted there

    def start(self) -> None:
        """Start the process; it ends with this one."""
        parent = os.getpid()
        if os.fork():
            return
        for stop in (signal.SIGINT, signal.SIGTERM):  # sent to all at once; what is finished counts too
            signal.signal(stop, signal.SIG_IGN)
        try:
            server = self._listen()
            while os.getppid() == parent:
                time.sleep(0.2)
            server.shutdown()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
            os._exit(0)

    def _listen(self) -> WSGIServer:
        from prometheus_client import start_http_server

        summary = metrics.make_summary(self.folder)
        server, _thread = start_http_server(self._port, self._host, summary)
        return server
