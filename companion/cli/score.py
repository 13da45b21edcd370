"""`companion score`: the result of a match record, as JSON values and in lines to read."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion import library
from companion.matches.plain import show_state
from companion.record.record import FoldedRecord, RecordChain
from companion.rules.message import Message, show_trump
from companion.rules.ruling import Problem

from .language import pgettext, render, say
from .language import say as _
from .reading import answer_lines, print_json, read_document, refuse, report_error


def add_commands(commands: Any) -> None:
    """Add this command to a parser."""
    score = commands.add_parser("score", help=_("show the scores of match records"))
    score.add_argument("files", nargs="*", metavar="FILE", help=_("match record (- for standard input)"))
    score.add_argument("--json", action="store_true", help=_("print one JSON object per record"))
    score.add_argument(
        "--lines", action="store_true", help=_("read one record per line, print one JSON object per line")
    )
    score.set_defaults(run=_score)


def _score(arguments: argparse.Namespace) -> int:
    if arguments.lines:
        scorer = Scorer()

        def answer(document: Any) -> dict[str, Any]:
            shown = scorer.score(document)
            return shown | ({"error": first_problem(shown)} if shown["problems"] else {})

        return answer_lines(answer)
    if not arguments.files:
        raise refuse("FILE", Message("required; a match record (- for standard input)"))
    documents = [read_document(name) for name in arguments.files]
    chain, code = Scorer(documents).chain, 0
    for document in documents:
        folded = chain.fold(document)
        if arguments.json:
            print_json(show_folded(folded))
        else:
            print("\n".join(list_score_lines(folded)))
        if folded.state.problems:
            code = report_error(describe_problem(folded.state.problems[0]))
    return code


class Scorer:
    """Scores records, each after the one that it follows; `documents` are searched for that one."""

    def __init__(self, documents: Sequence[Any] = ()) -> None:
        self.chain = RecordChain(library.open_game, documents)

    def score(self, document: Any) -> dict[str, Any]:
        """Score a record, as JSON values; with its remarks, if there are any.

        :raises Unreadable: if it is no record, or follows a missing one.
        """
        return show_folded(self.chain.fold(document))


def show_folded(folded: FoldedRecord[library.Game]) -> dict[str, Any]:
    """Show a folded record as JSON values."""
    return show_state(folded.game, folded.record, folded.state)


def first_problem(shown: Mapping[str, Any]) -> str:
    """The first problem of a scored record: path, reason and rule on a line, in English."""
    first = shown["problems"][0]
    return f"{first['field']}: {first['reason']}" + (f" ({first['rule']})" if first["rule"] else "")


def describe_problem(problem: Problem) -> str:
    """Describe a problem in the present language."""
    return f"{problem.field}: {render(problem.reason)}{problem.cited}"


def list_score_lines(folded: FoldedRecord[library.Game]) -> Iterator[str]:
    """Describe a scored record: entry by entry with the remarks on each, and the score."""
    shown = show_folded(folded)
    names = dict(zip("ABCDEF", shown["players"], strict=False))
    yield f"{say(folded.game.book.title)}: " + ", ".join(f"{seat} {name}" for seat, name in names.items())
    for row in shown["entries"]:
        facts = "; ".join(render(fact) for fact in _list_facts(folded.game, row))
        what = _name_result(folded.game, row["result"] or row["type"])
        yield f"{row['n']:3}. {what}{f': {facts}' if facts else ''} → {_amounts(row['totals'])}"
        for remark in shown.get("remarks", ()):
            if remark["entry"] == row["n"]:
                yield f"     {render(_describe_remark(folded.game, row['type'], remark))}"
    standing = "; ".join(render(part) for part in _list_standing(shown))
    yield f"{_amounts(shown['totals'])} ({standing})"


def _list_facts(game: library.Game, row: Mapping[str, Any]) -> Iterator[Message]:
    for key, template in (
        ("dealer", Message("dealer {seat}")),
        ("declarer", Message("declarer {seat}")),
        ("loser", Message("loser {seat}")),
    ):
        if row.get(key):
            yield Message(template.template, seat=row[key])
    if row.get("trump"):
        yield Message("trump {suit}", suit=show_trump(row["trump"]))
    if row.get("points") is not None:
        points = say(game.book.words[row["points"]]) if isinstance(row["points"], str) else row["points"]
        yield Message("contract {bid}", bid=f"{points} ×{row['double']}" if row["double"] > 1 else points)
    if any((row.get("made") or {}).values()):
        yield Message("made {amounts}", amounts=_amounts(row["made"]))
    if any((row["scored"] or {}).values()):
        yield Message("scored {amounts}", amounts=_amounts(row["scored"]))
    if row.get("held"):
        yield Message("held {numbers}", numbers=row["held"])
    if row.get("order"):
        yield Message("out {seats}", seats=" ".join(row["order"]))
    if row.get("sixes") is not None:
        yield Message("sixes {number}", number=row["sixes"])


def _name_result(game: library.Game, result: str) -> str:
    """Name the result of an entry, or its type; in the game's own word, if it has one."""
    if result in ("bait", "tie", "belot") and result in game.book.words:
        return say(game.book.words[result])
    known = {
        "made": pgettext("how a deal ended", "made"),
        "bait": pgettext("how a deal ended", "bait"),
        "tie": pgettext("how a deal ended", "tie"),
        "penalty": pgettext("how a deal ended", "penalty"),
        "void": pgettext("how a deal ended", "void"),
        "thrown-in": pgettext("how a deal ended", "thrown-in"),
        "offer": pgettext("how a deal ended", "offer"),
        "misdeal": pgettext("how a deal ended", "misdeal"),
        "loss": pgettext("how a deal ended", "loss"),
        "draw": pgettext("how a deal ended", "draw"),
        "finished": pgettext("what an entry is", "finished"),
        "false-finish": pgettext("what an entry is", "false-finish"),
        "opening": pgettext("what an entry is", "opening"),
        "deal": pgettext("what an entry is", "deal"),
        "hand": pgettext("what an entry is", "hand"),
        "finish": pgettext("what an entry is", "finish"),
        "dive": pgettext("what an entry is", "dive"),
        "pencil": pgettext("what an entry is", "pencil"),
        "adjust": pgettext("what an entry is", "adjust"),
        "concede": pgettext("what an entry is", "concede"),
        "abandon": pgettext("what an entry is", "abandon"),
        "touch": pgettext("what an entry is", "touch"),
        "close": pgettext("what an entry is", "close"),
    }
    return known.get(result, result)


