"""Following a hand by house rules: transfers, leaving the table, a new deal, epaulettes, what is undone."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from endgames import FOUR
from flask.testing import FlaskClient
from following import Hand, heading

from companion.matches import Change, KeepDraft, Match

Words = Callable[[Any], str]
Sit = Callable[..., str]
Log = Callable[[str], list[Any]]
Post = Callable[..., Any]

LOST = {"type": "hand", "loser": "D"}
"""A first hand, so that the next is dealt by D, and A attacks B."""
ON = {"transfer": "on"}
SHOWS = {"transfer": "on", "pass_card": "on"}


@pytest.fixture
def sit(sit: Sit) -> Sit:
    """Starts a session of these players, the first thing that a test says."""
    return lambda names=FOUR, *entries, **rules: sit(*entries, names=names, **rules)


def way(page: str) -> int:
    """How many arrows the ring shows."""
    found = re.search(r'<svg class="arrow".*?</svg>', page, re.S)
    return found[0].count("<path") // 2 if found else 0


def test_a_bout_with_transfers(client: FlaskClient, sit: Sit, words: Words, log: Log) -> None:
    """Each is one tap; who attacks, defends, throws in and draws follows, and the ring shows the way."""
    id = sit(FOUR, LOST, **ON)
    hand = Hand(client, id)
    assert "If it is transferred, East defends." in words(client.get(hand.at))
    assert way(hand.page) == 1
    assert hand.tap_and_read("transfer") == "North attacks East"
    assert hand.tap_and_read("transfer") == "East attacks South"
    said = words(client.get(hand.at))
    assert "The attack West North East South § durak.transfer" in said
    assert "6 at most, and no more than South holds. Laid so far: 3 at least; 3 more at most." in said
    assert "If it is transferred again, West defends." in said
    assert "Draw afterwards East West North South Whoever has fewer than 6 cards." in said
    assert way(hand.page) == 3
    assert re.search(r'<li class=" attacks" data-seat="C"', hand.page)
    assert re.search(r'<li class=" deals defends" data-seat="D"', hand.page)
    assert hand.tap_and_read("beaten-off") == "South attacks West"
    assert way(hand.page) == 1
    hand.tap("lost:A")
    assert log(id)[-1].payload["bouts"] == [
        {"attacker": "A", "defender": "B", "result": "beaten-off", "transfers": [{"by": "B"}, {"by": "C"}]}
    ]


def test_a_rank_has_four_cards(client: FlaskClient, sit: Sit, words: Words) -> None:
    """Three are laid to transfer; the fourth tap is not offered, says why, and is refused."""
    hand = Hand(client, sit(FOUR, LOST, **ON))
    for _card in range(3):
        assert 'value="transfer"' in hand.page
        hand.tap_and_read("transfer")
    assert hand.now == "South attacks West"
    assert 'value="transfer"' not in hand.page
    assert "Transferring One card of the rank attacked, so at most 3 can be laid" in words(
        client.get(hand.at)
    )
    refused = hand.tap("transfer")
    assert refused.status_code == 422
    assert heading(refused.text) == "South attacks West"


def test_where_nothing_is_transferred(client: FlaskClient, sit: Sit, words: Words) -> None:
    """Not in the plain game, and not in the first bout where the table says so, with the reason."""
    plain = Hand(client, sit(FOUR, LOST))
    assert "Transferr" not in plain.page
    assert plain.tap("transfer").status_code == 400
    hand = Hand(client, sit(FOUR, LOST, **ON, transfer_first="off"))
    said = words(client.get(hand.at))
    assert (
        "Transferring Here no attack is transferred in the first bout of a hand. § durak.transfer.first"
        in said
    )
    assert 'value="transfer"' not in hand.page
    assert hand.tap("transfer").status_code == 422
    hand.tap_and_read("picked-up")
    assert 'value="transfer"' in hand.page
    assert (
        Hand(client, sit(FOUR, {"type": "hand", "loser": "B", "deals": "B"}, format="teams-4")).page.count(
            "Transf"
        )
        == 0
    )


def test_with_which_card(client: FlaskClient, sit: Sit, log: Log) -> None:
    """A card may be told for each transfer, taken out again, or left out; one rank, none laid twice."""
    id = sit(FOUR, LOST, **ON)
    hand = Hand(client, id)
    assert hand.tap("card:7S").status_code == 400
    hand.tap("transfer")
    hand.tap("transfer")
    assert hand.page.count('value="card:') == 36
    hand.tap_and_read("card:7S")
    assert re.findall(r'value="card:(\w+)"', hand.page) == ["7C", "7D", "7H", "7S"]
    hand.tap_and_read("card:7D")
    hand.tap_and_read("card:7S")
    assert hand.tap("card:8S").status_code == 422
    assert hand.tap("card:2S").status_code == 400
    hand.tap_and_read("card:7H")
    hand.tap_and_read("picked-up")
    hand.tap("lost:A")
    transfers = [{"by": "B", "card": "7H"}, {"by": "C", "card": "7D"}]
    assert log(id)[-1].payload["bouts"][0]["transfers"] == transfers


def test_a_trump_is_shown(client: FlaskClient, sit: Sit, words: Words, log: Log) -> None:
    """Only where the table plays so: once in a chain, of the suit of trumps, once a hand by one player."""
    assert "transfer:shown" not in Hand(client, sit(FOUR, LOST, **ON)).page
    id = sit(FOUR, LOST, **SHOWS)
    hand = Hand(client, id)
    hand.tap("trump:H")
    assert hand.tap_and_read("transfer:shown") == "North attacks East"
    assert "Laid so far: 1 at least; 5 more at most." in words(client.get(hand.at))
    assert "a trump shown" in hand.page
    assert 'value="transfer:shown"' not in hand.page
    assert 'value="transfer"' in hand.page
    refused = hand.tap("card:7S")
    assert refused.status_code == 422
    assert "no trump, and only a trump is shown" in refused.text
    hand.tap_and_read("card:7H")
    hand.tap_and_read("picked-up")
    assert hand.now == "South attacks West"
    hand.tap_and_read("picked-up")
    assert hand.tap_and_read("transfer:shown") == "East attacks South"
    hand.tap_and_read("picked-up")
    hand.tap_and_read("beaten-off")
    assert hand.now == "North attacks East"
    hand.tap_and_read("beaten-off")
    assert hand.tap_and_read("picked-up") == "West attacks North"
    hand.tap_and_read("transfer:shown")
    refused = hand.tap("card:7H")
    assert refused.status_code == 422
    assert "North has shown" in refused.text
    hand.tap_and_read("untransfer")
    hand.tap("lost:A")
    told = [bout.get("transfers") for bout in log(id)[-1].payload["bouts"]]
    assert told[:3] == [[{"by": "B", "shown": True, "card": "7H"}], None, [{"by": "C", "shown": True}]]


@pytest.mark.parametrize(
    ("rules", "first", "later"),
    [
        ({}, "6 at most, and no more than North holds.", "6 at most, and no more than East holds."),
        (
            {"first_defence_limit": 5},
            "5 at most in the first bout, and no more than North holds. § durak.throw.limit",
            "6 at most, and no more than East holds. § durak.throw.limit",
        ),
        (
            {"first_defence_limit": 5, "first_defence_until": "beaten-off"},
            "5 at most until an attack is beaten off, and no more than North holds. § durak.throw.limit",
            "6 at most, and no more than East holds.",
        ),
        (
            {"attack_cap": 0},
            "No more than North holds. § durak.throw.cap",
            "No more than East holds. § durak.throw.cap",
        ),
    ],
)
def test_how_many_may_come(
    client: FlaskClient, sit: Sit, words: Words, rules: dict[str, Any], first: str, later: str
) -> None:
    """The smaller cap of the first bout, or until one is beaten off; no cap but the hand."""
    hand = Hand(client, sit(FOUR, LOST, **ON, **rules))
    assert first in words(client.get(hand.at))
    hand.tap_and_read("beaten-off")
    assert later in words(client.get(hand.at))
    if "attack_cap" in rules:
        hand.tap_and_read("transfer")
        assert "No more than South holds. Laid so far: 2 at least. §" in words(client.get(hand.at))
    if "first_defence_until" in rules:
        again = Hand(client, sit(FOUR, LOST, **ON, **rules))
        again.tap_and_read("picked-up")
        assert (
            "5 at most until an attack is beaten off, and no more than South holds. § durak.throw.cap"
            in words(client.get(again.at))
        )


def test_taking_back_loses_nothing(client: FlaskClient, sit: Sit, log: Log) -> None:
    """A result, then transfers one by one; who was ticked, cards and later bouts come back with one tap."""
    id = sit(FOUR, LOST, **ON)
    hand = Hand(client, id)
    hand.tap("talon:used-up")
    hand.tap("transfer")
    hand.tap("card:9S")
    hand.tap_and_read("beaten-off", "A", "B")
    hand.tap_and_read("picked-up")
    before = log(id)[-1].payload["bouts"]
    assert hand.now == "East attacks South"
    assert hand.tap_and_read("back:0") == "North attacks East"
    assert re.findall(r'name="out" value="(\w)" checked', hand.page) == ["A", "B"]
    assert hand.tap_and_read("again") == "East attacks South"
    assert log(id)[-1].payload["bouts"] == before
    hand.tap_and_read("back:0")
    assert hand.tap_and_read("untransfer") == "West attacks North"
    assert "again" not in re.findall(r'value="(again)"', hand.page)
    hand.tap_and_read("transfer")
    hand.tap_and_read("card:9H")
    hand.tap_and_read("beaten-off", "A", "B")
    assert hand.tap_and_read("again") == "East attacks South"
    assert [bout.get("transfers") for bout in log(id)[-1].payload["bouts"]] == [
        [{"by": "B", "card": "9H"}],
        None,
    ]


def test_later_bouts_that_fit_no_more(client: FlaskClient, sit: Sit) -> None:
    """They are not offered where another would attack, nor where somebody would have gone out before."""
    hand = Hand(client, sit(FOUR, LOST, **ON))
    hand.tap("talon:used-up")
    for result in ("beaten-off", "picked-up", "picked-up"):
        hand.tap_and_read(result)
    hand.tap_and_read("back:0")
    hand.tap_and_read("picked-up")
    assert 'value="again"' not in hand.page
    hand.tap_and_read("back:0")
    hand.tap_and_read("beaten-off", "C")
    assert hand.tap("again").status_code == 400
    hand.tap_and_read("back:0")
    assert 'value="again"' in hand.page


def test_ticks_survive_other_taps(client: FlaskClient, sit: Sit, log: Log) -> None:
    """Who was ticked to have gone out stays so in their order, also without a script."""
    id = sit(FOUR, LOST, **ON)
    hand = Hand(client, id)
    hand.tap("talon:used-up")
    hand.tap("trump:H", "C", "A")
    assert 'data-order="C A"' in hand.page
    hand.tap("transfer", "C", "A")
    assert 'data-order="C A"' in hand.page
    hand.tap("trump:S")
    assert 'data-order=""' in hand.page
    hand.tap_and_read("beaten-off", "C", "A")
    assert "Went out East West" in " ".join(re.sub(r"<[^>]+>", " ", hand.page).split())
    hand.tap("lost:B")
    assert log(id)[-1].payload["bouts"][0]["out"] == ["C", "A"]


# --- leaving the table -------------------------------------------------------------------------


def test_who_leaves_is_the_fool(client: FlaskClient, sit: Sit, log: Log) -> None:
    """By the default rule the hand is lost at once; it can be taken back, and one tap writes it down."""
    id = sit(FOUR, LOST)
    hand = Hand(client, id)
    hand.tap("beaten-off")
    assert hand.tap_and_read("left:C") == "East left the table: East lost."
    assert "durak.end.walk-out" in hand.page
    assert hand.tap("left:A").status_code == 400
    assert hand.tap_and_read("stayed") == "North attacks East"
    hand.tap_and_read("left:C")
    assert hand.tap("lost:C").status_code == 303
    told = log(id)[-1].payload
    assert (told["loser"], told["walked_out"], "walked_after" in told) == ("C", "C", False)
    assert len(told["bouts"]) == 1


def test_a_team_that_somebody_leaves(client: FlaskClient, sit: Sit, log: Log) -> None:
    """The team lost, and says who of it deals."""
    id = sit(FOUR, {"type": "hand", "loser": "B", "deals": "D"}, format="teams-4")
    hand = Hand(client, id)
    assert hand.tap_and_read("left:C") == "East left the table: West & East lost."
    assert hand.tap("lost:A:A").status_code == 303
    told = log(id)[-1].payload
    assert (told["loser"], told["deals"], told["walked_out"]) == ("A", "A", "C")


def test_a_hand_that_is_void(client: FlaskClient, sit: Sit, log: Log, words: Words) -> None:
    """Nobody has lost it, and the same player deals again."""
    id = sit(FOUR, LOST, walk_out="void")
    hand = Hand(client, id)
    assert hand.tap("void").status_code == 400
    assert "The hand is void then, and the same player deals again." in words(client.get(hand.at))
    assert hand.tap_and_read("left:B") == "North left the table: the hand is void."
    assert hand.tap("void").status_code == 303
    told = log(id)[-1].payload
    assert told == {"type": "hand", "dealer": "D", "first_attacker": "A", "walked_out": "B"}
    assert hand.now == "West attacks North"


def test_the_others_play_on(client: FlaskClient, sit: Sit, log: Log, words: Words) -> None:
    """Who left is passed over from then on; a transfer goes past; after how many bouts is in the record."""
    id = sit(FOUR, LOST, walk_out="plays-on", **ON)
    hand = Hand(client, id)
    hand.tap_and_read("beaten-off")
    assert hand.now == "North attacks East"
    assert hand.tap_and_read("left:C") == "North attacks South"
    assert re.search(r'<li class="gone left" data-seat="C"', hand.page)
    assert hand.tap_and_read("transfer") == "South attacks West"
    assert hand.tap("left:A").status_code == 400
    hand.tap_and_read("beaten-off")
    assert hand.now == "West attacks North"
    assert "East left the table" in words(client.get(hand.at))
    hand.tap("talon:used-up")
    assert hand.tap_and_read("beaten-off", "B") == "South attacks West"
    assert hand.tap_and_read("beaten-off", "A") == "South is the fool. East left the table."
    assert hand.tap("lost:D").status_code == 303
    told = log(id)[-1].payload
    assert (told["loser"], told["walked_out"], told["walked_after"], len(told["bouts"])) == ("D", "C", 1, 4)


def test_leaving_is_taken_back_with_bouts(client: FlaskClient, sit: Sit, log: Log, words: Words) -> None:
    """A bout before it is corrected: that somebody leaves later stays told, and holds again afterwards."""
    id = sit(FOUR, LOST, walk_out="plays-on")
    hand = Hand(client, id)
    hand.tap_and_read("picked-up")
    hand.tap_and_read("beaten-off")
    assert hand.tap_and_read("left:A") == "South attacks North"
    hand.tap_and_read("picked-up")
    assert hand.tap_and_read("back:0") == "West attacks North"
    assert "After bout 2 West leaves the table." in words(client.get(hand.at))
    hand.tap_and_read("picked-up")
    hand.tap_and_read("again")
    told = log(id)[-1].payload
    assert (told["walked_out"], told["walked_after"], len(told["bouts"])) == ("A", 2, 3)
    hand.tap_and_read("back:0")
    hand.tap_and_read("stayed")
    assert "leaves the table" not in words(client.get(hand.at)).replace("Somebody leaves the table", "")


def test_left_alone(client: FlaskClient, sit: Sit, log: Log) -> None:
    """Where the last one is left alone, nobody has lost."""
    id = sit(FOUR[:3], {"type": "hand", "loser": "C"}, walk_out="plays-on")
    hand = Hand(client, id)
    hand.tap("talon:used-up")
    assert hand.tap_and_read("beaten-off", "A") == "North attacks East"
    assert "one was left alone: the hand is void" in hand.tap_and_read("left:B")
    assert hand.tap("void").status_code == 303
    assert "loser" not in log(id)[-1].payload


# --- five of a suit, epaulettes, undone --------------------------------------------------------


def test_five_of_a_suit(client: FlaskClient, sit: Sit, log: Log) -> None:
    """A new deal is written in one tap, before the first attack only, and where the table plays so."""
    assert "redeal" not in re.findall(r'value="(redeal):', Hand(client, sit(FOUR, LOST)).page)
    id = sit(FOUR, LOST, five_of_a_suit="redeal")
    hand = Hand(client, id)
    assert hand.tap("redeal:C").status_code == 303
    assert log(id)[-1].payload == {"type": "hand", "dealer": "D", "misdeal": "five-suited", "by": "C"}
    assert hand.now == "West attacks North"
    hand.tap_and_read("beaten-off")
    assert 'value="redeal:' not in hand.page
    assert hand.tap("redeal:C").status_code == 400
    assert Hand(client, sit(FOUR, LOST)).tap("redeal:C").status_code == 400


def sixes(hand: Hand, do: str, count: str) -> Any:
    carried = dict(re.findall(r'name="(form_key|seq)" value="([^"]*)"', hand.page))
    return hand.client.post(hand.at, data={**carried, "do": do, "sixes": count})


def test_epaulettes(client: FlaskClient, sit: Sit, log: Log) -> None:
    """How many sixes is asked where the table writes them, once it is over or by hand; it may be left out."""
    assert 'name="sixes"' not in Hand(client, sit(("Ewa", "Jan"), {"type": "hand", "loser": "B"})).page
    id = sit(("Ewa", "Jan"), {"type": "hand", "loser": "B"}, epaulettes=True)
    hand = Hand(client, id)
    hand.tap("talon:used-up")
    assert hand.tap_and_read("picked-up", "A") == "Jan is the fool."
    assert hand.page.count('name="sixes" value="2"') == 1
    assert sixes(hand, "lost:B", "7").status_code == 400
    assert sixes(hand, "lost:B", "2").status_code == 303
    assert log(id)[-1].payload["sixes"] == 2
    assert sixes(hand, "lost:A", "0").status_code == 303
    assert log(id)[-1].payload["sixes"] == 0
    hand.tap("lost:A")
    assert "sixes" not in log(id)[-1].payload


def test_the_lot_decides(client: FlaskClient, sit: Sit, words: Words) -> None:
    """Where nobody has a trump and the lot chooses, no tap says that it is the dealer's left."""
    hand = Hand(client, sit(FOUR, no_trump_start="lot"))
    assert "Nobody has a trump: whom the lot chooses." in words(client.get(hand.at))
    assert "quiet" not in re.findall(r'class="btn (quiet)" name="do" value="first:', hand.page)
    assert hand.tap_and_read("first:C") == "East attacks South"


