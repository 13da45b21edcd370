"""A game's glossary: its own words with their meanings and translations, with sources.

Its file is `games/words/<game>.toml`, an ordered list of `[[words]]`. `extends = ["another"]` puts the words
of other files of that folder before its own, the same id at its position, language by language; `omit =
["id"]` drops inherited words. English is required, and shown where another language lacks a word.

`forms` are beginnings of the word's forms in sentences, by default the word itself; `bel$` matches exactly
that. With `forms = []` the word is too common to be looked for. `avoid` are words that sentences must not use
instead, `also` other words of players, which the search finds.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.i18n import LANGUAGES, SOURCE
from companion.rules.errors import Missing, UnknownKey, Unreadable
from companion.rules.options import NOWHERE
from companion.rules.schema import ListOf, field, join_path, parse

from .files import Folder, GameFileError, read_toml
from .shapes import LINE, NAME, PARAGRAPH

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
ADDRESS = re.compile(r"(?<!\w)[\w-]+(?:\.[\w-]+)+/\S*")
"""An address of a page: its parts are not words of a sentence."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A word of a game in one language."""

    word: str = field(NAME)
    meaning: str = field(PARAGRAPH)
    also: tuple[str, ...] = field(ListOf(NAME), ())
    forms: tuple[str, ...] | None = field(ListOf(NAME), None)
    avoid: tuple[str, ...] = field(ListOf(NAME), ())
    source: str = field(LINE, "")
    """The source of this word, if not that of the whole entry."""

    @property
    def beginnings(self) -> tuple[str, ...]:
        """The beginnings of the word in a sentence; empty if it is not looked for."""
        return (self.word,) if self.forms is None else self.forms

    def is_in(self, text: str) -> bool:
        """True if a sentence contains it."""
        return find_beginning(self.beginnings, text) is not None


@dataclass(frozen=True)
class GlossaryWord:
    """One word of a game: the rules that it is about, its source, and its translations."""

    id: str
    rules: tuple[str, ...]
    source: str
    sayings: Mapping[str, Saying]

    def said(self, language: str) -> tuple[str, Saying]:
        """The word in a language, with the language it is in: English if there is no translation."""
        spoken = language if language in self.sayings else SOURCE
        return spoken, self.sayings[spoken]


@dataclass(frozen=True)
class Glossary:
    """The words of a game, in the order of learning them."""

    game: str
    words: tuple[GlossaryWord, ...] = ()

    def lacking(self, language: str) -> tuple[GlossaryWord, ...]:
        """The words that have no translation into a language yet."""
        return tuple(word for word in self.words if language not in word.sayings)

    def said_by(self, language: str) -> tuple[Saying, ...]:
        """All its words in a language, in English where that lacks one."""
        return tuple(word.said(language)[1] for word in self.words)

    def said_in(self, text: str, language: str) -> tuple[Saying, ...]:
        """Those of its words that a text in a language contains."""
        sayings = (word.sayings[language] for word in self.words if language in word.sayings)
        return tuple(saying for saying in sayings if saying.is_in(text))


@dataclass(frozen=True, slots=True)
class _Head:
    """The fields of a word apart from its languages."""

    id: str = field(NAME)
    source: str = field(LINE)
    rules: tuple[str, ...] = field(ListOf(NAME), ())


def find_beginning(beginnings: Sequence[str], text: str) -> re.Match[str] | None:
    """Find the first word or words of a text that begin so, in any case, to the end of the last of them.

    Addresses of pages are skipped.
    """
    if not beginnings:
        return None
    longest_first = sorted(beginnings, key=len, reverse=True)
    pattern = "|".join(map(_pattern_of, longest_first))
    said = ADDRESS.sub(lambda found: " " * len(found.group()), text)
    return re.search(rf"(?<!\w)(?:{pattern})", said, re.IGNORECASE)


def _pattern_of(beginning: str) -> str:
    """The pattern of a beginning with the rest of the word; a final `$` excludes a rest."""
    escaped = re.escape(beginning.removesuffix("$")).replace(r"\ ", r"\s+")
    return escaped + (r"(?!\w)" if beginning.endswith("$") else r"\w*")


