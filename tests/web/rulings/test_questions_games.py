"""Every question of every game through its form: the same verdict as the arbiter's own, told in words."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from requests_of_cases import find_requests
from tiers import FOUR_GAMES, mostly_at_night
from werkzeug.datastructures import MultiDict

from companion import library
from companion.web.rulings import query_of, views
from companion.wording.rulings import VERDICTS
from tests.web.browsers import Browser, words

CODES = {verdict for _question, verdict in VERDICTS if verdict != "*"}


def query(request: Mapping[str, Any]) -> str:
    """A request as the address of its page."""
    facts = {
        key: value
        for key, value in request.items()
        if key not in ("question", "preset", "conventions", "game")
    }
    more = [("preset", request["preset"])] if "preset" in request else []
    for name, value in request.get("conventions", {}).items():
        more.append((f"rule-{name}", str(value).lower() if isinstance(value, bool) else str(value)))
    return urlencode([*query_of(facts), *more, ("asked", "1")])


SHORTENED = {("derda", "count", "possible"), ("durak", "turn", "next")}
"""What says that there is nothing; a form leaves that out."""


def shorten(request: Mapping[str, Any]) -> dict[str, Any]:
    """The request as a form says it: without usual conventions, and what cannot matter at the table."""
    book = library.read_rulebook(request["game"])
    chosen = {
        name: value
        for name, value in request.get("conventions", {}).items()
        if value != book.conventions[name].default
    }
    game = library.open_game(request["game"], request.get("preset"), chosen, request.get("players"))
    left_out = game.family.irrelevant_facts(request["question"])
    facts = {key: value for key, value in request.items() if key not in left_out}
    return {**facts, "conventions": chosen}


@pytest.mark.slow
@mostly_at_night("game", library.names(), FOUR_GAMES)
def test_the_form_says_what_the_arbiter_says(client: Browser, app: Flask, game: str) -> None:
    """A request spelled as an address is read back as it was; its page shows verdict and rules in words."""
    for case, request in find_requests().items():
        if case[0] != game:
            continue
        asked = {"game": game, **request}
        ruling, again = library.rule(asked), read_back(app, asked)
        shorter = library.rule(again)
        assert shorten(again) == shorten(asked) or case in SHORTENED, case
        assert (ruling.verdict, ruling.answer) == (shorter.verdict, shorter.answer), case
        answer = client.get(f"/en/ask/{game}/{case[1]}?{query(request)}")
        assert 200 == answer.status_code, (case, words(answer))
        line = re.search(r'class="verdict-line">(.*?)</h1>', answer.text, re.S)
        assert line is not None, case
        sentence = unescape(re.sub(r"<[^>]+>", "", line[1]))
        assert sentence not in CODES and "{" not in sentence, case
        assert not sentence[0].islower() and sentence.endswith("."), case
        text = words(answer)
        opened, _facts = library.open_request(asked)  # a page is of a table at which so many play
        table = library.reopen_game(game, opened.preset, opened.conventions, opened.family.ruleset.ring.size)
        assert all(str(table.book.rules[rule.id].text) in text for rule in ruling.rules), case


def read_back(app: Flask, request: Mapping[str, Any]) -> dict[str, Any]:
    """A request as the form reads it from its address."""
    rules = (request.get(key) for key in ("preset", "conventions", "players"))
    game = library.open_game(request["game"], *rules)
    facts = {key: fact for key, fact in request.items() if key not in ("preset", "conventions", "question")}
    with app.test_request_context("/en/"):
        question = game.family.questions[request["question"]]
        return views.QuestionSetting(game).form(question, MultiDict(query_of(facts))).request()


@pytest.mark.slow
@mostly_at_night("game", library.names(), FOUR_GAMES)
def test_every_question_of_a_game_is_asked_once(game: str) -> None:
    """No question of a game is left without a case."""
    questions = library.open_game(game).family.questions
    assert set(questions) == {question for name, question, _verdict in find_requests() if name == game}


SHOWN = {
    ("bulka", "runs", "fours"): True,
    ("darda", "runs", "fours"): True,
    ("klaberjass", "runs", "fours"): False,
    ("klaberjass?rule-melds=zensa", "runs", "fours"): True,
    ("klaberjass?preset=zensa", "runs", "fours"): True,
    ("derda", "runs", "fours"): False,
    ("deberts", "runs", "asked_rost"): True,
    ("derda", "runs", "asked_rost"): True,
    ("klaberjass-4", "runs", "asked_rost"): False,
    ("bulka", "runs", "asked_rost"): False,
    ("klaberjass-3", "outcome", "held"): False,
    ("klaberjass-4", "outcome", "held"): False,
    ("klaberjass-4?rule-tie=carry", "outcome", "held"): True,
    ("klaberjass-4", "count", "out"): False,
    ("klaberjass-3", "count", "out"): True,
}


@pytest.mark.parametrize(("where", "question", "field"), SHOWN)
def test_only_what_a_game_has_is_asked_for(client: Browser, where: str, question: str, field: str) -> None:
    """Fours, the price of rost, held points and cards out of play are asked for where there are such."""
    game, _sign, typed = where.partition("?")
    page = client.get(f"/en/ask/{game}/{question}?{typed}").text
    assert SHOWN[where, question, field] == (f'id="field-{field}"' in page)


def test_fours_are_chosen_from_the_ranks_that_are_a_meld(client: Browser) -> None:
    """In Bulka queens come first and eights are no choice; with tens at nothing, tens are none either."""
    page = client.get("/en/ask/bulka/runs").text.split('id="field-fours-0-rank"')[1].split("</fieldset>")[0]
    assert ["Q", "9", "A", "10", "K", "J"] == re.findall(r'value="([^"]*)"', page)
    page = client.get("/en/ask/bulka/runs?rule-tens=0").text.split('id="field-fours-0-rank"')[1]
    assert ["Q", "9", "A", "K", "J"] == re.findall(r'value="([^"]*)"', page.split("</fieldset>")[0])


def test_two_of_three_may_be_without_a_trick(client: Browser) -> None:
    """Three-handed, sides without a trick are ticked, and two of them are a list."""
    page = (
        client.get("/en/ask/klaberjass-3/runs").text.split('id="field-trickless"')[1].split("</fieldset>")[0]
    )
    assert 3 == page.count('type="checkbox"')
    facts = {
        "trump": "H",
        "declared": [{"seat": "B", "length": 4, "top": "A"}, {"seat": "A", "length": 3, "top": "K"}],
        "trickless": ["B", "C"],
        "elder": "A",
    }
    answer = client.get(f"/en/ask/klaberjass-3/runs?{urlencode([*query_of(facts), ('asked', '1')])}")
    assert 200 == answer.status_code
    assert "No run counts." in words(answer)


@pytest.mark.parametrize("said", [["A", "A", "D"], "A", None])
def test_belas_of_all_trumps_are_numbers_of_each_player(client: Browser, app: Flask, said: Any) -> None:
    """Two of one player and one of another are three seats; nobody is ticked, and nothing else is."""
    asked = {
        "game": "coinche",
        "question": "count",
        "conventions": {"contracts": "all"},
        "made": {"A": 141, "B": 81},
        "trump": "AT",
        "bela": said,
    }
    assert read_back(app, asked)["bela"] == said
    page = client.get(f"/en/ask/coinche/count?{query(asked)}").text
    field = page.split('id="field-bela"')[1].split("</fieldset>")[0]
    chosen = re.findall(r'value="([A-D ]+)" selected', field)
    assert [*(said or ())] == [seat for seats in chosen for seat in seats.split()]
    assert (said is None) == ('value="none" checked' in field)
    assert read_back(app, {**asked, "bela": ["A A", "D"]})["bela"] == ["A", "A", "D"]


def test_bids_are_those_of_the_table(client: Browser) -> None:
    """82 stands in the place of 80, fives between the tens; none above the highest bid."""
    page = client.get("/en/ask/coinche/outcome?rule-lowest_bid=82&rule-bid_step=5").text
    field = page.split('id="field-points"')[1].split("</fieldset>")[0]
    bids = [value for value in re.findall(r'value="([^"]*)"', field) if value.isdigit()]
    assert bids[:3] == ["82", "85", "90"]
    page = client.get("/en/ask/coinche/auction?rule-highest_bid=160&elder=A").text
    assert 'value="bid 160 H"' in page and 'value="bid 170 H"' not in page


def test_no_trumps_are_offered_where_the_game_has_them(client: Browser) -> None:
    """Among the suits stands NT in four-handed Klaberjass only, and in the bidding by its name."""
    assert 'name="trump" value="NT"' in client.get("/en/ask/klaberjass-4/play").text
    assert 'name="trump" value="NT"' not in client.get("/en/ask/darda/play").text
    page = client.get("/en/ask/klaberjass-4/auction?elder=A&turn_up=9H" + "&calls=pass" * 4)
    assert "Play no-trumps" in words(page)


def test_schmeiss_is_said_in_words(client: Browser) -> None:
    """Elder may schmeiss; the dealer forces or throws in, each by the game's word."""
    at = "/en/ask/klaberjass/auction?rule-schmeiss=on&elder=A&turn_up=9H"
    assert "may say: Pass Play Schmeiss" in client.read(at)
    assert "may say: Take it Throw in" in client.read(at + "&calls=schmeiss")


