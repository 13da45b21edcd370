"""Texts of a game's file: which sentences stand at a table, and what fills them."""

import pickle
from collections.abc import Mapping

import pytest

from companion.rules.conditions import Value
from companion.rules.rulebook import Rule
from companion.rules.texts import Find, TableChoice, TableFacts, TableText, read_text

FACTS = {"points.last": 10, "order.trump": ("J", "9", "A"), "rank.jass": "J", "cards.hand": 9, "most": 162}
POLISH = {
    "The last trick counts {points.last}.": "Ostatnia lewa to {points.last}.",
    "Trumps: {order.trump}.": "Atuty: {order.trump}.",
    "{cards.hand:words} cards each.": "Po {cards.hand} {cards.hand:karcie|karty|kart}.",
    "0": "2",
    "J": "W",
    "trump jack": "walet atu",
}


def open_facts(chosen: Mapping[str, Value]) -> Find:
    """The facts of a table; one of them depends on what was chosen."""
    return (FACTS | {"double": 2 * int(chosen["target"])}).__getitem__


def table(players: int | None = None, **chosen: Value) -> TableFacts:
    choices = {"target": TableChoice("Target", (500, 300))}
    return TableFacts({"target": 500, **chosen}, players, choices, {"jass": "trump jack"}, open_facts)


def test_a_plain_text_is_one_message() -> None:
    assert read_text("Follow suit.") == "Follow suit."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("To {target}.", "To 500."),
        ("The last trick counts {points.last}.", "The last trick counts 10."),
        ("Trumps: {order.trump}.", "Trumps: J 9 A."),
        ("{cards.hand:words} cards each.", "nine cards each."),
        ("At most {most:words}.", "At most 162."),
        ("The {word.jass} is the {rank.jass}.", "The trump jack is the J."),
        ("Twice that is {double}.", "Twice that is 1000."),
    ],
)
def test_placeholders_are_filled_from_the_table(text: str, said: str) -> None:
    read = read_text(text)
    assert isinstance(read, TableText)
    assert str(read.at(table())) == said
    assert str(read) == text  # nobody's table


def test_only_sentences_that_hold_stand_there() -> None:
    text = read_text(
        [
            "Points are counted.",
            {"when": "tie=hang", "text": "A tie hangs."},
            {"when": "tie=bait,players=2", "text": "A tie is a bait."},
            {"when": ["target=..300", "target=1000.."], "text": "A game of another length."},
            {"when": ["target=1..300", "tie=hang"], "text": "Short, or hanging."},
        ]
    )
    assert isinstance(text, TableText)
    assert str(text.at(table(tie="hang"))) == "Points are counted. A tie hangs. Short, or hanging."
    assert str(text.at(table(2, tie="bait"))) == "Points are counted. A tie is a bait."
    assert str(text.at(table(3, tie="bait", target=200))) == "Points are counted. Short, or hanging."


def test_a_translation_is_filled_with_the_letters_of_its_language() -> None:
    text = read_text(
        ["The last trick counts {points.last}.", "Trumps: {order.trump}.", "{cards.hand:words} cards each."]
    )
    assert isinstance(text, TableText)

    def translate(said: object, several: str = "", count: int = 1, /) -> str:
        return POLISH.get(str(said), str(said))

    assert text.at(table()).render(translate) == "Ostatnia lewa to 10. Atuty: W 9 A. Po 9 kart."


def test_a_value_is_told_as_if_it_were_chosen() -> None:
    text = read_text("Twice {target} is {double}.")
    assert isinstance(text, TableText)
    assert str(text.at(table().choosing({"target": 300}))) == "Twice 300 is 600."


def test_a_placeholder_without_a_value_stays_as_it_is() -> None:
    """A copy may come from anybody; our files and a host's are refused for it."""
    text = read_text("It counts {points.unknown} {word.unknown} {points.last:one|two}.")
    assert isinstance(text, TableText)
    assert str(text.at(table())) == "It counts {points.unknown} {word.unknown} two."


def test_a_text_goes_to_another_process_with_what_it_shows() -> None:
    text = read_text(["The last trick counts {points.last}.", {"when": "tie=bait", "text": "A tie is none."}])
    assert isinstance(text, TableText)
    sent = pickle.loads(pickle.dumps(text.at(table(tie="hang"))))
    assert str(sent) == "The last trick counts 10."


def test_a_rule_rests_on_what_changes_a_number_in_it() -> None:
    """Though it does not name the choice; in another process too, which cannot open other tables."""
    text = read_text("Twice that is {double}, the last trick {points.last}.")
    rule = Rule("x.double", text, "Scoring", "here").at(table())
    assert rule.choices == pickle.loads(pickle.dumps(rule)).choices == {"target": 500}
    assert Rule("x.last", read_text("It is {points.last}."), "Scoring", "here").at(table()).choices == {}
