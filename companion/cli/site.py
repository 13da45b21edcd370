"""`companion site`: the app as a folder of static files."""

import argparse
from pathlib import Path
from typing import Any

from companion import write_site
from companion.operate.settings import read_prefix
from companion.rules.errors import explain_system
from companion.rules.message import CountMessage, Message

from .language import render
from .language import say as _
from .reading import refuse


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    site = commands.add_parser("site", help=_("write the whole app as static files, for any host of files"))
    site.add_argument("folder", metavar="FOLDER", help=_("folder to write, or to bring up to date"))
    site.add_argument(
        "--at",
        default="/",
        metavar="PATH",
        help=_("path at which the folder will be, such as /cards/ (default: /)"),
    )
    site.add_argument(
        "--demo",
        action="store_true",
        help=_("with three played matches for whoever looks only; a tap removes them"),
    )
    site.set_defaults(run=_write)


def _write(arguments: argparse.Namespace) -> int:
    folder = Path(arguments.folder)
    try:
        at = f"{read_prefix(arguments.at)}/"
    except ValueError as fault:
        raise refuse("--at", fault.args[0]) from None
    try:
        written = write_site(folder, at, arguments.demo)
    except OSError as fault:
        raise refuse(folder, explain_system(fault)) from None
    facts = {"size": f"{written.bytes / 1_000_000:.1f}", "fetched": f"{written.fetched / 1_000_000:.1f}"}
    line = CountMessage("{count} file", "{count} files", written.files)
    print(
        render(
            Message(
                "{folder}: {files}, {size} MB; a phone fetches {fetched} MB",
                folder=folder,
                files=line,
                **facts,
            )
        )
    )
    return 0
