"""The demo of a phone alone: played matches, there at the first start, marked, gone with one tap."""

import io
import json
import zipfile
from datetime import timedelta

import pytest

from companion.archives.rows import pack_rows
from companion.offline_app import keeping
from companion.offline_app.application import Address
from companion.offline_app.bridge import DEMO, Bridge
from companion.offline_app.build import site
from companion.store.memory.tables import HeldMatch
from companion.web.shell.hosts import Host

from .test_bridge import Visitor, begin, hidden
from .test_files import take_along, unpack

RECORDS = json.loads(site._DEMO.read_text("utf-8"))


@pytest.fixture
def looking(addresses: list[Address]) -> Visitor:
    """Somebody who has just tapped *Begin*."""
    visitor = Visitor(Bridge(addresses, "v1", Host.ALONE, RECORDS), first=True)
    visitor.get("/en/")
    visitor.state["first"] = False
    return visitor


def list_demo(visitor: Visitor) -> dict[str, HeldMatch]:
    tables = visitor.bridge._store.tables
    return {id: row for id, row in tables.matches.items() if row.is_demo and row.deleted_at is None}


def test_three_games_were_played_to_their_end(looking: Visitor) -> None:
    """By the rules: nothing in them is flagged."""
    matches = [looking.bridge._matches.open(id) for id in list_demo(looking)]
    assert {match.game.name for match in matches} == {"derda", "coinche", "durak"}
    assert [(match.state.status, *match.state.problems) for match in matches] == [("finished",)] * 3


def test_it_says_that_it_is_a_demo(looking: Visitor) -> None:
    """On the front page, beside each of them there, and on their boards; in a match of one's own nothing."""
    home = looking.get("/en/")[2]
    assert home.count(">Demo<") == 4 and "Remove the demo" in home
    for id in list_demo(looking):
        assert f"/en/m/{id}" in home
        assert "<b>Demo</b>" in looking.get(f"/en/m/{id}")[2]
    assert "Demo" not in looking.get(begin(looking))[2]


def test_one_tap_removes_it_for_good(looking: Visitor) -> None:
    """All of it and nothing else; another start does not bring it again."""
    own, demo = begin(looking), list_demo(looking)
    assert looking.post("/en/demo/remove", {})[0] == 303
    for _start in range(2):
        home = looking.get("/en/")[2]
        assert own in home and "Remove the demo" not in home
        assert not any(id in home for id in demo) and list_demo(looking) == {}
        assert looking.get(f"/en/m/{next(iter(demo))}")[0] == 410
        looking.begin()


def test_it_is_no_match_of_one_s_own(looking: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is asked to keep it as a file, whatever was written in it; the first match is still to come."""
    assert "Saved only on this phone." in looking.get("/en/new")[2]
    board = f"/en/m/{next(iter(list_demo(looking)))}"
    assert looking.post(f"{board}/undo", hidden(looking.get(board)[2]))[0] == 303
    monkeypatch.setattr(keeping, "_PAUSE", timedelta(hours=-1))
    assert "data-unfiled" not in looking.get("/en/")[2]
    begin(looking)
    assert "Saved only on this phone." not in looking.get("/en/new")[2]


def test_its_players_never_sat_at_this_table(looking: Visitor) -> None:
    """They are in no figures and no evening, and no form offers them; whoever played here is."""
    begin(looking)
    assert looking.post(f"/en/m/{next(iter(list_demo(looking)))}/put-away", {})[0] == 303
    for path in ("/en/players", "/en/new", "/en/new?game=durak"):
        page = looking.get(path)[2]
        assert "Ewa" in page and "Ola" not in page and "Piotr" not in page
    assert looking.get("/en/player?name=Ola")[0] == 404
    assert looking.get("/en/evenings")[2].count('href="/en/evening/') == 1
    for id in list_demo(looking):
        assert looking.get(f"/en/evening/{id}")[0] == 404
        assert "/en/evening/" not in looking.get(f"/en/m/{id}/more")[2]


def test_it_is_taken_along_in_no_file(looking: Visitor) -> None:
    """Neither in that of all matches nor in one of all rows: elsewhere it would look like matches played."""
    assert "matches.zip" not in looking.get("/en/export")[2]
    own = begin(looking).rpartition("/")[2]
    assert [record["id"] for record in unpack(take_along(looking))] == [own]
    rows = {"format": "companion-rows", "version": 1, "rows": [*looking.rows.items()]}
    with zipfile.ZipFile(io.BytesIO(pack_rows(rows))) as archive:
        assert archive.namelist() == [f"{own}.json"]


def test_only_a_beginning_phone_has_it(addresses: list[Address]) -> None:
    """One that was begun before the folder had a demo stays as it is."""
    assert list_demo(Visitor(Bridge(addresses, "v1", Host.ALONE, RECORDS))) == {}
    assert DEMO == "demo.json", "as static/offline/app/boot.js calls it"
