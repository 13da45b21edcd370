"""The golden evenings of Durak followed on the page tap by tap: what is written is what they say."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from following import Hand
from tiers import mostly_at_night

from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser

GOLDEN = Path(__file__).parents[2] / "golden"
EVENINGS = sorted(path.stem for path in GOLDEN.glob("durak-*.json"))
REPORTED_SEPARATELY = ("note", "order")
"""What the page of a followed hand does not ask: it derives the order, and a note comes afterwards."""


def follow(hand: Hand, entry: dict[str, Any]) -> None:
    """Every tap that tells this hand, from the deal to who lost it."""
    if entry.get("trump"):
        hand.tap_and_read(f"trump:{entry['trump']}")
    if "misdeal" in entry:
        hand.tap(f"{entry['misdeal']}:{entry['by']}")
        return
    bouts = entry.get("bouts", [])
    if bouts and 'value="first:' in hand.page:
        hand.tap_and_read(f"first:{bouts[0]['attacker']}")
    for n, bout in enumerate(bouts):
        leave(hand, entry, n)
        for transfer in bout.get("transfers", []):
            hand.tap_and_read("transfer:shown" if transfer.get("shown") else "transfer")
            if "card" in transfer:
                hand.tap_and_read(f"card:{transfer['card']}")
        if bout.get("out") and 'value="talon:used-up"' in hand.page:
            hand.tap_and_read("talon:used-up")
        hand.tap_and_read(bout["result"], *bout.get("out", []))
    leave(hand, entry, len(bouts))
    ending = "void" if "loser" not in entry else f"lost:{entry['loser']}" if entry["loser"] else "draw"
    deals = f":{entry['deals']}" if entry.get("deals") else ""
    sixes = {"sixes": str(entry["sixes"])} if "sixes" in entry else {}
    carried = dict(re.findall(r'name="(form_key|seq)" value="([^"]*)"', hand.page))
    answer = hand.client.post(hand.at, data={**carried, "do": ending + deals, **sixes})
    assert answer.status_code == 303, answer.text


def leave(hand: Hand, entry: dict[str, Any], n: int) -> None:
    """Somebody leaves the table after so many bouts."""
    if "walked_out" in entry and entry.get("walked_after", len(entry.get("bouts", []))) == n:
        hand.tap_and_read(f"left:{entry['walked_out']}")


@pytest.mark.slow
@mostly_at_night("evening", EVENINGS, EVENINGS[:1])
def test_an_evening_followed_is_the_evening(client: Browser, evening: str, app: Flask) -> None:
    """Hands that were followed are tapped bout by bout; the entries come out as they stand in the record."""
    record = json.loads((GOLDEN / f"{evening}.json").read_text("utf-8"))["record"]
    head = {key: value for key, value in record.items() if key != "entries"}
    with app.app_context():
        id = app.extensions["matches"].start(head, "the browser of this test", fresh_key())
    for entry in record["entries"]:
        if entry["type"] != "hand" or not ("bouts" in entry or "misdeal" in entry):
            client.write(id, entry)
            continue
        follow(Hand(client, id), entry)
        written = client.log(id)[-1].payload
        expected = {key: value for key, value in entry.items() if key not in REPORTED_SEPARATELY}
        derived = ("dealer", "first_attacker")
        assert {
            key: value for key, value in written.items() if key in expected or key not in derived
        } == expected
    exported = client.get(f"/en/m/{id}/record.json").get_json()
    assert len(exported["entries"]) == len(record["entries"])
