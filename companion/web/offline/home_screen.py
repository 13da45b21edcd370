"""The app on a phone's home screen: its name, its looks, and its first page."""

from flask import Blueprint, Flask, Response, current_app, jsonify, url_for
from flask_babel import gettext as _

from companion.web.shell.hosts import current_host
from companion.web.shell.language import current_language

from .static_files import Files

PAPER, SLATE = "#faf6ec", "#191f22"
"""The colours of the two papers, as in the style sheets."""

_TAKEN_IN = ["application/json", ".json", "application/zip", ".zip"]
"""The types of files that can be shared with the app."""

bp = Blueprint("installed", __name__)


def init_app(app: Flask) -> None:
    """Give templates `paper_colors`, for the browser's own bars."""
    app.context_processor(lambda: {"paper_colors": {"light": PAPER, "dark": SLATE}})


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """Send what a browser reads before it offers to install the app, the same one in every language."""
    everything = url_for("short_addresses.front_page")
    shortcuts = {
        _("Running match"): url_for("index.resume"),
        _("New match"): url_for("new.new"),
        _("Dispute"): url_for("questions.questions"),
    }
    # Alone it is the first page: a folder of files may not know its path.
    said = {"id": everything} if current_host().has_server else {}
    answer = jsonify(
        name="Companion",
        short_name="Companion",
        description=_("Keeps the score of card games played with real cards, and settles their disputes."),
        lang=current_language(),
        start_url=url_for("index.index"),
        scope=everything,
        display="standalone",
        background_color=PAPER,
        theme_color=PAPER,
        categories=["games", "utilities"],
        icons=[
            _icon("offline/icons/icon-192.png", "192x192"),
            _icon("offline/icons/icon-512.png", "512x512"),
            _icon("offline/icons/maskable-512.png", "512x512", "maskable"),
            _icon("icon.svg", "any"),
        ],
        share_target={
            "action": url_for("importing.receive_shared"),
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {"files": [{"name": "file", "accept": _TAKEN_IN}]},
        },
        shortcuts=[{"name": name, "url": address} for name, address in shortcuts.items()],
        **said,
    )
    answer.mimetype = "application/manifest+json"
    return answer


def _icon(name: str, sizes: str, purpose: str = "any") -> dict[str, str]:
    files: Files = current_app.extensions["files"]
    kind = "image/svg+xml" if name.endswith(".svg") else "image/png"
    return {"src": files.address(name), "sizes": sizes, "type": kind, "purpose": purpose}
