"""A match begins: names of any script, who deals, house rules, totals from paper; nothing typed is lost."""

import json
import re
from collections.abc import Callable
from html import escape, unescape

import pytest
from plain_browser import PlainBrowser

from companion import library
from tests.web.browsers import Browser, words

Start = Callable[..., str]


GROUPS = ("house-bidding-and-play", "house-melds", "house-scoring", "house-end-of-the-game")


def form_fields(**changes: str) -> dict[str, str]:
    fields = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A"}
    return fields | {key.replace("_", "-", 1): change for key, change in changes.items()}


def test_two_names_and_a_dealer_are_enough(client: Browser) -> None:
    """The match has an address nobody can guess, and pins every convention it is played by."""
    id = client.start()
    assert len(id) == 22
    head = client.match(id).written_head
    assert head["players"] == ["Ewa", "Jan"]
    assert head["first_dealer"] == "A"
    assert set(head["conventions"]) == set(library.read_rulebook(head["game"]).conventions)


@pytest.mark.parametrize(
    "name",
    [
        "Ż",
        "Łucja Śmigły-Rydz",
        "محمد عبد الله",
        "Дарья",
        "Z̷̢a̸l̵g̶o̷",
        "<b>Jan</b>",
        "👩‍👩‍👧 家族",
        "x" * 40,
        "%(count)s {0}",
    ],
)
def test_names_of_any_script(client: Browser, name: str) -> None:
    """A name is shown as it was typed, marks included, and never becomes part of the page."""
    id = client.start(name_A=name)
    page = client.get(f"/en/m/{id}").text
    assert str(escape(name, quote=False)) in page
    assert "<b>Jan</b>" not in page


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name_A": "  "}, "Required; a single letter will do."),
        ({"name_A": "x" * 41}, "At most 40 characters; these are 41."),
        ({"name_B": "Ewa"}, "This name is taken"),
        ({"dealer": ""}, "Say who deals first"),
        ({"dealer": "Z"}, "Say who deals first"),
        ({"dealer": "draw"}, "Tap the card that Ewa drew."),
        ({"dealer": "draw", "drawn_A": "AS", "drawn_B": "AS"}, "cannot have drawn the same card"),
        ({"dealer": "draw", "drawn_A": "AS", "drawn_B": "AH"}, "A tie: draw again."),
        ({"total_A": "many"}, "A whole number, such as 240."),
        ({"held": "30 x"}, "Whole numbers with a space between them"),
        ({"place": "x" * 201}, "At most 200 characters; these are 201."),
    ],
)
def test_what_is_wrong_is_said_and_what_was_entered_stays(
    client: Browser, changes: dict[str, str], sentence: str
) -> None:
    """A sentence at the field says what would be right; the form comes back as it was filled in."""
    answer = client.post("/en/new", data=form_fields(place="Łódź") | form_fields(**changes))
    assert answer.status_code == 422
    assert sentence in words(answer)
    for field, value in form_fields(**changes).items():
        if field.startswith(("name", "total", "held", "place")):
            assert f'value="{escape(value)}"' in answer.text, field
    assert client.get("/en/").text.count('class="resume"') == 0


def test_a_convention_out_of_its_bounds(client: Browser) -> None:
    """A number that a convention cannot take is refused with the bounds it has; a made-up choice too."""
    book = library.read_rulebook(library.names()[0])
    number = next(convention for convention in book.conventions.values() if not convention.values)
    choice = next(convention for convention in book.conventions.values() if convention.values)
    wrong = {f"rule-{number.name}": str(number.most + 1), f"rule-{choice.name}": "made-up"}
    answer = client.post("/en/new", data=form_fields() | wrong)
    assert answer.status_code == 422
    assert f"A whole number from {number.least} to {number.most}." in words(answer)
    assert "Choose one of these." in words(answer)


def test_house_rules_are_kept(client: Browser) -> None:
    """What a table agreed on is in the match, told apart from what is usual."""
    book = library.read_rulebook(library.names()[0])
    choice = next(convention for convention in book.conventions.values() if convention.values)
    other = next(value for value in choice.values if value != choice.default)
    head = client.match(client.start(**{f"rule_{choice.name}": str(other)})).written_head
    assert head["conventions"][choice.name] == other
    game = library.open_game(head["game"], head["preset"], head["conventions"])
    assert [(item.name, value) for item, value in game.deviations()] == [(choice.name, other)]


