"""Laws of games whose numbers and orders are others: rules say what is played, and so it is scored."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Any

from changing import any_table, change_numbers, playing
from dealing import Played, fold, tables
from hypothesis import given
from hypothesis import strategies as st
from played.asking import check_hand
from played.hand import PlayedHand
from played.rules import random_rules
from tiers import few_examples

from companion import library
from companion.i18n import LANGUAGES, translator
from companion.library.files import choose_tables
from companion.library.folder import check_statements
from companion.rules.conditions import holds, split_condition
from companion.rules.errors import Unreadable
from companion.rules.message import Translate, Word, show_rank
from companion.rules.rulebook import Rule
from companion.rules.texts import PLACEHOLDER, Sentence, TableFacts, TableText

seeds = st.integers(0, 2**32)
MOST = 999
"""The most that a record takes of one side for a deal."""
OF_CARDS = ("hand", "first_hand", "most")
"""Numbers that texts spell; of others the words are names of cards: *a ten*."""


def numbers_of(game: library.Game, document: Any) -> Iterator[tuple[str, str, Any]]:
    """List the numbers and orders that a table plays by: the rule that states each, its name, and itself."""
    tables, changed = choose_tables(document, game.conventions), dict(list_changed(game, document))
    for section, names in document["stated_in"].items():
        for name, id in names.items() if section != "table" else ():
            value = tables["options" if section == "procedures" else section].get(name)
            if isinstance(value, dict):
                for key, number in value.items():
                    yield changed.get((section, name, key), id), f"{name}.{key}", number
            elif type(value) is int or name.endswith("order"):
                yield changed.get((section, name), id), name, value
    for convention in game.book.conventions.values():
        value = game.conventions[convention.name]
        if convention.values or convention.is_text or value in (0, 1, *convention.named):
            continue  # which has sentences of its own
        if convention.matters(game.conventions, game.players):
            yield convention.rule, convention.name, value


def list_changed(game: library.Game, document: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """List what a choice of the table has changed, with the rule of that choice, which states it then.

    A rule that there is only after that choice states it itself.
    """
    for condition, sections in document.get("when", {}).items():
        if holds(condition, game.conventions):
            rule = game.book.conventions[split_condition(condition)[-1][0]].rule
            for section, values in sections.items():
                for name, value in values.items():
                    stated = document["stated_in"].get(section, {}).get(name)
                    if stated and condition in game.book.rules[stated].only_when:
                        continue
                    yield (section, name), rule
                    if isinstance(value, dict):
                        yield from (((section, name, key), rule) for key in value)


def in_words(number: int, translate: Translate) -> str:
    """Spell a number as texts do, if they do."""
    facts = TableFacts({"n": number}, None, {}, {}, lambda _chosen: str)
    return TableText([Sentence("{n:words}")], facts).render(translate)


def says(text: str, value: Any, translate: Translate, *, spelled: bool = True) -> bool:
    """True if a number, or an order, stands in a text."""
    if not isinstance(value, int):
        return " ".join(show_rank(rank, translate) for rank in value) in text
    word = rf"|\b{in_words(value, translate)}\b" if spelled else ""
    return bool(re.search(rf"(?<!\d){value}(?!\d){word}", text, re.IGNORECASE))


def facts_of(rule: Rule) -> list[Any]:
    """List what a rule's text says of its table by placeholders."""
    if isinstance(rule.text, str) or rule.table is None:
        return []
    facts = [rule.table[name] for name in rule.text.placeholders() if name in rule.table]
    orders = [list(fact) for fact in facts if isinstance(fact, tuple)]
    return [*facts, *orders, *chain(*orders), *(fact.text for fact in facts if isinstance(fact, Word))]


def is_for_other_tables(rule: Rule, value: Any) -> bool:
    """True if a rule names a number only in its sentences for other tables."""
    if isinstance(rule.text, str) or rule.table is None:
        return False
    standing = {*rule.text.standing()}
    others = "".join(sentence.text for sentence in rule.text.sentences if sentence not in standing)
    named = {found[1] for found in PLACEHOLDER.finditer(others)} - rule.text.placeholders()
    wanted = value if isinstance(value, int) else tuple(value)
    return any(rule.table.get(name) == wanted for name in named)


