"""Following a hand: who attacks whom after every bout, the rules' endgames, the end, what goes wrong."""

import re
from html import unescape

import pytest
from endgames import FOUR, INDIVIDUAL, SIX, TEAMS_4, TEAMS_6, TEAMS_6_E_OUT, TEAMS_6_S_OUT, Bouts
from following import Hand, heading

from companion.matches import AmendEntry, KeepDraft
from tests.web.browsers import Browser
from tests.web.hands.entries import LOST, sit


def is_checked(page: str, value: str) -> bool:
    return bool(re.search(rf'name="out" value="{value}" checked', page))


ENDGAMES = [
    pytest.param(FOUR, {}, "D", INDIVIDUAL, "East is the fool.", id="individual"),
    pytest.param(FOUR, {"format": "teams-4"}, "D", TEAMS_4, "North & South lost.", id="teams-4"),
    pytest.param(SIX, {"format": "teams-6"}, "F", TEAMS_6, "NW & E & S lost.", id="teams-6"),
    pytest.param(SIX, {"format": "teams-6"}, "F", TEAMS_6_S_OUT, "W & N & SE lost.", id="teams-6 S out"),
    pytest.param(SIX, {"format": "teams-6"}, "F", TEAMS_6_E_OUT, "W & N & SE lost.", id="teams-6 E out"),
]


@pytest.mark.parametrize(("names", "rules", "dealer", "bouts", "end"), ENDGAMES)
def test_the_endgames_of_the_rules(
    client: Browser,
    names: tuple[str, ...],
    rules: dict[str, str],
    dealer: str,
    bouts: Bouts,
    end: str,
) -> None:
    """The page says at every step of the rules' examples who attacks whom, and how it ended."""
    lost = {"type": "hand", "loser": "B", "deals": dealer} if rules else LOST
    hand = Hand(client, sit(client, names, lost, **rules))
    if len(names) == 4:
        hand.tap_and_read("talon:used-up")
    for due, result, out in bouts:
        assert hand.now == due
        hand.tap_and_read(result, *out)
    assert hand.now == end


def test_a_hand_from_the_lowest_trump_to_the_fool(client: Browser) -> None:
    """Who attacks first is asked in the first hand; in the end one tap writes all of it down."""
    id = sit(client)
    hand = Hand(client, id)
    assert hand.now == "Who attacks first?"
    assert "durak.start.lowest-trump" in hand.page
    assert hand.tap_and_read("first:C") == "East attacks South"
    assert hand.tap_and_read("trump:H") == "East attacks South"
    assert hand.tap_and_read("beaten-off") == "South attacks West"
    assert 'name="out"' not in hand.page  # the talon lasts
    hand.tap_and_read("talon:used-up")
    assert hand.tap_and_read("picked-up", "D") == "North attacks East"
    assert hand.tap_and_read("beaten-off", "B", "C") == "West is the fool."
    answer = hand.tap("lost:A")
    assert answer.status_code == 303
    assert answer.location.endswith(f"/m/{id}")
    assert client.log(id)[-1].payload == {
        "type": "hand",
        "loser": "A",
        "dealer": "A",
        "first_attacker": "C",
        "trump": "H",
        "bouts": [
            {"attacker": "C", "defender": "D", "result": "beaten-off"},
            {"attacker": "D", "defender": "A", "result": "picked-up", "out": ["D"]},
            {"attacker": "B", "defender": "C", "result": "beaten-off", "out": ["B", "C"]},
        ],
    }
    assert hand.now == "North attacks East"  # of the next hand, which begins empty


def test_nobody_has_a_trump(client: Browser) -> None:
    """Then the dealer's left attacks, and that can be taken back while there is no bout."""
    hand = Hand(client, sit(client))
    button = re.search(r'value="(first:\w)">Nobody has a trump', hand.page)
    assert button
    assert hand.tap_and_read(button[1]) == "North attacks East"
    assert hand.tap_and_read("restart") == "Who attacks first?"


def test_a_later_hand_begins_by_its_rule(client: Browser) -> None:
    """The dealer's left attacks; where the fool is taught, the dealer's right attacks the dealer."""
    hand = Hand(client, sit(client, FOUR, LOST))
    assert hand.now == "West attacks North"
    assert "durak.start.next" in hand.page
    assert Hand(client, sit(client, FOUR, LOST, first_attack="teach-the-fool")).now == "East attacks South"


def test_what_the_page_says_of_a_bout(client: Browser) -> None:
    """How many may be thrown in, who may and in which order, who draws first: with the rules."""
    five = ("Ewa", "Jan", "Ala", "Olek", "Iga")
    hand = Hand(client, sit(client, five, {"type": "hand", "loser": "E"}, first_defence_limit=5))
    text = client.read(hand.at)
    assert "5 at most in the first bout, and no more than Jan holds." in text and "durak.throw.limit" in text
    assert (
        "May throw in Ewa Ala Until the first card is beaten, only Ewa." in text
        and "durak.throw.priority" in text
    )
    assert (
        "Draw afterwards Ewa Ala Jan Whoever has fewer than 6 cards." in text and "durak.draw.order" in text
    )
    hand.tap("beaten-off")
    hand.tap("talon:used-up")
    text = client.read(hand.at)
    assert "6 at most, and no more than Ala holds." in text
    assert "Nobody: the talon is used up." in text
    assert "durak.turn.beaten-off" in text and "durak.turn.individual" in text


