"""Tables of three and four: the page of a deal asks what their game has, and nothing besides."""

from tests.web.browsers import Browser, fields, words


def four(client: Browser, game: str, **typed: str) -> str:
    """Starts a game of two against two; Ewa deals."""
    return client.start(game=game, name_C="Ala", name_D="Olek", **typed)


def test_partners_count_together(client: Browser) -> None:
    """Four seats bid and declare, two sides count; who plays with whom stands beside the names."""
    id = four(client, "klaberjass-4")
    page = client.get(f"/en/m/{id}/deal")
    assert page.text.count('name="bid" value="D:') == 5
    assert 'value="D:NT"' in page.text
    assert "Ewa & Ala" in words(page)
    assert "Olek with Jan" in words(page)
    assert 'name="cards_C"' not in page.text
    assert 'name="exchanged"' not in page.text  # the seven is never swapped
    typed = {"bid": "C:H", "counting": "totals", "total_A": "112", "bela": "D"}
    assert "Ewa & Ala +112 = 112" in words(client.send(id, typed, path="deal/preview"))
    assert client.send(id, typed).status_code == 303
    assert client.log(id)[0].payload["totals"] == {"A": 112, "B": 70}
    cards = {"bid": "C:H", "counting": "cards", "tricks": "AS KS 7S 10S JH"}
    assert "Trick 2" in words(client.send(id, cards, do="look", seq=1))


def test_one_sides_cards_fill_in_the_others(client: Browser) -> None:
    """All cards are dealt: what one side has is enough, and the rest is shown where it would be typed."""
    id = four(client, "klaberjass-4")
    typed = {"bid": "B:H", "jass": "A", "nine": "B", "last": "B", "cards_A": "52"}
    page = client.send(id, typed, path="deal/preview")
    assert '<data data-rest-of="B" value="66">' in page.text
    assert "Jan & Olek +90 = 90" in words(page)
    assert client.send(id, typed).status_code == 303
    assert client.log(id)[0].payload["count"]["cards"] == {"A": 52}


def test_a_lone_total_with_melds_fills_in_the_rest(client: Browser) -> None:
    """The melds that were declared are shared out with the cards."""
    id = four(client, "darda")
    typed = {"bid": "A:H", "counting": "totals", "total_A": "100", "bela": "C", "fours-0-seat": "B"}
    typed |= {"fours-0-rank": "9"}
    assert client.send(id, typed).status_code == 303
    assert client.log(id)[0].payload["totals"] == {"A": 100, "B": 161 + 20 + 150 - 100}


def test_no_trumps_has_no_jass(client: Browser) -> None:
    """Whatever was tapped before no-trumps was named is left out."""
    id = four(client, "klaberjass-4")
    typed = {"bid": "A:NT", "jass": "A", "nine": "A", "bela": "B", "last": "A", "cards_A": "80"}
    assert client.send(id, typed).status_code == 303
    assert client.log(id)[0].payload["count"] == {"cards": {"A": 80}, "last": "A"}
    assert "bela" not in client.log(id)[0].payload


def test_four_bidders_speak_in_order(client: Browser) -> None:
    """From the dealer's left; in the second round the last names any suit and cannot pass."""
    id = four(client, "klaberjass-4")
    now: dict[str, str] = {"way": "calls", "turn_up": "9H"}
    for speaker in ("Jan", "Ala", "Olek", "Ewa") * 2:
        page = client.send(id, now, do="look")
        assert f"{speaker} speaks" in words(page)
        if speaker != "Ewa" or "call:play NT" not in page.text:
            now = fields(client.send(id, now, do="call:pass").text)
    assert 'value="call:pass"' not in page.text
    assert 'value="call:play"' in page.text
    now = fields(client.send(id, now, do="call:play NT").text)
    assert client.send(id, now | {"last": "A", "cards_A": "80"}).status_code == 303
    assert client.log(id)[0].payload["auction"][-1] == "play NT"


def test_a_suit_is_preferred_where_no_card_is_turned(client: Browser) -> None:
    """In a tournament a tap on a suit stands for the card in front of the dealer."""
    id = four(client, "klaberjass-4", rule_deal="tournament")
    page = client.send(id, {"way": "calls"}, do="look")
    assert "preferred suit" in words(page)
    assert 'value="turn:S"' in page.text
    assert 'value="turn:AS"' not in page.text
    now = fields(client.send(id, {"way": "calls"}, do="turn:S").text)
    now = fields(client.send(id, now, do="call:play").text)
    assert now["turn_up"] == "S"
    typed = {"jass": "A", "nine": "B", "last": "B", "cards_A": "52"}
    assert client.send(id, now | typed).status_code == 303


def test_three_players_are_asked_for_one_by_one(client: Browser) -> None:
    """Three sides stand in one row, nobody after them; two may be without a trick."""
    id = client.start(game="klaberjass-3", name_C="Ala")
    page = client.get(f"/en/m/{id}/deal")
    assert "jass Ewa Jan Ala out" in words(page)
    two = client.start(game="klaberjass")
    assert "jass 20 Ewa 20 Jan 20" in client.read(f"/en/m/{two}/deal")
    assert 'name="cards_C"' in page.text
    typed = {"bid": "A:H", "jass": "A", "nine": "A", "last": "A", "trickless": ["B", "C"]}
    typed |= {"cards_A": "100", "cards_B": "0", "cards_C": "0"}
    assert client.send(id, typed).status_code == 303
    assert client.log(id)[0].payload["trickless"] == ["B", "C"]


def test_known_hands_propose_their_melds(client: Browser) -> None:
    """Recorded card by card, the hands are known at the end: one tap declares what they held."""
    id = four(client, "darda")
    suits, ranks = "SHDC", ("A", "K", "Q", "J", "10", "9", "8", "7")
    # Elder holds all spades, the next all hearts, and so on; hearts are trumps.
    order = [f"{rank}{suit}" for rank in ranks for suit in suits]
    tricks = [order[at : at + 4] for at in range(0, 32, 4)]
    played = " ".join(card for trick in tricks for card in ([trick[1], *trick[2:], trick[0]]))
    typed = {"bid": "B:H", "counting": "cards", "tricks": played}
    page = client.send(id, typed, do="look")
    assert "Tap what was declared." in words(page)
    assert 'value="meld:bela:B"' in page.text
    run = "meld:run:B:8:B:H:A"
    assert f'value="{run}"' in page.text
    now = fields(client.send(id, typed, do=run).text)
    assert (now["runs-0-seat"], now["runs-0-length"], now["runs-0-top"]) == ("B", "8", "A")
    now = fields(client.send(id, now, do="meld:bela:B").text)
    assert now["bela"] == "B"
    assert client.send(id, now).status_code == 303
