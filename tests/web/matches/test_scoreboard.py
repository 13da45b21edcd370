"""The board: totals, tally, who deals; undo and rematch; who may write and who may look; the history."""

import re
from typing import Any

import pytest

from companion import library
from companion.matches import AmendEntry, KeepDraft
from tests.web.browsers import Browser, words


def deal(declarer: str, a: int, b: int, **more: Any) -> dict[str, Any]:
    contract = {"declarer": declarer, "trump": "H"}
    return {"type": "deal", "contract": contract, "totals": {"A": a, "B": b}, **more}


MADE, BAIT, TIE = deal("A", 82, 65), deal("A", 60, 85), deal("A", 70, 70)


@pytest.mark.parametrize(
    ("game", "read"),
    [
        ("derda", ["10", "20", "30", "50", "80", "100"]),
        ("deberts", ["total after a deal", "bait", "hanging points"]),
        ("belote", ["total after a deal", "dedans", "points in litige", "half of the target"]),
    ],
)
def test_an_empty_board_teaches(client: Browser, game: str, read: list[str]) -> None:
    """Before the first deal the board says what to do, and how what is written there is read."""
    page = client.get(f"/en/m/{begin(client, game, {})}").text
    assert "Play the first deal." in page and "needs " in page
    assert re.findall("<dd>(.*?)</dd>", page) == read
    assert page.count("<dt><svg") == len(read)


def begin(client: Browser, game: str, conventions: dict[str, Any], *entries: dict[str, Any]) -> str:
    """A match of that game with as many players as it has, and its entries."""
    players = ["Ewa", "Jan", "Ala", "Olek"][: library.seatings(game)[0].players]
    head = {"game": game, "players": players, "first_dealer": "A", "conventions": conventions}
    return client.begin(head, *entries)


def test_running_totals_stand_below_the_total(client: Browser) -> None:
    """The last three of each side, as on the sheet, with the bid before the line; the newest is new."""
    played = [
        deal("B", *points, contract={"declarer": "B", "trump": "S", "points": 90, "double": times})
        for points, times in (((42, 120), 1), ((100, 62), 2), ((42, 120), 1), ((40, 122), 1))
    ]
    page = client.get(f"/en/m/{begin(client, 'coinche', {}, *played)}").text
    titles = re.findall(r'<title id="lines-\d-title">(.*?)</title>', page)
    assert titles == ["90\u00a0♠\u00a0×2 540, 90\u00a0♠ 580, 90\u00a0♠ 620", "—, 420, 630"]
    assert page.count("ink new") > 0 and "tally-A" not in page


def test_a_tally_has_three_rows(client: Browser) -> None:
    """With ten shapes there are four to a row, and smaller; with thirteen a new page is begun."""
    sizes = {}
    for deals in range(1, 30):
        page = client.get(
            f"/en/m/{begin(client, 'derda', {'target': 5000}, *[deal('A', 87, 80)] * deals)}"
        ).text
        drawn = re.search(r'aria-labelledby="tally-A-title" width="([\d.]+)em" height="([\d.]+)em"', page)
        assert drawn is not None and float(drawn[1]) <= 9 and float(drawn[2]) <= 11.25
        sizes[deals] = "carried" in page
    assert not sizes[1] and sizes[29]


def test_totals_and_tally(client: Browser) -> None:
    """After a deal both totals stand there, drawn as a tally with a text that reads the same."""
    id = client.start(MADE, BAIT)
    page = client.get(f"/en/m/{id}")
    assert "82" in words(page)
    assert "210" in words(page)
    assert page.text.count('class="tally"') == 2
    assert "210: 100" in page.text
    assert "needs 418" in words(page)


@pytest.mark.parametrize("game", ["derda", "klaberjass-4"])
def test_a_long_match_is_a_light_page(client: Browser, game: str) -> None:
    """After sixty deals no more stands on the board than it has room for."""
    id = begin(client, game, {"target": 5000}, *[deal("A", 82, 80)] * 60)
    assert len(client.get(f"/en/m/{id}").data) <= 40_000


def test_red_pencil_is_for_bait_and_corrections(client: Browser) -> None:
    """The game's own word for a bait stands in red; a tie stands in pencil."""
    id = client.start(BAIT, TIE)
    page = client.get(f"/en/m/{id}").text
    assert '<span class="mark">bajt</span>' in page
    assert '<span class="soft">sztajnbajt</span>' in page
    assert "Held points: <b>70</b>" in page


def test_the_newest_stroke_is_drawn_once(client: Browser) -> None:
    """The stroke appears when it has just been written, not at every look."""
    id = client.start(total_A="10")
    with client.session_transaction() as stored:
        stored["written"] = id
    board = client.get(f"/en/m/{id}").text
    assert "board sides-2 fresh" in board and "Ewa: 0 becomes 10; Jan: 0" in board
    assert "board sides-2 fresh" not in client.get(f"/en/m/{id}").text


def test_others_may_look_but_not_write(client: Browser, other: Browser) -> None:
    """Somebody else is offered nothing to write, and told so where it is tried all the same."""
    id = client.start(MADE)
    page = other.get(f"/en/m/{id}")
    assert "82" in words(page)
    for control in ("Record deal", "Undo", "Enough!"):
        assert control not in words(page)
    assert "This phone can only watch" in words(other.fill(id, "undo"))
    assert "Concede" not in other.read(f"/en/m/{id}/more")


