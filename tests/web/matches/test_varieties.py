"""Durak begins as people call it: its varieties, house rules in groups, what a table has not."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from companion import cli, library
from companion.rules.conditions import json_word
from tests.web.browsers import Browser, words
from tests.web.matches.conftest import form_fields, picked


@pytest.mark.parametrize(
    ("language", "game", "names"),
    [
        ("en", "Durak", ["Podkidnoy", "Perevodnoy", "Perevodnoy with a pass card", "As played online"]),
        (
            "pl",
            "Dureń",
            ["Z dorzucaniem", "Z przekazywaniem", "Z przekazywaniem i przepustką", "Jak w sieci"],
        ),
    ],
)
def test_varieties_by_the_names_people_use(
    client: Browser, language: str, game: str, names: list[str]
) -> None:
    """Each is offered once, though the plain one goes by two names in records."""
    page = unescape(client.get(f"/{language}/new?game=durak").text)
    offered = re.findall(r'name="step" value="as-([\w-]+)"[^>]*>([^<]+)<', page)
    assert [label for _name, label in offered] == names
    assert [name for name, _label in offered] == ["standard", "perevodnoy", "perevodnoy-pass-card", "online"]
    assert f"<b data-game>{game}</b>" in page
    other_name = client.get(f"/{language}/new?game=durak&preset=podkidnoy").text
    assert picked(other_name)["preset"] == "standard"


@pytest.mark.parametrize("preset", ["perevodnoy", "perevodnoy-pass-card", "online"])
@pytest.mark.parametrize("table", ["2", "3", "4", "5", "6"])
def test_every_variety_with_every_number(client: Browser, preset: str, table: str) -> None:
    """What the page began is what was tapped: the variety, and all that it sets."""
    data = form_fields(table, int(table), rule_cut="free") | {"preset": preset, "shown-preset": preset}
    started = client.post("/en/new", data=data)
    assert started.status_code == 303
    head = client.match(started.location.rsplit("/", 1)[1]).written_head
    assert head["preset"] == preset
    sets = library.read_rulebook("durak").presets[preset].sets
    assert {name: head["conventions"][name] for name in sets} == dict(sets)


REFUSED = (
    "Perevodnoy does not suit this table: “Transferring the attack” is only for 2, 3, 4, 5, 6 players, "
    "each for themselves."
)


def test_a_variety_that_is_not_for_teams_is_refused(client: Browser) -> None:
    """It stays chosen beside the reason; nothing begins as another game, and nothing typed is lost."""
    typed = {"rule_cut": "free", "place": "Łódź"}
    alone = {"preset": "perevodnoy", "shown-preset": "perevodnoy"}
    fields = form_fields("4", 4, step="show", rule_pass_card="on", **typed) | alone
    teams = client.post("/en/new", data=fields | {"table": "teams-4"})
    assert REFUSED in words(teams)
    assert (picked(teams.text)["preset"], picked(teams.text)["table"]) == ("perevodnoy", "teams-4")
    shown = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', teams.text)
    again = form_fields("teams-4", 4) | dict(shown) | {"preset": "perevodnoy", "form_key": "one"}
    refused = client.post("/en/new", data=again)
    assert refused.status_code == 422
    assert REFUSED in words(refused)
    assert "Continue the match" not in client.read("/en/")
    back = client.post("/en/new", data=again | {"table": "4", "step": "show"})
    assert REFUSED not in words(back)
    assert {key: picked(back.text)[key] for key in ("preset", "rule-pass_card", "rule-cut")} == {
        "preset": "perevodnoy",
        "rule-pass_card": "on",
        "rule-cut": "free",
    }
    plain = client.post("/en/new", data=again | {"preset": "standard", "form_key": "two"})
    assert plain.status_code == 303
    assert client.match(plain.location.rsplit("/", 1)[1]).written_head["conventions"]["transfer"] == "off"
    assert REFUSED in client.read("/en/new?game=durak&preset=perevodnoy&table=teams-4")


def set_back(page: Any) -> str:
    """What a page says of the house rules that its table has not."""
    said = re.search(r'<p class="hint" id="laid-aside">(.*?)</p>', page.text, re.S)
    return " ".join(unescape(re.sub("<[^>]+>", "", said[1])).split()) if said else ""


def test_house_rules_wait_for_a_table_that_has_them(client: Browser) -> None:
    """24 cards are too few for four, teams transfer nothing: both are named, and there again for three."""
    chosen = {"rule_deck": "24", "rule_transfer": "on"}
    four = client.post("/en/new", data=form_fields("3", 3, step="show", **chosen) | {"table": "teams-4"})
    assert picked(four.text)["rule-deck"] == "36"
    assert set_back(four) == (
        "Not used at this table, but remembered for another: Cards in the pack (24 cards, A K Q J 10 9; "
        "two or three players.), Transferring the attack (Perevodnoy: with a card of the rank "
        "attacked, the defender passes the attack on.)."
    )
    stored = dict(re.findall(r'<input type="hidden" name="(aside/[^"]+)" value="([^"]*)">', four.text))
    fields = form_fields("teams-4", 4, step="show") | stored | {"table": "3"}
    three = client.post("/en/new", data=fields)
    assert (picked(three.text)["rule-deck"], picked(three.text)["rule-transfer"]) == ("24", "on")
    assert set_back(three) == ""
    other = client.post("/en/new", data=fields | {"rule-deck": "52"})
    assert picked(other.text)["rule-deck"] == "52"


def test_a_house_rule_that_no_page_of_the_table_offers(client: Browser) -> None:
    """What a form brings all the same is refused, not left out in silence."""
    refused = client.post("/en/new", data=form_fields("teams-4", 4, rule_transfer="on"))
    assert refused.status_code == 422
    assert "This table has no such house rule: Transferring the attack." in words(refused)


def test_house_rules_stand_in_groups(client: Browser) -> None:
    """Folded away by what they are about; what is wrong opens its fold, and each says how many differ."""
    fold = r'<details class="fold" id="house-([\w-]+)" data-group( open)?>'
    group = re.compile(fold + r"\s*<summary>(.*?) <small>(.*?)</small></summary>")
    found = group.findall(client.get("/en/new?game=durak&table=4").text)
    heads = ["The deal", "Throwing in", "Beating and transferring", "The result"]
    assert [(head, said) for _id, _open, head, said in found] == [(head, "") for head in heads]
    assert not any(opened for _id, opened, *_said in found)
    typed = form_fields("6", 6, rule_severnyi="true", rule_cut="free", rule_throwers="all")
    found = group.findall(client.post("/en/new", data=typed).text)
    assert [id for id, opened, *_said in found if opened] == ["the-deal"]
    assert [said for *_fold, said in found] == ["2 differ", "1 differs", "", ""]


# --- at every door ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "preset", "conventions", "path"),
    [
        ("teams-4", "perevodnoy", {}, "conventions.transfer"),
        ("teams-6", "online", {}, "conventions.transfer"),
        ("teams-4", "standard", {"transfer": "on"}, "conventions.transfer"),
        ("teams-4", "standard", {"first_defence_limit": 5}, "conventions.first_defence_limit"),
        ("teams-4", "standard", {"walk_out": "plays-on"}, "conventions.walk_out"),
        ("2", "standard", {"walk_out": "plays-on"}, "conventions.walk_out"),
        ("4", "standard", {"deck": 24}, "conventions.deck"),
        ("6", "standard", {"severnyi": True}, "conventions.severnyi"),
    ],
)
def test_what_cannot_be_combined_is_refused_at_every_door(
    client: Browser,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    table: str,
    preset: str,
    conventions: dict[str, Any],
    path: str,
) -> None:
    """The page, the record on the command line, and the question as JSON: none takes it for another game."""
    seating = next(seating for seating in library.seatings("durak") if seating.name == table)
    size = seating.players
    rules = {f"rule_{name}": json_word(value) for name, value in conventions.items()}
    fields = form_fields(table, size, **rules) | {"preset": preset, "shown-preset": "standard"}
    page = client.post("/en/new", data=fields)
    assert page.status_code == 422
    assert (picked(page.text)["preset"], picked(page.text)["table"]) == (preset, table)
    chosen = {"game": "durak", "preset": preset, "conventions": {**seating.conventions, **conventions}}
    players = [f"Player {number}" for number in range(size)]
    record = tmp_path / "record.json"
    record.write_text(
        json.dumps({"format": "companion-match", "version": 1, **chosen, "players": players, "entries": []})
    )
    assert cli.main(["score", str(record)]) == 2
    assert capsys.readouterr().err.startswith(f"error: {path}: must be ")
    asked = {**chosen, "players": size, "question": "beat", "attack": "AS", "with": "9H", "trump": "H"}
    answer = client.post("/api/rule", json=asked)
    assert (answer.status_code, answer.get_json()["error"].split(":")[0]) == (400, path)


@pytest.mark.parametrize(
    ("conventions", "path"),
    [
        ({"transfer_first": "off"}, "conventions.transfer_first"),
        ({"pass_card": "on"}, "conventions.pass_card"),
        ({"first_defence_until": "beaten-off"}, "conventions.first_defence_until"),
    ],
)
def test_what_hangs_on_something_that_is_off(client: Browser, conventions: dict[str, str], path: str) -> None:
    """Where it is told it is refused; on a page it is hidden, and the match is begun without it."""
    asked = {"question": "beat", "attack": "AS", "with": "9H", "trump": "H"}
    answer = client.post("/api/rule", json={"game": "durak", "conventions": conventions, **asked})
    assert (answer.status_code, answer.get_json()["error"].split(":")[0]) == (400, path)
    rules = {f"rule_{name}": value for name, value in conventions.items()}
    started = client.post("/en/new", data=form_fields("4", 4, **rules))
    head = client.match(started.location.rsplit("/", 1)[1]).written_head
    for name in conventions:
        assert head["conventions"][name] == library.read_rulebook("durak").conventions[name].default