def test_a_hand_that_was_written_and_undone(client: FlaskClient, sit: Sit, post: Post, log: Log) -> None:
    """It is followed further from where it stood, with all that was told of it."""
    id = sit(FOUR, LOST, walk_out="plays-on", **ON)
    hand = Hand(client, id)
    hand.tap("transfer")
    hand.tap("card:9S")
    hand.tap("beaten-off")
    hand.tap("left:A")
    hand.tap("talon:used-up")
    hand.tap("beaten-off", "C")
    hand.tap("lost:B")
    written = log(id)[-1].payload
    assert "resume" not in re.findall(r'value="(resume)"', hand.page)
    post(id, "undo")
    assert hand.now == "West attacks North"
    assert hand.tap_and_read("resume") == "South attacks North"
    hand.tap("lost:B")
    assert log(id)[-1].payload == written
    assert hand.tap("resume").status_code == 400


def test_drafts_of_house_rules_may_hold_anything(
    client: FlaskClient, sit: Sit, change: Callable[[str, Change], Match]
) -> None:
    """What is no transfer, no leaving and no bout is passed over."""
    id = sit(FOUR, LOST, walk_out="plays-on", **ON)
    for wrong in (
        {"transfers": 3},
        {"transfers": [{"by": "Z"}]},
        {"transfers": [{"by": "B", "card": "1S"}]},
        {"going_out": ["Z"]},
        {"going_out": "A"},
        {"later": [{"attacker": "A"}]},
        {"walked_out": "Z"},
        {"walked_out": "C", "walked_after": -1},
        {"walked_out": "C", "walked_after": "x"},
    ):
        change(id, KeepDraft({"type": "hand", **wrong}))
        assert Hand(client, id).now == "West attacks North", wrong
    change(id, KeepDraft({"type": "hand", "transfers": [{"by": "C"}]}))
    assert "may transfer, not East" in Hand(client, id).page


@pytest.mark.parametrize(
    "do",
    ["transfer", "untransfer", "card:9S", "left:Z", "stayed", "again", "void", "redeal:A", "resume", "card"],
)
def test_taps_that_no_page_of_these_offers(client: FlaskClient, sit: Sit, do: str) -> None:
    """They are no reason to break."""
    assert Hand(client, sit(FOUR, LOST)).tap(do).status_code == 400
