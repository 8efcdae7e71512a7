"""Who may do what in the console: one function per question, asked by every page before it acts.

Admins of the site (superusers) may do everything. A study with members is for these alone, each by their
role: viewers see it and take its data home, editors also open, pause and close it, invite its workers and act
on them and their units, owners also pay its workers, set what is watched and say who its members are. A study
without any member is open to the whole staff, but for what is left to owners. Whoever is a member of some
study may use the console, of the staff or not; what they see of it are their studies.
"""

from hmac import compare_digest
from ipaddress import ip_address

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet

from judging.core.published import PUBLISHED
from judging.models import RANKS, Invitation, Job, Membership, Role, Study, Visitor
from judging.protocol.settings import SETTINGS

TERMS = tuple(setting.key for setting in SETTINGS.values() if setting.by_owners)
"""Fields of a study that only owners may change once it has begun: they promise workers pay and contact."""


def account_of(visitor: Visitor) -> User:
    """Return the account of a visitor who has logged in, as all have whom a page of the console lets in."""
    assert visitor.is_authenticated
    return visitor


def may_use_console(user: Visitor) -> bool:
    """The staff and admins may, and who is a member of a study; deactivated accounts may not."""
    if not user.is_active or user.pk is None:
        return False
    return user.is_staff or user.is_superuser or Membership.objects.filter(user=user.pk).exists()


def may_administer(user: Visitor) -> bool:
    """Whether somebody is an admin of the site, who sees all accounts and the whole audit log."""
    return user.is_active and user.is_superuser


def may_use_admin(user: Visitor) -> bool:
    """Whether Django's admin is for somebody: admins, and staff to whom one of these gave rights there."""
    if may_administer(user):
        return True
    return user.is_active and user.is_staff and bool(user.get_all_permissions())


def visible_studies(user: Visitor) -> QuerySet[Study]:
    """The studies that somebody may see, by slug."""
    if not may_use_console(user):
        return Study.objects.none()
    studies = Study.objects.order_by("slug")
    if user.is_superuser:
        return studies
    members = Membership.objects.filter(study=OuterRef("pk"))
    mine = Exists(members.filter(user=user.pk))
    return studies.filter(mine | ~Exists(members) if user.is_staff else mine)


def may_see(user: Visitor, study: Study) -> bool:
    """Whether somebody may see how a study goes, who its members are, and its audit log."""
    return _has_role(user, study, Role.VIEWER)


def may_open_preview(user: Visitor, preview: Study) -> bool:
    """Return whether somebody may open a preview: who began it, and may still see its study."""
    if preview.preview_of is None or preview.previewer_id is None:
        return False
    return user.pk == preview.previewer_id and may_see(user, preview.preview_of)


def may_see_job(user: Visitor, job: Job) -> bool:
    """Whether somebody may see how a job goes; one without a study yet is for who asked, and admins."""
    if job.study:
        return may_see(user, job.study)
    return may_administer(user) or (may_use_console(user) and user.pk == job.requested_by_id)


def may_set_up(user: Visitor) -> bool:
    """Whether somebody may set up studies of their own: the staff, admins, and who owns or edits a study.

    They own what they make.
    """
    if not user.is_active or user.pk is None:
        return False
    managers = Membership.objects.filter(user=user.pk, role__in=(Role.OWNER, Role.EDITOR))
    return user.is_staff or user.is_superuser or managers.exists()


def may_manage(user: Visitor, study: Study) -> bool:
    """Whether somebody may open, pause and close a study."""
    return _has_role(user, study, Role.EDITOR)


def may_invite_workers(user: Visitor, study: Study) -> bool:
    """Whether somebody may make the personal links by which workers begin, and take them back."""
    return may_manage(user, study)


def may_have_entry_secret(user: Visitor, study: Study) -> bool:
    """Whether somebody may make the secret that signs links, and see it then."""
    return _has_role(user, study, Role.OWNER)


def may_curate(user: Visitor, study: Study) -> bool:
    """Whether somebody may block a worker, free a reservation, and leave units out of the analysis."""
    return _has_role(user, study, Role.EDITOR)


def may_set_thresholds(user: Visitor, study: Study) -> bool:
    """Whether somebody may say what is watched, and which address is told: the server will ask for it."""
    return _has_role(user, study, Role.OWNER)


def may_manage_members(user: Visitor, study: Study) -> bool:
    """Whether somebody may invite to a study, change roles in it, and take them away."""
    return _has_role(user, study, Role.OWNER)


def may_revoke(user: Visitor, invitation: Invitation) -> bool:
    """Whether somebody may take an invitation back: whoever may invite to the same."""
    study = invitation.study
    return may_manage_members(user, study) if study else may_administer(user)


def may_change_terms(user: Visitor, study: Study) -> bool:
    """Return whether somebody may change the `TERMS` of a study that has begun."""
    return _has_role(user, study, Role.OWNER)


def may_report(user: Visitor, study: Study) -> bool:
    """Whether somebody may have a study's reports made: whoever sees its data, as they say nothing more."""
    return may_see(user, study)


def may_pay(user: Visitor, study: Study) -> bool:
    """Whether somebody may see who the workers are on their platform, and say that they were paid."""
    return _has_role(user, study, Role.OWNER)


def may_export(user: Visitor, study: Study, what: str) -> bool:
    """Whether somebody may take data of a study home; who the workers are is for those who pay them."""
    table = PUBLISHED.get(what)
    return may_pay(user, study) if table and table.personal else may_see(user, study)


def _has_role(user: Visitor, study: Study, least: Role) -> bool:
    """Whether somebody has at least that role; in a study without members all staff have, but owners'.

    Asks the database each time, unless the study's memberships were prefetched. Nobody has a role in a draft
    of changes: who may change the study may change that, too.
    """
    if not user.is_active or user.pk is None or study.changes_to_id is not None:
        return False
    if user.is_superuser:
        return True
    members = {member.user_id: Role(member.role) for member in study.memberships.all()}
    if not members:
        return user.is_staff and least != Role.OWNER
    role = members.get(user.pk)
    return role is not None and RANKS.index(role) >= RANKS.index(least)


def may_read_metrics(*, token: str, authorization: str, peer: str, forwarded: bool) -> bool:
    """Whether the numbers for monitoring are for whoever asks.

    Where the site has a token, for who brings it. Where it has none, for this machine alone: `peer` is the
    address at the other end, which says nothing of who asks where a proxy has forwarded the request.
    """
    if token:
        return compare_digest(authorization.encode(), f"Bearer {token}".encode())
    try:
        return not forwarded and ip_address(peer).is_loopback
    except ValueError:
        return False
