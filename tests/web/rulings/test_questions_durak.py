"""Questions about hands: players and cards told by taps, what a match fills in, what other tables say."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.matches import KeepDraft
from companion.web.rulings import query_of
from tests.web.browsers import Browser, words

AT = "/en/ask/durak/"
BOUT: dict[str, Any] = {
    "attacker": "A",
    "defender": "B",
    "trump": "H",
    "talon": 12,
    "cards": dict.fromkeys("ABCD", 6),
}
STEPS: list[dict[str, Any]] = [{"seat": "A", "card": "7S"}, {"seat": "B", "card": "10S", "beats": "7S"}]

EXAMPLES: list[tuple[str, dict[str, Any], str, str]] = [
    ("beat", {"attack": "AS", "with": "6H", "trump": "H"}, "Yes, 6 beats A .", "is a trump and"),
    (
        "throw-in",
        {
            "players": 6,
            "attacker": "A",
            "defender": "B",
            "by": "D",
            "table": [["7S", "10S"]],
            "card": ["7D", "7C"],
            "defender_cards": 6,
        },
        "Player D may not add 7 , 7 .",
        "Elsewhere: Every opponent of the defender. Then: Player D may throw in",
    ),
    (
        "bout",
        {"players": 4, **BOUT, "steps": STEPS},
        "Player B has beaten it off.",
        "Draw, in this order Player A: 1, Player B: 1 Left in the talon 10",
    ),
    (
        "bout",
        {"players": 4, **BOUT, "steps": [*STEPS, {"seat": "C", "card": "9D"}]},
        "Step 3 was wrong.",
        "The wrong step 3. Player C attacks with 9 What follows The card is taken back.",
    ),
    (
        "turn",
        {
            "players": 4,
            "conventions": {"format": "teams-4"},
            "attacker": "A",
            "defender": "B",
            "result": "beaten-off",
            "out": ["B", "D"],
        },
        "Player A & Player C lost the hand.",
        "All others are out: Player A & Player C lost.",
    ),
    (
        "next-hand",
        {"players": 4, "result": "loss", "dealer": "A", "loser": "C"},
        "Player C deals, Player D attacks Player A.",
        "Then: Player C lost and deals; Player B, on the right, attacks.",
    ),
]


def address(question: str, situation: Mapping[str, Any]) -> str:
    """The address of a question that is asked with these facts."""
    facts = {key: value for key, value in situation.items() if key != "conventions"}
    rules = [(f"rule-{name}", value) for name, value in situation.get("conventions", {}).items()]
    return f"{AT}{question}?{urlencode([*query_of(facts), *rules, ('asked', '1')])}"


@pytest.mark.parametrize(("question", "situation", "verdict", "more"), EXAMPLES)
def test_an_answer_is_told_in_words(
    client: Browser, question: str, situation: dict[str, Any], verdict: str, more: str
) -> None:
    """Verdict, reason, draws, and what a table with another house rule would say."""
    answer = client.get(address(question, situation))
    assert 200 == answer.status_code, words(answer)
    assert verdict in words(answer)
    assert more in words(answer)


# --- who sits there ---------------------------------------------------------------------------


def test_how_many_play_is_chosen_on_top(client: Browser) -> None:
    """Two to six, or teams; four to begin with; beating and swapping need nobody counted."""
    page = client.get(AT + "turn").text
    names = re.findall(r'<button class="choice[^>]* name="players" value="([^"]+)"', page)
    assert ["2", "3", "4", "5", "6", "teams-4", "teams-6"] == names
    assert 'name="players" value="4"' in page and 'name="attacker" value="D"' in page
    assert 'id="players"' not in client.get(AT + "beat").text
    assert 'id="players"' not in client.get(AT + "six").text


def test_others_sit_down(client: Browser) -> None:
    """With another number of players seats and stock change, and what was chosen stays."""
    page = client.get(f"{AT}bout?players=4&players=5&attacker=C&defender=D&talon=12&cards.A=6&trump=S").text
    assert re.search(r'name="attacker" value="C" checked', page)
    assert re.search(r'name="trump" value="S" checked', page)
    assert re.search(r'name="talon" value="6"', page)
    assert re.search(r'name="cards.E" value="6"', page)


def test_a_pack_that_is_not_for_so_many(client: Browser) -> None:
    """24 cards for four players are refused at the house rule; a number of players at its own."""
    answer = client.get(f"{AT}turn?players=4&rule-deck=24&asked=1")
    assert 400 == answer.status_code
    assert "one of 36, 52 for 4 players" in words(answer)
    assert 400 == client.get(f"{AT}turn?players=9&asked=1").status_code


# --- cards by taps ----------------------------------------------------------------------------


def test_a_table_is_laid_card_by_card(client: Browser) -> None:
    """The next card attacks, or beats the one chosen; a card lies in one place only."""
    page = client.get(f"{AT}throw-in?attacker=A&defender=B&lay.table=7S").text
    assert '<input type="hidden" name="table" value="7S">' in page
    assert re.search(r'name="next.table" value="7S" checked', page)
    page = client.get(f"{AT}throw-in?attacker=A&defender=B&table=7S&next.table=7S&lay.table=10S&card=7D").text
    assert '<input type="hidden" name="table" value="7S 10S">' in page
    assert 'type="hidden" name="next.table" value=""' in page
    for card in ("7S", "10S", "7D"):
        assert re.search(rf'name="lay.table" value="{card}"[^>]* disabled', page)
    assert re.search(r'name="card" value="10S"[^>]* disabled', page)


def test_what_was_laid_last_is_taken_back(client: Browser) -> None:
    """First what beat the card, then the card."""
    page = client.get(f"{AT}throw-in?attacker=A&defender=B&table=7S+10S&undo.table=1").text
    assert 'name="table" value="7S"' in page
    page = client.get(f"{AT}throw-in?attacker=A&defender=B&table=7S&undo.table=1").text
    assert 'type="hidden" name="table"' not in page


def test_a_bout_is_told_step_by_step(client: Browser) -> None:
    """The attacker begins, the defender beats what waits, and picks up; then only cards are given."""
    at = f"{AT}bout?attacker=A&defender=B&trump=H"
    page = client.get(f"{at}&next.steps=attacker&play.steps=7S").text
    assert 'name="steps" value="A 7S"' in page
    assert re.search(r'name="next.steps" value="defender 7S" checked', page)
    page = client.get(f"{at}&steps=A+7S&next.steps=defender+7S&play.steps=10S").text
    assert 'name="steps" value="B 10S 7S"' in page
    page = client.get(f"{at}&steps=A+7S&play.steps=defender+pick-up").text
    assert 'name="steps" value="B pick-up"' in page
    assert 'value="defender 7S"' not in page
    page = client.get(f"{at}&steps=A+7S&steps=B+10S+7S&undo.steps=1").text
    assert 'name="steps" value="A 7S"' in page and "10S 7S" not in page


def test_of_too_many_attack_cards_the_defender_chooses_which_go_back(client: Browser) -> None:
    """As many taps as there are too many; then the bout goes on, and the ruling says what was chosen."""
    held = "cards.A=4&cards.B=2&cards.C=4&talon=0"
    at = f"{AT}bout?players=3&attacker=A&defender=B&trump=H&{held}&steps=A+7S&steps=B+10S+7S&steps=C+7C"
    fine = client.get(f"{at}&next.steps=defender+7C&play.steps=KC").text
    assert "Too many" not in fine
    page = client.get(f"{at}&next.steps=attacker&play.steps=7D").text
    assert "Too many: which go back?" in page and 'value="defender pick-up"' not in page
    assert 'value="defender 7C back"' in page and 'value="defender 7D back"' in page
    assert 'value="defender 7S back"' not in page and 'value="defender 7C"' not in page
    page = client.get(f"{at}&steps=A+7D&play.steps=defender+7C+back").text
    assert 'name="steps" value="B 7C back"' in page and "Too many" not in page
    assert 'value="defender 7D"' in page and 'value="defender 7C"' not in page
    answer = client.get(f"{at}&steps=A+7D&steps=B+7C+back&steps=B+7D+back&asked=1").text
    assert "The wrong step 5. Player B gives 7 , 7 back" in words(answer)
    assert "gives one card back, as many as are too many" in words(answer)


def test_a_request_with_cards_that_go_back_fills_the_form(client: Browser) -> None:
    """A request of a program can be asked on the page as well."""
    given = [{"seat": "C", "card": "7C"}, {"seat": "D", "card": "7D"}]
    steps = [*STEPS, *given, {"seat": "B", "returns": ["7C"]}]
    situation = {**BOUT, "players": 4, "cards": {"A": 6, "B": 2, "C": 6, "D": 6}, "steps": steps}
    page = client.get(f"{AT}bout?{urlencode(query_of(situation))}").text
    assert 'name="steps" value="B 7C back"' in page


def test_the_cards_of_a_hand_may_be_named(client: Browser) -> None:
    """A player's cards instead of their number: a step with another card is refused at the steps."""
    page = client.get(f"{AT}bout?attacker=A&defender=B&cards.A=6&more.cards.A=1").text
    assert 'name="rows.cards.A" value="1"' in page and 'data-pad="cards.A"' in page
    situation = {"players": 2, **BOUT, "cards": {"A": ["8S"], "B": 6}, "steps": [{"seat": "A", "card": "7S"}]}
    answer = client.get(address("bout", situation))
    assert 400 == answer.status_code
    assert "Step 1. Must be a card from the player’s hand." in words(answer)


