"""Who may do what in the console: one function per question, asked by every page before it acts.

Superusers may do everything. A study with members is for these alone, each by their role: viewers see it and
take its data home, editors also open, pause and close it, owners also pay its workers. A study without any
member is open to the whole staff, but for the payments.
"""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from judging.models import Draft, Job, Membership, Role, Study

Visitor = AbstractBaseUser | AnonymousUser

PERSONAL_EXPORTS = ("payments",)
"""Exports that say who the workers are on their platform."""


def may_use_console(user: Visitor) -> bool:
    """Active members of the staff may."""
    return bool(user.is_active and getattr(user, "is_staff", False))


def visible_studies(user: Visitor) -> QuerySet[Study]:
    """The studies that somebody may see, by slug."""
    if not may_use_console(user):
        return Study.objects.none()
    studies = Study.objects.order_by("slug")
    if _is_superuser(user):
        return studies
    members = Membership.objects.filter(study=OuterRef("pk"))
    return studies.filter(Exists(members.filter(user=user)) | ~Exists(members))


def may_see(user: Visitor, study: Study) -> bool:
    """Whether somebody may see how a study goes."""
    return _has_role(user, study, *Role)


def may_see_job(user: Visitor, job: Job) -> bool:
    """Whether somebody may see how a job goes; one without a study yet is for who asked, and superusers."""
    if job.study:
        return may_see(user, job.study)
    return may_use_console(user) and (_is_superuser(user) or user.pk == job.requested_by_id)


def may_set_up(user: Visitor) -> bool:
    """Whether somebody may set up studies of their own; they own what they make."""
    return may_use_console(user)


def visible_drafts(user: Visitor) -> QuerySet[Draft]:
    """The set-ups that somebody may change, the latest first: their own, and those of studies they manage."""
    if not may_use_console(user):
        return Draft.objects.none()
    drafts = Draft.objects.select_related("study", "owner").order_by("-pk")
    if _is_superuser(user):
        return drafts
    members = Membership.objects.filter(study=OuterRef("study"))
    managers = members.filter(user=user, role__in=(Role.OWNER, Role.EDITOR))
    managed = Q(study__isnull=False) & (Exists(managers) | ~Exists(members))
    return drafts.filter(Q(owner=user, study__isnull=True) | managed)


def may_manage(user: Visitor, study: Study) -> bool:
    """Whether somebody may open, pause and close a study."""
    return _has_role(user, study, Role.OWNER, Role.EDITOR)


def may_pay(user: Visitor, study: Study) -> bool:
    """Whether somebody may see who the workers are on their platform, and say that they were paid."""
    return _has_role(user, study, Role.OWNER, without_members=False)


def may_export(user: Visitor, study: Study, what: str) -> bool:
    """Whether somebody may take data of a study home; who the workers are is for those who pay them."""
    return may_pay(user, study) if what in PERSONAL_EXPORTS else may_see(user, study)


def _has_role(user: Visitor, study: Study, *roles: Role, without_members: bool = True) -> bool:
    """Whether somebody has one of the roles; `without_members` is the answer for a study that has none.

    Asks the database each time, unless the study's memberships were prefetched.
    """
    if not may_use_console(user):
        return False
    if _is_superuser(user):
        return True
    members = {member.user_id: member.role for member in study.memberships.all()}
    return members.get(user.pk) in roles if members else without_members


def _is_superuser(user: Visitor) -> bool:
    return bool(getattr(user, "is_superuser", False))