def test_every_convention_is_offered(client: Browser) -> None:
    """Under house rules stands every convention of the game with what each value changes."""
    text = client.read("/en/new")
    for convention in library.read_rulebook(library.names()[0]).conventions.values():
        assert convention.label in text
        for meaning in convention.values.values():
            assert str(meaning) in text


def test_drawn_cards_settle_who_deals(client: Browser) -> None:
    """The cards are compared by the game, and the board says who deals."""
    data = form_fields(dealer="draw", drawn_A="AS", drawn_B="JH")
    answer = client.post("/en/new", data=data)
    assert answer.status_code == 303
    assert client.match(answer.location.rsplit("/", 1)[1]).written_head["first_dealer"] == "B"
    assert "By the cards drawn, Jan deals first." in client.read(answer.location)


def test_a_match_begun_on_paper(client: Browser) -> None:
    """Totals and held points stand on the board at once, and the dealer deals on."""
    id = client.start(total_A="240", total_B="198", held="30, 45", dealer="B")
    text = client.read(f"/en/m/{id}")
    assert "240" in text
    assert "198" in text
    assert "30 + 45" in text
    assert "Taken over from paper." in text
    record = client.get(f"/en/m/{id}/record.json").get_json()
    opening = {"type": "opening", "totals": {"A": 240, "B": 198}, "held": [30, 45], "dealer": "B"}
    assert record["entries"] == [opening]


@pytest.mark.parametrize(
    ("game", "rules", "asked"),
    [
        ("derda", {}, True),
        ("klaberjass", {}, False),
        ("klaberjass", {"rule-tie": "carry"}, True),
        ("klaberjass-3", {}, None),
        ("deberts", {"rule-party": "target"}, True),
        ("deberts", {"rule-party": "one-deal"}, False),
    ],
)
def test_held_points_are_asked_for_where_a_tie_holds_any(
    client: Browser, game: str, rules: dict[str, str], asked: bool | None
) -> None:
    """Hidden where another choice would hold them; those carried along from another game are not written."""
    table = library.seatings(game)[0]
    sent = form_fields(game=game, total_A="9", held="30", name_C="Ola") | {"table": table.name} | rules
    page = client.post("/en/new", data=sent | {"step": "show"}).text
    field = re.search(r'<div class="field" data-ways="[^"]*"( hidden)?>\s*<label for="held">', page)
    assert (field and not field[1]) == asked
    if rules.get("rule-party") == "one-deal":  # no totals stand before the only deal
        answer = client.post("/en/new", data=sent)
        assert (
            answer.status_code == 422 and "One deal is the game, so no totals stand before it." in answer.text
        )
        return
    id = client.post("/en/new", data=sent).location.rsplit("/", 1)[1]
    assert client.log(id)[0].payload.get("held", []) == ([30] if asked else [])
    correction = client.get(f"/en/m/{id}/entries/1?edit=1").text
    assert ('name="held"' in correction) == bool(asked)
    assert client.fill(id, "entries/1", seq=1, total_A="8", total_B="7", total_C="6").status_code == 303


def test_words_of_a_game_keep_their_capitals(client: Browser) -> None:
    """Where one begins a line only its first letter is made large: German nouns within stay as they are."""
    id = client.start(game="deberts")
    assert "Bait auf die Karten" in client.read(f"/de/m/{id}/deal")


def test_what_games_are_is_said_once(client: Browser) -> None:
    """Beside the target that the summary names, a game of one variety does not name it again."""
    page = client.get("/en/new").text
    (derda,) = re.findall(r"<dt>Derda</dt>\s*<dd>(.*?)</dd>", page, re.S)
    assert derda.count("500") == 1


def test_names_of_before_are_offered(client: Browser, other: Browser) -> None:
    """Players of one's own matches come back as chips, those of the last match first; nobody else's do."""
    for name in ("Zofia", "Zofia", "Ola"):  # how often counts for those of before only
        client.start(name_A=name)
    page = client.get("/en/new").text
    assert page.index('data-name="Ola"') < page.index('data-name="Zofia"')
    assert "data-name=" not in other.get("/en/new").text.replace("data-name-of", "")


def shown(game: str, preset: str = "standard", table: str = "2") -> dict[str, str]:
    """What a page of this game sends along about itself."""
    return {"shown-game": game, "shown-preset": preset, "shown-table": table, "step": "show"}


