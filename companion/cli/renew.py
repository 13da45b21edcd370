"""`companion renew`: sign an owner out everywhere, where a token or a phone came into wrong hands."""

import argparse
import secrets
from collections.abc import Sequence
from typing import Any

from companion.matches import Matches
from companion.rules.message import Message

from .archives import read_id
from .instance import find_instance, open_matches
from .language import say as _
from .reading import refuse


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    renew = commands.add_parser(
        "renew", help=_("sign an owner out everywhere; print the recovery words that lead back in")
    )
    whose = renew.add_mutually_exclusive_group(required=True)
    whose.add_argument("--owner", metavar="ID", help=_("the owner of this match"))
    whose.add_argument("--with-tokens", action="store_true", help=_("everybody who ever had a token"))
    renew.set_defaults(run=_renew)


def _renew(arguments: argparse.Namespace) -> int:
    """Print a line for each owner: the id of the newest match, a tab, and the words."""
    with open_matches(find_instance()) as matches:
        for owner in _find_owners(matches, arguments.owner):
            generation = matches.identities.generations([owner])[owner]
            matches.identities.renew(owner, generation, secrets.token_urlsafe(12))
            newest = matches.list_matches(owner, limit=1)
            print(newest[0].id if newest else "-", " ".join(matches.moves.make_words(owner)), sep="\t")
    return 0


def _find_owners(matches: Matches, id: str | None) -> Sequence[str]:
    if id is None:
        return matches.server_store.list_token_owners()
    match = matches.open_if_readable(read_id(id))
    if match is None:
        raise refuse("--owner", Message("no match has this id"))
    return [match.owner]
