"""Who works on a study, who is invited, and who has an account; each in one query."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Count, QuerySet

from judging.models import Invitation, Membership, Study


@dataclass(frozen=True)
class Member:
    """Somebody with a role; `since` is their last log-in, None where they never came."""

    key: int
    name: str
    email: str
    role: str
    active: bool
    last_login: datetime | None


def members_of(study: Study, start: int = 0, stop: int | None = None) -> list[Member]:
    """The members of a study by name, from place `start` up to `stop`."""
    rows = Membership.objects.filter(study=study).select_related("user").order_by("user__username")
    return [
        Member(
            row.user_id,
            row.user.get_username(),
            row.user.email,
            row.role,
            row.user.is_active,
            row.user.last_login,
        )
        for row in rows[start:stop]
    ]


def open_invitations(study: Study | None, *, now: datetime) -> QuerySet[Invitation]:
    """Invitations to a study, or to the site, that can still be accepted, the latest first."""
    return (
        Invitation.objects.filter(study=study, accepted_at=None, revoked_at=None, expires_at__gt=now)
        .select_related("invited_by", "study")
        .order_by("-pk")
    )


def accounts() -> QuerySet[Any]:
    """Everybody with an account, by name; `studies` is the number of those they have a role in."""
    return get_user_model().objects.annotate(studies=Count("memberships")).order_by("username")
