"""What a game and a table have that the page of a deal has to offer: redeals, offences, the seven."""

from typing import Any

from flask_babel import gettext as _


class DealOptions:
    """What the templates ask about the rule set of a deal."""

    ruleset: Any

    @property
    def offences(self) -> list[tuple[str, str]]:
        """What costs a whole deal here, by name."""
        names = {
            "revoke": _("Revoked"),
            "false-declaration": _("Declared falsely"),
            "extra-card": _("Drew a card too many"),
            "wrong-exchange": _("Swapped the seven wrongly"),
        }
        return [(one, names.get(one, one)) for one in self.ruleset["offences"]]

    @property
    def may_throw_in(self) -> bool:
        """Whether cards can be thrown in after the bidding."""
        return not self.ruleset["last_must"] or self.ruleset["schmeiss"] == "on"

    @property
    def redeals(self) -> list[tuple[str, str]]:
        """Ends of a deal before any play: what each is told as, and its name."""
        found = [("thrown-in", _("Passed out") if self.ruleset["schmeiss"] == "off" else _("Thrown in"))]
        found = found if self.may_throw_in else []
        found.append(("misdeal", _("Misdeal")))
        if self.ruleset["four_sevens"] == "redeal":
            found.append(("four-sevens", _("Four sevens")))
        return found

    @property
    def bare(self) -> bool:
        """Whether a suit is preferred and no card turned up."""
        return bool(self.ruleset.turned_card == "none")

    @property
    def swaps(self) -> bool:
        """Whether the seven may be swapped for the turned card."""
        return bool(self.ruleset["seven"] != "never")