def test_a_suit_alone_is_turned_at_a_tournament(client: Browser) -> None:
    """Where all cards are dealt face down the preferred suit is told, not a card."""
    page = client.get("/en/ask/darda/auction?rule-deal=tournament").text
    assert 'id="field-turn_up"' in page and 'name="turn_up" value="H"' in page
    answer = client.get("/en/ask/darda/auction?rule-deal=tournament&elder=A&turn_up=H&calls=pass&asked=1")
    assert 200 == answer.status_code


def test_offences_are_those_of_the_game(client: Browser) -> None:
    """Deberts knows six ways to offend, Klaberjass two."""
    names = re.findall(r'name="offence" value="([^"]+)"', client.get("/en/ask/deberts/penalty").text)
    many = ["false-declaration", "extra-card", "wrong-exchange", "misdeal", "rost-needless"]
    assert ["revoke", *many] == names
    assert ["revoke", "misdeal"] == re.findall(
        r'name="offence" value="([^"]+)"', client.get("/en/ask/klaberjass/penalty").text
    )


def test_a_needless_question_is_told_with_its_price(client: Browser) -> None:
    """Who asked how high with a fifty against a terz loses the fifty, and the page says why."""
    facts = {
        "elder": "A",
        "trump": "H",
        "asked_rost": ["B"],
        "declared": [
            {"seat": "A", "cards": ["AS", "KS", "QS"]},
            {"seat": "B", "cards": ["10D", "9D", "8D", "7D"]},
        ],
    }
    answer = client.get(f"/en/ask/deberts/runs?{urlencode([*query_of(facts), ('asked', '1')])}")
    assert "Player B asked how high without need: the runs count for nothing." in words(answer)
    assert 'popovertarget="gloss-deberts-rost"' in answer.text.partition("why-so")[2], "its rules' words"


