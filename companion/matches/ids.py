"""Ids of what forms make: unguessable, and the same for the same form, on a server and in a phone.

They are made in two steps. A secret that only the server knows makes a seed for each owner; of the seed and
the form's key the id is made. The owner's phone may know the seed, so that a form which it writes by itself
makes what the server would have made of it, or has.

>>> ids = IdMaker(["secret"])
>>> ids.make("me", "form")[0] == IdMaker([], ids.seed("me")).make("whoever", "form")[0]
True
>>> ids.make("me", "form")[0] == ids.make("you", "form")[0]
False
"""

import base64
import hmac
from collections.abc import Sequence


class IdMaker:
    """Makes the ids of what owners' forms make.

    `secrets` are that of now and those of before, or there is the `seed` of the one owner, as hex digits.
    """

    def __init__(self, secrets: Sequence[str], seed: str = "") -> None:
        self._secrets, self._seed = secrets, seed

    def seed(self, owner: str) -> str:
        """What makes the ids of this owner's forms, and nobody else's; as hex digits."""
        return self._seed or _digest(self._secrets[0].encode(), f"seed of {owner}").hex()

    def take_seed(self, seed: str) -> None:
        """Make ids of another seed from now on."""
        self._seed = seed

    def make(self, owner: str, form_key: str) -> list[str]:
        """The id of what one form makes; after it those that were made of it in former ways.

        Such are those of former secrets, and of all of them without a seed.
        """
        if self._seed:
            return [_encode(_digest(bytes.fromhex(self._seed), form_key))]
        keys = [secret.encode() for secret in self._secrets]
        seeds = [_digest(key, f"seed of {owner}") for key in keys]
        made = [_digest(seed, form_key) for seed in seeds]
        return [*map(_encode, made), *(_encode(_digest(key, f"{owner}:{form_key}")) for key in keys)]


def _digest(key: bytes, content: str) -> bytes:
    return hmac.digest(key, content.encode(), "sha256")


def _encode(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")
