"""Every game of the family through the forms: a whole short match each, and the entries beside its deals."""

import re

import pytest

from companion import library
from companion.jacknine.state import JackNineState
from tests.web.browsers import Browser, fields, words

NAMES = {"C": "Ala", "D": "Olek"}


def begin(client: Browser, game: str, target: int = 150, **typed: str) -> str:
    """Starts a match of any game to a short target; Ewa deals."""
    seats = library.open_game(game).family.ruleset.ring.seats
    more = {f"name_{seat}": NAMES[seat] for seat in seats if seat in NAMES}
    return client.start(game=game, rule_target=str(target), **more, **typed)


COUNTS = {
    "derda": {"bid": "A:H", "jass": "A", "nine": "A", "last": "A", "cards_A": "60", "cards_B": "10"},
    "klaberjass": {"bid": "A:H", "jass": "A", "nine": "A", "last": "A", "cards_A": "60", "cards_B": "10"},
    "klaberjass-3": {
        **{"bid": "A:H", "jass": "A", "nine": "A", "last": "A"},
        **{"cards_A": "60", "cards_B": "10", "cards_C": "5"},
    },
    "klaberjass-4": {"bid": "C:NT", "last": "A", "cards_A": "80"},
    "bulka": {"bid": "A:H", "jass": "A", "nine": "A", "last": "A", "cards_A": "60", "cards_B": "10"},
    "darda": {"bid": "A:H", "jass": "A", "nine": "A", "last": "A", "cards_B": "17"},
    "clabber": {"bid": "A:H", "jass": "A", "nine": "A", "last": "A", "cards_A": "60"},
    "belote": {"bid": "A:H", "counting": "points", "points_A": "104"},
    "bela": {"bid": "A:H", "counting": "points", "points_A": "104"},
    "bela-2": {"bid": "A:H", "jass": "A", "nine": "A", "last": "A", "cards_A": "60", "cards_B": "10"},
    "bela-3": {"bid": "B:H", "counting": "points", "points_A": "2", "points_B": "158"},
    "coinche": {"bid": "A:H", "bid_points": "100", "counting": "totals", "total_A": "104", "total_B": "58"},
    "contree": {"bid": "A:H", "bid_points": "100", "counting": "points", "points_A": "104"},
    "deberts": {"bid": "A:H", "jass": "A", "nine": "A", "last": "A", "cards_A": "60", "cards_B": "10"},
    "deberts-3": {
        **{"bid": "A:H", "jass": "A", "nine": "A", "last": "A"},
        **{"cards_A": "60", "cards_B": "10", "cards_C": "5"},
    },
    "deberts-4": {"bid": "A:H", "jass": "A", "nine": "A", "last": "A", "cards_A": "60"},
    "deberts-4-alone": {
        **{"bid": "A:H", "jass": "A", "nine": "A", "last": "A"},
        **{"cards_A": "60", "cards_B": "30", "cards_C": "20"},
    },
}


@pytest.mark.parametrize("game", COUNTS)
def test_a_whole_match(client: Browser, game: str) -> None:
    """Started, two deals counted, won: the board says by whom, and stakes if it was worth more than one."""
    id = begin(client, game)
    ends = "Ewa announces the end"
    for _deal in range(2):
        if not client.match(id).playing:  # what is bid is written too, so one deal is enough
            break
        seq = len(client.log(id))
        answer = client.send(id, COUNTS[game], seq=seq)
        assert answer.status_code == 303, words(answer)
    board = client.read(f"/en/m/{id}")
    if ends in board:
        sent = {"side": "A", "form_key": "f", "seq": str(len(client.log(id)))}
        assert client.post(f"/en/m/{id}/more/finish", data=sent).status_code == 303
        board = client.read(f"/en/m/{id}")
    assert re.search(r"\bwins?\b", board)
    state = client.match(id).state
    assert isinstance(state, JackNineState)
    units = state.stakes.values()
    assert ("Stakes" in board) == any(abs(unit) > 1 for unit in units)
    assert "Rematch" in board
    assert not re.search(r"\bneeds \d", board)


