"""A whole match of each game in each language that plays it: who plays, and what is planned in every deal."""

from collections.abc import Mapping
from dataclasses import dataclass, field

LOCALES = {"en": "en-GB", "pl": "pl-PL", "ru": "ru-RU", "uk": "uk-UA", "cs": "cs-CZ", "de": "de-DE"}
NAMES = {
    "en": ("Zoë Featherstonehaugh-Cholmondeley", "Seán O’Brien", "Chloë", "Bartholomew"),
    "pl": ("Świętosława Gżegżółkowska-Źdźbło", "Wawrzyniec", "Łucja", "Józef Brzęczyszczykiewicz"),
    "ru": ("Елизавета Воскресенская-Щёголева", "Фёдор", "Юлия Подъячева", "Съезд"),
    "uk": ("Мар’яна Ґалаґан-Їжакевич-Щербаківська", "Євген", "Юрій Цьомик", "Олексій"),
    "cs": ("Ludmila Čtvrtníčková-Řeháková", "Přemysl Žďárský", "Štěpánka Ďuríčková", "Jiří"),
    "de": ("Brünhilde Süßmeier-Übelhör", "Jörg", "Karl-Friedrich Großschäfer", "Änne Weiß"),
}
PLACES = {"en": "Leith", "pl": "Łódź", "ru": "Щёлково", "uk": "Їжаківці", "cs": "Český Těšín", "de": "Füßen"}


@dataclass(frozen=True)
class DealPlan:
    """A deal as it is tapped: who plays what, or every call; what was declared; what was counted.

    A run is seat, length and highest card (`A:3:K`), four of a kind seat and rank. Each of the `words` goes
    to a side. `counts` are card points, or whole totals where there are no words.
    """

    bid: str = ""
    calls: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    fours: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class MatchPlan:
    """A match to a short end: the game, how it is played, by how many, in which languages; its deals.

    A hand may be `followed` tap by tap (`beaten-off C`: the button, after a tick that C went out); of others
    `fools` says how they ended. `asked` is a question of that game, and what is tapped and typed there.
    """

    game: str
    languages: tuple[str, ...]
    players: int
    deals: tuple[DealPlan, ...] = ()
    followed: tuple[str, ...] = ()
    fools: tuple[str, ...] = ()
    preset: str = ""
    rules: Mapping[str, str] = field(default_factory=dict)
    asked: str = "outcome"
    taps: Mapping[str, str] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=dict)

    @property
    def counts_words(self) -> bool:
        """Whether words are among what was counted."""
        return any(deal.words for deal in self.deals)

    @property
    def name(self) -> str:
        """How it is called among the others."""
        return f"{self.game}-{self.preset}" if self.preset else self.game


def _words(jass: str, nine: str, last: str, **more: str) -> dict[str, str]:
    return {"jass": jass, "nine": nine, "last": last, **more}


_ALL = _words("A", "A", "A")
_MADE = {"declarer": "A"}
_RUNS = {
    "trump": "H",
    "elder": "A",
    "declared.0.length": "3",
    "declared.0.top": "K",
    "declared.1.length": "3",
    "declared.1.top": "A",
}

