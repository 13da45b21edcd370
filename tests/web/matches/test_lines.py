"""What every kind of entry reads as, in English and in Polish: who did what."""

import re
import tomllib
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any, cast

import pytest
from derda import RECORD
from flask import Flask

from companion import library
from companion.beating import entries as hand_entries
from companion.jacknine import entries as deal_entries
from companion.matches import (
    AddEntry,
    AmendEntry,
    Change,
    CorrectHead,
    Matches,
    PutBack,
    RestoreEntry,
    Undo,
    WithdrawEntry,
)
from companion.record.log import Event
from companion.record.record import fold_record, read_record
from companion.rules.schema import fields_of
from companion.web.shell.forms import fresh_key
from companion.web.shell.language import in_language
from companion.web.shell.text import say
from tests.web.browsers import Browser

FILE = Path(__file__).with_name("lines.toml")
TABLES: dict[str, list[dict[str, Any]]] = tomllib.loads(FILE.read_text("utf-8"))
ENTRIES, HISTORIES = TABLES["entry"], TABLES["history"]
PLAYERS = ["Ewa", "Jan", "Ala", "Olek"]
SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
LANGUAGES = (("en", "line", "sentence"), ("pl", "linia", "zdanie"))


def head_of(one: dict[str, Any]) -> dict[str, Any]:
    """The head of a match of these entries."""
    seats, conventions = one.get("seats"), dict(one.get("conventions", {}))
    seating = next(
        (it for it in library.seatings(one["game"]) if it.name == seats), library.seatings(one["game"])[0]
    )
    head = {
        "game": one["game"],
        "players": PLAYERS[: seating.players],
        "first_dealer": "A",
        "conventions": conventions | dict(seating.conventions),
    }
    return head | ({"preset": one["preset"]} if "preset" in one else {})


