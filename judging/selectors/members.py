"""Who works on a study, who is invited, and who has an account; each in one query."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import Count, F, QuerySet
from django.db.models.expressions import OrderBy

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


MEMBERS_BY: Final = {
    "name": "user__username",
    "email": "user__email",
    "role": "role",
    "seen": "user__last_login",
}
ACCOUNTS_BY: Final = {"name": "username", "email": "email", "studies": "studies", "seen": "last_login"}
"""What the lists may be sorted by; equal rows follow each other by name, and who never came comes last."""


def members_of(
    study: Study, start: int = 0, stop: int | None = None, *, sort: str = "name", descending: bool = False
) -> list[Member]:
    """The members of a study, sorted by a key of `MEMBERS_BY`, from place `start` up to `stop`."""
    rows = (
        Membership.objects.filter(study=study)
        .select_related("user")
        .order_by(_by(MEMBERS_BY[sort], descending), "user__username")
    )
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


def accounts(*, sort: str = "name", descending: bool = False) -> QuerySet[Any]:
    """Everybody with an account, by a key of `ACCOUNTS_BY`; `studies` is how many they have a role in."""
    found = get_user_model().objects.annotate(studies=Count("memberships"))
    return found.order_by(_by(ACCOUNTS_BY[sort], descending), "username")


def _by(column: str, descending: bool) -> OrderBy:
    return F(column).desc(nulls_last=True) if descending else F(column).asc(nulls_last=True)
