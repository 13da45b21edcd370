"""The command line in all languages: people are spoken to in theirs, programs in English."""

import argparse
import inspect
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from cases import read_cases

from companion import i18n, library, sheets
from companion.cli.language import OWN_LANGUAGE, WORDS_OF_ARGPARSE, read_environment, say, speak
from companion.cli.rule import list_ruling_lines

from .instance import RECORD, Feed, Run, Write, move_to

OTHERS = [language for language in i18n.LANGUAGES if language != i18n.SOURCE]
SEARCHED = ("claim", "count")
"""Questions that take long."""
COMMANDS = (
    "score",
    "figures",
    "replay",
    "rule",
    "sheet",
    "games",
    "serve",
    "export",
    "import",
    "backup",
    "restore",
    "shard",
)
QUESTION = {"game": "derda", "question": "trick", "leader": "A", "trump": "H", "trick": ["AH", "JH"]}
DOUBTFUL = RECORD | {"entries": [{**RECORD["entries"][0], "totals": {"A": 1, "B": 70}}]}

# --- what is chosen -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "pl_PL.UTF-8"}, "pl"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "ru_RU@latin"}, "ru"),
        ({"LANG": "fi_FI.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LC_MESSAGES": "cs_CZ.UTF-8", "LANG": "pl_PL.UTF-8"}, "cs"),
        ({"LC_ALL": "uk_UA.UTF-8", "LC_MESSAGES": "cs_CZ.UTF-8", "LANG": "pl_PL.UTF-8"}, "uk"),
        ({"LC_ALL": "", "LANG": "pl_PL.UTF-8"}, "pl"),
        ({"LC_ALL": "C", "LANG": "pl_PL.UTF-8"}, "en"),
        ({"LC_ALL": "POSIX", "LANG": "pl_PL.UTF-8"}, "en"),
        ({"LANGUAGE": "pl", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LC_ALL": "fi_FI.UTF-8", "LANG": "pl_PL.UTF-8"}, "en"),
        ({"LANGUAGE": "de:pl", "LC_ALL": "ru_RU.UTF-8"}, "de"),
        ({"LANGUAGE": "fi:uk", "LANG": "fi_FI.UTF-8"}, "uk"),
        ({"LANGUAGE": "fi", "LANG": "cs_CZ.UTF-8"}, "cs"),
        ({"LANGUAGE": "en_GB:pl", "LANG": "pl_PL.UTF-8"}, "en"),
    ],
)
def test_the_environment_names_a_language(environment: Mapping[str, str], language: str) -> None:
    """The first that there is, in the order of gettext; C and POSIX ask for none."""
    assert read_environment(environment) == language


def test_the_option_stands_on_either_side_of_the_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    before, behind = ("--lang pl score", "--lang=pl score"), ("score --lang pl", "score --lang=pl")
    for words in (*before, *behind, "--lang de score --lang pl", "--la pl score"):
        assert run(*words.split()) == (
            2,
            "",
            "error: FILE: wymagane: zapis partii (- oznacza standardowe wejście)\n",
        )
    assert run("score")[2] == "error: FILE: обязательно: запись партии (- означает стандартный ввод)\n"


