"""The words of the arbiter: verdicts as sentences, answers with a label, what one should say.

Nothing of a game stands here: `{bait}` and the like are the game's own words, seats become names. A verdict
that is a seat or a side is found under `*`.
"""

from collections.abc import Mapping

from companion.rules.message import Message, Word

VERDICTS: Mapping[tuple[str, str], Message] = {
    ("play", "legal"): Message("Yes, {card} may be played."),
    ("play", "illegal"): Message("No, {card} may not be played."),
    ("trick", "*"): Message("{verdict} takes the trick."),
    ("runs", "none"): Message("No run counts."),
    ("runs", "both"): Message("Both score half of it."),
    ("runs", "*"): Message("{verdict} scores the runs."),
    ("melds", "none"): Message("No meld counts."),
    ("melds", "both"): Message("Both score half of it."),
    ("melds", "*"): Message("{verdict} scores the melds."),
    ("bela", "counts"): Message("Yes, {bela} counts."),
    ("bela", "does-not-count"): Message("No, {bela} does not count."),
    ("seven", "allowed"): Message("Yes, {seat} may take {take}."),
    ("seven", "not-allowed"): Message("No, the seven stays where it is."),
    ("auction", "open"): Message("Yes. Now {speaks} speaks."),
    ("auction", "contract"): Message("{declarer} plays {trump}."),
    ("auction", "thrown-in"): Message("The cards are thrown in."),
    ("auction", "offer"): Message("The offer is accepted."),
    ("auction", "illegal"): Message("No, this cannot be said here."),
    ("outcome", "made"): Message("{declarer} has made it."),
    ("outcome", "bait"): Message("{bait}: {declarer} made less."),
    ("outcome", "tie"): Message("{tie}: {declarer} made just as much."),
    ("outcome", "lost"): Message("{declarer} made just as much, and that is not enough."),
    ("outcome", "void"): Message("The deal does not count."),
    ("finish", "upheld"): Message("It is enough: {winner} wins."),
    ("finish", "false"): Message("It is not enough: {winner} wins."),
    ("finish", "no-call"): Message("It does not count, and play goes on."),
    ("winner", "play-on"): Message("Nobody has won yet."),
    ("winner", "void"): Message("The deal does not count."),
    ("winner", "*"): Message("{verdict} wins."),
    ("penalty", "bait-on-cards"): Message("{by} loses the whole deal."),
    ("penalty", "replay"): Message("The deal is played again."),
    ("penalty", "runs-lost"): Message("{by} loses the runs."),
    ("penalty", "no-penalty"): Message("It costs nothing."),
    ("count", "possible"): Message("Yes, these counts can be right."),
    ("count", "impossible"): Message("No, these counts cannot be right."),
    ("audit", "clean"): Message("Nothing was wrong."),
    ("audit", "irregular"): Message("Not everything was right."),
    ("claim", "good"): Message("Yes, {claimer} can force it."),
    ("claim", "bad"): Message("No, it can be prevented."),
    ("pencil", "corrected"): Message("Yes, it is corrected."),
    ("pencil", "stands"): Message("No, what {by} wrote stands."),
    ("dive", "may-offer"): Message("Yes, {by} may offer to double."),
    ("dive", "may-not-offer"): Message("No, {by} may not offer to double."),
}

OF_SIDES = {"runs", "winner"}
"""The questions whose verdict may be a side; in others a letter is a seat."""

YES = {"legal", "counts", "allowed", "upheld", "possible", "made", "corrected", "may-offer", "good"}
YES |= {"clean"}
NO = {"illegal", "does-not-count", "not-allowed", "false", "impossible", "bait", "bait-on-cards"}
NO |= {"stands", "may-not-offer", "irregular", "bad"}