MATCHES = (
    MatchPlan(
        "derda",
        ("pl",),
        2,
        (
            DealPlan(
                calls=("turn:9H", "call:pass", "call:play"),
                runs=("A:3:K", "B:3:Q"),
                words=_words("A", "B", "A", bela="A"),
                counts={"A": "40", "B": "31"},
            ),
            DealPlan(bid="A:S", counts={"A": "70", "B": "70"}),
            DealPlan(bid="B:D", runs=("B:4:A",), words=_words("A", "A", "B"), counts={"A": "60", "B": "21"}),
        ),
        rules={"target": "350"},
        taps=_MADE,
        typed={"made.A": "82", "made.B": "85"},
    ),
    MatchPlan(
        "klaberjass",
        ("de", "en"),
        2,
        (
            DealPlan(
                calls=("turn:9H", "call:schmeiss", "call:force"),
                runs=("A:3:K",),
                words=_words("B", "B", "A"),
                counts={"A": "20", "B": "40"},
            ),
            DealPlan(
                bid="B:S",
                runs=("B:4:A",),
                words=_words("A", "A", "A", bela="A"),
                counts={"A": "60", "B": "30"},
            ),
        ),
        rules={"target": "150", "schmeiss": "on"},
        taps=_MADE,
        typed={"made.A": "82", "made.B": "85"},
    ),
    MatchPlan(
        "klaberjass",
        ("de",),
        2,
        (DealPlan(bid="A:H", fours=("A:J",), runs=("B:3:Q",), words=_ALL, counts={"A": "60", "B": "20"}),),
        preset="zensa",
        rules={"target": "250"},
        asked="runs",
        taps=_RUNS,
    ),
    MatchPlan(
        "klaberjass-3",
        ("de", "en"),
        3,
        (
            DealPlan(
                bid="A:S",
                runs=("C:3:K",),
                words=_words("A", "B", "C"),
                counts={"A": "30", "B": "20", "C": "25"},
            ),
            DealPlan(
                bid="B:H", words=_words("B", "A", "B", bela="B"), counts={"A": "31", "B": "40", "C": "11"}
            ),
        ),
        rules={"target": "120"},
        taps=_MADE,
        typed={"made.A": "42", "made.B": "55", "made.C": "20"},
    ),
    MatchPlan(
        "klaberjass-4",
        ("de", "en"),
        4,
        (
            DealPlan(
                calls=("turn:9H", *["call:pass"] * 6, "call:play NT"),
                words={"last": "B"},
                counts={"B": "80"},
            ),
            DealPlan(bid="B:H", runs=("D:3:K",), words=_words("B", "B", "B"), counts={"A": "30"}),
        ),
        rules={"target": "150"},
        taps=_MADE,
        typed={"made.A": "82", "made.B": "80"},
    ),
    MatchPlan(
        "bulka",
        ("cs",),
        2,
        (
            DealPlan(
                bid="A:H",
                runs=("A:3:K",),
                words=_words("A", "B", "A", bela="A"),
                counts={"A": "40", "B": "30"},
            ),
            DealPlan(bid="B:S", fours=("B:9",), words=_words("A", "A", "A"), counts={"A": "50", "B": "20"}),
        ),
        rules={"target": "200"},
        taps=_MADE,
        typed={"made.A": "82", "made.B": "85"},
    ),
    MatchPlan(
        "darda",
        ("cs",),
        4,
        (
            DealPlan(
                bid="B:H",
                runs=("A:3:A", "B:5:A"),
                fours=("C:9",),
                words=_words("B", "A", "A", bela="B"),
                counts={"A": "60"},
            ),
        ),
        rules={"target": "300"},
        taps=_MADE,
        typed={"made.A": "82", "made.B": "79"},
    ),
    MatchPlan(
        "deberts",
        ("ru", "uk"),
        2,
        (
            DealPlan(
                bid="A:H",
                runs=("A:3:K",),
                words=_words("A", "B", "A", bela="A"),
                counts={"A": "40", "B": "31"},
            ),
            DealPlan(bid="B:S", words=_words("A", "B", "A"), counts={"A": "62", "B": "30"}),
            DealPlan(bid="A:D", runs=("B:4:A",), words=_words("A", "A", "B"), counts={"A": "60", "B": "21"}),
        ),
        rules={"target": "300"},
        taps=_MADE,
        typed={"made.A": "82", "made.B": "85"},
    ),
    MatchPlan(
        "deberts",
        ("uk",),
        2,
        (DealPlan(bid="A:H", words=_words("B", "B", "B"), counts={"A": "20", "B": "40"}),),
        preset="one-blow",
        asked="runs",
        taps=_RUNS,
    ),
    MatchPlan(
        "durak",
        ("ru", "uk"),
        3,
        fools=("B", "draw", "C", "B"),
        preset="standard",
        rules={"session_losses": "2"},
        asked="beat",
        taps={"trump": "H", "attack": "AS", "with": "6H"},
    ),
    MatchPlan(
        "durak",
        ("ru", "uk"),
        4,
        followed=(
            "first:A",
            "trump:H",
            "transfer",
            "beaten-off",
            "transfer",
            "picked-up",
            "talon:used-up",
            "beaten-off D",
            "picked-up C",
            "beaten-off B",
        ),
        fools=("A",),
        preset="perevodnoy",
        rules={"session_losses": "2"},
        asked="next-hand",
        taps={"result": "loss", "loser": "B"},
    ),
)
