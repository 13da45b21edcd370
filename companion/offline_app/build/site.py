"""The app as a folder of static files, for any host: the pages that begin it, its worker, its program.

What a phone fetches is packed by gzip and unpacked by its browser, so that no header of a host matters.
"""

import gzip
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask, g, render_template

from companion.i18n import LANGUAGES
from companion.jobs import write_file
from companion.offline_app.application import create_app
from companion.offline_app.bridge import DEMO
from companion.rules.errors import Explained
from companion.rules.message import Message
from companion.store.memory import MemoryStore
from companion.web.offline.app_files import FOLDER, HOST_GAMES, NoOfflineApp, describe_offer, unpack
from companion.web.offline.static_files import read_short
from companion.web.shell.hosts import Host
from companion.web.shell.security.headers import POLICY

_MANIFEST, _WORKER = "pocket/manifest.json", "sw-pocket.js"
_SHOWN_FIRST = ("offline/icons", "readme")
"""The folders of static files that only the first pages show."""
_DEMO = Path(__file__).with_name(DEMO)
"""The matches of a demo: records, one each of three games; the last comes first in the list."""
_PACKED = ".packed"
"""The ending of packed files, known to no host: some would announce a `.gz` as something to be unpacked."""
_PROGRAM = """\
import {{ loadPyodide }} from "./pocket/{build}/pyodide.js";
import createPyodideModule from "./pocket/{build}/pyodide.asm.js";
import {{ begin }} from "./static/{version}/offline/app/alone.js";
begin({kit}, {{ loadPyodide, createPyodideModule }});
"""
"""The worker's script: its name stays, what it imports changes with every build."""


_POLICY = "; ".join(part for part in POLICY.split("; ") if not part.startswith("frame-ancestors"))
"""The policy of the first pages, without what only a header can say."""


class CannotWriteSite(Explained):
    """The folder cannot be written; the sentence is why."""


@dataclass(frozen=True, slots=True)
class Site:
    """A folder that was written: the number of its files, their bytes, and those that a phone fetches."""

    files: int
    bytes: int
    fetched: int


def write_site(folder: Path, at: str, release: str, has_demo: bool = False) -> Site:
    """Write the folder, or bring one up to date; `at` is the path below which it will be, such as /cards/.

    `release` is this version of the app, which the README of the folder names. With `has_demo` a phone has
    three played matches after its first visit. Static files of the version before stay for pages that are
    open meanwhile; other files are left alone.

    :raises CannotWriteSite: if there is an index.html of something else, or no program for phones.
    :raises OSError: if a file cannot be written.
    """
    earlier = _read_version(folder)
    if not earlier and (folder / "index.html").exists():
        problem = Message("{folder}: has a page of something else, which is left as it is", folder=folder)
        raise CannotWriteSite(problem)
    app = create_app(MemoryStore(), "nobody", [], "", host=Host.ALONE)
    app.extensions["offline_folder"] = FOLDER
    try:
        with app.app_context():
            offer = describe_offer()
    except NoOfflineApp as problem:
        raise CannotWriteSite(str(problem)) from None
    build, version = offer["build"], offer["version"]
    if has_demo:
        offer["files"].append({"name": DEMO, "raw": _DEMO.stat().st_size})
    manifest = _write_program(app, folder / "pocket" / build, offer)
    _write_static(app, folder / "static" / version, offer)
    pages = dict(_render_pages(app, at, release, has_demo))
    for name, content in pages.items():
        _write(folder / name, content)
    names = [file["name"] for file in manifest["files"]]
    listed = [f"pocket/{build}/{name}" for name in names if not name.endswith(".js")]  # it imports those
    listed += [f"static/{version}/{file['name']}" for file in manifest["static"]]
    listed += [name for name in pages if name.endswith("index.html")]
    listed.append(f"static/{version}/readme/companion.webp")  # shown without the host, too
    kit = {"build": build, "version": version, "files": listed}
    _write(folder / _MANIFEST, json.dumps(manifest).encode())
    _write(folder / _WORKER, _PROGRAM.format(build=build, version=version, kit=json.dumps(kit)).encode())
    _drop_earlier(folder / "pocket", {build}, f"app.zip{_PACKED}")
    _drop_earlier(folder / "static", {version, earlier}, "offline/app/alone.js")
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    return Site(len(sizes), sum(sizes), manifest["bytes"])


