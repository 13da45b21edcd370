"""Sheets printed on request, on the paper named in the address: by a worker as PDF, or by the browser."""

from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from secrets import token_urlsafe
from urllib.parse import quote, urlencode

from flask import Flask, Response, current_app, g, render_template, request, send_file, url_for
from flask_babel import gettext as _
from markupsafe import Markup

from companion import sheets
from companion.jobs import Job
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.sheets import html
from companion.sheets.paper import describe_room, write_browser_style
from companion.sheets.printer import PrintedSheet, SheetOrder, print_order

from . import jobs
from .hosts import current_host
from .security.headers import POLICY

Order = SheetOrder | sheets.EveningOrder | sheets.FiguresOrder
_LACK = "lacks_printer"


def init_app(app: Flask) -> None:
    """Give templates `prints_pdf`."""
    app.add_template_global(prints_pdf)


def prints_pdf() -> bool:
    """True if sheets are printed as PDF here, as far as is known; else the browser prints them."""
    return current_host().prints_pdf and _LACK not in current_app.extensions


def print_sheet(order: Order, *, paper: str = "a4") -> Response:
    """Let a worker print a sheet as PDF, on the paper named in the address, by default on this one.

    The browser prints it if the address says so (`by=browser`), or if no PDF can be made here. With a PDF
    come two headers: the words that could not be printed, and the packages that have the fonts.
    """
    paper = request.args.get("paper", paper).lower()
    if paper not in sheets.PAPERS:
        raise Unreadable("paper", Message("one of {values}", values=list(sheets.PAPERS)), paper)
    order = replace(order, paper=paper)
    if request.args.get("by") == "browser" or not prints_pdf():
        return _show_for_browser(order)
    job = Job(order.compute_key(jobs.edition()), print_order, order.to_arguments())
    has_names = g.get("match") is not None or not isinstance(order, SheetOrder)
    if not has_names and job.key in request.if_none_match:
        return _make_cacheable(current_app.response_class(status=304), job.key)
    try:
        printed = PrintedSheet.read(jobs.ask(job, _("The sheet is being printed"), is_file=True))
    except sheets.CannotPrint as fault:
        if prints_pdf():
            current_app.extensions[_LACK] = True
            current_app.logger.warning("browsers print the sheets: %s", fault)
        return _show_for_browser(order)
    if jobs.WAITED in request.args:
        return _show_ready(printed.title)
    name = f"{printed.title} {paper}.pdf".replace("/", "-").replace(":", "")
    pdf = send_file(BytesIO(printed.pdf), "application/pdf", download_name=name, etag=False)
    if printed.unprintable:
        pdf.headers["Unprintable"] = ", ".join(map(quote, printed.unprintable.words))
        pdf.headers["Missing-Fonts"] = ", ".join(printed.unprintable.packages)
    if has_names:
        pdf.headers["Cache-Control"] = "private, no-store"
        return pdf
    return _make_cacheable(pdf, job.key)


def _show_for_browser(order: Order) -> Response:
    """Show the same sheet as a page that the browser prints, in the style of its paper."""
    sheet = order.compose()
    nonce = token_urlsafe(16)
    asked = {**request.args.to_dict(), jobs.WAITED: None, "paper": None}
    looked_at = str(request.endpoint).removesuffix("_pdf")
    back = None
    if looked_at in current_app.view_functions:
        back = _write_address(url_for(looked_at, **(request.view_args or {})), asked | {"by": None})
    page = render_template(
        "shell/print.html",
        title=sheet.title,
        sheet=html.write_sheet(sheet, order.language, html.PAPERS[order.paper]),
        room=describe_room(sheet, order.paper),
        style=Markup(write_browser_style(sheet, order.paper)),
        nonce=nonce,
        papers={
            paper: _write_address(request.script_root + request.path, asked | {"paper": paper})
            for paper in sheets.PAPERS
        },
        paper=order.paper,
        back=back,
    )
    response = current_app.make_response(page)
    response.headers["Content-Security-Policy"] = POLICY.replace(
        "style-src 'self'", f"style-src 'self' 'nonce-{nonce}'"
    )
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _write_address(path: str, asked: Mapping[str, str | None]) -> str:
    """Write an address with its query, without the parameters that are None."""
    query = urlencode({name: value for name, value in asked.items() if value is not None})
    return f"{path}?{query}" if query else path


def _show_ready(title: str) -> Response:
    """Show that a sheet is ready, in place of the page that waited for it; the sheet follows by itself."""
    address = jobs.address_now()
    page = render_template("shell/file_ready.html", name=title, match=g.get("match"), address=address)
    response = current_app.make_response(page)
    response.headers["Refresh"] = f"0; url={address}"
    response.headers["Cache-Control"] = "no-store"
    return response


def _make_cacheable(response: Response, tag: str) -> Response:
    """Let a browser cache a sheet without names, and ask whether it is still the same."""
    response.set_etag(tag)
    response.headers["Cache-Control"] = "private, no-cache"
    return response