@pytest.mark.parametrize("words", [["--lang", "xx", "score"], ["score", "--lang=xx"], ["rule", "--la", "xx"]])
def test_a_language_that_there_is_not(run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    assert run(*words) == (2, "", "error: --lang: must be one of en, pl, ru, uk, cs, de, fr, hr, not xx\n")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(*words) == (
        2,
        "",
        "error: --lang: richtig wäre eines von en, pl, ru, uk, cs, de, fr, hr, nicht xx\n",
    )


def test_an_option_without_a_language(run: Run) -> None:
    assert run("--lang") == (2, "", "error: argument --lang: expected one argument (see companion --help)\n")


def test_the_language_of_a_sheet_is_another_one(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind `sheet` it is that of the sheet, which else is the one that is spoken."""
    printed: list[str] = []

    def print_nothing(_pages: object, language: str, **_more: object) -> bytes:
        printed.append(language)
        return b""

    monkeypatch.setattr(sheets, "print_sheets", print_nothing)
    words = ["sheet", write(RECORD), "-o", tmp_path / "a.pdf"]
    assert run(*words)[0] == 0
    assert run("--lang", "pl", *words)[0] == 0
    assert run("--lang", "pl", *words, "--lang", "de")[0] == 0
    assert printed == ["en", "pl", "de"]
    refused = "error: --lang: powinno tu być jedno z: en, pl, ru, uk, cs, de, fr, hr, a nie xx\n"
    assert run("--lang", "pl", *words, "--lang", "xx") == (2, "", refused)


def test_english_reads_no_catalogue(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """So it costs nothing that there are other languages; neither does argparse look for its own."""

    def refuse(*_any: object, **_more: object) -> None:
        raise AssertionError("a catalogue is read")

    i18n.catalogue.cache_clear()
    monkeypatch.setattr("gettext.translation", refuse)
    monkeypatch.setattr("gettext.find", refuse)
    assert run("score", write(RECORD))[0] == 0
    assert run("score", "--nothing")[0] == 2


# --- what is said ---------------------------------------------------------------------------------


def ask_for_help(run: Run, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as end:
        run(*words, "--help")
    assert end.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("language", OTHERS)
def test_help_is_in_the_language(run: Run, capsys: pytest.CaptureFixture[str], language: str) -> None:
    """All of it, argparse's own words too; names of commands, options and places stay."""
    for command in ("", *COMMANDS):
        words = [command] if command else []
        english = ask_for_help(run, capsys, *words)
        reported = ask_for_help(run, capsys, "--lang", language, *words)
        assert reported.startswith(f"{say('usage:')} companion {command}".rstrip())
        for text in ("usage:", "positional arguments", "options", "show this help message and exit"):
            assert say(text) == text or text not in reported, command
        lines = {line.strip() for line in english.splitlines() if " " in line.strip()}
        ours = {
            line for line in lines if not line.startswith(("-", "[", "{", *COMMANDS)) and line[0].islower()
        }
        assert ours & {line.strip() for line in reported.splitlines()} == set(), command
        assert ("--lang LANG" in reported) is True


def test_the_words_of_argparse_are_its_own() -> None:
    """Another version of Python may say otherwise, and would be left in English."""
    source = inspect.getsource(argparse)
    assert [text for text in WORDS_OF_ARGPARSE if text not in source] == []


SAID = [
    ("--lang pl score --x", "nieznane argumenty: --x (zobacz companion --help)"),
    ("--lang cs deal", "argument COMMAND: neplatná volba: 'deal' (na výběr: "),
    (
        "serve --port x --lang de",
        "Argument --port: richtig wäre eine ganze Zahl, nicht x (siehe companion serve --help)",
    ),
    ("--lang ru serve --port 0", "--port: здесь должно быть целое число от 1 до 65535, а не 0"),
    ("--lang uk score /nowhere/a", "/nowhere/a: немає такого файлу чи каталогу"),
    ("--lang cs sheet -o a.pdf --game derda", "--game: vedle záznamů je to navíc, hru uvádějí samy"),
    ("--lang de export -o a.zip", "ID: nötig, oder stattdessen --all"),
    ("--lang pl import none.json", "none.json: nie ma takiego pliku"),
    ("--lang uk restore none", "none: немає такого файлу"),
    ("--lang ru backup", "не хватает обязательных аргументов: -o/--output ("),
]


@pytest.mark.parametrize(("words", "reported"), SAID)
def test_what_is_wrong_is_said_in_the_language(run: Run, words: str, reported: str) -> None:
    code, out, err = run(*words.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"error: {reported}")


def test_what_keeps_a_command_from_starting(
    run: Run, instance: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is wrong with settings, with the instance and with a copy, each with what to do about it."""
    (tmp_path / "copy").write_text("nothing")
    for language, words, reported in (
        ("cs", ["export", "--all", "-o", "a.zip"], "companion.sqlite: nejsou tu žádné partie; "),
        ("ru", ["restore", tmp_path / "copy"], f"{tmp_path / 'copy'}: не годится как база данных: "),
        ("pl", ["backup", "-o", tmp_path / "b"], "companion.sqlite: nie ma takiego pliku; wskaż katalog "),
    ):
        code, out, err = run("--lang", language, *words)
        assert (code, out, err.count("\n")) == (2, "", 1) and reported in err
    monkeypatch.setenv("COMPANION_PROCESSES", "many")
    reported = "COMPANION_PROCESSES: richtig wäre eine ganze Zahl von 1 bis 64, nicht many"
    assert run("--lang", "de", "export", "--all", "-o", "a.zip") == (2, "", f"error: {reported}\n")
    monkeypatch.delenv("COMPANION_PROCESSES")
    monkeypatch.setenv("COMPANION_PROCESES", "2")
    reported = "COMPANION_PROCESES: такого налаштування немає; можливо, COMPANION_PROCESSES?"
    assert run("--lang", "uk", "export", "--all", "-o", "a.zip") == (2, "", f"error: {reported}\n")


def test_a_score_in_words(run: Run, write: Write) -> None:
    code, out, err = run("--lang", "pl", "score", write(RECORD))
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "Derda: A Ewa, B Jan",
        "  1. ugrane: rozdaje A; gra A; atu ♥; ugrane A 82 B 65; zapisane A 82 B 65 → A 82 B 65",
        "A 82 B 65 (gra trwa; następny rozdaje A)",
    ]
    code, out, err = run("--lang", "uk", "score", write(DOUBTFUL))
    assert code == 2 and out.endswith("(гра триває; далі здає B)\n")
    assert err.startswith("error: entries[0].totals.A: ") and "(derda.score.doubtful-count)" in err
    assert "must" not in err


def test_remarks_in_words(run: Run, write: Write) -> None:
    remarks = [
        {"entry": 1, "by": "B", "kind": "object", "reason": "count", "totals": {"A": 80, "B": 67}},
        {"entry": 1, "by": "B", "kind": "settled", "how": "amended"},
        {"entry": 1, "by": "A", "kind": "agree"},
    ]
    out = run("--lang", "de", "score", write(RECORD | {"remarks": remarks}))[1]
    assert out.splitlines()[2:5] == [
        "     B: Einspruch: falsch gezählt, A 80 B 67",
        "     B: Einspruch erledigt, der Eintrag wurde korrigiert",
        "     A: Zustimmung",
    ]


def test_a_ruling_in_words(run: Run, write: Write) -> None:
    """The verdict in the words of the pages, and the rules in those of the rulebook."""
    code, out, err = run("rule", write(QUESTION), "--lang", "cs")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[:3] == ["trick: B", "Štych bere B.", "B bere kartou J♥: 33."]
    assert "  Body v něm: 33" in lines and not any("side" in line or "null" in line for line in lines)
    assert (
        "  [derda.play.trick] Štych bere nejvyšší trumf; bez trumfů nejvyšší karta vynesené barvy." in lines
    )


def test_calls_of_a_ruling_in_words(run: Run, write: Write) -> None:
    bidding = {"game": "deberts", "question": "auction", "elder": "A", "turn_up": "7S", "calls": ["pass"]}
    out = run("rule", write(bidding), "--lang", "pl")[1]
    assert "\n  B może powiedzieć: pas, gram\n" in out and "speaks" not in out


def test_every_verdict_can_be_told() -> None:
    """Whatever was asked: what a sentence lacks a fact for is not said, or goes by its key."""
    reported = set()
    speak("de")
    for case in read_cases(Path(__file__).parents[2] / "cases"):
        kind = case.game, case.given.get("question"), case.expect.get("verdict")
        is_first = kind not in reported or case.given.get("question") == "auction"
        if "verdict" in case.expect and case.given["question"] not in SEARCHED and is_first:
            reported.add(kind)
            game, asked = library.open_request({"game": case.game, **case.given})
            ruling = game.family.rule(asked)
            lines = list(list_ruling_lines(game, asked, ruling))
            assert lines[0] == f"{ruling.question}: {ruling.verdict}" and len(lines) > 2, str(case)
            facts = [line for line in lines if re.match("  [^ \\[]", line)]
            assert not any(mark in line for line in facts for mark in ("null", '"', "{", "play ")), facts
    assert len(reported) > 100


def test_games_in_words(run: Run) -> None:
    out = run("games", "--lang", "ru")[1].splitlines()
    assert out[0].startswith("Дерда (derda). ") and out[1].startswith(
        "  разновидность Обычная (standard): До 500"
    )
    assert "  До скольких (target, derda.end.target): число, обычно 500" in out
    at = out.index("  Кто с кем играет (format, durak.format): обычно individual")
    assert out[at + 2] == "    teams-4 (игроки: 4): Двое на двое, партнёры напротив друг друга."


@pytest.mark.parametrize("language", ["ru", "uk"])
def test_cards_have_the_letters_of_the_players(run: Run, write: Write, language: str) -> None:
    """King, queen, jack and ace, in sentences, facts and rules; their JSON has the letters of a record."""
    words = ("rule", write(QUESTION | {"leader": "A", "trick": ["KH", "QH"]}))
    code, out, _err = run("--lang", language, *words)
    assert code == 0 and "К♥" in out
    assert not re.search("[AKQJ][♠♥♦♣]", out)
    assert json.loads(run("--lang", language, *words, "--json")[1])["why"].count("K♥") == 1


def test_counts_have_the_forms_of_the_language(
    run: Run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, copy = tmp_path / "all.zip", tmp_path / "copy"
    assert run("--lang", "pl", "export", "--all", "-o", archive) == (0, "", "")
    assert run("--lang", "pl", "backup", "-o", copy)[1].splitlines()[0] == (
        f"{copy}: 3 partie, 4 zdarzenia, 0 rozstrzygnięć; sprawdzone."
    )
    out = run("--lang", "ru", "import", "--look", archive)[1]
    assert out.count("Дерда, Ewa, Jan, 2 сдачи: ") == 2 and ", 0 сдач: " in out
    move_to(tmp_path / "new", monkeypatch)
    out = run("--lang", "uk", "restore", copy)[1]
    assert ": відновлено: 3 матчі, 4 події, 0 рішень.\nПерераховано 3 матчі. " in out
    assert "містить" not in out and "match" not in out
    err = run("--lang", "cs", "restore", copy)[2]
    assert ": databáze má být prázdná, ale je v ní: 3 partie, 4 události, 0 rozhodnutí; " in err


# --- what programs read ---------------------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
def test_programs_are_answered_in_english(
    run: Run, write: Write, feed: Feed, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    record, doubtful, question = write(RECORD), write(DOUBTFUL, "b.json"), write(QUESTION, "c.json")
    lines = [json.dumps(DOUBTFUL), "{", json.dumps(RECORD | {"players": ["A"]})]

    def ask_all() -> list[Any]:
        reported = [run("score", "--json", record, doubtful)[1], run("rule", "--json", question)[1]]
        reported.append(run("figures", "--json", "--player", "Ewa", record)[1])
        reported.append(run("games", "--json")[1])
        reported.append(run("games", "--flat", "derda")[1])
        reported.append(run("shard")[1])
        for command in ("score", "rule"):
            feed("\n".join(lines))
            reported.append(run(command, "--lines")[1])
        return reported

    english = ask_all()
    monkeypatch.setenv("LANGUAGE", language)
    assert ask_all() == english
    assert "must be JSON; line 2, column 1: " in english[-1]
    assert "must be 2 names, not 1" in english[-2]


def test_no_language_stays_behind(run: Run) -> None:
    speak("pl")
    assert run("score")[2] == "error: FILE: required; a match record (- for standard input)\n"
    assert {"sheet", "export"} == {*OWN_LANGUAGE}
