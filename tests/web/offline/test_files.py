"""Files for browsers: each version under addresses of its own, kept for good, packed where that helps."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from companion.web.offline.static_files import compute_version


def test_a_file_is_kept_for_good_under_the_version_of_the_app(client: FlaskClient) -> None:
    """A page names its files by the version of the app; a browser asks for each of them once."""
    page = client.get("/en/").text
    versions = set(re.findall(r"/static/(\w+)/", page))
    assert len(versions) == 1
    assert set(re.findall(r'data-version="(\w+)"', page)) == versions
    [version] = versions
    with client.get(f"/static/{version}/shell/base.css") as answer:
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.mimetype == "text/css"


def test_a_file_of_another_version_is_not_kept(client: FlaskClient) -> None:
    """Whoever still has a page of the version before gets a file, and does not take it for the old one."""
    with client.get("/static/0000000000/shell/base.css") as answer:
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_script_is_sent_packed(client: FlaskClient) -> None:
    """What can be packed is sent so to browsers that unpack, and as it is to others."""
    [address] = re.findall(r'src="(/static/[^"]+/offline/main.js)"', client.get("/en/").text)
    packed = client.get(address, headers={"Accept-Encoding": "gzip, br"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.mimetype == "text/javascript"
    for accepted in ("", "gzip;q=0"):
        with client.get(address, headers={"Accept-Encoding": accepted}) as plain:
            assert "Content-Encoding" not in plain.headers
            assert "Accept-Encoding" in plain.headers["Vary"] and "Accept-Encoding" in packed.headers["Vary"]
            assert gzip.decompress(packed.data) == plain.data


_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)"""
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`"""
    r"""|(?<=[(,=:?&|!\[])[ ]?/(?![/*])(?:\[(?:[^\]\\\n]|\\.)*\]|\\.|[^/\\\n])+/[a-z]*"""
    r"""|(?P<space>\s+)|\w+|.""",
    re.DOTALL,
)
"""A comment, a text, a regular expression after what one may follow, space, a word or a sign."""


def read_tokens(script: str) -> list[str]:
    """What a script says, without its comments and spaces."""
    tokens = _TOKEN.finditer(script)
    return [token[0].strip() for token in tokens if token["comment"] is None and token["space"] is None]


def list_sent(app: Flask, client: FlaskClient, kind: str) -> Iterator[tuple[Path, str, str]]:
    """All static files of a kind, each as it is written and as it is sent."""
    folder = Path(str(app.static_folder))
    for file in sorted(folder.rglob(kind)):
        with client.get(f"/static/x/{file.relative_to(folder).as_posix()}") as answer:
            yield file, file.read_text(encoding="utf-8"), answer.get_data(as_text=True)


def test_comments_stay_at_home(app: Flask, client: FlaskClient) -> None:
    """Types, indentation and whole lines of comment are left out of every script, and nothing else is."""
    for file, text, sent in list_sent(app, client, "*.js"):
        assert read_tokens(sent) == read_tokens(text), file
        assert not re.search(r"^[ \t]|^//|/\*\*", sent, re.MULTILINE), file
        lines = re.sub(r"(?m)^\s*//.*$|/\*\*.*?\*/", "", text, flags=re.DOTALL).splitlines()
        assert all(line.count("`") % 2 == 0 for line in lines), f"{file}: a text of several lines"


def read_style(text: str) -> list[str]:
    """What a style says, without its comments; space where it parts two words."""
    parts = r'"[^"]*"|(?<=[^\s{};,:])\s+(?=[^\s{};,])|[^\s{};,:"]+|[{};,:]'
    said = re.findall(parts, re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
    return [part if part.strip() else " " for part in said]


def test_so_do_those_of_styles(app: Flask, client: FlaskClient) -> None:
    """And the space around signs; a text between quotes stays as it is."""
    for file, text, sent in list_sent(app, client, "*.css"):
        assert read_style(sent) == read_style(text), file
        assert len(sent) < len(text) and "/*" not in sent, file


def test_nothing_outside_is_served(client: FlaskClient) -> None:
    """No address leads out of the folder of static files."""
    for path in ("../pyproject.toml", "%2e%2e/pyproject.toml", "nothing.css"):
        assert client.get(f"/static/x/{path}").status_code == 404


def app_of(package: Path, beside: Path) -> Flask:
    """An app of these folders: its pages and files for browsers lie in the package, or beside it."""
    templates, static = str(beside / "templates"), str(beside / "static")
    return Flask("companion", root_path=str(package), template_folder=templates, static_folder=static)


def lay(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)


def test_the_version_is_that_of_the_sources(tmp_path: Path) -> None:
    """The same in a checkout and as a package that holds all; what is made of the sources is none."""
    checkout, installed = tmp_path / "checkout", tmp_path / "installed"
    lay(checkout, "companion/web/app.py", "companion/a.py", "templates/a.html", "static/b/a.css")
    lay(installed / "companion", "web/app.py", "a.py")
    for name in ("web/app.py", "a.py"):
        (installed / "companion" / name).write_text(f"companion/{name}")
    for name in ("templates/a.html", "static/b/a.css"):
        lay(installed / "companion", name)
    version = compute_version(app_of(checkout / "companion", checkout))
    assert compute_version(app_of(installed / "companion", installed / "companion")) == version
    for made in ("offline_app/files/0123/app.zip", "web/__pycache__/app.pyc", "translations/pl/messages.po"):
        lay(checkout / "companion", made)
        assert compute_version(app_of(checkout / "companion", checkout)) == version, made
    (checkout / "companion/a.py").rename(checkout / "companion/web/a.py")
    assert compute_version(app_of(checkout / "companion", checkout)) != version
