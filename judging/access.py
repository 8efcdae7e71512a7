"""Who may do what in the console: one function per question, asked by every page before it acts."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from judging.models import Study

Visitor = AbstractBaseUser | AnonymousUser

PERSONAL_EXPORTS = ("payments",)
"""Exports that say who the workers are on their platform."""


def may_use_console(user: Visitor) -> bool:
    """Active members of the staff may."""
    return bool(user.is_active and getattr(user, "is_staff", False))


def visible_studies(user: Visitor) -> QuerySet[Study]:
    """The studies that somebody may see, by slug."""
    return Study.objects.order_by("slug") if may_use_console(user) else Study.objects.none()


def may_see(user: Visitor, study: Study) -> bool:
    """Whether somebody may see how a study goes."""
    return may_use_console(user)


def may_manage(user: Visitor, study: Study) -> bool:
    """Whether somebody may open, pause and close a study."""
    return may_use_console(user)


def may_export(user: Visitor, study: Study, what: str) -> bool:
    """Whether somebody may take data of a study home; who the workers are is not for everybody."""
    return may_see(user, study) and what not in PERSONAL_EXPORTS
