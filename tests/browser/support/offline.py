"""What a phone is asked of itself, beside what the server said to the same: without what changes."""

import re
from collections.abc import Iterable
from difflib import unified_diff
from html import unescape
from itertools import islice
from typing import Any

from playwright.sync_api import BrowserContext, Page

_ASK = """async (addresses) => {
  const told = [];
  for (const address of addresses) {
    const answer = await fetch(address);
    told.push([answer.status, await answer.text()]);
  }
  return told;
}"""
_MAIN = re.compile(r"<main\b.*</main>", re.DOTALL)
_CHANGING = (
    (re.compile(r"/static/[0-9a-f]+/"), "/static/VERSION/"),
    (re.compile(r' fresh(?=")'), ""),  # an entry that was written a moment ago
    (re.compile(r'(name="(?:csrf_token|form_key)"[^>]*value=")[^"]*'), r"\1ANOTHER"),
)
_RULE = re.compile(r'href="[^"]*/rules/[\w-]+[^"#]*#([\w.-]+)"')

Told = dict[str, tuple[int, str]]
"""Status and text by address."""


def ask_server(context: BrowserContext, site: str, addresses: Iterable[str]) -> Told:
    """What the server answers this browser, past its worker."""
    told: Told = {}
    for address in addresses:
        answer = context.request.get(site + address, timeout=120_000)
        told[address] = (answer.status, plain(answer.text()))
    return told


def ask_phone(page: Page, addresses: Iterable[str]) -> Told:
    """What a page gets for the same, by the worker."""
    asked = [*addresses]
    told: list[Any] = page.evaluate(_ASK, asked)
    return {address: (status, plain(text)) for address, (status, text) in zip(asked, told, strict=True)}


def plain(text: str) -> str:
    """What a page says, without keys of forms and the mark of its version."""
    found = _MAIN.search(text)
    said = found[0] if found else text
    for changing, stays in _CHANGING:
        said = changing.sub(stays, said)
    return said


def cited_rules(text: str) -> list[str]:
    """The ids of the rules that a page names."""
    return [unescape(one) for one in _RULE.findall(text)]


def differences(one: Told, other: Told) -> list[str]:
    """The addresses at which two tell different things, with the first lines of each."""
    found = []
    for address in one:
        if one[address] != other.get(address):
            here, there = one[address], other.get(address, (0, ""))
            lines = unified_diff(here[1].splitlines(), there[1].splitlines(), n=0, lineterm="")
            found.append("\n".join([f"{address}: {here[0]}, {there[0]}", *islice(lines, 2, 10)]))
    return found
