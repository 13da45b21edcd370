"""Renewed identities: an owner is signed out everywhere but on one phone, and former secrets end."""

from collections.abc import Callable, Collection
from hashlib import sha256

from companion.store import Renewal, ServerStore


class RenewedMeanwhile(Exception):
    """Another phone renewed the identity first, and signed this one out."""


class Identities:
    """Counts the generations of owners: a browser's cookie names one, and only the newest is valid.

    Matches, the rights of joined phones, and links stay: they belong to the owner, not to a secret.
    """

    def __init__(self, store: ServerStore, timestamp: Callable[[], str]) -> None:
        self._store, self._timestamp = store, timestamp

    def generations(self, owners: Collection[str]) -> dict[str, int]:
        """The newest generation of each owner; 0 for one who was never renewed."""
        found = self._store.find_renewals(owners) if owners else []
        renewed = {renewal.owner: renewal.generation for renewal in found}
        return {owner: renewed.get(owner, 0) for owner in owners}

    def renew(self, owner: str, generation: int, form_key: str) -> int:
        """End all cookies, recovery words, codes and tokens of an owner; return the new generation.

        The same form renews once: a browser that never got the answer may try again with its former cookie.

        :param generation: the browser's.
        :raises RenewedMeanwhile: if that is no longer the newest.
        """
        key = _digest(form_key)
        renewed = self._store.renew(Renewal(owner, generation + 1, key, self._timestamp()))
        if renewed.key != key or renewed.generation > generation + 1:
            raise RenewedMeanwhile
        return renewed.generation

    def was_renewed_by(self, owner: str, form_key: str) -> bool:
        """True if this form asked for the last renewal."""
        return any(renewal.key == _digest(form_key) for renewal in self._store.find_renewals([owner]))

    def catch_up(self, owner: str, generation: int) -> None:
        """Accept a generation from a signed cookie: the store was restored to an earlier state."""
        self._store.renew(Renewal(owner, generation, f"restored to {generation}", self._timestamp()))


def _digest(form_key: str) -> str:
    return sha256(f"renew:{form_key}".encode()).hexdigest()
