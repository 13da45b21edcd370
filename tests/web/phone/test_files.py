"""Files for browsers: each version under addresses of its own, kept for good, packed where that helps."""

import gzip
import re
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient


def test_a_file_is_kept_for_good_under_the_version_of_the_app(client: FlaskClient) -> None:
    """A page names its files by the version of the app; a browser asks for each of them once."""
    page = client.get("/en/").text
    versions = set(re.findall(r"/static/(\w+)/", page))
    assert len(versions) == 1
    assert set(re.findall(r'data-version="(\w+)"', page)) == versions
    [version] = versions
    with client.get(f"/static/{version}/support/base.css") as answer:
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.mimetype == "text/css"


def test_a_file_of_another_version_is_not_kept(client: FlaskClient) -> None:
    """Whoever still has a page of the version before gets a file, and does not take it for the old one."""
    with client.get("/static/0000000000/support/base.css") as answer:
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_script_is_sent_packed(client: FlaskClient) -> None:
    """What can be packed is sent so to browsers that unpack, and as it is to others."""
    [address] = re.findall(r'src="(/static/[^"]+/phone/main.js)"', client.get("/en/").text)
    packed = client.get(address, headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.mimetype == "text/javascript"
    for accepted in ("", "gzip;q=0"):
        with client.get(address, headers={"Accept-Encoding": accepted}) as plain:
            assert "Content-Encoding" not in plain.headers
            assert "Accept-Encoding" in plain.headers["Vary"] and "Accept-Encoding" in packed.headers["Vary"]
            assert gzip.decompress(packed.data) == plain.data


def test_comments_stay_at_home(app: Flask, client: FlaskClient) -> None:
    """Whole lines of comment are left out of every script, and nothing else is."""
    folder = Path(str(app.static_folder))
    for file in sorted(folder.rglob("*.js")):
        lines = file.read_text(encoding="utf-8").splitlines()
        with client.get(f"/static/x/{file.relative_to(folder).as_posix()}") as sent:
            assert sent.get_data(as_text=True).splitlines() == [
                one for one in lines if not one.strip().startswith("//")
            ], file
        texts = re.sub(r"(?m)^\s*//.*$", "", file.read_text(encoding="utf-8"))
        assert all(line.count("`") % 2 == 0 for line in texts.splitlines()), (
            f"{file}: a text of several lines"
        )


def test_nothing_outside_is_served(client: FlaskClient) -> None:
    """No address leads out of the folder of static files."""
    for path in ("../pyproject.toml", "%2e%2e/pyproject.toml", "nothing.css"):
        assert client.get(f"/static/x/{path}").status_code == 404
