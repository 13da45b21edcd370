"""Which tests of pages are run on a phone's app, which at night, and which never."""

from pathlib import Path

import pytest
from stores.kinds import AT_NIGHT, NOT_THERE, ONLY_ON_SERVERS, SAMPLE

MODULES = sorted(
    path.relative_to(Path(__file__).parent).with_suffix("").as_posix()
    for path in Path(__file__).parent.rglob("test_*.py")
    if path != Path(__file__)
)


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_its_place(module: str) -> None:
    """A module is run on a phone's app each time or at night, or there is a reason why it never is."""
    reasons = [one for one in NOT_THERE if module == one or (one.endswith("/") and module.startswith(one))]
    assert len(reasons) + (module in SAMPLE) + (module in AT_NIGHT) == 1


def test_no_place_is_left_behind() -> None:
    """Whatever is listed is there."""
    listed = [*SAMPLE, *AT_NIGHT, *(one for one in NOT_THERE if not one.endswith("/"))]
    assert sorted(set(listed) - set(MODULES)) == []
    assert [one for one in NOT_THERE if not any(name.startswith(one) for name in MODULES)] == []
    assert ONLY_ON_SERVERS.keys() <= SAMPLE | AT_NIGHT
    for module, tests in ONLY_ON_SERVERS.items():
        source = (Path(__file__).parent / f"{module}.py").read_text("utf-8")
        assert [name for name in tests if f"def {name}(" not in source] == []
