"""What is tried by who is at the table, or only near it: nothing is told or done that must not be."""

import re
from collections.abc import Iterator

import pytest

from companion.matches import changes
from companion.matches.sharing import invitations
from companion.web.shell.forms import fresh_key
from tests.roles.routes import ROUTES, Route
from tests.roles.table import describe
from tests.roles.world import ROLES, World

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks

PAGES = [
    route
    for route in ROUTES
    if route.method == "GET" and route.path.startswith("/en/m/<m>") and not route.path.endswith(".pdf")
]
SENDS = [item for item in ROUTES if item.method == "POST"]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World()
    made.begin()
    yield made
    made.close()


@pytest.fixture
def table(world: World) -> World:
    """The same with everything in its place."""
    world.begin("<m>")
    return world


def post(world: World, role: str, path: str, **form: str) -> tuple[int, str]:
    """The status of the answer to a form, and its page."""
    id = world.places.values["m"]
    carried = {"form_key": fresh_key(), "seq": str(world.length(id))}
    answer = world.browser(role).post(world.places.fill(path), data=carried | form)
    return answer.status_code, answer.text


def test_only_the_owner_sees_the_secret_of_a_link(table: World) -> None:
    """Whoever joined by a link has it in its history; nobody is given it by a page of the match."""
    secret = table.places.values["secret"]
    for route in PAGES:
        for role in set(ROLES) - {"owner"}:
            answer = table.browser(role).get(table.places.fill(route.path) + "?link=any")
            assert secret.encode() not in answer.data, (role, route)


@pytest.mark.parametrize("route", [send for send in SENDS if send.json is None], ids=describe)
def test_no_form_is_taken_from_another_site(world: World, route: Route) -> None:
    """A form without the token that this site gave to this browser writes nothing, whoever sends it."""
    world.app.config["WTF_CSRF_ENABLED"] = True
    try:
        for role in ("owner", "opponent"):
            id = world.places.values["m"]
            before = world.state(id)
            form = {name: world.places.fill(value) for name, value in route.form.items()}
            answer = world.browser(role).post(world.places.fill(route.path), data={"form_key": "k", **form})
            # What a phone shares comes without a token; it is not read, and asked for by the form.
            is_asked_for = answer.location == "/en/import?again=1"
            assert answer.status_code >= 400 or is_asked_for, role
            assert world.state(id) == before
    finally:
        world.app.config["WTF_CSRF_ENABLED"] = False


GRANT = ("pencil", "revoke")


@pytest.mark.parametrize("what", GRANT)
def test_the_ids_of_another_match(table: World, what: str) -> None:
    """An owner sends the id of a phone at another table to its own: nothing happens there, or here."""
    first, theirs = table.places, table.token("owner")
    table.begin()
    there = table.state(first.values["m"])
    here = table.state(table.places.values["m"])
    assert table.token("owner") != theirs
    grant = first.values["grant of spectator"]
    status, _page = post(table, "owner", f"/en/m/<m>/phones/{grant}/{what}", give="1")
    assert status == 303
    post(table, "owner", f"/en/m/<m>/phones/links/{first.values['link of pencil']}/revoke")
    assert table.state(first.values["m"]) == there
    assert table.state(table.places.values["m"]) == here


@pytest.mark.parametrize("id", ["%00", "\ud800".encode("utf-8", "surrogatepass"), "x" * 5000, "..", "1"])
def test_ids_that_are_none(table: World, id: str | bytes) -> None:
    """Whatever stands in the place of an id: there is no such phone, no such link, and nothing breaks."""
    raw = id if isinstance(id, str) else "%ED%A0%80"
    before = table.state(table.places.values["m"])
    for path in (f"{raw}/pencil", f"{raw}/revoke", f"links/{raw}/revoke"):
        status, _page = post(table, "owner", f"/en/m/<m>/phones/{path}")
        assert status in (303, 404), path
    assert table.browser("stranger").get(f"/en/join/{raw}").status_code == 404
    assert table.state(table.places.values["m"]) == before


@pytest.mark.parametrize(
    "said",
    [
        "owner",
        "king",
        "opponent",
        "opponent:C",
        "opponent:",
        "spectator:B",
        "spectator:C",
        "pencil:Q",
        "",
        "\0",
    ],
)
def test_roles_and_sides_that_are_none(table: World, said: str) -> None:
    """No link is made for them."""
    before = table.state(table.places.values["m"])
    status, _page = post(table, "owner", "/en/m/<m>/phones/links", **{"as": said})
    assert status in (400, 404), said
    assert table.state(table.places.values["m"]) == before


