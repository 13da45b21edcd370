"""The glossary of a game in its rulebook, and its words explained where a page says them first."""

import re
from itertools import product

import pytest
from tiers import cover

from companion import library
from companion.i18n import LANGUAGES
from companion.web.shell import language
from tests.web.browsers import Browser


@pytest.mark.slow  # whole rulebooks
def test_a_rulebook_has_all_its_words(client: Browser) -> None:
    """In the page's language, or in English and marked as such; what others call them, and the source."""
    for lang, game in cover(product(LANGUAGES, library.names())):
        page = client.get(f"/{lang}/rules/{game}").text
        for word in library.glossary(game).words:
            spoken, said = word.said(lang)
            entry = page.partition(f'id="word-{word.id}"')[2].partition("</div>")[0]
            other = "" if spoken == lang else ' lang="en"'
            assert f"<dfn{other}>{said.word}</dfn>" in entry, (lang, game)
            assert f"<dd{other}>{said.meaning}</dd>" in entry, (lang, game)
            for code, other_rulings in word.sayings.items():
                if code != spoken:
                    assert f'<span lang="{code}">{other_rulings.word}</span>' in entry, (lang, game)


@pytest.mark.parametrize(
    ("search", "id"),
    [("полтинник", "fifty"), ("menel", "manela"), ("zdvih", "trick"), ("Bleistiftregel", "pencil-rule")],
)
def test_a_word_is_found_in_any_language(client: Browser, search: str, id: str) -> None:
    """By any name it has in whatever language; in the game and on the shelf."""
    page = client.get("/en/rules/deberts", query_string={"q": search}).text
    assert re.findall(r'id="word-([\w-]+)"', page) == [id]
    assert "of the game with “" in page and "No rule with" not in page
    assert f"/rules/deberts#word-{id}" in client.get("/en/rules", query_string={"q": search}).text


def test_a_word_is_explained_where_it_is_said_first(client: Browser) -> None:
    """Each once on a page: a button that opens what it means, without any script."""
    page = client.get("/en/rules/deberts").text
    buttons = re.findall(r'popovertarget="(gloss-[\w-]+)">([^<]+)</button>', page)
    assert ("gloss-deberts-juss", "juss") in buttons
    assert len({target for target, _ in buttons}) == len(buttons)
    for target, _said in buttons:
        assert page.count(f'<div popover id="{target}"') == 1
    first = page.index('popovertarget="gloss-deberts-manela"')
    assert "manela" not in page[page.index('id="deberts.cards.orders"') : first]


def test_a_word_is_not_parted_from_its_bracket(client: Browser) -> None:
    """A line may end beside a button, but not between it and the signs that belong to it."""
    page = client.get("/en/rules/klaberjass").text
    assert re.search(r'its seven <span class="gloss-held">\(<button [^>]*>dix</button>\)</span> may', page)
    parted = re.findall(r"[(\[„“«‚‘]<button [^>]*gloss-[^>]*>|</button>[)\],.;:?]", page)
    held = re.findall(r'<span class="gloss-held">.*?</span>', page)
    assert held and len(parted) == sum(len(re.findall(r"[(\[„“«‚‘]<b|n>[)\],.;:?]", item)) for item in held)


def test_an_address_is_not_explained(client: Browser) -> None:
    """It stands in the rulebook as it is."""
    assert "html</button>" not in client.get("/en/rules/derda").text


def test_a_search_is_marked_and_not_explained(client: Browser) -> None:
    """What was searched for stands out; nothing else in the rules does."""
    page = client.get("/en/rules/deberts?q=juss").text
    assert "<mark>juss</mark>" in page
    assert "popovertarget" not in page


def test_what_is_not_whole_says_so(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside its name, in the language of the page; a whole one says nothing."""
    done = dict.fromkeys(LANGUAGES, 100) | {"ru": 43}
    monkeypatch.setattr(language, "progress", lambda: done)
    page = client.get("/en/browser").text
    assert re.search(
        r'lang="ru"[^>]*>Русский<small class="soft" lang="en">\s+43% translated\s*</small>', page
    )
    assert page.count("translated</small>") == 1


@pytest.mark.parametrize(
    ("address", "word"),
    [
        ("/en/ask/deberts/count", "juss"),
        ("/en/ask/deberts/bela", "bella"),
        ("/en/ask/durak/bout", "principal attacker"),
        ("/pl/ask/derda/count", "minela"),
    ],
)
def test_a_question_explains_its_words(client: Browser, address: str, word: str) -> None:
    """In its title and above its choices; never within what has a tap of its own."""
    page = client.get(address).text
    buttons = re.findall(r'class="gloss" popovertarget="(gloss-[\w-]+)">([^<]+)</button>', page)
    assert word in {said.casefold() for _, said in buttons}
    for target, _said in buttons:
        assert page.count(f'<div popover id="{target}"') == 1
    for tapped in ("label", "summary", "a"):
        inside = re.findall(rf"<{tapped}[ >].*?</{tapped}>", page, re.DOTALL)
        assert inside and not [item for item in inside if 'class="gloss"' in item]
