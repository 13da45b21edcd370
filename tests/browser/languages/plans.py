"""A whole match of each game in each language that plays it: who plays, and what is planned in every deal."""

from collections.abc import Mapping
from dataclasses import dataclass, field

LOCALES = {
    "en": "en-GB",
    "pl": "pl-PL",
    "ru": "ru-RU",
    "uk": "uk-UA",
    "cs": "cs-CZ",
    "de": "de-DE",
    "fr": "fr-FR",
    "hr": "hr-HR",
}
NAMES = {
    "en": ("Zoë Featherstonehaugh-Cholmondeley", "Seán O’Brien", "Chloë", "Bartholomew"),
    "pl": ("Świętosława Gżegżółkowska-Źdźbło", "Wawrzyniec", "Łucja", "Józef Brzęczyszczykiewicz"),
    "ru": ("Елизавета Воскресенская-Щёголева", "Фёдор", "Юлия Подъячева", "Съезд"),
    "uk": ("Мар’яна Ґалаґан-Їжакевич-Щербаківська", "Євген", "Юрій Цьомик", "Олексій"),
    "cs": ("Ludmila Čtvrtníčková-Řeháková", "Přemysl Žďárský", "Štěpánka Ďuríčková", "Jiří"),
    "de": ("Brünhilde Süßmeier-Übelhör", "Jörg", "Karl-Friedrich Großschäfer", "Änne Weiß"),
    "fr": ("Anne-Françoise L’Hermitte-Duchâtel", "Noël", "Cœlia Brûlé", "Jean-Baptiste Sœur"),
    "hr": ("Đurđica Škrlec-Žutobradić", "Ljubiša", "Željka Čavlović", "Njegoslav Ćuk"),
}
PLACES = {
    "en": "Leith",
    "pl": "Łódź",
    "ru": "Щёлково",
    "uk": "Їжаківці",
    "cs": "Český Těšín",
    "de": "Füßen",
    "fr": "L’Haÿ-les-Roses",
    "hr": "Đurđevac",
}


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


def _deal(bidding: str, words: str = "", counts: str = "", runs: str = "", fours: str = "") -> DealPlan:
    """A deal by its bid or its calls; who said jass, nine, the last trick and bela; A40 is 40 for A."""
    is_called = bidding.startswith(("turn:", "call:"))
    return DealPlan(
        bid="" if is_called else bidding,
        calls=tuple(bidding.split(" > ")) if is_called else (),
        runs=tuple(runs.split()),
        fours=tuple(fours.split()),
        words={word: side for word, side in zip(WORDS, words, strict=False) if side != "."},
        counts={count[0]: count[1:] for count in counts.split()},
    )


def _match(
    game: str, languages: str, players: int, target: str, made: str, *deals: DealPlan, **rules: str
) -> MatchPlan:
    """A match to a target, and the question what a deal comes to in which A plays and so much was made."""
    rules = {"target": target, **rules}
    typed = {f"made.{seat}": points for seat, points in zip("ABCD", made.split(), strict=False)}
    taps = {"declarer": "A"}
    return MatchPlan(game, tuple(languages.split()), players, deals, rules=rules, taps=taps, typed=typed)


WORDS = ("jass", "nine", "last", "bela")
_RUNS = {
    "trump": "H",
    "elder": "A",
    "declared.0.length": "3",
    "declared.0.top": "K",
    "declared.1.length": "3",
    "declared.1.top": "A",
}

