"""The server on which pages of all languages are looked at."""

from collections.abc import Iterator
from threading import Thread

import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from companion.web.shell.language import PREFIX
from tests.browser.languages.serving import FAULTS, Served
from tests.roles.world import World


class Quiet(WSGIRequestHandler):
    """Says nothing of what it is asked."""

    def log(self, type: str, message: str, *args: object) -> None:
        """Not even that."""


@pytest.fixture(scope="package")
def served() -> Iterator[Served]:
    """A server that shows a world, and at /en/fault/ what it says when something is wrong."""
    world = World()
    world.begin()

    @world.app.get(f"{PREFIX}/fault/<name>")
    def fail(name: str) -> str:
        raise FAULTS[name]

    server = make_server("127.0.0.1", 0, world.app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Served(f"http://127.0.0.1:{server.server_port}", world)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
