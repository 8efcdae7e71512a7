"""Inviting, and taking that back, as the pages of a study's members and of the site's people do it."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from judging import access
from judging.models import Invitation, Role, SiteRole, Study
from judging.pages.console import mail
from judging.pages.console.guard import row_key
from judging.selectors.clock import now
from judging.selectors.members import open_invitations
from judging.services.errors import RefusedError
from judging.services.invitations import invite, note_emailed, revoke, token_of
from judging.services.pace import INVITATIONS

MOST_LISTED = 100


def listed(request: HttpRequest, study: Study | None) -> list[tuple[Invitation, str]]:
    """Open invitations, each with its link; "" where that went by e-mail and is its reader's alone."""
    found = open_invitations(study, now=now())[:MOST_LISTED]
    return [(one, "" if one.emailed_at else link_of(request, one)) for one in found]


def link_of(request: HttpRequest, invitation: Invitation) -> str:
    """The whole address at which an invitation is accepted."""
    return request.build_absolute_uri(reverse("console:invitation", args=[token_of(invitation)]))


def invite_from(request: HttpRequest, study: Study | None, roles: Mapping[str, Any]) -> str:
    """Invite whom a form names, by e-mail where that is set up; returns what to say. Raises RefusedError."""
    role: Role | SiteRole | None = roles.get(request.POST.get("role", ""))
    if role is None:
        raise RefusedError("Nobody was invited: choose one of the roles.")
    who = str(request.user.pk)
    if INVITATIONS.used_up(who):
        raise RefusedError("Nobody was invited: that were too many invitations. Wait for an hour.")
    invitation = invite(
        study=study, email=request.POST.get("email", ""), role=role, now=now(), actor=request.user
    )
    INVITATIONS.count(who)
    context = {"invitation": invitation, "token": token_of(invitation), "by": request.user}
    if mail.send(mail.message("notices/invitation.txt", context, invitation.email)):
        note_emailed(invitation=invitation, now=now())
        return f"The invitation went to {invitation.email}."
    why = "could not be e-mailed" if mail.is_set_up() else "is not e-mailed, as this site sends no e-mail"
    return f"The invitation of {invitation.email} {why}: hand over its link, which stands below."


def revoke_from(request: HttpRequest, study: Study | None) -> str:
    """Take back the invitation that a form names; returns what to say. Raises RefusedError."""
    key = request.POST.get("invitation", "")
    found = Invitation.objects.filter(study=study, pk=row_key(key)).first()
    if found is None or not access.may_revoke(request.user, found):
        raise RefusedError("Nothing was changed: there is no such invitation.")
    revoke(invitation=found, now=now(), actor=request.user)
    return f"The invitation of {found.email} is taken back: its link opens nothing any more."
