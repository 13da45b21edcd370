"""Following a hand that somebody leaves, that is dealt anew, that ends with epaulettes, that was undone."""

import re
from typing import Any

from endgames import FOUR
from following import Hand

from tests.web.browsers import Browser
from tests.web.hands.entries import LOST, sit

ON = {"transfer": "on"}


def test_who_leaves_is_the_fool(client: Browser) -> None:
    """By the default rule the hand is lost at once; it can be taken back, and one tap writes it down."""
    id = sit(client, FOUR, LOST)
    hand = Hand(client, id)
    hand.tap("beaten-off")
    assert hand.tap_and_read("left:C") == "East left the table: East lost."
    assert "durak.end.walk-out" in hand.page
    assert hand.tap("left:A").status_code == 400
    assert hand.tap_and_read("stayed") == "North attacks East"
    hand.tap_and_read("left:C")
    assert hand.tap("lost:C").status_code == 303
    entry = client.log(id)[-1].payload
    assert (entry["loser"], entry["walked_out"], "walked_after" in entry) == ("C", "C", False)
    assert len(entry["bouts"]) == 1


def test_a_team_that_somebody_leaves(client: Browser) -> None:
    """The team lost, and says who of it deals."""
    id = sit(client, FOUR, {"type": "hand", "loser": "B", "deals": "D"}, format="teams-4")
    hand = Hand(client, id)
    assert hand.tap_and_read("left:C") == "East left the table: West & East lost."
    assert hand.tap("lost:A:A").status_code == 303
    entry = client.log(id)[-1].payload
    assert (entry["loser"], entry["deals"], entry["walked_out"]) == ("A", "A", "C")


def test_a_hand_that_is_void(client: Browser) -> None:
    """Nobody has lost it, and the same player deals again."""
    id = sit(client, FOUR, LOST, walk_out="void")
    hand = Hand(client, id)
    assert hand.tap("void").status_code == 400
    assert "The hand is void then, and the same player deals again." in client.read(hand.at)
    assert hand.tap_and_read("left:B") == "North left the table: the hand is void."
    assert hand.tap("void").status_code == 303
    entry = client.log(id)[-1].payload
    assert entry == {"type": "hand", "dealer": "D", "first_attacker": "A", "walked_out": "B"}
    assert hand.now == "West attacks North"


def test_the_others_play_on(client: Browser) -> None:
    """Who left is passed over from then on; a transfer goes past; after how many bouts is in the record."""
    id = sit(client, FOUR, LOST, walk_out="plays-on", **ON)
    hand = Hand(client, id)
    hand.tap_and_read("beaten-off")
    assert hand.now == "North attacks East"
    assert hand.tap_and_read("left:C") == "North attacks South"
    assert re.search(r'<li class="gone left" data-seat="C"', hand.page)
    assert hand.tap_and_read("transfer") == "South attacks West"
    assert hand.tap("left:A").status_code == 400
    hand.tap_and_read("beaten-off")
    assert hand.now == "West attacks North"
    assert "East left the table" in client.read(hand.at)
    hand.tap("talon:used-up")
    assert hand.tap_and_read("beaten-off", "B") == "South attacks West"
    assert hand.tap_and_read("beaten-off", "A") == "South is the fool. East left the table."
    assert hand.tap("lost:D").status_code == 303
    entry = client.log(id)[-1].payload
    assert (entry["loser"], entry["walked_out"], entry["walked_after"], len(entry["bouts"])) == (
        "D",
        "C",
        1,
        4,
    )


def test_leaving_is_taken_back_with_bouts(client: Browser) -> None:
    """A bout before it is corrected: that somebody leaves later stays, and holds again afterwards."""
    id = sit(client, FOUR, LOST, walk_out="plays-on")
    hand = Hand(client, id)
    hand.tap_and_read("picked-up")
    hand.tap_and_read("beaten-off")
    assert hand.tap_and_read("left:A") == "South attacks North"
    hand.tap_and_read("picked-up")
    assert hand.tap_and_read("back:0") == "West attacks North"
    assert "After bout 2 West leaves the table." in client.read(hand.at)
    hand.tap_and_read("picked-up")
    hand.tap_and_read("again")
    entry = client.log(id)[-1].payload
    assert (entry["walked_out"], entry["walked_after"], len(entry["bouts"])) == ("A", 2, 3)
    hand.tap_and_read("back:0")
    hand.tap_and_read("stayed")
    assert "leaves the table" not in client.read(hand.at).replace("Somebody leaves the table", "")


