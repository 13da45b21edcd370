"""`companion renew`: sign an owner out everywhere, after a token or a phone came into wrong hands."""

import argparse
import secrets
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from companion.matches import Matches, RenewedMeanwhile
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
    """Print a line for each owner: the id of a match of theirs, a tab, and the words."""
    with open_matches(find_instance()) as matches:
        for owner, id in _find_owners(matches, arguments.owner):
            words = matches.moves.make_words(owner, _renew_owner(matches, owner))
            print(id, " ".join(words), sep="\t", flush=True)
    return 0


def _renew_owner(matches: Matches, owner: str) -> int:
    """Renew an owner's identity; if a phone of the owner was quicker, once more after that."""
    while True:
        with suppress(RenewedMeanwhile):
            newest = matches.identities.generations([owner])[owner]
            return matches.identities.renew(owner, newest, secrets.token_urlsafe(12))


def _find_owners(matches: Matches, id: str | None) -> Iterator[tuple[str, str]]:
    """List the owners to be renewed, each with the id of a match of their own, "-" without one."""
    if id is None:
        for owner in matches.server_store.list_token_owners():
            yield owner, next(reversed(matches.store.list_ids(owner)), "-")
        return
    match = matches.open_if_readable(read_id(id))
    if match is None:
        raise refuse("--owner", Message("no match has this id"))
    yield match.owner, match.id