def test_showing_another_choice_loses_nothing(client: Browser) -> None:
    """Looking at another game starts no match; names, totals, dealer and house rules are there afterwards."""
    page = PlainBrowser(client)
    page.open("/en/new?game=derda")
    typed = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A", "drawn-A": "JH", "place": "Łódź"}
    typed |= {"total-A": "240", "held": "30", "rule-target": "321"}
    page.fill(**typed)
    for game in ("durak", "klaberjass", "derda"):  # each asks for other things
        page.fill(game=game)
        page.tap('[name="step"][value="show"]')
        if game == "klaberjass":
            assert page.value("rule-target") == "500"
            page.fill(**{"rule-target": "400"})
    assert {name: page.value(name) for name in typed} == typed
    assert client.get("/en/").text.count('class="resume"') == 0


def test_house_rules_of_another_game_are_not_played(client: Browser) -> None:
    """What was chosen for one game waits for it, and says nothing in another."""
    typed = form_fields(rule_target="321") | shown("derda") | {"game": "klaberjass", "preset": "zensa"}
    page = client.post("/en/new", data=typed).text
    assert "aside/derda/standard/rule-target" in page
    answer = client.post(
        "/en/new",
        data=form_fields(game="klaberjass", preset="zensa") | {"aside/derda/standard/rule-target": "321"},
    )
    head = client.match(answer.location.rsplit("/", 1)[1]).written_head
    assert (head["game"], head["preset"], head["conventions"]["target"]) == ("klaberjass", "zensa", 500)


def test_the_last_match_is_begun_again(client: Browser, other: Browser) -> None:
    """Game, variety, players and house rules stand there as the last match had them; who deals is open."""
    client.start(game="deberts", preset="kharkov", rule_target="301", place="Café", name_A="Zofia")
    page = client.get("/en/new").text
    for field in ('name="game" value="deberts" checked', 'name="preset" value="kharkov"'):
        assert field in page
    assert 'name="rule-target" value="301"' in page
    assert 'name="name-A" value="Zofia"' in page
    assert "Café" not in page
    assert not re.search(r'name="dealer"[^>]* checked', page)
    assert '<details class="fold games" id="games">' in page
    usual = client.post(
        "/en/new", data={"game": "deberts", "preset": "kharkov", "step": "usual", "rule-target": "301"}
    )
    assert 'name="rule-target" value="501"' in usual.text
    first = other.get("/en/new").text
    assert '<details class="fold games" id="games" open>' in first
    assert f'name="game" value="{library.names()[0]}" checked' in first


