"""One side has all points: whether it has all tricks too is asked beside them, before anything is saved."""

import re
from typing import Any

import pytest
from plain_browser import PlainBrowser
from werkzeug.test import TestResponse

from companion.web.deals.form import deal_state
from tests.web.browsers import Browser, fields, words

TYPED: dict[str, tuple[str, dict[str, str]]] = {
    "belote": ("belote", {"counting": "points", "points_A": "162"}),
    "belote, nothing for the others": ("belote", {"counting": "points", "points_B": "0"}),
    "belote, totals": ("belote", {"counting": "totals", "total_A": "162", "total_B": "0"}),
    "belote, one total": ("belote", {"counting": "totals", "total_A": "162"}),
    "belote, the total of the others": ("belote", {"counting": "totals", "total_B": "0"}),
    "bela": ("bela", {"counting": "points", "points_A": "100+62"}),
    "coinche": ("coinche", {"counting": "points", "points_A": "162", "bid_points": "100"}),
    "coinche, totals": (
        "coinche",
        {"counting": "totals", "total_A": "162", "total_B": "0", "bid_points": "100"},
    ),
    "contree": ("contree", {"counting": "points", "points_A": "162", "bid_points": "100"}),
}
WORDS = {"bela": "štiglja"}
TAKEN = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "count": {"points": {"A": 162}}}


def begin(client: Browser, game: str, **rules: str) -> str:
    """Starts a match to a target that no deal reaches."""
    return client.start(game=game, name_C="Ala", name_D="Olek", rule_target="3000", **rules)


def read_question(page: TestResponse | str) -> str:
    """What the page asks, as it is seen; empty while it asks nothing."""
    html = page if isinstance(page, str) else page.text
    block = re.search(r'<div class="every-trick\b.*?\n</div>', html, re.S)
    assert block, "no place for it"
    asked = re.sub(
        r'<data class="asked"[^>]* hidden></data><(span|label)\b.*?</\1>', "", block[0], flags=re.S
    )
    return words(asked) if re.search(r"<data [^>]* data-wrong>", asked) else ""


def payload(client: Browser, id: str) -> dict[str, Any]:
    """The first deal, as it stands written."""
    (entry,) = client.match(id).standing_entries
    return dict(entry.payload)


def list_answers(page: PlainBrowser) -> list[str]:
    """Which answers are tapped."""
    return [radio.etree_element.get("value") for radio in page.find('[name="trickless"]:checked')]


@pytest.mark.parametrize("case", TYPED)
@pytest.mark.parametrize(("answer", "fact", "points"), [("B", "B", 252), ("-", None, 162)])
def test_it_is_asked_and_answered(
    client: Browser, case: str, answer: str, fact: str | None, points: int
) -> None:
    """Save asks, the likelier answer first and none of them tapped; all that was typed is still there."""
    game, typed = TYPED[case]
    id = begin(client, game)
    typed = typed | {"bid": "A:H", "note": "Zosia was watching"}
    page = client.send(id, typed)
    assert page.status_code == 422
    word = WORDS.get(game, "capot")
    assert read_question(page) == f"Did Jan & Olek take a trick? None: {word} 252 Yes, one without points"
    assert "Not saved. Whether Jan & Olek took a trick is missing." in words(page)
    assert client.log(id) == []
    again = fields(page.text)
    assert "trickless" not in again
    assert {key: again[key] for key in typed} == typed
    assert client.send(id, again | {"trickless": answer}).status_code == 303
    (saved,) = client.log(id)
    assert saved.payload["trickless"] == fact
    assert deal_state(client.match(id)).rows[0].made == {"A": points, "B": 0}


def test_the_preview_asks_as_soon_as_the_points_say_so(client: Browser) -> None:
    """Of the side without points; not while other points stand there, nor where every trick was told."""
    id = begin(client, "belote")

    def ask(**typed: str) -> tuple[str, str]:
        sent = {"bid": "A:H", "counting": "points"} | typed
        page = client.send(id, sent, path="deal/preview")
        return " ".join(re.findall(r'data-for="doubtful-(\w)"', page.text)), words(page)

    assert ask(points_A="16")[0] == ""
    asked, said = ask(points_A="162")
    assert asked == "B"
    assert "Whether Jan & Olek took a trick is missing." in said
    assert "null" not in said
    assert ask(points_A="0")[0] == "A"
    assert ask(points_A="252")[0] == ""
    asked, said = ask(points_A="162", trickless="B")
    assert asked == "B", "an answer is shown as long as the question stands"
    assert "252 to 0" in said
    asked, said = ask(points_A="162", trickless="-")
    assert asked == "B"
    assert "162 to 0" in said


