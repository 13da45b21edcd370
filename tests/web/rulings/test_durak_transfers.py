"""Questions about attacks that are transferred: what is asked for, tap by tap, and what is answered."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from companion import library
from companion.web.rulings import query_of, question_about, views
from tests.web.browsers import Browser, words

AT = "/en/ask/durak/"
ON = "rule-transfer=on"
SHOWN = "rule-transfer=on&rule-pass_card=on"


def fields_of(page: str) -> set[str]:
    """The fields of a form."""
    return set(re.findall(r'id="field-([a-z_]+)"', page))


# --- may this be transferred? -----------------------------------------------------------------


def test_only_what_matters_is_asked_for(client: Browser) -> None:
    """What the conventions of the table make indifferent is not there."""
    usual = {"defender", "table", "card", "next_cards", "picking_up", "out"}
    at = f"{AT}transfer?players=4&"
    assert fields_of(client.get(at + ON).text) == usual
    assert fields_of(client.get(f"{AT}transfer?players=2&{ON}").text) == usual - {"out"}
    passing = usual | {"trump", "shown", "shown_before"}
    assert fields_of(client.get(at + SHOWN).text) == passing
    assert fields_of(client.get(f"{at}{ON}&rule-transfer_first=off").text) == usual | {"first_bout"}


def test_the_whole_hand_is_held_to_begin_with(client: Browser) -> None:
    """Nobody has to tell that the next player holds six cards in a hand's first bout."""
    page = client.get(f"{AT}transfer?preset=perevodnoy").text
    assert re.search(r'name="next_cards" value="6" checked><span><bdi>4 or more<', page)
    assert re.search(r'name="defender" value="B" checked', page)


def test_cards_that_attack_most_likely_wait(client: Browser) -> None:
    """Before a transfer nothing is beaten: each tap is another card of the attack, but it may be said."""
    page = client.get(f"{AT}transfer?{ON}&defender=B&lay.table=7S").text
    assert 'name="table" value="7S"' in page
    assert re.search(r'name="next.table" value="" checked', page)
    assert 'name="next.table" value="7S"' in page


@pytest.mark.parametrize(
    ("facts", "verdict", "more"),
    [
        (
            "rule-transfer=on&table=7S&card=7D&next_cards=4",
            "7 transfers: Player C defends.",
            "Principal attacker then Player B Has to defend Player C Cards to beat 2",
        ),
        (
            "rule-transfer=on&table=7S&card=7D&next_cards=1",
            "Player B may not transfer.",
            "Has to defend Player B Cards to beat 1",
        ),
        (
            "table=7S&card=7D&next_cards=4",
            "Player B may not transfer.",
            "Here no attack is transferred.",
        ),
    ],
)
def test_an_answer_says_who_defends_how_many(client: Browser, facts: str, verdict: str, more: str) -> None:
    """The principal attacker then, who has to defend how many cards; not allowed: who must now."""
    answer = client.get(f"{AT}transfer?players=4&defender=B&{facts}&asked=1")
    assert 200 == answer.status_code, words(answer)
    assert verdict in words(answer)
    assert more in words(answer)


def test_who_shows_a_card_says_what_is_trumps(client: Browser) -> None:
    """Only a trump is shown, so trumps are asked for, at their field."""
    at = f"{AT}transfer?players=4&{SHOWN}&defender=B&table=7S&card=7H&next_cards=4&asked=1"
    assert 200 == client.get(at).status_code
    answer = client.get(f"{at}&shown=yes")
    assert 422 == answer.status_code
    assert "The answer depends on this." in answer.text.split('id="field-trump"')[1][:1500]


def test_what_is_told_beyond_the_table_is_kept_for_others(client: Browser) -> None:
    """A match knows that it is the first bout; where that is nothing here it is folded away, not lost."""
    at = f"{AT}transfer?players=4&{ON}&defender=B&table=7S&card=7D&next_cards=4&first_bout=yes"
    page = client.get(at).text
    fold = page.split('class="fold"')[1]
    assert fold.startswith(">") and 'name="first_bout" value="yes" checked' in fold
    asked = client.read(f"{at}&asked=1")
    assert "Elsewhere: Not allowed. Then: Player B may not transfer" in asked
    assert "First bout of the hand yes" in asked


