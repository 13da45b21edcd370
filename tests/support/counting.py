"""Questions about counts, drawn at random: of deals that were played, with figures moved, and of any."""

from random import Random
from typing import Any

from dealing import TRICK_GAMES, Played, Table, follow_tricks

from companion import library
from companion.jacknine.phases import count
from companion.rules.cards import Card, Suit, parse_card

KINDS = ("played", "moved", "any")
"""How a count is drawn: as a deal came to it, with a figure or two moved, or any that passes the bounds."""

Request = dict[str, Any]


def list_tables() -> list[Table]:
    """Every game under each of its presets, and with the bare jass free where that is a choice.

    Games in which cards are laid away are left out: those count, and nobody sees them in a trick.
    """
    names = [name for name in TRICK_GAMES if not Table(name).rules.discards]
    tables = [Table(name, preset) for name in names for preset in library.read_rulebook(name).presets]
    bare = [
        Table(name, None, (("bare_jass", "on"),))
        for name in TRICK_GAMES
        if "bare_jass" in library.read_rulebook(name).conventions
    ]
    return tables + bare


def draw_count(random: Random, table: Table, kind: str) -> Request:
    while True:
        request = draw_any(random, table) if kind == "any" else draw_played(random, table)
        if kind == "moved":
            move_figure(random, table, request)
        if kind == "played" or passes_bounds(table, request):
            return request


def ask(table: Table, **facts: Any) -> Request:
    request: Request = {"game": table.name, "question": "count", **facts}
    if table.preset:
        request["preset"] = table.preset
    return request | ({"conventions": dict(table.conventions)} if table.conventions else {})


def play_deal(random: Random, table: Table) -> tuple[Played, str]:
    """A deal that was bid and played, and its trumps."""
    while True:
        played = table.deal(random, "A")
        if isinstance(played, Played):
            turned = played.stated.get("turn_up")
            elder = table.rules.ring.left("A")
            card = turned if turned is None or table.rules.turned_card == "none" else parse_card(turned)
            trump = table.family.bidding(elder, card, played.stated["auction"]).trump
            assert trump is not None
            return played, trump


