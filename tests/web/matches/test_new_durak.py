"""A session of Durak begins: how many play, the seats round the table, the house rules that matter."""

import re
from collections.abc import Callable
from html import unescape

import pytest

from companion import library
from companion.rules.conditions import json_word
from tests.web.browsers import Browser, words
from tests.web.matches.conftest import NAMES, form_fields, picked

Start = Callable[..., str]


@pytest.mark.parametrize(
    ("table", "players", "format", "throwers"),
    [
        ("2", 2, "individual", "all"),
        ("4", 4, "individual", "all"),
        ("5", 5, "individual", "neighbours"),
        ("6", 6, "individual", "neighbours"),
        ("teams-4", 4, "teams-4", "all"),
        ("teams-6", 6, "teams-6", "all"),
    ],
)
def test_every_table_pins_its_house_rules(
    client: Browser, table: str, players: int, format: str, throwers: str
) -> None:
    """As many names as play, the format that was tapped, and what follows from the number."""
    page = client.get(f"/en/new?game=durak&table={table}")
    assert page.text.count("data-seat=") == players
    assert picked(page.text)["table"] == table
    answer = client.post("/en/new", data=form_fields(table, players))
    assert answer.status_code == 303
    head = client.match(answer.location.rsplit("/", 1)[1]).written_head
    assert head["players"] == list(NAMES[:players])
    assert set(head["conventions"]) == set(library.read_rulebook("durak").conventions)
    assert (head["conventions"]["format"], head["conventions"]["throwers"]) == (format, throwers)
    assert client.get(answer.location).status_code == 200


def test_the_format_is_asked_once(client: Browser) -> None:
    """How many play says who plays with whom, so no house rule asks again; nor are there totals on paper."""
    for table in ("4", "teams-6"):
        page = client.get(f"/en/new?game=durak&table={table}").text
        assert 'name="rule-format"' not in page
        assert 'name="total-A"' not in page
    assert 'name="total-A"' in client.get("/en/new?game=derda").text


@pytest.mark.parametrize(
    ("table", "asked", "decks"),
    [
        ("2", {"first_defence_limit", "transfer"}, ["36", "52", "24"]),
        ("3", {"first_attack", "first_defence_limit", "transfer"}, ["36", "52", "24"]),
        ("4", {"first_attack", "throwers", "first_defence_limit", "transfer"}, ["36", "52"]),
        ("6", {"first_attack", "throwers", "first_defence_limit", "transfer"}, ["36", "52"]),
        ("teams-4", {"first_attack"}, ["36", "52"]),
        ("teams-6", {"first_attack", "throwers"}, ["36", "52"]),
    ],
)
def test_only_what_matters_to_so_many_is_asked(
    client: Browser, table: str, asked: set[str], decks: list[str]
) -> None:
    """Packs that so many cannot play with are not offered, nor choices that change nothing for them."""
    page = client.get(f"/en/new?game=durak&table={table}").text
    varying = {"first_attack", "throwers", "first_defence_limit", "transfer"}
    shown = set(re.findall(r'name="rule-(\w+)"', page))
    assert shown & varying == asked
    assert {"first_hand", "severnyi", "session_losses", "forfeit", "touch_counts", "cut", "jokers"} <= shown
    assert re.findall(r'name="rule-deck" value="(\d+)"', page) == decks


def test_what_another_choice_makes_idle_is_hidden_and_not_agreed_on(client: Browser) -> None:
    """Six with 36 cards have no talon to swap from; with 52 they have. What was left hidden does no harm."""
    hidden = re.compile(
        r'<div class="house"[^>]* data-ways="([^"]*)"( hidden)?>(?=(?:(?!class="house").)*rule-six)', re.S
    )
    ways, off = hidden.findall(client.get("/en/new?game=durak&table=6").text)[-1]
    assert (unescape(ways), off) == ('[{"deck": "52"}, {"jokers": "2"}]', " hidden")
    with_52 = client.post("/en/new", data=form_fields("6", 6, step="rules", rule_deck="52"))
    assert hidden.findall(with_52.text)[-1][1] == ""
    for deck, agreed in (("36", "any"), ("52", "never")):
        sent = form_fields("6", 6, rule_deck=deck, rule_six_exchange="never") | {"form_key": deck}
        started = client.post("/en/new", data=sent)
        assert started.status_code == 303
        conventions = client.get(f"{started.location}/record.json").get_json()["conventions"]
        assert (conventions["deck"], conventions["six_exchange"]) == (int(deck), agreed)


