"""Is the rest mine: the page of a claim."""

import re

from companion.matches import KeepDraft
from tests.web.browsers import Browser, words

FACTS = "trump=H&leader=A&claimer=A&hands.A=9H&hands.A=AS"


def test_a_broken_claim_shows_the_line(client: Browser) -> None:
    """Each trick with who leads and who takes it, and what each side can still have."""
    page = client.read(f"/en/ask/klaberjass/claim?asked=1&{FACTS}&hands.B=JH&hands.B=7S")
    assert "No, it can be prevented." in page
    assert "In trick 2 Player A leads 9" in page
    assert "Player B takes it" in page
    assert "Points certain with best play 21 34 Points still possible 11–21 34–44" in page


def test_a_good_claim_shows_no_line(client: Browser) -> None:
    """What breaks a claim is shown where something does."""
    page = client.read(f"/en/ask/klaberjass/claim?asked=1&{FACTS}&hands.B=8H&hands.B=7S")
    assert "Yes, Player A can force it." in page
    assert "How it is broken" not in page
    assert "Points certain with best play 35 0 Points still possible 35 0" in page


def test_the_rest_is_claimed_with_a_bidding_kept_for_later(client: Browser) -> None:
    """Trumps and leader are filled in; no declarer, for that would claim the contract and want the counts."""
    id = client.start()
    client.change(id, KeepDraft({"type": "deal", "contract": {"declarer": "B", "trump": "H"}}))
    form = client.get(f"/en/m/{id}/ask/claim").get_data(as_text=True)
    chosen = dict(re.findall(r'type="radio" name="([\w.]+)" value="(\w+)" checked', form))
    assert chosen == {"trump": "H", "leader": "B"}
    sent = "&".join(f"{name}={value}" for name, value in chosen.items())
    answer = client.get(f"/en/m/{id}/ask/claim?asked=1&{sent}&claimer=B&hands.A=7H&hands.B=AH")
    assert answer.status_code == 200 and "Yes, Jan can force it." in words(answer)