# --- what is missing --------------------------------------------------------------------------


def test_who_deals_for_a_team_is_asked_for(client: Browser) -> None:
    """A team that lost names its dealer: the field is marked, and shown for teams only."""
    answer = client.get(f"{AT}next-hand?players=teams-4&result=loss&dealer=A&loser=B&asked=1")
    assert 422 == answer.status_code
    assert "The answer depends on this." in answer.text.split('id="field-deals"')[1][:1500]
    assert 'id="field-deals"' not in client.get(f"{AT}next-hand?players=4").text


def test_the_lowest_trump_is_asked_for_where_it_decides(client: Browser) -> None:
    """In a first hand it is needed, unless the table plays the older rule."""
    at = f"{AT}next-hand?players=4&result=first&dealer=A&asked=1"
    answer = client.get(at)
    assert 422 == answer.status_code
    assert "The answer depends on this." in answer.text.split('id="field-lowest_trump"')[1][:1500]
    assert 200 == client.get(at + "&rule-first_hand=left-of-dealer").status_code
    assert 200 == client.get(at + "&lowest_trump=none").status_code


# --- from a match -----------------------------------------------------------------------------

NAMES = {"name_A": "Ewa", "name_B": "Jan", "name_C": "Ola", "name_D": "Piotr"}


def table(client: Browser, **typed: str) -> str:
    """A session of four who play for themselves, with all taken by their names."""
    return client.start(game="durak", table="4", **NAMES, **typed)