def test_schmeiss_is_answered(client: Browser) -> None:
    """Elder schmeisses; the dealer makes elder take it, or throws the cards in."""
    id = begin(client, "klaberjass", rule_schmeiss="on")
    now = fields(client.send(id, {"way": "calls", "turn_up": "9H"}, do="call:schmeiss").text)
    page = client.send(id, now, do="look")
    assert "Ewa speaks" in words(page)
    assert "take it" in words(page)
    thrown = fields(client.send(id, now, do="call:throw").text)
    assert client.send(id, thrown).status_code == 303
    taken = fields(client.send(id, now, do="call:force", seq=1).text)
    typed = {"jass": "A", "nine": "A", "last": "A", "cards_A": "60", "cards_B": "10"}
    assert client.send(id, taken | typed, seq=1).status_code == 303
    assert [event.payload["auction"] for event in client.log(id)] == [
        ["schmeiss", "throw"],
        ["schmeiss", "force"],
    ]


def test_on_the_bimah_any_suit_must_be_named(client: Browser) -> None:
    """After three passes the dealer may name every suit and may not pass; nothing is thrown in."""
    id = begin(client, "klaberjass", rule_bimah="on")
    page = client.send(id, {"way": "calls", "turn_up": "9H", "calls": "pass,pass,pass"}, do="look")
    assert 'value="call:play"' in page.text
    assert 'value="call:pass"' not in page.text
    assert "Passed out" not in words(page)


def test_four_sevens_are_dealt_again(client: Browser) -> None:
    """A button where the table has agreed on it, and none elsewhere."""
    id = begin(client, "deberts", preset="sets")
    assert "save:four-sevens" in client.get(f"/en/m/{id}/deal").text
    assert client.send(id, {}, do="save:four-sevens").status_code == 303
    assert client.log(id)[0].payload == {"type": "deal", "redeal": "four-sevens"}
    assert "save:four-sevens" not in client.get(f"/en/m/{begin(client, 'deberts')}/deal").text


def test_four_sevens_for_points_are_somebodys(client: Browser) -> None:
    """A button for each player."""
    id = begin(client, "deberts", preset="deberc-rules")
    assert "Four sevens: Jan" in words(client.get(f"/en/m/{id}/deal"))
    assert client.send(id, {}, do="save:four-sevens-B").status_code == 303
    assert client.log(id)[0].payload == {"type": "deal", "redeal": "four-sevens", "by": "B"}


def test_a_dealer_who_has_to_play_is_the_only_one_offered(client: Browser) -> None:
    """After two deals passed out nobody bids."""
    id = begin(client, "deberts", preset="deberc-rules")
    for seq in range(2):
        assert client.send(id, {}, seq=seq, do="save:thrown-in").status_code == 303
    page = client.get(f"/en/m/{id}/deal").text
    assert 'name="bid" value="A:H"' in page
    assert 'name="bid" value="B:H"' not in page
    assert "save:thrown-in" not in page
    assert "way:calls" not in page


def test_offences_and_forfeits(client: Browser) -> None:
    """What was done is asked for where there are several offences; a needless rost costs the runs."""
    id = begin(client, "deberts", 501)
    typed = COUNTS["deberts"] | {"offender": "A"}
    assert "Tap the offence." in words(client.send(id, typed))
    assert client.send(id, typed | {"offence": "extra-card"}).status_code == 303
    runs = {"runs-0-seat": "B", "runs-0-length": "3", "runs-0-top": "K", "forfeits": "B"}
    assert client.send(id, COUNTS["deberts"] | runs, seq=1).status_code == 303
    assert client.log(id)[1].payload["forfeits"] == ["B"]


def test_the_end_is_announced_at_the_writing(client: Browser) -> None:
    """A clear button for the side that may; declared by the one that may not, the game is lost."""
    id = begin(client, "deberts", 100)
    assert "announces the end" not in client.read(f"/en/m/{id}")
    assert client.send(id, COUNTS["deberts"]).status_code == 303
    assert "Ewa announces the end" in client.read(f"/en/m/{id}")
    client.post(f"/en/m/{id}/more/finish", data={"side": "B", "form_key": "f", "seq": "1"})
    assert "Ewa wins" in client.read(f"/en/m/{id}")


