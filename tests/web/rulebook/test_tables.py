"""The rulebook by the conventions of a table, two tables side by side, the table card."""

import re
from html import unescape

import pytest
from tiers import FOUR_GAMES, mostly_at_night

from companion import library
from tests.web.browsers import Browser, words


@mostly_at_night("game", library.names(), FOUR_GAMES)
def test_a_preset_shows_the_rules_that_apply(client: Browser, game: str) -> None:
    """Those that do not are named at the end, each leading to its text; with `all` they stand marked."""
    for preset in [variety.name for variety in library.read_rulebook(game).varieties]:
        opened = library.open_game(game, preset)
        applies = {rule.id for rule in opened.book.rules_for(opened.conventions)}
        page = client.get(f"/en/rules/{game}?preset={preset}")
        whole = client.get(f"/en/rules/{game}?preset={preset}&all=1")
        for id, rule in opened.book.rules.items():
            assert 1 == page.text.count(f'id="{id}"')
            assert (f'<div class="rule-entry" id="{id}"' in page.text) == (id in applies)
            assert (f'<div class="rule-entry not-here" id="{id}"' in whole.text) == (id not in applies)
            assert (f'href="/en/rules/{game}?preset={preset}&amp;all=1#{id}"' in page.text) == (
                id not in applies
            )
            assert str(rule.text) in words(whole)
        assert whole.text.count(">not at this table<") == len(opened.book.rules) - len(applies)


def test_a_preset_marks_its_values(client: Browser) -> None:
    """What holds in Kharkov is marked, the other values stand beside it, the usual one named."""
    page = client.get("/en/rules/deberts?preset=kharkov")
    block = page.text.split('class="convention" id="run_tie"')[1].split("</div>")[0]
    assert re.search(
        r'class="here">That of whoever speaks first[^<]*<span class="tag mine">at this table', block
    )
    assert re.search(r"<li>The run in trumps is better[^<]*<span class=\"tag\">usual", block)
    assert 1 == page.text.count(">changed<")
    assert "rules that do not apply there are left out" in words(page)


def test_a_house_rule_that_is_off_keeps_its_values(client: Browser) -> None:
    """Its rule does not apply, so it stands under the house rules, with what it could be."""
    page = client.get("/en/rules/klaberjass?preset=standard").text
    assert 'class="rule-entry" id="klaberjass.play.bare-jass"' not in page
    house = page.split('id="conventions"')[1]
    block = house.split('class="convention" id="bare_jass"')[1].split("</div>")[0]
    assert 2 == block.count("<li") == len(library.read_rulebook("klaberjass").conventions["bare_jass"].values)
    assert 'href="#bare_jass"' in house


def test_a_match_leaves_out_what_it_does_not_play(client: Browser) -> None:
    """A set to a target knows no stake of one deal; its page says so."""
    page = client.get(f"/en/rules/deberts?match={client.start(game='deberts')}").text
    assert 'class="rule-entry" id="deberts.end.one-deal"' not in page
    assert 'class="rule-entry" id="deberts.end.both"' in page
    assert 'id="bait_stake"' not in page
    assert "in this match" in page


@pytest.mark.parametrize(("players", "here", "gone"), [("4", "fool", "team"), ("teams-4", "team", "fool")])
def test_so_many_players_have_their_rules(client: Browser, players: int, here: str, gone: str) -> None:
    """Each on their own there is a fool, in teams a team that lost; the number asked for is marked."""
    page = client.get(f"/en/rules/durak?players={players}").text
    assert f'class="rule-entry" id="durak.end.{here}"' in page
    assert f'class="rule-entry" id="durak.end.{gone}"' not in page
    assert re.search(rf'players={players}" aria-current="true"', page)


def test_the_number_of_a_game_with_one_size_changes_nothing(client: Browser) -> None:
    """Derda is for two: saying so is no table of its own."""
    assert "left out" not in client.get("/en/rules/derda?players=2").text
    assert 400 == client.get("/en/rules/derda?players=3").status_code