def test_the_proposal_follows_the_number(client: Browser) -> None:
    """What was proposed for four becomes what is usual for six; what somebody chose stays."""
    usual = {"rule_throwers": "all", "rule_cut": "free"}
    six = client.post("/en/new", data=form_fields("4", 4, step="show", **usual) | {"table": "6"})
    assert picked(six.text)["rule-throwers"] == "neighbours"
    assert picked(six.text)["rule-cut"] == "free"
    back = client.post("/en/new", data=form_fields("6", 6, step="show", rule_throwers="all") | {"table": "5"})
    assert picked(back.text)["rule-throwers"] == "all"
    four = client.post("/en/new", data=form_fields("6", 6, step="show", rule_deck="52") | {"table": "2"})
    assert picked(four.text)["rule-deck"] == "52"
    three = client.post("/en/new", data=form_fields("3", 3, step="show", rule_deck="24") | {"table": "4"})
    assert picked(three.text)["rule-deck"] == "36"


def test_names_wait_for_their_seats(client: Browser) -> None:
    """Names typed for six are kept while four are looked at, and stand there again for six."""
    four = client.post("/en/new", data=form_fields("6", 6, step="show") | {"table": "4"}).text
    assert four.count("data-seat=") == 4
    assert '<input type="hidden" name="name-F" value="Tomek">' in four
    six = client.post("/en/new", data=form_fields("4", 6, step="show") | {"table": "6"}).text
    assert six.count("data-seat=") == 6
    assert re.search(r'id="name-F" name="name-F" value="Tomek"', six)
    derda = client.post("/en/new", data=form_fields("6", 6, step="show") | {"game": "derda"}).text
    assert '<input type="hidden" name="name-C" value="Ala">' in derda


def test_another_number_is_shown_before_it_is_played(client: Browser) -> None:
    """Without a script, Start after another number was tapped shows its places first, and starts nothing."""
    answer = client.post("/en/new", data=form_fields("6", 6) | {"table": "4"})
    assert answer.status_code == 422
    assert "The players changed; check the seats, then start." in words(answer)
    assert answer.text.count("data-seat=") == 4
    assert "Continue the match" not in client.read("/en/")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name_F": ""}, "Required; a single letter will do."),
        ({"name_F": "Ewa"}, "This name is taken"),
        ({"dealer": ""}, "Say who deals first, or draw lots."),
        ({"dealer": "G"}, "Say who deals first, or draw lots."),
        ({"rule_forfeit": "x" * 201}, "At most 200 characters; these are 201."),
        ({"rule_session_losses": "1000"}, "A whole number from 0 to 999."),
        ({"rule_deck": "24"}, "Choose one of these."),
        (
            {"rule_severnyi": "true"},
            "No card is left for a talon when 6 play. With your other choices only these are possible: "
            "One trump suit for the",
        ),
    ],
)
def test_what_is_wrong_is_said_at_its_field(client: Browser, changes: dict[str, str], sentence: str) -> None:
    """Six without a talon have no second trump; nor is anything typed beside it lost."""
    answer = client.post(
        "/en/new", data=form_fields("6", 6, place="Łódź", rule_cut="free") | form_fields("6", 6, **changes)
    )
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert 'value="Łódź"' in answer.text
    assert picked(answer.text)["rule-cut"] == "free"
    for field in ("name-B", "name-E"):
        assert f'name="{field}" value="{form_fields("6", 6)[field]}"' in answer.text


def test_in_teams_nobody_plays_on(client: Browser) -> None:
    """Who walks out leaves a partner behind; the reason stands with what can be chosen."""
    refused = client.post("/en/new", data=form_fields("teams-4", 4, rule_walk_out="plays-on"))
    assert refused.status_code == 422
    assert picked(refused.text)["rule-walk_out"] == "plays-on"
    assert (
        "In teams nobody plays on without a partner. With your other choices only these are possible: "
        "Loses the hand. "
        "The hand is void and dealt again."
    ) in words(refused)


def test_severnyi_with_a_whole_pack(client: Browser) -> None:
    """With 52 cards six players have a talon, and so a second trump."""
    data = form_fields("6", 6, rule_severnyi="true", rule_deck="52")
    answer = client.post("/en/new", data=data)
    assert answer.status_code == 303
    conventions = client.match(answer.location.rsplit("/", 1)[1]).written_head["conventions"]
    assert (conventions["severnyi"], conventions["deck"]) == (True, 52)


