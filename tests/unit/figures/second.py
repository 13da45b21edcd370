"""The figures of a player counted a second time, member by member, from what `score --json` prints."""

from collections import Counter
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from itertools import groupby
from typing import Any

PLAYED = ("made", "bait", "tie", "penalty", "finished", "false-finish")


def count_again(
    player: str, shown: list[dict[str, Any]], written: list[list[dict[str, Any]]], lines: list[list[Any]]
) -> dict[str, Any]:
    """What `figures --json` is to print over these records; the names are clean.

    `written` are the entries of the records, `lines` how what was made in each of them adds up.
    """
    records = [
        {**record, "file": file, "seat": "ABCDEF"[record["players"].index(player)]}
        | {"written": written[file - 1], "lines": lines[file - 1]}
        for file, record in enumerate(shown, 1)
        if player in record["players"]
    ]
    for record in records:
        record["side"] = _side(record, record["seat"])
    finished = [record for record in records if record["status"] == "finished"]
    deals = [
        {**row, "file": record["file"], "seat": record["seat"], "own": record["side"]}
        | {"written": record["written"][row["n"] - 1], "lines": record["lines"][row["n"] - 1]}
        | {"freed": sum(record["entries"][row["n"] - 2]["held"] if row["n"] > 1 else []) - sum(row["held"])}
        | {"declarers": row["declarer"] and _side(record, row["declarer"])}
        for record in records
        for row in record["entries"]
        if row["type"] == "deal"
    ]
    played = [deal for deal in deals if deal["result"] in PLAYED]
    mine = [deal for deal in played if deal["declarer"] == deal["seat"]]
    theirs = [deal for deal in played if deal["declarer"] and deal["declarers"] != deal["own"]]
    offers = [deal for deal in deals if deal["result"] == "offer"]
    trumps = [trump for trump in ("S", "H", "D", "C", "NT") if any(deal["trump"] == trump for deal in mine)]
    best = sorted(played, key=lambda deal: -deal["scored"][deal["own"]])[:1]
    behind = [
        {"points": _best_other(row["totals"], record["side"]) - row["totals"][record["side"]]}
        | {"file": record["file"], "entry": row["n"]}
        for record in finished
        if record["winner"] == record["side"]
        for row in record["entries"]
    ]
    behind = sorted((lead for lead in behind if lead["points"] > 0), key=lambda lead: -lead["points"])
    return {
        "player": player,
        "matches": {
            "played": len(finished),
            "won": sum(record["winner"] == record["side"] for record in finished),
            "lost": sum(
                record["winner"] not in (None, record["side"]) or record["side"] in record.get("losers", [])
                for record in finished
            ),
            "drawn": sum(record["winner"] is None and "losers" not in record for record in finished),
            "open": sum(record["status"] in ("playing", "abandoned") for record in records),
        },
        "deals": {
            "played": len(played),
            "won": len([deal for deal in played if _outcome(deal) > 0]),
            "lost": len([deal for deal in played if _outcome(deal) < 0]),
            "drawn": len([deal for deal in played if _outcome(deal) == 0]),
            "thrown_in": len([deal for deal in deals if deal["result"] == "thrown-in"]),
            "offers": len(offers),
            "void": len([deal for deal in deals if deal["result"] == "void"]),
        },
        "declarer": _contracts(mine),
        "defender": _contracts(theirs),
        "elder": _won([deal for deal in played if deal["elder"] == deal["seat"]]),
        "dealer": _won([deal for deal in played if deal["dealer"] == deal["seat"]]),
        "suits": {trump: _ends([deal for deal in mine if deal["trump"] == trump]) for trump in trumps},
        "offers": {
            "taken": len(offers),
            "got": sum(deal["scored"][deal["own"]] for deal in offers),
            "given": sum(_best_other(deal["scored"], deal["own"]) for deal in offers),
        },
        "streaks": {
            "matches": _longest([record["winner"] == record["side"] for record in finished]),
            "deals": _longest([_outcome(deal) > 0 for deal in played]),
        },
        "best_deal": next(
            (
                {"written": deal["scored"][deal["own"]], "file": deal["file"], "entry": deal["n"]}
                for deal in best
            ),
            None,
        ),
        "comeback": behind[0] if behind else None,
        "durak": _hands([record for record in records if record["game"] == "durak"]),
        "held": {
            "won": sum(max(deal["freed"], 0) for deal in played if _outcome(deal) > 0),
            "lost": sum(max(deal["freed"], 0) for deal in played if _outcome(deal) < 0),
        },
        **_melds([deal for deal in played if {"count", "tricks"} & {*deal["written"]}]),
        "margin": {"per_deal": _margin(played), "per_offer": _margin(offers)},
        **_courses([record for record in records if record["game"] == "durak"]),
        "objections": _objections(records),
    }


def _margin(deals: list[dict[str, Any]]) -> str | None:
    return _mean([deal["scored"][deal["own"]] - _best_other(deal["scored"], deal["own"]) for deal in deals])


