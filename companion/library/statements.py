"""The check that texts say what is counted: each number by a placeholder, each choice by a sentence."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, product
from typing import Any

from companion.rules.conditions import Value, json_word
from companion.rules.errors import Unreadable
from companion.rules.rulebook import Convention, Rulebook
from companion.rules.texts import PLACEHOLDER, TableFacts, TableText, Text

from .files import GameFile

FactsAt = Callable[[Mapping[str, Any], Mapping[str, Value]], TableFacts]
"""The facts of a game's document at a table with these choices."""


class Statements:
    """The texts of a game, compared with what its tables play."""

    def __init__(self, file: GameFile, book: Rulebook, facts_at: FactsAt) -> None:
        self.file, self.book, self._facts_at = file, book, facts_at

    def find_faults(self) -> Iterator[Unreadable]:
        """List what the texts leave out, or say in digits."""
        yield from self._find_digits()
        lacking = [*self._find_placeholders()]
        yield from lacking
        if not lacking:
            yield from self._find_dead_sentences()
            yield from self._find_silent_conventions()
            yield from self._find_silent_numbers()

    # --- digits and placeholders -----------------------------------------------------------------

    def _list_texts(self) -> Iterator[tuple[str, Text]]:
        yield "summary", self.book.summary
        for preset in self.book.presets.values():
            yield f"presets[{preset.name}].text", preset.text
        for convention in self.book.conventions.values():
            at = f"conventions[{convention.name}]"
            yield f"{at}.text", convention.text
            yield from ((f"{at}.values", text) for text in convention.values.values())
            yield from ((f"{at}.named", text) for text in convention.named.values())
        for rule in self.book.rules.values():
            yield f"rules[{rule.id}].text", rule.text

    def _find_digits(self) -> Iterator[Unreadable]:
        for path, text in self._list_texts():
            for sentence in _sentences(text):
                if re.search(r"\d", PLACEHOLDER.sub("", sentence)):
                    yield Unreadable(
                        path, "without digits: a placeholder for each, such as {points.last}", sentence
                    )

    def _find_placeholders(self) -> Iterator[Unreadable]:
        """Placeholders without a value at some table."""
        known = set[tuple[str, str]]()
        for chosen in self._list_tables():
            facts = self._facts_at(self.file.document, chosen)
            for rule in self.book.rules.values():
                text = rule.at(facts).text
                if isinstance(text, str) or not rule.applies(chosen, None):
                    continue
                for name in sorted(text.placeholders()):
                    if (rule.id, name) not in known and name not in facts:
                        known.add((rule.id, name))
                        yield Unreadable(
                            f"rules[{rule.id}].text", f"without {{{name}}}, which has no value", chosen
                        )

    def _list_tables(self) -> Iterator[dict[str, Value]]:
        """The tables of all varieties, and those with one choice other than the usual."""
        for preset in self.book.presets:
            yield self.book.resolve(preset, {}, "", strict=False)
        for convention in self.book.conventions.values():
            for value in convention.listed():
                yield self.book.resolve(None, {convention.name: value}, "", strict=False)

    def _find_dead_sentences(self) -> Iterator[Unreadable]:
        """Sentences of rules that stand at no table: their conditions contradict those of the rule."""
        for rule in self.book.rules.values():
            is_own = self.file.origin(("rules", rule.id)) == self.file.name
            for sentence in rule.text.sentences if is_own and isinstance(rule.text, TableText) else ():
                ways = product(rule.only_when or ("",), sentence.when)
                if sentence.when and not any(self._can_stand(*conditions) for conditions in ways):
                    expected = f"under a condition that can hold with those of the rule: {sentence.text}"
                    yield Unreadable(f"rules[{rule.id}].text", expected, " or ".join(sentence.when))

    def _can_stand(self, *conditions: str) -> bool:
        """True if some table can be played at which all these conditions hold."""
        found = self.book.choose(*conditions)
        return found is not None and self._resolve(*found) is not None

    def _resolve(self, chosen: Mapping[str, Value], players: int | None) -> dict[str, Value] | None:
        """The conventions of the usual table with these choices; None if nobody can play there."""
        try:
            return self.book.resolve(None, chosen, "", players, strict=False)
        except Unreadable:
            return None

    # --- choices and numbers that no text tells --------------------------------------------------

    def _find_silent_conventions(self) -> Iterator[Unreadable]:
        """Conventions of which two values leave the text of their rule the same at every table."""
        for convention in self.book.conventions.values():
            for value, another in combinations(convention.listed(), 2):
                if not any(self._differs(convention, way, value, another) for way in self._ways(convention)):
                    same = f"whose text is the same with {value} and {another}"
                    expected = f"told apart in {convention.rule}, {same}"
                    yield Unreadable(f"conventions[{convention.name}]", expected)

    def _ways(self, convention: Convention) -> Iterator[tuple[dict[str, Value], int | None]]:
        """Choices of others with which a convention changes something, and the number of players."""
        yield {}, None
        for preset in self.book.presets.values():
            yield dict(preset.sets), None
        needs = ",".join(f"{name}={json_word(value)}" for name, value in convention.needs.items())
        for condition in (*convention.only_when, *self.book.rules[convention.rule].only_when, ""):
            found = self.book.choose(needs, condition)
            if found:
                yield found

    def _differs(
        self, convention: Convention, way: tuple[dict[str, Value], int | None], one: Value, other: Value
    ) -> bool:
        chosen, players = way
        return self._say_rule(convention, {**chosen, convention.name: one}, players) != self._say_rule(
            convention, {**chosen, convention.name: other}, players
        )

    def _say_rule(self, convention: Convention, chosen: Mapping[str, Value], players: int | None) -> str:
        """The text of a convention's rule at a table; empty where it does not apply, or nobody can play."""
        resolved = self._resolve(chosen, players)
        if resolved is None:
            return ""
        rule = self.book.rules[convention.rule]
        facts = self._facts_at(self.file.document, resolved)
        return str(rule.at(facts).text) if rule.applies(resolved, players) else ""

    def _find_silent_numbers(self) -> Iterator[Unreadable]:
        """Numbers and orders that can be changed without a change in the rule that states them."""
        usual = self.book.resolve(None, {}, "", strict=False)
        facts = self._facts_at(self.file.document, usual)
        for section, names in self.file.document["stated_in"].items():
            for name, id in names.items() if section != "procedures" else ():
                rule = self.book.rules[id]
                value = self.file.document[section].get(name)
                before = str(rule.at(facts).text)
                for changed in _vary(value):
                    document = {**self.file.document, section: {**self.file.document[section], name: changed}}
                    if str(rule.at(self._facts_at(document, usual)).text) == before:
                        expected = f"shown in the text of {id}: with {changed} it stays the same"
                        yield Unreadable(f"{section}.{name}", expected, value)
                        break


def _sentences(text: Text) -> Iterable[str]:
    return [sentence.text for sentence in text.sentences] if isinstance(text, TableText) else [text]


def _vary(value: Any) -> Iterator[Any]:
    """Other values of a number or an order, each with one change."""
    match value:
        case bool() | str() | None:
            return
        case int():
            yield value + 1
        case list() if len(value) > 1:
            yield [*value[1:], value[0]]
        case dict():
            yield from ({**value, key: item + 1} for key, item in value.items() if type(item) is int)
