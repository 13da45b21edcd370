"""Many matches are imported by a worker: progress is shown, others are served, and all arrive."""

import json
import os
import re
import time
import zipfile
from collections.abc import Callable
from http.cookiejar import CookieJar
from io import BytesIO
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from .conftest import PAGE_TIMEOUT, RunningServer

pytestmark = pytest.mark.nightly
MATCHES = int(os.environ.get("MATCHES", "200"))


def pack() -> bytes:
    """Matches of twelve deals, each of another evening."""
    deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
    record = {"format": "companion-match", "version": 1, "game": "derda", "first_dealer": "A"}
    record |= {"players": ["Ewa", "Jan"], "conventions": {"target": 9999}, "entries": [deal] * 12}
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for n in range(MATCHES):
            archive.writestr(f"{n}.json", json.dumps(record | {"id": f"match-{n}"}))
    return packed.getvalue()


def test_many_matches_are_imported(run_server: Callable[..., RunningServer]) -> None:
    server = run_server(constants={PAGE_TIMEOUT: 0.1})
    opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def ask(path: str, data: bytes | None = None, kind: str = "") -> tuple[int, str, str]:
        headers = {"Content-Type": kind} if kind else {}
        url = path if path.startswith("http") else f"http://127.0.0.1:{server.port}{path}"
        try:
            with opener.open(Request(url, data, headers), timeout=60) as answer:
                return answer.status, answer.url, answer.read().decode()
        except HTTPError as error:
            return error.code, url, error.read().decode()

    def find_token(page: str) -> str:
        found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page)
        assert found
        return found[1]

    def wait_for(url: str) -> tuple[str, set[str]]:
        """The page that comes at the end, and all counts that were shown before."""
        counts, until = set[str](), time.monotonic() + 100 + MATCHES
        while time.monotonic() < until:
            status, _url, page = ask(url)
            if status != 202:
                assert status == 200
                return page, counts
            counts |= set(re.findall(rf"(\d+) of {MATCHES}\b", page))
            assert server.get("/en/")[0] == 200  # to somebody else
            time.sleep(0.1)
        pytest.fail("not done in time")

    token = find_token(ask("/en/import")[2])
    parts = [f'Content-Disposition: form-data; name="csrf_token"\r\n\r\n{token}\r\n'.encode()]
    named = 'Content-Disposition: form-data; name="file"; filename="all.zip"\r\n\r\n'
    parts.append(named.encode() + pack() + b"\r\n")
    body = b"".join(b"--edge\r\n" + part for part in parts) + b"--edge--\r\n"
    _status, url, _page = ask("/en/import", body, "multipart/form-data; boundary=edge")
    page, _counts = wait_for(url)
    ask(url, urlencode({"csrf_token": find_token(page)}).encode())
    page, counts = wait_for(url)
    assert f"New: {MATCHES}" in re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))
    assert counts