def test_empty_choices_are_none(client: Browser) -> None:
    """An address with empty fields shows all rules."""
    assert 200 == client.get("/en/rules/durak?preset=&players=&match=&q=").status_code


# --- two tables -----------------------------------------------------------------------------------


def contrasts(page: str) -> dict[str, bool]:
    """The conventions of a comparison: what each is called, and whether it is marked as different."""
    found = re.findall(
        r'class="contrast( differs)?">\s*<h3>([^<]*?)\s*(?:<span class="tag[^>]*>([\w ]+)<|</h3>)', page
    )
    assert all((word == "differs") == bool(marked) for marked, _label, word in found)
    return {label: bool(marked) for marked, label, _word in found}


def test_two_presets_differ(client: Browser) -> None:
    """Moscow and Kharkov: one house rule, with both values; with `all` the others too."""
    page = client.get("/en/rules/deberts/compare?a=moscow&b=kharkov")
    assert contrasts(page.text) == {"Runs of equal length and height": True}
    values = library.read_rulebook("deberts").conventions["run_tie"].values
    assert all(str(text) in words(page) for text in values.values())
    assert "1 house rule differs between Moscow and Kharkov." in words(page)
    whole = contrasts(client.get("/en/rules/deberts/compare?a=moscow&b=kharkov&all=1").text)
    opened = library.open_game("deberts")
    matters = [
        convention
        for convention in opened.book.conventions.values()
        if convention.matters(opened.conventions)
    ]
    assert len(whole) == len(matters)
    assert [label for label, differs in whole.items() if differs] == ["Runs of equal length and height"]


def test_rules_of_one_table_only(client: Browser) -> None:
    """A target has rules that one deal has not, and the other way round; what means nothing there is told."""
    page = client.get("/en/rules/deberts/compare?a=moscow&b=one-blow").text
    moscow, blow = page.split("Rules that apply only here: Moscow")[1].split(
        "Rules that apply only here: In one blow"
    )
    assert "deberts.end.both" in moscow and "deberts.end.one-deal" not in moscow
    assert "deberts.end.one-deal" in blow and "deberts.end.both" not in blow
    target = page.split("<h3>Target")[1].split("</dl>")[0]
    assert "501" in target and "It makes no difference there." in target


def test_a_match_beside_the_usual(client: Browser) -> None:
    """A match that deviates leads to what is different from its preset, and to its card."""
    id = client.start(rule_target="300", rule_penalty="replay")
    assert f'href="/en/rules/derda/compare?a=match:{id}"' in client.get(f"/en/rules/derda?match={id}").text
    page = client.get(f"/en/rules/derda/compare?a=match:{id}")
    assert contrasts(page.text) == {"Target": True, "What a revoke costs": True}
    assert "This match 300 Standard 500" in words(page)
    assert f'href="/en/sheets/derda/card?match={id}"' in page.text


def test_a_plain_match_has_nothing_to_compare(client: Browser) -> None:
    """Nothing changed, one preset: no link; the page all the same says that nothing differs."""
    id = client.start()
    assert "/compare" not in client.get(f"/en/rules/derda?match={id}").text
    assert "No house rule differs." in client.read(f"/en/rules/derda/compare?a=match:{id}")


def test_a_seating_is_no_difference(client: Browser) -> None:
    """The usual rules beside a match of teams are those of teams."""
    names = {f"name_{seat}": seat for seat in "ABCD"}
    id = client.start(game="durak", table="teams-4", rule_wrong_card="fool", **names)
    page = client.get(f"/en/rules/durak/compare?a=match:{id}")
    assert 1 == len(contrasts(page.text))


def test_two_matches_are_told_apart_by_their_players(client: Browser) -> None:
    """A match beside another."""
    one, other = client.start(rule_target="300"), client.start(name_A="Ola", name_B="Iwo")
    page = client.get(f"/en/rules/derda/compare?a=match:{one}&b=match:{other}")
    assert "Ewa · Jan 300 Ola · Iwo 500" in words(page)


