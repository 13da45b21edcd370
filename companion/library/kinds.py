"""The families' own kinds of facts, for code that makes forms of them."""

from companion.beating.arbiter.questions import CountOrCards
from companion.beating.bout import Roles, attack_limit
from companion.beating.entries import OneOrMany, Transfer
from companion.beating.steps import BoutStep
from companion.jacknine.arbiter.questions import CallOf, OffenceOf, SaidAt
from companion.jacknine.entries import Belas, BidPoints, DealOf, Trickless
from companion.jacknine.phases.bidding import CAPOT, GENERALE, list_usual_bids
from companion.jacknine.phases.melds import FourOf, LengthOf, RankOf
