"""What a phone without a network has to wait for, and where to go meanwhile."""

from collections.abc import Mapping
from typing import Any

from flask import render_template, request, url_for

_KINDS: Mapping[str, str] = {
    "exporting": "files",
    "exports": "files",
    "importing": "files",
    "join": "phones",
    "moving": "moving",
    "phones": "phones",
    "archived": "archived",
}
"""What pages of a server are about, by their blueprint."""


def is_printed(endpoint: str) -> bool:
    """Whether an address gives paper, which only a server makes."""
    return endpoint.endswith("_pdf")


def say_that_it_waits(**parts: Any) -> tuple[str, int]:
    """The page shown instead of one that only a server has."""
    endpoint = request.endpoint or ""
    back = None
    if is_printed(endpoint):
        kind = "print"
        back = url_for(endpoint.removesuffix("_pdf"), **{**parts, **request.args.to_dict(), "paper": None})
    else:
        kind = _KINDS.get(endpoint.partition(".")[0], "other")
        if "id" in parts:
            back = url_for("scoreboard.scoreboard", id=parts["id"])
    return render_template("offline/needs_network.html", kind=kind, back=back), 503
