"""The app on the home screen: a browser finds nothing that keeps it from being installed."""

import json
from collections.abc import Callable

import pytest
from browsing import Accessible, begin
from phone import Phone, Server
from playwright.sync_api import expect
from typed import expect_taken_up, wait_until_saved

pytestmark = pytest.mark.profile  # nothing is installed from a private window


def test_it_can_be_installed(phone: Phone) -> None:
    """The browser reads the manifest without an error, and would install what it describes.

    The shell without windows finds nothing to object to, ever; a whole Chromium does look.
    """
    session = phone.context.new_cdp_session(phone.open())
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["start_url"] == "/en/"
    assert manifest["manifest"]["id"] == manifest["manifest"]["scope"] == f"{phone.server.address}/"
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_without_a_safe_connection_drafts_are_kept(
    make_phone: Callable[..., Phone], server: Server, accessible: Accessible
) -> None:
    """By plain HTTP from another machine there is no worker, switch or program; all else is as it was."""
    phone = make_phone(
        args=["--host-resolver-rules=MAP table.test 127.0.0.1"],
        base_url=server.address.replace("127.0.0.1", "table.test"),
    )
    page = phone.open("/en/new", controlled=False)
    assert page.evaluate("isSecureContext") is False
    page.fill("#name-A", "Wawrzyniec")
    stands = wait_until_saved(page, "#new")
    phone.kill()
    page = phone.open("/en/new", controlled=False)
    expect_taken_up(page, "#new", stands)
    expect(page.get_by_text("This browser cannot keep what is typed")).to_have_count(0)
    begin(page)
    expect(page.locator(".board")).to_be_visible()
    expect(page.locator("#awake")).to_have_count(0)
    expect(page.locator("#kept")).to_be_hidden()
    page.goto("/en/pocket")
    expect(page.locator("#pocket .notice:visible")).to_contain_text("It needs a secure address")
    expect(page.locator("#pocket-actions")).to_be_hidden()
    accessible(page)


INSETS = {"top": 40, "left": 44, "right": 44, "bottom": 34}
OUTSIDE = """insets => {
  const found = [];
  for (const element of document.querySelectorAll('a, button, h1, h2, p, td, th, label')) {
    const box = element.getBoundingClientRect();
    if (!box.width || element.closest('.unseen, .skip, [hidden]')) continue;
    const isFar = box.left < insets.left || box.right > innerWidth - insets.right;
    if (isFar || scrollY + box.top < insets.top) found.push(element.outerHTML.slice(0, 80));
  }
  const last = document.querySelector('.foot a:last-of-type').getBoundingClientRect();
  if (scrollY + last.bottom > document.documentElement.scrollHeight - insets.bottom) found.push('the foot');
  return found;
}"""


def test_nothing_is_under_the_notch(phone: Phone) -> None:
    """On a phone on its side, in a window without bars, nothing lies where the screen is cut out."""
    page = phone.open()
    board = begin(page)
    session = phone.context.new_cdp_session(page)
    session.send("Emulation.setSafeAreaInsetsOverride", {"insets": INSETS})
    page.set_viewport_size({"width": 740, "height": 360})
    for address in ("/en/", "/en/new", board, f"{board}/deal", f"{board}/history", "/en/rules/derda"):
        page.goto(address)
        assert page.evaluate(OUTSIDE, INSETS) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= 740
