"""Invite people and cancel invitations, on the page of a study's members and on the page of all people."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from judging.core import access, mail
from judging.core.clock import now
from judging.core.pages.guard import row_key
from judging.core.pages.page_table import Column, ShownTable, Table, tagged
from judging.core.services.errors import RefusedError
from judging.core.services.pace import INVITATIONS
from judging.models import Invitation, Role, SiteRole, Study
from judging.people.pages.mail import send
from judging.people.selectors.invitations import open_invitations
from judging.people.services.invitations import invite, note_emailed, revoke, token_of

MOST_LISTED = 100


def invitation_table(request: HttpRequest, study: Study | None) -> ShownTable:
    """Return the pending invitations, each with its link unless Plumbline sent the link by e-mail."""

    def revoke_form(invitation: Invitation) -> SafeString:
        return render_to_string("people/_revoke.html", {"invitation": invitation}, request)

    def link(invitation: Invitation) -> SafeString | str:
        if invitation.emailed_at:
            return _("sent by e-mail")
        return format_html('<code class="link">{}</code>', link_of(request, invitation))

    columns: list[Column[Invitation]] = [
        Column("", _("E-mail address"), lambda invitation: invitation.email),
        Column("", _("Role"), lambda invitation: gettext(invitation.get_role_display())),
        Column("", _("Expires (UTC)"), lambda invitation: invitation.expires_at),
        Column("", _("Invited by"), lambda invitation: invitation.invited_by or ""),
        Column("", _("Link"), link),
        Column("", _("Cancel"), revoke_form),
    ]
    invitations = open_invitations(now=now()).filter(study=study).select_related("invited_by", "study")
    return Table(
        request,
        columns,
        heading="invited",
        of=_("invitations"),
        css="people",
        per_page=0,
        note=_("Each link works only once. Anyone who has the link can use it."),
    ).at_hand(list(invitations.order_by("-pk")[:MOST_LISTED]))


def account_name(account: User) -> SafeString:
    """Return an account's name, with a tag if the account is deactivated."""
    return tagged(account.get_username(), "" if account.is_active else _("deactivated"))


def link_of(request: HttpRequest, invitation: Invitation) -> str:
    """Return the absolute URL of the page that accepts an invitation."""
    return request.build_absolute_uri(reverse("console:invitation", args=[token_of(invitation)]))


def change_people(
    request: HttpRequest,
    study: Study | None,
    *,
    show: Callable[..., HttpResponseBase],
    change: Callable[[str], str] | None = None,
) -> HttpResponseBase | None:
    """Invite somebody, cancel an invitation, or call `change` for any other action in the form.

    If an invitation is refused, call `show` with the typed address and return the response. Otherwise return
    None.
    """
    action = request.POST.get("action", "")
    try:
        if action == "invite":
            message = _invite(request, study)
        elif action == "revoke":
            message = _revoke(request, study)
        elif change is None:
            raise RefusedError(_("Nothing has changed. Use a button on this page."))
        else:
            message = change(action)
    except RefusedError as refusal:
        messages.error(request, str(refusal), extra_tags="email" if action == "invite" else "")
        if action == "invite":
            return show(typed=request.POST.get("email", ""), status=400)
    else:
        messages.success(request, message)
    return None


def _invite(request: HttpRequest, study: Study | None) -> str:
    """Invite the person whose address is in the form, and return a message for the visitor.

    If the site sends e-mail, send the invitation by e-mail. Raise RefusedError if the form is invalid, or if
    the visitor has sent too many invitations.
    """
    roles: type[Role | SiteRole] = Role if study else SiteRole
    try:
        role = roles(request.POST.get("role", ""))
    except ValueError:
        raise RefusedError(_("The role is invalid. Choose a role from the list.")) from None
    inviter = str(request.user.pk)
    if INVITATIONS.used_up(inviter):
        raise RefusedError(_("You have sent too many invitations. Try again in an hour."))
    invitation = invite(
        study=study,
        email=request.POST.get("email", ""),
        role=role,
        now=now(),
        actor=access.account_of(request.user),
    )
    INVITATIONS.count(inviter)
    context = {"invitation": invitation, "token": token_of(invitation), "by": request.user}
    if send(mail.message("people/invitation.txt", context, invitation.email)):
        note_emailed(invitation=invitation, now=now())
        return _("We have sent the invitation to {email}.").format(email=invitation.email)
    if mail.is_set_up():
        text = _("The e-mail to {email} could not be sent. Copy the link from the list and send it yourself.")
    else:
        text = _(
            "This site does not send e-mail. Copy the link for {email} from the list and send it yourself."
        )
    return text.format(email=invitation.email)


def _revoke(request: HttpRequest, study: Study | None) -> str:
    """Cancel the invitation that a form names, and return a message.

    Raise RefusedError if the invitation does not exist.
    """
    key = request.POST.get("invitation", "")
    invitation = Invitation.objects.filter(study=study, pk=row_key(key)).first()
    if invitation is None or not access.may_revoke(request.user, invitation):
        raise RefusedError(_("This invitation does not exist. Reload the page to see the current list."))
    revoke(invitation=invitation, now=now(), actor=access.account_of(request.user))
    return _("The invitation to {email} has been cancelled. Its link no longer works.").format(
        email=invitation.email
    )
