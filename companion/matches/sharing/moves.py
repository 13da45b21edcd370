"""Give another phone the same identity, by a code that is shown to it or by recovery words."""

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
"""How long a code is good."""
WORDS = 7
"""Recovery words; of 2048 that makes 77 bits."""
TELLING = 4
"""Letters by which each of these words differs from all others."""

_AGAIN = timedelta(days=1)
"""How long a phone may ask again that has used a code and never got the answer."""
_CODE = re.compile(r"(?:.*/)?([\w-]{22})", re.DOTALL)


class NoSuchMove(LookupError):
    """No usable code or words match. Whether they were unknown or used is not disclosed."""


class UnreadableWords(ValueError):
    """What was typed cannot be recovery words: `strange` ones are in no list, or the number is wrong.

    `count` is how many there are.
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

        :param generation: that of the browser that asks; see `Identities`.
        """
        secret = token_urlsafe(16)
        code = Code(secret, self._timestamp(timedelta(minutes=MINUTES)))
        self._store.add_move(
            Move(_digest(secret), owner, "code", self._timestamp(), code.ends_at, generation)
        )
        return code

    def make_words(self, owner: str, generation: int = 0) -> list[str]:
        """New recovery words of this owner; they replace earlier ones. `generation` as for a code."""
        words = [choice(_known_words()) for _place in range(WORDS)]
        digest, at = _digest(*words), self._timestamp()
        self._store.add_move(Move(digest, owner, "words", at, generation=generation))
        return words

    def words_since(self, owner: str) -> str | None:
        """When the unused recovery words of this owner were made; None where there are none."""
        words = self._store.find_words(owner)
        return None if words is None else words.made_at

    def has_anything(self, who: str | None) -> bool:
        """Whether a browser has anything that could be lost: a match, a ruling, a match that it joined."""
        return who is not None and self._store.owns_anything(who)

    def is_left(self, secret: str) -> bool:
        """Whether a code can still be used."""
        return self._store.find_move(_digest(secret), self._timestamp()) is not None

    def look_up(self, typed: str, phone: str) -> str:
        """The owner of a code or words, without using them up. Raises like `use`."""
        return self._find(typed, phone, self._store.find_move)

    def use(self, typed: str, phone: str) -> str:
        """Use up a code or words; the owner that this phone now is.

        `phone` is something that only this phone knows: it may ask once more, for its answer may be lost.

        :raises UnreadableWords: when they can be nobody's words.
        :raises NoSuchMove: when they are unknown, used or too old.
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
    """Whether words were typed, rather than a code or its address."""
    return _CODE.fullmatch(typed.strip()) is None


def read_secret(typed: str) -> list[str]:
    """What was typed, normalised: a code, also from its address; or words, of which four letters are enough.

    Capitals, accents, numbers and whatever stands between words do not matter; their order does.

    :raises UnreadableWords: when these can be nobody's words.

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
