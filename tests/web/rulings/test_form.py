"""The form of a question: fields by the class of their kind, and facts that are parsed once."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from companion import library
from companion.library.other_tables import JudgedQuestion, judge_question
from companion.rules import schema
from companion.rules.errors import Unreadable
from companion.rules.schema import ListOf, Nested, Table, Text, fields_of, parse
from companion.web.rulings import form as forms
from companion.web.rulings import query_of, views
from companion.web.rulings.fields.base import FactField
from companion.web.rulings.fields.cards import CardsField, SuitField
from companion.web.rulings.fields.choices import PeopleField, PersonField
from companion.web.rulings.fields.groups import ByNameField, GroupField, RowsField
from companion.web.shell import jobs
from tests.web.browsers import Browser


@pytest.fixture(autouse=True)
def _in_english(app: Flask) -> Iterator[None]:
    with app.test_request_context("/en/"):
        yield


def form_of(name: str, question: str, facts: dict[str, Any], **more: Any) -> forms.QuestionForm:
    """The form of a question with these facts in its address."""
    game = library.open_game(name, **more)
    address = MultiDict(query_of(facts))
    return views.QuestionSetting(game).form(game.family.questions[question], address)


@pytest.mark.parametrize("game", library.names())
def test_every_fact_has_a_field_of_its_kind(game: str) -> None:
    """One field for each fact; nothing is typed as text that is no text."""
    for question in library.open_game(game).family.questions:
        _check_fields(game, question)


def _check_fields(game: str, question: str) -> None:
    form = form_of(game, question, {})
    idle = library.open_game(game).family.irrelevant_facts(question)
    places = {place.key: place for place in fields_of(form.context.question.shape) if place.key not in idle}
    assert {field.key: field.place for field in form.fields} == places
    for field in form.iter_fields():
        assert type(field) is not FactField or type(field.place.kind) is Text, field.name
        assert f'id="field-{field.id}"' in field()


@pytest.mark.parametrize(
    ("game", "question", "key", "expected", "drawn"),
    [
        ("derda", "play", "hand", CardsField, "cards"),
        ("derda", "play", "trick", CardsField, "pile"),
        ("derda", "trick", "leader", PersonField, "who"),
        ("derda", "trick", "trump", SuitField, "suits"),
        ("derda", "outcome", "made", ByNameField, "by_name"),
        ("derda", "outcome", "trickless", PeopleField, "who"),
        ("derda", "count", "count", GroupField, "group"),
        ("derda", "runs", "declared", RowsField, "rows"),
    ],
)
def test_a_kind_finds_its_field_by_its_class(
    game: str, question: str, key: str, expected: type[FactField], drawn: str
) -> None:
    """Some of every sort, each with the macro that draws it."""
    field = form_of(game, question, {}).find_field(key)
    assert field is not None
    assert (type(field), field.macro) == (expected, drawn)


def test_a_kind_of_the_same_name_has_no_field_of_its_own() -> None:
    """What decides is the class: a stranger that is called like a known kind is typed as text."""
    from companion.web.rulings.fields.groups import make_field

    stranger = type("SeatOf", (Text,), {})()
    context = form_of("derda", "play", {}).context
    field = make_field(context, schema.Field("by", "by", stranger, None, None), "by", MultiDict())
    assert type(field) is FactField


def test_facts_are_parsed_once_and_judged_as_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The object that was parsed from the address is the one the arbiter is given, and it is read once."""
    parsed: list[object] = []
    judged: list[object] = []

    def watch_parse(shape: type[object], value: Any, path: str, table: Table) -> object:
        parsed.append(parse(shape, value, path, table))
        return parsed[-1]

    def watch_judge(
        game: library.Game, question: str, facts: object, request: Mapping[str, Any]
    ) -> JudgedQuestion:
        judged.append(facts)
        return judge_question(game, question, facts, request)

    monkeypatch.setattr(forms, "parse", watch_parse)
    monkeypatch.setattr(jobs, "judge_question", watch_judge)
    monkeypatch.setattr(library, "rule", None)
    form = form_of("derda", "winner", {"totals": {"A": 530, "B": 535}, "declarer": "A"})
    assert form.validate()
    assert form.judge().ruling.verdict == "A"
    assert len(parsed) == 1
    assert judged == parsed
    assert judged[0] is parsed[0]


def test_all_that_is_wrong_is_said_at_once() -> None:
    """Two facts that cannot be read and one that is missing: three fields are marked."""
    form = form_of("derda", "trick", {"trump": "Z", "trick": ["ZZ"]})
    assert not form.validate()
    assert form.status == 400
    assert [field.key for field in form.faulty_fields] == ["trump", "trick", "leader"]


def test_what_is_only_missing_is_no_mistake() -> None:
    """Nothing unreadable, one fact left out."""
    form = form_of("derda", "trick", {"trump": "H", "trick": ["AH", "KH"]})
    assert not form.validate()
    assert (form.status, [field.key for field in form.faulty_fields]) == (422, ["leader"])


def test_a_faulty_row_is_called_by_its_number() -> None:
    """The second run has neither cards nor length and top."""
    declared = [{"seat": "A", "length": 3, "top": "A"}, {"seat": "B", "length": 3}]
    form = form_of("derda", "runs", {"trump": "H", "declared": declared})
    assert form.validate()
    with pytest.raises(Unreadable) as refused:
        form.judge()
    form.refuse(refused.value)
    assert [field.title for field in form.faulty_fields] == ["No. 2"]


def test_a_form_can_be_filled_again_by_its_own_query() -> None:
    """What the form assumed by itself is in its query, and makes the same request in another language."""
    declared = [{"seat": "B", "length": 3, "top": "A"}]
    form = form_of("derda", "runs", {"trump": "H", "declared": declared, "elder": "A"})
    assert ("declared.1.seat", "B") in form.query()
    again = views.QuestionSetting(form.context.game).form(form.context.question, MultiDict(form.query()))
    assert again.request() == form.request()


def test_lists_of_objects_are_rows_unless_their_order_counts() -> None:
    """The steps of a bout are told one after another, runs in rows."""
    steps = form_of("durak", "bout", {}, players=3).find_field("steps")
    assert steps is not None
    assert isinstance(steps.place.kind, ListOf) and isinstance(steps.place.kind.kind, Nested)
    assert not isinstance(steps, RowsField)


def test_what_is_seldom_told_of_a_run_is_in_view_once_it_is_told(client: Browser) -> None:
    """The cards or the suit of a run fold away while nobody has named them, and stand open once they are."""
    runs = [{"seat": "A", "length": 3, "top": "K"}]
    for suit, opened in ({}, False), ({"suit": "S"}, True):
        facts = urlencode(query_of({"declared": [runs[0] | suit]}))
        page = client.get(f"/en/ask/derda/runs?{facts}").text
        fold = re.search(r'<details class="more-of"( open)?>\s*<summary>Its cards or suit', page)
        assert fold is not None
        assert bool(fold[1]) == opened