def test_a_dive_doubles_and_passes_on(client: Browser) -> None:
    """The stake and who may offer are shown; refused, the game is lost at the stake before."""
    id = begin(client, "deberts", 501, preset="sets", rule_dive="on")
    more = f"/en/m/{id}/more/dive"
    sent = {"by": "A", "accepted": "yes", "form_key": "1", "seq": "0"}
    assert client.post(more, data=sent).status_code == 303
    board = client.read(f"/en/m/{id}")
    assert "The game is worth 2. Only Jan may double now." in board
    again = client.post(more, data=sent | {"form_key": "2", "seq": "1"})
    assert again.status_code == 422
    assert "Ewa doubled last, so only Jan may offer now." in words(again)
    sent |= {"by": "B", "accepted": "no", "form_key": "3", "seq": "1"}
    assert client.post(more, data=sent).status_code == 303
    board = client.read(f"/en/m/{id}")
    assert "Jan wins" in board
    assert "Sets 0 : 2" in board
    assert "Ewa −2 , Jan +2" in board


def test_what_tricks_bring_is_counted_from_the_board(client: Browser) -> None:
    """A suit on the board leads to the points of the tricks, and one side's are enough; belote is added."""
    id = begin(client, "belote", 501)
    page = client.get(f"/en/m/{id}/deal?bid=A:H").text
    assert 'value="counting:count"' not in page
    assert (fields(page)["bid"], fields(page)["counting"]) == ("A:H", "points")
    assert client.send(id, {"bid": "A:H", "counting": "points", "points_A": "104"}).status_code == 303
    assert client.log(id)[0].payload["count"] == {"points": {"A": 104}}
    more = {"bid": "B:S", "counting": "points", "points_B": "70+3", "bela": "D"}
    assert client.send(id, more, seq=1).status_code == 303
    assert client.match(id).state.totals == {"A": 193, "B": 151}
    edited = client.get(f"/en/m/{id}/entries/2?edit=1").text
    assert fields(edited)["points_B"] == "73"
    wrong = client.send(id, {"bid": "A:H", "counting": "points", "points_A": "171"}, seq=2)
    assert wrong.status_code == 422
    assert "171 together is not possible: the cards in play are worth 162 or 252." in words(wrong)


def test_a_bid_with_its_points_and_its_double(client: Browser) -> None:
    """Chips for the usual bids, a field for others; the bid comes back where a deal is corrected."""
    id = begin(client, "coinche", 1000)
    page = client.get(f"/en/m/{id}/deal?bid=A:H").text
    assert fields(page)["counting"] == "points"
    assert re.findall(r'name="bid_points" value="(\w+)"', page) == [*map(str, range(80, 190, 10)), "capot"]
    sent = {"bid": "A:H", "counting": "totals", "total_A": "112", "total_B": "50"}
    refused = client.send(id, sent)
    assert refused.status_code == 422
    assert "Tap how much was bid." in words(refused)
    assert client.send(id, sent | {"bid_points": "100", "double": "2"}).status_code == 303
    assert client.log(id)[0].payload["contract"] == {
        "declarer": "A",
        "trump": "H",
        "points": 100,
        "double": 2,
    }
    assert "100 ×2 Ewa" in re.sub(r"\s+", " ", client.read(f"/en/m/{id}"))
    again = client.get(f"/en/m/{id}/entries/1?edit=1").text
    assert (fields(again)["bid_points"], fields(again)["double"]) == ("100", "2")
    more = {"bid": "B:S", "bid_other": "200", "counting": "totals", "total_A": "50", "total_B": "232"}
    assert client.send(id, more, seq=1).status_code == 303
    assert fields(client.get(f"/en/m/{id}/entries/2?edit=1").text)["bid_other"] == "200"


def test_a_typed_bid_that_is_refused_is_marked(client: Browser) -> None:
    """What cannot be read, and what the table does not bid: the field is marked and its reason named."""
    id = begin(client, "coinche", 1000, rule_highest_bid="160")
    sent = {"bid": "A:H", "counting": "totals", "total_A": "112", "total_B": "50"}
    for typed in ("ninety", "200"):
        page = client.send(id, sent | {"bid_other": typed})
        assert page.status_code == 422
        assert re.search(
            r'name="bid_other"[^>]* aria-describedby="at-bid_other" aria-invalid="true"', page.text
        )
    assert "aria-invalid" not in client.send(id, sent | {"bid_points": "100"}, do="look").text


