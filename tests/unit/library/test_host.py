"""A host's own games: read beside ours, judged as they are, known by a flat copy."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import pytest
from hosting import CASES, CHANGED, DEAL, HARBOUR, HEAD, hosted, write_folder

from companion import cli, library
from companion.library.files import parse_toml
from companion.library.flat import drop_dead_sentences, flatten
from companion.library.folder import GameFolder, read_entry
from companion.library.host import MAX_BYTES, MAX_FILES, read_copy, read_host_folder
from companion.record.record import fold_record, read_record
from companion.rules.errors import Unreadable
from companion.rules.game import GameState


@pytest.fixture(autouse=True)
def nobody_hosts_afterwards() -> Iterator[None]:
    yield
    library.take_host_folder(None)


def test_a_game_stands_beside_ours(tmp_path: Path) -> None:
    """It is offered last, with its words and its source, and goes with the folder."""
    ours = library.names()
    assert library.take_host_folder(str(write_folder(tmp_path))) == []
    assert library.names() == (*ours, "harbour")
    game = library.open_game("harbour")
    assert game.book.of_host == "an example"
    assert [word.id for word in library.glossary("harbour").words] == ["quay"]
    assert {library.read_rulebook(name).of_host for name in ours} == {""}
    library.take_host_folder(None)
    assert library.names() == ours
    assert library.glossary("harbour").words == ()


def test_a_game_without_a_source_has_house_rules() -> None:
    """What it inherits keeps the source of the file that says it."""
    with hosted(HARBOUR.replace('source = "an example"\n', "")):
        book = library.read_rulebook("harbour")
        assert (book.of_host, book.rules["harbour.values"].source) == ("house rules", "house rules")
        inherited = library.read_rulebook("klaberjass-4").rules["klaberjass.play.follow"]
        assert book.rules["klaberjass.play.follow"].source == inherited.source


@pytest.mark.parametrize("name", ["bulka", "belote", "durak"])
def test_a_flat_copy_is_the_whole_game(name: str) -> None:
    """Of ours too: read again it has the same rules and numbers, whatever files it was joined of."""
    file = library.GAMES.entry(name).file
    copied = read_entry(read_copy(flatten(file), name))
    assert copied.book.rules == library.read_rulebook(name).rules
    assert copied.book.conventions == library.read_rulebook(name).conventions
    left = {key: value for key, value in file.document.items() if not key.startswith(("omit_", "extends"))}
    left["rules"] = [drop_dead_sentences(file.document, rule) for rule in left["rules"]]
    assert {key: value for key, value in copied.file.document.items() if not key.startswith("omit_")} == left


def test_a_copy_outlives_the_file() -> None:
    """A game is opened by the copy, whether the host has changed it since or has it no more."""
    with hosted(HARBOUR):
        begun = library.open_game("harbour")
        assert library.rules("harbour") == library.flat("harbour") == begun.rules
        assert "last = 20                                         # harbour, harbour.values" in begun.rules
    with hosted(CHANGED):
        now = library.open_game("harbour")
        again = library.open_game("harbour", rules=begun.rules)
        assert (again.rules, again.book.version) == (begun.rules, begun.book.version)
        assert now.book.version != begun.book.version
        assert "trick is 30" in str(now.book.rules["harbour.values"].text)
        assert "trick is 20" in str(again.book.rules["harbour.values"].text)
    assert library.open_game("harbour", rules=begun.rules).book.rules == begun.book.rules
    assert len(library.seatings("harbour", begun.rules)) == 1
    with pytest.raises(Unreadable, match=r"^game: must be one of"):
        library.open_game("harbour")


@pytest.mark.parametrize(
    ("game", "rules", "refused"),
    [
        ("harbour", "a = [", "^rules: must be the flat copy of a game; must be TOML"),
        ("harbour", "a = " + "[" * 5000, "^rules: must be the flat copy of a game; must be TOML"),
        ("harbour", HARBOUR, "^rules: must be the flat copy of a game; extends: must be left out"),
        ("harbour", 'family = "durak"', "^rules: must be the flat copy of a game; family: must be one of"),
        ("harbour", 'family = "jacknine"', "^rules: must be the flat copy of a game; shelf: required"),
        (
            "harbour",
            ".".join("a" * 3000) + "=1",
            "^rules: must be the flat copy of a game; must have keys of",
        ),
        ("harbour", "a = " + "1" * 5000, "^rules: must be the flat copy of a game; must be TOML"),
        ("../../harbour", "x = 1", "^rules: must be the flat copy of a game; game: must be small letters"),
        ("derda", "x = 1", "^rules: must be left out, as derda is a game of Companion"),
    ],
)
def test_a_copy_is_judged_as_a_file(game: str, rules: str, refused: str) -> None:
    with pytest.raises(Unreadable, match=refused):
        library.open_game(game, rules=rules)


def _repeat(text: str) -> Callable[[int], str]:
    return lambda length: text * (length // len(text))


def _number(line: str, length: int) -> str:
    return "".join(line.format(n) for n in range(length // len(line)))


_FLAT = library.flat("bulka")
_LONG: dict[str, Callable[[int], str]] = {
    "a key": lambda length: "a." * (length // 2) + "a = 1",
    "a quoted key": lambda length: '\'\' \t . "\\"" .' * (length // 13) + "a = 1",
    "a key behind a text": lambda length: 'b = """\\""" \n' + "a." * (length // 2) + "a = 1",
    "a key in braces": lambda length: "a = {" + "b." * (length // 2) + "c = 1}",
    "a heading": lambda length: "[" + "a." * (length // 2) + "a]",
    "a heading with lines": lambda length: "[" + "a." * (length // 4) + "]\n" + _number("k{} = 1\n", length),
    "headings of lists": _repeat("[[a]]\n"),
    "brackets": lambda length: "a = " + "[" * length,
    "braces": lambda length: "a = " + "{a = " * (length // 5),
    "a text without end": lambda length: 'a = "' + '\\"' * (length // 2),
    "quotes": _repeat("\"'"),
    "blanks": lambda length: "a" + " " * length + ".",
    "presets": lambda length: _FLAT + _number("[[presets]]\nname = 'x{}'\n", length),
    "a name with dots": lambda length: _FLAT + '["' + "." * length + '"]\na = 1',
}


@pytest.mark.parametrize("make", _LONG.values(), ids=list(_LONG))
def test_no_copy_keeps_a_processor_busy(make: Callable[[int], str]) -> None:
    """Twice as long a copy takes hardly more than twice as long to be refused."""

    def take(length: int) -> float:
        text, began = make(length), process_time()
        with pytest.raises(Unreadable):
            library.open_game("harbour", rules=text)
        return process_time() - began

    short, long = (min(take(length) for _time in range(5)) for length in (30_000, 60_000))
    assert long < 3 * short or long < 0.02


@pytest.mark.parametrize(
    "text",
    [
        'text = "Cards of 1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18, and \\" so on."',
        "text = '''\na.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t\n'''",
        'text = """\n"a".b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t\n"""',
        "# a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t\ntext = 1",
        ".".join("abcdefghijklmnop") + " = 1",
    ],
)
def test_dots_in_texts_are_no_keys(text: str) -> None:
    assert parse_toml(text, "harbour")


NAMED = (
    HARBOUR
    + """
