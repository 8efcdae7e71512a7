"""Inviting somebody to a study or to the site, taking that back, and accepting it: each is audited.

The link of an invitation is its random key, signed. Only the key is stored: from the database alone nobody
can make the link.
"""

import secrets
from datetime import datetime
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.members import set_role
from judging.limits import INVITATION
from judging.models import RANKS, Actor, Invitation, Membership, Role, SiteRole, Study
from judging.people.selectors.invitations import open_invitations
from judging.protocol.typed import tidy

_signer: Final = Signer(salt="plumbline.invitation")


def token_of(invitation: Invitation) -> str:
    """What the address of an invitation ends with."""
    return _signer.sign(invitation.key)


def find_invitation(token: str, *, now: datetime) -> Invitation | None:
    """The invitation of that address; None alike for a forged, used, revoked or expired one."""
    try:
        key = _signer.unsign(token)
    except BadSignature:
        return None
    return open_invitations(now=now).select_related("study").filter(key=key).first()


@transaction.atomic
def invite(
    *, study: Study | None, email: str, role: Role | SiteRole, now: datetime, actor: Actor = None
) -> Invitation:
    """Invite an e-mail address to a study, or to the site where `study` is None; good for `INVITATION`.

    Raises RefusedError for what is no address, and for one that has an open invitation to the same already.
    """
    address = _address(email)
    if study is not None:
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    same = Invitation.objects.filter(study=study, email=address, accepted_at=None, revoked_at=None)
    same.filter(expires_at__lte=now).update(revoked_at=now)
    if same.exists():
        raise RefusedError(f"{address} has an open invitation already: revoke that one to send another.")
    invitation = Invitation.objects.create(
        study=study,
        email=address,
        role=role.value,
        key=secrets.token_urlsafe(32),
        invited_by=actor,
        created_at=now,
        expires_at=now + INVITATION,
    )
    _audit("invited", invitation, now=now, actor=actor)
    return invitation


def note_emailed(*, invitation: Invitation, now: datetime) -> None:
    """Write down that the mail server took the invitation: its link is its reader's alone from then on."""
    Invitation.objects.filter(pk=invitation.pk).update(emailed_at=now)


@transaction.atomic
def revoke(*, invitation: Invitation, now: datetime, actor: Actor = None) -> None:
    """Take an invitation back. Raises RefusedError where it was accepted or taken back before."""
    invitation = _lock(invitation)
    if invitation.accepted_at or invitation.revoked_at:
        raise RefusedError("The invitation was accepted or taken back already.")
    invitation.revoked_at = now
    invitation.save(update_fields=["revoked_at"])
    _audit("invitation_revoked", invitation, now=now, actor=actor)


@transaction.atomic
def accept(*, invitation: Invitation, user: User, now: datetime) -> None:
    """Give an account what it is invited to; it never has less after that than before.

    Raise RefusedError for an invitation that is no longer valid, and for a deactivated account.
    """
    invitation = _lock(invitation)
    if not open_invitations(now=now).filter(pk=invitation.pk).exists():
        raise RefusedError("This invitation is no longer valid: ask who invited you for another one.")
    if invitation.study is None:
        _join_site(user, SiteRole(invitation.role))
    else:
        _join_study(invitation.study, user, Role(invitation.role), now)
    invitation.accepted_at, invitation.accepted_by_id = now, user.pk
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    _audit("invitation_accepted", invitation, now=now, actor=user)


@transaction.atomic
def accept_as_somebody_new(*, invitation: Invitation, username: str, password: str, now: datetime) -> User:
    """Make an account, with the address that was invited, and accept for it; both or neither.

    Raises RefusedError as `accept` does, and for a name that is taken. Name and password are taken as valid.
    """
    try:
        with transaction.atomic():
            user = get_user_model().objects.create_user(username, email=invitation.email, password=password)
    except IntegrityError:
        raise RefusedError(f"The name {username} is taken: choose another one.") from None
    accept(invitation=invitation, user=user, now=now)
    return user


def _join_study(study: Study, user: User, role: Role, now: datetime) -> None:
    has = Membership.objects.filter(study=study, user=user).values_list("role", flat=True).first()
    if has is None or RANKS.index(Role(has)) < RANKS.index(role):
        set_role(study=study, user=user, role=role, now=now, actor=user)


def _join_site(user: User, role: SiteRole) -> None:
    if not user.is_active:
        raise RefusedError(f"{user.get_username()} is deactivated; an admin of the site can change that.")
    fields = ["is_staff", *(["is_superuser"] if role == SiteRole.ADMIN else [])]
    for name in fields:
        setattr(user, name, True)
    user.save(update_fields=fields)


def _lock(invitation: Invitation) -> Invitation:
    """The invitation as it is now; of two who accept at the same moment the second comes too late."""
    return (
        Invitation.objects.select_for_update(no_key=True, of=("self",))
        .select_related("study")
        .get(pk=invitation.pk)
    )


def _address(email: str) -> str:
    address = tidy(email).lower()
    try:
        validate_email(address)
    except ValidationError:
        raise RefusedError(
            f"“{email.strip()[:60]}” is no e-mail address: write it as ada@example.org."
        ) from None
    return address


def _audit(verb: str, invitation: Invitation, *, now: datetime, actor: Actor) -> None:
    audit(verb, study=invitation.study, actor=actor, now=now, invitation=invitation.pk, role=invitation.role)