def test_only_who_played_can_have_gone_out(client: Browser) -> None:
    """Nobody is offered who could not have shed a card; a crafted tap is refused with a sentence."""
    five = ("Ewa", "Jan", "Ala", "Olek", "Iga")
    hand = Hand(client, sit(client, five, {"type": "hand", "loser": "E"}))
    hand.tap("talon:used-up")
    assert re.findall(r'name="out" value="(\w)"', hand.page) == ["A", "B", "C"]
    refused = hand.tap("beaten-off", "D")
    assert refused.status_code == 422
    assert "Olek could play no card in this bout" in refused.text
    assert "durak.throw.who" in refused.text
    refused = hand.tap("picked-up", "A", "B")
    assert refused.status_code == 422
    assert "Jan picked up and so still has cards." in refused.text
    assert is_checked(refused.text, "A")
    assert hand.now == "Ewa attacks Jan"


def test_nobody_goes_out_while_the_talon_lasts(client: Browser) -> None:
    """A tap that says otherwise is refused; six players with 36 cards have no talon at all."""
    hand = Hand(client, sit(client, FOUR, LOST))
    refused = hand.tap("beaten-off", "A")
    assert refused.status_code == 422
    assert "While the talon lasts, nobody goes out." in unescape(refused.text)
    six = Hand(client, sit(client, SIX, {"type": "hand", "loser": "F"}))
    assert "talon:used-up" not in six.page
    assert 'name="out"' in six.page


def test_bouts_are_taken_back(client: Browser) -> None:
    """The last one, or an earlier one with all after it; what was recorded beside them stays."""
    hand = Hand(client, sit(client, FOUR, LOST))
    hand.tap("trump:S")
    for result in ("beaten-off", "beaten-off", "picked-up"):
        hand.tap(result)
    assert hand.now == "West attacks North"
    assert hand.tap_and_read("back:2") == "East attacks South"
    assert hand.tap_and_read("back:0") == "West attacks North"
    assert 'value="trump:S" aria-pressed="true"' in hand.page
    assert hand.tap("back:0").status_code == 400
    for number in ("x", "²", "①", "-1", "", "9" * 5000):
        assert hand.tap(f"back:{number}").status_code == 400


def test_the_talon_may_last_after_all(client: Browser) -> None:
    """A wrong tap is mended while nobody has gone out, and not after."""
    hand = Hand(client, sit(client, FOUR, LOST))
    hand.tap("talon:used-up")
    hand.tap("talon:lasts")
    assert 'name="out"' not in hand.page
    hand.tap("talon:used-up")
    hand.tap("beaten-off", "A")
    assert "talon:lasts" not in hand.page
    assert hand.tap("talon:lasts").status_code == 400


def test_a_team_says_who_deals(client: Browser) -> None:
    """A loss of a team is written by who of it deals next; not named before, the dealer is asked now."""
    id = sit(client, FOUR, {"type": "hand", "loser": "B"}, format="teams-4")
    hand = Hand(client, id)
    assert hand.now == "Which of the losers deals?"
    assert hand.tap("dealer:A").status_code == 400
    assert hand.tap_and_read("dealer:B") == "East attacks South"
    hand.tap("talon:used-up")
    hand.tap("beaten-off", "C")
    assert hand.tap_and_read("beaten-off", "A", "D") == "North & South lost."
    assert re.findall(r'value="(lost:B:\w)"', hand.page) == ["lost:B:B", "lost:B:D"]
    assert hand.tap("lost:B:D").status_code == 303
    entry = client.log(id)[-1].payload
    assert (entry["loser"], entry["deals"], entry["dealer"], len(entry["bouts"])) == ("B", "D", "B", 2)
    assert hand.now == "West attacks North"


def test_a_draw(client: Browser) -> None:
    """When nobody holds a card, the draw is one tap."""
    id = sit(client, ("Ewa", "Jan"), {"type": "hand", "loser": "B"})
    hand = Hand(client, id)
    hand.tap("talon:used-up")
    assert hand.tap_and_read("beaten-off", "A", "B") == "A draw: nobody had a card left."
    assert hand.tap("lost:A").status_code == 422
    assert hand.tap("draw").status_code == 303
    assert client.log(id)[-1].payload["loser"] is None


def test_to_stop_following(client: Browser) -> None:
    """The loser is written by hand, with the bouts so far; or the hand is dropped."""
    id = sit(client, FOUR, LOST)
    hand = Hand(client, id)
    hand.tap("beaten-off")
    assert hand.tap("drop").status_code == 303
    assert hand.now == "West attacks North"
    hand.tap("beaten-off")
    assert hand.tap("lost:C").status_code == 303
    entry = client.log(id)[-1].payload
    assert (entry["loser"], len(entry["bouts"])) == ("C", 1)
    assert hand.now == "South attacks West"


