"""The arbiter's pages: every question through its form, what is missing or wrong, house rules, a match."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import pytest
from tiers import FOUR_GAMES, mostly_at_night

from companion import library
from companion.web.rulings import query_of
from tests.web.browsers import Browser, words

EXAMPLES: dict[str, tuple[dict[str, Any], str, str]] = {
    "play": (
        {"trump": "H", "hand": ["8H", "AH"], "trick": ["10H"], "card": "8H"},
        "8 may not be played.",
        "must be beaten by A",
    ),
    "trick": (
        {"leader": "A", "trump": "H", "trick": ["AH", "JH"]},
        "Player B takes the trick.",
        "Points in it 33",
    ),
    "look": ({"back": 1}, "Yes, you may look.", "It is the last trick, which each player may look at."),
    "runs": (
        {
            "elder": "A",
            "trump": "H",
            "declared": [{"seat": "A", "cards": ["KS", "QS", "JS"]}, {"seat": "B", "length": 3, "top": "A"}],
        },
        "Player B scores the runs.",
        "Player A derda Player B how high? Player A K Player B not good",
    ),
    "auction": (
        {"elder": "A", "turn_up": "9H", "calls": ["pass"]},
        "Yes. Now Player B speaks.",
        "Player B may say Pass Play How many times?",
    ),
    "outcome": (
        {"declarer": "A", "dealer": "B", "made": {"A": 82, "B": 85}},
        "Bajt: Player A made less.",
        "Points written 0 167",
    ),
    "finish": (
        {
            "caller": "A",
            "totals": {"A": 430, "B": 410},
            "after_trick": 5,
            "took_trick": True,
            "cards": 50,
            "jass": True,
        },
        "It is enough: Player A wins.",
        "Came to 500 Needed 500",
    ),
    "penalty": (
        {"offence": "revoke", "by": "A", "dealer": "A", "points": {"cards": 110, "runs": 20}},
        "Player A loses the whole deal.",
        "Points written 0 130",
    ),
    "count": (
        {"count": {"cards": {"A": 80, "B": 35}, "jass": "A", "nine": "B", "last": "A"}},
        "These counts cannot be right.",
        "The nearest that could be right 158",
    ),
}


def address(question: str, facts: Mapping[str, Any], *more: tuple[str, str]) -> str:
    """The address of a question that is asked with these facts."""
    return f"/en/ask/derda/{question}?{urlencode([*query_of(facts), *more, ('asked', '1')])}"


@pytest.mark.parametrize("question", EXAMPLES)
def test_an_example_is_answered_on_its_page(client: Browser, question: str) -> None:
    """Some of each kind of answer: verdict, reason, what else it says, rules with ids."""
    facts, verdict, more = EXAMPLES[question]
    answer = client.get(address(question, facts))
    assert 200 == answer.status_code
    assert verdict in words(answer)
    assert more in words(answer).replace("“", "").replace("”", "")
    ruling = library.rule({"game": "derda", "question": question, **facts})
    for rule in ruling.rules:
        assert str(rule.text) in words(answer)
        assert f'/en/rules/derda#{rule.id}"' in answer.text


@mostly_at_night("game", library.names(), FOUR_GAMES)
def test_every_question_has_a_form_and_says_what_it_lacks(client: Browser, game: str) -> None:
    """A form that is asked empty answers 422 and marks at least one field; its first view marks none."""
    for question in library.open_game(game).family.questions:
        first = client.get(f"/en/ask/{game}/{question}")
        assert 200 == first.status_code, question
        assert "No answer yet" not in words(first), question
        empty = client.get(f"/en/ask/{game}/{question}?asked=1")
        assert empty.status_code in (400, 422), question
        assert "No answer yet" in words(empty), question
        assert 'class="error"' in empty.text, question


@pytest.mark.parametrize("game", library.names())
def test_a_question_is_listed_in_the_players_words(client: Browser, game: str) -> None:
    """The list of a game's questions links each one under a sentence that ends with a question mark."""
    page = client.get(f"/en/ask/{game}").text
    for question in library.open_game(game).family.questions:
        line = re.search(rf'href="/en/ask/{game}/{question}"><span>([^<]*)</span>', page)
        assert line and line[1].endswith("?") and "{" not in line[1], question


def test_a_fact_that_the_answer_depends_on_is_asked_for_at_its_field(client: Browser) -> None:
    """Enough without the number of the trick: 422, that field is marked, and nothing typed is lost."""
    facts = {"caller": "A", "totals": {"A": 437, "B": 410}, "cards": 51}
    answer = client.get(address("finish", facts))
    assert 422 == answer.status_code
    field = answer.text[answer.text.index('id="field-after_trick"') :]
    assert "The answer depends on this." in field[:900]
    assert 'value="437"' in answer.text and 'value="51"' in answer.text