[[conventions]]
name = "target"
label = "Target"
rule = "harbour.values"
default = 500
least = 1
named = [{ value = -1, text = "x" }]
"""
)
FAULTS = [
    # all at once, each in the file that has it
    (
        HARBOUR.replace("last = 20", "last = 20\nlsat = 3").replace('chapter = "Cards"', ""),
        ["games/harbour.toml: rules[harbour.values].chapter: required",
         "games/harbour.toml: points.lsat: unknown key; known keys are"],
    ),
    (
        HARBOUR.replace('last = "harbour.v', 'last = "harbour.w').replace("words.taken", "words.tken"),
        ["games/harbour.toml: rules[harbour.values].keys[2]: must be a key by which rules are cited: words.",
         'games/harbour.toml: stated_in.points.last: must be the id of a rule of this game',
         "games/harbour.toml: omit_rules[0]: klaberjass.cards.values is needed: rules: must be complete: "
         "no rule has the key words.taken, which is cited"],
    ),
    # what is left out, and what the parent needs of it
    (
        HARBOUR.replace('trump = "harbour.values"\n', ""),
        ["games/harbour.toml: omit_rules[0]: klaberjass.cards.values is needed: stated_in.points.trump: "
         'must be the id of a rule of this game, not "klaberjass.cards.values"'],
    ),
    (
        HARBOUR.replace("[points]", 'omit_words = ["bait"]\n[points]'),
        ["games/harbour.toml: omit_words[0]: bait is needed: words.bait: must be given: the game's"],
    ),
    # bounds between which a number changes the tables, house rules of numbers with names
    (
        HARBOUR + '[when."target=600..700".cards]\nhand = 9\n',
        ["games/harbour.toml: when[target=600..700].cards.hand: must be at most 8 of a pack of 32 cards"],
    ),
    (HARBOUR + '[when."target=600..700".table]\nplayers = 4\n',
     ["games/harbour.toml: when[target=600..700].table: must be left out, as target lists no values"]),
    *(
        (HARBOUR + f'[when."target={bounds}".points]\nlast = 20\n',
         [f"games/harbour.toml: when[target={bounds}]: must be a condition with target as a whole number"])
        for bounds in ("a..b", "5..1", "..5", "1.." + "9" * 5000)
    ),
    (NAMED, ["games/harbour.toml: conventions[target].named[0].value: must be a whole number from 1 to"]),
    (NAMED.replace("value = -1", "value = 500, players = [4]"),
     ["games/harbour.toml: conventions[target].named[0].players: unknown key; known keys are value, text"]),
    (NAMED.replace("named =", 'values = [{ value = 500, text = "x" }]\nnamed ='),
     ["games/harbour.toml: conventions[target].named: must be left out, as it is for a number without"]),
    # what is ours
    (
        HARBOUR + '[[rules]]\nid = "durak.deal"\nchapter = "x"\nkeys = ["x"]\ntext = "x"\n',
        [],
    ),
    (HARBOUR.replace('"klaberjass-4"', '"../games/derda"'),
     ["games/harbour.toml: extends: there is no games/../games/derda.toml"]),
    (HARBOUR.replace('game = "harbour"', 'game = "derda"'),
     ['games/harbour.toml: game: must be harbour, as the file is called, not "derda"']),
    (HARBOUR.replace("last = 20", 'last = 20\n[procedures]\nplay = "any"'),
     ["games/harbour.toml: procedures.play: must be one of beat-trumps, over-ruff,"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), FAULTS, ids=[str(n) for n in range(len(FAULTS))])
def test_faults(text: str, said: list[str]) -> None:
    """They are all found at once, and the rest goes on."""
    if not said:
        taken = next(iter(library.read_rulebook("durak").rules))
        text = text.replace("durak.deal", taken)
        said = [f"games/harbour.toml: rules[{taken}].id: must be another id: a rule of Companion"]
    with hosted(text) as faults:
        assert len(faults) == len(said), faults
        for sentence in said:
            assert any(fault.startswith(sentence) for fault in faults), faults
        assert "harbour" not in library.names()


def test_only_the_files_of_the_folder_are_read(tmp_path: Path) -> None:
    """No more than so many, none too large, none by a link that leads out of it."""
    folder, outside = write_folder(tmp_path / "games"), tmp_path / "outside.toml"
    outside.write_text(HARBOUR.replace("harbour", "outside"), "utf-8")
    (folder / "outside.toml").symlink_to(outside)
    (folder / "circle.toml").symlink_to(folder / "circle.toml")
    (folder / "large.toml").write_text("#" * (MAX_BYTES + 1), "utf-8")
    (folder / "derda.toml").write_text("", "utf-8")
    (folder / "bytes.toml").write_bytes(b"\xff")
    (folder / "read.me").write_text("", "utf-8")
    (folder / "folder.toml").mkdir()
    os.mkfifo(folder / "pipe.toml")
    faults = library.take_host_folder(str(folder))
    assert [fault.removeprefix(f"{folder}/").split(":")[0] for fault in faults] == [
        "bytes.toml", "circle.toml", "folder.toml", "large.toml", "outside.toml", "pipe.toml", "derda.toml",
    ]  # fmt: skip
    assert faults[2] == f"{folder}/folder.toml: must be a file"
    assert faults[3] == f"{folder}/large.toml: must have at most 256 KiB"
    assert faults[5] == f"{folder}/pipe.toml: must be a file"
    assert faults[4] == f"{folder}/outside.toml: must lie in the folder, and be no link out of it"
    assert "harbour" in library.names()
    for n in range(MAX_FILES):
        (folder / f"more-{n:03}.toml").write_text("", "utf-8")
    files, unread = read_host_folder(folder)
    assert len(files) + len(unread) == MAX_FILES + 10
    assert sum(f"at most {MAX_FILES} files" in str(fault) for fault in unread) == 10


def test_words_at_fault_are_left_out(tmp_path: Path) -> None:
    faults = library.take_host_folder(str(write_folder(tmp_path, words="[[words]]\nid = 3\n")))
    assert faults == [
        f"{tmp_path}/words/harbour.toml: words[0].id: must be small letters, digits and hyphens, not 3"
    ]
    assert library.glossary("harbour").words == ()
    assert "harbour" in library.names()


# --- companion games --check ------------------------------------------------------------------------


def test_a_file_is_checked_with_its_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_folder(tmp_path) / "harbour.toml"
    assert cli.main(["games", "--check", str(file)]) == 0
    rules = len(library.read_rulebook("harbour").rules)
    assert capsys.readouterr().out == f"harbour: Harbour klab; rules: {rules}; cases: 1\n"


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        (CASES.replace('"made"', '"bait"'), 'case[0]: With the last trick for 20 a deal of four holds 172. '
         'entries[0].result: expected "bait", found "made"'),
        (CASES.replace('"A"', '"E"'), "case[0]: With the last trick"),
        ("[[case]]\nname = 3\n", "case: must be tables with name, given and expect"),
        ("[[case]]\nname = 'x'\ngiven.entries = 3\nexpect.entries = []\n", "case[0]: x entries: must be"),
        ("case = [", "must be TOML"),
    ],
)  # fmt: skip
def test_cases_at_fault(cases: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write_folder(tmp_path, cases=cases) / "harbour.toml"
    assert cli.main(["games", "--check", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"{tmp_path}/cases/harbour.toml: {said}")


def test_a_game_of_ours_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Of all the files around it, of which each has a name of ours too, nothing is said."""
    file = library.GAMES.folder / "belote.toml"
    assert cli.main(["games", "--check", str(file)]) == 2
    assert (
        capsys.readouterr().err
        == f"{file}: must have another name: there is a game of Companion of this name\n"
    )


