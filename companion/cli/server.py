"""`companion serve`, and `companion shard` for those who spread a database."""

import argparse
from typing import Any

from companion.rules.message import Message
from companion.store.sharding import list_statements

from .language import read_whole, render
from .language import say as _
from .reading import refuse

_PORTS = {"least": 1, "most": 65535}


def add_commands(commands: Any) -> None:
    """Add these commands to a parser."""
    serve = commands.add_parser("serve", help=_("serve the app on this machine"))
    serve.add_argument(
        "--host", default="0.0.0.0", help=_("address to listen on (default: all of this machine’s)")
    )
    serve.add_argument("--port", type=read_whole, default=5000, help=_("port to listen on (default: 5000)"))
    serve.add_argument(
        "--metrics-port",
        type=read_whole,
        help=_("port on which Prometheus can fetch metrics (default: none)"),
    )
    serve.set_defaults(run=_serve)

    shard = commands.add_parser(
        "shard", help=_("print the SQL that spreads a PostgreSQL database over several machines")
    )
    shard.set_defaults(run=_shard)


def _serve(arguments: argparse.Namespace) -> int:
    if not 1 <= arguments.port <= 65535:
        requirement = Message(
            "must be a whole number from {least} to {most}, not {value}", **_PORTS, value=arguments.port
        )
        raise refuse("--port", requirement)
    from companion.operate.server import serve

    return int(serve(arguments.host, arguments.port, arguments.metrics_port, render) or 0)


def _shard(_arguments: argparse.Namespace) -> int:
    for statement in list_statements():
        print(f"{statement};")
    return 0