def test_a_house_rule_that_means_nothing_here_is_not_offered(client: Browser) -> None:
    """How a schmeiss is thrown in is asked once there is a schmeiss."""
    assert 'id="rule-schmeiss_redeal"' not in client.get("/en/ask/klaberjass/auction").text
    assert 'id="rule-schmeiss_redeal"' in client.get("/en/ask/klaberjass/auction?rule-schmeiss=on").text


# --- from a match -----------------------------------------------------------------------------

CONTRACT = {"declarer": "A", "trump": "H"}


def test_stake_and_the_last_to_double_are_known(client: Browser) -> None:
    """After an accepted dive the question of another one is filled in."""
    id = client.start(game="deberts", preset="moscow", rule_dive="on")
    client.write(id, {"type": "dive", "by": "A", "accepted": True})
    page = client.get(f"/en/m/{id}/ask/dive").text
    assert re.search(r'name="stake" value="2"', page)
    assert re.search(r'name="doubled_last" value="A" checked', page)


def test_who_may_announce_the_end_is_known(client: Browser) -> None:
    """With one side at the target, the question whether it is enough is ready to be answered."""
    id = client.start(game="deberts", preset="moscow", rule_target="150")
    client.write(id, {"type": "deal", "contract": CONTRACT, "totals": {"A": 152, "B": 30}})
    page = client.get(f"/en/m/{id}/ask/finish").text
    assert re.search(r'name="at" value="result" checked', page)
    assert re.search(r'name="caller" value="A" checked', page)


def test_who_took_the_last_trick_is_known(client: Browser) -> None:
    """The question who has won takes the last trick from the deal just written."""
    id = client.start(game="deberts", preset="moscow")
    count = {"cards": {"A": 61, "B": 30}, "jass": "A", "nine": None, "last": "A"}
    client.write(id, {"type": "deal", "contract": CONTRACT, "count": count})
    assert re.search(r'name="last" value="A" checked', client.get(f"/en/m/{id}/ask/winner").text)


@pytest.mark.parametrize("game", ["belote", "bela", "coinche", "contree"])
@pytest.mark.parametrize(("said", "made"), [("B", "252 to 0"), ("none", "162 to 0")])
def test_it_is_asked_whether_all_points_were_all_tricks(
    client: Browser, game: str, said: str, made: str
) -> None:
    """At its field, which has both answers, opened; and answered it is judged."""
    facts: dict[str, Any] = {"declarer": "A", "made": {"A": 162, "B": 0}, "dealer": "A"}
    facts |= {"points": 100} if game in ("coinche", "contree") else {}
    address = f"/en/ask/{game}/outcome?{urlencode([*query_of(facts), ('asked', '1')])}"
    asked = client.get(address)
    assert asked.status_code == 422
    field = asked.text.split('id="field-trickless"')[1].split("</fieldset>")[0]
    assert "The answer depends on this." in field
    assert re.findall(r'value="(\w*)"', field) == ["", "none", "A", "B"]
    answer = client.get(f"{address}&trickless={said}")
    assert answer.status_code == 200
    assert made in words(answer)
