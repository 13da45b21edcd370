"""The booklet: the whole rulebook of a table, with its own choices, examples, words and sources."""

import re
from pathlib import Path

import pytest
from printing import compose_page, print_sheet

from companion import cli, library
from companion.i18n import LANGUAGES
from companion.library.examples import find_examples
from companion.rules.message import in_english
from companion.sheets.model import BookletPage, CardPage
from companion.sheets.rulebook import describe_source, find_main_source, list_sources
from tests.unit.sheets.reading import read_pages


def compose(game: library.Game, language: str = "en") -> BookletPage:
    """The booklet of a table, with everything in it."""
    words = library.glossary(game.name)
    page = compose_page("rulebook", game, language=language, words=words, examples=find_examples(game))
    assert isinstance(page, BookletPage)
    return page


@pytest.mark.parametrize("game", library.names())
def test_it_has_every_rule_that_applies_once_and_no_other(game: str) -> None:
    for preset in library.read_rulebook(game).presets:
        table = library.open_game(game, preset)
        ids = [rule.id for _title, rules in compose(table).chapters for rule in rules]
        applying = [rule.id for rule in table.book.rules_for(table.conventions, table.players)]
        assert sorted(ids) == sorted(applying)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["derda", "durak"])
def test_its_examples_are_those_of_the_table_with_names(game: str, language: str) -> None:
    """No seat is left a letter, and every example stands at a rule."""
    table = library.open_game(game)
    examples = [
        each for _title, rules in compose(table, language).chapters for r in rules for each in r.examples
    ]
    assert len(examples) == len(find_examples(table)) > 4
    said = [text for each in examples for text in (each.begins, each.sentence, *each.sides)]
    assert not any(re.search(r"\b[AB]\b(?! ?[♠♥♦♣])", text) for text in said)


def test_the_choices_of_the_table_are_listed_and_their_rules_marked() -> None:
    page = compose(library.open_game("derda", conventions={"target": 300}))
    assert [(rule.label, rule.value) for rule in page.house_rules if rule.unusual] == [("Target", "300")]
    marked = {rule.id for _title, rules in page.chapters for rule in rules if rule.unusual}
    assert "derda.end.target" in marked and "derda.play.follow" not in marked


def test_a_variety_is_named_on_the_cover() -> None:
    page = compose(library.open_game("deberts", "kharkov"))
    assert (page.game, page.table) == ("Deberts", "Kharkov")
    assert "301" in page.also and compose(library.open_game("derda")).table == ""


def test_sources_are_named_once_and_beside_a_rule_only_where_they_differ() -> None:
    rules = [*library.read_rulebook("klaberjass").rules.values()]
    main = find_main_source(rules)
    assert main == "Wikipedia, “Klaberjass”"
    named = list_sources(rules, in_english)
    assert named[0] == main and len(named) == len({*named}) and "table custom" in named
    beside = {describe_source(rule, main, in_english) for rule in rules}
    assert "" in beside and "table custom" in beside
    assert not any(source.removeprefix(main).startswith(": ") and ";" not in source for source in beside)


def test_it_is_printed_with_the_numbers_of_its_pages() -> None:
    """The contents name the page on which a chapter begins; the pages are A5."""
    table = library.open_game("derda")
    words, examples = library.glossary("derda"), find_examples(table)
    pages = read_pages(print_sheet("rulebook", table, words=words, examples=examples, paper="a5"))
    assert pages[0].startswith("Derda")
    chapters = [title for title, _rules in compose(table).chapters]
    for title in (*chapters, "Words of the game", "Sources"):
        named = re.search(rf"{title}[ .]* (\d+)\b", pages[1])
        assert named and title in pages[int(named[1]) - 1]
        assert pages[int(named[1]) - 1].endswith(named[1])
    text = " ".join(pages)
    assert all(text.count(f" {rule} ") == 1 for rule in ("derda.play.ruff", "derda.score.made"))
    assert "Anna makes it, 123 to 58." in text


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        (["--game", "coinche", "--preset", "announced"], "Points announced"),
        (["--game", "durak", "--players", "3"], "Durak"),
    ],
)
@pytest.mark.nightly
def test_the_command_line_prints_it(tmp_path: Path, arguments: list[str], title: str) -> None:
    out = tmp_path / "rules.pdf"
    assert cli.main(["sheet", "--kind", "rulebook", *arguments, "-o", str(out)]) == 0
    assert title in read_pages(out.read_bytes())[0]


@pytest.mark.parametrize("kind", ["rules", "rulebook"])
def test_its_summary_is_that_of_the_table(kind: str) -> None:
    page = compose_page(kind, library.open_game("coinche", conventions={"target": 700}))
    assert isinstance(page, BookletPage | CardPage)
    assert "700" in page.summary and "1000" not in page.summary
