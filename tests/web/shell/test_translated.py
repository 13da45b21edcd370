"""The pages in every language: whatever is shown has been translated."""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import Flask
from tiers import FOUR_GAMES, cover, is_nightly
from werkzeug.test import TestResponse

from companion import i18n, library
from companion.archives.writing import COLUMNS
from tests.web.browsers import Browser, words
from tests.web.conftest import Opened, once_for_each

DEALS = (
    {
        "type": "deal",
        "auction": ["play"],
        "turn_up": "9H",
        "runs": [{"seat": "B", "length": 3, "top": "K"}],
        "count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"},
    },
    {"type": "deal", "auction": ["pass", "pass", "offer 20", "counter 15+1", "accept"], "turn_up": "9H"},
    {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 70, "B": 70}},
    {"type": "deal", "thrown_in": True},
    {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 91, "B": 60}},
    {"type": "adjust", "side": "A", "points": -20, "reason": "spóźnienie"},
)


OTHERS = {
    "klaberjass-3": (
        {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 70, "B": 50, "C": 42}},
        {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 70, "B": 50, "C": 42}},
    ),
    "klaberjass-4": (
        {"type": "deal", "contract": {"declarer": "A", "trump": "NT"}, "totals": {"A": 80, "B": 50}},
        {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 100, "B": 62}},
        {"type": "deal", "contract": {"declarer": "C", "trump": "H"}, "totals": {"A": 81, "B": 81}},
    ),
    "belote": (
        {
            "type": "deal",
            "contract": {"declarer": "A", "trump": "D"},
            "totals": {"A": 90, "B": 92},
            "bela": "C",
        },
        {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 0, "B": 252}},
        {"type": "deal", "contract": {"declarer": "C", "trump": "H"}, "totals": {"A": 81, "B": 81}},
    ),
    "clabber": (
        {"type": "deal", "contract": {"declarer": "A", "trump": "D"}, "totals": {"A": 80, "B": 82}},
        {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 80, "B": 82}},
    ),
    "bela": (
        {"type": "deal", "penalty": {"side": "B", "offence": "misdeal"}},
        {"type": "deal", "contract": {"declarer": "A", "trump": "D"}, "totals": {"A": 90, "B": 92}},
        {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "count": {"points": {"B": 252}}},
        {"type": "deal", "contract": {"declarer": "C", "trump": "H"}, "belot": "D"},
    ),
    "bela-2": (
        {"type": "deal", "contract": {"declarer": "A", "trump": "D"}, "totals": {"A": 55, "B": 70}},
        {
            "type": "deal",
            "contract": {"declarer": "B", "trump": "S"},
            "totals": {"A": 0, "B": 198},
            "trickless": "A",
        },
    ),
    "bela-3": (
        {"type": "deal", "contract": {"declarer": "B", "trump": "D"}, "totals": {"A": 60, "B": 71, "C": 31}},
        {
            "type": "deal",
            "contract": {"declarer": "C", "trump": "S"},
            "totals": {"A": 0, "B": 0, "C": 252},
            "trickless": ["A", "B"],
        },
        {
            "type": "deal",
            "contract": {"declarer": "A", "trump": "H"},
            "penalty": {"side": "B", "offence": "revoke"},
        },
    ),
    "contree": (
        {"type": "deal", "auction": ["bid 80 H", *["pass"] * 3], "totals": {"A": 81, "B": 81}},
        {
            "type": "deal",
            "contract": {"declarer": "B", "trump": "S", "points": 90},
            "totals": {"A": 92, "B": 70},
        },
    ),
    "coinche": (
        {
            "type": "deal",
            "contract": {"declarer": "A", "trump": "D", "points": 90},
            "totals": {"A": 80, "B": 102},
            "bela": "C",
        },
        {
            "type": "deal",
            "contract": {"declarer": "B", "trump": "S", "points": "capot"},
            "totals": {"A": 0, "B": 252},
            "trickless": "A",
        },
        {"type": "deal", "auction": ["bid 80 H", "double", *["pass"] * 3], "totals": {"A": 81, "B": 81}},
    ),
    "deberts-3": (
        {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 60, "B": 60, "C": 20}},
        {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 70, "B": 50, "C": 42}},
    ),
    "deberts-4": (
        {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 80, "B": 82}},
        {"type": "deal", "contract": {"declarer": "C", "trump": "H"}, "totals": {"A": 81, "B": 81}},
    ),
    "deberts-4-alone": (
        {
            "type": "deal",
            "contract": {"declarer": "A", "trump": "H"},
            "totals": {"A": 40, "B": 50, "C": 50, "D": 22},
        },
    ),
    "darda": ({"type": "deal", "contract": {"declarer": "D", "trump": "C"}, "totals": {"A": 80, "B": 81}},),
    "bulka": (
        {
            "type": "deal",
            "turn_up": "9H",
            "auction": ["play"],
            "runs": [{"seat": "B", "length": 3, "top": "K"}],
            "fours": [{"seat": "A", "rank": "K"}],
            "count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"},
        },
    ),
    "klaberjass": (
        {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 70, "B": 70}},
        {"type": "deal", "thrown_in": True},
    ),
    "deberts": (
        {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 70, "B": 70}},
        {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 91, "B": 60}},
        {"type": "pencil", "by": "A", "deal": 1, "wrote": 70, "should": 60},
        {"type": "deal", "contract": {"declarer": "B", "trump": "D"}, "totals": {"A": 20, "B": 240}},
        {"type": "deal", "contract": {"declarer": "B", "trump": "C"}, "totals": {"A": 20, "B": 240}},
    ),
    "durak": (
        {
            "type": "hand",
            "loser": "A",
            "first_attacker": "C",
            "trump": "H",
            "bouts": [
                {"attacker": "C", "defender": "D", "result": "beaten-off"},
                {"attacker": "D", "defender": "A", "result": "picked-up", "out": ["D"]},
                {"attacker": "B", "defender": "C", "result": "beaten-off", "out": ["B", "C"]},
            ],
        },
        {"type": "hand", "loser": None, "note": "późno"},
        {"type": "touch", "by": "B", "cards": "cut"},
        {"type": "touch", "by": "C", "cards": "touched"},
    ),
}
"""What the games after the first have beside what it has."""


