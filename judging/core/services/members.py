"""Who works on a study, and as what: each change is audited, and somebody stays who owns it."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.models import Actor, Membership, Role, Study


@transaction.atomic
def set_role(*, study: Study, user: User, role: Role, now: datetime, actor: Actor = None) -> bool:
    """Give somebody a role in a study, in the place of an earlier one; returns whether that changed anything.

    Raises RefusedError for a deactivated account, and for the last owner.
    """
    if not user.is_active:
        raise RefusedError(f"{user.get_username()} is deactivated; an admin of the site can change that.")
    study = lock_study(study)  # two owners who take each other's role away come one after the other
    before = Membership.objects.filter(study=study, user=user).values_list("role", flat=True).first()
    if before == role:
        return False
    keep_an_owner(study, user, before)
    Membership.objects.update_or_create(study=study, user=user, defaults={"role": role.value})
    _audit(study, user, before=before or "", after=role.value, now=now, actor=actor)
    return True


@transaction.atomic
def remove_member(*, study: Study, user: User, now: datetime, actor: Actor = None) -> bool:
    """Take somebody's role in a study away; returns whether there was one. Refuses the last owner."""
    study = lock_study(study)
    membership = Membership.objects.filter(study=study, user=user).first()
    if membership is None:
        return False
    keep_an_owner(study, user, membership.role)
    membership.delete()
    _audit(study, user, before=membership.role, after="", now=now, actor=actor)
    return True


def keep_an_owner(study: Study, user: User, role: str | None) -> None:
    """Raise RefusedError where somebody of that role is the last owner of the study."""
    if role != Role.OWNER:
        return
    owners = Membership.objects.filter(study=study, role=Role.OWNER.value, user__is_active=True)
    if not owners.exclude(user=user).exists():
        raise RefusedError(
            f"{user.get_username()} is the last owner of study {study.slug}:"
            " make somebody else an owner first."
        )


def _audit(study: Study, user: User, *, before: str, after: str, now: datetime, actor: Actor) -> None:
    audit(
        "member_changed",
        study=study,
        actor=actor,
        now=now,
        user=user.get_username(),
        before=before,
        after=after,
    )
