"""An address as a QR code, for another phone's camera."""

import io

import segno
from flask import Response


def draw_qr_code(address: str) -> Response:
    """The QR code of an address, as an SVG drawing, black on white."""
    drawing = io.BytesIO()
    segno.make(address, error="m").save(drawing, kind="svg", scale=4, border=4, light="#fff", dark="#000")
    return Response(
        drawing.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"}
    )