def test_elder_hand_is_asked_for_only_where_it_decides(client: Browser) -> None:
    """Two runs of the same height need elder hand; of different heights they do not."""
    same = [{"seat": seat, "length": 3, "top": "K"} for seat in "AB"]
    answer = client.get(address("runs", {"trump": "S", "declared": same}))
    assert 422 == answer.status_code
    assert "The answer depends on this." in answer.text.split('id="field-elder"')[1][:1500]
    same[1]["top"] = "A"
    assert 200 == client.get(address("runs", {"trump": "S", "declared": same})).status_code


WRONG = [
    ("play", "trump=H&hand=AH&hand=ZZ&card=AH", "field-hand", "a card of this game’s pack"),
    ("play", "trump=Z&hand=AH&card=AH", "field-trump", "one of S, H, D, C"),
    ("play", "trump=H&hand=AH&hand=AH&card=AH", "field-hand", "different cards"),
    ("play", "trump=H&hand=AH&card=KH", "field-card", "a card of the hand"),
    ("play", "trump=H&hand=2H&card=2H", "field-hand", "a card of this game’s pack"),
    ("trick", "trump=H&trick=AH&leader=A", "field-trick", "a complete trick of 2 cards"),
    ("trick", "trump=H&trick=AH&trick=KH&leader=C", "field-leader", "one of A, B"),
    ("seven", "trump=H&seat=A&turn_up=9H&cards_played=many", "field-cards_played", "a whole number"),
    ("seven", "trump=H&seat=A&turn_up=9H&cards_played=99999999999999999999", "field-cards_played", "a whole"),
    (
        "runs",
        "trump=H&declared.0.seat=A&declared.0.length=3",
        "field-declared-0",
        "given by its cards, or by length",
    ),
    ("runs", "trump=H&declared.3.seat=A&declared.3.cards=AH", "field-declared-3-cards", "a list of 3 to 13"),
    ("outcome", "declarer=A&dealer=B&made.A=82", "field-made", "Required."),
    ("outcome", "declarer=A&dealer=B&made.A=82&made.B=8,5", "field-made-B", "a whole number"),
    ("outcome", "declarer=A&dealer=B&made.A=82&made.B=85&held=3+x", "field-held", "a whole number"),
    ("finish", "caller=A&totals.A=1&totals.B=2&took_trick=perhaps", "field-took_trick", "true or false"),
    ("penalty", "offence=murder&by=A&dealer=A&points.cards=110", "field-offence", "one of revoke"),
    ("bela", "seat=A&trump=H&said_at=soon&played=KH", "field-said_at", "the number of a card"),
]


@pytest.mark.parametrize(("question", "query", "field", "sentence"), WRONG)
def test_a_bad_address_is_told_at_the_field(
    client: Browser, question: str, query: str, field: str, sentence: str
) -> None:
    """Whatever stands in an address, what is wrong is said where it belongs, and never with a traceback."""
    answer = client.get(f"/en/ask/derda/{question}?{query}&asked=1")
    assert answer.status_code in (400, 422)
    assert f'id="{field}"' in answer.text
    after = answer.text.split(f'id="{field}"')[1]
    errors = re.findall(r'class="error"[^>]*>(.*?)</p>', after, re.S)
    error = errors[0].replace("&#39;", "’").replace("'", "’")
    assert sentence in error or "needed for the answer" in error


def test_markup_in_an_address_is_shown_as_text(client: Browser) -> None:
    """A script in a number's place comes back escaped, in its field."""
    answer = client.get('/en/ask/derda/winner?totals.A="><script>alert(1)</script>&asked=1')
    assert 400 == answer.status_code
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert(1)" in answer.text


# --- buttons that change the facts ------------------------------------------------------------


def test_taps_on_a_pad_keep_their_order(client: Browser) -> None:
    """Without a script, each tapped card comes after those before it, and nothing is asked yet."""
    page = client.get("/en/ask/derda/trick?trump=H&trick=JH&add.trick=AH&asked=1")
    assert 200 == page.status_code
    assert 'name="trick" value="JH"><input type="hidden" name="trick" value="AH"' in page.text
    assert "verdict-line" not in page.text


def test_the_last_card_can_be_taken_back_and_a_pad_cleared(client: Browser) -> None:
    """Taking back drops the last card, clearing drops all of them, other fields stay."""
    page = client.get("/en/ask/derda/trick?trump=H&trick=JH&trick=AH&drop.trick=AH").text
    assert 'name="trick" value="JH"' in page and 'name="trick" value="AH"' not in page
    page = client.get("/en/ask/derda/trick?trump=H&trick=JH&trick=AH&clear.trick=1").text
    assert 'name="trick" value=' not in page
    assert 'value="H" checked' in page


def test_a_card_lies_in_one_place_only(client: Browser) -> None:
    """A card of the hand is greyed on the pad of the table."""
    page = client.get("/en/ask/derda/play?hand=AH").text
    table = page.split('id="field-trick"')[1].split('id="field-card"')[0]
    assert re.search(r'value="AH"[^>]* disabled', table)
    assert not re.search(r'value="KH"[^>]* disabled', table)


