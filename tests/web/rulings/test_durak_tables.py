"""What another table would say: each convention of Durak that an answer hangs on, with its other choice."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
from cases import own_catalogue
from flask.testing import FlaskClient
from markupsafe import escape
from werkzeug.test import TestResponse

from companion import library
from companion.library.other_tables import judge_question
from companion.rules.conditions import Value, json_word
from companion.rules.errors import Unreadable
from companion.rules.schema import parse
from companion.web.rulings import query_of
from tests.web.browsers import Browser, words

AT = "/en/ask/durak/"
BOOK = library.open_game("durak").book

UNASKED = {
    *("cut", "touch_counts", "five_of_a_suit", "six_of_a_colour", "walk_out_bout", "epaulettes"),
    *("session_losses", "forfeit"),
}
"""The conventions on which no answer of the arbiter hangs: they decide what is dealt, counted and written."""
SEATED = {"format"}
"""Those that say who sits there, which is asked for by itself."""


@dataclass(frozen=True)
class Hanging:
    """An answer that hangs on a convention.

    `here` are the conventions of the table that is asked, `there` the other value of the one of that `name`,
    and `then` what the page says of such a table; `if_so` is a fact that nobody is asked for here, on which
    it hangs there, with its words.
    """

    name: str
    here: Mapping[str, Value]
    there: Value
    question: str
    facts: Mapping[str, Any]
    then: str
    if_so: tuple[str, str] | None = None
    players: int | None = 4


THROW_IN = {"attacker": "A", "defender": "B", "by": "A", "table": [["7S", "8S"]], "card": "7C"}
"""A throws the seven of clubs in."""
TRANSFER = {"defender": "B", "table": [["7S"]], "card": "7D", "next_cards": 4}
"""B would transfer the seven of spades with that of diamonds."""
STEPS = [{"seat": "A", "card": "7S"}, {"seat": "B", "card": "7D", "transfer": True}]
BOUT: dict[str, Any] = {"attacker": "A", "defender": "B", "trump": "H", "talon": 8, "steps": STEPS}
BOUT |= {"cards": dict.fromkeys("ABCD", 6)}
ON: dict[str, Value] = {"transfer": "on"}
IN = "Player A may throw in 7 ."
NO_TRANSFER = "Player B may not transfer."
TRANSFERS = "7 transfers: Player C defends."
NEVER_SO = "This situation could not arise."
FIRST = "First bout of the hand"
BEAT = {"trump": "H", "attack": "AS", "with": "*B"}
SHOWABLE = TRANSFER | {"card": "7H", "next_cards": 1, "trump": "H"}
AT_FIVE = THROW_IN | {"defender": "C", "attacker": "B", "defender_cards": 9}
START = {"result": "first", "dealer": "A", "lowest_trump": None}

HANGING = [
    Hanging("transfer", {"transfer": "off"}, "on", "transfer", TRANSFER, TRANSFERS),
    Hanging("transfer", ON, "off", "bout", BOUT, "Step 2 was wrong."),
    Hanging("transfer_first", ON, "off", "transfer", TRANSFER, NO_TRANSFER, ("first_bout", FIRST)),
    Hanging("pass_card", ON, "on", "transfer", SHOWABLE, TRANSFERS, ("shown", "The card is only shown")),
    Hanging("throwers", {}, "all", "throw-in", AT_FIVE, IN, players=5),
    Hanging("jokers", {"jokers": 2}, 0, "beat", BEAT, NEVER_SO),
    Hanging("no_trump_start", {}, "lot", "next-hand", START, "That depends on facts that were not given."),
]
"""Every way of telling it; that such tables rule so is shown by tests/unit/library/test_other_tables.py."""


def ask(client: FlaskClient, one: Hanging) -> TestResponse:
    """The page that answers it."""
    facts = {"players": one.players, **one.facts}
    rules = [(f"rule-{name}", json_word(value)) for name, value in one.here.items()]
    return client.get(f"{AT}{one.question}?{urlencode([*query_of(facts), *rules, ('asked', '1')])}")


def name_case(one: Hanging) -> str:
    """A name for a test."""
    return f"{one.name}-{json_word(one.there)}-{one.question}"


@pytest.mark.parametrize("one", HANGING, ids=name_case)
def test_the_page_names_the_convention_and_what_its_other_choice_gives(client: Browser, one: Hanging) -> None:
    """Convention, its value here, the other one, and what would be said then."""
    answer = ask(client, one)
    assert 200 == answer.status_code, words(answer)
    convention = BOOK.conventions[one.name]
    reported = words(answer).partition(f"{convention.label}: ")[2]
    when = f"{one.if_so[1]}:" if one.if_so else "Then:"
    assert f"Elsewhere: {convention.values[one.there]} {when} {one.then}" in reported, words(answer)
    label = re.escape(escape(convention.label))
    assert re.search(rf'<div class="custom">\s*<p><b>{label}:', answer.text)


@pytest.mark.parametrize("one", [item for item in HANGING if item.if_so], ids=name_case)
def test_a_fact_nobody_was_asked_for_decides_there(client: Browser, one: Hanging) -> None:
    """What a page says of it is what the other table says that is asked with it."""
    assert one.if_so is not None
    key, _label = one.if_so
    there = Hanging(
        one.name, {**one.here, one.name: one.there}, one.there, one.question, {**one.facts, key: True}, ""
    )
    assert one.then in words(ask(client, there))


def test_no_question_reads_the_others() -> None:
    """Whatever is asked, no answer rests on what decides only what is dealt, counted and written; on the rest
    some answer does.
    """
    read = set[str]()
    for case in own_catalogue().of_game("durak"):
        given = dict(case.given)
        if "question" not in given or "error" in case.expect:
            continue
        pinned = [given.pop(key, None) for key in ("game", "preset", "conventions", "players", "question")]
        game = library.open_game("durak", *pinned[1:4])
        question = game.family.questions[str(pinned[4])]
        try:
            parsed: object = parse(question.shape, given, "", game.family.ruleset.table)
            read |= judge_question(game, question.name, parsed, given).options_read
        except Unreadable:
            continue
    assert not read & UNASKED
    assert read | UNASKED | SEATED | {"deck", "jokers"} >= set(BOOK.conventions)


@pytest.mark.parametrize(
    ("held", "then"),
    [(6, None), (7, "Attack cards in this bout, at most: 7 or more, as many as Player B held")],
)
def test_seven_cards_or_more_are_no_six(client: Browser, held: int, then: str | None) -> None:
    """With six cards the defender has no other limit elsewhere; with more, without a cap, so many."""
    facts = THROW_IN | {"defender_cards": held}
    answer = client.read(f"{AT}throw-in?players=4&{urlencode(query_of(facts))}&asked=1")
    assert (then is None) == ("As many as the defender holds. Then:" not in answer)
    assert then is None or then in answer


def test_no_limit_is_said_in_words(client: Browser) -> None:
    """Where nothing but the hand caps a bout, the answer says so; where the cap is less, it is a number."""
    at = f"{AT}throw-in?players=4&{urlencode(query_of(THROW_IN | {'defender_cards': 9}))}&asked=1"
    free = client.read(f"{at}&rule-attack_cap=0")
    assert "Attack cards in this bout, at most 9, as many as Player B held" in free
    assert "At this table: Attack cards in a bout: As many as the defender holds" in free
    assert "Attack cards in this bout, at most 6 May still come" in client.read(at)
