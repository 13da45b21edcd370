"""Where a phone's app is meant to answer something else than the server, each with its reason."""

import re

WAITS = {
    r"/\w\w/(m|evening)/[\w-]+/picture\.png": "a picture is painted by the server",
    r"/\w\w/m/[\w-]+/phones(/.*)?": "other phones are reached by the server alone",
    r"/\w\w/(join|move)(/.*)?": "other phones are reached by the server alone",
    r"/\w\w/(api|tokens)(/.*)?": "programs ask a server",
    r"/\w\w/browser/(move|renew|anew|earlier)": "who this browser is, its server says",
    r"/\w\w/(export|import|bin|put-away)(/.*)?": "archives, and what is put away or deleted, the server has",
    r"/\w\w/m/[\w-]+/(export|record\.json|table\.csv|put-away|bring-back|delete|erase)(/.*)?": (
        "archives, and what is put away or deleted, the server has"
    ),
}
"""Addresses at which a phone says that they wait for the network (503)."""

WAITING = (
    "/en/m/ID/phones",
    "/en/m/ID/picture.png", "/en/evening/ID/picture.png", "/en/join/nothing", "/en/move", "/en/move/code",
    "/en/export", "/en/import", "/en/bin", "/en/put-away",
    "/en/m/ID/export", "/en/m/ID/record.json", "/en/m/ID/table.csv", "/en/m/ID/delete",
    "/en/api", "/en/tokens",
)  # fmt: skip
"""An address of each kind; `ID` stands for that of a match."""

ABOUT_ITSELF = {
    r"/\w\w/pocket": "whether the offline app is offered here, and what is in it, each says for itself",
    r"/\w\w/(m/[\w-]+/)?pocket/apart": "what was set aside is in the phone alone",
    r"/\w\w/.+\.pdf": "a server makes a PDF, a phone a page that its browser prints",
}
"""Addresses at which the two tell different things; that neither breaks is compared."""

PRINTED = (
    "/en/sheets/derda/blank.pdf", "/en/sheets/derda/card.pdf", "/en/rules/derda/booklet.pdf",
    "/en/m/ID/sheet.pdf", "/en/evening/ID/sheet.pdf",
    "/en/player/figures.pdf?name=Ewa", "/en/players/season.pdf",
)  # fmt: skip
"""An address of each kind of sheet; `ID` stands for that of a match."""

_WAITS = re.compile("|".join(f"(?:{wait})" for wait in WAITS))


NOT_ASKED = {
    "static": "files lie in the phone beside the app, and its worker finds them there",
    "files.versioned": "files lie in the phone beside the app, and its worker finds them there",
    "short_addresses.api": "problem documents speak of it, and programs ask a server",
    "worker.script": "a browser asks for its worker past that worker",
}
"""Addresses that no phone asks its app for, by endpoint."""
ONLY_IN_A_PHONE = {
    r"(<html [^>]*) data-pocket(?=[ >])": "by it a page knows that it is the phone's",
    r"(?s)()<(?:nav|li) class=\"[^\"]*papers\".*?</(?:nav|li)>": "a phone makes no PDF",
}
"""What only pages of a phone have, or differently; its first group is what stays."""


_OWN = re.compile("|".join(f"(?:{item})" for item in ABOUT_ITSELF))


def is_about_itself(path: str) -> bool:
    """Whether a server and a phone each speak of themselves at this address."""
    return _OWN.fullmatch(path.partition("?")[0]) is not None


def waits(path: str) -> bool:
    """Whether a phone has to wait for the network at this address."""
    return _WAITS.fullmatch(path.partition("?")[0]) is not None