def read_glossary(folder: Folder, game: str, rules: Collection[str]) -> Glossary:
    """Read the glossary of a game from a folder; empty if it has no file.

    :param rules: the ids of the game's rules; a file's other rules are for other games that extend it.
    :raises GameFileError: for a file that cannot be used, with the path and what the value must be.
    """
    if not (folder / f"{game}.toml").is_file():
        return Glossary(game)
    words: list[GlossaryWord] = []
    for name, stating, item in _joined(folder, game).values():
        at = f"words[{item.get('id')}]"
        try:
            word = _read_word(item, at)
            unknown = [rule for rule in word.rules if rule not in rules]
            if stating == game and unknown:
                raise Unreadable(f"{at}.rules", "ids of rules of this game", unknown[0])
        except Unreadable as fault:
            raise _refusal(name, fault) from None
        known = tuple(rule for rule in word.rules if rule in rules)
        words.append(GlossaryWord(word.id, known, word.source, word.sayings))
    return Glossary(game, tuple(words))


def _joined(
    folder: Folder, name: str, before: Sequence[str] = ()
) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Join the words of a file and those it extends, by id: last file, file that names the rules, item."""
    document = _read(folder, name, before)
    joined: dict[str, tuple[str, str, dict[str, Any]]] = {}
    for index, parent in enumerate(document["extends"]):
        if parent in (name, *before):
            raise GameFileError(f"words/{name}", f"extends[{index}]", f"{parent} extends this file already")
        joined |= _joined(folder, parent, (*before, name))
    for index, omitted in enumerate(document["omit"]):
        if omitted not in joined:
            raise GameFileError(
                f"words/{name}", f"omit[{index}]", f"{omitted} is not among the words it extends"
            )
        del joined[omitted]
    for item in document["words"]:
        _, stating, said = joined.get(item["id"], ("", "", {}))
        joined[item["id"]] = (name, name if "rules" in item else stating, {**said, **item})
    return joined


def _read(folder: Folder, name: str, before: Sequence[str]) -> dict[str, Any]:
    """Read one file of words, as far as that is needed to join it with others."""
    file = folder / f"{name}.toml"
    if not file.is_file():
        raise GameFileError(f"words/{before[-1]}", "extends", f"there is no games/words/{name}.toml")
    usual: dict[str, Any] = {"extends": [], "omit": [], "words": []}
    document = usual | read_toml(file, f"words/{name}")
    try:
        for key, value in document.items():
            if key not in usual:
                raise UnknownKey(key, usual)
            if key != "words":
                ListOf(NAME).read(value, key, NOWHERE)
        if not isinstance(document["words"], list):
            raise Unreadable("words", "tables, each begun by [[words]]")
        _check_ids(document["words"])
    except Unreadable as fault:
        raise _refusal(name, fault) from None
    return document


def _check_ids(words: Sequence[Any]) -> None:
    """Check that each word has an id of its own, which can be an anchor of a page."""
    seen: set[str] = set()
    for index, item in enumerate(words):
        if not isinstance(item, dict) or "id" not in item:
            raise Missing(f"words[{index}].id")
        if not isinstance(item["id"], str) or not ID.fullmatch(item["id"]):
            raise Unreadable(f"words[{index}].id", "small letters, digits and hyphens", item["id"])
        if item["id"] in seen:
            raise Unreadable(f"words[{index}].id", "an id that no other word has", item["id"])
        seen.add(item["id"])


def _read_word(item: Mapping[str, Any], at: str) -> GlossaryWord:
    head_keys = ("id", "rules", "source")
    for key in item:
        if key not in (*head_keys, *LANGUAGES):
            raise UnknownKey(join_path(at, key), (*head_keys, *LANGUAGES))
    head = parse(_Head, {key: item[key] for key in head_keys if key in item}, at, NOWHERE)
    if SOURCE not in item:
        raise Missing(f"{at}.{SOURCE}")
    sayings = {
        language: _read_saying(item[language], f"{at}.{language}")
        for language in LANGUAGES
        if language in item
    }
    return GlossaryWord(head.id, head.rules, head.source, sayings)


def _read_saying(said: Any, at: str) -> Saying:
    """Read one language of a word, and check that its parts agree."""
    saying = parse(Saying, said, at, NOWHERE)
    if re.search(r"\d", saying.meaning):
        raise Unreadable(f"{at}.meaning", "without digits: rules say the numbers of a table", saying.meaning)
    if saying.forms and not saying.is_in(saying.word):
        raise Unreadable(f"{at}.forms", f"with one that {saying.word} begins with", list(saying.forms))
    for index, avoided in enumerate(saying.avoid):
        if find_beginning((avoided,), saying.word):
            raise Unreadable(f"{at}.avoid[{index}]", "none of what the word itself begins with", avoided)
    return saying


def _refusal(name: str, fault: Unreadable) -> GameFileError:
    return GameFileError(f"words/{name}", fault.path, str(fault).removeprefix(f"{fault.path}: "))
