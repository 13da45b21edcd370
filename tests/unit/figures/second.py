"""The figures of a player counted a second time, member by member, from what `score --json` prints."""

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from itertools import groupby
from typing import Any

PLAYED = ("made", "bait", "tie", "penalty", "finished", "false-finish")


def count_again(player: str, shown: list[dict[str, Any]]) -> dict[str, Any]:
    """What `figures --json` is to print over these records; the names are clean."""
    records = [
        {**record, "file": file, "seat": "ABCDEF"[record["players"].index(player)]}
        for file, record in enumerate(shown, 1)
        if player in record["players"]
    ]
    for record in records:
        record["side"] = _side(record, record["seat"])
    finished = [record for record in records if record["status"] == "finished"]
    deals = [
        {**row, "file": record["file"], "seat": record["seat"], "own": record["side"]}
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
    }


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
