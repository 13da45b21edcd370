"""The rulebook pages: every rule under its id, conventions with their values, search."""

import re
from html import unescape

import pytest

from companion import library
from tests.web.browsers import Browser, words


@pytest.mark.parametrize("game", library.names())
def test_every_convention_stands_with_all_its_values(client: Browser, game: str) -> None:
    """Each convention shows its values, and marks the usual one."""
    page = client.get(f"/en/rules/{game}")
    for convention in library.read_rulebook(game).conventions.values():
        block = page.text.split(f'class="convention" id="{convention.name}"')[1].split("</div>")[0]
        assert 1 == block.count(">usual<")
        assert all(str(text) in words(page) for text in convention.values.values())


def test_a_match_shows_what_it_plays(client: Browser) -> None:
    """With a match its values are marked, and changed ones named."""
    id = client.start(rule_target="300", rule_penalty="replay")
    page = client.get(f"/en/rules/derda?match={id}")
    block = page.text.split('id="penalty"')[1].split("</div>")[0]
    assert re.search(r'class="here">The deal is void.*in this match', block, re.S)
    block = page.text.split('id="target"')[1].split("</div>")[0]
    assert re.search(r'class="here">300', block)
    assert 2 == page.text.count(">changed<")


def test_a_search_keeps_the_rules_that_hold_all_words(client: Browser) -> None:
    """Two words keep the rules with both, whatever their case; the count says how many."""
    page = client.get("/en/rules/derda?q=TRUMP+beaten")
    assert 'id="derda.play.trump-led"' in page.text
    assert 'id="derda.play.ruff"' not in page.text
    assert "1 rule with “TRUMP beaten”" in words(page)


def test_a_search_without_a_find_says_so(client: Browser) -> None:
    """Nothing found is said, the words escaped, and everything can be shown again."""
    page = client.get("/en/rules/derda?q=<b>zebra")
    assert "No rule with “<b>zebra”" in words(page)
    assert "<b>zebra" not in page.text
    assert "Show all" in words(page)


def test_a_rule_leads_to_the_question_that_it_settles(client: Browser) -> None:
    """The chapter of the rule on ruffing ends with the question whether a card may be played, once."""
    page = client.get("/en/rules/derda").text
    chapter = page.split('id="derda.play.ruff"')[1].split("</section>")[0]
    assert chapter.count('href="/en/ask/derda/play"') == 1


def test_orders_are_drawn_as_cards(client: Browser) -> None:
    """The order of trumps is a row of cards, jack first."""
    page = client.get("/en/rules/derda").text
    entry = page.split('id="derda.cards.trump-order"')[1].split('class="rule-entry"')[0]
    assert ["J", "9", "A", "10", "K", "Q", "8", "7"] == re.findall(r'class="rank">([^<]*)<', entry)


def test_version_and_source_are_shown(client: Browser) -> None:
    """The page says which version it is, of which day, and after what it was written."""
    text = client.read("/en/rules/derda")
    book = library.read_rulebook("derda")
    assert (book.version, book.dated) == ("2", "2026-11-29")
    assert "Rulebook version 2 of 29 Nov 2026." in text
    assert next(iter(book.rules.values())).source in text


@pytest.mark.parametrize(
    "path",
    [
        "/en/rules/derda?match=AAAAAAAAAAAAAAAAAAAAAA",
        "/en/rules/derda/compare?a=match:AAAAAAAAAAAAAAAAAAAAAA",
        "/en/sheets/derda/card.pdf?match=AAAAAAAAAAAAAAAAAAAAAA",
    ],
)
def test_what_does_not_exist_is_not_found(client: Browser, path: str) -> None:
    """Unknown matches answer 404."""
    assert 404 == client.get(path).status_code


