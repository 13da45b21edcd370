"""What is wrong in a game file is refused with the file, the key, and what is allowed there."""

import copy
from dataclasses import MISSING
from pathlib import Path
from typing import Any

import pytest

from companion import cli, library
from companion.library import GameFileError, GameFolder
from companion.library.files import join_game_file
from companion.library.folder import read_entry

Document = dict[str, Any]


def item(document: Document, table: str, name: str) -> dict[str, Any]:
    return next(row for row in document[table] if name in (row.get("id"), row.get("name")))


def change(document: Document, path: str, value: Any) -> None:
    """Put a value at a path, or leave out what stands there; rules and conventions by their names."""
    *steps, last = path.split("/")
    named = path.startswith(("rules/", "conventions/", "presets/"))
    holder: Any = document
    for place, key in enumerate(steps):
        if place == 1 and named:
            holder = item(document, steps[0], key)
        else:
            holder = holder.setdefault(key, {}) if place else holder[key]
    if value is not MISSING:
        holder[last] = value
    elif isinstance(holder, list):
        holder.remove(item(document, steps[0], last))
    else:
        del holder[last]


FAULTS: list[tuple[str, str, Any, str]] = [
    # keys and kinds
    ("derda", "points/run_pionts", 3, "points.run_pionts: unknown key; known keys are trump, plain, jass,"),
    ("derda", "table/seats", 2, "table.seats: unknown key; known keys are players, partnerships"),
    ("derda", "colour", "red", "colour: unknown key; known keys are shelf, game, title, family, version,"),
    ("derda", "cards/hand", MISSING, "cards.hand: required"),
    ("derda", "cards", MISSING, "cards: must be an object, not null"),
    ("derda", "words", MISSING, "words: required"),
    ("derda", "cards/hand", "nine", 'cards.hand: must be a whole number from 3 to 10, not "nine"'),
    ("derda", "points/trump", 11,
     "points.trump: must be an object with the keys A, K, Q, J, 10, 9, 8, 7, 6, 5, 4, 3, 2, not 11"),
    ("derda", "dated", "yesterday", 'dated: must be a day such as 2026-11-21, not "yesterday"'),
    ("derda", "family", "whist", 'family: must be one of jacknine, beating, not "whist"'),
    ("derda", "game", "dorda", 'game: must be derda, as the file is called, not "dorda"'),
    ("derda", "rules/derda.play.follow/txt", "x",
     "rules[derda.play.follow].txt: unknown key; known keys are id,"),
    ("derda", "rules/derda.play.follow/text", MISSING, "rules[derda.play.follow].text: required"),
    ("derda", "rules/derda.play.follow/text", " ",
     'rules[derda.play.follow].text: must be a text of 1 to 2000 characters, not " "'),
    ("durak", "table/players", [2, 9], "table.players[1]: must be a whole number from 2 to 6, not 9"),
    # options and conventions
    ("derda", "procedures/ply", "beat-trumps",
     "procedures.ply: unknown key; known keys are first_deal_order,"),
    ("derda", "procedures/play", "any", "procedures.play: must be one of beat-trumps, over-ruff,"),
    ("derda", "procedures/rost", MISSING, "procedures.rost: must be given: one of free, strict"),
    ("derda", "procedures/offences", ["swearing"], "procedures.offences[0]: must be one of revoke,"),
    ("deberts", "conventions/trickless/values", [{"value": "half", "text": "Half of them."}],
     "conventions[trickless].default: must be one of half,"),
    ("klaberjass", "conventions/run_tie/name", "run_ties",
     "rules[klaberjass.meld.rank].text[2].when: must be a condition on one of"),
    (
        "klaberjass",
        "conventions/tie/values",
        [{"value": word, "text": "x"} for word in ("hang", "declarer-loses", "carry", "again")],
        "conventions[tie].values[3].value: must be one of hang,",
    ),
    ("derda", "conventions/target/rule", "derda.end.aim",
     'conventions[target].rule: must be the id of a rule of this game, not "derda.end.aim"'),
    ("derda", "conventions/target/default", 5,
     "conventions[target].default: must be a whole number from 10 to 9999, not 5"),
    ("deberts", "conventions/mars_line/needs", {"mras": "on"},
     "conventions[mars_line].needs: must be a condition on one of target,"),
    ("deberts", "conventions/mars_line/needs", {"mars": "sometimes"},
     "conventions[mars_line].needs: must be a condition with mars as one of off,"),
    ("deberts", "conventions/mars_line/default_half_of", "goal",
     "conventions[mars_line].default_half_of: must be one of target,"),
    ("durak", "conventions/throwers/default_when", {"format=alone": "all"},
     "conventions[throwers].default_when: must be a condition with format as one of individual,"),
    ("durak", "conventions/first_attack/only_when", ["players=7"],
     "conventions[first_attack].only_when[0]: must be one of 2,"),
    ("klaberjass", "presets/zensa/sets", {"melts": "zensa"},
     "presets[zensa].sets.melts: unknown key; known keys are target,"),
    ("klaberjass", "presets/zensa/sets", {"melds": "all"}, "presets[zensa].sets.melds: must be one of runs,"),
    ("klaberjass", "when/melts=zensa", {"cards": {"fours_order": ["J"]}},
     "when[melts=zensa]: must be a condition on one of target,"),
    ("klaberjass", "when/melds=some", {"cards": {"fours_order": ["J"]}},
     "when[melds=some]: must be a condition with melds as one of runs,"),
    ("klaberjass-3", "procedures/finish", "announced",
     'procedures.finish: must be another way, as more than two sides play, not "announced"'),
    ("klaberjass-3", "procedures/false_melds", "claimed",
     'procedures.false_melds: must be another way, as more than two sides play, not "claimed"'),
    # numbers and orders
    ("derda", "cards/trump_order", ["J", "9", "A", "10", "K", "Q", "8", "8"],
     'cards.trump_order[7]: must be another rank, as each stands once, not "8"'),
    ("derda", "cards/plain_order", ["J", "9", "A", "10", "K", "Q", "8"],
     'cards.plain_order: must be all ranks of the pack, 7 too, not "J 9 A 10 K Q 8"'),
    ("derda", "cards/run_order", ["J", "9", "A", "10", "K", "Q", "8", "6"],
     'cards.run_order[7]: must be a rank of the pack: A, K, Q, J, 10, 9, 8, 7, not "6"'),
    ("derda", "points/plain/6", 1, "points.plain.6: must be a rank of the pack: A, K, Q, J, 10, 9, 8, 7"),
    ("derda", "points/plain/Z", 1, "points.plain.Z: unknown key; known keys are A, K, Q, J, 10, 9, 8, 7, 6,"),
    ("derda", "points/runs/6", 80, "points.runs.5: must be given, as longer and shorter runs have a value"),
    ("derda", "points/runs", {}, "points.runs: must be given: at least one run"),
    ("klaberjass-4", "cards/hand", 9, "cards.hand: must be at most 8 of a pack of 32 cards, not 9"),
    ("klaberjass-4", "table/players", 3, "table.players: must be an even number, as partners play, not 3"),
    ("klaberjass", "when/melds=zensa/points", {"fours": {"8": 10}},
     'when[melds=zensa].cards.fours_order: must be complete: four of rank 8 count too, not "J 9 A'),
    ("durak", "cards/hand", 7,
     'cards.order: must be enough ranks for 6 hands of 7, not "A K Q J 10 9 8 7 6"'),
    ("durak", "table/usual", 7, "table.usual: must be a whole number from 2 to 6, not 7"),
    # rules, words, statements
    ("derda", "rules/derda.play.follow/keys", ["play.folow"],
     "rules[derda.play.follow].keys[0]: must be a key by which rules are cited: play.claim,"),
    ("derda", "rules/derda.play.follow/keys", [],
     "rules[derda.play.follow].keys: must be a list of 1 to 99 items, not []"),
    ("derda", "rules/derda.play.follow/keys", ["play.follow", "play.ruff"],
     "rules[derda.play.ruff].keys[0]: must be a key that derda.play.follow has not, not"),
    ("derda", "rules/derda.play.follow", MISSING,
     "rules: must be complete: no rule has the key play.follow, which is cited"),
    ("deberts", "rules/deberts.four-sevens/only_when", ["four_sevns=redeal"],
     "rules[deberts.four-sevens].only_when[0]: must be a condition on one of target,"),
    ("derda", "words/belo", "belo", "words.belo: unknown key; known keys are all-trumps, ask, bait,"),
    ("derda", "words/tie", MISSING, "words.tie: must be given: the game's word for it"),
    ("derda", "words/tie", "", 'words.tie: must be a text of 1 to 60 characters, not ""'),
    ("derda", "stated_in/points/last", "derda.words.vaules",
     'stated_in.points.last: must be the id of a rule of this game, not "derda.words.vaules"'),
    ("derda", "stated_in/points/last", MISSING,
     "stated_in.points.last: must be given: the id of the rule that states it"),
    ("derda", "stated_in/points/lst", "derda.play.lead",
     "stated_in.points.lst: unknown key; known keys are trump,"),
    # files
    ("bulka", "extends", ["klaberjas"], "extends: there is no games/klaberjas.toml"),
    ("bulka", "extends", ["bulka"], "extends[0]: bulka extends this file already"),
    ("darda", "omit_rules", ["klaberjass4.no-trump"],
     "omit_rules[0]: klaberjass4.no-trump is not among the rules it inherits"),
]  # fmt: skip
"""A game, a place in its file, what stands there now, and what is said of it."""


