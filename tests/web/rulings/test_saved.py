"""Rulings that are kept: shown again to anyone, attached to a match, on its board, its history, its sheet."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion import library
from companion.store import SavedRuling
from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser, words

FACTS = [("trump", "H"), ("hand", "8H"), ("hand", "AH"), ("trick", "10H"), ("card", "8H"), ("asked", "1")]
PLAY = urlencode(FACTS)
NO = "8 may not be played."
DEAL = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}


def keep(browser: FlaskClient, facts: str = PLAY, game: str = "derda", key: str = "") -> Any:
    return browser.post(f"/en/ask/{game}/play/keep?{facts}", data={"form_key": key or fresh_key()})


def attach(browser: FlaskClient, id: str, seq: int, facts: str = PLAY, key: str = "") -> Any:
    typed = {"form_key": key or fresh_key(), "seq": str(seq), "attach": "1"}
    return browser.post(f"/en/m/{id}/ask/play/keep?{facts}", data=typed)


def alter(app: Flask, place: str, **changes: Any) -> str:
    """The address of a ruling like that of this page, kept by another version of the app."""
    with app.app_context():
        stored = app.extensions["matches"].store.find_ruling(place.rsplit("/", 1)[1])
        assert stored is not None
        content = dict(stored.content)
        for key, change in changes.items():
            content[key] = {**content[key], **change} if isinstance(change, dict) and change else change
        app.extensions["matches"].store.save_ruling(replace(stored, id="older", content=content))
    return "/en/r/older"


def test_an_answer_offers_to_be_kept(client: Browser) -> None:
    """On its own an answer can be kept; in a match its owner can attach it."""
    text = client.read(f"/en/ask/derda/play?{PLAY}")
    assert "Keep and share" in text and "Attach to the match" not in text
    assert "Attach to the match" in client.read(f"/en/m/{client.start()}/ask/play?{PLAY}")


def test_an_answer_strikes_the_wrong_card_and_shows_the_right_ones(client: Browser) -> None:
    """The card in question stands before those that may be played, once, and struck only if it may not."""
    wrong = client.get(f"/en/ask/derda/play?{PLAY}").text
    assert "8 May be played: A 10 must be beaten" in words(wrong)
    assert wrong.count("struck-card") == 1 and "The card in question" not in words(
        wrong.partition("<form")[0]
    )
    right = client.get(f"/en/ask/derda/play?{PLAY.replace('card=8H', 'card=AH')}").text
    assert "May be played: A" in words(right) and "struck-card" not in right


def test_every_wrong_claim_rests_on_the_rule_that_says_what_follows() -> None:
    """What an answer says is to be done after a wrong claim is what each game's own rule has."""
    for name in library.names():
        game = library.open_game(name)
        if "claim" in game.family.questions:
            (rule,) = game.family.ruleset.cite("play.claim")
            assert "play goes on with open cards, without penalty" in str(rule.text)


def test_kept_once_it_is_shown_to_anyone(client: Browser, other: Browser) -> None:
    """The same answer later, in either language, in another browser; the short address leads there."""
    answer = keep(client)
    assert answer.status_code == 303
    text = other.read(answer.location)
    for part in ("May I play this?", NO, "derda.play.trump-led", "What was asked", "Given", "rulebook"):
        assert part in text
    assert "Attach" not in text and "Withdraw" not in text
    polish = other.read(answer.location.replace("/en/", "/pl/"))
    assert "zagrać nie można" in polish and NO not in polish
    short = other.get(answer.location.removeprefix("/en"))
    assert short.status_code == 302 and short.location.endswith(answer.location.removeprefix("/en"))
    code = other.get(f"{answer.location}/code.svg")
    assert code.status_code == 200 and code.mimetype == "image/svg+xml"


def test_a_double_tap_is_one_ruling(client: Browser, other: Browser) -> None:
    """The same form sent twice; other facts, or another browser, make another."""
    first = keep(client, key="once").location
    assert keep(client, key="once").location == first
    assert keep(client, PLAY.replace("card=8H", "card=AH"), key="once").location != first
    assert keep(other, key="once").location != first
    assert re.fullmatch(r"/en/r/[\w-]{22}", first)


