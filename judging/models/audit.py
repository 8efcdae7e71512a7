"""Who changed what in a study: written by the services, edited by nobody."""

from django.conf import settings
from django.db import models

from judging.models.study import Study


class AuditEntry(models.Model):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="audit")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Empty: the command line.",
    )
    at = models.DateTimeField()
    verb = models.CharField(max_length=40)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ("study", "id")
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.verb} at {self.at:%Y-%m-%d %H:%M}"
