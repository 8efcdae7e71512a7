"""Invitations to take a role in a study or on the site."""

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import Q

from judging.models.fields import choices, values
from judging.models.membership import Role
from judging.models.study import Study
from judging.protocol.words import gettext_noop as _


class SiteRole(StrEnum):
    """A role on the site. Staff are editors of the studies that have no members. Admins can do everything."""

    STAFF = _("staff")
    ADMIN = _("admin")


_OPEN = Q(accepted_at__isnull=True, revoked_at__isnull=True)


class Invitation(models.Model):
    """An invitation. Anybody who has its link can accept it.

    The link works only once, until the invitation expires or is cancelled, and while its sender may still
    invite people. It contains the random
    `key` and a signature. The secret for the signature is not in the database, so nobody can create the link
    from the database alone.
    """

    study = models.ForeignKey(
        Study,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="invitations",
        help_text="Empty: the site.",
    )
    email = models.EmailField(help_text="In lower case.")
    role = models.CharField(max_length=6, choices=[*choices(Role), *choices(SiteRole)])
    key = models.CharField(max_length=43, unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    emailed_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(study__isnull=False, role__in=values(Role))
                | Q(study__isnull=True, role__in=values(SiteRole)),
                name="invitation_role_by_study",
            ),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(revoked_at__isnull=True),
                name="invitation_accepted_or_revoked",
            ),
            models.UniqueConstraint(
                fields=["study", "email"],
                condition=_OPEN & Q(study__isnull=False),
                name="invitation_open_once_per_study",
            ),
            models.UniqueConstraint(
                fields=["email"],
                condition=_OPEN & Q(study__isnull=True),
                name="invitation_open_once_to_the_site",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.study_id or 'the site'}"
