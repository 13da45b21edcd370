"""The workflow of the repository's host: its commands are ours, and only a tag is released."""

import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from .containerfile import ROOT
from .test_documents import parse

FILE = ROOT / ".github" / "workflows" / "build.yml"
RELEASED = {"site", "release"}
"""The jobs that a tag alone begins."""


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FILE.read_text())["jobs"]
    return found


def scripts(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


def before(name: str, jobs: dict[str, Any]) -> set[str]:
    """The jobs that have to be done before one."""
    needs = jobs[name].get("needs", [])
    named = {needs} if isinstance(needs, str) else {*needs}
    return named.union(*(before(needed, jobs) for needed in named))


def test_nothing_is_released_before_all_tests(jobs: dict[str, Any]) -> None:
    """The site and the release come last, of a tag; the container is published of a tag alone."""
    assert before("release", jobs) == {*jobs} - {"release"}
    for name, job in jobs.items():
        assert ("if" in job) == (name in RELEASED), name
        assert "write" not in job.get("permissions", {}).values() or "test" in before(name, jobs)
    for step in jobs["container"]["steps"]:
        assert ("push" in step.get("run", "")) == (step.get("if") == "github.ref_type == 'tag'")


def test_it_runs_what_there_is(jobs: dict[str, Any]) -> None:
    """A shell can read every script; the tests are those of a change, the wheel ours."""
    for job in jobs.values():
        for script in scripts(job):
            subprocess.run(["sh", "-n"], input=script, text=True, check=True)
    assert scripts(jobs["test"]) == [".ci/run"] and (ROOT / ".ci/run").is_file()
    assert "./dev wheel" in scripts(jobs["wheel"])
    [line] = re.findall(r"venv/bin/companion (.*)", "\n".join(scripts(jobs["site"])))
    parse(shlex.split(line))


def test_a_wheel_says_where_its_project_lives(jobs: dict[str, Any], tmp_path: Path) -> None:
    """The addresses in pyproject.toml become those of the repository that builds it, and of its site."""
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    [script] = [script for script in scripts(jobs["wheel"]) if "sed" in script]
    environ = {
        "PATH": "/usr/bin:/bin",
        "GITHUB_SERVER_URL": "https://github.example",
        "GITHUB_REPOSITORY": "cards/scores",
        "GITHUB_REPOSITORY_OWNER": "cards",
    }
    subprocess.run(["sh", "-ec", script], cwd=tmp_path, env=environ, check=True)
    text = (tmp_path / "pyproject.toml").read_text()
    urls = tomllib.loads(text)["project"]["urls"]
    assert urls["Homepage"] == "https://cards.github.io/scores/"
    assert urls["Source"] == "https://github.example/cards/scores"
    assert "companion.example" not in text