def _describe_remark(game: library.Game, kind: str, remark: Mapping[str, Any]) -> Message:
    """Describe a side's remark on an entry of this kind."""
    facts: dict[str, Any] = {"side": remark["by"]}
    said = [Message("“{text}”", text=remark["text"])] if remark.get("text", "").strip() else []
    match remark["kind"]:
        case "agree":
            return Message("{side} agrees", **facts)
        case "object":
            # The side's own words say more than "another reason".
            reasons = [] if said and remark["reason"] == "other" else [_name_reason(game, kind, remark)]
            totals = [_amounts(remark["totals"])] if "totals" in remark else []
            return Message("{side} objects: {what}", **facts, what=[*reasons, *totals, *said])
    ended = {
        "amended": Message("{side}: the objection is settled, the entry was corrected", **facts),
        "ruled": Message("{side}: the objection is settled, there is a ruling", **facts),
        "withdrawn": Message("{side}: the objection is taken back", **facts),
    }.get(remark.get("how", ""), Message("{side}: the objection is settled", **facts))
    return Message("{sentence} {quoted}", sentence=ended, quoted=said[0]) if said else ended


def _name_reason(game: library.Game, kind: str, remark: Mapping[str, Any]) -> Message:
    from companion.sheets.common import DEAL_REASONS, HAND_REASONS, NO_HAND_REASONS, POINTS_REASONS

    counted = game.family.counted_entry
    of_counted, of_others = (
        (HAND_REASONS, NO_HAND_REASONS) if counted == "hand" else (DEAL_REASONS, POINTS_REASONS)
    )
    reasons = of_counted if kind == counted else of_others
    return reasons.get(remark["reason"], reasons["other"])


def _list_standing(shown: Mapping[str, Any]) -> Iterator[Message | str]:
    """Describe the score in a few words: who has won or pays, who deals and attacks next."""
    yield _describe_status(shown)
    if shown["status"] != "playing" and shown.get("losers"):
        facts = {"sides": ", ".join(shown["losers"]), "forfeit": shown["forfeit"]}
        if shown["forfeit"]:
            yield Message("lost most: {sides}: {forfeit}", **facts)
        else:
            yield Message("lost most: {sides}", **facts)
    if any((shown.get("epaulettes") or {}).values()):
        yield Message("epaulettes {amounts}", amounts=_amounts(shown["epaulettes"]))
    if shown["next_dealer"]:
        yield Message("next dealer {seat}", seat=shown["next_dealer"])
    else:
        yield Message("next dealer to be named")
    if shown.get("next_attacker"):
        facts = {"attacker": shown["next_attacker"], "defender": shown["next_defender"]}
        yield Message("{attacker} attacks {defender}", **facts)


def _describe_status(shown: Mapping[str, Any]) -> Message | str:
    if shown["status"] == "playing":
        return pgettext("how a match stands", "playing")
    if shown["status"] == "abandoned":
        return Message("abandoned")
    by = shown["ended_by"] or ""
    facts = {"winner": shown["winner"], "how": _ENDS.get(by, by)}
    if shown["winner"]:
        return Message("finished, {winner} wins: {how}", **facts)
    return Message("finished: {how}", **facts)


_ENDS = {
    "target": Message("the target was reached"),
    "both-over": Message("several had reached the target"),
    "one-deal": Message("one deal was the game"),
    "deals": Message("the agreed number of deals was played"),
    "penalty": Message("by a penalty"),
    "belot": Message("all cards of a suit were in one hand"),
    "finish": Message("the end was called"),
    "false-finish": Message("the end was called wrongly"),
    "concession": Message("by a concession"),
    "dive": Message("the doubling was refused"),
    "close": Message("the session was closed"),
    "session-losses": Message("the agreed number of losses was reached"),
}
"""The ends of a game or a session."""


def _amounts(by_side: Mapping[str, int]) -> str:
    return " ".join(f"{side} {points}" for side, points in by_side.items())
