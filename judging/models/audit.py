"""The audit log: who changed what. Services write it, and it outlives studies and accounts.

Nobody can change or delete entries: the model and triggers in the database prevent it. Deleting a study or an
account therefore leaves its entries as they are. Their foreign keys have no constraints and can point to
deleted rows, so entries also store the names of the study and the actor as text.
"""

from typing import Any, NoReturn

from django.conf import settings
from django.db import models

from judging.models.study import Study


class AppendOnlyError(Exception):
    """Raised if code tries to change or delete entries of the audit log."""

    def __init__(self) -> None:
        super().__init__("Entries of the audit log cannot be changed or deleted. Add a new entry instead.")


class _AppendOnlyQuerySet(models.QuerySet["AuditEntry"]):
    """A queryset that allows neither changes nor deletions."""

    def update(self, **values: object) -> NoReturn:
        raise AppendOnlyError

    def delete(self) -> NoReturn:
        raise AppendOnlyError


class AuditEntry(models.Model):
    """An entry. Pages show `study_slug` and `actor_name`, because `study` and `actor` may be deleted."""

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

    objects = _AppendOnlyQuerySet.as_manager()

    class Meta:
        ordering = ("study", "id")
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.verb} at {self.at:%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError
