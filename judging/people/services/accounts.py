"""Delete accounts, and delete API tokens when a password changes.

The audit log records deleted accounts and changed passwords.
"""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from rest_framework.authtoken.models import Token

from judging.core.services.errors import RefusedError
from judging.core.services.events import audit
from judging.core.services.members import keep_an_owner, remove_member
from judging.core.services.pace import WRONG_FOR_ACCOUNT
from judging.models import Actor, Role, Study


@transaction.atomic
def after_new_password(*, user: User, now: datetime, actor: Actor = None) -> None:
    """Delete the API token of an account, and reset the account's count of wrong passwords.

    The audit log records that the password changed.
    """
    Token.objects.filter(user=user.pk).delete()
    WRONG_FOR_ACCOUNT.forget(user.get_username())
    audit("password_set", study=None, actor=actor, now=now, user=user.get_username())


@transaction.atomic
def delete_account(*, user: User, now: datetime, actor: Actor = None) -> None:
    """Delete an account with its roles, sessions and API token. Jobs and the audit log stay.

    Raise RefusedError if the account is the last owner of a study.
    """
    for study in Study.objects.filter(memberships__user=user).order_by("pk"):
        remove_member(study=study, user=user, now=now, actor=actor)
    audit("account_deleted", study=None, actor=actor, now=now, user=user.get_username())
    user.delete()


def deletion_refusals(user: User) -> list[str]:
    """Return why the account cannot be deleted: one sentence for each study that has no other owner."""
    owned = Study.objects.filter(memberships__user=user, memberships__role=Role.OWNER.value)
    refusals = []
    for study in owned.order_by("slug"):
        try:
            keep_an_owner(study, user, Role.OWNER)
        except RefusedError as error:
            refusals.append(str(error))
    return refusals