def test_each_double_is_named_as_it_is_shown(client: Browser) -> None:
    """In words, which are the names of the choices; the chip says them behind the points."""
    id = begin(client, "coinche", 1000)
    page = client.get(f"/en/m/{id}/deal?bid=A:H").text
    named = re.findall(r'name="double" value="(\d?)"[^>]*><span>([^<]+)</span>', page)
    assert named == [("2", "coinché"), ("4", "surcoinché"), ("", "not doubled")]
    for sent, said in (
        ({}, ""),
        ({"bid_points": "110"}, "110"),
        ({"bid_other": "200", "double": "4"}, "200 surcoinché"),
    ):
        page = client.send(id, {"bid": "A:H"} | sent, do="look").text
        assert set(re.findall(r"<span data-contract>([^<]*)</span>", page)) == {said}


def test_the_bidding_by_points_call_by_call(client: Browser) -> None:
    """A number and a suit, a double at any time, and what it comes to."""
    id = begin(client, "contree", rule_doubling="any-time")
    now = fields(client.send(id, {"way": "calls"}, do="look").text)
    page = client.send(id, now | {"call_points": "110"}, do="call:bid H").text
    assert fields(page)["calls"] == "bid 110 H"
    assert 'value="call:double D"' in page or 'value="call:double A"' in page
    page = client.send(id, fields(page), do="call:bid S").text  # the lowest that is left
    assert fields(page)["calls"] == "bid 110 H,bid 120 S"
    for call in ("double", "redouble"):
        page = client.send(id, fields(page), do=f"call:{call}").text
    sent = fields(page) | {"counting": "points", "points_A": "100"}
    assert client.send(id, sent).status_code == 303
    assert "120 ×4" in re.sub(r"\s+", " ", client.read(f"/en/m/{id}"))


def test_a_bid_in_a_question(client: Browser) -> None:
    """The arbiter asks what was bid, and is told of a deal that is written."""
    id = begin(client, "contree")
    assert client.send(id, COUNTS["contree"]).status_code == 303
    asked = client.get(f"/en/m/{id}/ask/outcome?entry=1").text
    assert re.search(r'name="points" value="100"[^>]* checked', asked)
    bidding = client.get("/en/ask/contree/auction?elder=A").text
    assert "turned up" not in bidding
    assert 'value="bid 80 H"' in bidding


def test_melds_that_could_not_be_shown(client: Browser) -> None:
    """Asked for where they cost something: the others write their points."""
    assert "could not be shown" not in client.read(f"/en/m/{begin(client, 'belote')}/deal")
    id = begin(client, "belote", preset="annonces")
    assert "could not be shown" in client.read(f"/en/m/{id}/deal")
    sent = {"bid": "A:H", "counting": "points", "points_A": "104", "false_A": "20+50"}
    assert client.send(id, sent).status_code == 303
    assert client.log(id)[0].payload["false_melds"] == [{"seat": "A", "points": 70}]
    assert client.match(id).state.totals == {"A": 104, "B": 128}
    asked = client.get(f"/en/m/{id}/ask/outcome?entry=1").text
    assert 'name="false_melds.0.points" value="70"' in asked


def test_a_wrong_deal_and_a_belot(client: Browser) -> None:
    """A choice says whose deal was wrong, before anybody plays; eight cards of a suit win without a count."""
    assert 'value="misdeal-A"' not in client.get(f"/en/m/{begin(client, 'belote')}/deal").text
    assert (
        'value="early-look-A"' not in client.get(f"/en/m/{begin(client, 'bela', preset='bitola')}/deal").text
    )
    id = begin(client, "bela", 501)
    page = client.get(f"/en/m/{id}/deal").text
    assert 'name="bid" value="early-look-A"' in page
    assert "save:early-look-A" not in page  # what it costs is said first
    assert client.send(id, {"bid": "misdeal-B"}).status_code == 303
    assert client.log(id)[0].payload == {"type": "deal", "penalty": {"side": "B", "offence": "misdeal"}}
    assert fields(client.get(f"/en/m/{id}/entries/1?edit=1").text)["bid"] == "misdeal-B"
    assert client.send(id, {"bid": "A:H", "belot": "D", "points_A": "70"}, seq=1).status_code == 303
    contract = {"declarer": "A", "trump": "H"}
    assert client.log(id)[1].payload == {"type": "deal", "contract": contract, "belot": "D"}
    assert "Jan & Olek win" in client.read(f"/en/m/{id}")
    assert client.match(id).state.totals == {"A": 162, "B": 0}


