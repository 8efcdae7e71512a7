"""Change the members of a study and their roles. Audit every change, and never remove the last owner.

The members of an arm are those of its front.
"""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.locking import lock_study
from judging.models import Actor, Membership, Role, Study


@transaction.atomic
def set_role(*, study: Study, user: User, role: Role, now: datetime, actor: Actor = None) -> bool:
    """Set the role of a user in a study, and return whether the role changed.

    Raise RefusedError if the account is deactivated, or if the change would leave the study without an owner.
    """
    if not user.is_active:
        raise RefusedError(
            _("The account {user} is deactivated. Ask an admin to activate it.").format(
                user=user.get_username()
            )
        )
    study = lock_study(study.entrance)  # prevents two owners from removing each other at the same time
    before = Membership.objects.filter(study=study, user=user).values_list("role", flat=True).first()
    if before == role:
        return False
    keep_an_owner(study, user, before)
    Membership.objects.update_or_create(study=study, user=user, defaults={"role": role.value})
    _audit(study, user, before=before or "", after=role.value, now=now, actor=actor)
    return True


@transaction.atomic
def remove_member(*, study: Study, user: User, now: datetime, actor: Actor = None) -> bool:
    """Remove a user from a study, and return whether they had a role.

    Raise RefusedError if the user is the last owner.
    """
    study = lock_study(study.entrance)
    membership = Membership.objects.filter(study=study, user=user).first()
    if membership is None:
        return False
    keep_an_owner(study, user, membership.role)
    membership.delete()
    _audit(study, user, before=membership.role, after="", now=now, actor=actor)
    return True


def keep_an_owner(study: Study, user: User, role: str | None) -> None:
    """Raise RefusedError if the user, whose current role is `role`, is the last owner of the study."""
    if role != Role.OWNER:
        return
    owners = Membership.objects.filter(study=study, role=Role.OWNER.value, user__is_active=True)
    if not owners.exclude(user=user).exists():
        raise RefusedError(
            _("{user} is the last owner of study {study}. Make another user an owner first.").format(
                user=user.get_username(), study=study.slug
            )
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
