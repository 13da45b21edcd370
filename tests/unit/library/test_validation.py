"""What is wrong in a game file is refused with the file, the key, and what is allowed there."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import cli, library
from companion.library import GameFileError, GameFolder
from companion.library.files import join_game_file
from companion.library.folder import read_entry

Document = dict[str, Any]


def item(document: Document, table: str, name: str) -> dict[str, Any]:
    """A rule, convention or preset of a document, by its id or name."""
    return next(row for row in document[table] if name in (row.get("id"), row.get("name")))


def put(*path: str, value: Any) -> Callable[[Document], None]:
    """Setting the value at a path; `rules` and `conventions` by id and name."""

    def change(document: Document) -> None:
        holder: Any = document
        for place, key in enumerate(path[:-1]):
            named = place == 1 and path[0] in ("rules", "conventions", "presets")
            holder = (
                item(document, path[0], key)
                if named
                else holder.setdefault(key, {})
                if place
                else holder[key]
            )
        holder[path[-1]] = value

    return change


def drop(*path: str) -> Callable[[Document], None]:
    """Leaving out what stands at a path."""

    def change(document: Document) -> None:
        holder: Any = document
        for place, key in enumerate(path[:-1]):
            named = place == 1 and path[0] in ("rules", "conventions", "presets")
            holder = item(document, path[0], key) if named else holder[key]
        if isinstance(holder, list):
            holder.remove(item(document, path[0], path[-1]))
        else:
            del holder[path[-1]]

    return change


FAULTS: list[tuple[str, Callable[[Document], None], str]] = [
    # keys and kinds
    (
        "derda",
        put("points", "run_pionts", value=3),
        "points.run_pionts: unknown key; known keys are trump, plain, jass, nine, last, bela, runs,",
    ),
    (
        "derda",
        put("table", "seats", value=2),
        "table.seats: unknown key; known keys are players, partnerships",
    ),
    (
        "derda",
        put("colour", value="red"),
        "colour: unknown key; known keys are shelf, game, title, family, version, dated, summary,",
    ),
    ("derda", drop("cards", "hand"), "cards.hand: required"),
    ("derda", drop("cards"), "cards: must be an object, not null"),
    ("derda", drop("words"), "words: required"),
    (
        "derda",
        put("cards", "hand", value="nine"),
        'cards.hand: must be a whole number from 3 to 9, not "nine"',
    ),
    (
        "derda",
        put("points", "trump", value=11),
        "points.trump: must be an object with the keys A, K, Q, J, 10, 9, 8, 7, 6, 5, 4, 3, 2, not 11",
    ),
    ("derda", put("dated", value="yesterday"), 'dated: must be a day such as 2026-11-21, not "yesterday"'),
    ("derda", put("family", value="whist"), 'family: must be one of jacknine, beating, not "whist"'),
    ("derda", put("game", value="dorda"), 'game: must be derda, as the file is called, not "dorda"'),
    (
        "derda",
        put("rules", "derda.play.follow", "txt", value="x"),
        "rules[derda.play.follow].txt: unknown key; known keys are id, chapter, keys, text, source,",
    ),
    ("derda", drop("rules", "derda.play.follow", "text"), "rules[derda.play.follow].text: required"),
    (
        "derda",
        put("rules", "derda.play.follow", "text", value=" "),
        'rules[derda.play.follow].text: must be a text of 1 to 2000 characters, not " "',
    ),
    (
        "durak",
        put("table", "players", value=[2, 9]),
        "table.players[1]: must be a whole number from 2 to 6, not 9",
    ),
    # options and conventions
    (
        "derda",
        put("procedures", "ply", value="beat-trumps"),
        "procedures.ply: unknown key; known keys are first_deal_order, rotation, ask, offers,",
    ),
    (
        "derda",
        put("procedures", "play", value="any"),
        'procedures.play: must be one of beat-trumps, over-ruff, ruff-if-higher, not "any"',
    ),
    ("derda", drop("procedures", "rost"), "procedures.rost: must be given: one of free, strict"),
    (
        "derda",
        put("procedures", "offences", value=["swearing"]),
        "procedures.offences[0]: must be one of revoke, false-declaration, extra-card,",
    ),
    (
        "deberts",
        put("conventions", "trickless", "values", value=[{"value": "half", "text": "Half of them."}]),
        'conventions[trickless].default: must be one of half, not "runs-count"',
    ),
    (
        "klaberjass",
        put("conventions", "run_tie", "name", value="run_ties"),
        "conventions[run_ties].name: must be an option of the family, or what a table hangs on:",
    ),
    (
        "klaberjass",
        lambda document: item(document, "conventions", "tie")["values"].append(
            {"value": "again", "text": "Again."}
        ),
        "conventions[tie].values[2].value: must be one of hang, carry, declarer-loses,",
    ),
    (
        "derda",
        put("conventions", "target", "rule", value="derda.end.aim"),
        'conventions[target].rule: must be the id of a rule of this game, not "derda.end.aim"',
    ),
    (
        "derda",
        put("conventions", "target", "default", value=5),
        "conventions[target].default: must be a whole number from 10 to 9999, not 5",
    ),
    (
        "deberts",
        put("conventions", "mars_line", "needs", value={"mras": "on"}),
        "conventions[mars_line].needs: must be a condition on one of target, rotation, obliged,",
    ),
    (
        "deberts",
        put("conventions", "mars_line", "needs", value={"mars": "sometimes"}),
        "conventions[mars_line].needs: must be a condition with mars as one of off, on, not",
    ),
    (
        "deberts",
        put("conventions", "mars_line", "default_half_of", value="goal"),
        "conventions[mars_line].default_half_of: must be one of target, bait_penalty_every,",
    ),
    (
        "durak",
        put("conventions", "throwers", "default_when", value={"format=alone": "all"}),
        "conventions[throwers].default_when: must be a condition with format as one of individual,",
    ),
    (
        "durak",
        put("conventions", "first_attack", "only_when", value=["players=7"]),
        'conventions[first_attack].only_when[0]: must be one of 2, 3, 4, 5, 6, not "7"',
    ),
    (
        "klaberjass",
        put("presets", "zensa", "sets", value={"melts": "zensa"}),
        "presets[zensa].sets.melts: unknown key; known keys are target, rotation, second_round_any,",
    ),
    (
        "klaberjass",
        put("presets", "zensa", "sets", value={"melds": "all"}),
        'presets[zensa].sets.melds: must be one of runs, zensa, not "all"',
    ),
    (
        "klaberjass",
        put("when", "melts=zensa", value={"cards": {"fours_order": ["J"]}}),
        "when[melts=zensa]: must be a condition on one of target, rotation, second_round_any,",
    ),
    (
        "klaberjass",
        put("when", "melds=some", value={"cards": {"fours_order": ["J"]}}),
        'when[melds=some]: must be a condition with melds as one of runs, zensa, not "some"',
    ),
    (
        "klaberjass-3",
        put("procedures", "finish", value="announced"),
        'procedures.finish: must be another way, as more than two sides play, not "announced"',
    ),
    # numbers and orders
    (
        "derda",
        put("cards", "trump_order", value=["J", "9", "A", "10", "K", "Q", "8", "8"]),
        'cards.trump_order[7]: must be another rank, as each stands once, not "8"',
    ),
    (
        "derda",
        put("cards", "plain_order", value=["J", "9", "A", "10", "K", "Q", "8"]),
        'cards.plain_order: must be all ranks of the pack, 7 too, not "J 9 A 10 K Q 8"',
    ),
    (
        "derda",
        put("cards", "run_order", value=["J", "9", "A", "10", "K", "Q", "8", "6"]),
        'cards.run_order[7]: must be a rank of the pack: A, K, Q, J, 10, 9, 8, 7, not "6"',
    ),
    (
        "derda",
        put("points", "plain", "6", value=1),
        "points.plain.6: must be a rank of the pack: A, K, Q, J, 10, 9, 8, 7",
    ),
    (
        "derda",
        put("points", "plain", "Z", value=1),
        "points.plain.Z: unknown key; known keys are A, K, Q, J, 10, 9, 8, 7, 6, 5, 4, 3, 2",
    ),
    (
        "derda",
        put("points", "runs", "6", value=80),
        "points.runs.5: must be given, as longer and shorter runs have a value",
    ),
    ("derda", put("points", "runs", value={}), "points.runs: must be given: at least one run"),
    (
        "klaberjass-4",
        put("cards", "hand", value=9),
        "cards.hand: must be at most 8 of a pack of 32 cards, not 9",
    ),
    (
        "klaberjass-4",
        put("table", "players", value=3),
        "table.players: must be an even number, as partners play, not 3",
    ),
    (
        "klaberjass",
        put("when", "melds=zensa", "points", value={"fours": {"8": 10}}),
        'when[melds=zensa].cards.fours_order: must be complete: four of rank 8 count too, not "J 9 A',
    ),
    (
        "durak",
        put("cards", "hand", value=7),
        'cards.order: must be enough ranks for 6 hands of 7, not "A K Q J 10 9 8 7 6"',
    ),
    ("durak", put("table", "usual", value=7), "table.usual: must be a whole number from 2 to 6, not 7"),
    # rules, words, statements
    (
        "derda",
        put("rules", "derda.play.follow", "keys", value=["play.folow"]),
        "rules[derda.play.follow].keys[0]: must be a key by which rules are cited: play.claim,",
    ),
    (
        "derda",
        put("rules", "derda.play.follow", "keys", value=[]),
        "rules[derda.play.follow].keys: must be a list of 1 to 99 items, not []",
    ),
    (
        "derda",
        put("rules", "derda.play.follow", "keys", value=["play.follow", "play.ruff"]),
        "rules[derda.play.ruff].keys[0]: must be a key that derda.play.follow has not, not",
    ),
    (
        "derda",
        drop("rules", "derda.play.follow"),
        "rules: must be complete: no rule has the key play.follow, which is cited",
    ),
    (
        "deberts",
        put("rules", "deberts.four-sevens", "only_when", value=["four_sevns=redeal"]),
        "rules[deberts.four-sevens].only_when[0]: must be a condition on one of target, rotation,",
    ),
    (
        "derda",
        put("words", "belo", value="belo"),
        "words.belo: unknown key; known keys are ask, bait, bait-mark, bait-mark-latin, bela,",
    ),
    ("derda", drop("words", "tie"), "words.tie: must be given: the game's word for it"),
    ("derda", put("words", "tie", value=""), 'words.tie: must be a text of 1 to 60 characters, not ""'),
    (
        "derda",
        put("stated_in", "points", "last", value="derda.words.vaules"),
        'stated_in.points.last: must be the id of a rule of this game, not "derda.words.vaules"',
    ),
    (
        "derda",
        drop("stated_in", "points", "last"),
        "stated_in.points.last: must be given: the id of the rule that states it",
    ),
    (
        "derda",
        put("stated_in", "points", "lst", value="derda.play.lead"),
        "stated_in.points.lst: unknown key; known keys are trump, plain, jass, nine, last, bela, runs",
    ),
    # files
    ("bulka", put("extends", value=["klaberjas"]), "extends: there is no games/klaberjas.toml"),
    ("bulka", put("extends", value=["bulka"]), "extends[0]: bulka extends this file already"),
    (
        "darda",
        put("omit_rules", value=["klaberjass4.no-trump"]),
        "omit_rules[0]: klaberjass4.no-trump is not among the rules it inherits",
    ),
]


@pytest.mark.parametrize(
    ("game", "change", "sentence"), FAULTS, ids=[fault[2].split(":")[0] for fault in FAULTS]
)
def test_faults(game: str, change: Callable[[Document], None], sentence: str) -> None:
    """Each fault is refused in one sentence that names file and key and says what is allowed."""
    own = copy.deepcopy(dict(library.GAMES.entry(game).file.own))
    change(own)
    with pytest.raises(GameFileError) as refused:
        read_entry(join_game_file((library.GAMES.folder,), game, own))
    assert str(refused.value).startswith(f"games/{game}.toml: {sentence}")
    assert "\n" not in str(refused.value)


def test_the_file_that_says_it_is_named() -> None:
    """What a game inherits wrongly is put down to the file that says so."""
    file = library.GAMES.entry("bulka").file
    document = copy.deepcopy(dict(file.document))
    document["points"]["fours"]["8"] = 10
    document["cards"]["bela"] = ["K", "K"]
    wrong = type(file)(file.name, document, file.origins, file.own, file.ancestors)
    with pytest.raises(GameFileError) as refused:
        read_entry(wrong)
    assert (
        str(refused.value)
        == 'games/klaberjass.toml: cards.bela[1]: must be another rank, as each stands once, not "K"'
    )


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
        read_entry(join_game_file((library.GAMES.folder,), "bulka", own))
    assert (
        str(refused.value)
        == "games/bulka.toml: rules: must be complete: no rule has the key fours.rank, which is cited"
    )


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
    """A broken game file ends a command with one line."""
    text = (library.GAMES.folder / "derda.toml").read_text("utf-8")
    (tmp_path / "derda.toml").write_text(text.replace("players = 2", "players = 5"), "utf-8")
    monkeypatch.setattr(library, "GAMES", GameFolder(tmp_path))
    assert cli.main(["games", "--flat", "derda"]) == 2
    sentence = "games/derda.toml: table.players: must be a whole number from 2 to 4, not 5"
    assert capsys.readouterr().err == f"error: {sentence}\n"
