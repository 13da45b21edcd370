"""Where a phone's app is meant to answer something else than the server, each with its reason."""

import re

from companion.web.shell.hosts import Host

WAITS = {
    r"/\w\w/(m|evening)/[\w-]+/picture\.png": "a picture is painted by the server",
    r"/\w\w/m/[\w-]+/phones(/.*)?": "other phones are reached by the server alone",
    r"/\w\w/(join|move)(/.*)?": "other phones are reached by the server alone",
    r"/\w\w/(api|tokens)(/.*)?": "programs ask a server",
    r"/\w\w/browser/(move|renew|anew|earlier)": "who this browser is, its server says",
}
"""Addresses at which a phone says that they wait for the network (503)."""

WAITING = (
    "/en/m/ID/phones",
    "/en/m/ID/picture.png", "/en/evening/ID/picture.png", "/en/join/nothing", "/en/move", "/en/move/code",
    "/en/api", "/en/tokens",
)  # fmt: skip
"""An address of each kind; `ID` stands for that of a match."""

ABOUT_ITSELF = {
    r"/\w\w/(export(/.*)?|m/[\w-]+/export/evening)": "a server makes the file when it is its turn",
    r"/\w\w/(pocket/)?import(/.*)?": "files are read by the server, or on the phone where they were chosen",
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
    r"(/\w\w)/pocket(?=/import)": "files that were chosen on a phone are read there",
    r"(?s)()<(?:nav|li) class=\"[^\"]*papers\".*?</(?:nav|li)>": "a phone makes no PDF",
}
"""What only pages of a phone have, or differently; its first group is what stays."""


ABOUT_ALONE = re.compile(r"/\w\w/(browser|manifest\.webmanifest|offline|m/[\w-]+/delete)")
"""Addresses at which a phone alone speaks of itself, or does what otherwise a server does."""
OF_ONE_HOST = {
    r'<svg [^>]*class="s-code".*?</svg>': "a sheet leads to a server, or holds a short match itself",
    r'<meta name="worker"[^>]*>': "alone the worker makes the page",
    r'<p id="kept".*?</p>': "alone no page is a stored one",
    r'<div id="pocket-strip".*?</div>': "alone nothing is unsent",
    r'<p id="pocket-(outdated|aside)".*?</p>': "alone nothing is unsent",
    r'<p id="at-risk".*?</p>': "alone nothing is unsent",
    r'<div id="lost".*?</div>': "alone nothing is unsent",
    r'<script src="[^"]*/offline/risk\.js"[^>]*></script>': "alone nothing is unsent",
    r'(?<=<p id="unkept" class="notice red" role="alert" hidden>).*?(?=</p>)': "no server is waited for",
    r' data-(silent|later|offline(-calls|-cards|-step)?|unanswered)="[^"]*"': "no network is waited for",
    r"(?<=<div data-question hidden> <p>).*?(?=</p>)": "no server may have it after all",
    r"<noscript>.*?</noscript>": "no server has a time zone",
    r'<details class="no-print" id="second-phone">.*?</details>': "a sentence says that there are none",
    r'<li><a href="/\w\w/(pocket|move|move/here)">.*?</a></li>': "the program is there, and moves nowhere",
    r'<p id="(pocket-again|home-screen-line)".*?</p>': "the program is there",
    r'<div class="notice stack tight" data-home-screen="true" hidden>.*?</div>': "no code leads to matches",
    r'<script src="[^"]*/offline/(app/again|home_screen)\.js"[^>]*></script>': "both speak of a server",
    r'<div class="field share">.*?</div>': "an address of this phone leads nobody else",
    r'<details class="fold no-print">(?=(?:(?!</details>).)*code\.svg).*?</details>': "nor does its code",
    r'<button type="button" class="btn"[^>]* data-(share|copy)="[^"]*"[^>]*>.*?</button>': "nor is it shared",
    r'(?<=form="keep")[^<]*(<svg.*?</svg>)?[^<]*(?=</button>)': "a ruling is kept, and not shared",
    r'(?<=<button class="btn">)[^<]*(?=</button> <button type="button" class="btn quiet" data-print)': (
        "the same"
    ),
    r'<p class="row spread no-print" data-unfiled>.*?</p>': "alone matches may be in no file",
    r'<div class="notice stack tight" data-home-screen="false" hidden>.*?</div>': "alone all is here",
    r'<p class="soft narrow">[^<]*</p>(?= <script)': "alone all is here",
    r'<script src="[^"]*/(archives/keep|offline/first_match)\.js"[^>]*></script>': "of a phone alone",
    r'<a class="btn" id="picture-file".*?</a>': "a picture is painted by the server",
    r'<li><a href="/\w\w/m/[^"]*/picture\.png">.*?</a></li>': "a picture is painted by the server",
}  # fmt: skip
"""What pages of a phone alone lack, have more or say otherwise, each with its reason."""
_HOST = re.compile("|".join(f"(?:{part})" for part in OF_ONE_HOST))


def without_host(page: str) -> str:
    """A page without what speaks of the host of the app."""
    return re.sub(r"\s*(?=<)|(?<=>)\s*", "", _HOST.sub("", re.sub(r"\s+", " ", page)))


_OWN = re.compile("|".join(f"(?:{item})" for item in ABOUT_ITSELF))


def is_about_itself(path: str, host: Host = Host.PHONE) -> bool:
    """Whether a server and this host each speak of themselves at this address."""
    place = path.partition("?")[0]
    is_alone = not host.has_server and ABOUT_ALONE.fullmatch(place) is not None
    return is_alone or _OWN.fullmatch(place) is not None


def waits(path: str) -> bool:
    """Whether a phone has to wait for the network at this address."""
    return _WAITS.fullmatch(path.partition("?")[0]) is not None