def test_one_player_of_each_side_draws(client: Browser) -> None:
    """The lower card deals; the other two draw none."""
    page = client.get("/en/new?game=belote").text
    assert 'name="drawn-B"' in page
    assert 'name="drawn-C"' not in page
    id = begin(client, "belote", dealer="draw", drawn_A="AS", drawn_B="8H")
    assert client.match(id).head["first_dealer"] == "B"


def test_a_game_of_so_many_deals(client: Browser) -> None:
    """The board says which deal is played, and no longer what is needed."""
    id = begin(client, "belote", rule_deals="2")
    assert 'name="played" value="1"' in client.get(f"/en/m/{id}/ask/outcome").text
    board = client.read(f"/en/m/{id}")
    assert "Deal 1 of 2" in board
    assert not re.search(r"\bneeds \d", board)
    for n in range(2):
        assert client.send(id, COUNTS["belote"], seq=n).status_code == 303
    assert "Ewa & Ala win" in client.read(f"/en/m/{id}")


def test_what_a_table_has_not_is_not_there(client: Browser) -> None:
    """No dive without the agreement, no pencil rule in a game without it."""
    assert "Dive" not in client.read(f"/en/m/{begin(client, 'deberts')}/more")
    id = begin(client, "klaberjass")
    assert "Pencil" not in client.read(f"/en/m/{id}/more")
    assert client.post(f"/en/m/{id}/more/pencil", data={"form_key": "1"}).status_code == 404


def test_the_pencil_rule(client: Browser) -> None:
    """Too many written to oneself goes to the opponent; the entry can be put right like any other."""
    id = begin(client, "deberts", 501)
    assert client.send(id, COUNTS["deberts"]).status_code == 303
    sent = {"by": "A", "deal": "1", "wrote": "104", "should": "94", "form_key": "1", "seq": "1"}
    assert client.post(f"/en/m/{id}/more/pencil", data=sent).status_code == 303
    assert "Ewa wrote 104 and should have written 94." in client.read(f"/en/m/{id}/entries/2")
    page = client.get(f"/en/m/{id}/entries/2?edit=1")
    assert 'value="104"' in page.text
    put = sent | {"should": "84", "form_key": "2", "seq": "2"}
    assert client.post(f"/en/m/{id}/entries/2", data=put).status_code == 303
    assert "should have written 84" in client.read(f"/en/m/{id}/entries/2")


def test_an_evening_adds_up(client: Browser) -> None:
    """A rematch is dealt by the winner; sets and stakes of both games stand on its board."""
    id = begin(client, "deberts", preset="one-blow")
    assert "This evening" not in client.read(f"/en/m/{id}")
    baited = {"bid": "A:H", "counting": "totals", "total_A": "60", "total_B": "102"}
    assert client.send(id, baited).status_code == 303
    assert "Jan wins" in client.read(f"/en/m/{id}")
    second = client.post(f"/en/m/{id}/rematch", data={"form_key": "r"}).location.rsplit("/", 1)[1]
    board = client.read(f"/en/m/{second}")
    assert "Jan 0 deals" in board
    assert "Stakes −2 +2" in board
    made = {"bid": "A:H", "counting": "totals", "total_A": "102", "total_B": "60"}
    assert client.send(second, made).status_code == 303
    assert "1 0 −2 162 +2 2 102 +1 60 −1 Sets 1 1 Stakes −1 +1" in client.read(f"/en/m/{second}")


def test_calls_only_where_the_game_has_them(client: Browser) -> None:
    """A finish call where it is announced; none where the written totals speak for themselves."""
    assert client.get(f"/en/m/{begin(client, 'deberts')}/enough").status_code == 200
    assert client.get(f"/en/m/{begin(client, 'deberts', preset='sets')}/enough").status_code == 404
    assert client.get(f"/en/m/{begin(client, 'klaberjass')}/enough").status_code == 404


def test_house_rules_that_matter(client: Browser) -> None:
    """A rule that another one makes idle is kept out of sight; the lot stands where no card is drawn."""
    page = client.get("/en/new?game=klaberjass")
    idle = page.text[page.text.index('data-ways="[{&#34;schmeiss&#34;: &#34;on&#34;}]"') :]
    assert idle.split(">", 1)[0].endswith(" hidden")
    assert "By lot" in words(page)
    assert "Draw cards" not in words(page)
    assert "Draw cards" in client.read("/en/new?game=derda")
    begin(client, "klaberjass", dealer="draw")