@pytest.mark.parametrize("number", ["0", "99", "99999999999999999999", "9" * 400])
def test_numbers_of_nothing(table: World, number: str) -> None:
    """Entries and objections that there are not, however large their numbers."""
    before = table.state(table.places.values["m"])
    for path in (f"entries/{number}/agree", f"entries/{number}/object", f"objections/{number}/withdraw"):
        assert post(table, "opponent", f"/en/m/<m>/{path}", side="B", reason="runs")[0] == 404, path
    facts = "trump=H&hand=8H&hand=AH&trick=10H&card=8H&asked=1"
    keep = f"/en/m/<m>/ask/play/keep?{facts}"
    status, _page = post(table, "opponent", f"{keep}&entry=1&objection={number}", attach="1")
    assert status == 403
    assert table.state(table.places.values["m"]) == before
    status, _page = post(table, "opponent", f"{keep}&entry={number}&objection=2", attach="1")
    assert status == 303
    assert table.last_event(table.places.values["m"]).entry == 1, "an objection says itself what it is about"


def test_forms_of_a_phone_that_was_put_out(table: World) -> None:
    """What it had open when it was put out is refused, with a sentence; what it had sent before is there."""
    opponent, id = table.browser("opponent"), table.places.values["m"]
    sent = {"form_key": fresh_key(), "seq": str(table.length(id)), "side": "B"}
    agree = table.places.fill("/en/m/<m>/entries/1/agree")
    assert opponent.post(agree, data=sent).status_code == 303
    assert post(table, "owner", "/en/m/<m>/phones/<grant of opponent>/revoke")[0] == 303
    length = table.length(id)
    for form in (sent, sent | {"form_key": fresh_key()}):
        assert opponent.post(agree, data=form).status_code == 403
    assert table.length(id) == length
    assert opponent.get(table.places.fill("/en/m/<m>")).status_code == 200


def test_a_match_that_is_over_can_still_be_joined(table: World) -> None:
    """The last deal is agreed to, or doubted, when the game is over."""
    assert post(table, "owner", "/en/m/<m>/more/concede", side="A")[0] == 303
    assert post(table, "stranger", "/en/join/<secret>")[0] == 303
    assert post(table, "opponent", "/en/m/<m>/entries/1/agree", side="B")[0] == 303


def test_how_much_is_too_much(table: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links, phones and remarks without end are refused with a sentence that says what to do."""
    monkeypatch.setattr(invitations, "MAX_LINKS", 5)
    monkeypatch.setattr(invitations, "MAX_PHONES", 4)
    monkeypatch.setattr(changes, "MAX_REMARKS", 2)
    status, page = post(table, "owner", "/en/m/<m>/phones/links", **{"as": "opponent:B"})
    assert (status, "A match has at most 5 links" in page) == (422, True)
    status, page = post(table, "stranger", "/pl/join/<secret>")
    assert (status, "jest już 4 telefonów" in page) == (422, True)
    assert post(table, "opponent", "/en/m/<m>/entries/1/object", side="B", reason="runs")[0] == 303
    status, page = post(table, "opponent", "/en/m/<m>/entries/1/agree", side="B")
    assert (status, "commented on this entry 2 times" in page) == (422, True)
    status, page = post(table, "opponent", "/en/m/<m>/entries/1/object", side="B", reason="count")
    assert status == 422


def test_whoever_looks_on_gets_no_page_of_another(table: World) -> None:
    """A page that is made once for all who look on holds nothing of the one that asked first."""
    path = table.places.fill("/en/m/<m>")
    for role in ("revoked", "stranger", "nobody", "spectator", "opponent", "pencil", "owner", "stranger"):
        page = table.browser(role).get(path, headers={"X-Seen": "0.0"}).text
        assert ("undo" in _actions(page)) == (role in ("owner", "pencil")), role
        assert ("withdraw" in _actions(page)) == (role in ("owner", "pencil", "opponent")), role


def _actions(page: str) -> set[str]:
    return {path.rsplit("/", 1)[1] for path in re.findall(r'action="([^"]*)"', page)}