def _melds(deals: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """What was declared; it counted where it stands among the lines of the player's side."""
    counts: dict[str, Counter[str]] = {"runs": Counter(), "fours": Counter(), "belas": Counter()}
    for deal in deals:
        written, seat = deal["written"], deal["seat"]
        if "penalty" in written:
            continue
        counts["runs"]["known"] += 1
        words = {line.word for line in deal["lines"] if line.side == deal["own"]}
        melds = bool({word[:3] for word in words} & {"run", "fou"}) and seat not in written.get(
            "forfeits", ()
        )
        declared = {
            "runs": (sum(run["seat"] == seat for run in written.get("runs", ())), melds),
            "fours": (sum(four["seat"] == seat for four in written.get("fours", ())), melds),
            "belas": (int(written.get("bela") == seat), "bela" in words),
        }
        for name, (number, counted) in declared.items():
            counts[name]["declared"] += number
            counts[name]["stood" if counted else "lost"] += number
    names = ("declared", "stood", "lost")
    found = {name: {part: count[part] for part in names} for name, count in counts.items()}
    return found | {"runs": {"known": counts["runs"]["known"], **found["runs"]}}


def _courses(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Of hands: how they were followed, who went out when, and who lost by seat and after whom."""
    bouts = dict.fromkeys(("followed", "picked_up", "beaten_off", "transfers"), 0)
    places: list[int] = []
    by: dict[str, dict[str, dict[str, int]]] = {"seats": {}, "after": {}}
    for record in records:
        seat, players = record["seat"], record["players"]
        before = players["ABCDEF".index(seat) - 1]
        for row, written in zip(record["entries"], record["written"], strict=True):
            if row["result"] not in ("loss", "draw") or row["type"] != "hand":
                continue
            for part, key in (("seats", seat), ("after", before)):
                count = by[part].setdefault(key, {"hands": 0, "fools": 0})
                count["hands"] += 1
                count["fools"] += row["loser"] == record["side"]
            if seat in (row["order"] or ()):
                places.append(row["order"].index(seat) + 1)
            bouts["followed"] += bool(written.get("bouts"))
            for bout, faced in _faced(written, len(players)):
                if bout["result"] == "cancelled":
                    continue
                if faced == seat:
                    bouts["picked_up" if bout["result"] == "picked-up" else "beaten_off"] += 1
                bouts["transfers"] += sum(each["by"] == seat for each in bout.get("transfers", ()))
    went = {"hands": len(places), "first": places.count(1), "mean_place": _mean(places)}
    return {"bouts": bouts, "out": went, **by}


def _objections(records: list[dict[str, Any]]) -> dict[str, int]:
    """An objection is withdrawn too where the side agrees to the entry later."""
    count = dict.fromkeys(("raised", "corrected", "ruled", "withdrawn"), 0)
    for record in records:
        pending: Counter[int] = Counter()
        for remark in record.get("remarks", ()):
            entry = remark["entry"]
            if remark["by"] != record["side"]:
                continue
            if remark["kind"] == "object":
                count["raised"] += 1
                pending[entry] += 1
            elif remark["kind"] == "agree":
                count["withdrawn"] += pending.pop(entry, 0)
            else:
                pending[entry] -= 1
                if "how" in remark:
                    count["corrected" if remark["how"] == "amended" else remark["how"]] += 1
    return count


def _faced(written: dict[str, Any], size: int) -> Iterator[tuple[dict[str, Any], str]]:
    """Every attack with the player whom it faced in the end."""
    out: set[str] = set()
    for n, bout in enumerate(written.get("bouts") or ()):
        if "walked_out" in written and written.get("walked_after") == n:
            out.add(written["walked_out"])
        faced = bout["defender"]
        for each in bout.get("transfers", ()):
            at = "ABCDEF".index(each["by"])
            around = ["ABCDEF"[(at + step) % size] for step in range(1, size)]
            faced = next(seat for seat in around if seat not in out)
        yield bout, faced
        out |= {*bout.get("out", ())} - ({faced} if bout["result"] == "picked-up" else set())


def _side(record: dict[str, Any], seat: str) -> str:
    if len(record["totals"]) == len(record["players"]):
        return seat
    return "A" if seat in "ACE" else "B"


def _best_other(points: dict[str, int], side: str) -> int:
    return max(count for other, count in points.items() if other != side)


def _outcome(deal: dict[str, Any]) -> int:
    own = deal["scored"][deal["own"]]
    return 0 if deal["result"] == "tie" else own - _best_other(deal["scored"], deal["own"])


def _won(deals: list[dict[str, Any]]) -> dict[str, int]:
    return {"deals": len(deals), "won": sum(_outcome(deal) > 0 for deal in deals)}


def _ends(deals: list[dict[str, Any]]) -> dict[str, int]:
    results = [deal["result"] for deal in deals]
    ends = {"made": results.count("made"), "baited": results.count("bait"), "tied": results.count("tie")}
    return {"deals": len(deals), **ends}


def _contracts(deals: list[dict[str, Any]]) -> dict[str, Any]:
    ends = _ends(deals)
    return ends | {
        "other": len(deals) - ends["made"] - ends["baited"] - ends["tied"],
        "mean_made": _mean([deal["made"][deal["own"]] for deal in deals if deal["made"] is not None]),
        "mean_written": _mean([deal["scored"][deal["own"]] for deal in deals]),
    }


def _mean(points: list[int]) -> str | None:
    if not points:
        return None
    with localcontext(rounding=ROUND_HALF_EVEN):
        return str(round(Decimal(sum(points)) / len(points), 2)).replace("-0.00", "0.00")


def _longest(won: list[bool]) -> int:
    return max((len([*same]) for is_won, same in groupby(won) if is_won), default=0)


def _hands(records: list[dict[str, Any]]) -> dict[str, int] | None:
    if not records:
        return None
    rows = [(record["side"], row) for record in records for row in record["entries"]]
    hands = [(side, row) for side, row in rows if row["type"] == "hand"]
    return {
        "hands": sum(row["result"] in ("loss", "draw") for _side, row in hands),
        "fools": sum(row["result"] == "loss" and row["loser"] == side for side, row in hands),
        "draws": sum(row["result"] == "draw" for _side, row in hands),
        "touches": sum(row["type"] == "touch" and row["scored"][side] > 0 for side, row in rows),
        "matchsticks": sum(record["totals"][record["side"]] for record in records),
    }