def test_a_forfeit_in_the_tables_own_words(client: Browser) -> None:
    """What the fool has to do is a line of any script, and never becomes part of the page."""
    data = form_fields("3", 3, rule_forfeit="  <b>kawa</b>\n i pączek ☕ ")
    answer = client.post("/en/new", data=data)
    id = answer.location.rsplit("/", 1)[1]
    assert client.match(id).written_head["conventions"]["forfeit"] == "<b>kawa</b> i pączek ☕"
    page = client.get(f"/en/rules/durak?match={id}")
    assert "<b>kawa" not in page.text
    assert "<b>kawa</b> i pączek ☕" in unescape(page.text)


def test_the_lot_says_who_deals(client: Browser) -> None:
    """Anybody may deal the first hand: nothing is drawn for it, but the lot may choose."""
    page = client.get("/en/new?game=durak").text
    assert 'class="cardpad' not in page
    answer = client.post("/en/new", data=form_fields("teams-6", 6, dealer="draw"))
    first = client.match(answer.location.rsplit("/", 1)[1]).written_head["first_dealer"]
    name = NAMES["ABCDEF".index(first)]
    assert f"By lot, {name} deals first." in client.read(answer.location)


def test_partners_are_marked(client: Browser) -> None:
    """Each second player is of the same team, also for those who hear the page; alone there are no teams."""
    page = client.get("/en/new?game=durak&table=teams-4").text
    assert re.findall(r'class="team team-(\d)"', page) == ["1", "2", "1", "2"]
    assert re.findall(r"Team (\d)<", page) == ["1", "2", "1", "2"]
    assert 'class="team ' not in client.get("/en/new?game=durak&table=4").text


def test_a_company_of_before(client: Browser, other: Browser) -> None:
    """Those who sat together before sit down again at one tap: names, table, house rules; not who deals."""
    sent = form_fields("teams-4", 4, rule_first_attack="teach-the-fool", rule_forfeit="kawa", place="Café")
    id = client.post("/en/new", data=sent).location.rsplit("/", 1)[1]
    client.post("/en/new", data=form_fields("teams-4", 4, name_A="Zofia"))
    page = client.get("/en/new").text  # those of the last match sit there already
    assert picked(page)["game"] == "durak"
    assert page.count("like=") == 1
    assert f'href="/en/new?like={id}"' in page
    assert "Ewa & Ala · Jan & Olek" in re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", "", page)))
    assert "/new?like=" not in other.get("/en/new?game=durak").text
    again = client.get(f"/en/new?like={id}").text
    chosen = picked(again)
    assert (chosen["table"], chosen["rule-first_attack"]) == ("teams-4", "teach-the-fool")
    assert "dealer" not in chosen
    for value in (*NAMES[:4], "kawa", "Café"):
        assert f'value="{value}"' in again


def test_a_company_sits_down_to_another_game(client: Browser) -> None:
    """To the game, variety and table that are chosen; the house rules of the old one stay where they were."""
    sent = form_fields("4", 4, rule_first_attack="teach-the-fool", place="Café")
    id = client.post("/en/new", data=sent).location.rsplit("/", 1)[1]
    client.post("/en/new", data={"name-A": "Zofia", "name-B": "Adam", "dealer": "A"})
    page = client.get("/en/new?game=klaberjass-4").text
    link = f"/en/new?like={id}&game=klaberjass-4&preset=standard&table=4"
    assert f'href="{link}"' in unescape(page)
    assert 'name="name-A" value="Zofia"' in page
    again = client.get(link).text
    assert picked(again)["game"] == "klaberjass-4"
    assert "Café" not in again
    for seat, name in zip("ABCD", NAMES, strict=False):
        assert f'name="name-{seat}" value="{name}"' in again
    teams = client.get("/en/new?game=durak&table=teams-4").text
    assert 'name="name-A" value="Ewa"' in teams  # they played Durak last
    assert client.get("/en/new?like=AAAAAAAAAAAAAAAAAAAAAA").status_code == 404


@pytest.mark.parametrize("table", ["1", "7", "teams-5", "<b>", ""])
def test_a_table_that_does_not_exist(client: Browser, table: str) -> None:
    """What no page offers is the usual table."""
    page = client.get("/en/new", query_string={"game": "durak", "table": table})
    assert page.status_code == 200
    assert picked(page.text)["table"] == "4"


def test_usual_means_usual_for_so_many(client: Browser) -> None:
    """Each choice that is pressed at first is the one marked as usual."""
    for seating in library.seatings("durak"):
        game = library.open_game("durak", None, seating.conventions, seating.players)
        chosen = picked(client.get(f"/en/new?game=durak&table={seating.name}").text)
        for name, value in chosen.items():
            if name.startswith("rule-"):
                assert value == json_word(game.conventions[name.removeprefix("rule-")])
