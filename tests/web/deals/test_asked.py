"""A count that is possible but rare is asked about once; a correction says what it does to later deals."""

from derda import DEAL

from tests.web.browsers import Browser, fields, words

RARE = {"bid": "A:H", "counting": "totals", "total_A": "258", "total_B": "2", "note": "Zosia was watching"}


def test_it_is_asked_once_and_then_saved(client: Browser) -> None:
    """The page comes back with everything that was entered; saved again, it is written."""
    id = client.start()
    asked = client.send(id, RARE)
    assert asked.status_code == 422
    assert "Is this right? Not saved yet. Together 260; more than 216 is rare." in words(asked)
    assert client.log(id) == []
    stored = fields(asked.text)
    assert {key: stored[key] for key in RARE} == RARE
    assert client.send(id, stored).status_code == 303
    assert client.log(id)[0].payload["totals"] == {"A": 258, "B": 2}


def test_another_rare_count_is_asked_about_anew(client: Browser) -> None:
    """What was confirmed is that count and no other; an ordinary one is saved at once."""
    id = client.start()
    stored = fields(client.send(id, RARE).text)
    assert client.send(id, stored | {"total_A": "240"}).status_code == 422
    assert client.send(id, stored | {"total_A": "82", "total_B": "25"}).status_code == 303
    assert len(client.log(id)) == 1


def test_passed_out_though_a_suit_was_chosen_is_asked(client: Browser) -> None:
    """Nothing is written by that tap: the page has it chosen, and says what it replaces."""
    id = client.start()
    asked = client.send(id, RARE, do="save:thrown-in")
    assert asked.status_code == 422
    assert "Is this right? Not saved yet. A suit was chosen: Ewa" in words(asked)
    assert client.log(id) == []
    assert client.send(id, fields(asked.text)).status_code == 303
    assert client.log(id)[0].payload == {"type": "deal", "thrown_in": True, "note": RARE["note"]}


def test_the_preview_asks_as_long_as_the_count_stands(client: Browser) -> None:
    """What is shown while one types: the question once it was asked, and not before."""
    id = client.start()
    before = client.send(id, RARE, path="deal/preview")
    assert "Is this right" not in words(before)
    stored = fields(client.send(id, RARE).text)
    assert "Is this right" in words(client.send(id, stored, path="deal/preview"))
    assert "Is this right" not in words(client.send(id, stored | {"total_A": "82"}, path="deal/preview"))


def test_a_correction_is_asked_about_too(client: Browser) -> None:
    id = client.start(DEAL)
    assert client.send(id, RARE, path="entries/1", seq=1).status_code == 422
    assert len(client.log(id)) == 1


def test_a_correction_says_which_deals_would_no_longer_fit(client: Browser) -> None:
    """Before it is saved, by name and with the reason of the first; what fits is not spoken of."""
    id = client.start(rule_target="240")
    client.write(id, DEAL, DEAL, DEAL)
    enough = {"bid": "A:H", "counting": "totals", "total_A": "180", "total_B": "40"}
    once = words(client.send(id, enough, path="deal/preview?entry=1", seq=3))
    assert "Deal 3 would no longer fit and stays marked until it is corrected. The game is over" in once
    id = client.start(rule_target="100")
    client.write(id, DEAL | {"totals": {"A": 30, "B": 25}}, DEAL | {"totals": {"A": 30, "B": 25}})
    client.write(id, {"type": "adjust", "side": "A", "points": 10, "reason": "agreed"})
    twice = words(client.send(id, enough | {"total_A": "120"}, path="deal/preview?entry=1", seq=3))
    assert "Deal 2, An adjustment would no longer fit and stay marked until they are corrected." in twice
    harmless = words(
        client.send(id, enough | {"total_A": "40", "total_B": "30"}, path="deal/preview?entry=1", seq=3)
    )
    assert "no longer fit" not in harmless
    saved = client.send(id, enough | {"total_A": "120"}, path="entries/1", seq=3)
    assert saved.status_code == 303
    assert "do not fit what comes before them" in client.read(f"/en/m/{id}")


def test_who_plays_can_be_tapped_on_the_board(client: Browser) -> None:
    """A suit on the board opens the deal with it; what is no bid of this table is not taken over."""
    id = client.start()
    board = client.get(f"/en/m/{id}").text
    assert f'href="/en/m/{id}/deal?bid=B:H" aria-label="Jan plays hearts"' in board
    assert 'value="B:H" checked' in client.get(f"/en/m/{id}/deal?bid=B:H").text
    for other in ("C:H", "A:NT", "A:X", "offer", "A", ":"):
        page = client.get(f"/en/m/{id}/deal", query_string={"bid": other}).text
        assert 'name="bid"' in page
        assert not any(
            "checked" in tag for tag in page.split("<") if tag.startswith('input type="radio" name="bid"')
        )


def test_whoever_is_named_in_the_address_is_shown_as_declarer(client: Browser) -> None:
    """Where only elder hand may call, too: its row has the suit, and the form says what is wrong."""
    id = client.start(game="bela-3", name_C="Ala")
    page = client.get(f"/en/m/{id}/deal?bid=A:H")
    assert 'name="bid" value="A:H" checked' in page.text
    assert "Jan has to choose trumps here, and nobody bids." in words(page)
    assert 'value="C:H"' not in page.text
    assert fields(page.text)["bid"] == "A:H"
