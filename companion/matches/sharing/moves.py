"""Moving an identity to another phone, by a code that is shown to it or by recovery words."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from secrets import choice, token_urlsafe

from companion.store import Move, ServerStore

MINUTES = 10
"""Minutes for which a code is valid."""
WORDS = 7
"""The number of recovery words; out of 2048 that makes 77 bits."""
TELLING = 4
"""The letters by which each of these words differs from all others."""

_AGAIN = timedelta(days=1)
"""The time in which a phone that used a code and never got the answer may ask again."""
_CODE = re.compile(r"(?:.*/)?([\w-]{22})", re.DOTALL)


class NoSuchMove(LookupError):
    """No usable code or words match. Whether they were unknown or used is not disclosed."""


class UnreadableWords(ValueError):
    """The typed text cannot be recovery words: `strange` ones are in no list, or the number is wrong.

    `count` is their number.
    """

    def __init__(self, strange: Sequence[str], count: int) -> None:
        super().__init__(f"{count} words, strange: {list(strange)}")
        self.strange, self.count = tuple(strange), count


@dataclass(frozen=True, slots=True)
class Code:
    """A code for one other phone, valid until `ends_at` (ISO 8601 in UTC); `secret` is shown once."""

    secret: str
    ends_at: str


class Moves:
    """Codes and recovery words, each for one phone. Only their digests are stored; `now` is the clock."""

    def __init__(self, store: ServerStore, now: Callable[[], datetime]) -> None:
        self._store, self._now = store, now

    def make_code(self, owner: str, generation: int = 0) -> Code:
        """A new code of this owner; earlier ones stay valid until they end.

        :param generation: the browser's; see `Identities`.
        """
        secret = token_urlsafe(16)
        code = Code(secret, self._timestamp(timedelta(minutes=MINUTES)))
        self._store.add_move(
            Move(_digest(secret), owner, "code", self._timestamp(), code.ends_at, generation)
        )
        return code

    def make_words(self, owner: str, generation: int = 0) -> list[str]:
        """New recovery words of this owner; they replace earlier ones. `generation` as for a code."""
        words = [choice(_known_words()) for _index in range(WORDS)]
        digest, at = _digest(*words), self._timestamp()
        self._store.add_move(Move(digest, owner, "words", at, generation=generation))
        return words

    def words_since(self, owner: str) -> str | None:
        """The time at which the unused recovery words of this owner were made; None without any."""
        words = self._store.find_words(owner)
        return None if words is None else words.made_at

    def has_anything(self, who: str | None) -> bool:
        """True if a browser has anything to lose: a match, a ruling, a match that it joined."""
        return who is not None and self._store.owns_anything(who)

    def is_left(self, secret: str) -> bool:
        """True if a code can still be used."""
        return self._store.find_move(_digest(secret), self._timestamp()) is not None

    def look_up(self, typed: str, phone: str) -> str:
        """The owner of a code or words, without using them up. Raises like `use`."""
        return self._find(typed, phone, self._store.find_move)

    def use(self, typed: str, phone: str) -> str:
        """Use up a code or words; return the owner that this phone becomes.

        `phone` is a secret of this phone, by which it may try once more if the answer was lost.

        :raises UnreadableWords: if they cannot be anybody's words.
        :raises NoSuchMove: if they are unknown, used or too old.
        """

        def use_up(digest: str, at: str) -> str | None:
            again = Move(_digest(digest, phone), "", "again", at, self._timestamp(_AGAIN))
            return self._store.use_move(digest, at, again)

        return self._find(typed, phone, use_up)

    def _find(self, typed: str, phone: str, find: Callable[[str, str], str | None]) -> str:
        digest, at = _digest(*read_secret(typed)), self._timestamp()
        owner = find(digest, at) or self._store.find_move(_digest(digest, phone), at)
        if owner is None:
            raise NoSuchMove
        return owner

    def _timestamp(self, later: timedelta = timedelta()) -> str:
        return (self._now() + later).isoformat(timespec="milliseconds")


def is_words(typed: str) -> bool:
    """True if words were typed, rather than a code or its address."""
    return _CODE.fullmatch(typed.strip()) is None


def read_secret(typed: str) -> list[str]:
    """Normalise typed text: a code, also from its address; or words, of which four letters are enough.

    Capitals, accents, numbers and separators of words do not matter; their order does.

    :raises UnreadableWords: if these cannot be anybody's words.

    >>> read_secret("1. Abandon, 2. abil; 3. ABLE 4 about-above absent absorb")
    ['abandon', 'ability', 'able', 'about', 'above', 'absent', 'absorb']
    """
    code = _CODE.fullmatch(typed.strip())
    if code:
        return [code[1]]
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", typed) if not unicodedata.combining(letter)
    )
    words = re.findall(r"[^\W\d_]+", plain.lower())
    strange = [word for word in words if word[:TELLING] not in _by_beginning()]
    if strange or len(words) != WORDS:
        raise UnreadableWords(strange, len(words))
    return [_by_beginning()[word[:TELLING]] for word in words]


@lru_cache(maxsize=1)
def _known_words() -> Sequence[str]:
    from mnemonic import Mnemonic  # only now: a phone without network moves nowhere, and has no words for it

    return tuple(Mnemonic("english").wordlist)


@lru_cache(maxsize=1)
def _by_beginning() -> dict[str, str]:
    return {word[:TELLING]: word for word in _known_words()}


def _digest(*parts: str) -> str:
    return sha256(f"move:{' '.join(parts)}".encode("utf-8", "replace")).hexdigest()