def test_only_legal_calls_are_offered_and_the_list_grows(client: Browser) -> None:
    """After elder hand's pass the dealer is offered pass, play and the question; a call joins the list."""
    page = client.get("/en/ask/derda/auction?elder=A&turn_up=9H&calls=pass")
    offered = page.text.split('<div class="chips">')[1].split("</div>")[0]
    assert ["pass", "play", "ask"] == re.findall(r'name="say.calls" value="([^"]*)"', offered)
    page = client.get("/en/ask/derda/auction?elder=A&turn_up=9H&calls=pass&say.calls=ask")
    assert "Player A speaks and may say: Once Twice" in words(page)


def test_an_offer_takes_its_terms_from_two_fields(client: Browser) -> None:
    """Points and further deals typed beside the offer become its terms."""
    query = "elder=A&turn_up=9H&calls=pass&calls=pass&say.calls=offer&points.calls=20&deals.calls=1"
    page = client.get(f"/en/ask/derda/auction?{query}")
    assert 'name="calls" value="offer 20+1"' in page.text
    assert "Commercial offer: 20 + cards" in words(page)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (
            "auction?elder=A&turn_up=9H&calls=pass&calls=pass&calls=offer+20%2B1",
            "Handelsangebot: 20 + Karten",
        ),
        (
            "runs?elder=A&trump=H&asked=1&declared.0.seat=A&declared.0.length=3&declared.0.top=K"
            "&declared.1.seat=B&declared.1.length=3&declared.1.top=A",
            "3 (Derda) ab der obersten Karte K",
        ),
    ],
)
def test_a_noun_keeps_its_capital_in_a_sentence(client: Browser, address: str, said: str) -> None:
    """In German: no translated text is written small."""
    assert said in client.read(f"/de/ask/derda/{address}")


def test_what_may_not_be_said_can_be_asked_about(client: Browser) -> None:
    """A call that was made all the same is ruled on, with its number and what could have been said."""
    page = client.get(address("auction", {"elder": "A", "turn_up": "9H", "calls": ["twice"]}))
    assert "This cannot be said here." in words(page)
    assert "The wrong call is no. 1" in words(page)
    assert "Player A may say Pass Play" in words(page)


def test_a_list_of_runs_grows_by_a_button(client: Browser) -> None:
    """One more run is one more row, and what stood in the others stays."""
    page = client.get("/en/ask/derda/runs?declared.0.seat=B&declared.0.top=Q&more.declared=3").text
    assert 3 == page.count('class="run stack')
    assert re.search(r'name="declared.0.top" value="Q" checked', page)


# --- house rules ------------------------------------------------------------------------------


def test_a_house_rule_decides_and_the_other_answer_is_shown(client: Browser) -> None:
    """By the usual rule a revoke costs the deal; the page says what a table with a replay would say."""
    facts = EXAMPLES["penalty"][0]
    usual = client.read(address("penalty", facts))
    assert (
        "Elsewhere: The deal is void and the same player deals again. Then: The deal is played again."
        in usual
    )
    replay = client.read(address("penalty", facts, ("rule-penalty", "replay")))
    assert "The deal is played again." in replay
    assert "Then: Player A loses the whole deal." in replay


def test_the_choices_on_which_a_rule_rests_stand_under_it(client: Browser) -> None:
    """On one line, each choice once; of other choices only those that would change the answer."""
    facts = EXAMPLES["penalty"][0]
    page = client.get(address("penalty", facts, ("rule-penalty", "replay"))).text
    rule = page.split('<p class="rule">')[1].split('<p class="rule">')[0].split('<div class="custom">')[0]
    assert "At this table: What a revoke costs: The deal is void and the same player deals again" in rule
    assert page.count("At this table: What a revoke costs:") == 1
    customs = [part.split("</div>")[0] for part in page.split('<div class="custom">')[1:]]
    assert customs and all("Then: " in custom for custom in customs)


def test_a_number_among_the_house_rules(client: Browser) -> None:
    """With a target of 300 a total of 310 has won."""
    facts = {"totals": {"A": 310, "B": 200}, "declarer": "A"}
    assert "Nobody has won yet." in client.read(address("winner", facts))
    assert "Player A wins." in client.read(address("winner", facts, ("rule-target", "300")))


@pytest.mark.parametrize(("name", "value"), [("target", "5"), ("target", "x"), ("penalty", "nothing")])
def test_a_house_rule_that_cannot_be_is_refused_at_its_field(client: Browser, name: str, value: str) -> None:
    """A convention's value that does not exist answers 400, and the facts stay typed."""
    facts = {"totals": {"A": 310, "B": 200}}
    answer = client.get(address("winner", facts, (f"rule-{name}", value)))
    assert 400 == answer.status_code
    assert f'id="rule-{name}-error"' in answer.text
    assert 'value="310"' in answer.text
