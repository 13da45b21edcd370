"""The cards that questions about hands offer and show: 24, 36 or 52 of them, and jokers."""

import re

import pytest

from companion import library
from tests.web.browsers import Browser

AT = "/en/ask/durak/"


def pad_cards(page: str, name: str) -> list[str]:
    """The cards that the pad of a field offers, in order."""
    pad = page.split(f'data-pad="{name}"')[1].split("</details>")[0]
    return re.findall(r'class="cardkey [^>]*(?:><input[^>]*)? value="([^"]+)"', pad)


@pytest.mark.parametrize("jokers", [0, 2])
@pytest.mark.parametrize("deck", [24, 36, 52])
@pytest.mark.parametrize(("question", "pad"), [("beat", "with"), ("throw-in", "table"), ("bout", "steps")])
def test_a_pad_has_the_cards_of_the_pack(
    client: Browser, deck: int, jokers: int, question: str, pad: str
) -> None:
    """Of 24, 36 or 52 cards exactly these, and jokers where the table plays with them."""
    rules = {"deck": deck, "jokers": jokers}
    page = client.get(f"{AT}{question}?players=3&rule-deck={deck}&rule-jokers={jokers}").text
    pack = library.open_game("durak", None, rules, 3).family.ruleset.table.pack
    shown = pad_cards(page, pad)
    assert len(shown) == deck + jokers
    assert set(shown) == set(map(str, pack))
    assert shown[deck:] == ["*B", "*R"][:jokers]


def test_no_joker_lies_face_up(client: Browser) -> None:
    """What is turned up for trumps is no joker, so the pad of it has none, and the answer refuses one."""
    assert len(pad_cards(client.get(AT + "six?rule-jokers=2").text, "turn_up")) == 36
    refused = client.get(AT + "six?rule-jokers=2&got=dealt&turn_up=*B&talon=5&asked=1")
    assert 400 == refused.status_code
    assert "a joker that is turned up goes back into the talon" in refused.text


def test_a_joker_in_a_sentence_is_drawn(client: Browser) -> None:
    """Its star with its name; the full stop stays with it."""
    page = client.get(f"{AT}beat?rule-jokers=2&attack=*B&with=*R&trump=H&asked=1").text
    line = re.search(r'class="verdict-line">(.*?)</h1>', page, re.S)
    assert line is not None and "★" not in page
    assert re.findall(r'aria-label="([^"]+)"', line[1]) == ["red joker", "black joker"]
    assert re.search(r'href="#joker-B"/>\s*</svg>\.</span>$', line[1])