MATCHES = (
    _match(
        *("derda", "pl", 2, "350", "82 85"),
        _deal("turn:9H > call:pass > call:play", "ABAA", "A40 B31", runs="A:3:K B:3:Q"),
        _deal("A:S", "", "A70 B70"),
        _deal("B:D", "AAB", "A60 B21", runs="B:4:A"),
    ),
    _match(
        *("klaberjass", "de en", 2, "150", "82 85"),
        _deal("turn:9H > call:schmeiss > call:force", "BBA", "A20 B40", runs="A:3:K"),
        _deal("B:S", "AAAA", "A60 B30", runs="B:4:A"),
        schmeiss="on",
    ),
    MatchPlan(
        "klaberjass",
        ("de",),
        2,
        (_deal("A:H", "AAA", "A60 B20", runs="B:3:Q", fours="A:J"),),
        preset="zensa",
        rules={"target": "250"},
        asked="runs",
        taps=_RUNS,
    ),
    _match(
        *("klaberjass-3", "de en", 3, "120", "42 55 20"),
        _deal("A:S", "ABC", "A30 B20 C25", runs="C:3:K"),
        _deal("B:H", "BABB", "A31 B40 C11"),
    ),
    _match(
        *("klaberjass-4", "de en", 4, "150", "82 80"),
        _deal("turn:9H" + " > call:pass" * 6 + " > call:play NT", "..B", "B80"),
        _deal("B:H", "BBB", "A30", runs="D:3:K"),
    ),
    _match(
        *("bulka", "cs", 2, "200", "82 85"),
        _deal("A:H", "ABAA", "A40 B30", runs="A:3:K"),
        _deal("B:S", "AAA", "A50 B20", fours="B:9"),
    ),
    _match(
        *("darda", "cs", 4, "300", "82 79"),
        _deal("B:H", "BAAB", "A60", runs="A:3:A B:5:A", fours="C:9"),
    ),
    _match(
        *("belote", "en pl de", 4, "300", "82 80"),
        _deal("turn:9H" + " > call:pass" * 5 + " > call:play S", "", "A80 B82"),
        _deal("A:H", "", "A252 B0"),
        _deal("B:D", "", "A20 B142"),
    ),
    _match(
        *("clabber", "en hr", 4, "250", "80 82"),
        _deal("turn:9H" + " > call:pass" * 4 + " > call:play S", "AABA", "A40", runs="B:3:K"),
        _deal("A:H", "", "A80 B82"),
    ),
    _match(
        *("bela", "hr de", 4, "300", "82 80"),
        _deal("call:pass > call:pass > call:pass > call:play S", "", "A80 B82"),
        _deal("A:H", "", "A174 B58", runs="A:3:A C:4:Q"),
        _deal("B:D", "", "A20 B142"),
    ),
    _match(
        *("bela-2", "hr de", 2, "190", "80 60"),
        _deal("turn:9H" + " > call:pass" * 3 + " > call:play S", "ABB", "A40 B31"),
        _deal("B:D", "BBA", "A40 B30", runs="A:3:K"),
    ),
    _match(
        *("bela-3", "hr de", 3, "150", "42 90 30"),
        _deal("call:play S", "", "A42 B90 C30"),
        _deal("C:H", "", "A50 B62 C50"),
    ),
    _match(
        *("deberts", "ru uk", 2, "300", "82 85"),
        _deal("A:H", "ABAA", "A40 B31", runs="A:3:K"),
        _deal("B:S", "ABA", "A62 B30"),
        _deal("A:D", "AAB", "A60 B21", runs="B:4:A"),
    ),
    _match(
        *("deberts-3", "ru uk", 3, "120", "42 55 20"),
        _deal("A:S", "ABC", "A30 B20 C25", runs="C:3:K"),
        _deal("B:H", "BABB", "A31 B40 C11"),
    ),
    _match(
        *("deberts-4", "ru uk", 4, "180", "82 80"),
        _deal("turn:9H" + " > call:pass" * 4 + " > call:play S", "BBA", "B70"),
        _deal("B:H", "BBB", "A30", runs="D:3:K"),
    ),
    _match(
        *("deberts-4-alone", "ru uk", 4, "120", "42 50 40 30"),
        _deal("A:S", "ABC", "A30 B20 C25"),
        _deal("B:H", "BBB", "A20 B70 C18"),
    ),
    MatchPlan(
        "deberts",
        ("uk",),
        2,
        (_deal("A:H", "BBB", "A20 B40"),),
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
            *("first:A", "trump:H", "transfer", "beaten-off", "transfer", "picked-up"),
            *("talon:used-up", "beaten-off D", "picked-up C", "beaten-off B"),
        ),
        fools=("A",),
        preset="perevodnoy",
        rules={"session_losses": "2"},
        asked="next-hand",
        taps={"result": "loss", "loser": "B"},
    ),
)