@pytest.mark.parametrize("entry", ["B", None])
def test_a_correction_shows_the_answer_given(client: Browser, entry: str | None) -> None:
    """It is tapped; saved unchanged nothing is written, and it can be the other one."""
    id = begin(client, "belote")
    client.write(id, TAKEN | {"trickless": entry})
    given, other = ("B", "-") if entry else ("-", "B")
    page = PlainBrowser(client)
    page.open(f"/en/m/{id}/entries/1?edit=1")
    assert read_question(client.get(page.url)) != ""
    assert list_answers(page) == [given]
    page.tap('button[name="do"][value="save"]')
    assert len(client.log(id)) == 1
    page.open(f"/en/m/{id}/entries/1?edit=1")
    page.fill(trickless=other)
    page.tap('button[name="do"][value="save"]')
    assert payload(client, id)["trickless"] == (None if entry else "B")


@pytest.mark.parametrize("counting", ["points", "totals"])
def test_an_answer_goes_with_its_points(client: Browser, counting: str) -> None:
    """Other points were typed since: what cannot be true of them is not written, and the others are asked."""
    id = begin(client, "belote")
    mine, theirs = ("points_A", "points_B") if counting == "points" else ("total_A", "total_B")
    typed = {"bid": "A:H", "counting": counting, mine: "162"}
    asked = fields(client.send(id, typed).text) | {"trickless": "B"}
    page = client.send(id, asked | {mine: "0"})
    assert page.status_code == 422
    assert read_question(page).startswith("Did Ewa & Ala take a trick?")
    assert "trickless" not in fields(page.text)
    later = [asked | {mine: "104"}, asked | {mine: "", theirs: "58"}]
    later += [asked | {"trickless": "-", mine: "252"}]
    for seq, other in enumerate(later):
        assert client.send(id, other, seq=seq).status_code == 303
        assert "trickless" not in client.log(id)[-1].payload
    made = [row.made for row in deal_state(client.match(id)).rows]
    assert made == [{"A": 104, "B": 58}, {"A": 104, "B": 58}, {"A": 252, "B": 0}]


def test_an_answer_goes_with_its_points_in_a_correction(client: Browser) -> None:
    id = begin(client, "belote")
    client.write(id, TAKEN | {"trickless": "B"})
    right = fields(client.get(f"/en/m/{id}/entries/1?edit=1").text) | {"points_A": "110"}
    assert client.send(id, right, path="entries/1", seq=1).status_code == 303
    assert payload(client, id) == TAKEN | {"count": {"points": {"A": 110}}}


def test_every_trick_told_besides_is_kept_in_a_correction(client: Browser) -> None:
    """252 says it too: nothing has to be asked, and nothing that was written is lost."""
    id = begin(client, "belote")
    deal = TAKEN | {"count": {"points": {"A": 252}}, "trickless": "B"}
    client.write(id, deal)
    right = fields(client.get(f"/en/m/{id}/entries/1?edit=1").text) | {"note": "seen"}
    assert client.send(id, right, path="entries/1", seq=1).status_code == 303
    assert payload(client, id) == deal | {"note": "seen"}


def test_a_deal_kept_for_later_keeps_the_answer(client: Browser) -> None:
    """And one that was kept unanswered asks where it goes on."""
    id = begin(client, "belote")
    typed = {"bid": "A:H", "counting": "points", "points_A": "162"}
    for seq, (answer, checked) in enumerate(
        [({}, []), ({"trickless": "-"}, ["-"]), ({"trickless": "B"}, ["B"])]
    ):
        assert client.send(id, typed | answer, do="draft", seq=seq).status_code == 303
        page = PlainBrowser(client)
        page.open(f"/en/m/{id}/deal")
        assert read_question(client.get(page.url)) != ""
        assert list_answers(page) == checked


@pytest.mark.parametrize(
    ("game", "rules", "typed", "points"),
    [
        ("belote", {}, {}, 252),
        ("bela", {}, {}, 252),
        ("coinche", {}, {"bid_points": "100"}, 252),
        ("coinche", {"rule_capot_bonus": "bid-only"}, {"bid_points": "100"}, 162),
        ("coinche", {"rule_capot_bonus": "bid-only"}, {"bid_points": "capot"}, 252),
    ],
)
def test_every_trick_is_told_by_one_tap(
    client: Browser, game: str, rules: dict[str, str], typed: dict[str, str], points: int
) -> None:
    """Beside the fields: what it counts stands in both, nothing is asked, and the deal can be saved."""
    id = begin(client, game, **rules)
    sent = {"bid": "A:H", "counting": "points", "trickless": "B"} | typed
    preview = client.send(id, sent, path="deal/preview").text
    assert re.findall(r'data-rest-of="(\w)" value="(\d+)"', preview) == [("A", str(points)), ("B", "0")]
    assert "doubtful" not in preview
    assert client.send(id, sent).status_code == 303
    saved = payload(client, id)
    assert (saved["count"], saved["trickless"]) == ({"points": {"A": points}}, "B")
    assert deal_state(client.match(id)).rows[0].made == {"A": points, "B": 0}
    again = client.get(f"/en/m/{id}/entries/1?edit=1").text
    assert set(re.findall(r'name="trickless" value="(.)"[^>]* checked', again)) == {"B"}