def test_teams_are_drawn(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the server for a browser without scripts: all names, on other seats; two alone have no partners."""
    monkeypatch.setattr("secrets.SystemRandom.shuffle", lambda _self, names: names.reverse())
    names = {"name-A": "Ewa", "name-B": "Jan", "name-C": "Ola", "name-D": "Piotr"}
    page = client.post("/en/new", data={"game": "belote", "step": "teams", **names}).text
    assert re.findall(r'name="name-\w" value="(\w+)"', page) == ["Piotr", "Ola", "Jan", "Ewa"]
    assert 'value="teams"' in page
    assert 'value="teams"' not in client.get("/en/new?game=derda").text


def offered(page: str) -> list[str]:
    return re.findall(r'name="game" value="([\w-]+)"', page)


def test_games_played_here_stand_first(client: Browser) -> None:
    """The last one before the others, then as on the shelf; every game once, in one list."""
    client.start(game="bulka")
    client.start(game="darda", name_C="Ola", name_D="Piotr")
    page = client.get("/en/new").text
    rest = [game for game in library.names() if game not in ("darda", "bulka")]
    assert offered(page) == ["darda", "bulka", *rest]
    assert "More games" not in page


@pytest.mark.parametrize(
    ("language", "first"),
    [
        ("en", ["derda", "klaberjass", "deberts"]),
        ("fr", ["belote", "coinche", "contree", "derda"]),
        ("hr", ["bela", "bela-2", "bela-3", "derda"]),
        ("cs", ["bulka", "darda", "derda"]),
        ("de", ["klaberjass", "derda"]),
        ("uk", ["deberts", "durak", "deberts-3"]),
    ],
)
def test_games_played_in_the_language_of_the_page_stand_first(
    other: Browser, language: str, first: list[str]
) -> None:
    """To a newcomer, who sees six and the others behind one fold; the first one is chosen."""
    page = other.get(f"/{language}/new").text
    shown, others = page.split('id="more-games"')
    assert offered(shown)[: len(first)] == first and len(offered(shown)) == 6
    assert sorted(offered(page)) == sorted(library.names())
    assert f'value="{first[0]}" checked' in shown and not others.startswith(" open")
    assert 'id="more-games" open' in other.get(f"/{language}/new?game=clabber").text
    front = re.findall(r'href="/\w\w/new\?game=([\w-]+)"', other.get(f"/{language}/").text)
    assert front == offered(shown)


def test_a_game_is_found_by_any_of_its_names(client: Browser) -> None:
    """Its titles in every language, its varieties, and its own words, in whatever language the page is."""
    (found,) = re.findall(
        r'data-titles="([^"]*)" data-words="([^"]*)"><[^>]*"durak"', client.get("/de/new").text
    )
    assert {"Durak", "Дурак", "Дурень", "Dureń", "Perevodnoy"} <= {*found[0].split()}
    assert {"talon", "Angreifer"} <= {*found[1].split()}


@pytest.mark.parametrize(
    ("sought", "game"), [("Belote à deux", "klaberjass"), ("Belote à trois", "klaberjass-3")]
)
def test_a_name_leads_to_the_game_that_is_mostly_meant(client: Browser, sought: str, game: str) -> None:
    """To no other one, in any language; and a sentence says that it is that."""
    page = client.get("/fr/new").text
    tiles = re.findall(r'data-titles="([^"]*)"[^>]*><[^>]*name="game" value="([\w-]+)"', page)
    assert [name for titles, name in tiles if sought in unescape(titles)] == [game]
    assert "Most tables that play Belote with" in str(library.read_rulebook(game).summary)


def test_house_rules_that_differ_are_counted(client: Browser) -> None:
    """At the fold of all and at that of each group, so that nobody plays by them unawares."""
    page = PlainBrowser(client)
    page.open("/en/new?game=coinche")
    assert page.text("#house > summary") == "House rules as usual"
    hidden = {"rule-generale_bid": "1000"}
    page.fill(**{"rule-target": "2000", "rule-tie": "bait", "rule-rounding": "off"}, **hidden)
    page.tap('[value="rules"]')
    assert page.text("#house > summary") == "House rules 3 differ"
    heads = [page.text(f"#{fold} > summary") for fold in GROUPS]
    assert heads == ["Bidding and play", "Melds", "Scoring 2 differ", "End of the game 1 differs"]
    opened = {"house", "house-scoring", "house-end-of-the-game"}
    assert {fold for fold in ("house", *GROUPS) if page.find(f"#{fold}[open]")} == opened
    page.tap("button", says="All as usual")
    assert page.text("#house > summary") == "House rules as usual"
    assert page.value("rule-target") == "1000"


def test_a_usual_table_is_one_tap(client: Browser) -> None:
    """Without a script too: what it sets is there, what was typed stays, what was agreed on comes back."""
    page = PlainBrowser(client)
    page.open("/en/new?game=coinche")
    typed = {"name-A": "Ewa", "name-C": "Ola", "dealer": "B", "place": "Łódź", "total-A": "240"}
    page.fill(**typed, **{"rule-tie": "bait"})
    page.tap(".presets button", says="As tables play")
    assert {name: page.value(name) for name in typed} == typed
    chosen = ("preset", "rule-generale", "rule-contracts", "rule-tie")
    assert [page.value(name) for name in chosen] == ["all-contracts", "on", "all", "hang"]
    assert page.text("#house > summary") == "House rules as usual"
    assert page.text('.presets [aria-pressed="true"]') == "As tables play"
    assert page.text("#variant").startswith("No-trumps, all trumps and générale too")
    page.tap(".presets button", says="As the federation has it")
    assert [page.value(name) for name in chosen] == ["standard", "off", "suits", "bait"]
    assert client.get("/en/").text.count('class="resume"') == 0


def test_usual_tables_stand_at_the_house_rules_of_who_played_before(client: Browser) -> None:
    """A newcomer finds them below the games; a tap leaves the fold open in which they stand."""
    page = PlainBrowser(client)
    page.open("/en/new")
    page.fill(game="belote")
    page.tap('[value="show"]')
    assert page.find("#what > #preset") and not page.find("#house #preset, #games[open]")
    client.start(game="belote", name_C="Ola", name_D="Piotr")
    page.open("/en/new")
    assert page.find("#house #preset") and not page.find("#house[open]")
    page.tap("#house button", says="As the federation has it")
    assert page.find("#house[open]") and page.value("preset") == "ffb"


def test_a_game_that_is_asked_for(client: Browser) -> None:
    """A game in the address is shown as it was last played here; one never played has the players' names."""
    client.start(game="klaberjass", preset="zensa", name_A="Zofia")
    client.start(name_A="Ola")
    page = client.get("/en/new?game=klaberjass").text
    assert 'name="preset" value="zensa"' in page
    assert 'name="name-A" value="Zofia"' in page
    page = client.get("/en/new?game=klaberjass&preset=standard").text
    assert 'name="preset" value="standard"' in page
    page = client.get("/en/new?game=bulka").text
    assert 'name="game" value="bulka" checked' in page
    assert 'name="name-A" value="Ola"' in page


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"name_B": ""}, "name-B", "Player 2 : Required; a single letter will do."),
        ({"name_A": "", "name_B": ""}, "name-A", "Player 1 : Required; a single letter will do. And 1 more."),
        ({"dealer": ""}, "dealer-A", "Say who deals first, or draw cards for it."),
        ({"dealer": "draw"}, "draw", "Tap the card that Ewa drew. And 1 more."),
        ({"rule_target": "7"}, "rule-target", "Target : A whole number from 10 to 9999."),
        ({"total_A": "many"}, "total-A", "Begun on paper : A whole number, such as 240."),
        ({"held": "x"}, "held", "Held points : Whole numbers with a space between them"),
        ({"place": "x" * 201}, "place", "Place : At most 200 characters; these are 201."),
    ],
)
def test_an_error_is_said_beside_the_button(
    client: Browser, changes: dict[str, str], field: str, sentence: str
) -> None:
    """What is wrong first stands beside Start and leads to its field, which has the focus."""
    answer = client.post("/en/new", data=form_fields(**changes))
    assert answer.status_code == 422
    bar = answer.text[answer.text.index('<div class="actions">') :]
    assert sentence in words(answer)[-600:]
    assert 'role="alert"' in bar
    focused = re.findall(r"<input[^>]* autofocus[^>]*>", answer.text)
    assert len(focused) == 1
    assert f'id="{field}"' in focused[0]
    if " : " in sentence:
        assert f'href="#{field}"' in bar


