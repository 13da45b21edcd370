"""The words of the arbiter: verdicts as sentences, answers with labels, next steps.

They name no game: `{bait}` and the like are the game's own words, seats become names. A verdict that is a
seat or a side is found under `*`.
"""

from collections.abc import Container, Mapping

from companion.rules.message import Message, Word

VERDICTS: Mapping[tuple[str, str], Message] = {
    ("play", "legal"): Message("Yes, {card} may be played."),
    ("play", "illegal"): Message("No, {card} may not be played."),
    ("trick", "*"): Message("{verdict} takes the trick."),
    ("look", "allowed"): Message("Yes, you may look."),
    ("look", "not-allowed"): Message("No, you may not look."),
    ("runs", "none"): Message("No run counts."),
    ("runs", "both"): Message("Both score half of it."),
    ("runs", "*"): Message("{verdict} {verdict:scores|score} the runs."),
    ("melds", "none"): Message("No meld counts."),
    ("melds", "both"): Message("Both score half of it."),
    ("melds", "*"): Message("{verdict} {verdict:scores|score} the melds."),
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
    ("finish", "upheld"): Message("It is enough: {winner} {winner:wins|win}."),
    ("finish", "false"): Message("It is not enough: {winner} {winner:wins|win}."),
    ("finish", "no-call"): Message("It does not count, and play goes on."),
    ("winner", "play-on"): Message("Nobody has won yet."),
    ("winner", "void"): Message("The deal does not count."),
    ("winner", "*"): Message("{verdict} {verdict:wins|win}."),
    ("penalty", "bait-on-cards"): Message("{by} {by:loses|lose} the whole deal."),
    ("penalty", "replay"): Message("The deal is played again."),
    ("penalty", "runs-lost"): Message("{by} {by:loses|lose} the runs."),
    ("penalty", "no-penalty"): Message("It costs nothing."),
    ("count", "possible"): Message("Yes, these counts can be right."),
    ("count", "undecided"): Message("Perhaps: nothing was found against these counts."),
    ("count", "impossible"): Message("No, these counts cannot be right."),
    ("audit", "clean"): Message("Nothing was wrong."),
    ("audit", "irregular"): Message("Not everything was right."),
    ("claim", "good"): Message("Yes, {claimer} can force it."),
    ("claim", "bad"): Message("No, it can be prevented."),
    ("pencil", "corrected"): Message("Yes, it is corrected."),
    ("pencil", "stands"): Message("No, what {by} wrote stands."),
    ("dive", "may-offer"): Message("Yes, {by} may offer to double."),
    ("dive", "may-not-offer"): Message("No, {by} may not offer to double."),
    ("turn", "next"): Message("{attacker} attacks {defender}."),
    ("turn", "loser"): Message("The hand is over: {loser} lost."),
    ("turn", "draw"): Message("The hand is over, and a draw."),
    ("throw-in", "allowed"): Message("Yes, {by} may throw in {card}."),
    ("throw-in", "not-allowed"): Message("No, {by} may not throw in {card}."),
    ("transfer", "allowed"): Message("Yes, {card} transfers the attack: {defender} defends."),
    ("transfer", "not-allowed"): Message("No, {defender} may not transfer with {card}."),
    ("beat", "beats"): Message("Yes, {with} beats {attack}."),
    ("beat", "does-not-beat"): Message("No, {with} does not beat {attack}."),
    ("bout", "beaten-off"): Message("Yes, {defender} has beaten off the attack."),
    ("bout", "picked-up"): Message("No, {defender} picks up."),
    ("bout", "open"): Message("Not yet: the bout goes on."),
    ("bout", "illegal"): Message("Step {step} was against the rules."),
    ("six", "allowed"): Message("Yes, the lowest trump may be swapped for {turn_up}."),
    ("six", "not-allowed"): Message("No, the lowest trump may not be swapped."),
    ("next-hand", "next"): Message("{dealer} deals, and {attacker} attacks {defender}."),
}

