"""The list of journeys names tests that there are."""

import re
from pathlib import Path

from tests.browser.journeys import JOURNEYS


def test_every_journey_is_a_test() -> None:
    """One that was renamed is renamed there, too, or it would be run at night alone."""
    folder = Path(__file__).parent
    missing = [
        (module, name)
        for module, names in JOURNEYS.items()
        for name in names
        if not re.search(rf"^def {name.partition('[')[0]}\(", (folder / f"{module}.py").read_text(), re.M)
    ]
    assert missing == []