def _read_version(folder: Path) -> str:
    """The version that the folder has; empty if it is not ours."""
    try:
        return str(json.loads((folder / _MANIFEST).read_bytes())["version"])
    except (OSError, ValueError, TypeError, KeyError):
        return ""


def _write_program(app: Flask, place: Path, offer: Mapping[str, Any]) -> dict[str, Any]:
    """Write the files of the program, packed; return the manifest that browsers read.

    Modules are written as they are, under a name that every host sends as a script: the worker is made of
    them.
    """
    files = list[dict[str, Any]]()
    unbuilt = {HOST_GAMES: app.extensions["files"].host_games, DEMO: _DEMO.read_bytes()}
    made = FOLDER / str(offer["build"]).partition("-")[0]
    for name, raw in ((file["name"], file["raw"]) for file in offer["files"]):
        content = unbuilt[name] if name in unbuilt else unpack(made / f"{name}.br")
        if name.endswith(".mjs"):
            name = f"{name.removesuffix('.mjs')}.js"
            _write(place / name, content)
        else:
            content = gzip.compress(content, 6, mtime=0)
            _write(place / f"{name}{_PACKED}", content)
        files.append({"name": name, "bytes": len(content), "raw": raw})
    static = [{**file, "bytes": file["raw"]} for file in offer["static"]]
    fetched = sum(file["bytes"] for file in (*files, *static))
    said = {"version": offer["version"], "build": offer["build"], "bytes": fetched, "packed": True}
    return said | {"files": files, "static": static}


def _write_static(app: Flask, place: Path, offer: Mapping[str, Any]) -> None:
    """Write the files that pages use, and those that only the first pages show."""
    folder = Path(str(app.static_folder))
    shown = (path for name in _SHOWN_FIRST for path in (folder / name).glob("*.*"))
    names = [file["name"] for file in offer["static"]]
    for name in [*names, *(str(path.relative_to(folder)) for path in shown)]:
        _write(place / name, read_short(folder / name))


def _render_pages(app: Flask, at: str, release: str, has_demo: bool) -> Iterator[tuple[str, bytes]]:
    """The pages and other files of the folder by name: for each language, then those that choose one."""
    client = app.test_client()
    for lang in LANGUAGES:
        yield f"{lang}/index.html", _render(app, lang, "offline/first_page.html", root="../")
        described = client.get(f"/{lang}/manifest.webmanifest").data.replace(b'"/', b'"../')
        yield f"{lang}/manifest.webmanifest", described
    yield "index.html", _render(app, "en", "offline/choose_language.html", root="./")
    yield "404.html", _render(app, "en", "offline/choose_language.html", root=at)
    yield "robots.txt", b"User-agent: *\nDisallow: /pocket/\nDisallow: /static/\n"
    yield "README.txt", _README.format(version=release, at=at, demo=_README_DEMO if has_demo else "").encode()


def _render(app: Flask, lang: str, template: str, root: str) -> bytes:
    """A page with relative addresses: `root` leads from it to the folder."""
    files = f"{root}static/{app.extensions['files'].version}/"
    with app.test_request_context(f"/{lang}/"):
        g.lang = lang
        page = render_template(template, root=root, policy=_POLICY, asset=lambda name: files + name)
        return page.encode()


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, content, 0o644)


def _drop_earlier(folder: Path, present: set[str], file: str) -> None:
    """Delete the folders of versions that are not present; each version is known by a file that it has."""
    for other in [*folder.iterdir()]:
        if other.name not in present and (other / file).is_file():
            shutil.rmtree(other)


_README = """\
Companion {version}: the whole app as static files.

Put this folder on any host of files, as it is, so that it is reached by https:// at the path {at}
(for another path write it again with --at). Nothing has to be configured: no server program, no headers, no
rewriting. A host that shows 404.html for unknown addresses opens links to matches, too.

Give it a domain or subdomain of its own. Everything at one address (scheme, name and port) shares what a
browser stores: another project there could read the matches of your players, and delete them.

The matches of a player are in that player's browser alone. This folder holds and learns of none of them.
{demo}
To update write the folder again, over this one, and put all of it there. Phones fetch the new version by
themselves and keep their matches. The static files of the version before stay for pages that are open.

To try it here: python -m http.server, then http://localhost:8000. By file:// it does not run.
"""

_README_DEMO = """
It was written with --demo: a browser that begins here has three played matches to look at, marked as a
demo, and one tap removes them. Write it again without --demo for players who bring their own.
"""
