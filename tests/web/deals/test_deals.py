"""Every way of telling a deal, through the form: what was tapped becomes the entry, and the board says it."""

from typing import Any

import pytest

from tests.web.browsers import Browser, fields, words

HEARTS = {"bid": "B:H"}
COUNT = HEARTS | {
    "counting": "count",
    "jass": "B",
    "last": "B",
    "cards_A": "31",
    "cards_B": "52",
    "nine": "A",
}
NINE_TRICKS = "AS 7S KS 8S AH 7H KH 8H AD 7D KD 8D AC 7C KC 8C QS 9D"


WAYS: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "passed out": ({"bid": "thrown-in"}, {"thrown_in": True}),
    "a misdeal": ({"bid": "misdeal"}, {"redeal": "misdeal"}),
    "an offer tapped": (
        {"bid": "offer", "offer_chip": "20", "offer_deals": "1"},
        {"offer": {"points": 20, "deals": 1}},
    ),
    "an offer typed": (
        {"bid": "offer", "offer_chip": "20", "offer_other": "5+10"},
        {"offer": {"points": 15}},
    ),
    "an offer for cards alone": ({"bid": "offer", "offer_deals": "1"}, {"offer": {"deals": 1}}),
    "passed out, call by call": (
        {"way": "calls", "calls": "pass,pass,pass,pass"},
        {"auction": ["pass", "pass", "pass", "pass"]},
    ),
    "how many times, twice": (
        {"way": "calls", "calls": "pass,ask,twice", "turn_up": "9H"},
        {"auction": ["pass", "ask", "twice"], "turn_up": "9H"},
    ),
    "how many times, once": (
        {
            "way": "calls",
            "calls": "pass,ask,once",
            "turn_up": "9H",
            "counting": "totals",
            "total_A": "82",
            "total_B": "65",
        },
        {"auction": ["pass", "ask", "once"], "turn_up": "9H", "totals": {"A": 82, "B": 65}},
    ),
    "an offer haggled over and accepted": (
        {"way": "calls", "calls": "pass,pass,offer 30+1,counter 10,accept", "turn_up": "9H"},
        {"auction": ["pass", "pass", "offer 30+1", "counter 10", "accept"], "turn_up": "9H"},
    ),
    "an offer refused": (
        {
            "way": "calls",
            "calls": "pass,pass,offer 30,refuse,play S",
            "turn_up": "9H",
            "counting": "totals",
            "total_A": "82",
            "total_B": "65",
        },
        {
            "auction": ["pass", "pass", "offer 30", "refuse", "play S"],
            "turn_up": "9H",
            "totals": {"A": 82, "B": 65},
        },
    ),
    "two totals": (
        HEARTS | {"counting": "totals", "total_A": "82", "total_B": "40+25"},
        {"contract": {"declarer": "B", "trump": "H"}, "totals": {"A": 82, "B": 65}},
    ),
    "two totals, with what is kept beside them": (
        HEARTS
        | {
            "counting": "totals",
            "total_A": "102",
            "total_B": "65",
            "last": "A",
            "bela": "A",
            "turned": "yes",
            "exchanged": "B",
            "note": " Zosia was watching ",
        },
        {
            "contract": {"declarer": "B", "trump": "H", "turned": True},
            "totals": {"A": 102, "B": 65},
            "last": "A",
            "bela": "A",
            "exchanged": "B",
            "note": "Zosia was watching",
        },
    ),
    "the words and the card points": (
        COUNT,
        {
            "contract": {"declarer": "B", "trump": "H"},
            "count": {"cards": {"A": 31, "B": 52}, "jass": "B", "nine": "A", "last": "B"},
        },
    ),
    "a minela out of play, points added up": (
        COUNT | {"nine": "", "cards_A": "11+10+10", "cards_B": "11+4+3+2+11+10+4+3+4"},
        {
            "contract": {"declarer": "B", "trump": "H"},
            "count": {"cards": {"A": 31, "B": 52}, "jass": "B", "last": "B"},
        },
    ),
    "runs and belo": (
        COUNT
        | {
            "runs-0-seat": "A",
            "runs-0-length": "3",
            "runs-0-top": "K",
            "runs-1-seat": "B",
            "runs-1-length": "5",
            "runs-1-top": "A",
            "runs-1-suit": "S",
            "bela": "A",
        },
        {
            "contract": {"declarer": "B", "trump": "H"},
            "bela": "A",
            "runs": [
                {"seat": "A", "length": 3, "top": "K"},
                {"seat": "B", "length": 5, "top": "A", "suit": "S"},
            ],
            "count": {"cards": {"A": 31, "B": 52}, "jass": "B", "nine": "A", "last": "B"},
        },
    ),
    "a side without a trick": (
        HEARTS
        | {"counting": "count", "jass": "B", "last": "B", "cards_A": "0", "cards_B": "83", "trickless": "A"},
        {
            "contract": {"declarer": "B", "trump": "H"},
            "trickless": "A",
            "count": {"cards": {"A": 0, "B": 83}, "jass": "B", "last": "B"},
        },
    ),
    "a revoke": (
        COUNT | {"offender": "B", "offence": "revoke"},
        {
            "contract": {"declarer": "B", "trump": "H"},
            "penalty": {"side": "B", "offence": "revoke"},
            "count": {"cards": {"A": 31, "B": 52}, "jass": "B", "nine": "A", "last": "B"},
        },
    ),
    "card by card": (
        {"bid": "B:S", "counting": "cards", "tricks": NINE_TRICKS},
        {
            "contract": {"declarer": "B", "trump": "S"},
            "tricks": [NINE_TRICKS.split()[at : at + 2] for at in range(0, 18, 2)],
        },
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_deal_is_recorded(client: Browser, way: str) -> None:
    """What was tapped and typed is the entry, and saving leads back to the board."""
    typed, entry = WAYS[way]
    id = client.start()
    answer = client.send(id, typed)
    assert answer.status_code == 303
    assert answer.location.endswith(f"/en/m/{id}")
    assert [(event.kind, event.payload) for event in client.log(id)] == [("add", {"type": "deal", **entry})]


@pytest.mark.parametrize("way", WAYS)
def test_a_deal_comes_back_into_the_form(client: Browser, way: str) -> None:
    """Opened to be corrected and saved as it stands, an entry is not written again."""
    typed, entry = WAYS[way]
    id = client.start()
    client.send(id, typed)
    page = client.get(f"/en/m/{id}/entries/1?edit=1").text
    answer = client.send(id, fields(page), path="entries/1", seq=1)
    assert answer.status_code == 303
    assert [event.payload for event in client.log(id)] == [{"type": "deal", **entry}]


def test_one_tap_passes_a_deal_out(client: Browser) -> None:
    """The buttons for a deal that was not played save at once."""
    id = client.start()
    assert client.send(id, {"note": ""}, do="save:thrown-in").status_code == 303
    assert client.send(id, {"way": "calls", "calls": "pass"}, do="save:misdeal", seq=1).status_code == 303
    assert [event.payload for event in client.log(id)] == [
        {"type": "deal", "thrown_in": True},
        {"type": "deal", "redeal": "misdeal"},
    ]


def test_the_page_of_the_first_deal_is_full(client: Browser) -> None:
    """Where later the last deals stand, it says what is recorded here and how the pad is read."""
    for game, lines in (("derda", ("100",)), ("klaberjass", ("total after a deal", "162"))):
        id = client.start(game=game)
        page = client.get(f"/en/m/{id}/deal")
        assert "Recorded here" in words(page) and "How are these strokes read?" in words(page)
        key = page.text.partition('class="stroke-key"')[2].partition("</section>")[0]
        assert all(line in key for line in lines)
        client.write(id, {"type": "deal", "thrown_in": True})
        assert "stroke-key" not in client.get(f"/en/m/{id}/deal").text


def test_who_plays_is_said_by_the_first_of_long_names(client: Browser) -> None:
    """So that suit and contract have room beside it; a name that another player has too stays whole."""
    long, same = {"name_A": "Maximiliane Alexandra"}, {"name_B": "Maximiliane Katharina"}
    for names, said in ((long, "Maximiliane"), (long | same, "Maximiliane Alexandra")):
        page = client.get(f"/en/m/{client.start(**names)}/deal").text
        assert f'<bdi class="player">{said}</bdi> plays spades' in " ".join(page.split())


def test_enough_ends_the_game(client: Browser) -> None:
    """A call is recorded with its caller and its trick; only the caller's count has to be known."""
    id = client.start(rule_target="80")
    assert "After which trick" in client.read(f"/en/m/{id}/enough")
    typed = HEARTS | {"caller": "B", "after_trick": "6", "counting": "count", "jass": "B", "cards_B": "61"}
    answer = client.send(id, typed, path="enough")
    assert answer.status_code == 303
    assert client.log(id)[0].payload["call"] == {"seat": "B", "after_trick": 6}
    assert "Jan wins" in client.read(f"/en/m/{id}")


def test_enough_card_by_card(client: Browser) -> None:
    """Tricks up to the call are enough to judge it; the play need not be over."""
    id = client.start(rule_target="20")
    typed = {"bid": "B:S", "counting": "cards", "tricks": "AS 7S KS 8S", "caller": "B", "after_trick": "2"}
    preview = words(client.send(id, typed, path="deal/preview?call=1"))
    assert "Jan called “Enough!” with only 15 of 20: Ewa wins." in preview
    assert "2 tricks" not in words(client.send(id, typed, path="enough", do="look"))


@pytest.mark.parametrize(
    "typed, said",
    [
        ({"caller": "", "after_trick": "6"}, "Tap who said it."),
        ({"caller": "B", "after_trick": ""}, "Tap the trick after which it was said."),
    ],
)
def test_enough_asks_for_what_it_needs(client: Browser, typed: Any, said: str) -> None:
    """A call without its caller or its trick is not saved; the page says what to tap."""
    id = client.start()
    answer = client.send(id, COUNT | typed, path="enough")
    assert answer.status_code == 422
    assert said in words(answer)


def test_the_bidding_is_saved_before_the_play(client: Browser) -> None:
    """The bidding is saved at once, found again when the page is opened, and counted after the play."""
    id = client.start()
    calls = {"way": "calls", "calls": "pass,ask,once", "turn_up": "9H"}
    assert client.send(id, calls, do="draft").status_code == 303
    assert "Continue the deal" in client.read(f"/en/m/{id}")
    page = client.get(f"/en/m/{id}/deal").text
    assert fields(page)["calls"] == "pass,ask,once"
    typed = fields(page) | {"counting": "totals", "total_A": "82", "total_B": "65"}
    assert client.send(id, typed, seq=1).status_code == 303
    assert client.log(id)[-1].payload["auction"] == ["pass", "ask", "once"]
    assert "Continue the deal" not in client.read(f"/en/m/{id}")


def test_a_deal_in_progress_can_be_discarded(client: Browser) -> None:
    """What was kept of a deal can be thrown away again."""
    id = client.start()
    client.send(id, HEARTS, do="draft")
    assert "Discard this deal" in client.read(f"/en/m/{id}/deal")
    assert client.send(id, HEARTS, do="drop", seq=1).status_code == 303
    assert "Continue the deal" not in client.read(f"/en/m/{id}")


def test_the_way_of_counting_is_remembered(client: Browser) -> None:
    """A table that counts by two totals finds the totals on the next deal."""
    id = client.start()
    assert 'name="counting" value="count"' in client.get(f"/en/m/{id}/deal").text
    client.send(id, HEARTS | {"counting": "totals", "total_A": "82", "total_B": "65"})
    assert 'name="counting" value="totals"' in client.get(f"/en/m/{id}/deal").text
    assert 'name="counting" value="count"' in client.get(f"/en/m/{id}/deal?mode=count").text


PREVIEWS: dict[str, tuple[dict[str, str], str]] = {
    "nothing yet": ({}, "Tap who plays which suit, or how the deal was passed."),
    "only who plays": (HEARTS, "What each side made is missing."),
    "a bait, numbers first": (
        HEARTS | {"counting": "totals", "total_A": "102", "total_B": "65"},
        "Jan: bajt, 65 to 102; Ewa writes it all. Ewa +167 = 167 Jan 0 = 0",
    ),
    "an offer": ({"bid": "offer", "offer_chip": "20"}, "The offer is accepted: Jan +20."),
    "the bidding is not over": ({"way": "calls", "calls": "pass", "turn_up": "9H"}, "Ewa speaks."),
    "a count that cannot be": (
        HEARTS | {"counting": "totals", "total_A": "300", "total_B": "65"},
        "365 together is not possible",
    ),
    "a card that could not be played": (
        {"bid": "B:H", "counting": "cards", "tricks": "AS KH 7S 8S"},
        "Ewa could not play K♥",
    ),
}


def test_an_offer_does_not_begin_with_an_error(client: Browser) -> None:
    """Tapped, it says quietly what it needs; saved without it is refused, and so is what is no number."""
    id = client.start()
    text = "An offer asks for points, for further deals, or for both."
    tapped = client.send(id, {"bid": "offer", "offer_chip": "0"}, path="deal/preview")
    assert f'<p class="comes-missing">{text}</p>' in tapped.text and "comes-wrong" not in tapped.text
    assert "data-for" not in tapped.text
    saved = client.send(id, {"bid": "offer", "offer_chip": "0"})
    assert saved.status_code == 422 and f"Not saved. {text}" in words(saved)
    wrong = client.send(id, {"bid": "offer", "offer_other": "ten"}, path="deal/preview")
    assert "comes-wrong" in wrong.text


@pytest.mark.parametrize("case", PREVIEWS)
def test_what_it_comes_to_is_shown_before_saving(client: Browser, case: str) -> None:
    """The preview says in players' names what it comes to, or what is missing; nothing is saved."""
    typed, said = PREVIEWS[case]
    id = client.start()
    answer = client.send(id, typed, path="deal/preview")
    assert answer.status_code == 200
    assert said in words(answer)
    assert "<html" not in answer.text
    assert client.log(id) == []


def test_the_preview_announces_the_end(client: Browser) -> None:
    """A deal that ends the game says who wins."""
    id = client.start(rule_target="100")
    answer = client.send(
        id, HEARTS | {"counting": "totals", "total_A": "102", "total_B": "65"}, path="deal/preview"
    )
    assert "Ewa has 167 and wins." in words(answer)
