"""Invite people to a study or to the site, and accept or cancel invitations. Audit every action.

The link of an invitation contains a random key and a signature. The database stores only the key, so nobody
can construct the link from the database alone.
"""

import secrets
from datetime import datetime
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.core.services.members import set_role
from judging.limits import INVITATION
from judging.models import RANKS, Actor, Invitation, Membership, Role, SiteRole, Study
from judging.people.selectors.invitations import open_invitations
from judging.protocol.typed import tidy

_signer: Final = Signer(salt="plumbline.invitation")


def token_of(invitation: Invitation) -> str:
    """Return the signed key of an invitation, which is the last part of the invitation's link."""
    return _signer.sign(invitation.key)


def find_invitation(token: str, *, now: datetime) -> Invitation | None:
    """Return the invitation with this token, or None if the token is forged, used, cancelled or expired."""
    try:
        key = _signer.unsign(token)
    except BadSignature:
        return None
    return open_invitations(now=now).select_related("study").filter(key=key).first()


@transaction.atomic
def invite(
    *, study: Study | None, email: str, role: Role | SiteRole, now: datetime, actor: User
) -> Invitation:
    """Create an invitation to a study, or to the site if `study` is None, and return it.

    The invitation expires after `INVITATION`, and is valid only while `actor` may send it. Raise RefusedError
    if the address is invalid. Also raise RefusedError if the address already has a pending invitation to this
    study, or to the site if `study` is None.
    """
    address = _address(email)
    if study is not None:
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    same = Invitation.objects.filter(study=study, email=address, accepted_at=None, revoked_at=None)
    valid = open_invitations(now=now).values("pk")
    same.exclude(pk__in=valid).update(revoked_at=now)
    if same.exists():
        raise RefusedError(
            _("{email} already has a pending invitation. Cancel it before you send another one.").format(
                email=address
            )
        )
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
    """Record that the invitation was sent by e-mail. From then on, pages do not show its link."""
    Invitation.objects.filter(pk=invitation.pk).update(emailed_at=now)


@transaction.atomic
def revoke(*, invitation: Invitation, now: datetime, actor: Actor = None) -> None:
    """Cancel an invitation. Raise RefusedError if it was already accepted or cancelled."""
    invitation = _lock(invitation)
    if invitation.accepted_at or invitation.revoked_at:
        raise RefusedError(
            _("This invitation was already accepted or cancelled. Reload the page to see the current list.")
        )
    invitation.revoked_at = now
    invitation.save(update_fields=["revoked_at"])
    _audit("invitation_revoked", invitation, now=now, actor=actor)


@transaction.atomic
def accept(*, invitation: Invitation, user: User, now: datetime) -> None:
    """Give an account the role of an invitation, unless the account already has a higher role.

    Raise RefusedError if the invitation is no longer valid, or if the account is deactivated.
    """
    if invitation.study is not None:
        lock_study(invitation.study)  # nobody can take the sender's role away between the check and the end
    invitation = _lock(invitation)
    if not open_invitations(now=now).filter(pk=invitation.pk).exists():
        raise RefusedError(
            _("This invitation is no longer valid. Ask the person who invited you to send a new invitation.")
        )
    if invitation.study is None:
        _join_site(user, SiteRole(invitation.role))
    else:
        _join_study(invitation.study, user, Role(invitation.role), now)
    invitation.accepted_at, invitation.accepted_by_id = now, user.pk
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    _audit("invitation_accepted", invitation, now=now, actor=user)


@transaction.atomic
def accept_with_new_account(*, invitation: Invitation, username: str, password: str, now: datetime) -> User:
    """Create an account with the invited address and accept the invitation: do both or neither.

    The caller must check that the name and the password are valid. Raise RefusedError if the name is in use,
    or if `accept` raises it.
    """
    try:
        with transaction.atomic():
            user = get_user_model().objects.create_user(username, email=invitation.email, password=password)
    except IntegrityError:
        raise RefusedError(
            _("The name {name} is already in use. Choose another name.").format(name=username)
        ) from None
    accept(invitation=invitation, user=user, now=now)
    return user


def _join_study(study: Study, user: User, role: Role, now: datetime) -> None:
    current = Membership.objects.filter(study=study, user=user).values_list("role", flat=True).first()
    if current is None or RANKS.index(Role(current)) < RANKS.index(role):
        set_role(study=study, user=user, role=role, now=now, actor=user)


def _join_site(user: User, role: SiteRole) -> None:
    if not user.is_active:
        text = _("The account {name} is deactivated. Ask an admin of the site to activate it.")
        raise RefusedError(text.format(name=user.get_username()))
    fields = ["is_staff", *(["is_superuser"] if role == SiteRole.ADMIN else [])]
    for name in fields:
        setattr(user, name, True)
    user.save(update_fields=fields)


def _lock(invitation: Invitation) -> Invitation:
    """Lock the invitation, so that two people cannot both accept it, and return its current row."""
    return (
        Invitation.objects.select_for_update(no_key=True, of=("self",))
        .select_related("study")
        .get(pk=invitation.pk)
    )


def _address(email: str) -> str:
    address = tidy(email).lower()
    try:
        Invitation._meta.get_field("email").clean(address, None)
    except ValidationError:
        text = _("“{email}” is not a valid e-mail address. Enter an address such as ada@example.org.")
        raise RefusedError(text.format(email=email.strip()[:60])) from None
    return address


def _audit(verb: str, invitation: Invitation, *, now: datetime, actor: Actor) -> None:
    audit(verb, study=invitation.study, actor=actor, now=now, invitation=invitation.pk, role=invitation.role)