def test_who_leaves_before_the_first_attack(client: Browser) -> None:
    """The cards are dealt: it is lost, or goes on without, and nobody who left is asked to attack."""
    id = sit(client, FOUR)
    hand = Hand(client, id)
    assert hand.tap_and_read("left:B") == "North left the table: North lost."
    assert 'value="first:' not in hand.page
    assert hand.tap("lost:B").status_code == 303
    assert client.log(id)[-1].payload == {"type": "hand", "loser": "B", "dealer": "A", "walked_out": "B"}
    hand = Hand(client, sit(client, FOUR, walk_out="plays-on"))
    assert hand.tap_and_read("left:B") == "Who attacks first?"
    assert set(re.findall(r'value="first:(\w)" aria-label', hand.page)) == {"A", "C", "D"}
    assert hand.tap("first:B").status_code == 400
    assert hand.tap_and_read("first:A") == "West attacks East"


def test_left_alone(client: Browser) -> None:
    """Where the last one is left alone, nobody has lost."""
    id = sit(client, FOUR[:3], {"type": "hand", "loser": "C"}, walk_out="plays-on")
    hand = Hand(client, id)
    hand.tap("talon:used-up")
    assert hand.tap_and_read("beaten-off", "A") == "North attacks East"
    assert "one was left alone: the hand is void" in hand.tap_and_read("left:B")
    assert hand.tap("void").status_code == 303
    assert "loser" not in client.log(id)[-1].payload


def test_a_bout_that_somebody_leaves_is_cancelled(client: Browser) -> None:
    """Its attacker begins again, or the next with cards; it can be taken back, and is written as it was."""
    rules = {"walk_out": "plays-on", "walk_out_bout": "cancelled"}
    assert "cancelled:" not in Hand(client, sit(client, FOUR, LOST, walk_out="plays-on")).page
    id = sit(client, FOUR, LOST, **rules, **ON)
    hand = Hand(client, id)
    hand.tap_and_read("transfer")
    assert hand.tap_and_read("cancelled:D") == "West attacks North"
    assert "South left the table" in hand.page
    assert hand.tap("cancelled:D").status_code == 400
    assert hand.tap_and_read("back:0") == "North attacks East"
    assert hand.tap_and_read("again") == "West attacks North"
    hand.tap_and_read("picked-up")
    assert hand.tap_and_read("cancelled:C") == "West attacks North"
    assert "one was left alone: the hand is void" in hand.tap_and_read("cancelled:A")
    assert hand.tap("void").status_code == 303
    entry = client.match(id).standing_entries[-1]
    assert "loser" not in entry.payload
    assert [(bout["result"], bout.get("out")) for bout in entry.payload["bouts"]] == [
        ("cancelled", ["D"]),
        ("picked-up", None),
        ("cancelled", ["C"]),
        ("cancelled", ["A"]),
    ]
    assert "cancelled, South left the table" in client.read(f"/en/m/{id}/entries/{entry.id}")


# --- five of a suit, epaulettes, undone --------------------------------------------------------


def test_five_of_a_suit(client: Browser) -> None:
    """A new deal is written in one tap, before the first attack only, and where the table plays so."""
    assert "five-suited" not in re.findall(
        r'value="(five-suited):', Hand(client, sit(client, FOUR, LOST)).page
    )
    id = sit(client, FOUR, LOST, five_of_a_suit="redeal")
    hand = Hand(client, id)
    assert hand.tap("five-suited:C").status_code == 303
    assert client.log(id)[-1].payload == {"type": "hand", "dealer": "D", "misdeal": "five-suited", "by": "C"}
    assert hand.now == "West attacks North"
    hand.tap_and_read("beaten-off")
    assert 'value="five-suited:' not in hand.page
    assert hand.tap("five-suited:C").status_code == 400
    assert Hand(client, sit(client, FOUR, LOST)).tap("five-suited:C").status_code == 400


