"""An address as a QR code, for another phone's camera."""

import io

import segno
from flask import Response, request


def is_known_here_only() -> bool:
    """True if the app is asked for by a name of this machine alone, so that no other one reaches it."""
    host = request.host.partition(":")[0]
    return host in ("localhost", "[") or host.startswith("127.")


def draw_qr_code(address: str) -> Response:
    """The QR code of an address, as an SVG drawing, black on white."""
    drawing = io.BytesIO()
    _make(address).save(drawing, kind="svg", scale=4, border=4, light="#fff", dark="#000")
    return Response(
        drawing.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"}
    )


def draw_qr_data(address: str, error: str = "m") -> str:
    """The QR code as an address of its own (`data:`), for a code that only one page shows.

    With `error` "l" it has fewer squares, and is still read from a clean screen.
    """
    return str(_make(address, error).svg_data_uri(scale=4, border=4, light="#fff", dark="#000"))


def _make(address: str, error: str = "m") -> segno.QRCode:
    return segno.make(address, error=error)
