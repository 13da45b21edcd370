"""What a match record comes to, as JSON values and in lines to read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion import library
from companion.record.chain import RecordChain
from companion.rules.schema import to_json


class Scorer:
    """Scores records, each after the one that it follows; `documents` are where that one is looked for."""

    def __init__(self, documents: Sequence[Any] = ()) -> None:
        self.chain = RecordChain(library.open_game, documents)

    def score(self, document: Any) -> dict[str, Any]:
        """What a record comes to, as JSON values; its remarks go with it, where there are any.

        :raises Unreadable: when it is no record, or follows one that is not there.
        """
        folded = self.chain.fold(document)
        game, state = folded.game, folded.state
        return {
            "game": game.name,
            "conventions": dict(game.conventions),
            "players": list(folded.record.head["players"]),
            **game.family.show(state),
            "problems": [problem.plain() for problem in state.problems],
            **({"remarks": to_json(folded.record.remarks)} if folded.record.remarks else {}),
        }


def first_problem(shown: Mapping[str, Any]) -> str:
    """What is wrong first with a record that was scored: place, reason and rule on a line."""
    first = shown["problems"][0]
    return f"{first['field']}: {first['reason']} ({first['rule']})"


def list_score_lines(shown: Mapping[str, Any]) -> Iterator[str]:
    """A record that was scored, to read: entry by entry with what was said of each, and how it stands."""
    names = dict(zip("ABCDEF", shown["players"], strict=False))
    yield f"{shown['game']}: " + ", ".join(f"{seat} {name}" for seat, name in names.items())
    for row in shown["entries"]:
        facts = [f"{key} {row[key]}" for key in ("dealer", "declarer", "loser", "trump") if row.get(key)]
        facts += [
            f"{key} {_amounts(row[key])}" for key in ("made", "scored") if any((row[key] or {}).values())
        ]
        facts += [f"held {', '.join(map(str, row['held']))}"] if row.get("held") else []
        facts += [f"out {' '.join(row['order'])}"] if row.get("order") else []
        facts += [f"sixes {row['sixes']}"] if row.get("sixes") is not None else []
        details = f": {'; '.join(facts)}" if facts else ""
        yield f"{row['n']:3}. {row['result'] or row['type']}{details} → {_amounts(row['totals'])}"
        yield from (_tell_remark(one) for one in shown.get("remarks", ()) if one["entry"] == row["n"])
    yield f"{_amounts(shown['totals'])} ({'; '.join(_standing(shown))})"


def _tell_remark(remark: Mapping[str, Any]) -> str:
    said = {"agree": "agrees", "object": "objects", "settled": "settled"}[remark["kind"]]
    facts = [remark[key] for key in ("reason", "how") if key in remark]
    facts += [_amounts(remark["totals"])] if "totals" in remark else []
    details = f" ({', '.join(facts)})" if facts else ""
    text = f": {remark['text']}" if "text" in remark else ""
    return f"     {remark['by']} {said}{details}{text}"


def _standing(shown: Mapping[str, Any]) -> Iterator[str]:
    """How a match stands, in a few words: who has won or pays, who deals and attacks next."""
    by = f" by {shown['ended_by']}" if shown["ended_by"] else ""
    yield f"{shown['status']}, {shown['winner']} wins{by}" if shown["winner"] else f"{shown['status']}{by}"
    if shown["status"] != "playing" and shown.get("losers"):
        forfeit = f": {shown['forfeit']}" if shown["forfeit"] else ""
        yield f"lost most: {', '.join(shown['losers'])}{forfeit}"
    if any((shown.get("epaulettes") or {}).values()):
        yield f"epaulettes {_amounts(shown['epaulettes'])}"
    yield f"next dealer {shown['next_dealer'] or 'to be named'}"
    if shown.get("next_attacker"):
        yield f"{shown['next_attacker']} attacks {shown['next_defender']}"


def _amounts(by_side: Mapping[str, int]) -> str:
    return " ".join(f"{side} {points}" for side, points in by_side.items())