def test_six_of_a_colour(client: Browser) -> None:
    """As five of a suit, each with a button of its own; on the form of the hand too."""
    id = sit(client, FOUR, LOST, five_of_a_suit="redeal", six_of_a_colour="redeal")
    hand = Hand(client, id)
    assert {"five-suited", "six-coloured"} <= {*re.findall(r'value="([\w-]+):C"', hand.page)}
    assert hand.tap("six-coloured:C").status_code == 303
    assert client.log(id)[-1].payload["misdeal"] == "six-coloured"
    form = client.get(f"/en/m/{id}/hand").text
    assert 'value="six-coloured:B"' in form
    carried = dict(re.findall(r'name="(form_key|seq)" value="([^"]*)"', form))
    hand.client.post(f"/en/m/{id}/hand", data={**carried, "result": "six-coloured:B"})
    last = client.log(id)[-1]
    assert (last.payload["misdeal"], last.payload["by"]) == ("six-coloured", "B")
    assert Hand(client, sit(client, FOUR, LOST)).tap("six-coloured:C").status_code == 400


def sixes(hand: Hand, do: str, count: str) -> Any:
    carried = dict(re.findall(r'name="(form_key|seq)" value="([^"]*)"', hand.page))
    return hand.client.post(hand.at, data={**carried, "do": do, "sixes": count})


def test_epaulettes(client: Browser) -> None:
    """How many sixes is asked where the table writes them, once it is over or by hand; it may be left out."""
    assert (
        'name="sixes"' not in Hand(client, sit(client, ("Ewa", "Jan"), {"type": "hand", "loser": "B"})).page
    )
    id = sit(client, ("Ewa", "Jan"), {"type": "hand", "loser": "B"}, epaulettes=True)
    hand = Hand(client, id)
    hand.tap("talon:used-up")
    assert hand.tap_and_read("picked-up", "A") == "Jan is the fool."
    assert hand.page.count('name="sixes" value="2"') == 1
    assert sixes(hand, "lost:B", "7").status_code == 400
    assert sixes(hand, "lost:B", "2").status_code == 303
    assert client.log(id)[-1].payload["sixes"] == 2
    assert sixes(hand, "lost:A", "0").status_code == 303
    assert client.log(id)[-1].payload["sixes"] == 0
    hand.tap("lost:A")
    assert "sixes" not in client.log(id)[-1].payload


def test_the_lot_decides(client: Browser) -> None:
    """Where nobody has a trump and the lot chooses, no tap says that it is the dealer's left."""
    hand = Hand(client, sit(client, FOUR, no_trump_start="lot"))
    assert "Nobody has a trump: a player chosen by lot." in client.read(hand.at)
    assert "quiet" not in re.findall(r'class="btn (quiet)" name="do" value="first:', hand.page)
    assert hand.tap_and_read("first:C") == "East attacks South"


def test_a_hand_that_was_written_and_undone(client: Browser) -> None:
    """It is followed further from where it stood, with all that was recorded of it."""
    id = sit(client, FOUR, LOST, walk_out="plays-on", **ON)
    hand = Hand(client, id)
    hand.tap("transfer")
    hand.tap("card:9S")
    hand.tap("beaten-off")
    hand.tap("left:A")
    hand.tap("talon:used-up")
    hand.tap("beaten-off", "C")
    hand.tap("lost:B")
    written = client.log(id)[-1].payload
    assert "resume" not in re.findall(r'value="(resume)"', hand.page)
    client.fill(id, "undo")
    assert hand.now == "West attacks North"
    assert hand.tap_and_read("resume") == "South attacks North"
    hand.tap("lost:B")
    assert client.log(id)[-1].payload == written
    assert hand.tap("resume").status_code == 400
