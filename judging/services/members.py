"""Who works on a study, and as what: each change is audited."""

from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction

from judging.models import Membership, Role, Study
from judging.services.errors import RefusedError
from judging.services.events import audit


@transaction.atomic
def set_role(*, study: Study, user: AbstractBaseUser, role: Role, now: datetime, actor: Any = None) -> bool:
    """Give somebody a role in a study, in the place of an earlier one; returns whether that changed anything.

    Raises RefusedError for an account that is not of the staff: it could not use the console.
    """
    if not user.is_active or not getattr(user, "is_staff", False):
        name = user.get_username()
        raise RefusedError(f"{name} is not an active member of the staff; change that in the admin first.")
    study = _lock_study(study)
    before = Membership.objects.filter(study=study, user=user).values_list("role", flat=True).first()
    if before == role:
        return False
    Membership.objects.update_or_create(study=study, user=user, defaults={"role": role.value})
    _audit(study, user, before=before or "", after=role.value, now=now, actor=actor)
    return True


@transaction.atomic
def remove_member(*, study: Study, user: AbstractBaseUser, now: datetime, actor: Any = None) -> bool:
    """Take somebody's role in a study away; returns whether there was one."""
    study = _lock_study(study)
    membership = Membership.objects.filter(study=study, user=user).first()
    if membership is None:
        return False
    membership.delete()
    _audit(study, user, before=membership.role, after="", now=now, actor=actor)
    return True


def _lock_study(study: Study) -> Study:
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _audit(
    study: Study, user: AbstractBaseUser, *, before: str, after: str, now: datetime, actor: Any
) -> None:
    audit(
        "member_changed",
        study=study,
        actor=actor,
        now=now,
        user=user.get_username(),
        before=before,
        after=after,
    )