def test_every_rule_of_play_has_its_question() -> None:
    """From the rulebook it is one tap to ask about a rule; what is dealt and counted is no question."""
    game = library.open_game("durak")
    unasked = {rule.id for rule in game.book.rules.values() if not any(_asked(key) for key in rule.keys)}
    assert unasked == {"durak.format"} | {
        *(f"durak.deal.{name}" for name in ("six", "five-suited", "six-coloured")),
        *(f"durak.score.{name}" for name in ("tally", "epaulettes", "first-out")),
    }
    assert {_asked(f"transfer.{key}") for key in ("lay", "unbeaten", "hand", "first", "pass-card")} == {
        "transfer"
    }
    assert (_asked("transfer.draw"), _asked("bout.closed"), _asked("end.walk-out")) == (
        "bout",
        "throw-in",
        "turn",
    )


def _asked(key: str) -> str | None:
    return question_about(key, library.open_game("durak").family.questions)


# --- a bout step by step ----------------------------------------------------------------------


def steps_of(page: str) -> list[str]:
    """The steps that were told, as they stand in an address."""
    return re.findall(r'name="steps" value="([^"]+)"', page)


def moves_of(page: str) -> list[str]:
    """What the next card may do."""
    return re.findall(r'name="next.steps" value="([^"]+)"', page)


def test_a_defender_transfers_with_the_next_card(client: Browser) -> None:
    """It is offered while nothing is beaten, by the defender of that moment; where it is played only."""
    at = f"{AT}bout?players=4&attacker=A&defender=B&trump=H"
    assert "defender transfer" not in moves_of(client.get(f"{at}&steps=A+7S").text)
    page = client.get(f"{at}&{ON}&steps=A+7S").text
    assert ["defender 7S", "defender transfer", "attacker", "C", "D"] == moves_of(page)
    page = client.get(f"{at}&{ON}&steps=A+7S&next.steps=defender+transfer&play.steps=7D").text
    assert ["A 7S", "B 7D transfer"] == steps_of(page)
    assert ["C 7S", "C 7D", "C transfer", "B", "D", "A"] == moves_of(page)
    page = client.get(f"{at}&{ON}&steps=A+7S&steps=B+7D+transfer&next.steps=C+transfer&play.steps=7C").text
    assert ["A 7S", "B 7D transfer", "C 7C transfer"] == steps_of(page)
    page = client.get(f"{at}&{ON}&steps=A+7S&steps=B+7D+transfer&next.steps=C+7S&play.steps=10S").text
    assert "C 10S 7S" in steps_of(page)
    assert ["C 7D", "B", "D", "A"] == moves_of(page)


def test_who_was_out_before_is_passed_over(client: Browser) -> None:
    """The attack goes to the next with cards, who then picks up by one tap."""
    page = client.get(
        f"{AT}bout?players=4&attacker=A&defender=B&{ON}&out=C&steps=A+7S&steps=B+7D+transfer"
    ).text
    assert "D 7S" in moves_of(page)
    assert 'name="play.steps" value="D pick-up"' in page


def test_a_trump_is_shown_by_one_tap(client: Browser) -> None:
    """The trump of the rank that attacks, and only while it is not on the table; it stays on the pad."""
    at = f"{AT}bout?players=4&attacker=A&defender=B&steps=A+7S"
    button = 'name="play.steps" value="defender 7H show"'
    assert button in client.get(f"{at}&{SHOWN}&trump=H").text
    assert button not in client.get(f"{at}&{ON}&trump=H").text
    assert "show" not in re.findall(r'name="play.steps" value="([^"]+)"', client.get(f"{at}&{SHOWN}").text)
    assert "7S show" not in client.get(f"{at}&{SHOWN}&trump=S").text
    page = client.get(f"{at}&{SHOWN}&trump=H&play.steps=defender+7H+show").text
    assert ["A 7S", "B 7H show"] == steps_of(page)
    assert not re.search(r'value="7H"[^>]* disabled', page)
    assert "7H show" not in re.findall(r'name="play.steps" value="([^"]+)"', page)
    again = client.get(f"{at}&{SHOWN}&trump=H&steps=B+7H+show&undo.steps=1").text
    assert ["A 7S"] == steps_of(again)


