"""A hand that is followed bout by bout on its page, tap by tap."""

import re
from html import unescape
from typing import Any

from flask.testing import FlaskClient


class Hand:
    """A hand that is followed by taps, as a page just loaded sends them."""

    def __init__(self, client: FlaskClient, id: str) -> None:
        self.client, self.at = client, f"/en/m/{id}/hand/follow"

    @property
    def page(self) -> str:
        answer = self.client.get(self.at)
        assert answer.status_code == 200
        return str(answer.text)

    @property
    def now(self) -> str:
        """The large sentence: who attacks whom, or how it ended."""
        return heading(self.page)

    def tap(self, do: str, *out: str, seq: str = "", key: str = "") -> Any:
        carried = dict(re.findall(r'name="(form_key|seq)" value="([^"]*)"', self.page))
        data = {**carried, "do": do, "out": list(out)}
        data |= {name: value for name, value in (("seq", seq), ("form_key", key)) if value}
        return self.client.post(self.at, data=data)

    def tap_and_read(self, do: str, *out: str) -> str:
        """The large sentence after one tap that was taken."""
        answer = self.tap(do, *out)
        assert answer.status_code == 303, heading(answer.text) + answer.text
        return self.now


def heading(page: str) -> str:
    found = re.search(r"<h1>(.*?)</h1>", page, re.S)
    assert found, page
    text = re.sub(r'<span class="unseen">.*?</span>', "", found[1])
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", text).split()))