HEADLINES: Mapping[tuple[str, str], Message] = {
    ("play", "illegal"): Message("{card} may not be played."),
    ("seven", "not-allowed"): Message("No, the seven stays."),
    ("auction", "illegal"): Message("This cannot be said here."),
    ("outcome", "tie"): Message("{tie}: {declarer} made as much."),
    ("outcome", "lost"): Message("Just as much: not enough."),
    ("finish", "false"): Message("Not enough: {winner} {winner:wins|win}."),
    ("finish", "no-call"): Message("The call does not count."),
    ("count", "possible"): Message("These counts can be right."),
    ("count", "undecided"): Message("Undecided."),
    ("count", "impossible"): Message("These counts cannot be right."),
    ("dive", "may-offer"): Message("{by} may double now."),
    ("dive", "may-not-offer"): Message("{by} may not double now."),
    ("turn", "loser"): Message("{loser} lost the hand."),
    ("turn", "draw"): Message("The hand is a draw."),
    ("throw-in", "allowed"): Message("{by} may throw in {card}."),
    ("throw-in", "not-allowed"): Message("{by} may not add {card}."),
    ("transfer", "allowed"): Message("{card} transfers: {defender} defends."),
    ("transfer", "not-allowed"): Message("{defender} may not transfer."),
    ("beat", "does-not-beat"): Message("{with} does not beat {attack}."),
    ("bout", "beaten-off"): Message("{defender} has beaten it off."),
    ("bout", "open"): Message("The bout goes on."),
    ("bout", "illegal"): Message("Step {step} was wrong."),
    ("six", "allowed"): Message("The swap is allowed."),
    ("six", "not-allowed"): Message("The swap is not allowed."),
    ("next-hand", "next"): Message("{dealer} deals, {attacker} attacks {defender}."),
}
"""Verdicts at the head of a page, in five words at most, for those with a longer sentence."""

NEXT_STEPS: Mapping[tuple[str, str], Message] = {
    ("claim", "bad"): Message("Play goes on with open cards, and nothing is lost by it."),
}
"""Next steps where neither the verdict nor the answer states them; a cited rule does."""

JUDGED_CARDS: Mapping[str, str] = {"play": "card", "throw-in": "card", "transfer": "card", "beat": "with"}
"""The fact of a question that is the card its verdict is about."""

OF_SIDES = {"runs", "winner"}
"""The questions whose verdict may be a side; in others a letter is a seat."""

YES = {"legal", "counts", "allowed", "upheld", "possible", "made", "corrected", "may-offer", "good"}
YES |= {"clean", "beats", "beaten-off"}
NO = {"illegal", "does-not-count", "not-allowed", "false", "impossible", "bait", "bait-on-cards", "bad"}
NO |= {"stands", "may-not-offer", "irregular", "does-not-beat", "picked-up"}

PIECES: Mapping[tuple[str, str], tuple[str, Message]] = {
    ("play", "legal"): ("cards", Message("May be played")),
    ("trick", "points"): ("number", Message("Points in it")),
    ("trick", "cards"): ("number", Message("Of these, {cards}", cards=Word("cards"))),
    ("trick", "jass"): ("flag", Message("{word}", word=Word("jass"))),
    ("trick", "nine"): ("flag", Message("{word}", word=Word("nine"))),
    ("runs", "points"): ("row", Message("Points")),
    ("bela", "points"): ("number", Message("Points besides those of the cards")),
    ("auction", "round"): ("number", Message("Round of bidding")),
    ("auction", "call"): ("number", Message("The wrong call is no.")),
    ("auction", "legal"): ("calls", Message("{speaks} may say")),
    ("auction", "points"): ("number", Message("Points for {to}")),
    ("auction", "least"): ("number", Message("The lowest bid")),
    ("auction", "deals"): ("number", Message("Further deals by the same player")),
    ("auction", "next_dealer"): ("seat", Message("Deals next")),
    ("outcome", "made"): ("row", Message("Points made")),
    ("outcome", "scored"): ("row", Message("Points written")),
    ("outcome", "totals"): ("row", Message("Totals")),
    ("outcome", "held"): ("numbers", Message("Points held")),
    ("outcome", "next_dealer"): ("seat", Message("Deals next")),
    ("outcome", "winner"): ("side", Message("Wins the game")),
    ("outcome", "stakes"): ("row", Message("Stakes")),
    ("outcome", "may_finish"): ("sides", Message("May say that it is enough")),
    ("winner", "sets"): ("row", Message("Sets")),
    ("winner", "may_finish"): ("sides", Message("May say that it is enough")),
    ("claim", "forced"): ("row", Message("Points certain with best play")),
    ("claim", "range"): ("spans", Message("Points still possible")),
    ("pencil", "corrections"): ("row", Message("Change in the totals")),
    ("dive", "refused"): ("number", Message("Lost if refused")),
    ("dive", "accepted"): ("number", Message("The stake if accepted")),
    ("dive", "accepted_mars"): ("number", Message("Accepted, and won with {mars}", mars=Word("mars"))),
    ("finish", "came_to"): ("number", Message("Came to")),
    ("finish", "needed"): ("number", Message("Needed")),
    ("penalty", "scored"): ("row", Message("Points written")),
    ("penalty", "held"): ("numbers", Message("Points held")),
    ("penalty", "next_dealer"): ("seat", Message("Deals next")),
    ("audit", "made"): ("row", Message("Made, as the tricks fell")),
    ("count", "made"): ("row", Message("Points made")),
    ("count", "sum"): ("number", Message("Together, without runs and {bela}", bela=Word("bela"))),
    ("count", "bound"): ("bound", Message("Possible")),
    ("count", "nearest"): ("number", Message("The nearest that could be right")),
    ("count", "conflict"): ("facts", Message("These do not fit together; one has to go")),
    ("throw-in", "limit"): ("limit", Message("Attack cards in this bout, at most")),
    ("throw-in", "more"): ("number", Message("May still come on this table")),
    ("transfer", "attacker"): ("seat", Message("Principal attacker then")),
    ("transfer", "defender"): ("seat", Message("Has to defend")),
    ("transfer", "cards"): ("number", Message("Cards to beat")),
    ("bout", "step"): ("step", Message("The wrong step")),
    ("bout", "remedy"): ("remedy", Message("What follows")),
    ("bout", "draws"): ("draws", Message("Draw, in this order")),
    ("bout", "talon"): ("number", Message("Left in the talon")),
    ("bout", "out"): ("seats", Message("Out of cards")),
}
"""The parts of an answer that are shown, in this order: the way of showing, and the label."""