@pytest.mark.parametrize("page", ["rules/durak", "sheets/durak/card", "sheets/durak/card.pdf"])
@pytest.mark.parametrize(("query", "known"), [("preset=odessa", "standard"), ("players=7", "teams-4")])
def test_an_unknown_table_is_refused(client: Browser, page: str, query: str, known: str) -> None:
    """An unknown preset or number of players: which there are."""
    answer = client.get(f"/en/{page}?{query}")
    assert 400 == answer.status_code
    assert known in words(answer)
    assert "Nothing was saved" not in words(answer)


def test_a_match_of_another_game_has_no_rules_here(client: Browser) -> None:
    """The rules of one game are not shown for a match of another, nor compared, nor printed."""
    id = client.start()
    for path in (
        f"rules/durak?match={id}",
        f"rules/durak/compare?a=match:{id}",
        f"sheets/durak/card?match={id}",
    ):
        assert 404 == client.get(f"/en/{path}").status_code


def test_the_shelf_lists_every_game(client: Browser) -> None:
    """All rulebooks are linked."""
    page = client.get("/en/rules").text
    assert all(f'href="/en/rules/{name}"' in page for name in library.names())


@pytest.mark.parametrize("game", library.names())
def test_cards_come_first(client: Browser, game: str) -> None:
    """Whatever a game inherits, its first chapter says how the cards rank."""
    page = client.get(f"/en/rules/{game}").text
    first = page.split('id="chapter-1"')[1].split('id="chapter-2"')[0]
    book = library.read_rulebook(game)
    (rule,) = book.cite("cards.plain-order" if book.knows("cards.plain-order") else "deck")
    assert f'id="{rule.id}"' in first


def test_the_queen_leads_the_czech_trumps(client: Browser) -> None:
    """Three orders of one rule are three rows, each under its name; fours have a row of their own."""
    page = client.get("/en/rules/darda").text
    entry = page.split('id="czech.cards"')[1].split('class="rule-entry"')[0]
    rows = [re.findall(r'class="rank">([^<]*)<', row) for row in entry.split('class="order"')[1:]]
    assert ["Q", "9", "A", "10", "K", "J", "8", "7"] == rows[0]
    assert ["A", "10", "K", "Q", "J", "9", "8", "7"] == rows[1]
    assert ["A", "K", "Q", "J", "10", "9", "8", "7"] == rows[2]
    entry = page.split('id="czech.meld.fours"')[1].split('class="rule-entry"')[0]
    assert ["Q", "9", "A", "10", "K", "J"] == re.findall(r'class="rank">([^<]*)<', entry)


def test_a_house_rule_that_needs_another_says_so(client: Browser) -> None:
    """What a line of mars is good for is told with it; the table of house rules leaves it out till then."""
    page = client.get("/en/rules/deberts")
    block = page.text.split('class="convention" id="mars_line"')[1].split("</div>")[0]
    assert "Only where “Mars” is: A loser under the line makes it two to nothing." in block
    table = page.text.split('id="conventions"')[1]
    label = library.read_rulebook("deberts").conventions["mars_line"].label
    assert f">{label}<" not in table


@pytest.mark.parametrize(("deck", "players", "lowest"), [("36", 4, "6"), ("52", 6, "2"), ("24", 2, "9")])
def test_the_pack_in_use_is_drawn(client: Browser, deck: str, players: int, lowest: str) -> None:
    """The pack of the table stands in one row from the ace down to its six, the usual one without a table."""
    names = {f"name_{seat}": seat for seat in "ABCDEF"[:players]}
    id = client.start(game="durak", table=str(players), rule_deck=deck, **names)
    for page, low in (
        (client.get(f"/en/rules/durak?match={id}").text, lowest),
        (client.get("/en/rules/durak").text, "6"),
    ):
        entry = page.split('id="durak.deck"')[1].split('class="rule-entry"')[0]
        ranks = re.findall(r'class="rank">([^<]*)<', entry.split('class="order"')[1])
        assert (ranks[0], ranks[-1]) == ("A", low)