def content_of(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry as JSON: there nobody is null."""
    return {key: None if value == "nobody" else value for key, value in entry.items()}


def read_words(page: str) -> str:
    """A piece of a page without its marks, suits as their signs."""
    drawn = re.sub(
        r'<svg class="suit suit-(\w)".*?</svg>', lambda found: SIGNS[found[1]], page, flags=re.DOTALL
    )
    return " ".join(unescape(re.sub(r"<[^>]+>", "", drawn)).split())


def begin(client: Browser, one: dict[str, Any]) -> str:
    """Writes a match of the table and gives its id."""
    with client.application.app_context():
        matches: Matches = client.application.extensions["matches"]
        id = matches.start(head_of(one), "somebody", fresh_key())
    client.write(id, *map(content_of, one["entries"]))
    return id


@pytest.mark.parametrize(
    "one", ENTRIES, ids=[f"{place}-{entry['line']}" for place, entry in enumerate(ENTRIES)]
)
def test_every_line_says_who_did_what(client: Browser, app: Flask, one: dict[str, Any]) -> None:
    """The board has it in few words, history and entry in a sentence, in both languages.

    The sheet has what did not go by the figures alone: with the name of whoever did it, or as a line.
    """
    id = begin(client, one)
    is_on_sheet = "Jan" in one["line"].partition("·")[2] or "·" not in one["line"]
    for language, line, sentence in LANGUAGES:
        board = client.get(f"/{language}/m/{id}").get_data(as_text=True)
        first = re.search(r'<tbody>.*?<th scope="row"[^>]*>\s*<a[^>]*>(.*?)</a>', board, re.DOTALL)
        assert first is not None and read_words(first[1]) == one[line]
        with app.test_request_context(f"/{language}/"), in_language(language):
            match = app.extensions["matches"].open(id)
            assert say(match, match.state.rows[-1].why) == one[sentence]
        assert one[sentence] in read_words(client.get(f"/{language}/m/{id}/history").get_data(as_text=True))
        last = match.standing_entries[-1].id
        entry = client.get(f"/{language}/m/{id}/entries/{last}").get_data(as_text=True)
        assert one[sentence] in read_words(entry)
        if is_on_sheet:
            sheet = read_words(client.get(f"/{language}/m/{id}/sheet").get_data(as_text=True))
            behind = one[line].partition(" · ")[2]
            assert (behind or one[sentence]) in sheet or one[sentence] in sheet


def test_every_kind_of_entry_is_in_the_table() -> None:
    """Every type of entry that any game knows, and every way a deal can end."""
    known = {kind for name in library.names() for kind in library.open_game(name).family.entries}
    known |= {"dive", "finish"}
    assert {entry["type"] for item in ENTRIES for entry in item["entries"]} >= known


def test_every_result_of_a_deal_is_in_the_table() -> None:
    """Made, bait, tie, penalty, void, thrown in, offer, calls of the end; lost, drawn, touched."""
    results = set()
    for match in ENTRIES:
        entries = [content_of(entry) for entry in match["entries"]]
        record, game = read_record({**RECORD, **head_of(match), "entries": entries}, library.open_game)
        results |= {row.result for row in fold_record(record, game.family).rows}
    deals = {"made", "bait", "tie", "penalty", "void", "thrown-in", "offer", "finished", "false-finish"}
    assert results == deals | {"loss", "draw", "touch", "close", None}


def change_of(step: dict[str, Any]) -> Change:
    """What is done in one step of a history."""
    match step:
        case {"add": entry}:
            return AddEntry(content_of(entry))
        case {"amend": id, "entry": entry}:
            return AmendEntry(id, content_of(entry))
        case {"withdraw": id}:
            return WithdrawEntry(id)
        case {"restore": id}:
            return RestoreEntry(id)
        case {"head": values}:
            return CorrectHead({key: value or None for key, value in values.items()})
        case {"undo": True}:
            return Undo()
        case {"put_back": True}:
            return PutBack()
        case _:
            raise ValueError(step)


def store_again(client: Browser, id: str, what: int | str) -> None:
    """An entry or the head saved as it was, of which earlier versions wrote an event."""
    match = client.match(id)
    if what == "head":
        event = Event(0, "head", payload={"players": match.head["players"]})
    else:
        entry = match.entry(cast(int, what))
        assert entry is not None
        event = Event(0, "amend", entry.id, entry.payload)
    event = replace(event, author=match.owner, at=match.events[-1].at)
    with client.application.app_context():
        client._matches.store.append_event(id, match.seq, event, fresh_key())


def read_history(page: str) -> list[str]:
    """The lines of a history, without the sentences below them, and without the start of the match."""
    log = page[page.index('<ol class="list"') :]
    return [read_words(line) for line in re.findall(r"<li><[^>]*><span>(.*?)<br>", log, flags=re.DOTALL)][:-1]


@pytest.mark.parametrize("one", HISTORIES, ids=[history["game"] for history in HISTORIES])
def test_every_line_of_a_history_says_what_it_did(client: Browser, one: dict[str, Any]) -> None:
    """With the number that the entry had then, and with what was there before and after."""
    id = begin(client, {**one, "entries": []})
    for step in one["steps"]:
        if "again" in step:
            store_again(client, id, step["again"])
        else:
            client.change(id, change_of(step))
    for language, lines in (("en", "lines"), ("pl", "linie")):
        assert read_history(client.get(f"/{language}/m/{id}/history").text) == one[lines]


@pytest.mark.parametrize("name", library.names())
def test_every_fact_of_an_entry_has_a_name(app: Flask, name: str) -> None:
    """What a correction can change is called by its name, unless what the entry comes to says it."""
    game = library.open_game(name)
    ui = app.extensions["game_uis"][game.family_name]
    shapes = deal_entries.ENTRIES if game.family.counted_entry in deal_entries.ENTRIES else hand_entries.TYPES
    facts = {field.key for shape in shapes.values() for field in fields_of(cast(Any, shape))}
    with app.test_request_context("/en/"):
        named = set(ui.fact_names()) | set(game.book.words) | set(ui.row_facts)
    assert facts - named == {"type"}


def test_what_an_entry_came_to_stands_below(client: Browser) -> None:
    """When it was written, corrected, and when the correction was undone."""
    made = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
    id = begin(client, {"game": "derda", "entries": [made]})
    for item in (AmendEntry(1, {**made, "totals": {"A": 65, "B": 82}}), Undo()):
        client.change(id, item)
    reported = (
        "Deal 1: correction undone, 65:82 → 82:65 Ewa makes it, 82 to 65.",
        "Deal 1: 82:65 → 65:82 undone Ewa: bajt, 65 to 82; Jan writes it all.",
        "Deal 1 written Ewa makes it, 82 to 65.",
    )
    history = read_words(client.get(f"/en/m/{id}/history").get_data(as_text=True))
    places = [history.index(sentence) for sentence in reported]
    assert places == sorted(places)
    board = read_words(client.get(f"/en/m/{id}").get_data(as_text=True))
    assert "♥ Ewa · made it 82 65" in board and "corrected" not in board


def test_a_dealer_named_later_is_no_correction(client: Browser) -> None:
    """The team that lost says afterwards which of them deals; saying another then is one."""
    lost = {"type": "hand", "loser": "B"}
    id = begin(client, {"game": "durak", "seats": "teams-4", "entries": [lost]})
    for deals, corrected in (("B", False), ("D", True)):
        client.change(id, AmendEntry(1, {**lost, "deals": deals}))
        for path in ("", "/entries/1"):
            page = read_words(client.get(f"/en/m/{id}{path}").get_data(as_text=True))
            assert ("Jan & Olek lost. corrected" in page or "Hand 1 corrected" in page) is corrected
        sheet = read_words(client.get(f"/en/m/{id}/sheet").get_data(as_text=True))
        assert ("Corrected afterwards" in sheet) is corrected
    history = read_words(client.get(f"/en/m/{id}/history").get_data(as_text=True))
    assert "Hand 1: next dealt by Jan " in history and "Hand 1: next dealt by Jan → Olek" in history