def draw_played(random: Random, table: Table) -> Request:
    """The count of a deal that was played, with some of what is known of it."""
    rules, ring = table.rules, table.rules.ring
    played, trump = play_deal(random, table)
    stated, tricks = played.stated, played.stated["tricks"]
    piles = sort_tricks(table, tricks, trump)
    known: dict[str, Any] = {
        "tricks": {side: len(pile) // ring.size for side, pile in piles.items()},
        "bela": stated.get("bela"),
        "last": played.has["last"],
        "taken": {side: random.sample(pile, min(len(pile), 2)) for side, pile in piles.items()},
    }
    if not rules.fours:
        known["runs"] = stated["runs"]
    if rules.turned_card == "out":
        known |= {"turn_up": stated["turn_up"], "exchanged": stated.get("exchanged")}
    if rules.shows_card:
        known["shown"] = stated["shown"]
    if not rules.all_dealt:
        out = set(map(str, rules.pack)) - {card for trick in tricks for card in trick}
        known["out"] = random.sample(sorted(out), 2)
    facts = {name: value for name, value in known.items() if random.random() < 0.25}
    named = facts.keys() & {"turn_up", "exchanged", "out"}
    if named or rules.no_trumps or random.random() < 0.5:
        facts["trump"] = trump
    if random.random() < 0.5:
        return ask(table, made=played.made, **facts)
    return ask(table, count={"cards": played.cards, **played.has}, **facts)


def sort_tricks(table: Table, tricks: list[list[str]], trump: str) -> dict[str, list[str]]:
    """The cards in the tricks of each side."""
    ring = table.rules.ring
    piles = {side: list[str]() for side in ring.sides}
    for by_seat, taker in follow_tricks(table, tricks, ring.left("A"), trump):
        piles[ring.side(taker)] += map(str, by_seat.values())
    return piles


def draw_with_all_taken(random: Random, table: Table) -> Request:
    """The count of a deal that was played, with the cards that each side took, in no order."""
    played, trump = play_deal(random, table)
    piles = sort_tricks(table, played.stated["tricks"], trump)
    facts: dict[str, Any] = {"taken": {side: random.sample(pile, len(pile)) for side, pile in piles.items()}}
    if table.rules.no_trumps or random.random() < 0.5:
        facts["trump"] = trump
    if not table.rules.fours and random.random() < 0.5:
        words = {name: played.stated.get(name) for name in ("runs", "bela")}
        return ask(table, made=played.made, last=played.has["last"], **words, **facts)
    return ask(table, count={"cards": played.cards, **played.has}, **facts)


def draw_any_piles(random: Random, table: Table) -> Request:
    """Any cards in any side's tricks, and what they count: a deal that may be played so or not."""
    rules, trump = table.rules, random.choice([*Suit])
    sides, size = rules.ring.sides, rules.ring.size
    cards = random.sample(rules.pack, rules.in_play)
    piles = {side: list[Card]() for side in sides}
    for n in range(rules.hand):
        piles[random.choice(sides)] += cards[n * size : (n + 1) * size]
    owner = {card: side for side, pile in piles.items() for card in pile}
    has = {word: owner.get(card) for word, card in rules.honours(trump).items()}
    points = {side: sum(rules.card_points(card, trump) for card in pile) for side, pile in piles.items()}
    counted = {"cards": points, "jass": None, "nine": None, **has}
    counted["last"] = random.choice([side for side in sides if piles[side]])
    taken = {side: [str(card) for card in pile] for side, pile in piles.items()}
    return ask(table, count=counted, taken=taken, trump=str(trump))


def move_figure(random: Random, table: Table, request: Request) -> None:
    """Move one figure or two: points from one side to another, more or fewer for one, a word elsewhere."""
    sides = table.rules.ring.sides
    for _ in range(random.choice((1, 1, 2))):
        figures = request.get("made") or request["count"]["cards"]
        words = ["jass", "nine", "last"] if "count" in request and "last" not in request else []
        what = random.choice(["shift", "shift", "more", *words])
        if what in words:
            choices = [*sides, *([None] if what != "last" and not table.rules.all_dealt else [])]
            if request["count"][what] is not None or not table.rules.all_dealt:
                request["count"][what] = random.choice(choices)
            continue
        points, (one, other) = random.randint(1, 40), random.sample(sides, 2)
        if what == "more" and not table.rules.all_dealt:
            points = random.choice((-1, 1)) * random.randint(1, 20)
            figures[one] = max(figures[one] + points, 0)
        else:
            points = min(points, figures[one])
            figures[one] -= points
            figures[other] += points


def draw_any(random: Random, table: Table) -> Request:
    """Any count, with or without trumps and the numbers of tricks."""
    rules, sides = table.rules, table.rules.ring.sides
    facts: dict[str, Any] = {}
    if rules.no_trumps or random.random() < 0.3:
        facts["trump"] = str(random.choice(list(Suit)))
    if random.random() < 0.3:
        taken = [random.choice(sides) for _ in range(rules.hand)]
        facts["tricks"] = {side: taken.count(side) for side in sides}
    if random.random() < 0.3:
        facts["bela"] = random.choice([None, *rules.ring.seats])
    points = random.choice(sorted(count.find_deal_sums(rules)))
    cuts = sorted(random.randint(0, points) for _ in sides[1:])
    made = [high - low for low, high in zip([0, *cuts], [*cuts, points], strict=True)]
    if random.random() < 0.3:
        return ask(table, made=dict(zip(sides, made, strict=True)), **facts)
    nobody = [] if rules.all_dealt else [None]
    words = {"jass": random.choice([*sides, *nobody]), "nine": random.choice([*sides, *nobody])}
    words["last"] = random.choice(sides)
    whole = count.CardCount(dict.fromkeys(sides, 0), words["jass"], words["nine"], words["last"]).made(rules)
    cards = {side: n - whole[side] for side, n in zip(sides, made, strict=True)}
    return ask(table, count={"cards": cards, **words}, **facts)


def passes_bounds(table: Table, request: Request) -> bool:
    """Whether a drawn count says of no side less than nothing, and no single number of it is impossible."""
    counted = request.get("count")
    if counted is None:
        return True
    if min(counted["cards"].values()) < 0:
        return False
    trump = request.get("trump", Suit.HEARTS)
    out = [parse_card(card) for card in request.get("out", ())]
    if any(counted[word] and card in out for word, card in table.rules.honours(trump).items()):
        return False
    return count.check_card_count(table.rules, count.CardCount(**counted), out, trump) is None