def follow(client: Browser, id: str, **facts: Any) -> None:
    """Keeps a hand in progress, as its page does."""
    client.change(id, KeepDraft({"type": "hand", **facts}))


def test_a_followed_hand_is_known(client: Browser) -> None:
    """Trumps, attacker and defender, and who is out come from the hand that is followed."""
    id = table(client)
    bout = {"attacker": "A", "defender": "B", "result": "picked-up", "out": ["A"]}
    follow(client, id, first_attacker="A", trump="H", used_up=True, bouts=[bout])
    page = client.get(f"/en/m/{id}/ask/throw-in").text
    assert re.search(r'name="attacker" value="C" checked', page)
    assert re.search(r'name="defender" value="D" checked', page)
    assert re.search(r'name="out" value="A" checked', page)
    assert 'id="players"' not in page
    page = client.get(f"/en/m/{id}/ask/beat").text
    assert re.search(r'name="trump" value="H" checked', page)
    assert "Ola" in client.read(f"/en/m/{id}/ask/turn")


def test_the_second_trump_takes_the_place_of_the_first(client: Browser) -> None:
    """In Severnyi trumps are what the last card of the talon says, once it was shown."""
    id = table(client, rule_severnyi="true")
    follow(client, id, first_attacker="A", trump="H", bouts=[])
    assert re.search(r'name="trump" value="H" checked', client.get(f"/en/m/{id}/ask/beat").text)
    follow_again = {"first_attacker": "A", "trump": "H", "second_trump": "S", "used_up": True, "bouts": []}
    follow(client, id, **follow_again)
    assert re.search(r'name="trump" value="S" checked', client.get(f"/en/m/{id}/ask/beat").text)


