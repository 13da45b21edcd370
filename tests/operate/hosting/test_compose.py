"""compose.yaml: it runs what the Containerfile builds, and what the page on hosting says of it holds."""

import json
import os
import re
import shutil
import subprocess
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from .containerfile import FILE, ROOT, read_stages
from .documented import FOLDER
from .test_documents import settings

COMPOSE = ROOT / "compose.yaml"
ENGINES = ("docker", "podman")


@pytest.fixture(scope="module")
def composed() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())
    return found


def test_it_runs_what_the_containerfile_builds(composed: dict[str, Any]) -> None:
    """With its port, its volume and its check; time to end as long as a print takes."""
    image, service = read_stages(FILE.read_text())[-1], composed["services"]["companion"]
    assert (ROOT / service["build"]["context"] / service["build"]["dockerfile"]) == FILE
    [port], [volume] = service["ports"], service["volumes"]
    assert port.rpartition(":")[2] in image.find("EXPOSE")
    name, _colon, place = volume.partition(":")
    assert name in composed["volumes"] and place in image.find("VOLUME")
    assert service["healthcheck"]["test"] == ["CMD", *image.health_check]
    options = image.find("HEALTHCHECK")[-1].partition(" CMD ")[0]
    named = {name.replace("-", "_"): value for name, value in re.findall(r"--([\w-]+)=(\S+)", options)}
    assert service["healthcheck"].items() >= named.items()
    assert int(service["stop_grace_period"].rstrip("s")) > 30
    assert settings() >= {*service["environment"]}


def test_the_settings_that_are_documented_reach_it(composed: dict[str, Any]) -> None:
    """Those of `.env` on the page on hosting: each is passed on, and the database is the other service."""
    [block] = re.findall(r"```ini\n(.*?)```", (FOLDER / "README.md").read_text(), re.DOTALL)
    shown = dict(line.split("=", 1) for line in block.splitlines())
    services = composed["services"]
    companion, postgres = services["companion"], services["postgres"]
    assert {name for name in shown if name.startswith("COMPANION_")} == {*companion["environment"]}
    database = urlsplit(shown["COMPANION_DATABASE"])
    assert services[database.hostname] is postgres
    assert postgres["profiles"] == [shown["COMPOSE_PROFILES"]]
    # PostgreSQL's image names the database as its user.
    assert database.username == postgres["environment"]["POSTGRES_USER"] == database.path.lstrip("/")
    assert database.password == shown["POSTGRES_PASSWORD"] and "POSTGRES_PASSWORD" in postgres["environment"]
    assert postgres["volumes"][0].partition(":")[0] in composed["volumes"]
    assert "pg_isready" in postgres["healthcheck"]["test"]


@pytest.mark.release
@pytest.mark.timeout(3600)
def test_engines_build_and_run_it(composed: dict[str, Any]) -> None:
    """Those that are there, until both services are well; elsewhere it is only read, above."""
    environ = {
        **os.environ,
        "COMPOSE_PROFILES": "postgres",
        "POSTGRES_PASSWORD": "secret",
        "COMPANION_DATABASE": "postgresql://companion:secret@postgres/companion",
    }
    for engine in ENGINES:
        if not shutil.which(engine) or subprocess.run([engine, "info"], capture_output=True).returncode:
            continue
        compose = [engine, "compose", "--file", str(COMPOSE), "--project-name", "companion-test"]
        try:
            subprocess.run([*compose, "up", "--build", "--detach", "--wait"], env=environ, check=True)
            listed = subprocess.check_output([*compose, "ps", "--format", "json"], env=environ, text=True)
            running = [json.loads(line) for line in listed.splitlines()]
            assert {service["Health"] for service in running} == {"healthy"}
            assert {service["Service"] for service in running} == {*composed["services"]}
        finally:
            subprocess.run([*compose, "down", "--volumes"], env=environ, check=True)
