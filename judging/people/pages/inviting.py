"""Inviting, and taking that back, as the pages of a study's members and of the site's people do it."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from judging.core import access, mail
from judging.core.clock import now
from judging.core.pages.guard import row_key
from judging.core.pages.tables import Column, ShownTable, Table, tagged
from judging.core.services.errors import RefusedError
from judging.core.services.pace import INVITATIONS
from judging.models import Invitation, Role, SiteRole, Study
from judging.people.pages.mail import send
from judging.people.selectors.invitations import open_invitations
from judging.people.services.invitations import invite, note_emailed, revoke, token_of

MOST_LISTED = 100


def invitation_table(request: HttpRequest, study: Study | None) -> ShownTable:
    """Return the open invitations, each with its link unless that went by e-mail to its reader alone."""

    def take_back(one: Invitation) -> SafeString:
        return render_to_string("people/_take_back.html", {"invitation": one}, request)

    def link(one: Invitation) -> SafeString | str:
        return (
            "sent by e-mail"
            if one.emailed_at
            else format_html('<code class="link">{}</code>', link_of(request, one))
        )

    columns: list[Column[Invitation]] = [
        Column("", "Address", lambda one: one.email),
        Column("", "As", lambda one: one.get_role_display()),
        Column("", "Until (UTC)", lambda one: one.expires_at),
        Column("", "By", lambda one: one.invited_by or ""),
        Column("", "Link", link),
        Column("", "Take back", take_back),
    ]
    found = open_invitations(now=now()).filter(study=study).select_related("invited_by", "study")
    return Table(
        request,
        columns,
        heading="invited",
        of="invitations",
        css="people",
        per_page=0,
        note="A link is good once, for whoever has it",
    ).at_hand(list(found.order_by("-pk")[:MOST_LISTED]))


def account_name(account: User) -> SafeString:
    """Return an account's name, and whether it is deactivated."""
    return tagged(account.get_username(), "" if account.is_active else "deactivated")


def link_of(request: HttpRequest, invitation: Invitation) -> str:
    """The whole address at which an invitation is accepted."""
    return request.build_absolute_uri(reverse("console:invitation", args=[token_of(invitation)]))


def change_people(
    request: HttpRequest,
    study: Study | None,
    *,
    show: Callable[..., HttpResponseBase],
    change: Callable[[str], str] | None = None,
) -> HttpResponseBase | None:
    """Invite somebody or take that back, as a form asks; `change` does what else it may ask for.

    Returns the page, by `show`, with what was typed if an invitation is refused.
    """
    action = request.POST.get("action", "")
    try:
        if action == "invite":
            done = _invite(request, study)
        elif action == "revoke":
            done = _revoke(request, study)
        elif change is None:
            raise RefusedError("Nothing was changed: use one of the buttons.")
        else:
            done = change(action)
    except RefusedError as refusal:
        messages.error(request, str(refusal), extra_tags="email" if action == "invite" else "")
        if action == "invite":
            return show(typed=request.POST.get("email", ""), status=400)
    else:
        messages.success(request, done)
    return None


def _invite(request: HttpRequest, study: Study | None) -> str:
    """Invite whom a form names, by e-mail where that is set up; returns what to say. Raises RefusedError."""
    roles: type[Role | SiteRole] = Role if study else SiteRole
    try:
        role = roles(request.POST.get("role", ""))
    except ValueError:
        raise RefusedError("Nobody was invited: choose one of the roles.") from None
    who = str(request.user.pk)
    if INVITATIONS.used_up(who):
        raise RefusedError("Nobody was invited: that were too many invitations. Wait for an hour.")
    invitation = invite(
        study=study,
        email=request.POST.get("email", ""),
        role=role,
        now=now(),
        actor=access.account_of(request.user),
    )
    INVITATIONS.count(who)
    context = {"invitation": invitation, "token": token_of(invitation), "by": request.user}
    if send(mail.message("people/invitation.txt", context, invitation.email)):
        note_emailed(invitation=invitation, now=now())
        return f"The invitation went to {invitation.email}."
    why = "could not be e-mailed" if mail.is_set_up() else "is not e-mailed, as this site sends no e-mail"
    return f"The invitation of {invitation.email} {why}: hand over its link, which stands below."


def _revoke(request: HttpRequest, study: Study | None) -> str:
    """Take back the invitation that a form names; returns what to say. Raises RefusedError."""
    key = request.POST.get("invitation", "")
    found = Invitation.objects.filter(study=study, pk=row_key(key)).first()
    if found is None or not access.may_revoke(request.user, found):
        raise RefusedError("Nothing was changed: there is no such invitation.")
    revoke(invitation=found, now=now(), actor=access.account_of(request.user))
    return f"The invitation of {found.email} is taken back: its link opens nothing any more."
