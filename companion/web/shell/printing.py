"""Sheets printed on request: by a worker, on the paper named in the address."""

from dataclasses import replace
from io import BytesIO
from urllib.parse import quote

from flask import Response, current_app, g, render_template, request, send_file
from flask_babel import gettext as _

from companion import sheets
from companion.jobs import Job
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.sheets.printer import PrintedSheet, SheetOrder, print_order

from . import errors, jobs
from .text import render_message

Answer = Response | tuple[str, int]


def print_sheet(
    order: SheetOrder | sheets.EveningOrder | sheets.FiguresOrder, *, paper: str = "a4"
) -> Answer:
    """Let a worker print a sheet as PDF, on the paper named in the address, by default on this one.

    Two headers name the words that could not be printed, and the packages that have the fonts.
    """
    paper = request.args.get("paper", paper).lower()
    if paper not in sheets.PAPERS:
        raise Unreadable("paper", Message("one of {values}", values=list(sheets.PAPERS)), paper)
    order = replace(order, paper=paper)
    job = Job(order.compute_key(jobs.edition()), print_order, order.to_arguments())
    has_names = g.get("match") is not None or not isinstance(order, SheetOrder)
    if not has_names and job.key in request.if_none_match:
        return _make_cacheable(current_app.response_class(status=304), job.key)
    try:
        printed = PrintedSheet.read(jobs.ask(job, _("The sheet is being printed"), is_file=True))
    except sheets.CannotPrint as fault:
        return errors.error_page(
            503, _("This cannot be printed here"), render_message(fault.sentence), match=g.get("match")
        )
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