def test_house_rules_are_kept_with_it(client: Browser, app: Flask) -> None:
    """Game, preset, every convention, how many play and the rulebook's version are pinned."""
    place = keep(client, f"{PLAY}&rule-target=301").location
    with app.app_context():
        stored = app.extensions["matches"].store.find_ruling(place.rsplit("/", 1)[1])
    assert stored is not None
    request = stored.content["request"]
    assert request["game"] == "derda" and request["preset"] == "standard"
    assert request["conventions"]["target"] == 301 and len(request["conventions"]) > 5
    assert request["hand"] == ["8H", "AH"] and stored.content["rulebook"]
    assert stored.content["ruling"]["verdict"] == "illegal" and stored.content["match"] is None


def test_the_players_of_a_game_for_several_are_counted(client: Browser, app: Flask) -> None:
    """Of a game for as many as like, how many played is kept too."""
    facts = "players=5&result=loss&loser=B&asked=1"
    answer = client.post(f"/en/ask/durak/next-hand/keep?{facts}", data={"form_key": fresh_key()})
    assert answer.status_code == 303
    with app.app_context():
        stored = app.extensions["matches"].store.find_ruling(answer.location.rsplit("/", 1)[1])
    assert stored is not None and stored.content["request"]["players"] == 5


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        ("trump=H&hand=8H&card=8H", 422),
        ("trump=H&hand=AH&card=8H&asked=1", 400),
        ("trump=H&hand=XX&card=8H&asked=1", 400),
        ("trump=H&card=8H&asked=1", 422),
        (f"{PLAY}&rule-target=none", 400),
        (f"{PLAY}&clear.hand=1", 422),
    ],
)
def test_what_cannot_be_answered_is_not_kept(client: Browser, facts: str, status: int) -> None:
    """Facts that are missing, wrong or tampered with: the form again, and nothing is kept."""
    answer = keep(client, facts)
    assert answer.status_code == status
    assert 'id="ask"' in answer.text and "Location" not in answer.headers


def test_attached_it_stands_on_board_entry_history_and_sheet(client: Browser, other: Browser) -> None:
    """It is about the last deal, and says so everywhere; undo leaves it alone."""
    id = client.start(DEAL)
    answer = attach(client, id, 1)
    assert answer.status_code == 303
    event = client.log(id)[-1]
    assert (event.kind, event.entry, event.payload["question"]) == ("ruling", 1, "May I play this?")
    assert event.payload["rules"] and event.payload["rulebook"] and "A♥" in event.payload["why"]
    page, others = client.get(answer.location), other.get(answer.location)
    assert "It is attached to the match. Withdraw" in words(page)
    assert "Ewa , Jan" in words(others) and "Withdraw" not in words(others)
    assert f"/en/m/{id}" in page.text and id not in others.text
    for path in ("", "/entries/1"):
        text = other.read(f"/en/m/{id}{path}")
        assert f"Rulings No, {NO} May I play this?" in text
    assert "A ruling was attached: May I play this? No, 8♥" in other.read(f"/en/m/{id}/history")
    sheet = other.read(f"/en/m/{id}/sheet")
    assert "May I play this? No, 8♥ may not be played. § play.trump\N{NON-BREAKING HYPHEN}led" in sheet
    assert "Nie, " in other.read(f"/pl/m/{id}/sheet")
    client.post(f"/en/m/{id}/undo", data={"seq": "2", "form_key": fresh_key()})
    assert [item.kind for item in client.log(id)] == ["add", "ruling", "withdraw"]
    assert "May I play this? No, 8♥" in other.read(f"/en/m/{id}/sheet")


def test_before_any_deal_it_is_about_none(client: Browser) -> None:
    """A ruling before the first deal stands on the board and on the sheet all the same."""
    id = client.start()
    attach(client, id, 0)
    assert client.log(id)[-1].entry is None
    assert "May I play this?" in client.read(f"/en/m/{id}")
    assert "May I play this?" in client.read(f"/en/m/{id}/sheet")