BOUT: dict[str, Any] = {
    "players": 4,
    "conventions": {"transfer": "on", "pass_card": "on", "jokers": 2},
    "attacker": "A",
    "defender": "B",
    "trump": "H",
    "talon": 14,
    "cards": dict.fromkeys("ABCD", 6),
    "steps": [
        {"seat": "A", "card": "7S"},
        {"seat": "B", "card": "7H", "transfer": True, "shown": True},
        {"seat": "C", "card": "7D", "transfer": True},
        {"seat": "D", "card": "*B", "beats": "7S"},
        {"seat": "D", "card": "*R", "beats": "7D"},
    ],
}


def test_a_bout_with_transfers_and_jokers_is_judged_and_read_back(client: Browser, app: Flask) -> None:
    """Laid, shown, beaten by jokers: the facts make the same request again, and are told in words."""
    facts = {key: value for key, value in BOUT.items() if key != "conventions"}
    rules = [(f"rule-{name}", str(value)) for name, value in BOUT["conventions"].items()]
    answer = client.get(f"{AT}bout?{urlencode([*query_of(facts), *rules, ('asked', '1')])}")
    assert 200 == answer.status_code, words(answer)
    assert "Player D has beaten it off." in words(answer)
    assert "Draw, in this order Player C: 1, Player A: 1, Player D: 2 Left in the talon 10" in words(answer)
    assert "Player B shows 7 Player C transfers 7 Player D" in words(answer)
    with app.test_request_context("/en/"):
        game = library.open_game("durak", None, BOUT["conventions"], 4)
        form = views.QuestionSetting(game).form(
            game.family.questions["bout"], MultiDict(pair for pair in query_of(facts) if pair[0] != "players")
        )
        assert form.request() == {"game": "durak", "question": "bout", **BOUT}


def test_several_cards_are_laid_in_one_step(client: Browser) -> None:
    """One tap more lays another with the last; an address may hold them in one step; the facts are a list."""
    at = f"{AT}bout?players=3&attacker=A&defender=B&trump=H&{ON}&rule-transfer_cards=several&steps=A+7S"
    page = client.get(f"{at}&steps=B+7D+transfer&next.steps=B+transfer&play.steps=7C").text
    assert ["A 7S", "B 7D transfer", "B 7C transfer"] == steps_of(page)
    hands = "&talon=10&asked=1&cards.A=6&cards.B=6&cards.C="
    second = "&steps.1.seat=B&steps.1.card=7D&steps.1.card=7C&steps.1.transfer=yes"
    alone = at.replace("&steps=A+7S", "&steps.0.seat=A&steps.0.card=7S") + second
    assert "The wrong step 2. Player B transfers with 7" in client.read(f"{alone}{hands}2")
    assert "Player C still has to beat" in client.read(f"{alone}{hands}3")
    turn = (
        f"{AT}turn?players=3&attacker=A&defender=B&result=picked-up&asked=1&{ON}&rule-transfer_cards=several"
    )
    assert "Player A attacks Player B" in client.read(
        f"{turn}&transfers.0.by=B&transfers.0.card=7D&transfers.0.card=7C"
    )


@pytest.mark.parametrize(
    ("steps", "reported"),
    [
        ("steps=A+7S&steps=B+8D+transfer", "The wrong step 2. Player B transfers with 8"),
        ("steps=A+7S&steps=B+7D+show", "The wrong step 2. Player B shows 7"),
    ],
)
def test_a_wrong_transfer_is_a_wrong_step(client: Browser, steps: str, reported: str) -> None:
    """It is named in words, with what follows."""
    hands = "&".join(f"cards.{seat}=6" for seat in "ABCD")
    at = f"{AT}bout?players=4&{SHOWN}&attacker=A&defender=B&trump=H&talon=12&{hands}&{steps}&asked=1"
    assert reported in client.read(at)


# --- whose turn it is -------------------------------------------------------------------------


def buttons_of(page: str) -> list[str]:
    """Who may have transferred next."""
    return re.findall(r'name="pass.transfers" value="([^"]+)"', page)


def rows_of(page: str) -> list[str]:
    """Who has, in order."""
    return re.findall(r'name="transfers.\d+.by" value="([^"]+)"', page)


