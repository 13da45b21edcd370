"""What is said of tests of pages that are not run on a phone's app is about tests that are there."""

from pathlib import Path

from stores.kinds import NOT_THERE, ONLY_ON_SERVERS

HERE = Path(__file__).parent


def test_no_place_is_left_behind() -> None:
    """Whatever is listed is there."""
    modules = [path.relative_to(HERE).with_suffix("").as_posix() for path in HERE.rglob("test_*.py")]
    assert [start for start in NOT_THERE if not any(name.startswith(start) for name in modules)] == []
    for module, tests in ONLY_ON_SERVERS.items():
        source = (HERE / f"{module}.py").read_text("utf-8")
        assert [name for name in tests if f"def {name}(" not in source] == []
