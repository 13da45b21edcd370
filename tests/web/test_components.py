"""The page of components: there while the app is developed, and nowhere else."""

import re
from pathlib import Path

import pytest

from companion import create_app


@pytest.mark.nightly
def test_components_are_shown_in_development(tmp_path: Path) -> None:
    """Each state in both themes, with the piece of the page that it names."""
    client = create_app({"INSTANCE": str(tmp_path), "DEBUG": True}).test_client()
    page = client.get("/en/dev/components").text
    states = re.findall(r'(?s)<div class="state">.*?<div class="slate">', page)
    assert len(states) > 50
    assert [state for state in states if 'class="paper"' not in state] == []
    sheet = client.get("/en/dev/components.css?piece=.board&sheet=deals/board.css&sheet=../../dev").text
    assert ".board .side" in sheet
    assert ":not(:has(.board)" in sheet


def test_there_is_no_such_page_for_players(tmp_path: Path) -> None:
    client = create_app({"INSTANCE": str(tmp_path)}).test_client()
    assert client.get("/en/dev/components").status_code == 404
    assert client.get("/en/dev/components.css").status_code == 404