def test_a_contradiction_is_flagged_where_it_is(client: Browser) -> None:
    """After an undo, a later deal that no longer fits is marked in its own line, with the rule."""
    id = client.start(MADE, deal("B", 50, 60, dealer="A"))
    client.get(f"/en/m/{id}")
    client.change(id, AmendEntry(1, deal("A", 65, 82)))
    page = client.get(f"/en/m/{id}")
    assert "Jan deals here, not Ewa." in words(page)
    assert "derda.deal.next" in words(page)
    assert "corrected" in words(page)


def test_a_finished_match(client: Browser) -> None:
    """The board says who won and how, and offers a rematch dealt by whom the rules say."""
    id = client.start(deal("A", 110, 40), rule_target="100")
    text = client.read(f"/en/m/{id}")
    assert "Ewa wins" in text
    assert "Record deal" not in text
    answer = client.post(f"/en/m/{id}/rematch", data={"form_key": "r"})
    assert answer.status_code == 303
    again = client.get(f"{answer.location}/record.json").get_json()
    assert again["players"] == ["Ewa", "Jan"]
    assert again["conventions"]["target"] == 100
    assert again["first_dealer"] == "A"
    assert again["follows"] == id


def test_a_match_that_a_correction_ends_earlier_says_how(client: Browser) -> None:
    """Below the picture stands the entry that decided, not the flagged one that comes after the end."""
    id = client.start(deal("A", 90, 40), deal("A", 90, 40), rule_target="100")
    client.change(id, AmendEntry(1, {"type": "concede", "side": "B"}))
    text = client.read(f"/en/m/{id}")
    assert "Ewa wins Jan concedes: Ewa wins." in text


def test_a_finished_match_shows_its_successor(client: Browser, other: Browser) -> None:
    """Rematch is offered once: after it, or a second tap, the board leads to the match that follows."""
    id = client.start(deal("A", 110, 40), rule_target="100")
    answers = [client.post(f"/en/m/{id}/rematch", data={"form_key": key}) for key in ("r", "s")]
    assert answers[0].location == answers[1].location
    assert client.get("/en/").text.count('class="standing of-two"') == 2
    page = client.get(f"/en/m/{id}")
    assert "/rematch" not in page.text
    assert f'href="{answers[0].location}">Open the rematch<' in page.text
    watching = other.get(f"/en/m/{id}")
    assert f'href="{answers[0].location}">Open the rematch<' in watching.text
    assert "Open the rematch" not in client.read(answers[0].location)


def test_a_match_taken_up_again_has_no_rematch(client: Browser) -> None:
    """An old page of a match that goes on, for its end was taken back, begins no other one."""
    id = client.start(deal("A", 110, 40), rule_target="100")
    client.fill(id, "undo")
    answer = client.post(f"/en/m/{id}/rematch", data={"form_key": "r"})
    assert answer.location == f"/en/m/{id}"
    assert client.get("/en/").text.count('class="standing of-two"') == 1


@pytest.mark.parametrize(
    ("game", "preset", "title"),
    [
        ("klaberjass", "zensa", "Klaberjass, Zensa"),
        ("deberts", "kharkov", "Deberts, Kharkov"),
        ("deberts", "sets", "Deberts, Sets"),
    ],
)
def test_the_board_says_which_variety_it_is(client: Browser, game: str, preset: str, title: str) -> None:
    """Where a game has several; where it has one, the game says it all."""
    id = client.start(game=game, preset=preset)
    assert f'<div class="top-title">{title}</div>' in client.get(f"/en/m/{id}").text
    assert f"{title} · " in client.read("/en/")
    assert '<div class="top-title">Derda</div>' in client.get(f"/en/m/{client.start()}").text


@pytest.mark.parametrize("preset", ["one-deal", "one-deal-doubling", "one-blow"])
def test_one_deal_needs_no_target(client: Browser, preset: str) -> None:
    """Where one deal is the game the board says so, and not how far anybody is from 501."""
    id = client.start(game="deberts", preset=preset)
    text = client.read(f"/en/m/{id}")
    assert not re.search(r"needs \d", text)
    assert "The game is a single deal: once it is counted, it is over." in text
    client.write(id, MADE)
    text = client.read(f"/en/m/{id}")
    assert "Ewa wins" in text
    assert "The game is a single deal" not in text
    assert "needs 501" in client.read(f"/en/m/{client.start(game='deberts', preset='moscow')}")


def test_the_record_reads_back(client: Browser) -> None:
    """What is taken away is a match record, named after game, day and players."""
    from companion import library
    from companion.record import record as records

    id = client.start(MADE, TIE, name_A="Łucja", name_B="محمد")
    answer = client.get(f"/en/m/{id}/record.json")
    record, game = records.read_record(answer.get_json(), library.open_game)
    assert records.fold_record(record, game.family).totals == {"A": 82, "B": 135}
    name = answer.headers["Content-Disposition"]
    assert name.endswith('ucja.json"')
    assert name.isascii()


def test_a_code_for_another_phone(client: Browser) -> None:
    """The code is a picture of its own, to be scanned by a second phone."""
    answer = client.get(f"/en/m/{client.start()}/code.svg")
    assert answer.mimetype == "image/svg+xml"
    assert b"<svg" in answer.data


def test_a_deal_in_progress_stands_on_the_board(client: Browser, other: Browser) -> None:
    """A deal noted and not yet counted is shown to all, with who plays what; a pencil can go on with it."""
    id = client.start()
    client.change(id, KeepDraft({"type": "deal", "contract": {"declarer": "B", "trump": "S"}}))
    page = client.get(f"/en/m/{id}")
    assert "There is a deal in progress. Jan" in words(page)
    assert "Continue the deal" in words(page)
    watched = other.read(f"/en/m/{id}")
    assert "There is a deal in progress. Jan" in watched and "Continue" not in watched