def test_a_deal_of_before_can_be_disputed(client: Browser) -> None:
    """From an entry's page the ruling is about that entry; an entry that is none is passed over."""
    id = client.start(DEAL, DEAL)
    assert f"/en/m/{id}/ask?entry=1" in client.get(f"/en/m/{id}/entries/1").text
    assert "/ask/play?entry=1" in client.get(f"/en/m/{id}/ask?entry=1").text
    assert 'name="entry" value="1"' in client.get(f"/en/m/{id}/ask/play?entry=1").text
    attach(client, id, 2, f"{PLAY}&entry=1")
    attach(client, id, 3, f"{PLAY}&entry=99")
    assert [event.entry for event in client.log(id) if event.kind == "ruling"] == [1, 2]
    assert "Rulings" in client.read(f"/en/m/{id}/entries/1")


def test_the_log_holds_plain_english_with_names(client: Browser) -> None:
    """Whatever the language of the page: what is kept beside the match can be read without the app."""
    id = client.start()
    facts = "declarer=A&dealer=B&made.A=82&made.B=85&asked=1"
    typed = {"form_key": fresh_key(), "seq": "0", "attach": "1"}
    assert client.post(f"/pl/m/{id}/ask/outcome/keep?{facts}", data=typed).status_code == 303
    reported = client.log(id)[-1].payload
    assert (reported["question"], reported["verdict"], reported["why"]) == (
        "What does this deal come to?",
        "Bajt: Ewa made less.",
        "Ewa: bajt, 82 to 85; Jan writes it all.",
    )


def test_a_stale_page_attaches_nothing(client: Browser) -> None:
    """Somebody wrote meanwhile: 409, with what was written."""
    id = client.start(DEAL)
    answer = attach(client, id, 0)
    assert answer.status_code == 409 and "The match has moved on." in words(answer)
    attach(client, id, 1)
    stale = client.post(f"/en/m/{id}/rulings/2/off", data={"seq": "1", "form_key": fresh_key()})
    assert stale.status_code == 409
    assert [item.kind for item in client.log(id)] == ["add", "ruling"]


def test_it_can_be_taken_off_again(client: Browser) -> None:
    """Off the board and the sheet; its page stays, and the history tells both."""
    id = client.start()
    place = attach(client, id, 0).location
    for _tap in range(2):
        answer = client.post(f"/en/m/{id}/rulings/1/off", data={"seq": "1", "form_key": "off"})
        assert answer.status_code == 303
    assert [(item.kind, item.undoes) for item in client.log(id)] == [("ruling", None), ("ruling", 1)]
    assert "May I play this?" not in client.read(f"/en/m/{id}/sheet")
    assert NO in client.read(place) and "It was withdrawn from the match. Restore" in client.read(place)
    history = client.read(f"/en/m/{id}/history")
    assert "A ruling was withdrawn: May I play this?" in history and "A ruling was attached" in history
    again = client.post(f"/en/m/{id}/rulings/1/off", data={"seq": "2", "form_key": fresh_key()})
    assert again.status_code == 404


def test_a_withdrawn_ruling_is_restored(client: Browser, other: Browser) -> None:
    """It stands where it stood, once; who does not keep the score cannot, and what stands is not restored."""
    id = client.start(DEAL)
    place = attach(client, id, 1).location
    sent = {"seq": "2", "form_key": fresh_key()}
    assert client.post(f"/en/m/{id}/rulings/2/restore", data=sent).status_code == 404
    client.post(f"/en/m/{id}/rulings/2/off", data=sent)
    sent = {"seq": "3", "form_key": fresh_key()}
    assert other.post(f"/en/m/{id}/rulings/2/restore", data=sent).status_code == 403
    for _tap in range(2):
        assert client.post(f"/en/m/{id}/rulings/2/restore", data=sent).location == place
    assert [(item.kind, item.entry, item.undoes) for item in client.log(id)[1:]] == [
        ("ruling", 1, None),
        ("ruling", None, 2),
        ("ruling", 1, None),
    ]
    assert client.log(id)[3].payload == client.log(id)[1].payload
    assert "It is attached to the match. Withdraw" in client.read(place)
    assert "May I play this?" in client.read(f"/en/m/{id}/entries/1")
    for wrong in (1, 3, 99):
        sent = {"seq": "4", "form_key": fresh_key()}
        assert client.post(f"/en/m/{id}/rulings/{wrong}/restore", data=sent).status_code == 404


