"""Who changed what: written by the services, edited by nobody, there still when studies and people are gone.

Rows are added, never changed or deleted: the model refuses to, and so do triggers in the database, made by
the migration that names them. So an entry holds no reference that a deletion would have to follow: the names
of study and actor stand in it as they were, and the keys beside them are for looking up alone.
"""

from typing import Any, NoReturn

from django.conf import settings
from django.db import models

from judging.models.study import Study


class LogIsKeptError(Exception):
    """Somebody tried to change or delete entries of the audit log."""

    def __init__(self) -> None:
        super().__init__("The audit log is only ever added to: its entries are neither changed nor deleted.")


class _Kept(models.QuerySet["AuditEntry"]):
    """Entries to add and to read."""

    def update(self, **values: object) -> NoReturn:
        raise LogIsKeptError

    def delete(self) -> NoReturn:
        raise LogIsKeptError


class AuditEntry(models.Model):
    """`study` and `actor` may point to what is there no more: show `study_slug` and `actor_name`."""

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
