"""The files of the pocket by the server as one starts it: whole, in parts, and not again."""

import http.client
import json
from collections.abc import Callable

import pytest
from pockets import ready_offline_app

from companion.web.offline.app_files import unpack

from .conftest import LONG, RunningServer

pytestmark = pytest.mark.nightly


def test_a_phone_fetches_them(run_server: Callable[..., RunningServer]) -> None:
    """One after the other by one connection, as the page does it; below a path."""
    folder = ready_offline_app()
    server = run_server(PREFIX="/cards")
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONG)

    def ask(path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, f"/cards/pocket/{path}", headers=named)
        answer = connection.getresponse()
        return answer, answer.read()

    manifest = json.loads(ask("manifest.json")[1])
    build = manifest["build"]
    assert build == folder.name
    for file in manifest["files"]:
        answer, content = ask(f"{build}/{file['name']}", Accept_Encoding="gzip, br")
        assert answer.status == 200 and answer.headers["Content-Encoding"] == "br"
        assert int(answer.headers["Content-Length"]) == len(content) == file["bytes"]
        assert content == (folder / f"{file['name']}.br").read_bytes()
    name = f"{build}/pyodide.asm.wasm"
    head, nothing = ask(name, "HEAD", Accept_Encoding="br")
    assert (head.status, nothing) == (200, b"")
    assert head.headers["Content-Type"] == "application/wasm"
    assert ask(name, Accept_Encoding="br", If_None_Match=head.headers["ETag"])[0].status == 304
    part, content = ask(name, Range="bytes=100-199")
    assert part.status == 206
    assert content == unpack(folder / "pyodide.asm.wasm.br")[100:200]
    connection.close()