def test_who_is_out_has_not_lost(client: Browser) -> None:
    """Such a loser is not offered, and refused with the rule."""
    hand = Hand(client, sit(client, FOUR, LOST))
    hand.tap("talon:used-up")
    hand.tap("beaten-off", "A")
    assert 'value="lost:A"' not in hand.page
    refused = hand.tap("lost:A")
    assert refused.status_code == 422
    assert "durak.turn.out" in refused.text


def test_the_second_trump(client: Browser) -> None:
    """Severnyi: once the talon is used up its last card changes the trumps, from the next bout on."""
    hand = Hand(client, sit(client, FOUR, LOST, severnyi=True))
    hand.tap("trump:H")
    hand.tap("beaten-off")
    assert hand.tap("second:S").status_code == 400
    hand.tap("talon:used-up")
    hand.tap("second:S")
    assert "Trumps from the next bout on: spades." in client.read(hand.at)
    hand.tap("beaten-off")
    assert "Trumps are now: spades. Why durak.severnyi.change" in client.read(hand.at)
    hand.tap("second:H")
    assert "The same suit again: nothing changes." in client.read(hand.at)
    assert 'value="second:' not in Hand(client, sit(client, FOUR, LOST)).page


def test_a_stale_page_shows_what_changed(client: Browser) -> None:
    """Nothing is written over what others wrote: 409, with the hand as it is now."""
    id = sit(client, FOUR, LOST)
    hand = Hand(client, id)
    hand.tap("beaten-off")
    late = hand.tap("beaten-off", seq="1")
    assert late.status_code == 409
    assert heading(late.text) == "North attacks East"
    client.write(id, {"type": "hand", "loser": "A"})
    late = hand.tap("picked-up", seq="2")
    assert late.status_code == 409
    assert "Written meanwhile" in late.text
    assert heading(late.text) == "North attacks East"  # A deals now
    client.write(id, {"type": "close"})
    assert client.post(hand.at, data={"do": "beaten-off", "seq": "3"}).status_code == 409


def test_an_earlier_entry_is_amended(client: Browser) -> None:
    """Then the bouts that were followed may not fit any more: which ones, and why; they can be taken back."""
    id = sit(client, FOUR, LOST)
    hand = Hand(client, id)
    hand.tap("beaten-off")
    client.change(id, AmendEntry(1, {"type": "hand", "loser": "A"}))
    assert "Bout 1:" in hand.page
    assert "North attacks now, not West." in hand.page
    refused = hand.tap("lost:C")
    assert refused.status_code == 422
    assert hand.tap_and_read("back:0") == "North attacks East"
    assert "attacks now, not" not in hand.page


def test_a_draft_may_hold_anything(client: Browser) -> None:
    """What is no hand, or no hand of this table, is passed over."""
    id = sit(client, FOUR, LOST)
    bout = {"attacker": "A", "defender": "B", "result": "beaten-off"}
    for draft in (
        7,
        {"type": "deal"},
        {"type": "hand", "bouts": 3},
        {"type": "hand", "bouts": [bout | {"defender": "F"}]},
        {"type": "hand", "bouts": [bout], "second_trump": "Z"},
        {"type": "hand", "bouts": [bout], "second_trump": [], "shown_after": "x"},
        {"type": "hand", "dealer": {}, "first_attacker": []},
    ):
        client.change(id, KeepDraft(draft))
        assert Hand(client, id).now == "West attacks North", draft


@pytest.mark.parametrize(
    "do",
    [
        "",
        "first:A",
        "dealer:A",
        "trump:Z",
        "second:H",
        "lost:Z",
        "lost",
        "lost:A:B",
        "back:",
        "back:²",
        "x:y:z",
    ],
)
def test_taps_that_no_page_offers(client: Browser, do: str) -> None:
    """They are no reason to break."""
    hand = Hand(client, sit(client, FOUR, LOST))
    assert hand.tap(do).status_code == 400
    assert hand.tap("beaten-off", "Z").status_code == 400


def test_what_there_is_nothing_to_follow_in(client: Browser) -> None:
    """A finished session has no hand to come, and other games have none at all."""
    id = sit(client, FOUR, LOST, {"type": "close"})
    assert client.get(f"/en/m/{id}/hand/follow").status_code == 303
    assert client.post(f"/en/m/{id}/hand/follow", data={"do": "beaten-off", "seq": "2"}).status_code == 303
    assert client.get(f"/en/m/{client.start()}/hand/follow").status_code == 404


def test_a_script_gets_the_form_alone(client: Browser) -> None:
    """What is exchanged on the page is the form, and nothing around it."""
    at = Hand(client, sit(client, FOUR, LOST)).at
    part = client.get(at, headers={"X-Part": "form"}).text
    assert part.strip().startswith("<form")
    assert "<html" not in part
