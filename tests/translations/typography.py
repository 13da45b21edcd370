"""The signs of a language: quotes, dashes, apostrophes, spaces, decimals, letters."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .findings import FORMS, PLACE, Entry, Finding

FILE = Path(__file__).with_name("typography.toml")
RULES: dict[str, Any] = tomllib.loads(FILE.read_text("utf-8"))
QUOTES = "\"“”„‟«»‹›‘’‚‛'"
DASHES = "–—―"
CYRILLIC = re.compile(r"[а-яёіїєґ]", re.IGNORECASE)
MIXED = re.compile(r"\w*(?:[A-Za-z][а-яёіїєґ]|[а-яёіїєґ][A-Za-z])\w*", re.IGNORECASE)


def find_foreign(language: str, entries: Iterable[Entry]) -> Iterator[Finding]:
    """What is not written so in a language, by its rules in `typography.toml`."""
    for entry in entries:
        if entry.english[0] in RULES["as_is"]:
            continue
        for text in filter(None, entry.forms):
            for wrong, right in faults_of(language, text):
                yield Finding(language, entry.name, wrong, right)
            yield from (
                Finding(language, entry.name, wrong, right) for wrong, right in _ends(entry.english[0], text)
            )


def faults_of(language: str, text: str) -> Iterator[tuple[str, str]]:
    """What is wrong in one text, and what would be right."""
    rules = RULES[language]
    plain = PLACE.sub("x", FORMS.sub("x", text))
    yield from _quotes(rules, plain)
    for dash in set(DASHES) & set(plain) - {rules["dash"]}:
        if re.search(rf"\s{dash}|{dash}\s", plain):
            yield f"a foreign dash {dash}", f"“ {rules['dash']} ”"
    if re.search(r"\d[—―]\d", plain):
        yield "a long dash between numbers", "–, without spaces"
    if re.search(r"\s-\s|\w--|--(?![a-z])", plain):  # --lang is an option
        yield "a hyphen for a dash", f"“ {rules['dash']} ”"
    if "..." in plain:
        yield "three points", "…"
    if found := re.search(r"\w? [,;:?!](?!\w)|\w \.(?:\s|$)", plain):
        yield f"a space before a sign, “{found.group()}”", "no space there"
    if "  " in plain:
        yield "two spaces", "one"
    if text != text.strip():
        yield "a space at an end", "none"
    other = "." if rules["decimal"] == "," else None
    if other and re.search(r"(?<![\d.])\d+\.\d+(?![\d.])", plain):
        yield "a decimal point", "a decimal comma"
    for letter in sorted(set(rules.get("letters", "")) & set(plain.lower())):
        yield f"the letter {letter}, which this language has not", "the word as this language writes it"
    if found := MIXED.search(plain):
        yield f"letters of two alphabets in “{found.group()}”", "one alphabet in a word"


def _quotes(rules: dict[str, Any], text: str) -> Iterator[tuple[str, str]]:
    """Foreign quotation marks, and own ones the wrong way round."""
    usual = rules["quotes"][0]
    if rules["apostrophe"]:
        text = re.sub(rf"(?<=\w){rules['apostrophe']}|{rules['apostrophe']}(?=\d)", "", text)
    own = set("".join(rules["quotes"]))
    for sign in sorted(set(QUOTES) & set(text) - own):
        if sign == "'" and re.search(r"\w'\w", text):
            yield "a straight apostrophe", rules["apostrophe"] or "none"
        else:
            yield f"a foreign quotation mark {sign}", f"{usual[0]}…{usual[1]}"
    for opening, closing in rules["quotes"]:
        depth = 0
        for letter in text:
            depth += (letter == opening) - (letter == closing)
            if depth < 0:
                break
        if depth:
            yield f"{opening} and {closing} do not match", f"{opening}…{closing}"
            break


def _ends(english: str, text: str) -> Iterator[tuple[str, str]]:
    """A question is a question everywhere, and nothing is shouted."""
    if (text.rstrip("”»“")[-1:] == "?") != (english.rstrip("”")[-1:] == "?"):
        yield "it ends otherwise than the English", "a question mark where English has one, else none"
    if "!" in text and "!" not in english:
        yield "an exclamation mark", "none"
