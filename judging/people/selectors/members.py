"""Who is invited, and what accounts may be on the site."""

from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from judging.models import Invitation, Study

RIGHTS: Final = {
    "admin": Q(is_superuser=True),
    "staff": Q(is_superuser=False, is_staff=True),
    "member": Q(is_superuser=False, is_staff=False),
    "deactivated": Q(is_active=False),
}
"""What accounts may be on the site."""


def open_invitations(study: Study | None, *, now: datetime) -> QuerySet[Invitation]:
    """Invitations to a study, or to the site, that can still be accepted, the latest first."""
    return (
        Invitation.objects.filter(study=study, accepted_at=None, revoked_at=None, expires_at__gt=now)
        .select_related("invited_by", "study")
        .order_by("-pk")
    )
