"""The Containerfile read line by line, as far as it goes: no image is built by it."""

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT / "Containerfile"


@dataclass
class Stage:
    """One image: its steps in order, and what holds at its end."""

    name: str
    base: str
    steps: list[tuple[str, str]] = field(default_factory=list)

    def find(self, word: str) -> list[str]:
        return [said for found, said in self.steps if found == word]

    @property
    def environment(self) -> dict[str, str]:
        pairs = (pair.partition("=") for said in self.find("ENV") for pair in shlex.split(said))
        return {name: value for name, _equals, value in pairs}

    @property
    def command(self) -> list[str]:
        return [str(word) for word in json.loads(self.find("CMD")[-1])]

    @property
    def health_check(self) -> list[str]:
        """What says whether such a container is well."""
        return [str(word) for word in json.loads(self.find("HEALTHCHECK")[-1].partition("CMD ")[2])]


def read_stages(text: str) -> list[Stage]:
    """Its stages, with their arguments filled in. :raises ValueError: for what is no instruction."""
    lines = re.sub(r"\\\n", " ", text).splitlines()
    stages: list[Stage] = []
    arguments: dict[str, str] = {}
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        word, _space, said = line.partition(" ")
        if not re.fullmatch(r"[A-Z]+", word) or not said:
            raise ValueError(f"no instruction: {line}")
        if word == "ARG":
            name, _equals, default = said.partition("=")
            arguments[name] = default
        elif word == "FROM":
            base, _as, name = said.partition(" AS ")
            stages.append(Stage(name or f"{len(stages)}", _fill(base, arguments)))
        else:
            stages[-1].steps.append((word, said))
    return stages


def _fill(text: str, arguments: dict[str, str]) -> str:
    return re.sub(r"\$\{(\w+)\}", lambda name: arguments[name[1]], text)
