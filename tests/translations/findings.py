"""What is wrong in a catalogue: one line for each thing, with what would be right."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from babel.messages.catalog import Catalog, Message

PLACE = re.compile(r"%\(\w+\)\w|\{[\w.-]*\}")
FORMS = re.compile(r"\{([\w.-]+):([^{}]*)\}")
SPELLED = re.compile(r"\{([\w.-]+):words\}")
"""A number of a game's text that is spelled out; a language may write it in digits."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong in one language; as text it is one line."""

    language: str
    message: str
    wrong: str
    right: str

    def __str__(self) -> str:
        line = f"{self.language}: {_cut(self.message)}: {self.wrong}: {self.right}"
        return " ".join(line.split("\n"))


@dataclass(frozen=True)
class Entry:
    """One message: its context, its English (two where it has a plural) and its translation."""

    context: str
    english: tuple[str, ...]
    forms: tuple[str, ...]
    fuzzy: bool = False

    @property
    def name(self) -> str:
        """How it is named in a finding."""
        return f"[{self.context}] {self.english[0]}" if self.context else self.english[0]

    @property
    def is_done(self) -> bool:
        """Whether it is translated, and not by guess."""
        return not self.fuzzy and all(form.strip() for form in self.forms)


def read_entries(catalogue: Catalog) -> list[Entry]:
    """Every message of a catalogue but its heading."""
    return [_read(entry) for entry in catalogue if entry.id]


def in_english(entries: Iterable[Entry]) -> list[Entry]:
    """The same messages as English says them: each is its own translation."""
    return [Entry(entry.context, entry.english, entry.english) for entry in entries]


def _read(entry: Message) -> Entry:
    english = (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)
    string = entry.string or ""
    forms = (string,) if isinstance(string, str) else tuple(string)
    return Entry(entry.context or "", english, forms, bool(entry.fuzzy))


def _cut(text: str) -> str:
    return text if len(text) <= 90 else f"{text[:89]}…"


# --- whole, and true to what they translate ---------------------------------------------------


def find_untranslated(language: str, entries: Iterable[Entry]) -> Iterator[Finding]:
    """Messages without a translation, or with one by guess."""
    for entry in entries:
        if not any(form.strip() for form in entry.forms):
            yield Finding(language, entry.name, "no translation", "a msgstr")
        elif entry.fuzzy:
            yield Finding(language, entry.name, "translated by guess", "read it, and take “fuzzy” away")


def find_plurals(language: str, entries: Iterable[Entry], number: int) -> Iterator[Finding]:
    """Messages with a plural that lack one of the language's forms."""
    for entry in entries:
        if len(entry.english) > 1 and any(entry.forms):
            missing = number - sum(bool(form.strip()) for form in entry.forms)
            if missing > 0:
                right = f"{number} forms, msgstr[0] to msgstr[{number - 1}]"
                yield Finding(language, entry.name, f"{missing} of the plural forms missing", right)


def find_places(
    language: str, entries: Iterable[Entry], number: int = 2, in_games: bool = False
) -> Iterator[Finding]:
    """Places to be filled in that were lost, or that nothing fills; verbs and nouns without a form or a name.

    A verb goes with one name or several; the noun of a number has as many forms as the language. In the
    texts of games a language may, beside other places, name a word of the game where English has one for all.
    """
    for entry in entries:
        wanted = [set(_find_places(text)) for text in entry.english]
        for text in filter(None, entry.forms):
            has = set(_find_places(text))
            if in_games and any(wanted):
                has = {place for place in has if not place.startswith("{word.") or place in wanted[0]}
            if has not in wanted:
                places = " ".join(sorted(wanted[-1])) or "none"
                wrong = f"the places are {' '.join(sorted(has)) or 'none'}"
                yield Finding(language, entry.name, wrong, places)
            for name, forms in FORMS.findall(SPELLED.sub("", text)):
                if len([*filter(None, forms.split("|"))]) != number:
                    wrong = f"{{{name}:{forms}}} has not {number} forms"
                    right = "|".join(("one", "two to four", "five")[:number]) if number > 2 else "one|several"
                    yield Finding(language, entry.name, wrong, f"{{{name}:{right}}}")
                elif f"{{{name}}}" not in has:
                    wrong = f"the verb of {{{name}}} stands without it"
                    yield Finding(language, entry.name, wrong, f"{{{name}}} in the same sentence")


def _find_places(text: str) -> list[str]:
    return PLACE.findall(SPELLED.sub(r"{\1}", text))


def find_meanings(entries: Iterable[Entry], ambiguous: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Messages that are only a word of several meanings, and do not say which."""
    for entry in entries:
        meanings = ambiguous.get(entry.english[0])
        if meanings and not entry.context:
            wrong = f"it may mean {' or '.join(f'“{meaning}”' for meaning in meanings)}"
            yield Finding("en", entry.name, wrong, "pgettext with the meaning as context")