def test_every_fault_of_the_files_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = HARBOUR.replace("last = 20", "last = 20\nlsat = 3").replace('chapter = "Cards"', "")
    file = write_folder(tmp_path, text) / "harbour.toml"
    assert cli.main(["games", "--check", str(file), str(tmp_path / "none.toml")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[:2] for line in lines] == [
        [str(file), "rules[harbour.values].chapter"],
        [str(file), "points.lsat"],
        [str(tmp_path / "none.toml"), "no such file or directory"],
    ]


def test_of_very_many_faults_some_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """When the server starts, and when a file is checked."""
    text = HARBOUR.replace("last = 20", "last = 20\n" + _number("wrong{} = 1\n", 50_000))
    folder = write_folder(tmp_path, text)
    faults = library.take_host_folder(str(folder))
    assert (len(faults), faults[-1][:4]) == (library.MAX_FAULTS + 1, "and ")
    assert cli.main(["games", "--check", str(folder / "harbour.toml")]) == 2
    assert capsys.readouterr().err.splitlines() == faults


def test_the_command_line_has_the_games_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_folder(tmp_path)
    (tmp_path / "other.toml").write_text("x = 1", "utf-8")
    monkeypatch.setenv("COMPANION_GAMES", str(tmp_path))
    assert cli.main(["games"]) == 0
    said = capsys.readouterr()
    assert "Harbour klab (harbour)." in said.out
    assert said.err == f"{tmp_path}/other.toml: family: required\n"
    monkeypatch.setenv("COMPANION_GAMES", str(tmp_path / "none"))
    assert cli.main(["games"]) == 2
    assert capsys.readouterr().err == f"error: COMPANION_GAMES: must be a folder, not {tmp_path}/none\n"


def test_a_copy_that_does_not_fit_together() -> None:
    """What hangs on a house rule that there is not is refused, however it came there."""
    with hosted(HARBOUR):
        rules = library.rules("harbour") + '\n[when."nothing=1".table]\nplayers = 4\n'
    with pytest.raises(Unreadable, match=r"^rules: must be the flat copy of a game; refers to something"):
        library.open_game("harbour", rules=rules)


def test_a_copy_is_of_one_game() -> None:
    """That of another game is refused, also where it was opened before."""
    with hosted(HARBOUR):
        rules = library.rules("harbour")
    assert library.open_game("harbour", rules=rules).name == "harbour"
    with pytest.raises(Unreadable, match=r"^rules: .*game: must be quay, as the file is called"):
        library.open_game("quay", rules=rules)


def test_a_copy_outlives_a_game_of_ours_of_its_name(tmp_path: Path) -> None:
    """Begun before there was one it goes on; it cannot be begun any more."""
    with hosted(HARBOUR):
        rules = library.rules("harbour")
    ours = tmp_path / "games"
    shutil.copytree(str(library.GAMES.folder), ours)
    (ours / "harbour.toml").write_text(CHANGED, "utf-8")
    games = GameFolder(ours)
    again = games.reopen_game("harbour", rules=rules)
    assert "trick is 20" in str(again.book.rules["harbour.values"].text)
    assert [seating.players for seating in games.seatings("harbour", rules)] == [4]
    assert games.is_for("harbour", again.preset, games.seatings("harbour", rules)[0], rules)
    assert "trick is 30" in str(games.open_game("harbour").book.rules["harbour.values"].text)
    with pytest.raises(Unreadable, match=r"^rules: must be left out, as harbour is a game"):
        games.open_game("harbour", rules=rules)


def _fold(document: object) -> GameState:
    record, game = read_record(document, library.open_game)
    return fold_record(record, game.family)


def test_a_copy_from_before_an_option() -> None:
    """It is played as it was then; a file of today has to say what it means."""
    with hosted(HARBOUR):
        rules = library.rules("harbour")
        now = library.open_game("harbour")
    before = "".join(line for line in rules.splitlines(keepends=True) if not line.startswith("mars ="))
    assert len(before.splitlines()) == len(rules.splitlines()) - 1
    then = library.open_game("harbour", rules=before)
    assert then.family.ruleset.options == now.family.ruleset.options
    record = {"format": "companion-match", "version": 1, **HEAD, "entries": [DEAL]}
    totals = [_fold(record | {"rules": copy}).totals for copy in (rules, before)]
    assert totals == [{"A": 112, "B": 60}] * 2


def test_a_file_with_a_name_of_ours_is_said(tmp_path: Path) -> None:
    """Ours is read in its place, whether it is a part or has words."""
    folder = write_folder(tmp_path)
    for place in ("parts/czech", "words/derda", "words/parts/own"):
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / f"{place}.toml").write_text("", "utf-8")
    reason = "must have another name: there is a file of Companion of this name"
    said = [f"{folder}/{place}.toml: {reason}" for place in ("parts/czech", "words/derda")]
    assert library.take_host_folder(str(folder)) == said
    assert "harbour" in library.names()
