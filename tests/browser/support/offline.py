"""What a phone is asked of itself, beside what the server said to the same: without what changes."""

import re
from collections.abc import Iterable
from difflib import unified_diff
from html import unescape
from itertools import islice
from typing import Any

from playwright.sync_api import BrowserContext, Page

_ASK = """async (addresses) => {
  const answers = [];
  for (const address of addresses) {
    const answer = await fetch(address);
    answers.push([answer.status, await answer.text()]);
  }
  return answers;
}"""
_MAIN = re.compile(r"<main\b.*</main>", re.DOTALL)
_CHANGING = (
    (re.compile(r"/static/[0-9a-f]+/"), "/static/VERSION/"),
    # When it came to the server, which the phone learns later.
    (re.compile(r"(older|newer)=[^~\"]*~"), r"\1=THEN~"),
    (re.compile(r' fresh(?=")'), ""),  # an entry that was written a moment ago
    (re.compile(r'(name="(?:csrf_token|form_key)"[^>]*value=")[^"]*'), r"\1ANOTHER"),
)
_RULE = re.compile(r'href="[^"]*/rules/[\w-]+[^"#]*#([\w.-]+)"')

Answers = dict[str, tuple[int, str]]
"""Status and text by address."""


def ask_server(context: BrowserContext, site: str, addresses: Iterable[str]) -> Answers:
    """What the server answers this browser, past its worker."""
    answers: Answers = {}
    for address in addresses:
        answer = context.request.get(site + address, timeout=120_000)
        answers[address] = (answer.status, plain(answer.text()))
    return answers


def ask_phone(page: Page, addresses: Iterable[str]) -> Answers:
    """What a page gets for the same, by the worker."""
    asked = [*addresses]
    answers: list[Any] = page.evaluate(_ASK, asked)
    return {address: (status, plain(text)) for address, (status, text) in zip(asked, answers, strict=True)}


def plain(text: str) -> str:
    """What a page says, without keys of forms and the mark of its version."""
    found = _MAIN.search(text)
    said = found[0] if found else text
    for changing, stays in _CHANGING:
        said = changing.sub(stays, said)
    return said


def cited_rules(text: str) -> list[str]:
    """The ids of the rules that a page names."""
    return [unescape(found) for found in _RULE.findall(text)]


def differences(expected: Answers, actual: Answers) -> list[str]:
    """The addresses at which two answer differently, with the first lines of each."""
    found = []
    for address in expected:
        if expected[address] != actual.get(address):
            here, there = expected[address], actual.get(address, (0, ""))
            lines = unified_diff(here[1].splitlines(), there[1].splitlines(), n=0, lineterm="")
            found.append("\n".join([f"{address}: {here[0]}, {there[0]}", *islice(lines, 2, 10)]))
    return found
