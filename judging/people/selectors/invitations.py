"""Queries about invitations."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from judging.models import Invitation, Membership, Role


def open_invitations(*, now: datetime) -> QuerySet[Invitation]:
    """Return the invitations that people can still accept.

    An invitation is valid only while its sender may send such invitations, as
    `judging.core.access.may_revoke` decides. Otherwise, owners who lose their role could come back through an
    invitation that they sent to themselves. The invitations of a deleted account are never valid.
    """
    owners = Membership.objects.filter(
        study=OuterRef("study"), user=OuterRef("invited_by"), role=Role.OWNER.value
    )
    return Invitation.objects.filter(
        Q(invited_by__is_superuser=True) | Exists(owners),
        invited_by__is_active=True,
        accepted_at=None,
        revoked_at=None,
        expires_at__gt=now,
    )
