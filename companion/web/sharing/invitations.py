"""The phones at a table: the owner invites them and hands over the pencil; others see their own role."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from companion.matches import Role
from companion.web.shell.codes import draw_qr_data, is_known_here_only
from companion.web.shell.forms import WritingForm
from companion.web.shell.matches import access, matches, open_match

bp = Blueprint("phones", __name__)


@bp.get("/m/<id>/phones")
def phones(id: str) -> str:
    """Show the owner all participants and links, and buttons to create one; show others their own role.

    `link` is the one whose code is shown.
    """
    match = open_match(id)
    may = access(match)
    invitations = matches().invitations.list_links(match, may) if may.may_share else []
    called = next(
        (invitation for invitation in invitations if invitation.link.id == request.args.get("link")), None
    )
    address = ""
    if called is not None and called.is_usable and called.secret is not None:  # somebody can still join by it
        address = url_for("short_addresses.join", secret=called.secret, _external=True)
    return render_template(
        "sharing/invitations.html",
        match=match,
        form=WritingForm(formdata=None),
        invitations=invitations,
        called=called,
        is_known_here_only=is_known_here_only(),
        address=address,
        code=draw_qr_data(address) if address else None,
    )


@bp.post("/m/<id>/phones/links")
def make_link(id: str) -> Response:
    """Create a link from the form.

    `as` is a role, an opponent's with the side (`opponent:B`), `use` "once" or "lasting".
    """
    match, form = open_match(id), WritingForm()
    role, _colon, side = request.form.get("as", "").partition(":")
    once = request.form.get("use") != "lasting"
    try:
        made = matches().invitations.make_link(match, access(match), Role(role), side or None, once, form.key)
    except ValueError as error:  # no button of ours sends that
        raise NotFound from error
    return redirect(url_for("phones.phones", id=id, link=made.link.id, _anchor="code"), 303)


@bp.post("/m/<id>/phones/links/<link>/revoke")
def revoke_link(id: str, link: str) -> Response:
    """Revoke a link, and the access that it gave."""
    match = open_match(id)
    matches().invitations.revoke_link(match, access(match), link)
    flash(_("The link is revoked. Whoever joined with it can now only watch."))
    return redirect(url_for("phones.phones", id=id), 303)


@bp.post("/m/<id>/phones/<grant>/pencil")
def hand_over(id: str, grant: str) -> Response:
    """Hand the pencil to a phone (`give`), or take it back; a phone may return its own."""
    match, gives = open_match(id), bool(request.form.get("give"))
    changed = matches().invitations.give_pencil(match, access(match), grant, gives)
    if changed is None:
        flash(_("That phone has left in the meantime."), "red")
        return redirect(url_for("phones.phones", id=id), 303)
    if not gives:
        flash(_("The pencil is back."))
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


@bp.post("/m/<id>/phones/<grant>/revoke")
def revoke(id: str, grant: str) -> Response:
    """Revoke a grant: the owner removes a phone, or it leaves."""
    match = open_match(id)
    may = access(match)
    matches().invitations.revoke(match, may, grant)
    if may.may_share:
        flash(_("The phone is removed. From now on it can only watch."))
        return redirect(url_for("phones.phones", id=id), 303)
    flash(_("This phone has left the match."))
    return redirect(url_for("index.index"), 303)