PIECES: Mapping[tuple[str, str], tuple[str, Message]] = {
    ("play", "legal"): ("cards", Message("May be played")),
    ("trick", "points"): ("number", Message("Points in it")),
    ("trick", "cards"): ("number", Message("Of these, {cards}", cards=Word("cards"))),
    ("trick", "jass"): ("flag", Message("{word}", word=Word("jass"))),
    ("trick", "nine"): ("flag", Message("{word}", word=Word("nine"))),
    ("runs", "points"): ("row", Message("Points")),
    ("bela", "points"): ("number", Message("Points")),
    ("auction", "round"): ("number", Message("Round")),
    ("auction", "call"): ("number", Message("The wrong call is no.")),
    ("auction", "legal"): ("calls", Message("{speaks} may say")),
    ("auction", "points"): ("number", Message("Points for {to}")),
    ("auction", "deals"): ("number", Message("Further deals by the same player")),
    ("auction", "next_dealer"): ("seat", Message("Deals next")),
    ("outcome", "made"): ("row", Message("Made")),
    ("outcome", "scored"): ("row", Message("Written")),
    ("outcome", "totals"): ("row", Message("Totals")),
    ("outcome", "held"): ("numbers", Message("Held")),
    ("outcome", "next_dealer"): ("seat", Message("Deals next")),
    ("outcome", "winner"): ("side", Message("Wins the game")),
    ("outcome", "stakes"): ("row", Message("Stakes")),
    ("outcome", "may_finish"): ("sides", Message("May say that it is enough")),
    ("winner", "sets"): ("row", Message("Sets")),
    ("winner", "may_finish"): ("sides", Message("May say that it is enough")),
    ("claim", "forced"): ("row", Message("Points certain with best play")),
    ("claim", "range"): ("spans", Message("Points still possible")),
    ("pencil", "corrections"): ("row", Message("Moves")),
    ("dive", "refused"): ("number", Message("Lost where it is refused")),
    ("dive", "accepted"): ("number", Message("The stake where it is accepted")),
    ("dive", "accepted_mars"): ("number", Message("Accepted, and won with {mars}", mars=Word("mars"))),
    ("finish", "came_to"): ("number", Message("Came to")),
    ("finish", "needed"): ("number", Message("Needed")),
    ("penalty", "scored"): ("row", Message("Written")),
    ("penalty", "held"): ("numbers", Message("Held")),
    ("penalty", "next_dealer"): ("seat", Message("Deals next")),
    ("audit", "made"): ("row", Message("Made, as the tricks fell")),
    ("count", "made"): ("row", Message("Made")),
    ("count", "sum"): ("number", Message("Together, without runs and {bela}", bela=Word("bela"))),
    ("count", "bound"): ("bound", Message("Possible")),
    ("count", "nearest"): ("number", Message("The nearest that could be right")),
    ("count", "conflict"): ("told", Message("Not right together; one of it has to go")),
}
"""What of an answer is shown, in this order: how, and under which label."""

SIDES = {"side", "winner", "by"}
SEATS = {"seat", "caller", "claimer", "declarer", "dealer", "next_dealer", "speaks", "to", "leader", "elder"}
"""The facts of requests and answers that are sides, and those that are seats."""

SAYINGS: Mapping[str, Message] = {
    "good": Message("good"),
    "not-good": Message("not good"),
    "how-high": Message("how high?"),
    "in-trumps": Message("in trumps?"),
    "yes": Message("yes"),
    "no": Message("no"),
}
"""What is said of runs, where the game has no word of its own for it."""

CHOICES: Mapping[str, Message] = {
    "play": Message("during play"),
    "result": Message("when writing"),
    "revoke": Message("A wrong card was played"),
    "false-declaration": Message("Something was declared that was not held"),
    "extra-card": Message("A card too many was taken"),
    "wrong-exchange": Message("A card was swapped wrongly"),
    "rost-needless": Message("How high was asked for nothing"),
}
"""Words of requests as players say them."""

FORFEITS: Mapping[str, Message] = {
    "runs": Message("{seat} did not hold the run: it counts for nothing."),
    "needless": Message("{seat} asked how high without need: the runs count for nothing."),
    "bait-on-cards": Message("{seat} loses the whole deal for it."),
}

SETTLED_BY: tuple[tuple[str, str], ...] = (
    ("cards.no-trumps", "play"),
    ("fours.", "runs"),
    ("meld.", "runs"),
    ("end.one-deal", "outcome"),
    ("sets.", "winner"),
    ("dive.", "dive"),
    ("penalty.pencil", "pencil"),
    ("penalty.hundreds", "pencil"),
    ("penalty.corrections", "pencil"),
    ("play.trick", "trick"),
    ("play.claim", "claim"),
    ("play.", "play"),
    ("run.", "runs"),
    ("bela.", "bela"),
    ("seven.", "seven"),
    ("bid.", "auction"),
    ("offer.", "auction"),
    ("cards.values", "trick"),
    ("words.taken", "trick"),
    ("score.doubtful-count", "count"),
    ("score.", "outcome"),
    ("deal.next", "outcome"),
    ("end.finish", "finish"),
    ("end.", "winner"),
    ("penalty.revoke", "penalty"),
    ("penalty.false-claim", "runs"),
    ("penalty.false-declaration", "runs"),
    ("penalty.halves", "penalty"),
    ("penalty.bait-on-cards", "penalty"),
    ("penalty.extra-card", "penalty"),
    ("penalty.wrong-exchange", "penalty"),
)
"""Which question asks about a rule, by the beginning of the family's key; the first that fits."""
