"""The beginning of what `python -m tests.nightly.fuzz` does for longer: whatever is sent, nothing breaks."""

from pathlib import Path

import pytest

from companion import create_app
from companion.store.tables import db
from tests.nightly.fuzz.trial import Trial

REQUESTS = 900


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_nothing_that_is_sent_breaks_anything(
    request: pytest.FixtureRequest, tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right requests with one or two things wrong in them are answered, or refused with what is wrong."""
    monkeypatch.setattr("companion.jobs.job.PAGE_TIMEOUT", 50.0)
    settings = {"INSTANCE": str(tmp_path), "TESTING": False, "WTF_CSRF_ENABLED": False, "LIMITS": "off"}
    if database == "postgresql":
        settings["DATABASE"] = request.getfixturevalue("postgres_address")
    trial = Trial(create_app(settings), seed=1, share_of_programs=0.4)
    try:
        trial.run(REQUESTS)
    finally:
        with trial.app.app_context():
            db.engine.dispose()
    assert trial.failures == []
    assert trial.count >= REQUESTS
    written = trial.statuses[303]
    assert written > REQUESTS / 50, "too few of them were right enough to be written"
    assert {400, 404, 405} <= {*trial.statuses}
    assert {200, 403, 409, 422} <= {*trial.programs}, "what phones bring was taken, and refused"
    assert [item for item in trial.unreached if "pdf" not in item] == []
