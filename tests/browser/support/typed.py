"""What stands in a form, to be compared with what stands in it again."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

_TYPED = """form => {
  const carried = ["csrf_token", "form_key", "seq", "asked", "shown-game", "shown-preset", "shown-table"];
  const said = [...new FormData(form)].filter(([name, value]) => value !== "" && !carried.includes(name));
  return said.map(String).sort();
}"""
_DRAFTS = """async () => {
  const asked = indexedDB.open("companion", 1);
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore("drafts", { keyPath: "key" });
    asked.result.createObjectStore("waiting", { keyPath: "id", autoIncrement: true });
  };
  await new Promise((done) => { asked.onsuccess = done; });
  const all = asked.result.transaction("drafts").objectStore("drafts").getAll();
  await new Promise((done) => { all.onsuccess = done; });
  asked.result.close();
  return all.result;
}"""


def typed(page: Page, form: str) -> list[str]:
    """All that would be sent, but for what every form carries: `bid,B:H`, in order of the alphabet."""
    found: list[str] = page.locator(form).evaluate(_TYPED)
    return found


def drafts(page: Page) -> list[dict[str, Any]]:
    """What this phone keeps, in order of the forms."""
    found: list[dict[str, Any]] = page.evaluate(_DRAFTS)
    return found


def wait_until_kept(page: Page, form: str) -> list[str]:
    """What stands in the form, as soon as it is in the phone; of a form that has a path of its own."""
    carried = {"csrf_token", "form_key", "seq", "asked", "shown-game", "shown-preset", "shown-table"}
    for _attempt in range(100):
        stands = typed(page, form)
        for draft in drafts(page):
            fields = [f"{name},{value}" for name, value in draft["fields"] if value and name not in carried]
            if sorted(fields) == stands:
                return stands
        page.wait_for_timeout(50)
    raise AssertionError(f"not kept: {typed(page, form)}, but {[one['fields'] for one in drafts(page)]}")


def line(page: Page) -> Locator:
    """The line at a form whose draft was taken up."""
    return page.locator('.draft-line[data-kind="taken-up"]')


def expect_taken_up(page: Page, form: str, stands: list[str]) -> None:
    """All of it stands in the form again, and a line says so."""
    expect(line(page).first).to_be_visible()
    now = typed(page, form)
    assert now == stands, (now, stands)
