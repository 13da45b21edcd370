"""What every answer tells the browser it may do with it, and what it must not."""

from flask import Flask, Response, g, request

from .caching import choose_rule

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Nothing inline, nothing from anywhere else."""

_USED = ("clipboard-write", "screen-wake-lock", "web-share")
_UNUSED = (
    "accelerometer",
    "autoplay",
    "bluetooth",
    "browsing-topics",
    "camera",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "picture-in-picture",
    "publickey-credentials-get",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
PERMISSIONS = ", ".join([f"{name}=(self)" for name in _USED] + [f"{name}=()" for name in _UNUSED])
"""What of a phone our pages use: they copy and share a link, and keep the screen on."""

_ALWAYS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
}

_HSTS_SECONDS = 365 * 24 * 3600
"""How long browsers that came by HTTPS come by nothing else."""


def init_app(app: Flask) -> None:
    """Send them with every answer."""
    app.after_request(_guard)


def _guard(response: Response) -> Response:
    for name, value in _ALWAYS.items():
        response.headers.setdefault(name, value)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = f"max-age={_HSTS_SECONDS}"
    if g.get("match") is not None or response.mimetype == "text/html":
        response.headers.setdefault("Cache-Control", choose_rule())
    return response
