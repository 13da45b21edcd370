"""`companion schema`: the JSON Schemas of records, questions and rulings."""

import argparse
from typing import Any

from companion.matches import schemas

from .language import say as _
from .reading import print_json


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    schema = commands.add_parser("schema", help=_("print a JSON Schema"))
    schema.add_argument("subject", choices=schemas.SUBJECTS, help=_("what it is of"))
    schema.add_argument("--game", metavar="GAME", help=_("of one game only"))
    schema.set_defaults(run=_schema)


def _schema(arguments: argparse.Namespace) -> int:
    print_json(schemas.describe(arguments.subject, arguments.game))
    return 0
