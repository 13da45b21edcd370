"""Whatever stands in a question's address, the page answers: a verdict in words, or what is wrong."""

import random
import re
from urllib.parse import urlencode

import pytest
from tiers import is_nightly, mostly_at_night

from companion import library
from companion.wording.rulings import VERDICTS
from tests.web.browsers import Browser

VALUES = [
    "A", "B", "H", "NT", "AH", "10H", "JH", "9H", "KH", "QH", "7H", "9h", "th", "none", "run", "yes", "no",
    "3", "4", "0", "82", "-5", "+7", "99999999999", "x", "", "\x00", "\ud83d", "💥", "²", "٣", "1 2 3",
    "20+1", "pass", "play", "play S", "ask", "once", "offer", "offer 20", "counter", "revoke", "result",
    "true", "null", "schmeiss", "7S 10S", "A 7S", "B 10S 7S", "B pick-up", "defender pick-up", "attacker",
    "teams-6", "52", "loss", "dealt", "play NT", "C", "zensa", "on"
]  # fmt: skip
NAMES = """
hand trick trump card elder leader last seat said_at played turn_up cards_played with turned calls declarer
dealer made.A made.B totals.A totals.B held trickless caller at after_trick took_trick next_card cards jass
runs offence by points.cards points.runs points.bela taken_back count.cards.A count.cards.B count.jass out
bela declared.0.seat declared.0.cards declared.1.length declared.1.top declared.11.top declared.99.top hands.A
hands.B asked_rost rows.declared rows.runs runs.0.top runs.0.length add.trick drop.trick clear.hand drop.calls
more.declared say.calls points.calls deals.calls add. say.x rule-target rule-penalty preset nothing
attacker defender by table table steps steps steps.0.seat steps.0.card steps.1.pick_up steps.1.beats talon
cards.A cards.B rows.cards.A attack got exhausting_round result loser deals lowest_trump defender_cards
stopped players players rule-deck rule-format lay.table play.steps undo.steps next.steps next.table picking_up
fours.0.seat fours.0.rank rows.fours stake doubled_last wrote should cut rule-melds rule-dive rule-schmeiss
"""
CODES = {verdict for _question, verdict in VERDICTS if verdict != "*"}


@pytest.mark.slow
@mostly_at_night("game", library.names(), {"deberts", "coinche", "durak"})
def test_no_address_breaks_the_page(client: Browser, game: str) -> None:
    """Addresses at random of each question: never an error of ours, never a verdict by its code."""
    for question in library.open_game(game).family.questions:
        chance = random.Random(f"{game} {question}")
        for _time in range(20 if is_nightly() else 4):
            address = f"/en/ask/{game}/{question}?{any_query(chance)}"
            answer = client.get(address)
            assert answer.status_code in (200, 400, 422), address
            for verdict in re.findall(r'class="verdict-line">(.*?)</h1>', answer.text):
                assert verdict not in CODES, address
            if answer.status_code != 200:
                assert "No answer yet." in answer.text, address


def any_query(chance: random.Random) -> str:
    """Facts and commands of any question, in any order, as a query."""
    names = NAMES.split()
    typed = [(chance.choice(names), chance.choice(VALUES)) for _fact in range(chance.randint(0, 14))]
    return urlencode([*typed, ("asked", "1")], errors="surrogatepass")