def test_points_typed_after_that_tap_are_what_counts(client: Browser) -> None:
    id = begin(client, "belote")
    sent = {"bid": "A:H", "counting": "points", "trickless": "B", "points_A": "110"}
    assert client.send(id, sent).status_code == 303
    assert payload(client, id) == TAKEN | {"count": {"points": {"A": 110}}}


def test_it_is_asked_in_one_place(client: Browser) -> None:
    """Where the verdict stands, where every trick counts more; elsewhere it can be told under More."""
    page = client.get(f"/en/m/{begin(client, 'coinche')}/deal?bid=A:H").text
    asked = page[page.index('class="every-trick"') :]
    assert re.findall(r'name="trickless" value="(.?)"', asked) == ["A", "B", "-"]
    assert read_question(page) == ""
    other = client.get(f"/en/m/{client.start(game='klaberjass')}/deal?bid=A:H").text
    assert 'class="every-trick"' not in other
    assert re.findall(r'name="trickless" value="(.?)"', other) == ["A", "", "B"]


def test_it_says_whether_a_bid_of_capot_is_made(client: Browser) -> None:
    """Made with all tricks and failed without one, whatever the points."""
    id = begin(client, "coinche")
    typed = {"bid": "A:H", "counting": "points", "points_A": "162", "bid_points": "capot"}
    page = client.send(id, typed)
    assert read_question(page) == (
        "Did Jan & Olek take a trick? None: capot 252, made Yes, one without points dedans"
    )
    preview = client.send(id, typed, path="deal/preview").text
    assert '<span data-for="capot">252, made</span><span data-for="trick">dedans</span>' in preview
    for seq, (answer, scored) in enumerate([("B", {"A": 500, "B": 0}), ("-", {"A": 0, "B": 410})]):
        assert client.send(id, typed | {"trickless": answer}, seq=seq).status_code == 303
        assert client.match(id).state.rows[seq].scored == scored


def test_what_every_trick_counts_is_what_the_table_agreed_on(client: Browser) -> None:
    """No more than ever, where only a bid of capot counts more."""
    id = begin(client, "coinche", rule_capot_bonus="bid-only")
    typed = {"bid": "A:H", "counting": "points", "points_A": "162"}
    assert "capot 162 Yes" in read_question(client.send(id, typed | {"bid_points": "100"}))
    assert "capot 252, made" in read_question(client.send(id, typed | {"bid_points": "capot"}))


THREE = {"bid": "B:H", "counting": "points", "points_A": "0", "points_B": "162"}


@pytest.mark.parametrize(
    ("answer", "fact", "made"), [("AC", ["A", "C"], 252), ("A", "A", 162), ("C", "C", 162), ("-", None, 162)]
)
def test_of_several_it_is_asked_who_took_none(
    client: Browser, answer: str, fact: list[str] | str | None, made: int
) -> None:
    """Where each plays alone two may be without a trick: one tap says who, beside the points."""
    id = client.start(game="bela-3", name_C="Ala", rule_target="3000")
    page = client.send(id, THREE)
    assert page.status_code == 422
    assert read_question(page) == "Who took no trick? Ewa & Ala štiglja Ewa Ala nobody"
    assert "Not saved. Whether Ewa, Ala took a trick is missing." in words(page)
    again = fields(page.text)
    assert "trickless" not in again
    assert client.send(id, again | {"trickless": answer}).status_code == 303
    assert payload(client, id)["trickless"] == fact
    assert deal_state(client.match(id)).rows[0].made == {"A": 0, "B": made, "C": 0}
    editor = PlainBrowser(client)
    editor.open(f"/en/m/{id}/entries/1?edit=1")
    assert list_answers(editor) == [answer]


def test_of_several_only_those_without_points_are_asked_about(client: Browser) -> None:
    """One alone where its melds hang on it; an answer that cannot be true of other points is dropped."""
    id = client.start(game="bela-3", name_C="Ala", rule_target="3000")
    assert read_question(client.get(f"/en/m/{id}/deal?bid=B:H")) == ""
    melds = {"runs-0-seat": "C", "runs-0-length": "3", "runs-0-top": "K"}
    page = client.send(id, THREE | melds | {"points_A": "20", "points_B": "142"})
    assert read_question(page) == "Who took no trick? Ala nobody"
    typed = THREE | {"points_A": "20", "points_B": "142", "trickless": "AC"}
    assert client.send(id, typed).status_code == 303
    assert "trickless" not in payload(client, id)
