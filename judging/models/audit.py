"""The audit log: who changed what. Services write it, and it outlives studies and accounts.

Entries are never changed or deleted: the model and database triggers, created by a migration, prevent it. So
entries must not have foreign keys that a deletion would follow. They store the names of the study and the
actor as text, and their keys only to look them up.
"""

from typing import Any, NoReturn

from django.conf import settings
from django.db import models

from judging.models.study import Study


class LogIsKeptError(Exception):
    """Code tried to change or delete entries of the audit log."""

    def __init__(self) -> None:
        super().__init__("Entries of the audit log cannot be changed or deleted. Add a new entry instead.")


class _Kept(models.QuerySet["AuditEntry"]):
    """A queryset that refuses changes and deletions."""

    def update(self, **values: object) -> NoReturn:
        raise LogIsKeptError

    def delete(self) -> NoReturn:
        raise LogIsKeptError


class AuditEntry(models.Model):
    """An entry. `study` and `actor` can be deleted, so show `study_slug` and `actor_name`."""

    study = models.ForeignKey(
        Study,
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="audit",
        help_text="Empty: the site as a whole.",
    )
    study_slug = models.CharField(max_length=60, blank=True, default="", db_default="")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
        help_text="Empty: the command line.",
    )
    actor_name = models.CharField(max_length=150, blank=True, default="", db_default="")
    at = models.DateTimeField()
    verb = models.CharField(max_length=40)
    detail = models.JSONField(default=dict)

    objects = _Kept.as_manager()

    class Meta:
        ordering = ("study", "id")
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.verb} at {self.at:%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise LogIsKeptError
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise LogIsKeptError
