"""What a game and a table have that the page of a deal has to offer: redeals, offences, the seven."""

from flask_babel import gettext as _

from companion.jacknine.ruleset import JackNineRuleset


class DealOptions:
    """What the templates ask about the rule set of a deal."""

    ruleset: JackNineRuleset

    @property
    def offences(self) -> list[tuple[str, str]]:
        """What costs a whole deal here, by name."""
        names = {
            "revoke": _("Revoked"),
            "false-declaration": _("Declared falsely"),
            "extra-card": _("Drew a card too many"),
            "wrong-exchange": _("Swapped the seven wrongly"),
        }
        return [(offence, names.get(offence, offence)) for offence in self.ruleset.offences()]

    @property
    def may_throw_in(self) -> bool:
        """Whether cards can be thrown in after the bidding."""
        return self.ruleset.may_throw_in()

    @property
    def redeals(self) -> list[tuple[str, str]]:
        """Ends of a deal before any play: the form's value of each, and its name."""
        ends = [("thrown-in", _("Thrown in") if self.ruleset.may_schmeiss() else _("Passed out"))]
        ends = ends if self.may_throw_in else []
        ends.append(("misdeal", _("Misdeal")))
        if self.ruleset.redeals_four_sevens():
            ends.append(("four-sevens", _("Four sevens")))
        return ends

    @property
    def prefers_suit(self) -> bool:
        """Whether a suit is preferred and no card turned up."""
        return bool(self.ruleset.turned_card == "none")

    @property
    def may_swap_seven(self) -> bool:
        """Whether the seven may be swapped for the turned card."""
        return self.ruleset.may_swap_seven()