def test_usual_is_what_is_usual_for_so_many(client: Browser) -> None:
    """Who throws in follows from the number and the teams; nothing is called changed that was left alone."""
    six = {f"name_{seat}": seat for seat in "CDEF"}
    for table, usual in (("6", "The defender’s two neighbours only"), ("teams-6", "Every opponent")):
        page = client.get(f"/en/rules/durak?match={client.start(game='durak', table=table, **six)}").text
        block = page.split('class="convention" id="throwers"')[1].split("</div>")[0].replace("&#39;", "'")
        assert re.search(rf'class="here">{usual}[^<]*<span class="tag">usual', block)
        assert page.count(">changed<") == (table == "teams-6")  # who plays with whom


def test_a_rule_of_durak_leads_to_its_question(client: Browser) -> None:
    """Ask below the rules of the chapter how the turn goes, and who may throw in there."""
    page = client.get("/en/rules/durak").text
    for rule, question in (("turn.teams", "turn"), ("throw.who", "throw-in"), ("six.exchange", "six")):
        chapter = page.split(f'id="durak.{rule}"')[1].split("</section>")[0]
        assert f'href="/en/ask/durak/{question}"' in chapter


# --- the search -----------------------------------------------------------------------------------


def test_found_words_are_marked_in_the_whole_paragraph(client: Browser) -> None:
    """Every place of every word, in the text and in the id, and nothing of the rule left away."""
    page = client.get("/en/rules/derda?q=trump+BEATEN")
    entry = page.text.split('id="derda.play.trump-led"')[1].split('class="rule-entry"')[0]
    assert "A led <mark>trump</mark> must be <mark>beaten</mark> with a higher <mark>trump</mark>" in entry
    assert "derda.play.<mark>trump</mark>-led</a>" in entry
    assert str(library.read_rulebook("derda").rules["derda.play.trump-led"].text) in " ".join(
        re.sub("<[^>]+>", "", entry).split()
    )


@pytest.mark.parametrize("words_typed", ["wyzszy", "wyższy", "WYŻSZY"])
def test_a_search_needs_no_accents(client: Browser, words_typed: str) -> None:
    """In Polish too, where the letters stand with or without theirs; the letters of the text are marked."""
    page = client.get(f"/pl/rules/derda?q={words_typed}").text
    assert re.search(r"<mark>[Ww]yższy</mark>", page)


def test_a_search_in_english_is_found_on_a_polish_page(client: Browser) -> None:
    """The paragraph stands in Polish, and below it in English with the word marked."""
    page = client.get("/pl/rules/derda?q=beaten").text
    entry = page.split('id="derda.play.trump-led"')[1].split('class="rule-entry"')[0]
    assert 'lang="en">A led trump must be <mark>beaten</mark>' in entry


def test_a_search_keeps_to_the_table(client: Browser) -> None:
    """What does not apply there is not found, but named; the form keeps the table."""
    page = client.get("/en/rules/deberts?preset=moscow&q=dive+accepted")
    assert "No rule with “dive accepted” applies at this table." in words(page)
    assert (
        'href="/en/rules/deberts?q=dive+accepted&amp;preset=moscow&amp;all=1#deberts.dive.accept"'
        in page.text
    )
    assert '<input type="hidden" name="preset" value="moscow">' in page.text


def test_nothing_found_says_what_would_be(client: Browser) -> None:
    """Of several words each that is found alone, and how often; of a long word its beginning."""
    page = client.get("/en/rules/derda?q=zebra+trumpets")
    assert "No rule with “zebra trumpets”" in words(page)
    assert re.search(r'href="/en/rules/derda\?q=trump">trump</a>\s+\(\d+\)', page.text)
    assert 'href="/en/rules?q=zebra+trumpets"' in page.text


def test_the_shelf_searches_every_game(client: Browser) -> None:
    """Grouped by game, whole paragraphs with ids that lead to them; an inherited rule is told once."""
    page = client.get("/en/rules?q=trump+beaten")
    assert "rules with “trump beaten”" in words(page)
    text = str(library.read_rulebook("klaberjass").rules["klaberjass.play.overtrump"].text)
    assert 1 == re.sub("<[^>]+>", "", page.text).count(text)
    for game, rule in (("derda", "derda.play.trump-led"), ("bulka", "klaberjass.play.overtrump")):
        group = page.text.split(f'<h2 id="{game}">')[1].split("</section>")[0]
        assert f'href="/en/rules/{game}#{rule}"' in group