ONLY_AFTER: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("auction", "points"): ("offer",),
    ("bout", "talon"): ("beaten-off", "picked-up"),
    ("bout", "out"): ("beaten-off", "picked-up"),
}
"""The parts that are shown after some verdicts only, as they are no news after others."""

REMEDIES: Mapping[str, Message] = {
    "take-back": Message("The card is taken back."),
    "fool": Message("Whoever played it loses the hand."),
}
"""The remedies for a wrong card."""

SIDES = {"side", "winner", "by"}
SIDES |= {"loser"}
SEATS = {"seat", "caller", "claimer", "declarer", "dealer", "next_dealer", "speaks", "to", "leader", "elder"}
SEATS |= {"attacker", "defender"}
"""The facts of requests and answers that are sides, and those that are seats."""

SAYINGS: Mapping[str, Message] = {
    "good": Message("good"),
    "not-good": Message("not good"),
    "how-high": Message("how high?"),
    "in-trumps": Message("in trumps?"),
    "yes": Message("yes"),
    "no": Message("no"),
}
"""The announcements of runs in games that have no word of their own for them."""

CALLS: Mapping[str, Message] = {
    "pass": Message("pass"),
    "bid": Message("a bid"),
    "play": Message("play"),
    "counter": Message("other terms"),
    "accept": Message("accept"),
    "refuse": Message("refuse"),
}
"""Calls with the same words in every game."""

OWN_CALLS = ("ask", "once", "twice", "offer", "schmeiss", "force", "throw", "double", "redouble")
"""Calls for which a game may have a word of its own."""

CHOICES: Mapping[str, Message] = {
    "play": Message("during play"),
    "result": Message("when writing"),
    "revoke": Message("A wrong card was played"),
    "false-declaration": Message("Something was declared that was not held"),
    "extra-card": Message("A card too many was taken"),
    "wrong-exchange": Message("A card was swapped wrongly"),
    "misdeal": Message("The cards were dealt wrongly"),
    "early-look": Message("Cards were looked at too early"),
    "rost-needless": Message("Asked how high needlessly"),
    "beaten-off": Message("beaten off"),
    "picked-up": Message("picked up"),
    "dealt": Message("dealt"),
    "drawn": Message("drawn from the talon"),
    "first": Message("none yet"),
    "loss": Message("somebody lost"),
    "draw": Message("a draw"),
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
    ("trick.look", "look"),
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
    ("deal.wrong", "penalty"),
    ("end.finish", "finish"),
    ("end.", "winner"),
    ("penalty.revoke", "penalty"),
    ("penalty.false-claim", "runs"),
    ("penalty.false-declaration", "runs"),
    ("penalty.halves", "penalty"),
    ("penalty.bait-on-cards", "penalty"),
    ("penalty.extra-card", "penalty"),
    ("penalty.wrong-exchange", "penalty"),
    ("penalty.misdeal", "penalty"),
    ("penalty.early-look", "penalty"),
    ("beat.free", "bout"),
    ("beat.spades-turned", "six"),
    ("beat.", "beat"),
    ("deck", "beat"),
    ("throw.", "throw-in"),
    ("bout.closed", "throw-in"),
    ("transfer.draw", "bout"),
    ("transfer.", "transfer"),
    ("bout.", "bout"),
    ("draw.", "bout"),
    ("six.", "six"),
    ("severnyi.", "six"),
    ("turn.", "turn"),
    ("end.", "turn"),
    ("start.", "next-hand"),
    ("deal.ace-turned", "six"),
    ("deal.first", "next-hand"),
    ("deal.loser", "next-hand"),
    ("deal.draw", "next-hand"),
    ("deal.touch", "next-hand"),
)
"""The question that asks about a rule, by the beginning of the family's key; the first known one counts."""


def question_about(key: str, questions: Container[str]) -> str | None:
    """The question, among those a game knows, that asks about the rule of a key."""
    return next((name for start, name in SETTLED_BY if name in questions and key.startswith(start)), None)