def test_the_hand_before_is_known(client: Browser) -> None:
    """Before the first hand it is asked who holds the lowest trump; later everything is known."""
    id = table(client, dealer="B")
    page = client.get(f"/en/m/{id}/ask/next-hand").text
    assert re.search(r'name="result" value="first" checked', page)
    client.write(id, {"type": "hand", "dealer": "B", "loser": "C"})
    page = client.get(f"/en/m/{id}/ask/next-hand").text
    for name, value in (("result", "loss"), ("loser", "C")):
        assert re.search(rf'name="{name}" value="{value}" checked', page)
    facts = urlencode({"result": "loss", "dealer": "B", "loser": "C", "asked": "1"})
    answer = client.get(f"/en/m/{id}/ask/next-hand?{facts}")
    assert "Ola deals, Piotr attacks Ewa." in words(answer)


def test_a_transferred_bout_that_is_written_is_known(client: Browser) -> None:
    """Whose turn it is is asked with its transfers; a question about a moment has the roles of its end."""
    id = table(client, rule_transfer="on")
    transfers = [{"by": "B", "card": "7D"}, {"by": "C"}]
    bout = {"attacker": "A", "defender": "B", "result": "picked-up", "transfers": transfers}
    client.write(id, {"type": "hand", "loser": "A", "first_attacker": "A", "bouts": [bout]})
    turn = client.get(f"/en/m/{id}/ask/turn?entry=1")
    assert re.search(r'name="attacker" value="A" checked', turn.text)
    assert re.search(r'name="transfers.1.by" value="C"', turn.text)
    for question in ("throw-in", "transfer"):
        page = client.get(f"/en/m/{id}/ask/{question}?entry=1").text
        assert re.search(r'name="defender" value="D" checked', page)
    page = client.get(f"/en/m/{id}/ask/bout?entry=1").text
    assert re.search(r'name="defender" value="B" checked', page)


def test_a_hand_that_was_dealt_again_says_nothing_of_the_next(client: Browser) -> None:
    """Of a misdeal it is not asked who deals after a draw."""
    id = table(client, rule_five_of_a_suit="redeal", dealer="A")
    client.write(id, {"type": "hand", "misdeal": "five-suited", "by": "C"})
    page = client.get(f"/en/m/{id}/ask/next-hand?entry=1").text
    assert not re.search(r'name="result" value="draw" checked', page)
    assert client.get(f"/en/m/{id}/entries/1").status_code == 200


def test_without_a_cap_all_cards_of_the_defender_are_counted(client: Browser) -> None:
    """Six and more is one answer where six cards attack at most; without a cap the number is asked for."""
    at = f"{AT}throw-in?players=2&attacker=A&defender=B&by=A&table=7S&card=7C&defender_cards=9&asked=1"
    assert re.search(r'type="radio"[^>]*name="defender_cards"', client.get(at).text)
    free = client.get(f"{at}&rule-attack_cap=0")
    assert not re.search(r'type="radio"[^>]*name="defender_cards"', free.text)
    assert "Attack cards in this bout, at most 9" in words(free)


def test_the_likely_questions_come_first(client: Browser) -> None:
    """Between hands it is asked who begins, during one whose turn it is."""
    id = table(client)
    first = re.compile(r'class="list">\s*<li><a href="[^"]*/ask/([^"]+)"')
    assert "next-hand" == first.findall(client.get(f"/en/m/{id}/ask").text)[0]
    follow(client, id, first_attacker="A", trump="H")
    assert "turn" == first.findall(client.get(f"/en/m/{id}/ask").text)[0]


def test_no_line_ends_inside_a_card(client: Browser) -> None:
    """In a sentence the rank, the suit and the full stop behind them stay together."""
    page = client.get("/en/ask/durak/beat?attack=AS&with=6H&trump=H&asked=1").get_data(as_text=True)
    line = re.search(r'class="verdict-line">(.*?)</h1>', page, re.S)
    assert line is not None
    said = re.sub(r"<svg.*?</svg>", "#", line[1], flags=re.S)
    assert re.findall(r'<span class="whole">(.*?)</span>', said) == ["6#", "A#."]
