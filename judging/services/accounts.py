"""What goes with a new password: whatever the old one opened is shut, and the audit log says so."""

from datetime import datetime
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from rest_framework.authtoken.models import Token

from judging.services.events import audit
from judging.services.pace import WRONG_FOR_ACCOUNT


@transaction.atomic
def password_was_set(*, user: AbstractBaseUser, now: datetime, actor: Any = None) -> None:
    """Take the account's API token back, and forget the wrong passwords that were tried for it."""
    Token.objects.filter(user=user.pk).delete()
    WRONG_FOR_ACCOUNT.forget(user.get_username())
    audit("password_set", study=None, actor=actor, now=now, user=user.get_username())
