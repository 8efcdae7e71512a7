"""Who works on a study, who is invited, and who has an account; each in one query."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypedDict

from django.contrib.auth.models import User
from django.db.models import Count, F, Q, QuerySet, Value
from django.db.models.functions import NullIf

from judging.core.selectors.ordering import Sortable, by_columns
from judging.models import Invitation, Membership, Study

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    class _Studies(TypedDict):
        studies: int

    Account = WithAnnotations[User, _Studies]
    """An account that knows its number of studies."""


@dataclass(frozen=True)
class Member:
    """Somebody with a role; `since` is their last log-in, None where they never came."""

    key: int
    name: str
    email: str
    role: str
    active: bool
    last_login: datetime | None


MEMBERS_BY: Final[dict[str, Sortable]] = {
    "name": "user__username",
    "email": NullIf("user__email", Value("")),
    "role": "role",
    "seen": F("user__last_login"),
}
ACCOUNTS_BY: Final[dict[str, Sortable]] = {
    "name": "username",
    "email": NullIf("email", Value("")),
    "studies": "studies",
    "seen": F("last_login"),
}
"""What the lists may be sorted by; equal rows by name. Who never came, or has no address, comes last."""


def memberships_of(study: Study, *, find: str = "") -> QuerySet[Membership]:
    """The memberships of a study; with `find` of those in whose name or address it stands."""
    rows = Membership.objects.filter(study=study)
    return rows.filter(Q(user__username__icontains=find) | Q(user__email__icontains=find)) if find else rows


def members_of(
    study: Study,
    start: int = 0,
    stop: int | None = None,
    *,
    sort: str = "name",
    descending: bool = False,
    find: str = "",
) -> list[Member]:
    """The members of a study, sorted by a key of `MEMBERS_BY`, from place `start` up to `stop`."""
    order = by_columns([MEMBERS_BY[sort]], descending=descending)
    rows = memberships_of(study, find=find).select_related("user").order_by(*order, "user__username")
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


RIGHTS: Final = {
    "admin": Q(is_superuser=True),
    "staff": Q(is_superuser=False, is_staff=True),
    "member": Q(is_superuser=False, is_staff=False),
    "deactivated": Q(is_active=False),
}
"""What accounts may be on the site."""


@dataclass(frozen=True)
class AccountFilter:
    """What is looked for: a part of the name or address, and a key of `RIGHTS`; "" does not narrow."""

    find: str = ""
    rights: str = ""


ANYBODY: Final = AccountFilter()


def accounts(
    *, sort: str = "name", descending: bool = False, wanted: AccountFilter = ANYBODY
) -> "QuerySet[Account]":
    """Accounts that meet what is wanted, by a key of `ACCOUNTS_BY`; each knows its number of `studies`."""
    found = User.objects.annotate(studies=Count("memberships"))
    if wanted.find:
        found = found.filter(Q(username__icontains=wanted.find) | Q(email__icontains=wanted.find))
    if wanted.rights:
        found = found.filter(RIGHTS[wanted.rights])
    return found.order_by(*by_columns([ACCOUNTS_BY[sort]], descending=descending), "username")
