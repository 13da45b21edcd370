"""An address as a code for another phone's camera."""

import io

import segno
from flask import Response


def code(address: str) -> Response:
    """The drawing, black on white."""
    drawn = io.BytesIO()
    segno.make(address, error="m").save(drawn, kind="svg", scale=4, border=4, light="#fff", dark="#000")
    return Response(
        drawn.getvalue(), mimetype="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"}
    )
