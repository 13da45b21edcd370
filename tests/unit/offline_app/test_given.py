"""A match given by a link, taken in by the app of a phone."""

from derda import DEAL
from flask.testing import FlaskClient

from companion.archives import write_fragment
from companion.offline_app.application import Address
from companion.offline_app.bridge import Bridge
from companion.web.shell.hosts import Host
from tests.unit.offline.table import Phone, contents

from .test_bridge import Visitor


def test_without_network_it_waits_for_the_server(screen: FlaskClient, ewa: Phone, jan: Phone) -> None:
    """It goes there under an id of its new owner's: by its own one the server has the match as Jan's."""
    id = jan.begin()
    match = jan.record(id, DEAL, DEAL)
    jan.meet()
    link = write_fragment(jan.matches, match)
    answers = [screen.post("/en/given", data={"link": link}) for _tap in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert answers[0].location == answers[1].location
    taken = answers[0].location.rpartition("/")[2]
    assert taken != id
    assert ewa.delivery.count_unsent() == 2
    ewa.meet()
    assert (ewa.delivery.count_unsent(), ewa.delivery.count_conflicts()) == (0, 0)
    assert contents(ewa, taken) == contents(jan, id)


def test_a_phone_alone_has_it_as_it_was(addresses: list[Address], jan: Phone) -> None:
    """With its id, its history, and a link of its own."""
    match = jan.record(jan.begin(), DEAL)
    alone = Visitor(Bridge(addresses, "v1", Host.ALONE))
    link = write_fragment(jan.matches, match)
    status, headers, _page = alone.post("/en/given", {"link": link})
    assert status == 303 and headers["Location"].endswith(f"/en/m/{match.id}")
    assert alone.bridge.next_delivery() is None
    status, _headers, page = alone.get(f"/en/m/{match.id}/give")
    assert status == 200 and ">https://table.test/#give=" in page
    _status, _headers, sheet = alone.get(f"/en/m/{match.id}/sheet")
    assert "<title>https://table.test/#give=" in sheet, "on paper, too, the match is in the code"
