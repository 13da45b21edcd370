"""Evenings on a phone alone, of which browser, worker and host are killed at any moment.

`--runs 100 --timeout 0` tries so many, however long it takes; `--seed` begins at another one.
"""

import pytest
from offline_app import LONG
from phone import Phone
from static_host import StaticHost

from tests.nightly.kills.alone import EveningAlone
from tests.nightly.kills.offline_app import Tally

from .test_folder import put_on


def test_nothing_acknowledged_is_lost_or_doubled(
    host: StaticHost,
    phone: Phone,
    pytestconfig: pytest.Config,
) -> None:
    """Whatever is killed, and when: it is in the phone once, in its order."""
    page = phone.open(f"{host.site}en/index.html", controlled=False)
    page.context.set_default_navigation_timeout(LONG)
    put_on(page, f"{host.site}en/")
    first, runs = pytestconfig.getoption("seed"), pytestconfig.getoption("runs")
    tally = Tally()
    for seed in range(first, first + runs):
        EveningAlone(phone, host, tally, seed).run()
    assert not tally.faults, "\n".join(tally.faults)
    assert tally.entries > 0 and tally.actions["browser killed"]