def test_an_error_of_a_choice_has_the_focus(client: Browser) -> None:
    """Where no field has the name, the first of the choices."""
    book = library.read_rulebook(library.names()[0])
    choice = next(convention for convention in book.conventions.values() if convention.values)
    page = client.post("/en/new", data=form_fields() | {f"rule-{choice.name}": "made-up"}).text
    assert f'href="#rule-{choice.name}"' in page
    assert f'id="rule-{choice.name}"' in page
    (focused,) = re.findall(r"<input[^>]* autofocus[^>]*>", page)
    assert f'name="rule-{choice.name}"' in focused


def test_an_untouched_form_says_nothing_is_wrong(client: Browser) -> None:
    """Neither an error nor a focus that nobody asked for."""
    page = client.get("/en/new").text
    assert "autofocus" not in page
    assert '<p class="error" id="not-started" role="alert" hidden></p>' in page


def test_one_deal_is_said_before_it_is_begun(client: Browser) -> None:
    """Where one deal is the game, its line says so, and no target is asked for."""
    page = client.get("/en/new?game=deberts&preset=one-deal")
    assert "One deal is the game" in words(page)
    needs = page.text[: page.text.index('name="rule-target"')].rsplit("data-ways", 1)[1]
    assert needs.split(">", 1)[0].endswith(" hidden")


@pytest.mark.parametrize("game", library.names())
def test_a_house_rule_hangs_only_on_choices_of_the_page(client: Browser, game: str) -> None:
    """A script would hide it for good where it waits for a choice that nobody is asked for."""
    page = client.get(f"/en/new?game={game}").text
    waited_for = {
        name
        for ways in re.findall(r'data-ways="([^"]*)"', page)
        for way in json.loads(unescape(ways))
        for name in way
    }
    assert {name for name in waited_for if f'name="rule-{name}"' not in page} == set()
