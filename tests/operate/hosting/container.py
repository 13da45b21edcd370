"""Does what the Containerfile says, without an engine: `python -m tests.operate.hosting.container ROOT`.

ROOT is a fresh Debian, as `debootstrap --variant=minbase bookworm ROOT` makes it. Each stage is done in a
copy of it, by chroot; at the end the command runs there as the user that is named, without any right of root,
on a network of its own, and is asked by the health check. Needs root.
"""

import os
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .containerfile import FILE, ROOT, Stage, read_stages

_DEVICES = {"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9}
_NOT_SENT: Sequence[str] = ("*.mo", "files")
"""What `.dockerignore` leaves out of what is there."""
_OFFER = (
    "python",
    "-c",
    "import urllib.request as ask; print(ask.urlopen('http://127.0.0.1:5000/pocket/manifest.json').read(70))",
)
"""Prints what the server says of the app for phones: that there is none fails, and is no fault."""
_PATH = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}


@contextmanager
def copied(root: Path) -> Iterator[Path]:
    """A copy of a system, with what its programs expect of a kernel."""
    with tempfile.TemporaryDirectory(prefix="companion-image-") as name, ExitStack() as stack:
        folder = Path(name) / "root"
        subprocess.run(["cp", "-a", root, folder], check=True)
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        # Devices of its own: whatever is deleted there is not the machine's.
        for where, kind in (("proc", "proc"), ("dev", "tmpfs")):
            subprocess.run(["mount", "-t", kind, kind, folder / where], check=True)
            stack.callback(lambda place: subprocess.run(["umount", place], check=True), folder / where)
        (folder / "dev/shm").mkdir()
        for name, number in _DEVICES.items():
            os.mknod(folder / "dev" / name, 0o666 | stat.S_IFCHR, os.makedev(1, number))
            os.chmod(folder / "dev" / name, 0o666)
        os.chmod(folder / "dev/shm", 0o1777)
        yield folder


def build(stage: Stage, folder: Path, built: Mapping[str, Path]) -> None:
    where, environment = "/", dict(_PATH)
    for word, said in stage.steps:
        print(f"[{stage.name}] {word} {said}", flush=True)
        match word:
            case "RUN":
                command = f"mkdir -p {where} && cd {where} && {said}"
                subprocess.run(["chroot", folder, "/bin/sh", "-c", command], env=environment, check=True)
            case "WORKDIR":
                where = said
                put_folder(folder, where)
            case "ENV":
                environment |= stage.environment
            case "COPY":
                *sources, target = shlex.split(said)
                base: Path = ROOT
                separate: Sequence[str] = _NOT_SENT
                if sources[0].startswith("--from="):
                    base, separate = built[sources.pop(0).removeprefix("--from=")], ()
                for source in sources:
                    put(base / source.lstrip("/"), folder, os.path.join(where, target), separate)


def put_folder(folder: Path, where: str) -> None:
    (folder / where.lstrip("/")).mkdir(parents=True, exist_ok=True)


def put(source: Path, folder: Path, target: str, separate: Sequence[str]) -> None:
    """Copy a file, or what is in a folder, as COPY does, but for some names."""
    place = folder / target.lstrip("/")
    if source.is_dir():
        ignore = shutil.ignore_patterns(*separate)
        shutil.copytree(source, place, symlinks=True, dirs_exist_ok=True, ignore=ignore)
    else:
        shutil.copy(source, place / source.name if target.endswith("/") else place)


def as_user(stage: Stage, folder: Path, command: Sequence[str]) -> list[str]:
    """A command as a container of the image runs it."""
    user = stage.find("USER")[-1]
    rights = ["--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs", "--bounding-set", "-all"]
    return ["/usr/sbin/chroot", str(folder), "setpriv", *rights, *command]


def main() -> int:
    """Build all stages, run the last; 1 where it does not get well."""
    root = Path(sys.argv[1])
    stages = read_stages(FILE.read_text())
    with ExitStack() as stack:
        built: dict[str, Path] = {}
        for stage in stages:
            built[stage.name] = stack.enter_context(copied(root))
            build(stage, built[stage.name], built)
        last, folder = stages[-1], built[stages[-1].name]
        environment = _PATH | last.environment
        size = subprocess.run(
            ["du", "-smx", folder], capture_output=True, text=True, check=True
        ).stdout.split()[0]
        print(f"{size} MB")
        server = subprocess.Popen(
            [
                "unshare",
                "--net",
                "sh",
                "-c",
                'ip link set lo up; exec "$@"',
                "sh",
                *as_user(last, folder, last.command),
            ],
            env=environment,
        )
        try:
            for _second in range(60):
                time.sleep(1)
                check = [
                    "nsenter",
                    "--net",
                    "--target",
                    str(server.pid),
                    *as_user(last, folder, last.health_check),
                ]
                if subprocess.run(check, env=environment, stderr=subprocess.DEVNULL).returncode == 0:
                    print("it is well")
                    asked = ["nsenter", "--net", "--target", str(server.pid), *as_user(last, folder, _OFFER)]
                    subprocess.run(asked, env=environment, check=False)
                    return 0
                if server.poll() is not None:
                    break
            print("it does not get well")
            return 1
        finally:
            server.terminate()
            print(f"it ended with {server.wait(60)}")


if __name__ == "__main__":
    sys.exit(main())