TRANSLATED = tuple(item for item in i18n.LANGUAGES if item != i18n.SOURCE)
_IN_ANOTHER = r'<(\w+)(?: [^>]*)? lang="(?!{language}")\w+"[^>]*>.*?</\1>|<dd class="soft">.*?</dd>'
"""An element of another language than its page, which holds none of its own kind; and what a glossary says
below a meaning: what the word is called besides, and where it was found, are in any language.
"""
_TITLE = re.compile(r"[«„”]Klaberjass[»“”]")
"""An article that rules are drawn from; a title stays as it is."""
PLAYED = (
    *(("pl", game) for game in library.names()),
    *(
        (language, game)
        for language in ("ru", "uk")
        for game in ("deberts", "deberts-3", "deberts-4", "deberts-4-alone", "durak")
    ),
    *(("cs", game) for game in ("bulka", "darda")),
    *(("de", game) for game in ("klaberjass", "klaberjass-3", "klaberjass-4")),
)
"""The languages, each with the games that are played where it is spoken; Polish with all of them."""


@cache
def read_catalogue(language: str) -> Catalog:
    """The catalogue of a language as it is committed."""
    with (i18n.FOLDER / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


@pytest.fixture(scope="module")
def translated_apps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """Gives the app with those catalogues, whether or not they were compiled before."""
    folder = tmp_path_factory.mktemp("translations")
    for language in TRANSLATED:
        home = folder / language / "LC_MESSAGES"
        home.mkdir(parents=True)
        with (home / "messages.mo").open("wb") as file:
            write_mo(file, read_catalogue(language))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(i18n, "catalogue", partial(i18n.catalogue, folder=folder))
        yield from once_for_each(tmp_path_factory, BABEL_TRANSLATION_DIRECTORIES=str(folder))


@pytest.fixture
def app(translated_apps: Opened, with_empty_database: Callable[[Opened], Flask]) -> Flask:
    """That app with an empty database."""
    return with_empty_database(translated_apps)


@cache
def read_english(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The sentences that the catalogue of a language translates, and how each is found in a text."""
    known = [
        entry.id
        for entry in read_catalogue(language)
        if isinstance(entry.id, str) and len(entry.id) > 7 and entry.string != entry.id
    ]
    fixed = (text for text in known if "{" not in text and "%(" not in text)
    return tuple((text, re.compile(rf"(?<![\w.-]){re.escape(text)}(?![\w-])")) for text in fixed)


def find_english(page: str, language: str) -> list[str]:
    """What of that stands in a page's text; the id of a rule is none."""
    return [text for text, found in read_english(language) if text in page and found.search(page)]


def own_words(answer: TestResponse, language: str) -> str:
    """The text of a page without what it marks as of another language."""
    body = answer.text.partition("<body")[2]
    return _TITLE.sub(" ", words(re.sub(_IN_ANOTHER.format(language=language), " ", body, flags=re.S)))


@pytest.mark.slow  # whole rulebooks
@pytest.mark.parametrize("language", TRANSLATED)
def test_a_rulebook_is_translated_throughout(client: Browser, language: str) -> None:
    """Every rule stands there in the language of the page, and none in English.

    What no catalogue is asked for is English in all languages; what one lacks `tests/translations` sees.
    """
    chosen = cover(product(TRANSLATED, library.names()))
    for game in (game for code, game in chosen if code == language):
        page = own_words(client.get(f"/{language}/rules/{game}"), language)
        translate, rules = i18n.translator(language), library.read_rulebook(game).rules.values()
        said = {rule.id: " ".join(translate(rule.text).split()) for rule in rules}
        assert [id for id, text in said.items() if text not in page] == [], game
        assert find_english(page, language) == [], game


@pytest.mark.slow  # every page of a match is read
@pytest.mark.parametrize(
    ("language", "game"), PLAYED if is_nightly() else [("pl", game) for game in FOUR_GAMES]
)
def test_no_page_has_english_left(client: Browser, app: Flask, language: str, game: str) -> None:
    """Every page that can be looked at, about a match that has seen most of what can happen."""
    id = client.start(*OTHERS.get(game, DEALS), game=game, name_C="Ola", name_D="Piotr")
    as_named = {*(rule.partition(".")[2] for rule in library.read_rulebook(game).rules), *COLUMNS}
    """As cards print the ids of rules, and spreadsheets their columns."""
    found = {}
    for path in sorted(list_pages(app, language, game, id)):
        answer = client.get(path)
        if answer.mimetype == "text/html" and answer.status_code == 200:
            found[path] = [
                text for text in find_english(own_words(answer, language), language) if text not in as_named
            ]
    assert len(found) > 15
    assert {path: texts for path, texts in found.items() if texts} == {}


def list_pages(app: Flask, language: str, game: str, id: str) -> set[str]:
    """Every page that speaks of a game or of a match of it; with the first of a language also the others.

    What has an ending, such as a PDF, is no page.
    """
    facts = {"lang": language, "id": id, "game": game, "entry": 1, "theme": "light"}
    is_first = (language, game) == next(pair for pair in PLAYED if pair[0] == language)
    addresses, paths = app.url_map.bind("localhost"), set()
    for rule in app.url_map.iter_rules():
        wanted = rule.arguments
        is_page = "GET" in (rule.methods or ()) and "lang" in wanted and "." not in rule.rule
        if is_page and (is_first or wanted & {"game", "id"}):
            for question in library.open_game(game).family.questions if "question" in wanted else [""]:
                values = facts | {"question": question}
                if wanted <= values.keys():
                    paths.add(addresses.build(rule.endpoint, {key: values[key] for key in wanted}))
    return paths


@pytest.mark.parametrize(
    "name", [name for name in library.names() if "good" in library.read_rulebook(name).words]
)
def test_answers_to_a_run_fit_every_name_of_one(name: str) -> None:
    """“Dobre” is said to a derda, a fuf and a terc alike; a question asks how high, not which."""
    words, polish = library.read_rulebook(name).words, i18n.translator("pl")
    said = {polish(words[key]) for key in ("good", "not-good", "how-high", "rost") if key in words}
    assert said <= {"dobre", "niedobre", "przechodzi", "jak wysoko?", "rost?"}


@pytest.mark.parametrize("name", library.names())
def test_a_bait_has_one_word_in_a_game(name: str) -> None:
    """Rules, conventions and presets call it as the game's own word does, in English and in Polish."""
    book = library.read_rulebook(name)
    if "bait" not in book.words:
        return
    texts = [rule.text for rule in book.rules.values()] + [
        convention.label for convention in book.conventions.values()
    ]
    texts += [
        text
        for convention in book.conventions.values()
        for text in (convention.text, *convention.values.values())
    ]
    found = {
        word.lower() for text in texts for word in re.findall(r"\b(baj?i?te?)s?\b", str(text), re.IGNORECASE)
    }
    assert found <= {book.words["bait"]}
    polish = " ".join(map(i18n.translator("pl"), texts)).lower()
    assert not re.search(r"\bbej?t\b|\bbait", polish)
