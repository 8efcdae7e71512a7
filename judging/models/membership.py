"""The members of studies and their roles."""

from enum import StrEnum

from django.conf import settings
from django.db import models

from judging.models.fields import choices, one_of
from judging.models.study import Study
from judging.protocol.words import gettext_noop as _


class Role(StrEnum):
    """A member's role in a study.

    Viewers can see the study. Editors can also open, pause and close it. Owners can also pay workers and
    manage members.
    """

    OWNER = _("owner")
    EDITOR = _("editor")
    VIEWER = _("viewer")


RANKS = (Role.VIEWER, Role.EDITOR, Role.OWNER)
"""The roles, from the fewest to the most permissions."""


class Membership(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=6, choices=choices(Role))

    class Meta:
        ordering = ("study", "id")
        constraints = [
            models.UniqueConstraint(fields=["study", "user"], name="membership_once_per_study_and_user"),
            one_of("role", Role, name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.study_id}"