@pytest.mark.parametrize(
    ("game", "path", "value", "sentence"), FAULTS, ids=[fault[3].split(":")[0] for fault in FAULTS]
)
def test_faults(game: str, path: str, value: Any, sentence: str) -> None:
    """Each fault is refused in one sentence that names file and key and says what is allowed."""
    own = copy.deepcopy(dict(library.GAMES.entry(game).file.own))
    change(own, path, value)
    with pytest.raises(GameFileError) as refused:
        read_entry(join_game_file(library.GAMES.folder, game, own))
    assert str(refused.value).startswith(f"games/{game}.toml: {sentence}")
    assert "\n" not in str(refused.value)


def test_the_file_that_says_it_is_named() -> None:
    file = library.GAMES.entry("bulka").file
    document = copy.deepcopy(dict(file.document))
    document["points"]["fours"]["8"] = 10
    document["cards"]["bela"] = ["K", "K"]
    wrong = type(file)(file.name, document, file.origins, file.own, file.ancestors)
    with pytest.raises(GameFileError) as refused:
        read_entry(wrong)
    sentence = 'cards.bela[1]: must be another rank, as each stands once, not "K"'
    assert str(refused.value) == f"games/klaberjass.toml: {sentence}"


def test_an_omitted_rule_that_is_cited() -> None:
    """A variety that compares melds by points and leaves out the rule of it is refused, and never folded."""
    own = copy.deepcopy(dict(library.GAMES.entry("bulka").file.own))
    own["omit_rules"] = ["czech.meld.fours"]
    own["stated_in"] = {"cards": {"fours_order": "czech.meld.runs"}, "points": {"fours": "czech.meld.runs"}}
    tens = next(
        row for row in library.GAMES.entry("bulka").file.document["conventions"] if row["name"] == "tens"
    )
    own["conventions"] = [{**tens, "rule": "czech.meld.runs"}]
    with pytest.raises(GameFileError) as refused:
        read_entry(join_game_file(library.GAMES.folder, "bulka", own))
    sentence = "rules: must be complete: no rule has the key fours.rank, which is cited"
    assert str(refused.value) == f"games/bulka.toml: omit_rules[0]: czech.meld.fours is needed: {sentence}"