def test_the_shelf_teaches_too(client: Browser) -> None:
    """Nothing found in any game: what would be, and the games are still there."""
    page = client.get("/en/rules?q=zebra+trumpets")
    assert "No rule with “zebra trumpets”" in words(page)
    assert 'href="/en/rules?q=trumpe">trumpe</a>' in page.text  # trumped
    assert 'href="/en/rules/derda"' in page.text


def test_marking_escapes() -> None:
    """A text is a text, whatever is searched in it; touching finds are one mark."""
    from companion.web.rulebook.search import RuleSearch

    assert RuleSearch("b i").mark("<b>&i") == "&lt;<mark>b</mark>&gt;&amp;<mark>i</mark>"
    assert RuleSearch("aa").mark("aaa") == "<mark>aaa</mark>"
    assert RuleSearch("zolw").mark("Żółwie") == "<mark>Żółw</mark>ie"
    assert RuleSearch("").mark("a") == "a"
    assert RuleSearch("a").mark("") == ""


def test_shorter_searches_keep_three_letters() -> None:
    """Each word alone, then without more and more of its end."""
    from companion.web.rulebook.search import RuleSearch

    shorter = RuleSearch("of trumps").shorter_searches()
    assert [search.text for search in shorter] == ["of", "trumps", "trump", "trum", "tru"]


def test_varieties_stand_side_by_side(client: Browser) -> None:
    """What each of them is and sets, in the rulebook of all; of one table, or found words, nothing."""
    page = unescape(client.get("/en/rules/durak").text)
    blocks = page.split('<div class="variant">')[1:]
    assert [name for block in blocks for name in re.findall(r"<h3><a[^>]*>([^<]*)<", block)] == [
        "Podkidnoy",
        "Perevodnoy",
        "Perevodnoy with a pass card",
        "As played online",
    ]
    online = re.sub(r"<[^>]+>", "", blocks[3].split("</ul>")[0].split("<ul>")[1].replace("</li>", "|"))
    assert online.split("|")[:-1] == [
        "Transferring the attack: Perevodnoy: with a card of the rank attacked, the defender passes the "
        "attack on.",
        "Attack cards in a hand’s first bout: At most five.",
        "How long the first bout’s limit lasts: For every bout up to the first that is beaten off, that one "
        "included.",
    ]
    for address in ("durak?preset=online", "durak?players=4", "durak?q=talon", "derda"):
        assert 'class="variant"' not in client.get(f"/en/rules/{address}").text


def test_a_page_made_once_holds_nothing_of_who_looked_first(client: Browser, other: Browser) -> None:
    """Two matches with the same rules share a page but for their addresses; other rules have their own."""
    first, second, differing = (
        client.start(rule_target="300"),
        client.start(rule_target="300"),
        client.start(rule_target="350"),
    )
    pages = {}
    for browser, id in ((client, first), (other, second), (client, differing)):
        address = f"/en/rules/derda?match={id}"
        pages[id] = browser.get(address).text
        assert browser.get(address).text == pages[id]
        assert id in pages[id]
        assert not any(another in pages[id] for another in (first, second, differing) if another != id)
    assert pages[first].replace(first, second).partition("<article")[2] in pages[second]
    assert ">350<" in re.sub(r"\s", "", pages[differing])
    assert ">350<" not in re.sub(r"\s", "", pages[first])


def test_a_second_look_has_the_same_tooltips(client: Browser) -> None:
    """The words that a page explains are explained when it comes out of the cache, in each language."""
    for address in ("/en/rules/derda", "/pl/rules/derda"):
        first, second = (re.findall(r'<div popover id="([^"]+)"', client.get(address).text) for _look in "12")
        assert first
        assert first == second
