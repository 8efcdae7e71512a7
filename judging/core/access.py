"""The permissions of the console. Every page calls one of these functions before it does anything.

Admins of the site (superusers) can do everything. If a study has members, other users have no access, and
each member's role decides what the member can do. Viewers can see the study and download its data. Editors
can also open, pause and close the study, invite workers, and manage workers and units. Owners can also pay
workers, set thresholds and manage members. If a study has no members, all staff are its editors. Members who
are not staff can use the console too, but see only their own studies. The members of a study with arms are
those of its front.
"""

from hmac import compare_digest
from ipaddress import ip_address

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from judging.core.published import PUBLISHED
from judging.models import RANKS, Invitation, Job, Membership, Role, Study, Visitor
from judging.protocol.settings import SETTINGS

TERMS = tuple(setting.key for setting in SETTINGS.values() if setting.by_owners)
"""The keys of settings that workers rely on. Only owners can change them once a study has begun."""


def account_of(visitor: Visitor) -> User:
    """Return the account of a logged-in visitor. All visitors of console pages are logged in."""
    assert visitor.is_authenticated
    return visitor


def may_use_console(user: Visitor) -> bool:
    """Return whether a user can use the console. Staff, admins and members of any study can."""
    if not user.is_active or user.pk is None:
        return False
    return user.is_staff or user.is_superuser or Membership.objects.filter(user=user.pk).exists()


def may_administer(user: Visitor) -> bool:
    """Return whether a user is an admin of the site. Admins see all accounts and the whole audit log."""
    return user.is_active and user.is_superuser


def may_use_admin(user: Visitor) -> bool:
    """Return whether a user can use Django's admin. Admins can, and so can staff who have any permission."""
    if may_administer(user):
        return True
    return user.is_active and user.is_staff and bool(user.get_all_permissions())


def visible_studies(user: Visitor) -> QuerySet[Study]:
    """Return the studies that a user can see, sorted by slug."""
    if not may_use_console(user):
        return Study.objects.none()
    studies = Study.objects.order_by("slug")
    if user.is_superuser:
        return studies
    members = Membership.objects.filter(study=Coalesce(OuterRef("front"), OuterRef("pk")))
    is_member = Exists(members.filter(user=user.pk))
    return studies.filter(is_member | ~Exists(members) if user.is_staff else is_member)


def may_see(user: Visitor, study: Study) -> bool:
    """Return whether a user can see the progress, the members and the audit log of a study."""
    return _has_role(user, study, Role.VIEWER)


def may_open_preview(user: Visitor, preview: Study) -> bool:
    """Return whether a user can open a preview of a study.

    Only the user who started the preview can open it, and only while they can see the study.
    """
    if preview.preview_of is None or preview.previewer_id is None:
        return False
    return user.pk == preview.previewer_id and may_see(user, preview.preview_of)


def may_see_job(user: Visitor, job: Job) -> bool:
    """Return whether a user can see a job. If the job has no study, only its requester and admins can."""
    if job.study:
        return may_see(user, job.study)
    return may_administer(user) or (may_use_console(user) and user.pk == job.requested_by_id)


def may_set_up(user: Visitor) -> bool:
    """Return whether a user can create studies. Users become owners of the studies that they create.

    Staff, admins, and the owners and editors of any study can create studies.
    """
    if not user.is_active or user.pk is None:
        return False
    managers = Membership.objects.filter(user=user.pk, role__in=(Role.OWNER, Role.EDITOR))
    return user.is_staff or user.is_superuser or managers.exists()


def may_manage(user: Visitor, study: Study) -> bool:
    """Return whether a user can open, pause and close a study."""
    return _has_role(user, study, Role.EDITOR)


def may_invite_workers(user: Visitor, study: Study) -> bool:
    """Return whether a user can create and revoke the personal links that workers use to start."""
    return may_manage(user, study)


def may_create_entry_secret(user: Visitor, study: Study) -> bool:
    """Return whether a user can create the secret that signs workers' links.

    The secret is shown only once.
    """
    return _has_role(user, study, Role.OWNER)


def may_curate(user: Visitor, study: Study) -> bool:
    """Return whether a user can block workers, release reserved units, and exclude units from analyses."""
    return _has_role(user, study, Role.EDITOR)


def may_set_thresholds(user: Visitor, study: Study) -> bool:
    """Return whether a user can set a study's thresholds and the address that its webhook calls."""
    return _has_role(user, study, Role.OWNER)


def may_manage_members(user: Visitor, study: Study) -> bool:
    """Return whether a user can invite members to a study, change their roles and remove them."""
    return _has_role(user, study, Role.OWNER)


def may_revoke(user: Visitor, invitation: Invitation) -> bool:
    """Return whether a user can revoke an invitation. This needs the same permission as sending it."""
    study = invitation.study
    return may_manage_members(user, study) if study else may_administer(user)


def may_change_terms(user: Visitor, study: Study) -> bool:
    """Return whether a user can change the settings in `TERMS` after a study has begun."""
    return _has_role(user, study, Role.OWNER)


def may_report(user: Visitor, study: Study) -> bool:
    """Return whether a user can compute a study's reports. All users who can see the study can."""
    return may_see(user, study)


def may_pay(user: Visitor, study: Study) -> bool:
    """Return whether a user can see workers' platform ids and mark payments as paid."""
    return _has_role(user, study, Role.OWNER)


def may_export(user: Visitor, study: Study, export: str) -> bool:
    """Return whether a user can download an export. Only users who may pay workers get platform ids."""
    table = PUBLISHED.get(export)
    return may_pay(user, study) if table and table.personal else may_see(user, study)


def _has_role(user: Visitor, study: Study, least: Role) -> bool:
    """Return whether a user has at least the role `least` in a study.

    All staff are editors of studies without members. The function queries the database unless the study's
    memberships are prefetched. Return False if the study is a draft of changes, because nobody has a role in
    a draft. To check a draft, pass the study that it changes.
    """
    if not user.is_active or user.pk is None or study.changes_to_id is not None:
        return False
    if user.is_superuser:
        return True
    members = {member.user_id: Role(member.role) for member in study.entrance.memberships.all()}
    if not members:
        return user.is_staff and least != Role.OWNER
    role = members.get(user.pk)
    return role is not None and RANKS.index(role) >= RANKS.index(least)


def may_read_metrics(*, token: str, authorization: str, peer: str, forwarded: bool) -> bool:
    """Return whether a request can read the metrics.

    If the site has a token, the request must contain it. Otherwise the request must come directly from this
    machine, because a proxy would hide the real sender. `peer` is the address of the connection.
    """
    if token:
        return compare_digest(authorization.encode(), f"Bearer {token}".encode())
    try:
        return not forwarded and ip_address(peer).is_loopback
    except ValueError:
        return False
