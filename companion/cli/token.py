"""`companion token`: create a token for a program, printed once and stored nowhere."""

import argparse
import secrets
from typing import Any

from companion.matches import Role
from companion.matches.sharing.tokens import DAYS
from companion.rules.message import Message

from .archives import read_id
from .instance import find_instance, open_matches
from .language import say as _
from .reading import refuse

_MAX_DAYS = 3650


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    token = commands.add_parser("token", help=_("print a token for a program"))
    token.add_argument(
        "--owner", required=True, metavar="ID", help=_("new for somebody new, or a match of the owner")
    )
    token.add_argument("--match", metavar="ID", help=_("for one match only"))
    token.add_argument(
        "--role", default="owner", metavar="ROLE", help=_("owner, pencil, spectator or opponent:SIDE")
    )
    token.add_argument(
        "--days", type=int, default=DAYS, metavar="N", help=_("how many days it holds (%(default)s)")
    )
    token.set_defaults(run=_token)


def _token(arguments: argparse.Namespace) -> int:
    role, _colon, side = arguments.role.partition(":")
    if not 1 <= arguments.days <= _MAX_DAYS:
        raise refuse(
            "--days", Message("must be a whole number from {least} to {most}", least=1, most=_MAX_DAYS)
        )
    is_new = arguments.owner == "new"
    wanted = None if arguments.match is None else read_id(arguments.match)
    with open_matches(find_instance(), {"DATABASE_EXISTS": False} if is_new else None) as matches:
        match = matches.open_if_readable(wanted)
        if wanted is not None and match is None:
            raise refuse("--match", Message("no match has this id"))
        owner = secrets.token_urlsafe(16)
        if not is_new:
            own = matches.open_if_readable(read_id(arguments.owner))
            if own is None:
                raise refuse("--owner", Message("no match has this id"))
            owner = own.owner
        if match is not None and match.owner != owner:
            raise refuse("--match", Message("it is another owner’s"))
        try:
            key = secrets.token_urlsafe(12)
            newest = matches.identities.generations([owner])[owner]
            given = {"days": arguments.days, "generation": newest}
            print(matches.tokens.make(owner, Role(role), key, side or None, match, **given))
        except ValueError:
            values = [*(known for known in Role if known is not Role.OPPONENT), "opponent:SIDE"]
            raise refuse("--role", Message("must be one of {values}", values=values)) from None
    return 0
