"""What a page says of its form, for the script that keeps what is typed."""

from flask.testing import FlaskClient

from companion.matches import KeepDraft
from tests.web.browsers import Browser


def test_since_when_a_deal_is_in_progress(client: Browser) -> None:
    """A draft that was typed before is offered then, and no longer taken up."""
    id = client.start()
    assert "data-since" not in client.get(f"/en/m/{id}/deal").text
    client.change(id, KeepDraft({"type": "deal"}))
    assert 'data-since="20' in client.get(f"/en/m/{id}/deal").text


def test_whether_a_question_is_answered(client: FlaskClient) -> None:
    """What was typed is done with then."""
    asked = "trump=S&hand=8H&hand=AH&card=8H"
    assert " data-asked" not in client.get(f"/en/ask/derda/play?{asked}").text
    assert " data-asked" in client.get(f"/en/ask/derda/play?{asked}&asked=1").text


def test_the_screen_stays_on_while_a_match_runs(client: Browser) -> None:
    """A match that is over needs no light: there is no switch on its board."""
    id = client.start()
    for page in ("", "/more", "/big"):
        text = client.get(f"/en/m/{id}{page}").text
        assert 'id="awake-switch"' in text and "/offline/wake.js" in text, page
    client.write(id, {"type": "abandon"})
    assert 'id="awake-switch"' not in client.get(f"/en/m/{id}").text