def test_the_same_table_twice_is_said(client: Browser) -> None:
    """Nothing is compared with itself; an unknown preset is told which there are."""
    assert "Both are the same table." in client.read("/en/rules/deberts/compare?a=moscow&b=moscow")
    assert 200 == client.get("/en/rules/derda/compare").status_code
    wrong = client.get("/en/rules/deberts/compare?a=odessa")
    assert 400 == wrong.status_code and "kharkov" in words(wrong)


# --- the table card -------------------------------------------------------------------------------


def test_the_card_of_a_table_is_one_tap_away(client: Browser) -> None:
    """From the rulebook, by preset, number and match; there the paper is chosen."""
    id = client.start(rule_target="300")
    for page, card in (
        ("rules/derda", "derda/card"),
        ("rules/deberts?preset=kharkov", "deberts/card?preset=kharkov"),
        ("rules/durak?players=3", "durak/card?players=3"),
        (f"rules/derda?match={id}", f"derda/card?match={id}"),
    ):
        assert f'href="/en/sheets/{card}"' in client.get(f"/en/{page}").text
        shown = client.get(f"/en/sheets/{card}")
        for paper in ("a4", "a5", "letter"):
            game, _, query = card.partition("/card")
            link = f"/en/sheets/{game}/card.pdf?paper={paper}{query.replace('?', '&amp;')}"
            assert f'href="{link}"' in shown.text
        assert "Rulebook 2, 29 November 2026" in words(shown)
    assert "Target : 300 *" in client.read(f"/en/sheets/derda/card?match={id}")


@pytest.mark.nightly  # `tests/unit/sheets` prints one before a commit
def test_the_card_is_printed(client: Browser) -> None:
    """For a match and for so many players, on the paper chosen; no other paper is known."""
    id = client.start(rule_target="300")
    for query in (f"derda/card.pdf?match={id}&paper=a5", "durak/card.pdf?players=teams-6"):
        answer = client.get(f"/en/sheets/{query}")
        assert (200, "application/pdf") == (answer.status_code, answer.mimetype)
    assert 400 == client.get("/en/sheets/derda/card.pdf?paper=a3").status_code


@mostly_at_night("preset", ["standard", "perevodnoy", "perevodnoy-pass-card", "online"], {"perevodnoy"})
@pytest.mark.parametrize("address", ["/en/rules/durak", "/en/sheets/durak/card"])
def test_no_choice_leads_to_a_table_that_cannot_be(client: Browser, address: str, preset: str) -> None:
    """No attack is transferred in teams: what is tapped last is shown, the other choice left out."""
    alone = client.get(address, query_string={"preset": preset, "players": "4"})
    teams = client.get(address, query_string={"players": "teams-4"})
    addresses = {
        unescape(found)
        for answer in (alone, teams)
        for found in re.findall(rf'href="({address}\?[^"]*)"', answer.text)
    }
    assert any("teams-6" in address for address in addresses)
    for item in addresses:
        assert client.get(item).status_code == 200, item
    offered = set(re.findall(r'<option value="([\w-]+)"', teams.text))
    assert offered <= {"standard"}


def test_other_names_of_a_variety_are_not_offered_twice(client: Browser) -> None:
    """The plain game of Durak goes by two names in records; pages have one of them."""
    for page in ("/en/rules/durak", "/en/rules/durak/compare", "/en/ask/durak/beat", "/en/sheets/durak/card"):
        shown = client.get(page)
        assert shown.status_code == 200
        assert not re.search(r"\bpreset=podkidnoy|value=.podkidnoy", shown.text), page
    assert 'value="perevodnoy" selected' in client.get("/en/rules/durak/compare").text
    other = client.get("/en/rules/durak?preset=podkidnoy").text
    assert re.search(r'aria-current="true">Podkidnoy<', other)