def test_a_transfer_is_told_by_one_tap(client: Browser) -> None:
    """Who may have transferred next is known; one row opens after another, three at most."""
    at = f"{AT}turn?players=4&{ON}&attacker=A&defender=B"
    page = client.get(at).text
    assert (["B"], []) == (buttons_of(page), rows_of(page))
    assert 'data-pad="transfers' not in page
    page = client.get(f"{at}&pass.transfers=B").text
    assert (["C"], ["B"]) == (buttons_of(page), rows_of(page))
    reported = f"{at}&transfers.0.by=B&transfers.1.by=C"
    page = client.get(f"{reported}&pass.transfers=D").text
    assert ([], ["B", "C", "D"]) == (buttons_of(page), rows_of(page))
    page = client.get(f"{reported}&undo.transfers=1").text
    assert (["C"], ["B"]) == (buttons_of(page), rows_of(page))
    answer = client.get(f"{reported}&result=beaten-off&asked=1")
    assert "Player D attacks Player A." in words(answer)
    assert "Transferred in it Player B transfers Player C transfers" in words(answer)


def test_whoever_is_out_by_now_may_have_transferred_too(client: Browser) -> None:
    """Who laid the last card in the bout is not passed over; who was out before is: both can be told."""
    page = client.get(f"{AT}turn?players=4&{ON}&attacker=A&defender=B&out=C&transfers.0.by=B").text
    assert ["C", "D"] == buttons_of(page)


def test_a_trump_that_was_only_shown_is_marked(client: Browser) -> None:
    """Where trumps are shown each transfer can be marked so; it may be one transfer more."""
    at = f"{AT}turn?players=2&{SHOWN}&attacker=A&defender=B"
    rows = "&".join(f"transfers.{n}.by={seat}" for n, seat in enumerate("BAB"))
    page = client.get(f"{at}&{rows}&transfers.0.shown=yes").text
    assert re.search(r'name="transfers.0.shown" value="yes" checked', page)
    assert not re.search(r'name="transfers.1.shown" value="yes" checked', page)
    assert ["A"] == buttons_of(page)
    answer = client.get(f"{at}&{rows}&transfers.3.by=A&result=picked-up&asked=1")
    assert 400 == answer.status_code
    answer = client.get(f"{at}&{rows}&transfers.3.by=A&transfers.0.shown=yes&result=picked-up&asked=1")
    assert "Player A attacks Player B." in words(answer)


def test_without_roles_nobody_can_have_transferred(client: Browser) -> None:
    """First it is told who attacked whom; who transferred out of turn is refused at the row."""
    page = client.get(f"{AT}turn?players=4&{ON}&result=picked-up").text
    assert [] == buttons_of(page) and "First say who attacks whom." in page
    at = f"{AT}turn?players=4&{ON}&attacker=A&defender=B&transfers.0.by=C&result=picked-up&asked=1"
    answer = client.get(at)
    assert 400 == answer.status_code
    assert "No. 1: Must be" in answer.text


# --- who left the table -----------------------------------------------------------------------


def test_a_defender_who_left_is_out_where_the_others_play_on(client: Browser) -> None:
    """Who leaves while defending has picked up, and is passed over; elsewhere that cannot be."""
    at = f"{AT}turn?players=4&attacker=A&defender=B&result=picked-up&out=B&asked=1"
    assert 400 == client.get(at).status_code
    answer = client.read(at + "&rule-walk_out=plays-on")
    assert "Player C attacks Player D." in answer
    assert "Player B picked up and left the table" in answer
    assert "durak.end.walk-out" in client.get(at + "&rule-walk_out=plays-on").text
    assert "Elsewhere: Loses the hand. Then: This situation could not arise." in answer
    assert 400 == client.get(at + "&rule-walk_out=plays-on&out=C&out=D").status_code


def test_hands_that_do_not_count_are_left_aside(client: Browser) -> None:
    """Where hands may be void, the form says which one was the hand before."""
    note = "The last one that counted"
    assert note not in client.get(AT + "next-hand?players=4").text
    assert note in client.get(AT + "next-hand?players=4&rule-walk_out=void").text
    assert note in client.get(AT + "next-hand?players=4&rule-five_of_a_suit=redeal").text


def test_the_lot_is_asked_for_where_nobody_has_a_trump(client: Browser) -> None:
    """It hangs on the lowest trump, which some tables do not ask for."""
    page = client.get(AT + "next-hand?players=4&rule-no_trump_start=lot").text
    assert 'data-where="lowest_trump=none"' in page and 'id="field-lot"' in page
    older = client.get(AT + "next-hand?players=4&rule-first_hand=left-of-dealer").text
    assert 'id="field-lowest_trump"' not in older