@pytest.mark.parametrize("more", [{}, {"answer": {"legal": ["8H", "AH"]}}], ids=["verdict", "answer"])
def test_where_the_rulebook_says_otherwise_now(client: Browser, app: Flask, more: dict[str, Any]) -> None:
    """What was answered then stands first, and that it would be another answer today."""
    place = keep(client).location
    then = {"verdict": "legal", **more}
    changed = alter(app, place, ruling=then, why="Anything goes {here}.", rulebook="0.1")
    text = client.read(changed)
    assert "Yes, 8 may be played. Anything goes {here}." in text
    assert "rulebook 0.1" in text and "answers differently" in text and NO in text


@pytest.mark.parametrize(
    "changes",
    [
        {"request": {"conventions": {"no-longer": True}}},
        {"request": {"game": "bridge"}},
        {"request": {"question": "gone"}},
        {"request": {"preset": "gone"}},
        {"request": {"hand": ["8H"]}},
        {"request": {"players": "many"}},
        {"query": [["hand", "8H"]]},
        {"names": None},
        {"ruling": {"answer": None, "rules": [{"id": "gone.rule", "text": "It was so."}]}},
        {"ruling": {"rules": []}},
        {"match": "gone"},
    ],
)
def test_what_an_older_version_kept_is_still_shown(
    client: Browser, app: Flask, changes: dict[str, Any]
) -> None:
    """Whatever today's game no longer knows: the page shows the answer as it was given."""
    text = client.read(alter(app, keep(client).location, **changes))
    assert "may not be played." in text and "May I play this?" in text


def test_hardly_anything_kept_is_no_error(
    client: Browser, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even an empty ruling has a page; a match whose ruling is lost shows what its log holds of it."""
    with app.app_context():
        app.extensions["matches"].store.save_ruling(
            SavedRuling("empty", "me", "2026-11-20T19:00:00+00:00", {})
        )
    assert client.get("/en/r/empty").status_code == 200
    id = client.start()
    attach(client, id, 0)
    monkeypatch.setattr(type(app.extensions["matches"].store), "find_ruling", lambda store, id: None)
    for path in ("", "/history", "/sheet"):
        assert re.search("No, 8♥? may not be played", client.read(f"/en/m/{id}{path}"))


def test_at_a_session_of_hands(client: Browser) -> None:
    """The other family's board, entry and sheet have it too, at the hand it is about."""
    id = client.sit(names=("Ewa", "Jan", "Ala"))
    client.write(id, {"type": "hand", "loser": "B"}, {"type": "hand", "loser": "A"})
    typed = {"form_key": fresh_key(), "seq": "2", "attach": "1"}
    facts = "attack=9S&with=6H&trump=H&asked=1&entry=1"
    answer = client.post(f"/en/m/{id}/ask/beat/keep?{facts}", data=typed)
    assert answer.status_code == 303
    assert "Yes, 6 beats 9" in client.read(answer.location)
    for path in ("", "/entries/1"):
        assert "Yes, 6 beats 9" in client.read(f"/en/m/{id}{path}")
    assert "Rulings" not in client.read(f"/en/m/{id}/entries/2")
    assert "Yes, 6♥ beats 9♠. § " in client.read(f"/en/m/{id}/sheet")


def test_a_ruling_draws_no_stroke(client: Browser) -> None:
    """The board draws its newest stroke when something was scored, not when a ruling was attached."""
    id = client.start(DEAL)
    assert attach(client, id, 1).status_code == 303
    assert "sides-2 fresh" not in client.get(f"/en/m/{id}").text
    assert client.post(f"/en/m/{id}/undo", data={"seq": "2", "form_key": "u"}).status_code == 303
    assert "sides-2 fresh" in client.get(f"/en/m/{id}").text
