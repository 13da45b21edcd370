"""The examples for hosts are what they are taken for: unit files, proxies, a Containerfile."""

import configparser
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from companion import cli

from .containerfile import FILE, ROOT, read_stages

FOLDER = ROOT / "docs" / "hosting"
UNITS = sorted(path for path in FOLDER.iterdir() if path.suffix in (".service", ".timer", ".conf"))
UNITS = [unit for unit in UNITS if unit.name != "nginx.conf"]


class Unit(configparser.RawConfigParser):
    """A unit file: names matter as they are written, and may come more than once."""

    optionxform = staticmethod(str)  # type: ignore[assignment]  # as the standard library says it is done

    def __init__(self) -> None:
        super().__init__(strict=False, delimiters=("=",), comment_prefixes=("#",))


@pytest.mark.parametrize("file", UNITS, ids=lambda file: str(file.name))
def test_units_are_unit_files(file: Path) -> None:
    """Sections with names and values; systemd itself looks at them where it is installed."""
    unit = Unit()
    unit.read_string(file.read_text())
    assert unit.sections()
    assert all(value for section in unit.sections() for value in unit[section].values() if value != "")


@pytest.mark.parametrize("name", ["companion.service", "companion-backup.service"])
def test_services_run_what_there_is(name: str) -> None:
    """Their command is one of ours, and they run as nobody who matters."""
    unit = Unit()
    unit.read_string((FOLDER / name).read_text())
    service = unit["Service"]
    words = shlex.split(service["ExecStart"])
    if words[0] == "/bin/sh":
        words = shlex.split(re.sub(r"\$\([^()]*\)", "x", words[-1]).removeprefix("exec "))
    assert words[0] == "/opt/companion/.venv/bin/companion"
    cli._parser().parse_args(words[1:])
    assert service["User"] == "companion"
    for hardening in ("NoNewPrivileges", "PrivateTmp", "ProtectHome", "PrivateDevices", "LockPersonality"):
        assert service[hardening] == "yes"
    assert service["ProtectSystem"] == "strict"


def read_blocks(text: str) -> list[tuple[int, str]]:
    """The statements for nginx, with how deep they stand. :raises ValueError: for half ones."""
    depth, found, statement = 0, [], ""
    for char in re.sub(r"#[^\n]*", "", text):
        if char == "{":
            found.append((depth, f"{statement.strip()} {{"))
            depth, statement = depth + 1, ""
        elif char in ";}":
            if char == ";":
                found.append((depth, statement.strip()))
            elif statement.strip() or not depth:
                raise ValueError(f"not ended: {statement.strip()}")
            depth, statement = depth - (char == "}"), ""
        else:
            statement += char
    if depth or statement.strip():
        raise ValueError(f"not ended: {statement.strip()}")
    return found


def test_nginx_says_who_called() -> None:
    """What callers wrote is not handed on, idle connections are not used too late, nothing is logged."""
    said = [statement for _depth, statement in read_blocks((FOLDER / "nginx.conf").read_text())]
    for needed in (
        "proxy_set_header Host $http_host",
        "proxy_set_header X-Forwarded-For $remote_addr",
        "proxy_set_header X-Forwarded-Proto $scheme",
        "access_log off",
        "keepalive_timeout 20s",
        "ssl_protocols TLSv1.2 TLSv1.3",
    ):
        assert needed in said


@pytest.mark.parametrize("half", ["server { listen 80; ", "listen 80", "server { listen 80 }", "}"])
def test_a_half_configuration_is_none(half: str) -> None:
    """So that the test above can fail."""
    with pytest.raises(ValueError, match="not ended"):
        read_blocks(half)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Caddyfile", "keepalive 20s"),
        ("Caddyfile.home", "tls internal"),
        ("Caddyfile.home", "https://{$ADDRESS}:8443"),
    ],
)
def test_caddy_says_who_called(name: str, said: str) -> None:
    """The same of the other proxy."""
    text = (FOLDER / name).read_text()
    assert text.count("{\n") == len(re.findall(r"^\s*}$", text, re.MULTILINE))
    for needed in (
        "header_up X-Forwarded-For {remote_host}",
        "header_up -X-Forwarded-Prefix",
        "reverse_proxy 127.0.0.1:5000",
        said,
    ):
        assert needed in text