@few_examples(12, 1500)
@given(seeds)
def test_its_rules_say_the_new_numbers_in_every_language(seed: int) -> None:
    """Such a game is as good as ours; what a rule states it says, and nothing of what it was before."""
    random = Random(seed)
    name = random.choice(library.names())
    before, document = library.GAMES.entry(name).file.document, change_numbers(random, name)
    with playing(document):
        check_statements(library.GAMES.entry(name))
        game = any_table(random, name)
        old = {(id, number): value for id, number, value in numbers_of(game, before)}
        for id, number, value in numbers_of(game, document):
            rule = game.book.rules[id]
            if not value or not rule.applies(game.conventions, game.players):
                continue
            if is_for_other_tables(rule, value):
                continue
            facts = facts_of(rule)
            for language in LANGUAGES:
                translate = translator(language)
                text, was = translate(rule.text), old[id, number]
                assert says(text, value, translate), (number, value, text)
                if was not in [value, game.players, *facts] and str(was) not in facts:
                    spelled = number in OF_CARDS
                    assert not says(text, was, translate, spelled=spelled), (number, was, text)


# --- one value after the other -------------------------------------------------------------------


def say_rules(game: library.Game) -> dict[str, str]:
    """The rules of a table, by id; empty where one does not apply."""
    return {
        id: str(rule.text) if rule.applies(game.conventions, game.players) else ""
        for id, rule in game.book.rules.items()
    }


@few_examples(60, 3000)
@given(seeds)
def test_a_choice_changes_the_rules_that_name_it_and_no_others(seed: int) -> None:
    """Of two tables that differ in one choice: the rules that read otherwise, and those that rest on it."""
    random = Random(seed)
    here = any_table(random, random.choice(library.names()))
    name = random.choice([*here.book.conventions])
    convention = here.book.conventions[name]
    values = [*convention.texts_for(here.players)] or [random.randint(convention.least, convention.most)]
    value = random.choice(values)
    chosen = {**here.conventions, name: value}
    try:
        there = library.reopen_game(here.name, here.preset, chosen, here.players)
    except Unreadable:  # so many cannot play it
        return
    matters = all(convention.matters(game.conventions, game.players) for game in (here, there))
    if convention.is_text or not matters or value == here.conventions[name]:
        return
    before, after = say_rules(here), say_rules(there)
    changed = {id for id in before if before[id] != after[id]}
    idle = [game.book.irrelevant_facts(game.conventions, game.players) for game in (here, there)]
    moved = {name, *(idle[0] ^ idle[1])}  # with it others may begin or cease to matter
    naming = {
        id for game in (here, there) for id, rule in game.book.rules.items() if moved & rule.choices.keys()
    }
    assert changed, (here.agreed, name, value)
    assert changed <= naming, (changed - naming, here.agreed, name, value)


# --- scored by them ------------------------------------------------------------------------------


@few_examples(15, 1500)
@given(seeds)
def test_what_was_made_is_counted_by_the_new_numbers(seed: int) -> None:
    """By a second count, which has them from the file: cards, honours, last trick, runs, fours and bela."""
    random = Random(seed)
    table = replace(tables(random), by_file=True)
    with playing(change_numbers(random, table.name)):
        dealer = random.choice(table.rules.ring.seats)
        found = table.deal(random, dealer)
        if not isinstance(found, Played) or max(found.stated_totals.values()) > MOST:
            return
        for entry in (found.stated, found.as_count(), found.as_totals()):
            state = fold(table, entry, dealer)
            assert state.problems == ()
            assert dict(state.rows[0].made) == found.made
            over = {side for side, total in state.totals.items() if total >= table.rules["target"]}
            if state.status == "finished" and table.rules.ends_at_target():
                assert over


@few_examples(4, 300)
@given(seeds)
def test_a_hand_is_beaten_by_the_new_order(seed: int) -> None:
    """By a second player of Durak: whose card beats which, how many are dealt, drawn and thrown in."""
    random = Random(seed)
    rules = random_rules(random)
    if not rules.has_talon:  # with fewer cards in each hand there would be one
        return
    with playing(change_numbers(random, "durak")):
        game = library.open_game("durak", None, rules.conventions, rules.players)
        cards = choose_tables(library.GAMES.entry("durak").file.document, game.conventions)["cards"]
        rules = replace(rules, hand=cards["hand"], most=cards["most"], order=tuple(cards["order"][::-1]))
        dealer, later = random.randrange(rules.players), random.random() < 0.5
        check_hand(rules, PlayedHand(rules, random, dealer, later))
