"""Queries about invitations."""

from datetime import datetime

from django.db.models import QuerySet

from judging.models import Invitation


def open_invitations(*, now: datetime) -> QuerySet[Invitation]:
    """Return the invitations that people can still accept."""
    return Invitation.objects.filter(accepted_at=None, revoked_at=None, expires_at__gt=now)