def test_the_settings_can_be_read() -> None:
    """One NAME=VALUE a line."""
    for line in (FOLDER / "companion.env").read_text().splitlines():
        assert re.fullmatch(r"#.*|(# )?COMPANION_[A-Z_]+=\S+|", line), line


def test_the_script_is_one() -> None:
    """A shell reads it; it may be run."""
    script = FOLDER / "companion.sh"
    subprocess.run(["sh", "-n", script], check=True)
    assert script.stat().st_mode & 0o111


SETTINGS = """\
# COMPANION_LOG=json
; COMPANION_PREFIX=/none

COMPANION_HOSTS=club.example www.club.example
  COMPANION_SECRET_KEY_FALLBACKS="one two"
COMPANION_DATABASE=postgresql://me:a$b`c@db/companion?sslmode=verify-full&connect_timeout=5
COMPANION_SECRET_KEY='it is "mine" \\'
COMPANION_PROXIES=1"""
READ = {
    "COMPANION_INSTANCE": "/var/lib/companion",
    "COMPANION_HOSTS": "club.example www.club.example",
    "COMPANION_SECRET_KEY_FALLBACKS": "one two",
    "COMPANION_DATABASE": "postgresql://me:a$b`c@db/companion?sslmode=verify-full&connect_timeout=5",
    "COMPANION_SECRET_KEY": 'it is "mine" \\',
    "COMPANION_PROXIES": "1",
}


def test_the_script_reads_settings_as_the_service_does(tmp_path: Path) -> None:
    """Each value as it stands, whatever it would mean to a shell; quotes around it are left out."""
    settings = tmp_path / "companion.env"
    settings.write_text(SETTINGS)
    script = (FOLDER / "companion.sh").read_text().replace("/etc/companion.env", str(settings))
    script = script.replace("runuser -u companion -- /opt/companion/.venv/bin/companion", "env -0")
    shown = subprocess.run(["sh", "-c", script], env={}, check=True, capture_output=True, text=True).stdout
    found = dict(line.split("=", 1) for line in shown.split("\0") if line)
    assert {name: value for name, value in found.items() if name.startswith("COMPANION_")} == READ


# --- the container ---------------------------------------------------------------------------------


def test_the_container_is_built_of_what_there_is() -> None:
    """Every file that is copied is there and let in, and packages come by their hashes."""
    build, last = read_stages(FILE.read_text())
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[0] == "!"}
    for said in build.find("COPY"):
        for source in said.split()[:-1]:
            assert (ROOT / source).exists(), source
            assert source in let_in, source
    [install] = [said for said in build.find("RUN") if "run.lock" in said]
    assert "--require-hashes" in install
    assert last.find("COPY") == ["--from=build /opt/companion /opt/companion"]


def test_the_container_runs_without_rights() -> None:
    """As a user that is not root, with all it keeps in one volume, and a check that it is well."""
    last = read_stages(FILE.read_text())[-1]
    words = [word for word, _said in last.steps]
    assert words.index("USER") < words.index("CMD")
    assert int(last.find("USER")[-1]) > 0
    assert last.find("VOLUME") == [last.environment["COMPANION_INSTANCE"]]
    program, *arguments = last.command
    assert program == "companion"
    asked = cli._parser().parse_args(arguments)
    assert f":{asked.port}/healthz" in " ".join(last.health_check)
    assert last.find("EXPOSE") == [str(asked.port)]


def test_no_image_is_left_to_chance() -> None:
    """What is no instruction is refused; arguments are filled in."""
    with pytest.raises(ValueError, match="no instruction"):
        read_stages("FROM a\nrun it")
    assert {stage.base for stage in read_stages(FILE.read_text())} == {"docker.io/library/debian:12-slim"}


# --- where the programs are there ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["companion.service", "companion-backup.timer"])
def test_systemd_understands_them(name: str, tmp_path: Path) -> None:
    """As far as it is installed; elsewhere they are only read, above."""
    program = shutil.which("systemd-analyze")
    for item in ("companion.service", "companion-backup.service", "companion-backup.timer"):
        text = (FOLDER / item).read_text()
        # The program and the user are not on this machine.
        text = re.sub(r"^ExecStart=.*", "ExecStart=/bin/true", text, flags=re.MULTILINE)
        (tmp_path / item).write_text(text)
    if program is not None:
        found = subprocess.run([program, "verify", tmp_path / name], capture_output=True, text=True)
        assert [line for line in found.stderr.splitlines() if "companion" in line] == []
    assert Unit().read(tmp_path / name)