def test_a_folder_of_files(tmp_path: Path) -> None:
    """A file is refused as soon as the shelf is looked at, and one that is no TOML says where."""
    text = (library.GAMES.folder / "derda.toml").read_text("utf-8")
    (tmp_path / "derda.toml").write_text(text.replace("bela = 20", "beal = 20"), "utf-8")
    with pytest.raises(
        GameFileError, match=r"^games/derda.toml: points.beal: unknown key; known keys are trump"
    ):
        GameFolder(tmp_path).names()
    (tmp_path / "derda.toml").write_text("shelf = \n", "utf-8")
    with pytest.raises(GameFileError, match=r"^games/derda.toml: must be TOML: Invalid value \(at line 1"):
        GameFolder(tmp_path).names()


def test_a_file_is_read_once(tmp_path: Path) -> None:
    """Opening a game again, or with other conventions, does not read its file again."""
    path = tmp_path / "derda.toml"
    path.write_text((library.GAMES.folder / "derda.toml").read_text("utf-8"), "utf-8")
    games = GameFolder(tmp_path)
    first = games.open_game("derda")
    path.unlink()
    assert games.open_game("derda") is first
    assert games.open_game("derda", conventions={"target": 300}).conventions["target"] == 300


def test_the_command_line_says_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    text = (library.GAMES.folder / "derda.toml").read_text("utf-8")
    (tmp_path / "derda.toml").write_text(text.replace("players = 2", "players = 5"), "utf-8")
    monkeypatch.setattr(library, "flat", GameFolder(tmp_path).flat)
    assert cli.main(["games", "--flat", "derda"]) == 2
    sentence = "games/derda.toml: table.players: must be a whole number from 2 to 4, not 5"
    assert capsys.readouterr().err == f"error: {sentence}\n"
