"""Evenings on a phone alone, of which browser, worker and host are killed at any moment.

`--runs 200` kills the browser so often; `--seed` begins at another evening.
"""

from itertools import count

import pytest
from device_storage import wait_for
from offline_app import LONG, snapshot_size
from phone import Phone
from static_host import StaticHost

from tests.nightly.kills.alone import EveningAlone
from tests.nightly.kills.offline_app import Tally

from .test_folder import put_on

KILLS = 100
"""The least number of times that the browser is killed."""


@pytest.mark.parametrize("half", [0, 1])
def test_nothing_acknowledged_is_lost_or_doubled(
    host: StaticHost,
    phone: Phone,
    pytestconfig: pytest.Config,
    half: int,
) -> None:
    """Whatever is killed, and when: it is in the phone once, in its order. Two workers share the evenings."""
    page = phone.open(f"{host.site}en/index.html", controlled=False)
    page.context.set_default_navigation_timeout(LONG)
    put_on(page, f"{host.site}en/")
    wait_for(page, lambda: snapshot_size(page) > 0)  # so many starts take long without
    kills, tally = max(KILLS, pytestconfig.getoption("runs")) / 2, Tally()
    for seed in count(pytestconfig.getoption("seed") + half, 2):
        EveningAlone(phone, host, tally, seed).run()
        if tally.faults or tally.actions["browser killed"] >= kills:
            break
    assert not tally.faults, "\n".join(tally.faults)
    assert tally.entries > 0
